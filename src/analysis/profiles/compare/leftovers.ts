// The unmatched routines of two runs, once those of the same name, file and object are matched.
import { pairedBy } from '../../../base/lists.ts';
import { MATCHES, type Match } from '../../../model/profile.ts';
import type { RoutineRows } from '../../../model/routine-table.ts';
import { pickRows } from '../../../model/table.ts';
import type { JoinedStrings } from './join-strings.ts';
import type { Rename } from './renames.ts';

/** Suffixes that GCC, Clang and Callgrind append to the names of functions that they split, clone or tell apart. */
const CLONE = /(?:'\d+|\.(?:part|isra|constprop|cold|lto_priv|localalias|llvm|unlikely|hot)(?:\.\d+)*|\s\[clone [^\]]*\])+$/; // bounded: MOST_CLONED
const MOST_CLONED = 4096;

export function functionOfClone(name: string): string {
  return name.length > MOST_CLONED ? name : name.replace(CLONE, '');
}

const NONE = MATCHES.indexOf('none');

/** Matches what is left over of both runs; routines of this run are the first `inNow` of the table. */
export class Leftovers {
  private readonly steps: Uint8Array;
  /** The routine of this run that stands for a routine of the base; -1 for none. */
  private of = new Int32Array(0);
  /** Routines of each run that may still be matched. */
  private ours: number[] = [];
  private theirs: number[] = [];

  constructor(
    private readonly table: RoutineRows,
    private readonly strings: JoinedStrings,
    private readonly inNow: number,
  ) {
    this.steps = new Uint8Array(inNow).fill(NONE);
  }

  matched(routine: number, by: Match): void {
    this.steps[routine] = MATCHES.indexOf(by);
  }

  /** `key`: routineKey of a routine. */
  matchRest(renames: readonly Rename[], key: (r: number) => string) {
    const { table, inNow } = this;
    this.of = new Int32Array(table.count - inNow).fill(-1);
    this.theirs = Array.from(this.of.keys(), (k) => inNow + k);
    for (let r = 0; r < inNow; r++) if (this.steps[r] === NONE) this.ours.push(r);
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
    if (this.theirs.length > 0) {
      const once = this.namesOnce();
      this.pair('name', (r) => (once(r) ? name.data[r] : undefined));
    }
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
    const groups = new Map<string | number, [now: number[], before: number[]]>();
    const put = (r: number, side: 0 | 1) => {
      const k = key(r, side === 0);
      if (k === undefined) return;
      const group = groups.get(k);
      if (group) group[side].push(r);
      else if (side === 1) groups.set(k, [[], [r]]);
    };
    // Most routines of two builds are matched by now.
    this.ours = this.ours.filter((r) => steps[r] === NONE);
    this.theirs = this.theirs.filter((r) => of[r - inNow] < 0);
    if (this.ours.length === 0) return 0;
    // The base's first: what has no key of theirs is no candidate.
    for (const r of this.theirs) put(r, 1);
    for (const r of this.ours) put(r, 0);
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
      } else if (several === 'or place') for (const [now, before] of this.byPlace(ours, theirs)) take(now, before);
    }
    return pairs;
  }

  /** Routines of the two runs with the same file and object, in their order. */
  private byPlace(ours: readonly number[], theirs: readonly number[]): [now: number, before: number][] {
    const { file, object } = this.table;
    const place = (r: number) => `${file.data[r]} ${object.data[r]}`;
    return pairedBy(theirs, ours, place).pairs.map(([before, now]) => [now, before]);
  }

  /** Whether only one routine of each run has the routine's name. */
  private namesOnce(): (r: number) => boolean {
    const { inNow, table, of, steps } = this;
    const count = new Map<number, number>();
    const add = (r: number, n: number) => count.set(table.name.data[r], (count.get(table.name.data[r]) ?? 0) + n);
    // One of this run and one of the base that are left over; matched ones have a namesake in both.
    for (let r = 0; r < inNow; r++) add(r, steps[r] === NONE ? 1 : 2);
    of.forEach((taken, k) => {
      if (taken < 0) add(inNow + k, 1);
    });
    return (r) => count.get(table.name.data[r]) === 2;
  }

  /** The table without the routines of the base that were matched. */
  private finish() {
    const { table, inNow, of, steps } = this;
    const rows = Array.from({ length: table.count }, (_, r) => r).filter((r) => r < inNow || of[r - inNow] < 0);
    const place = Uint32Array.from(of);
    for (let n = inNow; n < rows.length; n++) place[rows[n] - inNow] = n;
    const match = new Uint8Array(rows.length).fill(NONE);
    match.set(steps);
    return { of: place, match, routines: pickRows(table.done(), rows) };
  }
}
