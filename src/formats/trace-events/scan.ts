// Finds the fields of a trace event in its bytes, without parsing it.
import { type ByteRange, JsonScan } from '../shared/json-scan.ts';

/** Encodes a key of up to six characters as a number; 0 for longer keys. */
const keyNumberOf = (text: string): number => [...text].reduce((sum, c) => sum * 128 + c.charCodeAt(0), 0);
const [PH, TS, DUR, TDUR, PID, TID, CAT, NAME, ARGS, ID2, DETAIL, ROLE, COUNT] = (
  ['ph', 'ts', 'dur', 'tdur', 'pid', 'tid', 'cat', 'name', 'args', 'id2', 'detail', 'role', 'count'] as const
).map(keyNumberOf);

export class TraceEventScan extends JsonScan {
  /** The phase, as the character code of its letter. */
  phase = 0;
  ts = Number.NaN;
  /** Duration and thread duration; NaN if absent. */
  dur = Number.NaN;
  tdur = Number.NaN;
  /** Process and thread id; NaN unless they are integers. */
  pid = Number.NaN;
  tid = Number.NaN;
  /** Name and category, without quotation marks. */
  readonly name: ByteRange = { from: -1, to: -1 };
  readonly cat: ByteRange = { from: -1, to: -1 };
  /** The text of args.detail. */
  readonly detail: ByteRange = { from: -1, to: -1 };
  /** The JSON of args, if args has more than a detail. */
  readonly args: ByteRange = { from: -1, to: -1 };
  hasCount = false;
  /** Number of arguments read; -1 outside args. */
  private argumentCount = -1;

  /** Reads the event at bytes[at] and returns its end; -1 if it is incomplete or not plain. */
  scan(bytes: Uint8Array, at: number, end: number): number {
    this.start(bytes, end);
    this.phase = 0;
    this.ts = this.dur = this.tdur = this.pid = this.tid = Number.NaN;
    this.name.from = this.cat.from = this.detail.from = this.args.from = -1;
    this.hasCount = false;
    this.argumentCount = -1;
    const to = this.readObject(at);
    return this.phase === 0 || Number.isNaN(this.ts) ? -1 : to;
  }

  protected readField(from: number, to: number, at: number): number {
    const key = keyNumberAt(this.bytes, from, to);
    if (this.argumentCount >= 0) return this.readArgument(key, at);
    if (key === PH) {
      this.phase = this.bytes[at + 1];
      return this.textEnd(at) === at + 3 ? at + 3 : -1;
    }
    if (key === TS) this.ts = this.readNumber(at);
    else if (key === DUR) this.dur = this.readNumber(at);
    else if (key === TDUR) this.tdur = this.readNumber(at);
    else if (key === PID) this.pid = this.readNumber(at);
    else if (key === TID) this.tid = this.readNumber(at);
    else if (key === CAT) return this.readRange(this.cat, at);
    else if (key === NAME) return this.readRange(this.name, at);
    else if (key === ARGS) return this.readArguments(at);
    else return key === ID2 ? -1 : this.skipValue(at);
    return (key === PID && !Number.isInteger(this.pid)) || (key === TID && !Number.isInteger(this.tid)) ? -1 : this.lastEnd;
  }

  private readRange(range: ByteRange, at: number): number {
    const to = this.textEnd(at);
    range.from = at + 1;
    range.to = to - 1;
    return to;
  }

  private readArguments(at: number): number {
    this.args.from = this.detail.from = -1;
    this.hasCount = false;
    this.argumentCount = 0;
    const to = this.readObject(at);
    if (this.argumentCount > (this.detail.from < 0 ? 0 : 1)) {
      this.args.from = at;
      this.args.to = to;
    }
    this.argumentCount = -1;
    return to;
  }

  private readArgument(key: number, at: number): number {
    // An argument `role` may mark a CMake step, so the event must be parsed.
    if (key === ROLE || (key === DETAIL && this.detail.from >= 0)) return -1;
    if (key === COUNT) this.hasCount = true;
    this.argumentCount++;
    return key === DETAIL ? this.readRange(this.detail, at) : this.skipValue(at);
  }
}

function keyNumberAt(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > 6) return 0;
  let key = 0;
  for (let i = from; i < to; i++) key = key * 128 + bytes[i];
  return key;
}
