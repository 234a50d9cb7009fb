// What reports are made from, as `--print` has it without flags.
import { analyse } from '../../src/analysis/analyse.ts';
import { allEvents } from '../../src/analysis/events.ts';
import { compileFilter } from '../../src/base/match.ts';
import type { Profile } from '../../src/model/profile.ts';
import { matchesIn, type ReportContext } from '../../src/reports/report.ts';

export function contextOf(profile: Profile): ReportContext {
  const analysis = analyse(profile, allEvents(profile.events, []));
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
    matches: matchesIn(profile, compileFilter('')),
    filtered: false,
    routine: profile.routines.name.length > 0 ? 0 : undefined,
    source: () => 'not looked for',
    instrText: () => undefined,
    inverted: false,
    threshold: undefined,
    byContext: false,
    at: undefined,
    csvSafe: false,
  };
}
