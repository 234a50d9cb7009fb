// Matches the routines of two runs that remain after those with equal name, file and object are matched.
import { pairByKey } from '../../../base/lists.ts';
import { lineInName, mayBeMangled, pairingName } from '../../../model/canonical-name.ts';
import { pickRows } from '../../../model/column.ts';
import { MATCH_KINDS, type MatchKind } from '../../../model/profile.ts';
import { numberNamesakes } from '../../../model/routine-table.ts';
import type { Interner } from '../../../model/strings.ts';
import type { JoinedRoutines } from '../../answers/compared/routine-rows.ts';
import type { Rename } from './renames.ts';

const NO_MATCH = MATCH_KINDS.indexOf('none');

/** Matches the remaining routines of both runs. The first `nowCount` routines of the table belong to this run. */
export class LeftoverMatcher {
  private readonly matchKind: Uint8Array;
  /** By routine of the base: its match in this run; -1 for none. */
  private partner = new Int32Array(0);
  /** Routines of each run that may still be matched. */
  private ours: number[] = [];
  private theirs: number[] = [];

  constructor(
    private readonly table: JoinedRoutines,
    private readonly strings: Interner,
    private readonly nowCount: number,
  ) {
    this.matchKind = new Uint8Array(nowCount).fill(NO_MATCH);
  }

  recordMatch(routine: number, by: MatchKind): void {
    this.matchKind[routine] = MATCH_KINDS.indexOf(by);
  }

  /** Matches the remaining routines. `key`: gives the routineKey of a routine. */
  matchRest(renames: readonly Rename[], key: (r: number) => string) {
    const { table, nowCount } = this;
    this.partner = new Int32Array(table.count - nowCount).fill(-1);
    this.theirs = Array.from(this.partner.keys(), (k) => nowCount + k);
    for (let r = 0; r < nowCount; r++) if (this.matchKind[r] === NO_MATCH) this.ours.push(r);
    const found = this.matchExactly(renames, key);
    const useless = renames.filter((rename) => {
      if (rename.exactly) return !found.has(rename);
      const newName = (r: number, isNow: boolean) => (isNow ? this.nameOf(r) : rename.newNameOf(this.nameOf(r)));
      return this.pairByKey('renamed', newName, 'or place') === 0;
    });
    const { name, file, object } = table;
    // Lambdas of a file are matched in the order of their lines.
    this.pairByKey('name', (r) => `${name.data[r]} ${file.data[r]} ${object.data[r]}`, 'in order');
    this.pairByKey('name', (r) => `${name.data[r]} ${object.data[r]}`);
    this.pairByKey('name', (r) => `${name.data[r]} ${file.data[r]}`);
    if (this.theirs.length > 0) {
      const isUniqueName = this.uniqueNameTest();
      this.pairByKey('name', (r) => (isUniqueName(r) ? name.data[r] : undefined));
    }
    // The part of a function that the compiler moved away has a displayed name of its own.
    this.pairByKey('clone', (r) => `${this.nameOf(r)} ${file.data[r]} ${object.data[r]}`, 'in order');
    // A mangled name has its hashes within.
    const canonical = (r: number) => pairingName(mayBeMangled(this.recordedNameOf(r)) ? this.nameOf(r) : this.recordedNameOf(r));
    this.pairByKey('clone', (r) => `${canonical(r)} ${file.data[r]} ${object.data[r]}`, 'in order');
    this.pairByKey('clone', (r) => `${canonical(r)} ${object.data[r]}`);
    return { ...this.finish(), useless };
  }

  /** Matches all exact renames in one pass: there may be a thousand. Returns those that matched. */
  private matchExactly(renames: readonly Rename[], key: (r: number) => string): ReadonlySet<Rename> {
    const places = new Map<string, number>();
    for (const [i, { exactly }] of renames.entries())
      if (exactly) places.set(`now ${exactly.now}`, i).set(`before ${exactly.before}`, i);
    const found = { now: new Set<Rename>(), before: new Set<Rename>() };
    if (places.size > 0)
      this.pairByKey('renamed', (r, isNow) => {
        const side = isNow ? 'now' : 'before';
        const at = places.get(`${side} ${key(r)}`);
        if (at !== undefined) found[side].add(renames[at]);
        return at;
      });
    return new Set([...found.now].filter((rename) => found.before.has(rename)));
  }

  private nameOf(r: number): string {
    return this.strings.text(this.table.shownName(r));
  }

  private recordedNameOf(r: number): string {
    return this.strings.text(this.table.name.data[r]);
  }

  /**
   * Pairs leftovers of the same key, one of each run, and says how many. With several of a key: in the order of lines, or by file and
   * object.
   */
  private pairByKey(
    by: MatchKind,
    key: (r: number, isNow: boolean) => string | number | undefined,
    several?: 'in order' | 'or place',
  ): number {
    const { matchKind, partner, nowCount, table } = this;
    const groups = new Map<string | number, [now: number[], before: number[]]>();
    const put = (r: number, side: 0 | 1) => {
      const k = key(r, side === 0);
      if (k === undefined) return;
      const group = groups.get(k);
      if (group) group[side].push(r);
      else if (side === 1) groups.set(k, [[], [r]]);
    };
    // Matched routines are removed: most routines of two builds are matched by now.
    this.ours = this.ours.filter((r) => matchKind[r] === NO_MATCH);
    this.theirs = this.theirs.filter((r) => partner[r - nowCount] < 0);
    if (this.ours.length === 0) return 0;
    // The base comes first: a routine of this run without an equal key in the base is no candidate.
    for (const r of this.theirs) put(r, 1);
    for (const r of this.ours) put(r, 0);
    let pairs = 0;
    const take = (now: number, before: number) => {
      pairs++;
      matchKind[now] = MATCH_KINDS.indexOf(by);
      partner[before - nowCount] = now;
    };
    const lineOf = (r: number) => table.line.data[r] || lineInName(this.recordedNameOf(r));
    const line = (a: number, b: number) => lineOf(a) - lineOf(b);
    const place = (r: number) => `${table.file.data[r]} ${table.object.data[r]}`;
    for (const [ours, theirs] of groups.values()) {
      if (ours.length === 1 && theirs.length === 1) take(ours[0], theirs[0]);
      else if (several === 'in order' && ours.length === theirs.length && [...ours, ...theirs].every((r) => lineOf(r) > 0)) {
        ours.sort(line);
        for (const [k, b] of theirs.sort(line).entries()) take(ours[k], b);
      } else if (several === 'or place') for (const [before, now] of pairByKey(theirs, ours, place).pairs) take(now, before);
    }
    return pairs;
  }

  /** Whether only one routine of each run has the routine's name. */
  private uniqueNameTest(): (r: number) => boolean {
    const { nowCount, table, partner, matchKind } = this;
    const count = new Map<number, number>();
    const add = (r: number, n: number) => count.set(table.name.data[r], (count.get(table.name.data[r]) ?? 0) + n);
    // Counts remaining routines once. A matched routine counts twice: both runs have its name.
    for (let r = 0; r < nowCount; r++) add(r, matchKind[r] === NO_MATCH ? 1 : 2);
    for (let k = 0; k < partner.length; k++) if (partner[k] < 0) add(nowCount + k, 1);
    return (r) => count.get(table.name.data[r]) === 2;
  }

  /** The table without the routines of the base that were matched. */
  private finish() {
    const { table, nowCount, partner, matchKind } = this;
    const rows = Array.from({ length: table.count }, (_, r) => r).filter((r) => r < nowCount || partner[r - nowCount] < 0);
    const newRow = Uint32Array.from(partner);
    for (let n = nowCount; n < rows.length; n++) newRow[rows[n] - nowCount] = n;
    const match = new Uint8Array(rows.length).fill(NO_MATCH);
    match.set(matchKind);
    table.showNames();
    return { of: newRow, match, routines: numberNamesakes(pickRows(table.done(), rows)) };
  }
}
