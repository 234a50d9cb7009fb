// The base of all formats' readers: the file, its sink, and how they report problems.
import { beyondLimit, type LimitName } from '../../base/limits.ts';
import { FormatError, type Problem } from '../../base/problem.ts';
import type { PartId } from '../../model/column.ts';
import type { Sink } from '../../model/sink.ts';
import { NamedStackWriter } from '../../model/stacks/writer.ts';

/** A place in the file: a line, or an offset. */
export type Where = Pick<Problem, 'line' | 'offset'>;

/** Reads one file into a sink. */
export abstract class FileReader {
  /** The part that comes next: the file's first. */
  protected readonly part: PartId;

  constructor(
    protected readonly sink: Sink,
    protected readonly path: string,
  ) {
    this.part = sink.parts.length;
  }

  protected error(where: Where, expected: string, found: string): FormatError {
    return new FormatError({ path: this.path, ...where, expected, found });
  }

  protected warn(where: Where, expected: string, found: string): void {
    this.sink.warn({ path: this.path, ...where, expected, found });
  }

  /** Throws FormatError if what is at this place is longer than a limit. */
  protected limit(name: LimitName, length: number, where: Where): void {
    if (length > this.sink.limits[name]) throw this.beyond(name, where, length);
  }

  protected beyond(name: LimitName, where: Where, length?: number): FormatError {
    return new FormatError({ path: this.path, ...where, ...beyondLimit(this.sink.limits, name, length) });
  }
}

/** Reads a file of stacks with names. */
export abstract class StackReader extends FileReader {
  protected readonly writer = this.sink.tables(NamedStackWriter);
}
