// Loads .ninja_log, versions 5 to 7. A line has start and end in milliseconds since ninja's start, mtime, output and hash.
// A command with several outputs has several lines. Failed commands are not logged.
// The build.ninja in the same folder describes the rule and the inputs of each command.

import { memo } from '../base/lists.ts';
import { absolutePath, baseName, normalizedPath } from '../base/paths.ts';
import type { StringId } from '../model/column.ts';
import type { Sink } from '../model/sink.ts';
import { StepPairs, StepWriter } from '../model/steps/writer.ts';
import { decodeBytes, hashBytes, type Interner } from '../model/strings.ts';
import { addCtestMessages, ctestWrittenMs, MAX_RESULTS_DELAY_MS, OLDER_RESULTS, readTestResults } from './cmake/ctest.ts';
import { loggedCommand } from './cmake/ninja-commands.ts';
import { type BuildFile, readNinjaFile, setNeeds, unknownNeedsText, warnOfProblems, writeStepNeeds } from './cmake/ninja-file.ts';
import { addRebuildCosts } from './cmake/rebuilds.ts';
import type { Detection, Folder, Loader, Source } from './loader.ts';
import { type LoggedRun, LogLines, splitRuns } from './ninja-runs.ts';
import { FileReader, makeLineLoader, wholeNumberIn } from './shared/stream.ts';

const CARRIAGE_RETURN = 13;
const TAB = 9;
const HASH = 35;
const HEADER_LINE = /^# ninja log v(\d+)\s*$/;

const detect = (head: Uint8Array): Detection =>
  /^# ninja log v\d/.test(decodeBytes(head, 0, Math.min(head.length, 40))) ? 'yes' : 'no';

const MAX_TIME_DIGITS = 12;
/** Digits of a clock time in milliseconds. */
const MAX_CLOCK_DIGITS = 14;
/** The file that ninja reads first. */
const MANIFEST = 'build.ninja';

/** Reads the command hash into two 32-bit halves: ninja's hexadecimal hash, or a hash of any other text. */
function readCommandHash(bytes: Uint8Array, from: number, to: number, out: { high: number; low: number }): void {
  out.high = out.low = 0;
  for (let i = from; i < to; i++) {
    const c = bytes[i];
    const digit = c >= 48 && c <= 57 ? c - 48 : c >= 97 && c <= 102 ? c - 87 : -1;
    if (digit < 0 || to - from > 16) {
      out.low = hashBytes(bytes, from, to) >>> 0;
      out.high = (Math.imul(out.low, 0x9e3779b1) ^ (to - from)) >>> 0;
      return;
    }
    out.high = ((out.high << 4) | (out.low >>> 28)) >>> 0;
    out.low = ((out.low << 4) | digit) >>> 0;
  }
}

/** Reads the lines of a log into columns. */
class NinjaLogReader extends FileReader {
  private readonly lines = new LogLines();
  /** One more than the largest string id of an output. */
  private outputs = 0;
  private readonly hash = { high: 0, low: 0 };

  readLine(bytes: Uint8Array, from: number, end: number): void {
    const to = end > from && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    this.lineNo++;
    if (this.lineNo === 1) return this.readHeader(decodeBytes(bytes, from, to));
    if (from === to || bytes[from] === HASH) return;
    const first = this.tabAfter(bytes, from, to);
    const second = this.tabAfter(bytes, first + 1, to);
    const third = this.tabAfter(bytes, second + 1, to);
    const fourth = this.tabAfter(bytes, third + 1, to);
    const start = wholeNumberIn(bytes, from, first, MAX_TIME_DIGITS);
    const until = fourth < to ? wholeNumberIn(bytes, first + 1, second, MAX_TIME_DIGITS) : undefined;
    if (start === undefined || until === undefined || until < start) {
      const text = decodeBytes(bytes, from, Math.min(to, from + 240)).slice(0, 60);
      this.leaveOut(this.position, 'tab-separated start, end, mtime, output and hash', `"${text}"; left out`);
      return;
    }
    this.checkLimit('name', fourth - third - 1, this.position);
    const fifth = this.tabAfter(bytes, fourth + 1, to);
    readCommandHash(bytes, fourth + 1, fifth, this.hash);
    const output = this.sink.strings.bytesId(bytes, third + 1, fourth);
    this.outputs = Math.max(this.outputs, output + 1);
    // The last letter tells of most outputs that they are another file.
    const isLike = bytes[fourth - 1] === MANIFEST.charCodeAt(MANIFEST.length - 1);
    const nameEnd = isLike ? decodeBytes(bytes, Math.max(third + 1, fourth - MANIFEST.length - 1), fourth) : '';
    if (nameEnd === MANIFEST || nameEnd === `/${MANIFEST}`) this.lines.manifests.add(output);
    // Nanoseconds exceed what a double holds.
    const clockMs = wholeNumberIn(bytes, second + 1, Math.max(second + 1, third - 6), MAX_CLOCK_DIGITS) ?? 0;
    this.lines.add(start, until, output, this.hash.high, this.hash.low, clockMs);
  }

  /** The position of the next tab, else the end of the line. */
  private tabAfter(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    while (at < to && bytes[at] !== TAB) at++;
    return at;
  }

  private readHeader(text: string): void {
    const version = Number(HEADER_LINE.exec(text)?.[1]);
    if (!(version >= 5)) throw this.error({ line: 1 }, '# ninja log v5 or later', `"${text.slice(0, 40)}"`);
    this.lines.version = version;
    if (version > 7) this.warn({ line: 1 }, 'versions 5 to 7', `version ${version}; read as version 7`);
  }

  finish(rest: Uint8Array, source: Source): void {
    // An unterminated last line was still being written, so it is not an error.
    if (rest.length > 0 && this.lineNo > 0) {
      const found = `"${decodeBytes(rest, 0, Math.min(rest.length, 160)).slice(0, 40)}"`;
      const hint = 'the file was cut off: only complete lines are shown';
      this.sink.cut ??= { path: this.path, line: this.lineNo + 1, expected: 'the end of a line', found, hint };
    } else if (rest.length > 0) this.readLine(rest, 0, rest.length);
    writeRuns(this.sink, source, this.lines, this.outputs);
  }
}

/** Writes the runs one after the other, after those of other logs: each run begins where the previous run ended. */
function writeRuns(sink: Sink, source: Source, lines: LogLines, outputs: number): void {
  const { path, folder } = source;
  const { runs, first, next } = splitRuns(lines, outputs);
  const rows = sink.writerFor(StepWriter);
  const file = folder && buildFileIn(folder);
  // Commands that overlap in time get separate lanes, since they do not contain each other.
  const track = rows.untitledTrack('ninja', '');
  const { facts } = rows;
  [facts.runs, facts.shellCommands, facts.guessesRoles] = [true, true, facts.guessesRoles || !file];
  const firstOfLog = rows.rows;
  const rewritten = runs.find((run) => run.isRewritten);
  if (rewritten)
    sink.warn({
      path,
      expected: 'lines in the order in which commands finished',
      found: `${rewritten.to - rewritten.from} commands out of order: ninja has rewritten the log, so their runs cannot be separated`,
    });
  let firstOfRun = firstOfLog;
  const endOf = (from: number, least: number) => {
    let end = least;
    for (let row = from; row < rows.rows; row++) end = Math.max(end, rows.columns.endUs(row));
    return end;
  };
  let at = endOf(0, 0);
  const counts: ReturnType<typeof writeStepNeeds>[] = [];
  const pairs = rows.needs ?? new StepPairs();
  const all: readonly LoggedRun[] = runs.length > 0 ? runs : [{ isRewritten: false, from: 0, to: 0 }];
  all.forEach((run, r) => {
    const part = sink.addPart({
      path,
      part: all.length > 1 ? r + 1 : null,
      command: 'ninja',
      notes: [noteOfRun(all, r)],
      events: ['time'],
      ...(r < all.length - 1 ? { older: true } : {}),
    });
    if (run.isRewritten) rows.facts.mixedParts = [...(rows.facts.mixedParts ?? []), part];
    firstOfRun = rows.rows;
    for (let c = run.from; c < run.to; c++) {
      const line = first[c];
      const [startMs, endMs] = [lines.startMs.data[line], lines.endMs.data[line]];
      const name = lines.output.data[line];
      const row = rows.addTimes(name, track, part, at + startMs * 1000, (endMs - startMs) * 1000);
      const outputs: number[] = [];
      for (let k = line; ; k = next[k]) {
        outputs.push(lines.output.data[k]);
        if (next[k] === 0) break;
      }
      describeStep(rows, row, outputs, file, lines, line);
    }
    at = endOf(firstOfRun, at);
    // Only outputs made in the same run are dependencies: older outputs already existed.
    if (file) counts.push(writeStepNeeds(rows, firstOfRun, file, pairs));
  });
  const [asked, known] = (['asked', 'known'] as const).map((name) => counts.reduce((sum, count) => sum + count[name], 0));
  const unknown = counts.flatMap((count) => count.unknown);
  rows.facts.unknownNeeds = [...(rows.facts.unknownNeeds ?? []), ...unknown];
  if (file && known > 0) setNeeds(rows, pairs, file);
  if (file) warnOfProblems(file, folder.path, sink);
  rows.facts.needsCaveat ??= all.at(-1)?.isRewritten
    ? 'ninja has rewritten the log: parallelism is unknown'
    : needsCaveat(source, file, known, asked, unknownNeedsText(asked, unknown.length));
  if (folder) addFilesOfCtest(rows, rewritten ? rows.rows : firstOfRun, baseName(path), folder, sink);
  if (source.folder) addRebuildCosts(rows, firstOfLog, { folder: source.folder, at: '', file });
  sink.creator ??= 'ninja';
  sink.command ??= 'ninja';
}

/** Adds messages of steps from `first` on, and in a build folder the results of tests. */
function addFilesOfCtest(rows: StepWriter, first: number, logName: string, folder: Folder, sink: Sink): void {
  const loggedMs = folder.modifiedMs?.(logName);
  if (loggedMs !== undefined) addCtestMessages(rows, first, folder, '', loggedMs);
  if (!NINJA_LOG.test(logName)) return;
  if (ctestWrittenMs(folder, '') < (loggedMs ?? 0) - MAX_RESULTS_DELAY_MS) sink.notes.push(OLDER_RESULTS);
  else rows.facts.tests ??= readTestResults(folder, '', (cut) => sink.warn(cut));
}

function buildFileIn(folder: Folder): BuildFile | undefined {
  // Ninja Multi-Config has a file for each configuration.
  const configs = folder.list('CMakeFiles').flatMap(({ name }) => /^impl-(.{1,200})\.ninja$/.exec(name)?.[1] ?? []);
  return readNinjaFile((name) => folder.read(name), MANIFEST, undefined, configs);
}

function noteOfRun(runs: readonly LoggedRun[], r: number): string {
  if (runs[r].isRewritten) return 'older lines of several runs, rewritten by ninja without order; parallelism is unknown';
  return `run ${r + 1} of ${runs.length}; failed commands are not in the log`;
}

/** The problems of the build file next to the log; undefined if there are none. */
function needsCaveat({ path, folder }: Source, file: BuildFile | undefined, known: number, asked: number, unknownText = '') {
  if (!file) return `there is no ${MANIFEST} beside the log`;
  if (known === 0) return `the ${MANIFEST} beside the log builds none of its outputs`;
  const isChanged = known < asked && file.problems.length === 0;
  const changedText = isChanged ? `${MANIFEST} has changed since: it builds ${known} of ${asked} commands` : '';
  const log = folder?.modifiedMs?.(baseName(path));
  const build = folder?.modifiedMs?.(MANIFEST);
  const newerText = log !== undefined && build !== undefined && build > log ? `${MANIFEST} is newer than the log` : '';
  return [changedText || newerText, unknownText].filter(Boolean).join('; ') || undefined;
}

/** The targets that have objects in the log. */
const targetsOf = memo(
  ({ output }: LogLines, strings: Interner): ReadonlySet<string | undefined> =>
    new Set(Array.from(output.data.subarray(0, output.length), (id) => targetOfOutput(strings.text(id)))),
);

/** Writes role, target, source, language and command of a step, from its outputs, the build file, and the hash in a log of a version. */
function describeStep(
  rows: StepWriter,
  row: number,
  outputs: readonly StringId[],
  file: BuildFile | undefined,
  lines: LogLines,
  line: number,
): void {
  const targets = targetsOf(lines, rows.sink.strings);
  const paths = outputs.map((id) => rows.sink.strings.text(id));
  const edges = paths.map((path) => file?.edges.get(normalizedPath(absolutePath(file.root, path))));
  const edge = edges.find((found) => found !== undefined);
  // Without a build file: CMake and Meson name a program or library like the folder of its objects.
  const made = edge ? [] : (/^(?:lib)?(.+?)(?:\.(?:a|so|dylib)(?:\.\d+)*)?$/.exec(baseName(paths[0])) ?? []); // bounded: a file name
  const linked = made.find((name) => targets.has(name));
  const role = (edge ? roleOfRule(edge.rule) : linked && 'link') ?? roleOfOutput(paths[0]);
  const target = targetOfObjects(edge?.objects) ?? targetOfOutput(paths[0]) ?? linked;
  const kind = edge && /_(EXECUTABLE|(?:STATIC|SHARED|MODULE)_LIBRARY)_LINKER__/.exec(edge.rule)?.[1];
  if (target !== undefined && kind !== undefined) rows.targets.set(target, { type: kind, labels: [] });
  rows.setWord('role', row, role);
  rows.setWord('target', row, target);
  if (edge && file) {
    const command = loggedCommand(edge, lines.hashHigh.data[line], lines.hashLow.data[line], lines.version);
    rows.setText('command', row, command);
    rows.setText('directory', row, command === undefined ? undefined : file.root || undefined);
    rows.setText('source', row, role === 'compile' ? edge.inputs[0] : undefined);
    rows.setWord('language', row, /^([A-Za-z]+)_(?:COMPILER|\w+_LINKER)__/.exec(edge.rule)?.[1]);
    rows.setText('more', row, JSON.stringify({ rule: edge.rule }));
  }
  rows.columns.result.set(row, 0);
  for (const id of outputs) rows.addOutput(row, id, null);
}

/** The role of a rule, from its name (CMake, Meson, GN or handwritten); undefined if unknown. */
function roleOfRule(rule: string): string | undefined {
  if (/^(RERUN_CMAKE|REGENERATE_BUILD)$/.test(rule)) return 'configure';
  if (/^CUSTOM_COMMAND/.test(rule)) return 'custom';
  if (/_LINKER(__|$)|^(STATIC|SHARED)_LINKER|(^|_)(link|alink|solink|ar|archive)(_|$)/i.test(rule)) return 'link';
  if (/_COMPILER(__|$)|(^|_)(cc|cxx|cpp|c\+\+|objc|objcxx|asm|rustc|compile|compiler)(_|$)/i.test(rule)) return 'compile'; // bounded: each run is looked at once
  return undefined;
}

function roleOfOutput(output: string): string {
  if (/\.(o|obj|gch|pch)$/.test(output)) return 'compile';
  if (/\.(a|so|dll|exe|lib|dylib)(\.\d+)*$/.test(output)) return 'link'; // bounded: each run is looked at once
  return 'custom';
}

/** The target whose objects are in a folder `app.dir`. */
function targetOfObjects(objects: string | undefined): string | undefined {
  const folder = objects?.slice(objects.lastIndexOf('/') + 1);
  return folder?.endsWith('.dir') ? folder.slice(0, -4) || undefined : undefined;
}

/** The target of an output, from the folder where CMake or Meson puts the target's objects. */
function targetOfOutput(output: string): string | undefined {
  return (/CMakeFiles\/([^/]+)\.dir\//.exec(output) ?? /(?:^|\/)([^/]+)\.p\//.exec(output))?.[1]; // bounded: each run is looked at once
}

export const NINJA_LOG = /^\.ninja_log(\.gz)?$/;

export const ninjaLog: Loader = {
  name: 'ninja-log',
  title: 'log of ninja (.ninja_log, versions 5 to 7)',
  provides: ['steps', 'rebuilds', 'tests'],
  readsOtherFiles: true,
  purpose: 'a build by ninja',
  make: 'ninja   (it writes .ninja_log in the build folder)',
  fileNames: NINJA_LOG,
  detect,
  load: makeLineLoader(NinjaLogReader, 'a ninja log'),
};
