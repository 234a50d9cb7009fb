// Which routines' names a search finds, a slice at a time.
import { type BytesScan, scanFor } from '../base/letters.ts';
import type { Search } from '../base/match.ts';
import type { Profile } from '../model/profile.ts';
import { stringCount } from '../model/strings.ts';
import { scanEnd, testEnd } from './filtering.ts';
import { routineName } from './names.ts';

export class NameSearch {
  /** 1 for routines whose name is found. */
  readonly hit: Uint8Array;
  done = false;
  private readonly profile: Profile;
  private readonly matches: Search['test'];
  /** Strings that may match: decoding a million names would take a second. Of a text that is not ASCII, all may. */
  private readonly maybe: Uint8Array;
  private readonly scan: BytesScan | undefined;
  private scanned = 0;
  private looked = 0;

  constructor(profile: Profile, { test, literal }: Search) {
    this.profile = profile;
    this.matches = test;
    this.hit = new Uint8Array(profile.routines.name.length);
    const code = new TextEncoder().encode(literal?.toLowerCase() ?? '');
    if (code.length > 0 && code.length === literal?.length) this.scan = scanFor(code);
    this.maybe = new Uint8Array(stringCount(profile.strings)).fill(this.scan ? 0 : 1);
  }

  /** Works for about `ms` milliseconds; true once done. */
  run(ms: number): boolean {
    const { profile, maybe, hit, scan } = this;
    const { strings, routines } = profile;
    const until = performance.now() + ms;
    const inTime = () => performance.now() < until;
    while (scan && this.scanned < maybe.length) {
      const end = scanEnd(strings, this.scanned);
      scan(strings.bytes, strings.start, this.scanned, end, maybe);
      this.scanned = end;
      if (!inTime()) return false;
    }
    while (this.looked < hit.length) {
      const end = testEnd(strings, this.looked, hit.length, (r) => routines.name[r]);
      for (let r = this.looked; r < end; r++)
        if (maybe[routines.name[r]] === 1 && this.matches(routineName(profile, r))) hit[r] = 1;
      this.looked = end;
      if (!inTime()) break;
    }
    this.done = this.looked >= hit.length;
    return this.done;
  }
}
