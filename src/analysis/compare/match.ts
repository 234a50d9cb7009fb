// Which routine of one run is which of another. In this order: the same name, file and object; the same once paths are matched by their
// ends; what the user says was renamed; the name, where only one routine of each run has it; clones, to their function. Never two routines
// of a run become one, except code without symbols: its addresses move from run to run, so it is one routine an object.

import type { Files, Head, Objects, Routines } from '../../model/head.ts';
import { MATCHES, type Match } from '../../model/profile.ts';
import { RoutineTable } from '../../model/routine-table.ts';
import { unnamed } from '../../model/stacks/writer.ts';
import { Interner, type Strings, stringAt, stringCount } from '../../model/strings.ts';
import { UNKNOWN } from '../names.ts';
import { matchPaths, type PathMaps } from './paths.ts';
import { type Rename, routineKey } from './renames.ts';

export interface MatchOptions {
  readonly pathMaps: PathMaps;
  readonly renames: readonly Rename[];
}

/** The tables of both runs, and the numbers that rows of each get there. */
export interface Matching {
  readonly strings: Strings;
  readonly files: Files;
  readonly objects: Objects;
  readonly routines: Routines;
  readonly match: Uint8Array;
  readonly routineSides: Uint8Array;
  readonly fileSides: Uint8Array;
  /** Undefined if this run's routines keep their numbers. */
  readonly nowRoutine: Uint32Array | undefined;
  readonly beforeRoutine: Uint32Array;
  readonly beforeFile: Int32Array;
  readonly beforeObject: Int32Array;
  /** Renames that matched no routine. */
  readonly useless: readonly Rename[];
}

export const NOW = 1;
export const BEFORE = 2;
export const BOTH = 3;

const ZERO = 48;
const NINE = 57;
const PLUS = 43;
const SMALL_A = 97;
const SMALL_F = 102;
const SMALL_X = 120;

/** A name that ends in an address, `0x4a63000` or `libc.so.6+0x1f0`, or stands for one, `0x... [libc.so.6]`; told without decoding it. */
function isAddress({ bytes, start }: Strings, id: number): boolean {
  const [from, to] = [start[id], start[id + 1]];
  if (bytes[from] === ZERO && bytes[from + 1] === SMALL_X) return true;
  let at = to - 1;
  while (at > from && ((bytes[at] >= ZERO && bytes[at] <= NINE) || (bytes[at] >= SMALL_A && bytes[at] <= SMALL_F))) at--;
  return at < to - 1 && at - 2 > from && bytes[at] === SMALL_X && bytes[at - 1] === ZERO && bytes[at - 2] === PLUS;
}

/** The name of all code without symbols of an object. */
export const lumpName = (object: string): string => (object === '' ? UNKNOWN : unnamed('', object).trim());

type Named = Pick<Head, 'strings' | 'files' | 'objects' | 'routines'>;

export function matchRoutines(now: Named, before: Named, { pathMaps, renames }: MatchOptions): Matching {
  const strings = new Interner();
  const stringsOf = ({ strings: { bytes, start }, strings: own }: Named) =>
    Uint32Array.from({ length: stringCount(own) }, (_, i) => strings.bytesId(bytes, start[i], start[i + 1]));
  const nowString = stringsOf(now);
  const beforeString = stringsOf(before);
  const files = joined(now, before, 'files', beforeString, pathMaps);
  const objects = joined(now, before, 'objects', beforeString, pathMaps);
  const table = new RoutineTable();
  const lumps = lumpsOf(now, before, objects.of);
  const key = keyMaker(strings, objects);
  const ofNow = key(now, nowString, undefined, undefined, lumps.now);
  const ofBefore = key(before, beforeString, files.of, objects.of, lumps.before);
  const nowRoutine = Uint32Array.from(now.routines.name, (_, r) => table.id(...ofNow(r)));
  const inNow = table.count;
  const matcher = new Leftovers(table, strings, inNow);
  const beforeRoutine = Uint32Array.from(before.routines.name, (_, r) => {
    const place = ofBefore(r);
    const id = table.of(...place);
    if (id >= 0 && id < inNow) {
      const samePath = sameName(before, r, files, objects);
      matcher.matched(id, lumps.before(r) ? 'no symbols' : samePath ? 'same' : 'paths');
      return id;
    }
    return table.id(...place);
  });
  const path = (table: Joined, id: number) => (id < 0 ? null : strings.text(table.name[id]));
  const final = matcher.matchRest(renames, (r) =>
    routineKey(
      strings.text(table.name.data[r]),
      path(files, table.file.data[r]),
      path(objects, table.object.data[r]),
      table.line.data[r],
    ),
  );
  for (let r = 0; r < beforeRoutine.length; r++)
    if (beforeRoutine[r] >= inNow) beforeRoutine[r] = final.of[beforeRoutine[r] - inNow];
  const moved = nowRoutine.some((id, r) => id !== r);
  return {
    strings: strings.finish(),
    files: { name: files.name },
    objects: { name: objects.name },
    routines: final.routines,
    match: final.match,
    routineSides: sidesOf(final.match.length, nowRoutine, beforeRoutine),
    fileSides: sidesOf(files.name.length, now.files.name.keys(), files.of),
    nowRoutine: moved ? nowRoutine : undefined,
    beforeRoutine,
    beforeFile: files.of,
    beforeObject: objects.of,
    useless: final.useless,
  };
}

/** What routines are told apart by, in the numbers of both runs. `of`: files and objects of the run there; absent if they stay. */
function keyMaker(strings: Interner, objects: Joined) {
  return (
    { routines }: Named,
    name: Uint32Array,
    fileOf: Int32Array | undefined,
    objectOf: Int32Array | undefined,
    isLumped: (routine: number) => boolean,
  ) => {
    const moved = (id: number, of: Int32Array | undefined) => (of && id >= 0 ? of[id] : id);
    return (r: number): readonly [name: number, file: number, object: number, line: number] => {
      const object = moved(routines.object[r], objectOf);
      if (!isLumped(r)) return [name[routines.name[r]], moved(routines.file[r], fileOf), object, routines.line?.[r] ?? 0];
      return [strings.textId(lumpName(object < 0 ? '' : strings.text(objects.name[object]))), -1, object, 0];
    };
  };
}

function sidesOf(rows: number, now: Iterable<number>, before: Iterable<number>): Uint8Array {
  const out = new Uint8Array(rows);
  for (const r of now) out[r] |= NOW;
  for (const r of before) out[r] |= BEFORE;
  return out;
}

interface Joined {
  /** Names of both, as strings of both; those of this run first. */
  readonly name: Uint32Array;
  /** By row of the base. */
  readonly of: Int32Array;
  /** By row of the base: its path is the same in this run. */
  readonly samePath: Uint8Array;
}

function joined(now: Named, before: Named, what: 'files' | 'objects', beforeString: Uint32Array, maps: PathMaps): Joined {
  const names = (side: Named) => Array.from(side[what].name, (id) => stringAt(side.strings, id));
  const [ours, theirs] = [names(now), names(before)];
  const of = matchPaths(ours, theirs, maps);
  const samePath = Uint8Array.from(of, (n, b) => (n >= 0 && ours[n] === theirs[b] ? 1 : 0));
  // This run's strings come first, so they have kept their numbers.
  const name = Array.from(now[what].name);
  before[what].name.forEach((id, b) => {
    if (of[b] < 0) of[b] = name.push(beforeString[id]) - 1;
  });
  return { name: Uint32Array.from(name), of, samePath };
}

function sameName({ routines }: Named, r: number, files: Joined, objects: Joined): boolean {
  const same = ({ samePath }: Joined, id: number) => id < 0 || samePath[id] === 1;
  return same(files, routines.file[r]) && same(objects, routines.object[r]);
}

/** The routines of each run that have only an address for a name, in objects whose addresses are not the same in both runs. */
function lumpsOf(now: Named, before: Named, objectOf: Int32Array) {
  const addresses = ({ strings, routines }: Named, object: (o: number) => number) => {
    const by = new Map<number, Map<string, number>>();
    routines.name.forEach((id, r) => {
      if (!isAddress(strings, id)) return;
      const name = stringAt(strings, id);
      const o = object(routines.object[r]);
      const list = by.get(o) ?? new Map<string, number>();
      by.set(o, list.set(name, r));
    });
    return by;
  };
  const ours = addresses(now, (o) => o);
  const theirs = addresses(before, (o) => (o < 0 ? -1 : objectOf[o]));
  const still = new Set([...ours].flatMap(([o, names]) => (sameKeys(names, theirs.get(o)) ? [o] : [])));
  const lumped = (by: Map<number, Map<string, number>>) =>
    new Set([...by].flatMap(([o, names]) => (still.has(o) ? [] : [...names.values()])));
  const [mine, other] = [lumped(ours), lumped(theirs)];
  return { now: (r: number) => mine.has(r), before: (r: number) => other.has(r) };
}

function sameKeys(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown> | undefined): boolean {
  return b !== undefined && a.size === b.size && [...a.keys()].every((key) => b.has(key));
}

/** What GCC, Clang and Callgrind append to the names of functions that they split, clone or tell apart. */
const CLONE = /(?:'\d+|\.(?:part|isra|constprop|cold|lto_priv|localalias|llvm|unlikely|hot)(?:\.\d+)*|\s\[clone [^\]]*\])+$/; // bounded: MOST_CLONED
const MOST_CLONED = 4096;

export function functionOfClone(name: string): string {
  return name.length > MOST_CLONED ? name : name.replace(CLONE, '');
}

/** Matches what is left over of both runs; routines of this run are the first `inNow` of the table. */
class Leftovers {
  private readonly steps: Uint8Array;
  private readonly table: RoutineTable;
  private readonly strings: Interner;
  private readonly inNow: number;
  /** The routine of this run that stands for a routine of the base; -1 for none. */
  private of = new Int32Array(0);

  constructor(table: RoutineTable, strings: Interner, inNow: number) {
    this.table = table;
    this.strings = strings;
    this.inNow = inNow;
    this.steps = new Uint8Array(inNow).fill(MATCHES.indexOf('none'));
  }

  matched(routine: number, by: Match): void {
    this.steps[routine] = MATCHES.indexOf(by);
  }

  /** `key`: routineKey of a routine. */
  matchRest(renames: readonly Rename[], key: (r: number) => string) {
    const { table, inNow } = this;
    this.of = new Int32Array(table.count - inNow).fill(-1);
    const found = this.matchExactly(renames, key);
    const useless = renames.filter((rename) => {
      if (rename.exactly) return !found.has(rename);
      const pairs = this.pair('renamed', (r, isNow) => (isNow ? this.nameOf(r) : rename.renamed(this.nameOf(r))), 'or place');
      return pairs === 0;
    });
    const { name, file, object } = table;
    // Lambdas of a file, in the order of their lines.
    this.pair('name', (r) => `${name.data[r]} ${file.data[r]} ${object.data[r]}`, 'in order');
    this.pair('name', (r) => `${name.data[r]} ${object.data[r]}`);
    this.pair('name', (r) => `${name.data[r]} ${file.data[r]}`);
    const once = this.namesOnce();
    this.pair('name', (r) => (once(r) ? name.data[r] : undefined));
    const whole = (r: number) => functionOfClone(this.nameOf(r));
    this.pair('clone', (r) => `${whole(r)} ${file.data[r]} ${object.data[r]}`);
    this.pair('clone', (r) => `${whole(r)} ${object.data[r]}`);
    return { ...this.finish(), useless };
  }

  /** All at once, since there may be a thousand of them. Returns those that matched. */
  private matchExactly(renames: readonly Rename[], key: (r: number) => string): ReadonlySet<Rename> {
    const places = new Map<string, number>();
    renames.forEach(({ exactly }, i) => {
      if (exactly) places.set(`now ${exactly.now}`, i).set(`before ${exactly.before}`, i);
    });
    const found = { now: new Set<Rename>(), before: new Set<Rename>() };
    if (places.size > 0)
      this.pair('renamed', (r, isNow) => {
        const side = isNow ? 'now' : 'before';
        const at = places.get(`${side} ${key(r)}`);
        if (at !== undefined) found[side].add(renames[at]);
        return at;
      });
    return new Set([...found.now].filter((rename) => found.before.has(rename)));
  }

  private nameOf(r: number): string {
    return this.strings.text(this.table.name.data[r]);
  }

  /**
   * Pairs leftovers of the same key, one of each run, and says how many. With several of a key: in the order of lines, or by file and
   * object.
   */
  private pair(
    by: Match,
    key: (r: number, isNow: boolean) => string | number | undefined,
    several?: 'in order' | 'or place',
  ): number {
    const { steps, of, inNow, table } = this;
    const none = MATCHES.indexOf('none');
    const groups = new Map<string | number, [now: number[], before: number[]]>();
    const put = (r: number, side: 0 | 1) => {
      const k = key(r, side === 0);
      if (k === undefined) return;
      const group = groups.get(k);
      if (group) group[side].push(r);
      else if (side === 1) groups.set(k, [[], [r]]);
    };
    // The base's first: what has no key of theirs is no candidate.
    of.forEach((taken, k) => {
      if (taken < 0) put(inNow + k, 1);
    });
    steps.forEach((step, r) => {
      if (step === none) put(r, 0);
    });
    let pairs = 0;
    const take = (now: number, before: number) => {
      pairs++;
      steps[now] = MATCHES.indexOf(by);
      of[before - inNow] = now;
    };
    const line = (a: number, b: number) => table.line.data[a] - table.line.data[b];
    for (const [ours, theirs] of groups.values()) {
      if (ours.length === 1 && theirs.length === 1) take(ours[0], theirs[0]);
      else if (several === 'in order' && ours.length === theirs.length) {
        ours.sort(line);
        theirs.sort(line).forEach((b, k) => {
          take(ours[k], b);
        });
      } else if (several === 'or place')
        for (const b of theirs) {
          const at = ours.findIndex(
            (r) => table.file.data[r] === table.file.data[b] && table.object.data[r] === table.object.data[b],
          );
          if (at >= 0) take(ours.splice(at, 1)[0], b);
        }
    }
    return pairs;
  }

  /** Whether only one routine of each run has the routine's name. */
  private namesOnce(): (r: number) => boolean {
    const { inNow, table, of, steps } = this;
    const none = MATCHES.indexOf('none');
    const count = new Map<number, number>();
    const add = (r: number, n: number) => count.set(table.name.data[r], (count.get(table.name.data[r]) ?? 0) + n);
    // One of this run and one of the base that are left over; matched ones have a namesake in both.
    for (let r = 0; r < inNow; r++) add(r, steps[r] === none ? 1 : 2);
    of.forEach((taken, k) => {
      if (taken < 0) add(inNow + k, 1);
    });
    return (r) => count.get(table.name.data[r]) === 2;
  }

  /** The table without the routines of the base that were matched. */
  private finish() {
    const { table, inNow, of, steps } = this;
    const kept = Array.from(of.keys()).filter((k) => of[k] < 0);
    const place = Uint32Array.from(of);
    kept.forEach((k, i) => {
      place[k] = inNow + i;
    });
    const column = <A extends Uint32Array | Int32Array>(from: A, make: { from(list: Iterable<number>): A }): A =>
      make.from([...from.subarray(0, inNow), ...kept.map((k) => from[inNow + k])]);
    const match = new Uint8Array(inNow + kept.length).fill(MATCHES.indexOf('none'));
    match.set(steps);
    return {
      of: place,
      match,
      routines: {
        name: column(table.name.data, Uint32Array),
        file: column(table.file.data, Int32Array),
        object: column(table.object.data, Int32Array),
        ...(table.lined ? { line: column(table.line.data, Uint32Array) } : {}),
      },
    };
  }
}
