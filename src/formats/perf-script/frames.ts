// Frames of perf script, found by their bytes: a program has few functions and very many addresses, so a name is read once, not once an address.
import { getOrMake } from '../../base/lists.ts';
import { decodeBytes, Interner } from '../../model/strings.ts';
import { type FrameLine, frameLine } from './lines.ts';

/** The function that a line names, and the source line that follows it. */
type FunctionLine = Omit<FrameLine, 'address'> & { readonly file?: string; readonly at?: number };

export interface Frame {
  readonly line: FunctionLine;
  /** The same with the source line that follows it, by the number of that line. */
  readonly placed: Map<number, Frame>;
  /** Its place without an address; -1 until it is known. */
  place: number;
  /** Whether its addresses are kept: the file of its object is at hand. */
  readonly hasCode: boolean;
}

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
  private readonly frames = new Map<string, Frame>();
  private readonly atHand = new Map<string, boolean>();
  /** The address of the frame that of() read last: its upper and lower half. */
  high = 0;
  low = 0;

  constructor(private readonly hasCode: (object: string) => boolean) {}

  /** The frame that says this, one for all lines that do. */
  frameOf({ name, object, inlined, file, at }: FunctionLine): Frame {
    const key = [name, object ?? '', inlined ? 1 : 0, file ?? '', at ?? 0].join('\n');
    let frame = this.frames.get(key);
    if (!frame) {
      const line = { name, object, inlined, ...(file === undefined ? {} : { file }), ...(at === undefined ? {} : { at }) };
      this.frames.set(key, (frame = { line, placed: new Map(), place: -1, hasCode: object !== null && this.isAtHand(object) }));
    }
    return frame;
  }

  /** Files of objects that are not at hand. */
  get away(): string[] {
    return [...this.atHand].flatMap(([object, is]) => (is ? [] : [object]));
  }

  private isAtHand(object: string): boolean {
    return object.startsWith('/') && getOrMake(this.atHand, object, this.hasCode);
  }

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
      ofObject.set(known, (frame = this.frameOf(line)));
    }
    if (frame.hasCode) {
      const half = Math.max(address, name - 9);
      this.high = hexOf(bytes, address, half);
      this.low = hexOf(bytes, half, name - 1);
    }
    return frame;
  }
}

/** The number of at most eight digits. */
function hexOf(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = (value << 4) | (bytes[at] - (bytes[at] <= 57 ? 48 : 87));
  return value >>> 0;
}

/** The end of a name, before `+0x12`. */
function withoutOffset(bytes: Uint8Array, name: number, end: number): number {
  let at = end;
  while (at > name && end - at < MOST_DIGITS && isHex(bytes[at - 1])) at--;
  const isOffset = at < end && at - 3 > name && bytes[at - 1] === X && bytes[at - 2] === ZERO && bytes[at - 3] === PLUS;
  return isOffset ? at - 3 : end;
}
