// Paces frames by the terminal itself. A pseudo-terminal, sshd and TCP take in everything that is written, so that over a slow link a
// screen could lag seconds behind the keys. While frames follow each other, the terminal is asked after each one for its status,
// which it answers when it has drawn the frame. Until then, keys change the state only, and the newest state is drawn next. A single
// frame asks nothing: an answer that comes after the program has ended would be typed into the shell.

/** Device status report (ECMA-48, DSR 5); the reply is CSI 0 n. Every ANSI terminal answers it, and it can be no key. */
export const ASK_STATUS = '\u001b[5n';

/** Bytes that may be under way when another frame is written: a moved cursor never waits. */
const MAX_UNANSWERED_BYTES = 300;
/** So many frames within this time follow each other, as those of a key that is held. */
const MIN_RECENT_FRAMES = 3;
const RECENT_MS = 600;
/** A terminal that does not answer by then has lost the question. */
export const ANSWER_TIMEOUT_MS = 1000;

export class Pacer {
  /** The bytes written before each question that was not answered yet, and since the last one. */
  private unanswered: number[] = [];
  private unasked = 0;
  /** When the latest frames were written. */
  private recentMs: number[] = [];
  /** Frames wait for answers only once the terminal has given one. A terminal that is silent at first is not asked again. */
  private manner: 'unknown' | 'answers' | 'silent' = 'unknown';

  /** Notes a frame of so many bytes. True if ASK_STATUS is to be written after it. */
  addFrame(bytes: number, nowMs: number): boolean {
    this.unasked += bytes;
    this.recentMs = [...this.recentMs.filter((ms) => nowMs - ms < RECENT_MS), nowMs];
    if (this.recentMs.length < MIN_RECENT_FRAMES || this.manner === 'silent') return false;
    this.unanswered.push(this.unasked);
    this.unasked = 0;
    return true;
  }

  addAnswer(): void {
    this.manner = 'answers';
    this.unanswered.shift();
  }

  /** Expects no more of the answers, which have not come in time. */
  giveUp(): void {
    if (this.manner === 'unknown' && this.unanswered.length > 0) this.manner = 'silent';
    this.unanswered = [];
  }

  /** Whether the next frame may be written. */
  get isReady(): boolean {
    return this.manner !== 'answers' || this.unanswered.reduce((sum, bytes) => sum + bytes, 0) <= MAX_UNANSWERED_BYTES;
  }

  /** Whether an answer is on its way, which must be read before other programs get the terminal. */
  get expectsAnswer(): boolean {
    return this.unanswered.length > 0;
  }
}
