// The lines of a build.ninja and of the files that it includes, in the order in which ninja reads them.
import type { Problem } from '../../base/problem.ts';
import { decodeBytes } from '../../model/strings.ts';

export type NinjaProblem = Pick<Problem, 'line' | 'expected' | 'found'> & { readonly file: string };

const MAX_FILES = 1000;
const MAX_PROBLEMS = 100;

/** Only files below the build file are read: a path in it must not point anywhere else. */
export const isBelow = (path: string): boolean => path !== '' && !path.startsWith('/') && !path.split('/').includes('..');

/** CMake's file of rules has no edges. */
const RULES_FILE = /^CMakeFiles\/rules\.ninja$/;

/** The files of a build, each read where the one before includes it. */
export class NinjaFiles {
  readonly problems: NinjaProblem[] = [];
  /** The position of the line that was read last. */
  at: LinePosition = { line: 0 };
  private file = '';
  private readonly seen = new Set<string>();
  private readonly open: { readonly file: string; readonly lines: Generator<string>; readonly at: LinePosition }[] = [];

  constructor(private readonly read: (name: string) => Uint8Array | undefined) {}

  /** Reads a file next, before the rest of the file that includes it. Returns its position while it is read; undefined if it is not read. */
  enter(file: string): LinePosition | undefined {
    if (this.seen.has(file)) return undefined;
    this.seen.add(file);
    const bytes = isBelow(file) && this.seen.size <= MAX_FILES ? this.read(file) : undefined;
    const at = { line: 0 };
    if (bytes) this.open.push({ file, lines: logicalLines(bytes, at), at });
    else if (!RULES_FILE.test(file)) this.report({ file, expected: 'a file below the build folder', found: 'none' });
    return bytes && at;
  }

  *lines(): Generator<string> {
    for (let top = this.open.at(-1); top; top = this.open.at(-1)) {
      ({ file: this.file, at: this.at } = top);
      const { value, done } = top.lines.next();
      if (done) this.open.pop();
      else yield value;
    }
  }

  addProblem(expected: string, line: string): void {
    this.report({ file: this.file, line: this.at.line, expected, found: `"${line.slice(0, 60)}"` });
  }

  private report(problem: NinjaProblem): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem);
  }
}

/** The number of the line that was read last, and whether it has no end. */
interface LinePosition {
  line: number;
  isCut?: boolean;
}

/** Lines with their `$` continuations joined, without blank lines and comments. Indented lines belong to the block above. */
export function* logicalLines(bytes: Uint8Array, at: LinePosition = { line: 0 }): Generator<string> {
  let held = '';
  for (let from = 0; from < bytes.length; ) {
    let end = bytes.indexOf(10, from);
    at.isCut = end < 0;
    at.line++;
    if (end < 0) end = bytes.length;
    const line = decodeBytes(bytes, from, end > from && bytes[end - 1] === 13 ? end - 1 : end);
    from = end + 1;
    let text = line.length;
    while (text > 0 && line[text - 1] === '$') text--;
    if ((line.length - text) % 2 === 1) {
      held += (held === '' ? line : line.trimStart()).slice(0, -1);
      continue;
    }
    const whole = held === '' ? line : held + line.trimStart();
    held = '';
    if (!/^\s*(#|$)/.test(whole)) yield whole;
  }
}
