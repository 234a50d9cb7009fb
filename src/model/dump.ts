// The profile as text, independent of how its bytes arrived. For tests that compare loads.
import { tablesOf } from './kinds.ts';
import type { Profile } from './profile.ts';
import { stringAt } from './strings.ts';

/** One line per row, in table order. */
export function* dumpProfile(profile: Profile): Generator<string> {
  const { strings, routines, files, objects } = profile;
  const name = (id: number | undefined) => (id === undefined || id < 0 ? '-' : JSON.stringify(stringAt(strings, id)));
  yield `format ${profile.format}`;
  yield `command ${JSON.stringify(profile.command)}`;
  for (const e of profile.events)
    yield `event ${e.name}${e.formula ? ` = ${e.formula}` : ''}${e.longName ? ` : ${e.longName}` : ''} [${e.unit}]`;
  for (const p of profile.parts) {
    const list = (v: readonly (number | bigint)[] | null) => (v ? v.join(' ') : '-');
    yield `part ${p.part ?? '-'} thread ${p.thread ?? '-'} pid ${p.pid ?? '-'} summary ${list(p.summary)} totals ${list(p.totals)}`;
  }
  const tables = tablesOf(profile);
  // Programs are named by the executables of processes.
  const named = tables.can.includes('routines') ? routines.name.length : 0;
  for (let r = 0; r < named; r++) {
    yield `routine ${r} ${name(routines.name[r])} file ${name(files.name[routines.file[r]])} object ${name(objects.name[routines.object[r]])}${routines.line?.[r] ? ` line ${routines.line[r]}` : ''}`;
  }
  yield* tables.dump(name);
  for (const w of profile.warnings) yield `warning ${w.line ?? w.offset ?? '-'} ${w.found}`;
  if (profile.cut) yield `cut ${profile.cut.line ?? profile.cut.offset ?? '-'} ${profile.cut.found}`;
}
