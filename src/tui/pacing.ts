// Paces frames by the terminal itself. A pseudo-terminal, sshd and TCP take in everything that is written, so that over a slow link a
// screen could lag seconds behind the keys. After the first frame, and while frames follow each other or are slow, the terminal is asked
// for its status, which it answers when it has drawn the frame. Until then, keys change the state only, and the newest state is drawn
// next. Other frames ask nothing: an answer that comes after the program has ended would be typed into the shell.

/** Device status report (ECMA-48, DSR 5); the reply is CSI 0 n. Every ANSI terminal answers it, and it can be no key. */
export const ASK_STATUS = '\u001b[5n';

/** Bytes that may always be under way when another frame is written: a moved cursor never waits. */
const MIN_WINDOW_BYTES = 300;
/** So many frames within this time follow each other, as those of a key that is held. */
const MIN_RECENT_FRAMES = 3;
const RECENT_MS = 600;
/** An answer that has not come by then, and by the time of a link of 2 kB/s, is lost. */
const ANSWER_TIMEOUT_MS = 1000;
const SLOWEST_BYTES_PER_MS = 2;
/** Answers later than this do not come. */
const MAX_LATE_MS = 4000;
/** Time between frames until the first answer tells of the link. */
const UNKNOWN_LINK_MS = 400;
/** The latest measured rates; the fastest of them counts, since other things slow a link down, but nothing makes it faster. */
const MAX_RATES = 6;
/** While a key is held, frames that take longer than this use only a part of the link, so that it is free when the key is released. */
const SLOW_FRAME_MS = 40;
const MAX_FRAMES_WAITED = 4;
/** Keys that follow each other this fast are a held one, which is released if no more come by then. */
const REPEAT_MS = 55;

export class Pacer {
  /** The questions that wait for an answer. `bytes`: those written since the question before. */
  private unanswered: { readonly bytes: number; readonly sentMs: number }[] = [];
  /** The questions whose answers have not come in time, and when the last of them was asked. */
  private lost = 0;
  private lostMs = Number.NEGATIVE_INFINITY;
  private unasked = 0;
  /** When the latest frames were written. */
  private recentMs: number[] = [];
  /** Frames wait for answers only once the terminal has given one. A terminal that is silent at first is not asked again. */
  private manner: 'unknown' | 'answers' | 'silent' = 'unknown';
  private answeredMs = Number.NEGATIVE_INFINITY;
  private roundTripMs = Number.POSITIVE_INFINITY;
  /** Bytes per millisecond. */
  private rates: number[] = [];
  private lastFrameBytes = 0;
  private drawnMs = 0;
  private keyMs = Number.NEGATIVE_INFINITY;
  private isRepeating = false;

  addKey(nowMs: number): void {
    this.isRepeating = nowMs - this.keyMs < REPEAT_MS;
    this.keyMs = nowMs;
  }

  /** Notes a frame of so many bytes. True if ASK_STATUS is to be written after it. */
  addFrame(bytes: number, nowMs: number): boolean {
    this.unasked += bytes;
    this.lastFrameBytes = bytes;
    this.drawnMs = nowMs;
    this.recentMs = [...this.recentMs.filter((ms) => nowMs - ms < RECENT_MS), nowMs];
    const isAsked = this.manner === 'unknown' || this.recentMs.length >= MIN_RECENT_FRAMES || this.frameMs > SLOW_FRAME_MS;
    if (!isAsked || this.manner === 'silent') return false;
    this.unanswered.push({ bytes: this.unasked, sentMs: nowMs });
    this.unasked = 0;
    return true;
  }

  addAnswer(nowMs: number): void {
    this.manner = 'answers';
    if (this.lost > 0) {
      this.lost--;
      return;
    }
    const question = this.unanswered.shift();
    if (!question) return;
    const roundTrip = Math.max(1, nowMs - question.sentMs);
    this.roundTripMs = Math.min(this.roundTripMs, roundTrip);
    // If the link was busy all the time since the last answer, that is how long these bytes took.
    const tookMs = Math.min(nowMs - Math.max(this.answeredMs, question.sentMs), roundTrip);
    this.rates = [...this.rates, question.bytes / Math.max(1, tookMs)].slice(-MAX_RATES);
    this.answeredMs = nowMs;
  }

  /** Expects no more of the answers, which have not come in time. */
  giveUp(): void {
    if (this.manner === 'unknown' && this.unanswered.length > 0) this.manner = 'silent';
    this.lost += this.unanswered.length;
    this.lostMs = this.unanswered.at(-1)?.sentMs ?? this.lostMs;
    this.unanswered = [];
  }

  /** Milliseconds from now until the next frame may be written; undefined if that depends on an answer. */
  waitMs(nowMs: number): number | undefined {
    if (this.manner === 'silent') return 0;
    // The answer to the first question may still come, or never.
    if (this.manner === 'unknown') return this.expectsAnswer ? Math.max(0, this.drawnMs + UNKNOWN_LINK_MS - nowMs) : 0;
    // So many bytes keep the link busy until the answer to the first of them is back; more would wait in it.
    const window = Math.max(MIN_WINDOW_BYTES, Math.max(0, ...this.rates) * this.roundTripMs);
    if (this.unanswered.reduce((sum, { bytes }) => sum + bytes, 0) > window) return undefined;
    if (!this.isRepeating || this.frameMs <= SLOW_FRAME_MS) return 0;
    return Math.max(0, Math.min(this.keyMs + REPEAT_MS, this.drawnMs + MAX_FRAMES_WAITED * this.frameMs) - nowMs);
  }

  /** How long the last frame takes on this link, as far as it is known. */
  private get frameMs(): number {
    return this.rates.length === 0 ? 0 : this.lastFrameBytes / Math.max(...this.rates);
  }

  /** How long to wait for the answers that are on their way. */
  get timeoutMs(): number {
    return ANSWER_TIMEOUT_MS + this.unanswered.reduce((sum, { bytes }) => sum + bytes, 0) / SLOWEST_BYTES_PER_MS;
  }

  get expectsAnswer(): boolean {
    return this.unanswered.length > 0;
  }

  /** Whether an answer may still come, which must be read before other programs get the terminal. */
  mayBeAnswered(nowMs: number): boolean {
    return this.expectsAnswer || (this.lost > 0 && nowMs - this.lostMs < MAX_LATE_MS);
  }
}
