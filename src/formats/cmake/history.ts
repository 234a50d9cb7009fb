// The kept builds beside one: what each was, and how long its steps took, from the first two lines of each.
import type { About, BuildHistory, KeptBuild } from '../../model/steps/history.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import { decodeBytes } from '../../model/strings.ts';
import type { Folder } from '../loader.ts';
import { isObject, parseJson } from '../shared/json.ts';
import { aboutKept, courseIn, type Took } from './about.ts';
import { COURSE_FILE, isKept } from './kept.ts';

const KEPT = /^build-.*\.json\.gz$/;
/** Bytes of a file that are read at first, and how far that goes: a course has some bytes a step. */
const FIRST = 64 << 10;
const MOST = 64 << 20;
/** Steps times builds; beyond, steps that only older builds have are left out. */
const MOST_CELLS = 20_000_000;
/** Values of all courses together: beyond, the older builds have none. */
const MOST_VALUES = 4_000_000;

/** The first lines of a kept build; fewer if it has no more. */
function linesOf(folder: Folder, name: string, lines: number): string[] {
  for (let most = FIRST; ; most *= 8) {
    const bytes = folder.readStart?.(name, most) ?? new Uint8Array(0);
    if (!isKept(bytes)) return [];
    const ends: number[] = [];
    for (let at = bytes.indexOf(10); at >= 0 && ends.length < lines; at = bytes.indexOf(10, at + 1)) ends.push(at);
    if (ends.length === lines || most >= MOST)
      return ends.map((end, k) => decodeBytes(bytes, k === 0 ? 0 : ends[k - 1] + 1, end));
  }
}

function courseOf(line: string | undefined): Took[] {
  const value = line === undefined ? undefined : parseJson(line);
  return isObject(value) && value['file'] === COURSE_FILE ? courseIn(value['value']) : [];
}

/** When a build was: its first step, else by its name, which has the time of its end. */
const orderOf = ({ path, about }: KeptBuild): string =>
  about.startMs === undefined
    ? (/build-(\d{4}-[\dT-]+)/.exec(path)?.[1] ?? path)
    : new Date(about.startMs).toISOString().replace(/:/g, '-');

/** The builds in a folder, or inside one; undefined where there is none. */
export function historyOf(folder: Folder, rows: StepWriter, inside: string): BuildHistory | undefined {
  const at = (name: string) => (inside === '' ? name : `${inside}/${name}`);
  const found: { build: KeptBuild; took: Took[] }[] = [];
  let values = 0;
  // The newest first: their names begin with when they were.
  for (const { name } of [...folder.list(inside)].reverse()) {
    if (!KEPT.test(name)) continue;
    const [head, ...more] = linesOf(folder, at(name), 2);
    const about: About | undefined = head === undefined ? undefined : aboutKept(`${head}\n${more[0] ?? ''}`);
    if (!about) continue;
    const took = values > MOST_VALUES ? [] : courseOf(more[0]);
    values += took.length;
    found.push({ build: { path: `${folder.path}/${at(name)}`, about }, took });
  }
  if (found.length === 0) return undefined;
  found.sort((a, b) => (orderOf(a.build) < orderOf(b.build) ? -1 : 1));
  const places = new Map<string, number>();
  const targets: string[] = [];
  for (const { took } of [...found].reverse())
    for (const { key, target } of took) {
      if (places.has(key) || places.size * found.length >= MOST_CELLS) continue;
      places.set(key, places.size);
      targets.push(target);
    }
  const ms = new Float64Array(places.size * found.length).fill(Number.NaN);
  found.forEach(({ took }, b) => {
    for (const t of took) {
      const place = places.get(t.key);
      if (place !== undefined) ms[place * found.length + b] = t.ms;
    }
  });
  return {
    builds: found.map(({ build }) => build),
    key: Uint32Array.from(places.keys(), (key) => rows.textId(key)),
    target: Int32Array.from(targets, (target) => rows.textId(target === '' ? undefined : target)),
    ms,
  };
}
