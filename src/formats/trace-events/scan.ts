// The fields of an event, found in its bytes.
import { JsonScan, type Range } from '../shared/json-scan.ts';

/** Keys by their bytes, as one number of up to six characters; 0 for longer ones. */
const keyOf = (text: string): number => [...text].reduce((sum, c) => sum * 128 + c.charCodeAt(0), 0);
const [PH, TS, DUR, TDUR, PID, TID, CAT, NAME, ARGS, ID2, DETAIL, ROLE, COUNT] = (
  ['ph', 'ts', 'dur', 'tdur', 'pid', 'tid', 'cat', 'name', 'args', 'id2', 'detail', 'role', 'count'] as const
).map(keyOf);

export class EventScan extends JsonScan {
  /** The phase, as the code of its letter. */
  phase = 0;
  ts = Number.NaN;
  /** NaN where there is none. */
  dur = Number.NaN;
  tdur = Number.NaN;
  /** NaN where they are no whole numbers. */
  pid = Number.NaN;
  tid = Number.NaN;
  /** Without their quotes. */
  readonly name: Range = { from: -1, to: -1 };
  readonly cat: Range = { from: -1, to: -1 };
  /** The text of args.detail. */
  readonly detail: Range = { from: -1, to: -1 };
  /** All of args, if they say more than a detail. */
  readonly args: Range = { from: -1, to: -1 };
  /** args has a count. */
  counted = false;
  /** How many arguments there are; -1 outside of them. */
  private inside = -1;

  /** Reads the event that begins at bytes[at], and returns where it ends; -1 where it is not complete, or not written plainly. */
  scan(bytes: Uint8Array, at: number, end: number): number {
    this.start(bytes, end);
    this.phase = 0;
    this.ts = this.dur = this.tdur = this.pid = this.tid = Number.NaN;
    this.name.from = this.cat.from = this.detail.from = this.args.from = -1;
    this.counted = false;
    this.inside = -1;
    const to = this.object(at);
    return this.phase === 0 || Number.isNaN(this.ts) ? -1 : to;
  }

  protected field(from: number, to: number, at: number): number {
    const key = keyAt(this.bytes, from, to);
    if (this.inside >= 0) return this.argument(key, at);
    switch (key) {
      case PH: {
        const to = this.text(at);
        if (to !== at + 3) return -1;
        this.phase = this.bytes[at + 1];
        return to;
      }
      case TS:
        this.ts = this.number(at);
        return this.after;
      case DUR:
        this.dur = this.number(at);
        return this.after;
      case TDUR:
        this.tdur = this.number(at);
        return this.after;
      case PID:
        this.pid = this.number(at);
        return Number.isInteger(this.pid) ? this.after : -1;
      case TID:
        this.tid = this.number(at);
        return Number.isInteger(this.tid) ? this.after : -1;
      case NAME:
        return this.range(this.name, at);
      case CAT:
        return this.range(this.cat, at);
      case ARGS:
        return this.arguments(at);
      case ID2:
        return -1;
      default:
        return this.skip(at);
    }
  }

  private range(range: Range, at: number): number {
    const to = this.text(at);
    range.from = at + 1;
    range.to = to - 1;
    return to;
  }

  private arguments(at: number): number {
    this.args.from = this.detail.from = -1;
    this.counted = false;
    this.inside = 0;
    const to = this.object(at);
    if (this.inside > (this.detail.from < 0 ? 0 : 1)) {
      this.args.from = at;
      this.args.to = to;
    }
    this.inside = -1;
    return to;
  }

  private argument(key: number, at: number): number {
    // A role may mean a step of CMake.
    if (key === ROLE || (key === DETAIL && this.detail.from >= 0)) return -1;
    if (key === COUNT) this.counted = true;
    this.inside++;
    return key === DETAIL ? this.range(this.detail, at) : this.skip(at);
  }
}

function keyAt(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > 6) return 0;
  let key = 0;
  for (let i = from; i < to; i++) key = key * 128 + bytes[i];
  return key;
}
