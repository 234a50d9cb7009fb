// Frames of perf script, found by their bytes: a program has few functions and very many addresses, so a name is read once, not once an address.
import { decodeBytes, Interner } from '../../model/strings.ts';
import { type FrameLine, frameLine } from './lines.ts';

export interface Frame {
  readonly line: FrameLine & { readonly file?: string | null; readonly at?: number };
  /** The same with the source line that follows it, by the number of that line. */
  readonly placed: Map<number, Frame>;
  /** The frame's number by the number of its object; inlined functions are in the object of the function that holds them. */
  readonly numbers: Map<string | null, number>;
  /** The frame's number in its own object; -1 until it is known, and for inlined functions. */
  own: number;
}

export const frameOf = (line: Frame['line']): Frame => ({ line, placed: new Map(), numbers: new Map(), own: -1 });

const [BLANK, TAB, OPEN, CLOSE, PLUS, ZERO, X] = [32, 9, 40, 41, 43, 48, 120];
const MOST_DIGITS = 16;
const LEAST_DIGITS = 4;

const isHex = (byte: number): boolean => (byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 102);

/** The frames that were met, by name and object. */
export class Frames {
  private readonly names = new Interner();
  private readonly objects = new Interner();
  /** By object, then by name. */
  private readonly met: (Map<number, Frame> | undefined)[] = [];

  /** The frame of a line `  7f12ab name+0x12 (/usr/lib/x.so)`; undefined for any other form, which frameLine() reads. */
  of(bytes: Uint8Array, from: number, to: number): Frame | undefined {
    let at = from;
    while (bytes[at] === BLANK || bytes[at] === TAB) at++;
    const address = at;
    while (at < to && isHex(bytes[at])) at++;
    const digits = at - address;
    if (digits < LEAST_DIGITS || digits > MOST_DIGITS || bytes[at] !== BLANK || bytes[to - 1] !== CLOSE) return undefined;
    const name = at + 1;
    let open = to - 2;
    while (open > name && bytes[open] !== OPEN && bytes[open] !== CLOSE) open--;
    if (open <= name + 1 || bytes[open] !== OPEN || bytes[open - 1] !== BLANK) return undefined;
    const object = this.objects.bytesId(bytes, open, to);
    const ofObject = (this.met[object] ??= new Map());
    const known = this.names.bytesId(bytes, name, withoutOffset(bytes, name, open - 1));
    let frame = ofObject.get(known);
    if (!frame) {
      const line = frameLine(decodeBytes(bytes, from, to));
      if (!line) return undefined;
      ofObject.set(known, (frame = frameOf(line)));
    }
    return frame;
  }
}

/** The end of a name, before `+0x12`. */
function withoutOffset(bytes: Uint8Array, name: number, end: number): number {
  let at = end;
  while (at > name && end - at < MOST_DIGITS && isHex(bytes[at - 1])) at--;
  const isOffset = at < end && at - 3 > name && bytes[at - 1] === X && bytes[at - 2] === ZERO && bytes[at - 3] === PLUS;
  return isOffset ? at - 3 : end;
}
