// Reads perf.data files of Linux perf as the output of `perf script`. perf reads the objects named in the file.
// So perf runs only after the user has agreed to this file in its present state.

import { resolve } from 'node:path';
import { attempt } from '../base/attempt.ts';
import { FormatError } from '../base/problem.ts';
import { readStart } from './disk/regular.ts';
import { endOf, findProgram, startProgram } from './programs.ts';
import { statOf } from './stat.ts';

/** The perf.data files that perf may read: any, or those whose stamps the user has agreed to. */
export type PerfConsent = 'any' | readonly string[];

const MAGIC = 'PERFILE2';
const PERF_FIELDS = ['comm', 'pid', 'tid', 'time', 'period', 'event', 'ip', 'sym', 'dso', 'trace'];
/** Milliseconds without output after which perf is ended: reading an object that is not a regular file may block perf. */
const MAX_SILENCE_MS = 120_000;

export const isPerfData = (head: Uint8Array): boolean => Buffer.from(head.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;

/** The stamp that the user's consent refers to; undefined if the path is not a perf.data file. */
export function perfStamp(path: string): string | undefined {
  const stat = statOf(path);
  if (!stat?.isFile()) return undefined;
  return attempt(() =>
    isPerfData(readStart(path, MAGIC.length)) ? `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs}` : undefined,
  );
}

/** True if perf may read the file. */
export function mayRunPerf(path: string, consent: PerfConsent): boolean {
  if (consent === 'any') return true;
  const stamp = perfStamp(path);
  return stamp !== undefined && consent.includes(stamp);
}

/** The text of a perf.data file, and what perf says of it. Throws FormatError without perf, if it fails or is silent too long. */
export async function* readPerfScript(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const perf = findProgram('perf');
  const hint = 'install it, or open what perf script printed elsewhere';
  if (perf === undefined) throw new FormatError({ path, expected: 'perf, which reads perf.data', found: 'none in PATH', hint });
  let fields = PERF_FIELDS;
  for (;;) {
    const run = startPerf(perf, resolve(path), fields, signal);
    let bytes = 0;
    for await (const chunk of run.output) {
      bytes += chunk.length;
      yield chunk;
    }
    const { failed: complaint, messages } = await run.ended;
    if (complaint === undefined) {
      yield Buffer.from(`\n${messages.replace(/^.* not valid for .* events\. Ignoring\.\n/gm, '')}`); // bounded: MAX_COMPLAINT_LENGTH
      return;
    }
    // A recording of a single event may lack some fields.
    const missing = /Cannot print '(\w{1,20})' field/.exec(complaint)?.[1];
    const fewer = fields.filter((field) => field !== missing);
    if (bytes > 0 || fewer.length === fields.length)
      throw new FormatError({ path, expected: 'a file that perf script can read', found: complaint });
    fields = fewer;
  }
}

/** Starts perf script. `ended`: why perf failed, if it did, and the start of what it wrote to its error output. */
function startPerf(perf: string, path: string, fields: readonly string[], signal: AbortSignal) {
  const args = ['--no-pager', 'script', '--header', '-i', path, '-F', fields.join(), '--no-inline'];
  const child = startProgram(perf, args, { env: { PERF_CONFIG: '/dev/null' }, signal, killSignal: 'SIGKILL' });
  child.stdin.end();
  let isSilent = false;
  const silence = setTimeout(() => {
    isSilent = true;
    child.kill('SIGKILL');
  }, MAX_SILENCE_MS);
  const ended = endOf(child).then(({ code, by, said }) => {
    clearTimeout(silence);
    if (code === 0 && !isSilent) return { failed: undefined, messages: said };
    const last = said.trim().split('\n').slice(-3).join(' ').slice(0, 300) || `perf script ended with ${code ?? by}`;
    return { failed: isSilent ? `perf wrote nothing for ${MAX_SILENCE_MS / 1000} seconds` : last, messages: said };
  });
  /** The output of perf until its end. Ends perf if the reader stops early. */
  async function* readOutput(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of child.stdout) {
        silence.refresh();
        yield chunk;
      }
    } finally {
      if (child.exitCode === null && !child.stdout.readableEnded) child.kill('SIGKILL');
    }
  }
  return { ended, output: readOutput() };
}
