// Call paths: each is a frame below another path. For formats that record a frame's parent, or when a frame opens and closes.
// A few bytes of such a file may stand for many frames, so frames are counted first, and written at the end.
import { GrowableColumn, type PartId } from '../column.ts';
import { PairTable } from '../hash-table.ts';
import type { StackTable } from './samples.ts';

/** Numbers pairs of a path and the frame below it. */
export class CallPaths extends PairTable {
  private readonly depth = new GrowableColumn(Uint32Array);
  /** By path: the latest part that has its stack, and the row of that stack. */
  private readonly part = new GrowableColumn(Int32Array);
  private readonly row = new GrowableColumn(Uint32Array);
  /** The paths of rows whose frames are not written yet, in order of the rows. */
  private readonly waiting = new GrowableColumn(Uint32Array);

  constructor(private readonly stacks: StackTable) {
    super(Int32Array);
  }

  /** The path of a frame below another path, or of an outermost frame for parent -1. */
  pathBelow(parent: number, frame: number): number {
    const path = this.numberOf(parent, frame);
    if (path < this.depth.length) return path;
    this.depth.push(parent < 0 ? 1 : this.depth.data[parent] + 1);
    this.part.push(-1);
    this.row.push(0);
    return path;
  }

  frameOf(path: number): number {
    return this.second.data[path];
  }

  /** The row of a path in the part that is being read. That part must have no stacks from other sources. */
  rowOf(part: PartId, path: number): number {
    if (this.part.data[path] === part) return this.row.data[path];
    this.waiting.push(path);
    this.part.data[path] = part;
    return (this.row.data[path] = this.stacks.newRow(part, this.depth.data[path]));
  }

  writeFrames(): void {
    const { waiting, stacks } = this;
    const { element } = stacks;
    const [parent, frame] = [this.first.data, this.second.data];
    element.reserveMore(stacks.elementCount - element.length);
    for (let k = 0; k < waiting.length; k++)
      for (let path = waiting.data[k]; path >= 0; path = parent[path]) element.data[element.length++] = frame[path];
    waiting.length = 0;
  }
}
