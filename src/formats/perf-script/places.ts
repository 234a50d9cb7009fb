// The places of the frames of perf script: a function, or an address of it where the file of its object is at hand.
import { getOrMake } from '../../base/lists.ts';
import { Grow, type PartId } from '../../model/column.ts';
import { HashTable } from '../../model/hash-table.ts';
import { allOf, type Mapping, type NamedFrame, type Samples } from '../../model/stacks/samples.ts';
import { unnamed } from '../../model/stacks/writer.ts';
import type { Frame } from './frames.ts';
import { UNKNOWN } from './lines.ts';

/** A stack as it is read, the innermost frame first: frames, and the halves of the addresses of those that have code. */
export class StackText {
  readonly frames: Frame[] = [];
  readonly high: number[] = [];
  readonly low: number[] = [];

  push(frame: Frame, high: number, low: number): void {
    this.high[this.frames.length] = high;
    this.low[this.frames.length] = low;
    this.frames.push(frame);
  }

  /** Says which source line the last frame is at. */
  replaceLast(frame: Frame): void {
    this.frames[this.frames.length - 1] = frame;
  }

  clear(): void {
    this.frames.length = 0;
  }
}

/** An object in a process. */
interface Space {
  readonly number: number;
  readonly mapping: Mapping;
}

/**
 * The addresses of spaces that were met, with the first frame at each. Versions of perf differ: addresses are those of the process, or of the object's
 * file, where objects have the same ones.
 */
class Addresses extends HashTable {
  private readonly space = new Grow(Uint32Array);
  private readonly high = new Grow(Uint32Array);
  private readonly low = new Grow(Uint32Array);
  readonly place = new Grow(Uint32Array);
  readonly frame: Frame[] = [];
  /** The address being looked up. */
  private wantedSpace = 0;
  private wantedHigh = 0;
  private wantedLow = 0;

  /** The row of an address; -1 if it is new, and has to be added. */
  of(space: number, high: number, low: number): number {
    this.wantedSpace = space;
    this.wantedHigh = high;
    this.wantedLow = low;
    return this.find(hashOf(space, high, low));
  }

  /** Adds the address that was looked up last. */
  add(place: number, frame: Frame): void {
    const { wantedSpace: space, wantedHigh: high, wantedLow: low } = this;
    this.space.push(space);
    this.high.push(high);
    this.low.push(low);
    this.place.push(place);
    this.frame.push(frame);
    this.insert(hashOf(space, high, low));
  }

  protected isWanted(row: number): boolean {
    return (
      this.low.data[row] === this.wantedLow &&
      this.high.data[row] === this.wantedHigh &&
      this.space.data[row] === this.wantedSpace
    );
  }
}

function hashOf(space: number, high: number, low: number): number {
  const h = Math.imul(low ^ Math.imul(high ^ Math.imul(space, 0x01000193), 0x9e3779b1), 0x85ebca6b);
  return h ^ (h >>> 15);
}

/** Functions inlined into each other, by the next one inside; its place is -1 until a sample ends there. */
interface Chain {
  place: number;
  readonly inside: Map<Frame, Chain>;
}

export class FramePlaces {
  /** By process, if one is said, and object. */
  private readonly spaces = new Map<string, Space>();
  private readonly addresses = new Addresses();
  /** The spaces of the last process, by frame. */
  private readonly ofFrame = new Map<Frame, Space>();
  private pid: number | undefined;
  /** Functions with others inlined into them, without an address. */
  private readonly chains = new Map<Frame, Chain>();
  private readonly objects = new Map<string, Mapping>();
  /** Places of the last stack, the innermost first. */
  out = new Uint32Array(256);

  constructor(private readonly samples: Samples) {}

  /** Fills `out`; returns how many places the stack has. */
  of({ frames, high, low }: StackText, part: PartId, pid: number | undefined): number {
    if (frames.length > this.out.length) this.out = new Uint32Array(2 * frames.length);
    let n = 0;
    if (pid !== this.pid) {
      this.pid = pid;
      this.ofFrame.clear();
    }
    // From the innermost frame: those inlined come before the one whose address they share.
    let first = 0;
    let isCaller = false;
    for (const [k, frame] of frames.entries()) {
      if (frame.line.inlined && k + 1 < frames.length) continue;
      const chain = k > first ? frames.slice(first, k) : undefined;
      this.out[n++] = frame.hasCode ? this.at(frame, chain, high[k], low[k], isCaller, part) : this.named(frame, chain, part);
      // Code of the kernel has no return address into the program: that was interrupted where it says.
      const { object } = frame.line;
      isCaller = object !== null && (object === '[vdso]' || !object.startsWith('['));
      first = k + 1;
    }
    return n;
  }

  /** The place of an address. Of callers, the return address is printed: 1 less is within the call. */
  private at(
    frame: Frame,
    chain: readonly Frame[] | undefined,
    high: number,
    low: number,
    isCaller: boolean,
    part: PartId,
  ): number {
    const { samples } = this;
    const back = isCaller && (high !== 0 || low !== 0);
    const [ownHigh, ownLow] = back ? [low === 0 ? high - 1 : high, (low - 1) >>> 0] : [high, low];
    const space = this.spaceOf(frame);
    const { addresses } = this;
    const known = addresses.of(space.number, ownHigh, ownLow);
    // Code that was unloaded made room for other code.
    if (known >= 0) return addresses.frame[known] === frame ? addresses.place.data[known] : this.named(frame, chain, part);
    const place = samples.newPlace(part, ownHigh, ownLow);
    samples.within.set(place, space.mapping);
    if (frame.line.name !== UNKNOWN) samples.names[place] = [...(chain ?? []), frame].map(namedFrame);
    addresses.add(place, frame);
    return place;
  }

  private spaceOf(frame: Frame): Space {
    return getOrMake(this.ofFrame, frame, () => {
      const object = frame.line.object ?? '';
      const make = () => ({ number: this.spaces.size, mapping: allOf(object, 'unknown') });
      return getOrMake(this.spaces, `${this.pid ?? ''} ${object}`, make);
    });
  }

  /** The place of a function without an address. */
  private named(frame: Frame, inlined: readonly Frame[] | undefined, part: PartId): number {
    if (!inlined) {
      if (frame.place < 0) frame.place = this.newNamed([frame], part);
      return frame.place;
    }
    let chain = inside(this.chains, frame);
    for (let k = inlined.length - 1; k >= 0; k--) chain = inside(chain.inside, inlined[k]);
    if (chain.place < 0) chain.place = this.newNamed([...inlined, frame], part);
    return chain.place;
  }

  private newNamed(frames: readonly Frame[], part: PartId): number {
    const { samples, objects } = this;
    const place = samples.newPlace(part, 0, 0);
    const object = frames.at(-1)?.line.object ?? null;
    if (object !== null) {
      samples.within.set(
        place,
        getOrMake(objects, object, () => allOf(object, 'unknown')),
      );
    }
    samples.names[place] = frames.map(namedFrame);
    return place;
  }
}

const inside = (chains: Map<Frame, Chain>, frame: Frame): Chain =>
  getOrMake(chains, frame, () => ({ place: -1, inside: new Map() }));

function namedFrame({ line: { name, object, file, at = 0 } }: Frame): NamedFrame {
  const known = name === UNKNOWN ? unnamed('0x...', object) : name;
  return { name: known, file: null, line: at, ...(file === undefined ? {} : { lineFile: file }) };
}
