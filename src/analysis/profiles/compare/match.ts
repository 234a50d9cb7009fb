// Matches the routines of two runs. In order: equal name, file and object; the same with paths matched by their ends; the
// user's renames; a name that is unique in both runs; clones, by their function. Two routines of one run never merge, with one
// exception: code without symbols is one routine per object, because its addresses change from run to run.

import { groupByKey } from '../../../base/lists.ts';
import { mappedPath, withSlashes } from '../../../base/paths.ts';
import { isOneOfSeveral } from '../../../model/canonical-name.ts';
import type { Head } from '../../../model/head.ts';
import { type RoutineRows, RoutineTable, recordedNameId } from '../../../model/routine-table.ts';
import { nameOfAddress } from '../../../model/stacks/writer.ts';
import { Interner, type Strings, stringAt, stringCount } from '../../../model/strings.ts';
import { JoinedRoutines, type RoutineColumns } from '../../answers/compared/routine-rows.ts';
import { codeUnits } from '../../names/brackets.ts';
import { UNKNOWN_NAME } from '../../names/names.ts';
import { LeftoverMatcher } from './leftovers.ts';
import { type Rename, routineKey } from './renames.ts';

export interface MatchOptions {
  readonly pathMaps: PathMaps;
  readonly renames: readonly Rename[];
}

export const IN_THIS_RUN = 1;
export const IN_BASE = 2;
export const IN_BOTH_RUNS = 3;

const [DIGIT_ZERO, DIGIT_NINE, PLUS_SIGN, LETTER_A, LETTER_F, LETTER_X] = codeUnits('09+afx');

/** Whether a name is or ends in an address: `0x4a63000`, `libc.so.6+0x1f0`, `0x... [libc.so.6]`. Tested on raw bytes. */
function isAddressName({ bytes, start }: Strings, id: number): boolean {
  const [from, to] = [start[id], start[id + 1]];
  if (bytes[from] === DIGIT_ZERO && bytes[from + 1] === LETTER_X) return true;
  let at = to - 1;
  while (at > from && ((bytes[at] >= DIGIT_ZERO && bytes[at] <= DIGIT_NINE) || (bytes[at] >= LETTER_A && bytes[at] <= LETTER_F)))
    at--;
  return at < to - 1 && at - 2 > from && bytes[at] === LETTER_X && bytes[at - 1] === DIGIT_ZERO && bytes[at - 2] === PLUS_SIGN;
}

/** The name for all code without symbols in an object. */
export const unsymbolizedName = (object: string): string => (object === '' ? UNKNOWN_NAME : nameOfAddress('', object).trim());

export type NameTables = Pick<Head, 'strings' | 'files' | 'objects' | 'routines'>;

/** The tables of both runs, and the numbers that rows of each get there. */
export type Matching = ReturnType<typeof matchRoutines>;

export function matchRoutines(now: NameTables, before: NameTables, { pathMaps, renames }: MatchOptions) {
  const strings = Interner.fromStrings(now.strings);
  // Strings of this run keep their numbers.
  const { bytes, start } = before.strings;
  const idOfBase = Int32Array.from({ length: stringCount(before.strings) }, (_, b) =>
    strings.bytesId(bytes, start[b], start[b + 1]),
  );
  const files = joinNames(now, before, 'files', idOfBase, pathMaps);
  const objects = joinNames(now, before, 'objects', idOfBase, pathMaps);
  const unsymbolized = findUnsymbolized(now, before, idOfBase, objects.of);
  const unsymbolizedNameId = (object: number) =>
    strings.textId(unsymbolizedName(object < 0 ? '' : strings.text(objects.name[object])));
  const rows = new JoinedRoutines();
  const namesakes = findMergedNamesakes(now, before);
  const ours = pairedColumns(now, namesakes.now);
  const nowRoutine = rows.addAll(ours, unsymbolized.now, unsymbolizedNameId, namesakes.now);
  const nowCount = rows.count;
  const matcher = new LeftoverMatcher(rows, strings, nowCount);
  const theirs = renumberedRoutines(pairedColumns(before, namesakes.before), idOfBase, files.of, objects.of);
  const sameRoutines = findSameRoutines(rows, theirs, new Set([...unsymbolized.before, ...namesakes.before.keys()]));
  const beforeRoutine = Uint32Array.from(before.routines.name);
  for (let r = 0; r < beforeRoutine.length; r++) {
    const first = namesakes.before.get(r);
    if (first !== undefined) {
      beforeRoutine[r] = beforeRoutine[first];
      continue;
    }
    const isUnsymbolized = unsymbolized.before.has(r);
    const id = isUnsymbolized
      ? rows.unnamedRoutineOf(theirs.object[r], unsymbolizedNameId)
      : sameRoutines[r] >= 0
        ? sameRoutines[r]
        : rows.add(theirs, r);
    if (id < nowCount)
      matcher.recordMatch(id, isUnsymbolized ? 'no symbols' : hasSamePaths(before, r, files, objects) ? 'same' : 'paths');
    beforeRoutine[r] = id;
  }
  const path = (table: JoinedNames, id: number) => (id < 0 ? null : strings.text(table.name[id]));
  const final = matcher.matchRest(renames, (r) => {
    const { file, object, line } = rows;
    return routineKey(strings.text(rows.shownName(r)), path(files, file.data[r]), path(objects, object.data[r]), line.data[r]);
  });
  for (let r = 0; r < beforeRoutine.length; r++)
    if (beforeRoutine[r] >= nowCount) beforeRoutine[r] = final.of[beforeRoutine[r] - nowCount];
  return {
    strings: strings.count === stringCount(now.strings) ? now.strings : strings.finish(),
    files: { name: files.name },
    objects: { name: objects.name },
    routines: final.routines,
    match: final.match,
    routineSides: markSides(final.match.length, nowRoutine ?? now.routines.name.keys(), beforeRoutine),
    fileSides: markSides(files.name.length, now.files.name.keys(), files.of),
    /** By routine of this run: its new number; undefined if the numbers stay. */
    nowRoutine,
    beforeRoutine,
    beforeFile: files.of,
    beforeObject: objects.of,
    /** Renames that matched no routine. */
    unmatchedRenames: final.useless,
  };
}

/** The base's routines, with strings, files and objects numbered as in the joined tables. */
function renumberedRoutines(routines: RoutineColumns, string: Int32Array, file: Int32Array, object: Int32Array): RoutineColumns {
  return {
    name: routines.name.map((id) => string[id]),
    shown: routines.shown.map((id) => string[id]),
    file: routines.file.map((id) => (id < 0 ? -1 : file[id])),
    object: routines.object.map((id) => (id < 0 ? -1 : object[id])),
    line: routines.line,
  };
}

/** How many rows ahead of the last match the next one is searched for. */
const LOOKAHEAD_ROWS = 4;

/**
 * The routine of this run that is the same as each of the base's; -1 for none. Two builds of a program write them in nearly the same order,
 * so most are found where the last one was; the others by a table.
 */
function findSameRoutines(now: RoutineRows, { name, file, object, line }: RoutineColumns, lumped: ReadonlySet<number>) {
  const [ours, theirs] = [now.count, name.length];
  const out = new Int32Array(theirs).fill(-1);
  /** 1 for rows of this run that are found. */
  const taken = new Uint8Array(ours);
  for (let r = 0, next = 0; r < theirs; r++)
    for (let n = next; n < ours && n < next + LOOKAHEAD_ROWS; n++) {
      if (taken[n] || !now.equals(n, name[r], file[r], object[r], line[r])) continue;
      out[r] = n;
      taken[n] = 1;
      next = n + 1;
      break;
    }
  const rest = new RoutineTable();
  const numbers: number[] = [];
  for (let n = 0; n < ours; n++)
    if (!taken[n]) numbers[rest.findOrAdd(now.name.data[n], now.file.data[n], now.object.data[n], now.line.data[n])] = n;
  for (let r = 0; r < theirs; r++) {
    if (out[r] >= 0 || lumped.has(r)) continue;
    const id = rest.findId(name[r], file[r], object[r], line[r]);
    if (id >= 0) out[r] = numbers[id];
  }
  return out;
}

function markSides(rows: number, now: Iterable<number>, before: Iterable<number>): Uint8Array {
  const out = new Uint8Array(rows);
  for (const r of now) out[r] |= IN_THIS_RUN;
  for (const r of before) out[r] |= IN_BASE;
  return out;
}

type JoinedNames = ReturnType<typeof joinNames>;

/**
 * `name`: the names of both runs, as joined strings; this run's names come first. By row of the base, `of`: its row in the joined table, and
 * `samePath`: 1 if this run has the same path.
 */
function joinNames(now: NameTables, before: NameTables, what: 'files' | 'objects', beforeString: Int32Array, maps: PathMaps) {
  const names = (side: NameTables) => Array.from(side[what].name, (id) => stringAt(side.strings, id));
  const [ours, theirs] = [names(now), names(before)];
  const of = matchPaths(ours, theirs, maps);
  const samePath = Uint8Array.from(of, (n, b) => (n >= 0 && ours[n] === theirs[b] ? 1 : 0));
  // This run's strings come first, so they have kept their numbers.
  const name = Array.from(now[what].name);
  for (const [b, id] of before[what].name.entries()) if (of[b] < 0) of[b] = name.push(beforeString[id]) - 1;
  return { name: Uint32Array.from(name), of, samePath };
}

function hasSamePaths({ routines }: NameTables, r: number, files: JoinedNames, objects: JoinedNames): boolean {
  const same = ({ samePath }: JoinedNames, id: number) => id < 0 || samePath[id] === 1;
  return same(files, routines.file[r]) && same(objects, routines.object[r]);
}

/** The routines of each run that have only an address for a name, in objects whose addresses are not the same in both runs. */
function findUnsymbolized(now: NameTables, before: NameTables, string: Int32Array, objectOf: Int32Array) {
  const addresses = ({ strings, routines }: NameTables, object: (o: number) => number) => {
    const rows = Array.from(routines.name.keys()).filter((r) => isAddressName(strings, routines.name[r]));
    return groupByKey(rows, (r) => object(routines.object[r]));
  };
  const ours = addresses(now, (o) => o);
  const theirs = addresses(before, (o) => (o < 0 ? -1 : objectOf[o]));
  const isUnchanged = (object: number) => {
    const [a, b] = [ours.get(object), theirs.get(object)];
    if (!a || !b) return false;
    const [names, baseNames] = [a.map((r) => now.routines.name[r]), b.map((r) => string[before.routines.name[r]])];
    const all = new Set([...names, ...baseNames]);
    return all.size === new Set(names).size && all.size === new Set(baseNames).size;
  };
  const still = new Set([...ours.keys()].filter(isUnchanged));
  const lumped = (by: typeof ours) => new Set([...by].flatMap(([object, routines]) => (still.has(object) ? [] : routines)));
  return { now: lumped(ours), before: lumped(theirs) };
}

// Routines that share a displayed name: clones of a compiler and generic functions of Rust, whose recorded names differ in what changes from
// build to build. They are paired by their recorded names. If two runs have other ones, nothing records which is which: the routines of the
// name become one row.

type Names = Pick<Head, 'strings' | 'routines'>;

/** By displayed name: the numbered routines with it. */
function numberedByName({ strings, routines: { name, number } }: Names): Map<string, number[]> {
  const numbered = Array.from(number?.keys() ?? []).filter((r) => number?.[r]);
  return groupByKey(numbered, (r) => stringAt(strings, name[r]));
}

/** By routine that becomes one with another of its displayed name, file and object: the first of them. */
function findMergedNamesakes(now: Names, before: Names): { readonly [side in 'now' | 'before']: ReadonlyMap<number, number> } {
  const [ours, theirs] = [numberedByName(now), numberedByName(before)];
  const recordedNames = ({ strings, routines }: Names, rows: readonly number[] = []) =>
    JSON.stringify(rows.map((r) => stringAt(strings, recordedNameId(routines, r))).sort());
  const differs = (name: string) => recordedNames(now, ours.get(name)) !== recordedNames(before, theirs.get(name));
  const firstsOf = ({ routines: { name, file, object, line } }: Names, groups: Map<string, number[]>) => {
    const merged = [...groups].flatMap(([text, rows]) => (differs(text) ? rows : []));
    const places = groupByKey(merged, (r) => `${name[r]} ${file[r]} ${object[r]} ${line?.[r] ?? 0}`);
    return new Map([...places.values()].flatMap(([first, ...rest]) => rest.map((r) => [r, first] as const)));
  };
  return { now: firstsOf(now, ours), before: firstsOf(before, theirs) };
}

/** The routines with the names that pair them: the recorded ones of clones, unless `firsts` has their group, and else the displayed ones. */
function pairedColumns({ strings, routines }: Names, firsts: ReadonlyMap<number, number>): RoutineColumns {
  const { name, file, object, recorded } = routines;
  const line = routines.line ?? new Uint32Array(name.length);
  const isFirst = new Set(firsts.values());
  const pairing = (r: number) =>
    recorded && recorded[r] >= 0 && !isFirst.has(r) && isOneOfSeveral(stringAt(strings, recorded[r])) ? recorded[r] : name[r];
  return { name: recorded ? name.map((_, r) => pairing(r)) : name, shown: name, file, object, line };
}

// Matches files or objects of two runs: by path, by --path-map, or by the end of the path.

/** Path prefixes to replace: FROM in one run is TO in the other. */
type PathMaps = readonly (readonly [from: string, to: string])[];

const MAX_FOLDER_DEPTH = 64;

/** By path of `before`: its counterpart in `now`; -1 if there is none. Counterparts are unique. */
export function matchPaths(now: readonly string[], before: readonly string[], maps: PathMaps): Int32Array {
  const out = new Int32Array(before.length).fill(-1);
  const taken = new Uint8Array(now.length);
  const take = (b: number, n: number | undefined) => {
    if (n === undefined || taken[n]) return;
    out[b] = n;
    taken[n] = 1;
  };
  const places = new Map(now.map((path, n) => [path, n]));
  for (const [b, path] of before.entries()) take(b, places.get(path));
  if (maps.length > 0) {
    const mapped = new Map(now.flatMap((path, n) => (taken[n] ? [] : [[mapPath(path, maps), n] as const])));
    for (const [b, path] of before.entries()) if (out[b] < 0) take(b, mapped.get(mapPath(path, maps)));
  }
  // Then by the longest common end. Ends that fit several paths of a run are ignored.
  let left = before.flatMap((path, b) => (out[b] < 0 ? [{ at: b, ends: pathEnds(path) }] : []));
  let free = now.flatMap((path, n) => (taken[n] ? [] : [{ at: n, ends: pathEnds(path) }]));
  const deepest = Math.min(MAX_FOLDER_DEPTH, maxEndCount(left), maxEndCount(free));
  for (let k = deepest; k > 0 && left.length > 0 && free.length > 0; k--) {
    const byEnd = (list: typeof free) => {
      const deep = list.filter(({ ends }) => ends.length >= k);
      return groupByKey(deep, ({ ends }) => ends[k - 1]);
    };
    const of = byEnd(free);
    for (const [end, list] of byEnd(left)) {
      const [only, ...more] = of.get(end) ?? [];
      if (list.length === 1 && more.length === 0) take(list[0].at, only?.at);
    }
    left = left.filter(({ at }) => out[at] < 0);
    free = free.filter(({ at }) => !taken[at]);
  }
  return out;
}

function mapPath(path: string, maps: PathMaps): string {
  const [mapped] = maps.flatMap((map) => mappedPath(path, map) ?? []);
  return mapped ?? path;
}

const maxEndCount = (list: readonly { readonly ends: readonly string[] }[]) =>
  list.reduce((m, { ends }) => Math.max(m, ends.length), 0);

/** The last part of a path, the last two, and so on. */
function pathEnds(recorded: string): string[] {
  const path = withSlashes(recorded);
  const out: string[] = [];
  for (let at = path.length; at > 0 && out.length < MAX_FOLDER_DEPTH; ) {
    const slash = path.lastIndexOf('/', at - 1);
    // Empty parts are skipped.
    if (slash < at - 1) out.push(path.slice(slash + 1));
    at = slash;
  }
  return out;
}
