// Reads the kept builds in a folder: the summary and the step durations, from the first two lines of each file.
import type { BuildHistory, KeptBuild, KeptBuildInfo } from '../../model/steps/history.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import { decodeBytes } from '../../model/strings.ts';
import type { Folder } from '../loader.ts';
import { isObject, objectOf, parseJson, readJson, textOf } from '../shared/json.ts';
import { lineEnd, nextLineStart } from '../shared/stream.ts';
import { BuildSummary, readBuildInfo, readStepDurations, type StepDuration } from './about.ts';
import { DURATIONS_FILE, isKeptBuild, KEPT_BUILD_NAME } from './kept.ts';

/** Bytes of a file to read first, and at most. The line of durations needs a few bytes per step. */
const FIRST_READ_BYTES = 64 << 10;
const MAX_READ_BYTES = 64 << 20;
/** Limit of steps × builds. Beyond it, steps that occur only in older builds are left out. */
const MAX_CELLS = 20_000_000;
/** Limit of the durations in all builds. Beyond it, older builds have no durations. */
const MAX_DURATIONS = 4_000_000;

/** The first lines of a kept build; fewer if the file has fewer lines. */
function readFirstLines(folder: Folder, name: string, lines: number): string[] {
  for (let most = FIRST_READ_BYTES; ; most *= 8) {
    const bytes = folder.readStart?.(name, most) ?? new Uint8Array(0);
    if (!isKeptBuild(bytes)) return [];
    const ends: number[] = [];
    for (let at = bytes.indexOf(10); at >= 0 && ends.length < lines; at = bytes.indexOf(10, at + 1)) ends.push(at);
    if (ends.length === lines || most >= MAX_READ_BYTES)
      return ends.map((end, k) => decodeBytes(bytes, k === 0 ? 0 : ends[k - 1] + 1, end));
  }
}

/** The sort key of a build: the start of its first step, else the end time in the file name. */
const buildSortKeyOf = ({ path, buildInfo }: KeptBuild): string =>
  buildInfo.startMs === undefined
    ? (/build-(\d{4}-[\dT-]+)/.exec(path)?.[1] ?? path)
    : new Date(buildInfo.startMs).toISOString().replace(/:/g, '-');

/** The summary of the steps in a kept build, for builds that older versions kept: they counted idle time as time of the build. */
function summarize(folder: Folder, name: string, hook: string): KeptBuildInfo | undefined {
  const bytes = folder.read(name) ?? new Uint8Array(0);
  const summary = new BuildSummary();
  for (let from = 0; from < bytes.length; from = nextLineStart(bytes, from)) {
    const line = objectOf(readJson(bytes, from, lineEnd(bytes, from)).value);
    if (isObject(line['value']) && textOf(line['value']['role']) !== undefined) summary.add(line['value']);
  }
  const info = summary.newest().buildInfo(hook);
  return info.jobs ? info : undefined;
}

/** The kept builds in `folder`, or in its subfolder `inside`; undefined if there are none. */
export function readHistory(folder: Folder, rows: StepWriter, inside: string): BuildHistory | undefined {
  const at = (name: string) => (inside === '' ? name : `${inside}/${name}`);
  const found: { build: KeptBuild; took: StepDuration[] }[] = [];
  let values = 0;
  // File names begin with the build's time, so the reverse order has the newest build first.
  for (const { name } of [...folder.list(inside)].reverse()) {
    if (!KEPT_BUILD_NAME.test(name)) continue;
    const [head, ...more] = readFirstLines(folder, at(name), 2);
    const written = head === undefined ? undefined : readBuildInfo(`${head}\n${more[0] ?? ''}`);
    if (!written) continue;
    const about = written.jobs === undefined ? { ...written, ...summarize(folder, at(name), written.hook) } : written;
    const line = objectOf(values > MAX_DURATIONS ? undefined : parseJson(more[0] ?? ''));
    const took = line['file'] === DURATIONS_FILE ? readStepDurations(line['value']) : [];
    values += took.length;
    found.push({ build: { path: `${folder.path}/${at(name)}`, buildInfo: about }, took });
  }
  if (found.length === 0) return undefined;
  found.sort((a, b) => (buildSortKeyOf(a.build) < buildSortKeyOf(b.build) ? -1 : 1));
  const rowOfKey = new Map<string, number>();
  const targets: string[] = [];
  for (const { took } of [...found].reverse())
    for (const { key, target } of took) {
      if (rowOfKey.has(key) || rowOfKey.size * found.length >= MAX_CELLS) continue;
      rowOfKey.set(key, rowOfKey.size);
      targets.push(target);
    }
  const ms = new Float64Array(rowOfKey.size * found.length).fill(Number.NaN);
  found.forEach(({ took }, b) => {
    for (const t of took) {
      const row = rowOfKey.get(t.key);
      // A step that failed has not done its work.
      if (row !== undefined && !t.failed) ms[row * found.length + b] = t.ms;
    }
  });
  return {
    builds: found.map(({ build }) => build),
    key: Uint32Array.from(rowOfKey.keys(), (key) => rows.textId(key)),
    target: Int32Array.from(targets, (target) => rows.textId(target === '' ? undefined : target)),
    ms,
  };
}
