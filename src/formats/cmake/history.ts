// The kept builds in a folder: a summary and the step durations of each, from the first two lines of its file.
import type { BuildHistory, KeptBuild, KeptBuildInfo } from '../../model/steps/history.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import { decodeBytes } from '../../model/strings.ts';
import type { Folder } from '../loader.ts';
import { isObject, parseJson } from '../shared/json.ts';
import { readBuildInfo, readSeries, type StepDuration } from './about.ts';
import { COURSE_FILE, isKept } from './kept.ts';

const KEPT = /^build-.*\.json\.gz$/;
/** Bytes read of a file at first, and at most. A duration series needs a few bytes per step. */
const FIRST = 64 << 10;
const MOST = 64 << 20;
/** Limit of steps × builds; beyond it, steps that only older builds have are left out. */
const MOST_CELLS = 20_000_000;
/** Limit of the durations of all builds; beyond it, older builds have none. */
const MOST_VALUES = 4_000_000;

/** The first lines of a kept build; fewer if it has no more. */
function readFirstLines(folder: Folder, name: string, lines: number): string[] {
  for (let most = FIRST; ; most *= 8) {
    const bytes = folder.readStart?.(name, most) ?? new Uint8Array(0);
    if (!isKept(bytes)) return [];
    const ends: number[] = [];
    for (let at = bytes.indexOf(10); at >= 0 && ends.length < lines; at = bytes.indexOf(10, at + 1)) ends.push(at);
    if (ends.length === lines || most >= MOST)
      return ends.map((end, k) => decodeBytes(bytes, k === 0 ? 0 : ends[k - 1] + 1, end));
  }
}

function seriesOfLine(line: string | undefined): StepDuration[] {
  const value = line === undefined ? undefined : parseJson(line);
  return isObject(value) && value['file'] === COURSE_FILE ? readSeries(value['value']) : [];
}

/** Sort key: the start of the first step, else the end time in the file name. */
const sortKeyOf = ({ path, buildInfo }: KeptBuild): string =>
  buildInfo.startMs === undefined
    ? (/build-(\d{4}-[\dT-]+)/.exec(path)?.[1] ?? path)
    : new Date(buildInfo.startMs).toISOString().replace(/:/g, '-');

/** The kept builds in `folder`, or in its subfolder `inside`; undefined if there are none. */
export function readHistory(folder: Folder, rows: StepWriter, inside: string): BuildHistory | undefined {
  const at = (name: string) => (inside === '' ? name : `${inside}/${name}`);
  const found: { build: KeptBuild; took: StepDuration[] }[] = [];
  let values = 0;
  // The newest first: their names begin with when they were.
  for (const { name } of [...folder.list(inside)].reverse()) {
    if (!KEPT.test(name)) continue;
    const [head, ...more] = readFirstLines(folder, at(name), 2);
    const about: KeptBuildInfo | undefined = head === undefined ? undefined : readBuildInfo(`${head}\n${more[0] ?? ''}`);
    if (!about) continue;
    const took = values > MOST_VALUES ? [] : seriesOfLine(more[0]);
    values += took.length;
    found.push({ build: { path: `${folder.path}/${at(name)}`, buildInfo: about }, took });
  }
  if (found.length === 0) return undefined;
  found.sort((a, b) => (sortKeyOf(a.build) < sortKeyOf(b.build) ? -1 : 1));
  const rowOfKey = new Map<string, number>();
  const targets: string[] = [];
  for (const { took } of [...found].reverse())
    for (const { key, target } of took) {
      if (rowOfKey.has(key) || rowOfKey.size * found.length >= MOST_CELLS) continue;
      rowOfKey.set(key, rowOfKey.size);
      targets.push(target);
    }
  const ms = new Float64Array(rowOfKey.size * found.length).fill(Number.NaN);
  found.forEach(({ took }, b) => {
    for (const t of took) {
      const row = rowOfKey.get(t.key);
      if (row !== undefined) ms[row * found.length + b] = t.ms;
    }
  });
  return {
    builds: found.map(({ build }) => build),
    key: Uint32Array.from(rowOfKey.keys(), (key) => rows.textId(key)),
    target: Int32Array.from(targets, (target) => rows.textId(target === '' ? undefined : target)),
    ms,
  };
}
