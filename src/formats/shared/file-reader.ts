// The base class of all formats' readers, which holds the file's path and its sink, and reports problems.
import { type LimitName, limitProblem } from '../../base/limits.ts';
import { FormatError, type Problem } from '../../base/problem.ts';
import { plural } from '../../base/units.ts';
import type { PartId } from '../../model/column.ts';
import type { Sink } from '../../model/sink.ts';
import { NamedStackWriter } from '../../model/stacks/writer.ts';

/** A position in the file: a line or an offset. */
export type FilePosition = Pick<Problem, 'line' | 'offset'>;

export abstract class FileReader {
  /** Index of the file's first part. */
  protected readonly part: PartId;
  /** Number of the current line, from 1, in a format of lines. */
  lineNo = 0;
  /** Lines that other programs wrote between records: their number, and the first of them. */
  protected others = 0;
  private firstOther = { line: 0, text: '' };

  constructor(
    protected readonly sink: Sink,
    protected readonly path: string,
  ) {
    this.part = sink.parts.length;
  }

  /** The position of the current line, in a format of lines. */
  protected get position(): FilePosition {
    return { line: this.lineNo };
  }

  protected error(where: FilePosition, expected: string, found: string, hint?: string): FormatError {
    return new FormatError({ path: this.path, ...where, expected, found, ...(hint === undefined ? {} : { hint }) });
  }

  errorAt(offset: number, expected: string, found: string): FormatError {
    return this.error({ offset }, expected, found);
  }

  /** A problem of the current line, whose text is quoted. */
  protected lineError(expected: string, text: string): FormatError {
    return this.error(this.position, expected, text === '' ? 'an empty line' : `"${text.slice(0, 100)}"`);
  }

  /** Marks the file as cut off, with a note on what is shown. An earlier problem of this kind stays. */
  markCut(where: FilePosition, expected: string, hint: string): void {
    this.sink.cut ??= { path: this.path, ...where, expected, found: 'the end of the file', hint };
  }

  protected warn(where: FilePosition, expected: string, found: string): void {
    this.sink.warn({ path: this.path, ...where, expected, found });
  }

  /** Warns of a line that is left out, although it may count: the profile is incomplete. */
  protected leaveOut(where: FilePosition, expected: string, found: string): void {
    this.sink.leaveOut({ path: this.path, ...where, expected, found }, 'LINES LEFT OUT');
  }

  /** Counts the current line as one of another program. */
  protected countOtherLine(text: string): void {
    if (this.others++ === 0) this.firstOther = { line: this.lineNo, text: text.slice(0, 100) };
  }

  /** The first line of another program as a problem. */
  protected otherLineError(expected: string, hint?: string): FormatError {
    const { line, text } = this.firstOther;
    return this.error({ line }, expected, `"${text}"`, hint);
  }

  /** Warns of the lines of other programs, of which the first is quoted. */
  protected warnOfOtherLines(expected: string): void {
    const { others, firstOther } = this;
    if (others === 0) return;
    const more = others > 1 ? `, and ${plural(others - 1, 'more line')} like it` : '';
    this.warn({ line: firstOther.line }, expected, `"${firstOther.text}"${more}; left out`);
  }

  /** Throws FormatError if a length exceeds the limit. */
  protected checkLimit(name: LimitName, length: number, where: FilePosition): void {
    if (length > this.sink.limits[name]) throw this.limitError(name, where, length);
  }

  protected limitError(name: LimitName, where: FilePosition, length?: number): FormatError {
    return new FormatError({ path: this.path, ...where, ...limitProblem(this.sink.limits, name, length) });
  }
}

/** Base class for readers of stacks with function names. */
export abstract class StackReader extends FileReader {
  protected readonly writer = this.sink.writerFor(NamedStackWriter);
}
