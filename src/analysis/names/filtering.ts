// Which routines match a filter, found a slice at a time, so that a million names never delay a key press. First all strings are
// searched for the literal text, in storage order; if none contains it, names are searched for its letters with gaps between them,
// in row order, so that the first page is done first.
import { Background } from '../../base/background.ts';
import type { BytesScan } from '../../base/letters.ts';
import type { Matcher } from '../../base/match.ts';
import { firstWhere } from '../../base/search.ts';
import type { StringId } from '../../model/column.ts';
import type { Profile } from '../../model/profile.ts';
import { type Strings, stringAt, stringCount } from '../../model/strings.ts';

/** Names to test between checks of the clock, and bytes of names, which may be long. */
const SLICE = 1000;
const BYTES = 50_000;
/** The same for the strings of a scan. */
const SCANNED = 20_000;
const SCANNED_BYTES = 4_000_000;

/** Where a slice ends that scans the strings from `from` on. */
export function scanEnd({ start }: Strings, from: number): number {
  const end = Math.min(start.length - 1, from + SCANNED);
  const most = start[from] + SCANNED_BYTES;
  return start[end] <= most
    ? end
    : from +
        Math.max(
          1,
          firstWhere(end - from, (k) => start[from + k + 1] > most),
        );
}

/** Where a slice ends that tests strings from place `from` on, of `n`; `id`: the string at a place. */
export function testEnd({ start }: Strings, from: number, n: number, id: (place: number) => StringId): number {
  const end = Math.min(n, from + SLICE);
  let bytes = 0;
  let i = from;
  for (; i < end && bytes < BYTES; i++) bytes += start[id(i) + 1] - start[id(i)];
  return i;
}

/** Does places 0 .. n-1 in order, and yields after each slice; `endOf`: where the slice ends that begins at a place. */
export function* inSlicesTo(
  n: number,
  endOf: (from: number) => number,
  work: (from: number, end: number) => void,
): Generator<undefined, void> {
  for (let from = 0; from < n; ) {
    const end = endOf(from);
    work(from, end);
    from = end;
    yield;
  }
}

type Test = (string: number) => boolean;

export class Filtering {
  /** 1 for routines known to match so far. */
  readonly hit: Uint8Array;
  /** Incremented with every slice: anything derived from `hit` before is stale. */
  version = 0;
  done = false;
  /** No name has the text itself: its letters are looked for. */
  letters = false;
  /** Progress of this pass over all strings, or over the routines' names, from 0 to 1. */
  share = 0;
  private job: Background<void> | undefined;

  constructor(
    private readonly profile: Profile,
    private readonly matcher: Matcher,
  ) {
    this.hit = new Uint8Array(profile.routines.name.length);
  }

  /** Works for about `ms` milliseconds. `order`: all routines in row order, when it begins. True once done. */
  run(order: Uint32Array, ms: number): boolean {
    if (this.done) return true;
    this.version++;
    this.job ??= new Background(this.filtered(order));
    this.done = this.job.run(ms);
    return this.done;
  }

  private *filtered(order: Uint32Array): Generator<undefined, void> {
    const { bytes, literal, not, test } = this.matcher;
    const { strings } = this.profile;
    const byText = (matches: (text: string) => boolean, inverted = false) =>
      this.tested((id) => matches(stringAt(strings, id)), inverted, order);
    if (not) return yield* byText(not, true);
    if (bytes) yield* this.scanned(bytes.literal);
    else if (literal) yield* byText(literal);
    else return yield* byText(test);
    if (this.hit.includes(1)) return;
    // Nothing contains the literal text: try again with its letters.
    this.letters = true;
    if (!bytes) return yield* byText(test);
    yield* this.tested((id) => bytes.letters(strings.bytes, strings.start[id], strings.start[id + 1]), false, order);
  }

  private *scanned(scan: BytesScan): Generator<undefined, void> {
    const { hit } = this;
    const { strings, routines, files, objects } = this.profile;
    /** By string: 1 for matches. */
    const found = new Uint8Array(stringCount(strings));
    const look = (from: number, end: number) => {
      scan(strings.bytes, strings.start, from, end, found);
      this.share = end / found.length;
    };
    yield* inSlicesTo(found.length, (from) => scanEnd(strings, from), look);
    for (let r = 0; r < hit.length; r++) {
      const file = routines.file[r];
      const object = routines.object[r];
      const place = file < 0 ? 0 : found[files.name[file]];
      hit[r] = found[routines.name[r]] | place | (object < 0 ? 0 : found[objects.name[object]]);
    }
  }

  /** `inverted`: matches are left out. */
  private *tested(test: Test, inverted: boolean, order: Uint32Array): Generator<undefined, void> {
    const { hit } = this;
    const { routines, files, objects, strings } = this.profile;
    /** By string: 0 not tested, 1 no, 2 yes, for files and objects only, as many routines share one. */
    const places = new Uint8Array(stringCount(strings));
    const takesPlace = (names: Uint32Array, row: number) => {
      if (row < 0) return false;
      const id = names[row];
      if (places[id] === 0) places[id] = test(id) ? 2 : 1;
      return places[id] === 2;
    };
    const look = (from: number, end: number) => {
      for (let i = from; i < end; i++) {
        const r = order[i];
        const takes =
          test(routines.name[r]) || takesPlace(files.name, routines.file[r]) || takesPlace(objects.name, routines.object[r]);
        if (takes !== inverted) hit[r] = 1;
      }
      this.share = end / hit.length;
    };
    yield* inSlicesTo(hit.length, (from) => testEnd(strings, from, hit.length, (i) => routines.name[order[i]]), look);
  }
}
