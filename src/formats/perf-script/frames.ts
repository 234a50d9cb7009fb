// Finds frames of perf script by their bytes. Programs have few functions but many addresses, so each name is decoded only once.
import { getOrMake } from '../../base/lists.ts';
import { decodeBytes, Interner } from '../../model/strings.ts';
import { type FrameLine, parseFrameLine, parseSampleLine, UNKNOWN_FUNCTION } from './lines.ts';

/** The function named by a frame line, with the source line that follows it. */
type FunctionLine = Omit<FrameLine, 'address'> & { readonly file?: string; readonly at?: number };

/** A tree of chains of inlined functions, by the next inner function. */
export interface InlineChain {
  /** Index of the chain in the samples, if its outermost frame has no address; -1 until a sample needs it. */
  addressIndex: number;
  readonly inside: Map<ScriptFrame, InlineChain>;
}

/** A function, and the chains of functions that are inlined into it. */
export interface ScriptFrame extends InlineChain {
  readonly line: FunctionLine;
  /** By the reader's number of a source line's text: this frame with that source line. */
  readonly atLines: Map<number, ScriptFrame>;
  /** True if the object's file is available, or code may be in a map of its process, so that addresses of the frame are read. */
  readonly hasCode: boolean;
}

const [BLANK, TAB, OPEN, CLOSE, PLUS, ZERO, X] = [32, 9, 40, 41, 43, 48, 120];
const MAX_ADDRESS_DIGITS = 16;
const MIN_ADDRESS_DIGITS = 4;

const isHexDigit = (byte: number): boolean => (byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 102);

/** All distinct frames, by name and object. */
export class ScriptFrames {
  private readonly names = new Interner();
  private readonly objects = new Interner();
  /** By object, then by name: the frame. */
  private readonly byObject: (Map<number, ScriptFrame> | undefined)[] = [];
  private readonly frames = new Map<string, ScriptFrame>();
  private readonly isAvailable = new Map<string, boolean>();
  private readonly maps = new Map<string, boolean>();
  /** Upper and lower half of the address that readUsualFrame() read last. */
  high = 0;
  low = 0;

  constructor(private readonly hasCode: (object: string) => boolean) {}

  /** The frame with these properties. Equal lines get the same object. */
  frameOf({ name, object, inlined, file, at }: FunctionLine): ScriptFrame {
    const key = [name, object ?? '', inlined ? 1 : 0, file ?? '', at ?? 0].join('\n');
    return getOrMake(this.frames, key, () => {
      const line = { name, object, inlined, ...(file === undefined ? {} : { file }), ...(at === undefined ? {} : { at }) };
      const hasCode =
        object === null ? name === UNKNOWN_FUNCTION : object.startsWith('/') && getOrMake(this.isAvailable, object, this.hasCode);
      return { line, atLines: new Map(), addressIndex: -1, inside: new Map(), hasCode };
    });
  }

  /** The frame of code without a mapping: that of the map that its process wrote of such code, or else itself. */
  inMapOf(frame: ScriptFrame, pid: number): ScriptFrame {
    const object = `/tmp/perf-${pid}.map`;
    return getOrMake(this.maps, object, this.hasCode) ? this.frameOf({ ...frame.line, object }) : frame;
  }

  get unavailableObjects(): string[] {
    return [...this.isAvailable].flatMap(([object, is]) => (is ? [] : [object]));
  }

  /** The frame of a line `  7f12ab name+0x12 (/usr/lib/x.so)`; undefined for other forms, which parseFrameLine() reads. */
  readUsualFrame(bytes: Uint8Array, from: number, to: number): ScriptFrame | undefined {
    let at = from;
    while (bytes[at] === BLANK || bytes[at] === TAB) at++;
    const address = at;
    while (at < to && isHexDigit(bytes[at])) at++;
    const digits = at - address;
    if (digits < MIN_ADDRESS_DIGITS || digits > MAX_ADDRESS_DIGITS) return undefined;
    if ((bytes[at] !== BLANK && bytes[at] !== TAB) || bytes[to - 1] !== CLOSE) return undefined;
    const name = at + 1;
    let open = to - 2;
    while (open > name && bytes[open] !== OPEN && bytes[open] !== CLOSE) open--;
    if (open <= name + 1 || bytes[open] !== OPEN || (bytes[open - 1] !== BLANK && bytes[open - 1] !== TAB)) return undefined;
    const object = this.objects.bytesId(bytes, open, to);
    const ofObject = (this.byObject[object] ??= new Map());
    const known = this.names.bytesId(bytes, name, nameEndBeforeOffset(bytes, name, open - 1));
    let frame = ofObject.get(known);
    if (!frame) {
      const text = decodeBytes(bytes, from, to);
      const line = isFirstLine(text) ? undefined : parseFrameLine(text);
      if (!line) return undefined;
      ofObject.set(known, (frame = this.frameOf(line)));
    }
    if (frame.hasCode) {
      const half = Math.max(address, name - 9);
      this.high = parseHex(bytes, address, half);
      this.low = parseHex(bytes, half, name - 1);
    }
    return frame;
  }
}

/** Whether an indented line begins a sample: commands may be aligned to the right, and named like an address. */
export const isFirstLine = (text: string): boolean => {
  const sample = parseSampleLine(text);
  return sample !== undefined && (sample.ns !== undefined || !/^\s*[0-9a-f]+\s/.test(text));
};

/** The value of at most eight hexadecimal digits. */
function parseHex(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = (value << 4) | (bytes[at] - (bytes[at] <= 57 ? 48 : 87));
  return value >>> 0;
}

/** The end of a function name, before an offset such as `+0x12`. */
function nameEndBeforeOffset(bytes: Uint8Array, name: number, end: number): number {
  let at = end;
  while (at > name && end - at < MAX_ADDRESS_DIGITS && isHexDigit(bytes[at - 1])) at--;
  const isOffset = at < end && at - 3 > name && bytes[at - 1] === X && bytes[at - 2] === ZERO && bytes[at - 3] === PLUS;
  return isOffset ? at - 3 : end;
}
