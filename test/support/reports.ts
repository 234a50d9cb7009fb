// What reports are made from, as `--print` has it without flags, and whether their numbers are any.
import assert from 'node:assert/strict';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { allEvents } from '../../src/analysis/answers/events.ts';
import { compileFilter } from '../../src/base/match.ts';
import { type Profile, questionsOf } from '../../src/model/profile.ts';
import { reports } from '../../src/reports/index.ts';
import { makeRowFilter, type ReportContext, ReportError } from '../../src/reports/report.ts';

export function contextOf(profile: Profile, partsOff?: ReadonlySet<number>): ReportContext {
  const analysis = analyse(profile, allEvents(profile.events, []), partsOff);
  return {
    analysis,
    event: analysis.events[0],
    extraEvents: analysis.events.slice(1),
    extraParts: [],
    percent: 'total',
    names: 'fit',
    width: 120,
    ascii: false,
    base: undefined,
    favourites: new Set(),
    medium: 'text',
    sort: undefined,
    limit: 300,
    matches: makeRowFilter(profile, compileFilter('')),
    filtered: false,
    routine: profile.routines.name.length > 0 ? 0 : undefined,
    source: () => 'not looked for',
    inverted: false,
    threshold: undefined,
    byContext: false,
    predictedSize: undefined,
    csvSafe: false,
    run: 'run',
  };
}

/** Where reports of a profile have numbers that are none, as `report key`. */
export async function wrongNumbers(profile: Profile): Promise<Set<string>> {
  const context = contextOf(profile);
  const answers = questionsOf(profile);
  const found = new Set<string>();
  const { stringify } = JSON;
  for (const report of reports) {
    if (!report.requires.every((q) => answers.has(q))) continue;
    // What is written is looked at before it becomes text.
    const look = (key: string, value: unknown) => {
      if (typeof value === 'number' && !Number.isFinite(value)) found.add(`${report.name} ${key}`);
      return typeof value === 'bigint' ? value.toString() : value;
    };
    JSON.stringify = (value: unknown) => stringify(value, look);
    try {
      await report.write('json', report.name === 'routines' ? { ...context, routine: undefined } : context, '0', async () => {});
    } catch (error) {
      assert.ok(error instanceof ReportError, `${report.name}: ${error}`);
    } finally {
      JSON.stringify = stringify;
    }
  }
  return found;
}
