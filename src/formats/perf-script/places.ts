// Assigns addresses to frames of perf script. A frame is a function, or an exact address if the object's file is available.
import { getOrMake } from '../../base/lists.ts';
import type { PartId } from '../../model/column.ts';
import { PairTable } from '../../model/hash-table.ts';
import { type Mapping, type NamedFrame, namesInObject, type Samples, wholeAddressSpace } from '../../model/stacks/samples.ts';
import { nameOfAddress } from '../../model/stacks/writer.ts';
import type { InlineChain, ScriptFrame, ScriptFrames } from './frames.ts';
import { type SampleLine, UNKNOWN_FUNCTION } from './lines.ts';

/** A stack that is being read, innermost frame first: its frames, and the address halves of frames whose code is available. */
export class StackText {
  readonly frames: ScriptFrame[] = [];
  readonly high: number[] = [];
  readonly low: number[] = [];

  push(frame: ScriptFrame, high: number, low: number): void {
    this.high[this.frames.length] = high;
    this.low[this.frames.length] = low;
    this.frames.push(frame);
  }
}

/** An object file in a process, with its number and mapping. */
interface ProcessObject {
  readonly number: number;
  readonly mapping: Mapping;
}

export class FrameAddresses {
  /** By process id (if printed) and object name: the object in that process. */
  private readonly spaces = new Map<string, ProcessObject>();
  private readonly addresses = new PairTable(Uint32Array);
  /** Addresses by their number and process and object, because some perf versions print file addresses. */
  private readonly placed = new PairTable(Uint32Array);
  /** By place: the index of its address, and the first frame there. */
  private readonly indexOfPlace: number[] = [];
  private readonly frameOfPlace: ScriptFrame[] = [];
  private readonly spaceOfFrame = new Map<ScriptFrame, ProcessObject>();
  private pid: number | undefined;
  private readonly objects = new Map<string, Mapping>();
  /** Address indexes of the last stack, innermost first. */
  stackAddresses = new Uint32Array(256);

  constructor(
    private readonly samples: Samples,
    private readonly frameTable: ScriptFrames,
  ) {}

  /** Fills `stackAddresses`; returns the number of addresses of the stack. */
  addressesOf({ frames, high, low }: StackText, part: PartId, { pid, tid }: SampleLine): number {
    if (frames.length > this.stackAddresses.length) this.stackAddresses = new Uint32Array(2 * frames.length);
    let n = 0;
    if (pid !== this.pid) {
      this.pid = pid;
      this.spaceOfFrame.clear();
    }
    // Frames are innermost first, so inlined frames precede the frame whose address they share.
    let first = 0;
    let isCaller = false;
    for (const [k, frame] of frames.entries()) {
      if (frame.line.inlined && k + 1 < frames.length) continue;
      const chain = k > first ? frames.slice(first, k) : NOT_INLINED;
      const mapped = frame.hasCode && frame.line.object === null ? this.frameTable.inMapOf(frame, pid ?? tid) : frame;
      this.stackAddresses[n++] =
        mapped.hasCode && mapped.line.object !== null
          ? this.addressOf(mapped, chain, high[k], low[k], isCaller, part)
          : this.namedAddressOf(frame, chain, part);
      // After a kernel frame, the next address is where the program was interrupted, not a return address.
      const { object } = frame.line;
      isCaller = object !== null && (object === '[vdso]' || !object.startsWith('['));
      first = k + 1;
    }
    return n;
  }

  /** The index of an address. For callers, perf prints the return address: 1 is subtracted to point into the call. */
  private addressOf(
    frame: ScriptFrame,
    chain: readonly ScriptFrame[],
    high: number,
    low: number,
    isCaller: boolean,
    part: PartId,
  ): number {
    const { samples, indexOfPlace, frameOfPlace } = this;
    const back = isCaller && (high !== 0 || low !== 0);
    const [ownHigh, ownLow] = back ? [low === 0 ? high - 1 : high, (low - 1) >>> 0] : [high, low];
    const space = this.spaceOf(frame);
    const place = this.placed.numberOf(this.addresses.numberOf(ownLow, ownHigh), space.number);
    // Another function at this address means that its code was unloaded and replaced.
    if (place < frameOfPlace.length)
      return frameOfPlace[place] === frame ? indexOfPlace[place] : this.namedAddressOf(frame, chain, part);
    const index = samples.newAddressId(part, ownHigh, ownLow, space.mapping);
    if (frame.line.name !== UNKNOWN_FUNCTION) samples.names[index] = [...chain, frame].flatMap(toNamedFrames);
    indexOfPlace.push(index);
    frameOfPlace.push(frame);
    return index;
  }

  private spaceOf(frame: ScriptFrame): ProcessObject {
    return getOrMake(this.spaceOfFrame, frame, () => {
      const object = frame.line.object ?? '';
      const make = () => ({ number: this.spaces.size, mapping: wholeAddressSpace(object, 'unknown') });
      return getOrMake(this.spaces, `${this.pid ?? ''} ${object}`, make);
    });
  }

  /** The index of a function without an address. */
  private namedAddressOf(frame: ScriptFrame, inlined: readonly ScriptFrame[], part: PartId): number {
    let chain: InlineChain = frame;
    for (let k = inlined.length - 1; k >= 0; k--) chain = getOrMake(chain.inside, inlined[k], newChain);
    if (chain.addressIndex < 0) chain.addressIndex = this.addNamedAddress([...inlined, frame], part);
    return chain.addressIndex;
  }

  private addNamedAddress(frames: readonly ScriptFrame[], part: PartId): number {
    const { samples, objects } = this;
    const object = frames.at(-1)?.line.object ?? null;
    const mapping = object === null ? undefined : getOrMake(objects, object, () => wholeAddressSpace(object, 'unknown'));
    const index = samples.newAddressId(part, 0, 0, mapping);
    samples.names[index] = frames.flatMap(toNamedFrames);
    return index;
  }
}

const NOT_INLINED: readonly ScriptFrame[] = [];
const newChain = (): InlineChain => ({ addressIndex: -1, inside: new Map() });

/** Innermost first. */
function toNamedFrames({ line: { name, object, file, at = 0 } }: ScriptFrame): NamedFrame[] {
  const known = name === UNKNOWN_FUNCTION ? nameOfAddress('0x...', object) : name;
  return namesInObject(known, object).map((own) => ({
    name: own,
    file: null,
    line: at,
    ...(file === undefined ? {} : { lineFile: file }),
  }));
}
