// Splits the input of a terminal by the grammar of ECMA-48: keys, mouse reports and answers to our questions are passed on. All other
// sequences are swallowed whole, wherever chunks end: answers to questions of other programs must not become keys.
import { type PointerAction, parseByteReport, parseDecimalReport } from './mouse.ts';

export type InputPiece =
  | Buffer
  | PointerAction
  /** A reply of the terminal to a query: the text after `ESC ]`, such as `11;rgb:0000/0000/0000`. */
  | { readonly kind: 'reply'; readonly text: string }
  /** The terminal has drawn all that was written before it was asked for its status. */
  | { readonly kind: 'status' }
  | typeof ESCAPE_KEY;

const ESC = 0x1b;
const BEL = 0x07;
/** The key Esc. Node's parser would wait for what follows it. */
const ESCAPE_KEY = { kind: 'esc' } as const;
const NO_BYTES = Buffer.alloc(0);
const PASTE_END = Buffer.from('\u001b[201~');

/** After `ESC`: a control string up to `ESC \` or, of an operating system command, BEL. */
const OSC = 0x5d;
const STRINGS = new Set([OSC, 0x50, 0x58, 0x5e, 0x5f]);
const CSI = 0x5b;
const SS3 = 0x4f;
/** Control sequences that are keys, by their last byte. Cursor reports (R), attributes (c) and modes (y) are not. */
const KEY_ENDS = /^[\d;]*[ABCDEFHPQSZa-e]$/;
/** Numbers of keys: Home to F20, and the marks of pasted text. */
const NUMBERED_KEY = /^(?:[1-9]|1[1-57-9]|2[013-689]|3[1-4]|20[01])(?:;\d{1,2})?[~^$@]$/;
const SS3_KEY = /^\d?[A-DFHMP-S]$/;

/** Bytes of a sequence that are kept. What is longer is swallowed as far as its end, but for this many bytes at most. */
const MAX_KEPT_BYTES = 256;
const MAX_SWALLOWED = 1 << 20;
/** A sequence whose end does not come by then has none. */
const PATIENCE_MS = 2000;
/** Esc was a key if nothing follows by then; what follows later, but by this time, continues it all the same. */
const LATE_MS = 100;

/** A sequence that has begun, without its ESC. `length` counts bytes that are not kept, too. */
type OpenSequence = ReturnType<typeof begin>;

export class InputDecoder {
  private open: OpenSequence | undefined;
  /** When Esc was passed on as a key, if nothing has come since. */
  private escapeMs = Number.NEGATIVE_INFINITY;
  private pasteTail = NO_BYTES;

  /** `mouse`: whether the terminal reports mouse events. */
  constructor(private readonly mouse: boolean) {}

  /** Yields the pieces in order. Pasted text is not decoded: `isPasting` is called once all bytes before were consumed. */
  *read(chunk: Buffer, isPasting: () => boolean, nowMs: number = performance.now()): Generator<InputPiece> {
    if (this.open && nowMs - this.open.sinceMs > PATIENCE_MS) this.open = undefined;
    if (!this.open && nowMs - this.escapeMs < LATE_MS && continuesEscape(chunk)) this.open = begin(nowMs);
    this.escapeMs = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < chunk.length; ) {
      if (isPasting()) {
        const { end, text } = this.pastedUntil(chunk, at);
        at = end;
        if (text.length > 0) yield text;
      } else if (this.open) {
        const { next, piece } = this.continueSequence(this.open, chunk, at);
        at = next;
        if (piece) yield piece;
      } else {
        const escapeAt = chunk.indexOf(ESC, at);
        const end = escapeAt < 0 ? chunk.length : escapeAt;
        if (end > at) yield chunk.subarray(at, end);
        if (escapeAt >= 0) this.open = begin(nowMs);
        at = end + 1;
      }
    }
  }

  /** True if the input ends with ESC: it is the key, unless something follows soon. */
  get isWaiting(): boolean {
    return this.open?.length === 0;
  }

  /** The key Esc, after the timeout. */
  flush(nowMs: number = performance.now()): InputPiece {
    this.open = undefined;
    this.escapeMs = nowMs;
    return ESCAPE_KEY;
  }

  /** Pasted text with its end mark, however chunks cut the mark. */
  private pastedUntil(chunk: Buffer, at: number): { readonly end: number; readonly text: Buffer } {
    const held = this.pasteTail.length;
    const text = Buffer.concat([this.pasteTail, chunk.subarray(at)]);
    this.pasteTail = NO_BYTES;
    const mark = text.indexOf(PASTE_END);
    if (mark >= 0) return { end: at - held + mark + PASTE_END.length, text: text.subarray(0, mark + PASTE_END.length) };
    let tail = Math.min(PASTE_END.length - 1, text.length);
    while (tail > 0 && !text.subarray(-tail).equals(PASTE_END.subarray(0, tail))) tail--;
    this.pasteTail = text.subarray(text.length - tail);
    return { end: chunk.length, text: text.subarray(0, text.length - tail) };
  }

  /** Takes bytes of the open sequence. `next`: the index after them; `piece`: what the sequence is, once it is whole. */
  private continueSequence(
    open: OpenSequence,
    chunk: Buffer,
    start: number,
  ): { readonly next: number; readonly piece?: InputPiece | undefined } {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at];
      const state = stateAfter(open, byte);
      if (state === 'not-in-it') {
        this.open = undefined;
        // Esc and a key: both count, though terminals send the same for Alt and the key. A control character ends what it interrupts.
        return { next: at, piece: open.length === 0 ? ESCAPE_KEY : undefined };
      }
      if (open.length < MAX_KEPT_BYTES) open.text += String.fromCharCode(byte);
      open.length++;
      if (state === 'goes-on') continue;
      this.open = undefined;
      return { next: at + 1, piece: this.pieceOf(open) };
    }
    return { next: chunk.length };
  }

  /** A whole sequence as a key, a report or a reply; undefined if it is none of ours. */
  private pieceOf({ text, length }: OpenSequence): InputPiece | undefined {
    if (length > MAX_KEPT_BYTES) return undefined;
    const [first, body] = [text.charCodeAt(0), text.slice(1)];
    if (first === OSC) {
      const reply = /^(1[0-2];[^\u0007\u001b]*)(?:\u0007|\u001b\\)$/.exec(body);
      return reply ? { kind: 'reply', text: reply[1] } : undefined;
    }
    if (first === SS3) return SS3_KEY.test(body) ? Buffer.from(`\u001b${text}`, 'latin1') : undefined;
    if (first !== CSI) return undefined;
    if (body === '0n' || body === '3n') return { kind: 'status' };
    if (body.startsWith('<')) return this.mouse ? parseDecimalReport(body.slice(1)) : undefined;
    if (body.startsWith('M')) return this.mouse ? parseByteReport(body.slice(1)) : undefined;
    const isKey = KEY_ENDS.test(body) || NUMBERED_KEY.test(body) || body.startsWith('[');
    return isKey ? Buffer.from(`\u001b${text}`, 'latin1') : undefined;
  }
}

const begin = (sinceMs: number) => ({ text: '', length: 0, sinceMs });

/** Whether bytes after a late Esc are the rest of a sequence, not keys: they come at once, and fit. */
const continuesEscape = (chunk: Buffer): boolean =>
  /^(?:\[[\d;<?>=]*[ -/]*[@-~]|\[<?\d|O[A-DFHP-S]$|[\]P_^X][\d!+>|])/.test(chunk.toString('latin1', 0, 64));

/** Whether a byte belongs to an open sequence, and ends it. */
function stateAfter({ text, length }: OpenSequence, byte: number): 'goes-on' | 'ends' | 'not-in-it' {
  const first = length === 0 ? byte : text.charCodeAt(0);
  const isOurs = STRINGS.has(first) || first === CSI || first === SS3;
  if (!isOurs || length > MAX_SWALLOWED) return 'not-in-it';
  if (length === 0) return 'goes-on';
  if (STRINGS.has(first)) return stateInString(first, text, length, byte);
  // Three bytes of an old mouse report, whatever they are.
  if (first === CSI && text.startsWith('[M')) return length === 4 ? 'ends' : byte < 0x20 ? 'not-in-it' : 'goes-on';
  if (byte < 0x20 || byte > 0x7e) return 'not-in-it';
  if (first === SS3) return byte >= 0x30 && byte <= 0x39 ? 'goes-on' : 'ends';
  // The console of Linux writes F1 as ESC [ [ A.
  if (text === '[[') return 'ends';
  if (length === 1 && (byte === CSI || byte === 0x4d)) return 'goes-on';
  return byte >= 0x40 ? 'ends' : 'goes-on';
}

/** A control string ends with ST (`ESC \`), a command for the system with BEL, too. Other control characters interrupt it. */
function stateInString(first: number, text: string, length: number, byte: number): 'goes-on' | 'ends' | 'not-in-it' {
  const afterEscape = length <= MAX_KEPT_BYTES ? text.endsWith('\u001b') : false;
  if (byte === BEL) return first === OSC ? 'ends' : 'goes-on';
  if (byte === 0x5c && (afterEscape || length > MAX_KEPT_BYTES)) return 'ends';
  if (afterEscape) return 'not-in-it';
  return byte === ESC || (byte >= 0x20 && byte !== 0x7f) || (byte >= 0x08 && byte <= 0x0d) ? 'goes-on' : 'not-in-it';
}
