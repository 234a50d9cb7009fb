// Mouse reports among the bytes of the keyboard: they are taken out before Node makes keys of what is left.
import type { Action } from '../app/action.ts';

export interface MouseReport {
  readonly kind: 'press' | 'release' | 'wheel';
  /** 0 left, 1 middle, 2 right, from 8 on further ones; of a wheel: 0 up, 1 down, 2 left, 3 right. */
  readonly button: number;
  /** The cell, counted from 0. */
  readonly x: number;
  readonly y: number;
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
}

/** Presses and releases, no motion; then coordinates as decimal numbers. */
export const MOUSE_ON = '\u001b[?1000h\u001b[?1006h';
export const MOUSE_OFF = '\u001b[?1006l\u001b[?1000l';

const ESC = 0x1b;
const BRACKET = 0x5b;
/** After `ESC [`: a report in decimal numbers, and one in three bytes from terminals that know no others. */
const DECIMAL = 0x3c;
const BYTES = 0x4d;

/** Characters of a report that are kept; the rest of a longer one is dropped with it. */
const LONGEST = 20;
const NONE = Buffer.alloc(0);

/** A report that has begun: its kind, and what has come of it. */
interface Begun {
  readonly kind: typeof DECIMAL | typeof BYTES;
  text: string;
}

export class MouseDecoder {
  /** `ESC` or `ESC [` at the end of what has come: a report may follow. */
  private held: Buffer = NONE;
  private begun: Begun | undefined;
  /** A lone Esc was given on as a key, and nothing has come since. */
  private late = false;

  /**
   * Reports, and the bytes between them, in their order. Pasted text is left as it is: `pasting` is asked when all before has been taken.
   * Whatever follows the beginning of a report is part of it as far as it can be, so nothing garbled becomes a key.
   */
  *read(chunk: Buffer, pasting: () => boolean): Generator<Buffer | MouseReport> {
    // The rest of a report whose Esc came so long before that it was taken for the key.
    const rest = this.late && chunk[0] === BRACKET && chunk[1] === DECIMAL;
    if (rest) this.begun = { kind: DECIMAL, text: '' };
    this.late = false;
    const bytes = this.held.length > 0 ? Buffer.concat([this.held, chunk]) : chunk;
    this.held = NONE;
    let from = rest ? 2 : 0;
    let at = from;
    while (at < bytes.length) {
      if (this.begun) {
        const [next, report] = this.goOn(this.begun, bytes, at);
        if (report) yield report;
        from = at = next;
        continue;
      }
      at = bytes.indexOf(ESC, at);
      if (at < 0) break;
      const [bracket, kind] = [bytes[at + 1], bytes[at + 2]];
      if (at + 1 === bytes.length || (bracket === BRACKET && at + 2 === bytes.length)) {
        this.held = bytes.subarray(at);
        break;
      }
      if (bracket === BRACKET && (kind === DECIMAL || kind === BYTES)) {
        if (from < at) yield bytes.subarray(from, at);
        from = at;
        if (!pasting()) {
          this.begun = { kind, text: '' };
          from = at + 3;
        }
        at += 3;
      } else at++;
    }
    const end = bytes.length - this.held.length;
    if (from < end) yield bytes.subarray(from, end);
  }

  /** The bytes so far may be a whole key: Esc. */
  get waits(): boolean {
    return this.held.length === 1;
  }

  /** The Esc that nothing has followed. */
  flush(): Buffer {
    const { held } = this;
    this.held = NONE;
    this.late = true;
    return held;
  }

  /** Reads on in a report; returns where it ends, or the bytes do, and what it says. */
  private goOn(begun: Begun, bytes: Buffer, start: number): [next: number, report?: MouseReport | undefined] {
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at];
      // No byte of a report: a key, or the beginning of another sequence.
      if (byte < 0x20 || (begun.kind === DECIMAL && byte > 0x7e)) {
        this.begun = undefined;
        return [at];
      }
      const last = begun.kind === DECIMAL ? byte >= 0x40 : begun.text.length === 2;
      if (begun.text.length < LONGEST) begun.text += String.fromCharCode(byte);
      if (!last) continue;
      this.begun = undefined;
      return [at + 1, begun.kind === DECIMAL ? decimal(begun.text) : threeBytes(begun.text)];
    }
    return [bytes.length];
  }
}

function decimal(text: string): MouseReport | undefined {
  const [, code, x, y, end] = /^(\d{1,3});(\d{1,5});(\d{1,5})([Mm])$/.exec(text) ?? [];
  return end === undefined ? undefined : reportOf(Number(code), Number(x), Number(y), end === 'm');
}

/** The same plus 32, each; which button was released is not said. */
function threeBytes(text: string): MouseReport | undefined {
  const [code, x, y] = Array.from(text, (char) => char.charCodeAt(0) - 32);
  return reportOf(code, x, y, (code & 0x43) === 3);
}

/** `x` and `y` from 1; undefined for what nobody asked for. */
function reportOf(code: number, x: number, y: number, released: boolean): MouseReport | undefined {
  const wheel = (code & 64) !== 0;
  const motion = (code & 32) !== 0;
  if (motion || x < 1 || y < 1 || (wheel && released)) return undefined;
  return {
    kind: wheel ? 'wheel' : released ? 'release' : 'press',
    button: (code & 3) + (code & 128 ? 8 : 0),
    ...{ x: x - 1, y: y - 1 },
    ...{ shift: (code & 4) !== 0, alt: (code & 8) !== 0, ctrl: (code & 16) !== 0 },
  };
}

/** The terminal's mouse reports: the left button and the wheel alone, without keys that mean something else to the terminal. */
export function pointerAction({ kind, button, x, y, shift, alt, ctrl }: MouseReport): Extract<Action, { x: number }> | undefined {
  if (shift || alt || ctrl) return undefined;
  if (kind === 'press' && button === 0) return { type: 'click', x, y };
  return kind === 'wheel' && button < 2 ? { type: 'wheel', by: button === 0 ? -1 : 1, x, y } : undefined;
}
