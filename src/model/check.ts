// Checks the invariants of a profile. A loader that breaks one has a bug. --check and every test run this.
import type { Head } from './head.ts';
import { Invariants } from './invariants.ts';
import { type Profile, tablesOf } from './profile.ts';
import { stringCount } from './strings.ts';

/** Describes the broken invariants, one sentence each; empty for a correct profile. */
export function checkProfile(profile: Profile): string[] {
  const to = new Invariants();
  checkHead(profile, to);
  tablesOf(profile).check(to);
  return to.broken;
}

function checkHead({ events, columns, strings: names, files, objects, routines, wholes }: Head, to: Invariants): void {
  const strings = stringCount(names);
  to.check(events.length > 0, 'there are no events');
  to.check(new Set(events.map((e) => e.name)).size === events.length, 'an event name appears twice');
  for (const event of events) {
    const terms = [...event.terms, ...(event.exact?.high ?? []), ...(event.exact?.low ?? [])];
    const sound = terms.every(([factor, column]) => Number.isFinite(factor) && column >= 0 && column < columns);
    to.check(sound, `event ${event.name} has a term outside the columns`);
  }
  to.checkRange('files.name', files.name, 0, strings);
  to.checkRange('objects.name', objects.name, 0, strings);
  const table = wholes ? { ...routines, wholes } : routines;
  const rows = { name: strings, file: files.name.length, object: objects.name.length, wholes: routines.name.length };
  to.checkTable('routines', table, rows);
}
