// Buffered writing of reports.
import { joinSafe, type SafeText } from '../base/safe-text.ts';

/** Writes text; waits if the reader is slow. */
export type WriteText = (text: SafeText) => Promise<void>;

/** Collects small pieces of text, and writes large ones. */
export class BufferedWriter {
  private held: SafeText[] = [];
  private length = 0;

  constructor(private readonly write: WriteText) {}

  async add(text: SafeText): Promise<void> {
    this.held.push(text);
    this.length += text.length;
    if (this.length > 1 << 16) await this.flush();
  }

  async flush(): Promise<void> {
    const { held } = this;
    this.held = [];
    this.length = 0;
    await this.write(joinSafe(held, ''));
  }
}
