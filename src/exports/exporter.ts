// A file for another tool: a profile as it is shown, with its transforms, its parts, and the run it is compared with.
import type { SafeText } from '../base/safe-text.ts';
import type { ReportContext } from '../reports/report.ts';

/** Takes a piece of what is written. Bytes are for files and pipes alone; text is safe for a terminal, too. */
export type Put = (piece: SafeText | Uint8Array) => Promise<void>;

export interface Exporter {
  readonly name: string;
  readonly title: string;
  /** How the names of such files end; the first is the usual one. */
  readonly endings: readonly string[];
  /** No text: never written to a terminal. */
  readonly binary?: boolean;
  /** Such files are compressed with gzip. */
  readonly gzip?: boolean;
  /** It is about a routine, if one is named. */
  readonly ofRoutine?: boolean;
  /** Nothing of a call graph is left out of it. */
  readonly whole?: boolean;
  /** Why this cannot be written of what is shown; undefined if it can. */
  refusal(context: ReportContext): string | undefined;
  /** Throws ChoiceError and ReportError for what turns out to be impossible. */
  write(context: ReportContext, version: string, put: Put): Promise<void>;
}
