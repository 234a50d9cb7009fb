// .ninja_log, versions 5 to 7: start and end in milliseconds since that run of ninja started, mtime, output, command hash. A
// command with several outputs has several lines. Failed commands are not logged. The build.ninja in the same folder says what
// each command was for and what it needed.

import { beyondLimit } from '../base/limits.ts';
import { absolutePath, normalPath } from '../base/paths.ts';
import { FormatError } from '../base/problem.ts';
import type { Sink } from '../model/sink.ts';
import { type StepNote, StepPairs, StepWriter } from '../model/steps/writer.ts';
import { decodeBytes } from '../model/strings.ts';
import { type BuildFile, type Edge, needsOf, outputsOf, readNinja } from './cmake/ninja-file.ts';
import type { Detection, Loader, Source } from './loader.ts';
import { type LoggedCommand, type LoggedRun, type LogLine, runsOf } from './ninja-runs.ts';
import { readLines } from './shared/stream.ts';

const CARRIAGE_RETURN = 13;
const HEADER = /^# ninja log v(\d+)\s*$/;

function detect(head: Uint8Array): Detection {
  return /^# ninja log v\d/.test(decodeBytes(head, 0, Math.min(head.length, 40))) ? 'yes' : 'no';
}

/** Milliseconds; NaN for anything but a whole number, and for times that ninja has no place for. */
function timeOf(text: string): number {
  return /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
}

async function load(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const { path } = source;
  const lines: LogLine[] = [];
  let lineNo = 0;
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
    const f = text.split('\t', 5);
    const [start, end] = [timeOf(f[0]), timeOf(f[1])];
    if (f.length < 5 || !(end >= start)) {
      sink.warn({
        path,
        line: lineNo,
        expected: 'tab-separated start, end, mtime, output and hash',
        found: `"${text.slice(0, 60)}"; left out`,
      });
      return;
    }
    if (f[3].length > sink.limits.name)
      throw new FormatError({ path, line: lineNo, ...beyondLimit(sink.limits, 'name', f[3].length) });
    lines.push({ startMs: start, endMs: end, output: f[3], hash: f[4] });
  };
  const { read, rest } = await readLines(source, sink.limits, signal, (bytes, from, to) =>
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
  write(sink, source, runsOf(lines));
}

/** Lays runs out end to end, after those of other logs: each begins where the previous one ended. */
function write(sink: Sink, source: Source, runs: readonly LoggedRun[]): void {
  const { path } = source;
  const rows = sink.tables(StepWriter);
  const file = source.folder && readNinja((name) => source.folder?.read(name), BUILD_FILE, undefined);
  // Whatever ran at the same time gets lanes of its own: no command of a log is part of another.
  const track = rows.untitledTrack('ninja', '');
  rows.runs = true;
  const rewritten = runs.find((run) => run.rewritten);
  if (rewritten)
    sink.warn({
      path,
      expected: 'lines in the order in which commands finished',
      found: `${rewritten.commands.length} commands out of order: ninja has rewritten the log, so their runs cannot be told apart`,
    });
  const endOf = (from: number, least: number) => {
    let end = least;
    for (let row = from; row < rows.rows; row++) end = Math.max(end, rows.columns.endUs(row));
    return end;
  };
  let at = endOf(0, 0);
  let [asked, known] = [0, 0];
  const pairs = rows.needs ?? new StepPairs();
  const all: readonly LoggedRun[] = runs.length > 0 ? runs : [{ rewritten: false, commands: [] }];
  all.forEach((run, r) => {
    const part = sink.addPart({
      path,
      part: all.length > 1 ? r + 1 : null,
      command: 'ninja',
      notes: [noteOf(all, r)],
      events: ['time'],
      ...(r < all.length - 1 ? { older: true } : {}),
    });
    const first = rows.rows;
    for (const c of run.commands) rows.add({ ...stepOf(c, file, rows), track, part, startUs: at + c.startMs * 1000 });
    at = endOf(first, at);
    if (!file) return;
    // A run waits for what it makes itself; what earlier runs made was there.
    const needs = needsOf(rows, first, file, pairs);
    asked += needs.asked;
    known += needs.known;
  });
  if (file && known > 0) {
    rows.needs = pairs;
    rows.builds = [...(rows.builds ?? []), ...outputsOf(file)];
  }
  rows.needsCaveat ??= all.at(-1)?.rewritten
    ? 'ninja has rewritten the log: what ran at the same time is unknown'
    : caveatOf(source, file, asked, known);
  sink.creator ??= 'ninja';
  sink.command ??= 'ninja';
}

const BUILD_FILE = 'build.ninja';

function noteOf(runs: readonly LoggedRun[], r: number): string {
  if (runs[r].rewritten)
    return 'older lines, of several runs: ninja has rewritten them in no order, so what ran at the same time is unknown';
  return `run ${r + 1} of ${runs.length}; failed commands are not in the log`;
}

/** The problem of the build file beside the log. */
function caveatOf({ path, folder }: Source, file: BuildFile | undefined, asked: number, known: number): string | undefined {
  if (!file) return `there is no ${BUILD_FILE} beside the log`;
  if (known === 0) return `the ${BUILD_FILE} beside the log builds none of its outputs`;
  if (known < asked) return `${BUILD_FILE} has changed since: it builds ${known} of ${asked} commands`;
  const log = folder?.modifiedMs?.(path.slice(path.lastIndexOf('/') + 1));
  const build = folder?.modifiedMs?.(BUILD_FILE);
  return log !== undefined && build !== undefined && build > log ? `${BUILD_FILE} is newer than the log` : undefined;
}

function stepOf(c: LoggedCommand, file: BuildFile | undefined, rows: StepWriter): Omit<StepNote, 'track' | 'part' | 'startUs'> {
  const [name] = c.outputs;
  const edge = file && c.outputs.map((o) => file.edges.get(normalPath(absolutePath(file.root, o)))).find((e) => e !== undefined);
  const role = (edge && roleOfRule(edge.rule)) ?? roleOf(name);
  const target = (edge && targetOfEdge(edge)) ?? targetOf(name);
  const kind = edge && /_(EXECUTABLE|(?:STATIC|SHARED|MODULE)_LIBRARY)_LINKER__/.exec(edge.rule)?.[1];
  if (target !== undefined && kind !== undefined) rows.targets.set(target, { type: kind, labels: [] });
  return {
    name,
    role,
    durationUs: (c.endMs - c.startMs) * 1000,
    result: 0,
    target,
    source: role === 'compile' ? edge?.inputs[0] : undefined,
    language: edge && /^([A-Za-z]+)_(?:COMPILER|\w+_LINKER)__/.exec(edge.rule)?.[1],
    ...(edge ? { more: JSON.stringify({ rule: edge.rule }) } : {}),
    outputs: c.outputs.map((o) => ({ path: o, bytes: null })),
  };
}

/** From the names that CMake, Meson, GN and people give their rules; undefined if the name says nothing. */
function roleOfRule(rule: string): string | undefined {
  if (/^(RERUN_CMAKE|REGENERATE_BUILD)$/.test(rule)) return 'configure';
  if (/^CUSTOM_COMMAND/.test(rule)) return 'custom';
  if (/_LINKER(__|$)|^(STATIC|SHARED)_LINKER|(^|_)(link|alink|solink|ar|archive)(_|$)/i.test(rule)) return 'link';
  if (/_COMPILER(__|$)|(^|_)(cc|cxx|cpp|c\+\+|objc|objcxx|asm|rustc|compile|compiler)(_|$)/i.test(rule)) return 'compile'; // bounded: each run is looked at once
  return undefined;
}

function roleOf(output: string): string {
  if (/\.(o|obj|gch|pch)$/.test(output)) return 'compile';
  if (/\.(a|so|dll|exe|lib|dylib)(\.\d+)*$/.test(output)) return 'link'; // bounded: each run is looked at once
  return 'custom';
}

function targetOfEdge({ objects }: Edge): string | undefined {
  const folder = objects?.slice(objects.lastIndexOf('/') + 1);
  return folder?.endsWith('.dir') ? folder.slice(0, -4) || undefined : undefined;
}

/** The target, from the folder where CMake or Meson puts its objects. */
function targetOf(output: string): string | undefined {
  return (/CMakeFiles\/([^/]+)\.dir\//.exec(output) ?? /(?:^|\/)([^/]+)\.p\//.exec(output))?.[1]; // bounded: each run is looked at once
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
