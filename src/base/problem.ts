// A problem in a file, as data. Only this file formats problems.
// `expected` and `found` are lower case and have no full stop. `line` counts from 1, `offset` from 0.
import { mapOf } from './lists.ts';
import { type SafeText, safeLines, visible } from './safe-text.ts';
import { cutEnd } from './text.ts';

export interface Problem {
  readonly path: string;
  readonly line?: number;
  readonly offset?: number;
  readonly expected: string;
  readonly found: string;
  readonly hint?: string;
  /** A two-word warning that stays on screen, because the shown data may be wrong. */
  readonly sign?: string;
  /** The text of the line. `column` is where the problem starts in it, counted from 0. */
  readonly excerpt?: string;
  readonly column?: number;
}

/** Thrown if a file cannot be read to its end. The problem describes where and why. */
export class FormatError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problemLine(problem));
    this.name = 'FormatError';
    this.problem = problem;
  }
}

const EXCERPT_CELLS = 76;

/** The position of a problem in its file: `line 3`, or `byte 0x1f` for files without lines. */
export const problemPosition = ({ line, offset }: Problem): string =>
  line !== undefined ? `line ${line}` : offset !== undefined ? `byte 0x${offset.toString(16)}` : 'its end';

/** `path:line: expected ..., found ...`, on one line. */
export function problemLine(problem: Problem): string {
  const at =
    problem.line !== undefined ? `:${problem.line}` : problem.offset !== undefined ? `: ${problemPosition(problem)}` : '';
  const found = visible(problem.found);
  const quoted = found.length > 120 ? cutEnd(found, 117) + '…' : found;
  return `${visible(problem.path)}${at}: expected ${visible(problem.expected)}, found ${quoted}`;
}

/** A warning in a list of warnings, with the name of its profile if there are several. Warnings with a sign are whole sentences. */
export function warningText({ path, line, expected, found, sign }: Problem, paths: readonly string[]): string {
  const about = paths.length === 1 && paths[0] === path ? '' : `${path.slice(path.lastIndexOf('/') + 1)}: `;
  // Many warnings begin with the file's name already.
  const wanted = sign === undefined ? ` (expected ${expected})` : '';
  return visible(`${line ? `line ${line}: ` : ''}${about === '' || found.startsWith(about) ? '' : about}${found}${wanted}`);
}

/** Formats a problem with its excerpt, caret and hint, as several lines without a trailing newline. */
export function formatProblem(problem: Problem): SafeText {
  const lines = [problemLine(problem)];
  if (problem.excerpt !== undefined) {
    const column = problem.column ?? 0;
    const from = column > EXCERPT_CELLS - 10 ? column - 20 : 0;
    const lead = from > 0 ? '…' : '';
    const before = lead + visible(problem.excerpt.slice(from, column));
    const shown = lead + visible(problem.excerpt.slice(from, from + EXCERPT_CELLS));
    lines.push(`    ${shown.trimEnd()}`, `    ${' '.repeat(before.length)}^`);
  }
  if (problem.hint !== undefined) lines.push(`hint: ${problem.hint}`);
  return safeLines(lines.join('\n'));
}

/** Why the system refused an operation, for messages that already name the file. */
const SYSTEM_REASONS = mapOf({
  ENOENT: 'no such file or directory',
  ENOTDIR: 'a part of the path is not a folder',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many open files: raise the limit with ulimit -n',
  ENFILE: 'the system has too many open files',
  EIO: 'the disk reports an error',
  EBUSY: 'in use',
  EISDIR: 'a folder',
  EEXIST: 'it already exists',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the disk is read-only',
  ENXIO: 'there is none',
  ELOOP: 'a link that is not followed, or links that lead in a circle',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk space allowed to you is used up',
  EFBIG: 'the file would become longer than is allowed',
});

/** An error that the system reports, not one of the program. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error && SYSTEM_REASONS.has(String(error.code));

/** `PATH: reason` of a system error. The current folder has no path of its own if it was removed. */
export function systemErrorText(error: NodeJS.ErrnoException): string {
  if (error.syscall === 'uv_cwd') return 'the current folder no longer exists: change to another one, and try again';
  return `${error.path ?? error.syscall}: ${systemReason(error)}`;
}

export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return SYSTEM_REASONS.get(code) ?? error.message;
}

/** Messages of V8 and Node for memory that cannot be allocated, or for a length above the maximum. */
const ALLOCATION_FAILURE =
  /^(Array buffer allocation failed|Invalid (string|array buffer|array|typed array) length|(Map|Set) maximum size exceeded|Cannot create a (string longer|Buffer larger) than|Data cannot be cloned, out of memory|WebAssembly\.Memory|Failed to allocate memory)/;
const HEAP_EXHAUSTED = /JS heap out of memory|reaching memory limit/;

/** The problem of `path` if the error means that memory ran out, and what the user can do; undefined for every other error. */
export function memoryProblem(error: unknown, path: string): Problem | undefined {
  if (!(error instanceof Error)) return undefined;
  const expected = 'a profile that fits into memory';
  if (HEAP_EXHAUSTED.test(error.message)) {
    const hint = 'NODE_OPTIONS=--max-old-space-size=8192 proftui ... lets Node take 8 GiB';
    return { path, expected, found: "one that needs more than Node's default heap", hint };
  }
  if (!ALLOCATION_FAILURE.test(error.message) && !('code' in error && error.code === 'ENOMEM')) return undefined;
  const hint = 'close other programs, raise the limit (ulimit -v), or record a smaller part of the run';
  return { path, expected, found: 'one that needs more', hint };
}
