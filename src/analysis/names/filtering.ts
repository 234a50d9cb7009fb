// Finds the routines that match a filter, in slices, so that a million names never delay a key press. First, all strings are
// searched for the literal text in storage order. Without a hit, names are searched for the filter's letters with gaps, in row
// order, so that the first page is done first.

import { type BytesScan, compileScan } from '../../base/letters.ts';
import { memoTest } from '../../base/lists.ts';
import type { CompiledSearch, Matcher } from '../../base/match.ts';
import { Background, type Sliced } from '../../base/slices.ts';
import type { StringId } from '../../model/column.ts';
import type { Profile } from '../../model/profile.ts';
import { type Strings, stringAt, stringCount } from '../../model/strings.ts';
import { routineName } from './names.ts';

/** The bytes between checks of the clock: of names to test, each at least NAME_BYTES, and of strings to scan, which is faster. */
const TESTED_BYTES_PER_SLICE = 50_000;
const SCANNED_BYTES_PER_SLICE = 1_000_000;
const NAME_BYTES = 50;

/** Processes positions 0 to n-1 in order, and yields after each slice of so many bytes. `id`: the string at a position. */
function* processInSlices(
  { start }: Strings,
  n: number,
  id: (place: number) => StringId,
  most: number,
  work: (from: number, end: number) => void,
): Sliced<void> {
  for (let from = 0; from < n; ) {
    let end = from;
    for (let bytes = 0; end < n && bytes < most; end++) bytes += Math.max(NAME_BYTES, start[id(end) + 1] - start[id(end)]);
    work(from, end);
    from = end;
    yield;
  }
}

export class NameFilter {
  /** 1 for routines known to match so far. */
  readonly hit: Uint8Array;
  /** Incremented with every slice: anything derived from `hit` before is stale. */
  version = 0;
  done = false;
  /** No name contains the literal text, so names are searched for its letters. */
  usesLetters = false;
  /** Progress of this pass over all strings, or over the routines' names, from 0 to 1. */
  share = 0;
  private job: Background<void> | undefined;

  /** `conditions`: the test of routines, if the filter has conditions on columns. */
  constructor(
    private readonly profile: Profile,
    private readonly matcher: Matcher,
    private readonly conditions?: { readonly test: (routine: number) => boolean; readonly wrong?: string | undefined },
  ) {
    this.hit = new Uint8Array(profile.routines.name.length);
  }

  /** Why no routine passes: conditions that cannot be tested. */
  get wrong(): string | undefined {
    return this.conditions?.wrong;
  }

  /** Works for about `ms` milliseconds. `order`: all routines in row order, when it begins. True once done. */
  run(order: Uint32Array, ms: number): boolean {
    if (this.done) return true;
    this.version++;
    this.job ??= new Background(this.filterRoutines(order));
    this.done = this.job.run(ms);
    return this.done;
  }

  private *filterRoutines(order: Uint32Array): Sliced<void> {
    if (this.conditions) return yield* this.testEach(this.conditions.test, order);
    const { bytes, literal, not, test } = this.matcher;
    const { strings } = this.profile;
    const byText = (matches: (text: string) => boolean, inverted = false) =>
      this.testNames((id) => matches(stringAt(strings, id)), inverted, order);
    if (not) return yield* byText(not, true);
    if (bytes) yield* this.scanStrings(bytes.literal);
    else if (literal) yield* byText(literal);
    else return yield* byText(test);
    if (this.hit.includes(1)) return;
    // Nothing contains the literal text: try again with its letters.
    this.usesLetters = true;
    if (!bytes) return yield* byText(test);
    yield* this.testNames((id) => bytes.letters(strings.bytes, strings.start[id], strings.start[id + 1]), false, order);
  }

  private *scanStrings(scan: BytesScan): Sliced<void> {
    const { hit } = this;
    const { strings, routines, files, objects } = this.profile;
    /** By string: 1 for matches. */
    const found = new Uint8Array(stringCount(strings));
    const look = (from: number, end: number) => {
      scan(strings.bytes, strings.start, from, end, found);
      this.share = end / found.length;
    };
    yield* processInSlices(strings, found.length, (id) => id, SCANNED_BYTES_PER_SLICE, look);
    for (let r = 0; r < hit.length; r++) {
      const file = routines.file[r];
      const object = routines.object[r];
      const fileHit = file < 0 ? 0 : found[files.name[file]];
      const recorded = routines.recorded?.[r] ?? -1;
      hit[r] =
        found[routines.name[r]] | fileHit | (object < 0 ? 0 : found[objects.name[object]]) | (recorded < 0 ? 0 : found[recorded]);
    }
  }

  /** Tests names. `inverted`: keeps names that do not match. */
  private *testNames(test: (string: number) => boolean, inverted: boolean, order: Uint32Array): Sliced<void> {
    const { routines, files, objects, strings } = this.profile;
    // Only for files and objects, as many routines share one.
    const testOnce = memoTest(stringCount(strings), test);
    const matchesLocation = (names: Uint32Array, row: number) => row >= 0 && testOnce(names[row]);
    const isHit = (r: number) =>
      (test(routines.name[r]) ||
        matchesLocation(files.name, routines.file[r]) ||
        matchesLocation(objects.name, routines.object[r])) !== inverted;
    yield* this.testEach(isHit, order);
  }

  private testEach(isHit: (routine: number) => boolean, order: Uint32Array) {
    const { hit } = this;
    const { strings, routines } = this.profile;
    const testSome = (from: number, end: number) => {
      for (let i = from; i < end; i++) if (isHit(order[i])) hit[order[i]] = 1;
      this.share = end / hit.length;
    };
    return processInSlices(strings, hit.length, (i) => routines.name[order[i]], TESTED_BYTES_PER_SLICE, testSome);
  }
}

/** By routine: 1 for those whose name has the text or, if no name has it, its letters in order. */
export function* searchNames(profile: Profile, { test, literal, letters }: CompiledSearch): Sliced<Uint8Array> {
  const { strings, routines } = profile;
  const hit = new Uint8Array(routines.name.length);
  const code = new TextEncoder().encode(literal?.toLowerCase() ?? '');
  const scan = code.length > 0 && code.length === literal?.length ? compileScan(code) : undefined;
  /** Only strings that may match are decoded, because decoding a million names takes a second. Non-ASCII searches test all. */
  const maybe = new Uint8Array(stringCount(strings)).fill(scan ? 0 : 1);
  const look = (from: number, end: number) => scan?.(strings.bytes, strings.start, from, end, maybe);
  if (scan) yield* processInSlices(strings, maybe.length, (id) => id, SCANNED_BYTES_PER_SLICE, look);
  const id = (r: number) => routines.name[r];
  const matchAll = (isHit: (routine: number) => boolean) =>
    processInSlices(strings, hit.length, id, TESTED_BYTES_PER_SLICE, (from, end) => {
      for (let r = from; r < end; r++) if (isHit(r)) hit[r] = 1;
    });
  yield* matchAll((r) => maybe[id(r)] === 1 && test(routineName(profile, r)));
  if (!letters || hit.includes(1)) return hit;
  yield* matchAll((r) => letters(strings.bytes, strings.start[id(r)], strings.start[id(r) + 1]));
  return hit;
}
