// Stacks by their callers, for formats that say below what a frame lies, or when it opens and closes: a path is a frame below another path.
// A few bytes of such a file may stand for very many frames, so these are counted first, and written when all are known.
import { GrowableColumn, type PartId } from '../column.ts';
import { PairTable } from '../pairs.ts';
import type { StackTable } from './samples.ts';

/** Pairs of a path and the frame below it. */
export class CallPaths extends PairTable {
  private readonly depth = new GrowableColumn(Uint32Array);
  /** The latest part with the stack of the path, and its row. */
  private readonly part = new GrowableColumn(Int32Array);
  private readonly row = new GrowableColumn(Uint32Array);
  /** The paths of rows whose frames are not written, in order of the rows. */
  private readonly waiting = new GrowableColumn(Uint32Array);

  constructor(private readonly stacks: StackTable) {
    super();
  }

  /** The path of a frame below another path; below -1, it is the outermost one. */
  pathBelow(parent: number, frame: number): number {
    const path = this.numberOf(parent, frame);
    if (path < this.depth.length) return path;
    this.depth.push(parent < 0 ? 1 : this.depth.data[parent] + 1);
    this.part.push(-1);
    this.row.push(0);
    return path;
  }

  /** The innermost frame of a path. */
  frameOf(path: number): number {
    return this.second.data[path];
  }

  /** The row of a path in the part that is being read, which has no other stacks. */
  rowOf(part: PartId, path: number): number {
    if (this.part.data[path] === part) return this.row.data[path];
    this.waiting.push(path);
    this.part.data[path] = part;
    return (this.row.data[path] = this.stacks.newRow(part, this.depth.data[path]));
  }

  /** Writes the frames of all rows. */
  writeFrames(): void {
    const { waiting, stacks } = this;
    const { element } = stacks;
    const [parent, frame] = [this.first.data, this.second.data];
    stacks.reserveElements(stacks.elementCount - element.length);
    for (let k = 0; k < waiting.length; k++)
      for (let path = waiting.data[k]; path >= 0; path = parent[path]) element.data[element.length++] = frame[path];
    waiting.length = 0;
  }
}
