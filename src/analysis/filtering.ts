// Which routines match a filter, found a slice at a time, so that a million names never delay a key press. First all strings are
// searched for the literal text, in storage order; if none contains it, names are searched for its letters with gaps between them,
// in row order, so that the first page is done first.
import type { BytesScan } from '../base/letters.ts';
import type { Matcher } from '../base/match.ts';
import { firstWhere } from '../base/search.ts';
import type { StringId } from '../model/column.ts';
import type { Profile } from '../model/profile.ts';
import { type Strings, stringAt, stringCount } from '../model/strings.ts';

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

type Test = (string: number) => boolean;

/** A pass over all strings, or over the routines' names; `inverted`: matches are left out. */
type Pass = { readonly scan: BytesScan } | { readonly test: Test; readonly inverted: boolean };

export class Filtering {
  /** 1 for routines known to match so far. */
  readonly hit: Uint8Array;
  /** Incremented with every slice: anything derived from `hit` before is stale. */
  version = 0;
  done = false;
  /** No name has the text itself: its letters are looked for. */
  letters = false;
  private readonly profile: Profile;
  private readonly passes: Pass[];
  /** Strings or routines that this pass has looked at. */
  private looked = 0;
  /** By string. Scan: 1 for matches. Test: 0 not tested, 1 no, 2 yes, for files and objects only, as many routines share one. */
  private readonly places: Uint8Array;

  constructor(profile: Profile, matcher: Matcher) {
    this.profile = profile;
    this.hit = new Uint8Array(profile.routines.name.length);
    this.places = new Uint8Array(stringCount(profile.strings));
    const { strings } = profile;
    const { bytes, literal, not, test } = matcher;
    const byText = (matches: (text: string) => boolean, inverted = false): Pass => ({
      test: (id) => matches(stringAt(strings, id)),
      inverted,
    });
    if (not) this.passes = [byText(not, true)];
    else if (bytes) {
      const lettersTest: Test = (id) => bytes.letters(strings.bytes, strings.start[id], strings.start[id + 1]);
      this.passes = [{ scan: bytes.literal }, { test: lettersTest, inverted: false }];
    } else this.passes = literal ? [byText(literal), byText(test)] : [byText(test)];
  }

  /** Progress of this pass, from 0 to 1. */
  get share(): number {
    const pass = this.passes[0];
    return pass ? this.looked / (('scan' in pass ? this.places : this.hit).length || 1) : 1;
  }

  /** Works for about `ms` milliseconds. `order`: all routines in row order. True once done. */
  run(order: Uint32Array, ms: number): boolean {
    if (this.done) return true;
    const until = performance.now() + ms;
    this.version++;
    for (let pass = this.passes[0]; pass; pass = this.passes[0]) {
      if (!('scan' in pass ? this.scan(pass.scan, until) : this.test(pass.test, pass.inverted, order, until))) return false;
      this.passes.shift();
      // Nothing contains the literal text: try again with its letters.
      if (this.hit.includes(1)) break;
      this.letters ||= this.passes.length > 0;
      this.looked = 0;
      this.places.fill(0);
    }
    this.done = true;
    return true;
  }

  private scan(scan: BytesScan, until: number): boolean {
    const { places, hit } = this;
    const { strings, routines, files, objects } = this.profile;
    while (this.looked < places.length) {
      const end = scanEnd(strings, this.looked);
      scan(strings.bytes, strings.start, this.looked, end, places);
      this.looked = end;
      if (end < places.length && performance.now() >= until) return false;
    }
    for (let r = 0; r < hit.length; r++) {
      const file = routines.file[r];
      const object = routines.object[r];
      const place = file < 0 ? 0 : places[files.name[file]];
      hit[r] = places[routines.name[r]] | place | (object < 0 ? 0 : places[objects.name[object]]);
    }
    return true;
  }

  private test(test: Test, inverted: boolean, order: Uint32Array, until: number): boolean {
    const { hit } = this;
    const { routines, files, objects, strings } = this.profile;
    while (this.looked < hit.length) {
      const end = testEnd(strings, this.looked, hit.length, (i) => routines.name[order[i]]);
      for (let i = this.looked; i < end; i++) {
        const r = order[i];
        const takes =
          test(routines.name[r]) ||
          this.place(files.name, routines.file[r], test) ||
          this.place(objects.name, routines.object[r], test);
        if (takes !== inverted) hit[r] = 1;
      }
      this.looked = end;
      if (end < hit.length && performance.now() >= until) return false;
    }
    return true;
  }

  private place(names: Uint32Array, row: number, test: Test): boolean {
    if (row < 0) return false;
    const id = names[row];
    if (this.places[id] === 0) this.places[id] = test(id) ? 2 : 1;
    return this.places[id] === 2;
  }
}
