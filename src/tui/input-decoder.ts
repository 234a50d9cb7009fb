// Reports of the mouse and replies of the terminal, among the bytes of the keyboard: they are taken out before Node makes keys of the rest.
// Node would decode the reply `ESC ] 11;rgb:…` as the keys ] 1 1 ; r g b.
import { byteReport, decimalReport, type MouseReport } from './mouse.ts';

/** A reply to a question of the terminal: what stands between `ESC ]` and its end, such as `11;rgb:0000/0000/0000`. */
export interface Reply {
  readonly kind: 'reply';
  readonly text: string;
}

const ESC = 0x1b;
const BEL = 0x07;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const CLOSING = 0x5d;
/** After `ESC [`: a report in decimal numbers, and one in three bytes from terminals that know no others. */
const DECIMAL = 0x3c;
const BYTES = 0x4d;

/** Characters of a report that are kept; the rest of a longer one is dropped with it. */
const LONGEST = 20;
const NONE = Buffer.alloc(0);

/** The beginning of a reply about a colour. */
const COLOUR = /^(?:\d{0,2}|\d{1,2};(?:r|rg|rgb|rgba|rgba?:[0-9a-f/]{0,24})?)$/i;

/** A report or reply that has begun: its kind, what has come of it, and the bytes that are keys if it is none. */
interface Begun {
  readonly kind: typeof DECIMAL | typeof BYTES | typeof CLOSING;
  text: string;
  readonly start: string;
}

export class InputDecoder {
  /** `ESC` or `ESC [` at the end of what has come: a report may follow. */
  private held: Buffer = NONE;
  private begun: Begun | undefined;
  /** A lone Esc, or one with a bracket, was given on as a key, and nothing has come since. */
  private late = '';

  /** `mouse`: the terminal reports the mouse. */
  constructor(private readonly mouse: boolean) {}

  /**
   * Reports, replies, and the bytes between them, in their order. Pasted text is left as it is: `pasting` is asked when all before has been
   * taken. Whatever follows the beginning of a report is part of it as far as it can be, so nothing garbled becomes a key; what turns out to
   * be no reply is keys.
   */
  *read(chunk: Buffer, pasting: () => boolean): Generator<Buffer | MouseReport | Reply> {
    const rest = this.restOfLate(chunk);
    if (rest) this.begun = rest.begun;
    this.late = '';
    const bytes = this.held.length > 0 ? Buffer.concat([this.held, chunk]) : chunk;
    this.held = NONE;
    let from = rest?.from ?? 0;
    let at = from;
    while (at < bytes.length) {
      if (this.begun) {
        const { next, found } = this.goOn(this.begun, bytes, at);
        if (found) yield found;
        from = at = next;
        continue;
      }
      at = bytes.indexOf(ESC, at);
      if (at < 0) break;
      const [second, third] = [bytes[at + 1], bytes[at + 2]];
      if (at + 1 === bytes.length || (this.mouse && second === BRACKET && at + 2 === bytes.length)) {
        this.held = bytes.subarray(at);
        break;
      }
      const kind = second === CLOSING ? CLOSING : this.mouse && second === BRACKET ? reportKind(third) : undefined;
      if (kind === undefined) {
        at++;
        continue;
      }
      if (from < at) yield bytes.subarray(from, at);
      from = at;
      const start = kind === CLOSING ? '\u001b]' : '\u001b[';
      if (!pasting()) {
        this.begun = { kind, text: '', start };
        from = at + (kind === CLOSING ? 2 : 3);
      }
      at += kind === CLOSING ? 2 : 3;
    }
    const end = bytes.length - this.held.length;
    if (from < end) yield bytes.subarray(from, end);
  }

  /** The bytes so far may be a whole key: Esc, or a bracket with Alt. */
  get waits(): boolean {
    return this.held.length === 1 || (this.begun?.kind === CLOSING && this.begun.text === '');
  }

  /** The key that nothing has followed. */
  flush(): Buffer {
    const { held, begun } = this;
    const key = begun ? Buffer.from(begun.start) : held;
    this.held = NONE;
    this.begun = undefined;
    this.late = key.toString('latin1');
    return key;
  }

  /** The rest of a report or reply whose Esc came so long before that it was taken for the key. */
  private restOfLate(chunk: Buffer): { readonly begun: Begun; readonly from: number } | undefined {
    if (this.late === '') return undefined;
    const head = this.late + chunk.toString('latin1', 0, 4);
    if (this.mouse && head.startsWith('\u001b[<')) return { begun: { kind: DECIMAL, text: '', start: '' }, from: 2 };
    // A bracket may be a key, and so may a digit.
    if (!/^\u001b\]\d{1,2};/.test(head)) return undefined;
    const known = this.late.length;
    return { begun: { kind: CLOSING, text: '', start: head.slice(known, 2) }, from: 2 - known };
  }

  /** Reads on in a report or reply; returns where it ends, or the bytes do, and what it says. */
  private goOn(
    begun: Begun,
    bytes: Buffer,
    start: number,
  ): { readonly next: number; readonly found?: Buffer | MouseReport | Reply | undefined } {
    if (begun.kind === CLOSING) return this.goOnReply(begun, bytes, start);
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at];
      // No byte of a report: a key, or the beginning of another sequence.
      if (byte < 0x20 || (begun.kind === DECIMAL && byte > 0x7e)) {
        this.begun = undefined;
        return { next: at };
      }
      const last = begun.kind === DECIMAL ? byte >= 0x40 : begun.text.length === 2;
      if (begun.text.length < LONGEST) begun.text += String.fromCharCode(byte);
      if (!last) continue;
      this.begun = undefined;
      return { next: at + 1, found: begun.kind === DECIMAL ? decimalReport(begun.text) : byteReport(begun.text) };
    }
    return { next: bytes.length };
  }

  private goOnReply(begun: Begun, bytes: Buffer, start: number) {
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
      if (ended || (byte === ESC ? !isWhole : !COLOUR.test(longer))) {
        this.begun = undefined;
        return { next: at, found: Buffer.from(begun.start + begun.text, 'latin1') };
      }
      begun.text = longer;
    }
    return { next: bytes.length };
  }
}

function reportKind(byte: number): typeof DECIMAL | typeof BYTES | undefined {
  return byte === DECIMAL || byte === BYTES ? byte : undefined;
}
