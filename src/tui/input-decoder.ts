// Extracts mouse reports and terminal replies from the input; Node parses the remaining bytes into keys.
// Node would decode the reply `ESC ] 11;rgb:…` as the keys ] 1 1 ; r g b.
import { type MouseReport, parseByteReport, parseDecimalReport } from './mouse.ts';

/** A reply of the terminal: the text between `ESC ]` and its end, such as `11;rgb:0000/0000/0000`. */
export interface TerminalReply {
  readonly kind: 'reply';
  readonly text: string;
}

const ESC = 0x1b;
const BEL = 0x07;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
/** The byte after `ESC [`: a report in decimal numbers, or in three bytes (old terminals). */
const DECIMAL_REPORT = 0x3c;
const BYTE_REPORT = 0x4d;

/** Maximum characters of a report; the rest of a longer one is dropped. */
const MAX_REPORT = 20;
const NO_BYTES = Buffer.alloc(0);

/** The beginning of a reply about a colour. */
const COLOUR_REPLY_START = /^(?:\d{0,2}|\d{1,2};(?:r|rg|rgb|rgba|rgba?:[0-9a-f/]{0,24})?)$/i;

/** An incomplete report or reply: its kind, the text so far, and its first bytes, which are keys if it proves to be neither. */
interface OpenSequence {
  readonly kind: typeof DECIMAL_REPORT | typeof BYTE_REPORT | typeof CLOSING_BRACKET;
  text: string;
  readonly start: string;
}

export class InputDecoder {
  /** `ESC` or `ESC [` at the end of the input so far: a report may follow. */
  private heldBytes: Buffer = NO_BYTES;
  private begun: OpenSequence | undefined;
  /** The last key passed on, if it was Esc or Esc with a bracket and nothing has come since. */
  private lateKey = '';

  /** `mouse`: the terminal reports the mouse. */
  constructor(private readonly mouse: boolean) {}

  /**
   * Yields reports, replies, and the bytes between them, in order. Pasted text is not decoded: `isPasting` is called once
   * all bytes before were consumed. Garbled reports are dropped, so that they do not become keys. Text that is no reply becomes
   * keys.
   */
  *read(chunk: Buffer, isPasting: () => boolean): Generator<Buffer | MouseReport | TerminalReply> {
    const rest = this.continueLateSequence(chunk);
    if (rest) this.begun = rest.begun;
    this.lateKey = '';
    const bytes = this.heldBytes.length > 0 ? Buffer.concat([this.heldBytes, chunk]) : chunk;
    this.heldBytes = NO_BYTES;
    let from = rest?.from ?? 0;
    let at = from;
    while (at < bytes.length) {
      if (this.begun) {
        const { next, found } = this.continueSequence(this.begun, bytes, at);
        if (found) yield found;
        from = at = next;
        continue;
      }
      at = bytes.indexOf(ESC, at);
      if (at < 0) break;
      const [second, third] = [bytes[at + 1], bytes[at + 2]];
      if (at + 1 === bytes.length || (this.mouse && second === BRACKET && at + 2 === bytes.length)) {
        this.heldBytes = bytes.subarray(at);
        break;
      }
      const kind =
        second === CLOSING_BRACKET ? CLOSING_BRACKET : this.mouse && second === BRACKET ? reportKind(third) : undefined;
      if (kind === undefined) {
        at++;
        continue;
      }
      if (from < at) yield bytes.subarray(from, at);
      from = at;
      const start = kind === CLOSING_BRACKET ? '\u001b]' : '\u001b[';
      if (!isPasting()) {
        this.begun = { kind, text: '', start };
        from = at + (kind === CLOSING_BRACKET ? 2 : 3);
      }
      at += kind === CLOSING_BRACKET ? 2 : 3;
    }
    const end = bytes.length - this.heldBytes.length;
    if (from < end) yield bytes.subarray(from, end);
  }

  /** True if the bytes so far may be a complete key: Esc, or Alt with a bracket. */
  get isWaiting(): boolean {
    return this.heldBytes.length === 1 || (this.begun?.kind === CLOSING_BRACKET && this.begun.text === '');
  }

  /** Returns the waiting bytes as a key, after the timeout. */
  flush(): Buffer {
    const { heldBytes, begun } = this;
    const key = begun ? Buffer.from(begun.start) : heldBytes;
    this.heldBytes = NO_BYTES;
    this.begun = undefined;
    this.lateKey = key.toString('latin1');
    return key;
  }

  /** Continues a report or reply whose Esc arrived so early that it was passed on as a key. */
  private continueLateSequence(chunk: Buffer): { readonly begun: OpenSequence; readonly from: number } | undefined {
    if (this.lateKey === '') return undefined;
    const head = this.lateKey + chunk.toString('latin1', 0, 4);
    if (this.mouse && head.startsWith('\u001b[<')) return { begun: { kind: DECIMAL_REPORT, text: '', start: '' }, from: 2 };
    // A bracket or a digit by itself may be a key: wait for more before assuming a reply.
    if (!/^\u001b\]\d{1,2};/.test(head)) return undefined;
    const known = this.lateKey.length;
    return { begun: { kind: CLOSING_BRACKET, text: '', start: head.slice(known, 2) }, from: 2 - known };
  }

  /** Continues a report or reply. `next`: the index after it, or the end of the bytes; `found`: the decoded result. */
  private continueSequence(
    begun: OpenSequence,
    bytes: Buffer,
    start: number,
  ): { readonly next: number; readonly found?: Buffer | MouseReport | TerminalReply | undefined } {
    if (begun.kind === CLOSING_BRACKET) return this.continueReply(begun, bytes, start);
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at];
      // This byte cannot belong to a report: it is a key, or starts another sequence.
      if (byte < 0x20 || (begun.kind === DECIMAL_REPORT && byte > 0x7e)) {
        this.begun = undefined;
        return { next: at };
      }
      const last = begun.kind === DECIMAL_REPORT ? byte >= 0x40 : begun.text.length === 2;
      if (begun.text.length < MAX_REPORT) begun.text += String.fromCharCode(byte);
      if (!last) continue;
      this.begun = undefined;
      return {
        next: at + 1,
        found: begun.kind === DECIMAL_REPORT ? parseDecimalReport(begun.text) : parseByteReport(begun.text),
      };
    }
    return { next: bytes.length };
  }

  private continueReply(begun: OpenSequence, bytes: Buffer, start: number) {
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at];
      const ended = begun.text.endsWith('\u001b');
      const text = ended ? begun.text.slice(0, -1) : begun.text;
      const isWhole = text.includes(':');
      if (isWhole && (ended ? byte === BACKSLASH : byte === BEL)) {
        this.begun = undefined;
        return { next: at + 1, found: { kind: 'reply', text } as const };
      }
      const longer = begun.text + String.fromCharCode(byte);
      if (ended || (byte === ESC ? !isWhole : !COLOUR_REPLY_START.test(longer))) {
        this.begun = undefined;
        return { next: at, found: Buffer.from(begun.start + begun.text, 'latin1') };
      }
      begun.text = longer;
    }
    return { next: bytes.length };
  }
}

function reportKind(byte: number): typeof DECIMAL_REPORT | typeof BYTE_REPORT | undefined {
  return byte === DECIMAL_REPORT || byte === BYTE_REPORT ? byte : undefined;
}
