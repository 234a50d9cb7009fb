// .ninja_log, versions 5 to 7: start and end in milliseconds since that run of ninja started, mtime, output, command hash. A
// command with several outputs has several lines. Nothing separates runs: a new one began where the end times go back.
// Failed commands are not logged, and ninja rewrites (recompacts) the file now and then.
import { FormatError } from '../base/problem.ts';
import type { Sink } from '../model/sink.ts';
import { StepWriter } from '../model/steps/writer.ts';
import { decodeBytes } from '../model/strings.ts';
import type { Detection, Loader, Source } from './loader.ts';
import { readLines } from './shared/stream.ts';

const CARRIAGE_RETURN = 13;
const HEADER = /^# ninja log v(\d+)\s*$/;

function detect(head: Uint8Array): Detection {
  return /^# ninja log v\d/.test(decodeBytes(head, 0, Math.min(head.length, 40))) ? 'yes' : 'no';
}

interface Command {
  readonly startMs: number;
  readonly endMs: number;
  readonly run: number;
  readonly outputs: string[];
}

async function load(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const { path } = source;
  const commands: Command[] = [];
  const known = new Map<string, Command>();
  let lineNo = 0;
  let run = 0;
  let lastEnd = -1;
  const line = (text: string) => {
    lineNo++;
    if (lineNo === 1) {
      const version = Number(HEADER.exec(text)?.[1]);
      if (!(version >= 5))
        throw new FormatError({ path, line: 1, expected: '# ninja log v5 or later', found: `"${text.slice(0, 40)}"` });
      if (version > 7) sink.warn({ path, line: 1, expected: 'versions 5 to 7', found: `version ${version}; read as version 7` });
      return;
    }
    if (text === '' || text.startsWith('#')) return;
    const f = text.split('\t');
    const [start, end] = [Number(f[0]), Number(f[1])];
    if (f.length < 5 || !Number.isInteger(start) || !Number.isInteger(end) || end < start || start < 0) {
      sink.warn({
        path,
        line: lineNo,
        expected: 'tab-separated start, end, mtime, output and hash',
        found: `"${text.slice(0, 60)}"; left out`,
      });
      return;
    }
    if (end < lastEnd) run++;
    lastEnd = end;
    const key = `${run}\t${start}\t${end}\t${f[4]}`;
    const command = known.get(key);
    if (command) {
      command.outputs.push(f[3]);
      return;
    }
    const made = { startMs: start, endMs: end, run, outputs: [f[3]] };
    known.set(key, made);
    commands.push(made);
  };
  const { read, rest } = await readLines(source, signal, (bytes, from, to) =>
    line(decodeBytes(bytes, from, bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to)),
  );
  if (read === 0) throw new FormatError({ path, line: 0, expected: 'a ninja log', found: 'an empty file' });
  if (rest.length > 0) {
    const text = decodeBytes(rest, 0, rest.length);
    // A last line without a line end was still being written.
    if (lineNo > 0)
      sink.cut ??= {
        path,
        line: lineNo + 1,
        expected: 'the end of a line',
        found: `"${text.slice(0, 40)}"`,
        hint: 'the file was cut off: only complete lines are shown',
      };
    else line(text);
  }
  finish(sink, path, commands);
}

/** Lays runs out end to end: each begins where the previous one ended. */
function finish(sink: Sink, path: string, commands: readonly Command[]): void {
  const rows = sink.tables(StepWriter);
  const runs = Math.max(0, ...commands.map((c) => c.run)) + 1;
  // In a rewritten log the order means nothing: on nearly every line the end time goes back.
  const sorted = runs > 4 && runs > commands.length / 4;
  if (sorted)
    sink.warn({
      path,
      expected: 'lines in the order in which commands finished',
      found: 'lines out of order: ninja has rewritten the log, so its runs cannot be told apart',
    });
  const shown = sorted ? 1 : runs;
  const lengths = new Float64Array(shown);
  for (const c of commands) lengths[sorted ? 0 : c.run] = Math.max(lengths[sorted ? 0 : c.run], c.endMs);
  const firstPart = sink.parts.length;
  let from = 0;
  const starts = Array.from(lengths, (ms) => {
    const at = from;
    from += ms;
    return at;
  });
  for (let r = 0; r < shown; r++) {
    sink.addPart({
      path,
      part: shown > 1 ? r + 1 : null,
      command: 'ninja',
      notes: [`run ${r + 1} of ${shown}; failed commands are not in the log`],
      events: ['time'],
    });
  }
  for (const c of commands) {
    const r = sorted ? 0 : c.run;
    const track = rows.untitledTrack('ninja', String(r));
    rows.parallel.add(track);
    rows.notes.push({
      name: c.outputs[0],
      role: roleOf(c.outputs[0]),
      track,
      part: firstPart + r,
      startUs: (starts[r] + c.startMs) * 1000,
      durationUs: (c.endMs - c.startMs) * 1000,
      result: 0,
      target: targetOf(c.outputs[0]),
      outputs: c.outputs.map((o) => ({ path: o, bytes: null })),
    });
  }
  sink.creator ??= 'ninja';
  sink.command ??= 'ninja';
}

function roleOf(output: string): string {
  if (/\.(o|obj|gch|pch)$/.test(output)) return 'compile';
  if (/\.(a|so|dll|exe|lib|dylib)(\.\d+)*$/.test(output)) return 'link';
  return 'custom';
}

/** The target, from the folder where CMake puts its objects. */
function targetOf(output: string): string | undefined {
  return /CMakeFiles\/([^/]+)\.dir\//.exec(output)?.[1];
}

export const ninjaLog: Loader = {
  name: 'ninja-log',
  title: 'log of ninja (.ninja_log, versions 5 to 7)',
  provides: ['steps'],
  make: 'ninja   (it writes .ninja_log in the build folder)',
  fileNames: /^\.ninja_log(\.gz)?$/,
  detect,
  load,
};
