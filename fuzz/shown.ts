// What reports and exports are of: an analysis of the profile as it is shown, and the options of a run.
import { analyse } from '../src/analysis/answers/analyse.ts';
import type { Analysis } from '../src/analysis/answers/analysis.ts';
import { eventInMeasure } from '../src/analysis/answers/compared/measure.ts';
import { allEvents } from '../src/analysis/answers/events.ts';
import { type Granularity, granularitiesOf } from '../src/analysis/profiles/granularity/stacks.ts';
import { buildShownProfile } from '../src/analysis/profiles/shown.ts';
import { compileFilter } from '../src/base/match.ts';
import { MEASURES } from '../src/model/head.ts';
import type { Profile } from '../src/model/profile.ts';
import { makeRowFilter, type ReportContext } from '../src/reports/report.ts';
import { comparable, versusOf } from './oracle-compare.ts';
import type { Random } from './random.ts';
import { someTransforms } from './some-transforms.ts';
import type { Steps } from './steps.ts';

export const FORMS = ['json', 'csv', 'tsv', 'text 40', 'text 80', 'text 200', 'markdown', 'svg'] as const;
export type Form = (typeof FORMS)[number];

/** The profile by some granularity, with some transforms and a base; undefined if that threw. */
export async function someAnalysis(
  loaded: Profile,
  base: Profile | undefined,
  random: Random,
  steps: Steps,
): Promise<Analysis | undefined> {
  const by: Granularity = { name: random.chance(0.8) ? 'routine' : random.pick(granularitiesOf(loaded)), unknowns: 'object' };
  const profile = await steps.run('regrain', () =>
    buildShownProfile(loaded, {
      granularity: by,
      transforms: someTransforms(loaded, base, random),
      own: undefined,
      versus: base && comparable(loaded, base, by) ? versusOf(base) : undefined,
    }),
  );
  return profile && steps.run('analyse', () => analyse(profile, allEvents(profile.events, [])));
}

export function contextFor(sorts: readonly string[], form: Form, analysis: Analysis, random: Random): ReportContext {
  const { profile, events } = analysis;
  const chosen = random.chance(0.7) ? events[0] : random.pick(events);
  const event = analysis.before ? eventInMeasure(analysis, chosen, random.pick(MEASURES)) : chosen;
  const filter = random.chance(0.8) ? '' : random.pick(['a', '!a', '/./', '\u65e5', 'main']);
  const routines = profile.routines.name.length;
  const sortName = random.pick([undefined, undefined, ...sorts]);
  const medium = 'text' as const;
  const context = {
    analysis,
    event,
    extraEvents: random.chance(0.2) ? events.filter((e) => e !== chosen) : [],
    extraParts: [],
    percent: random.pick(['total', 'parent', 'none'] as const),
    names: random.pick(['fit', 'no-templates', 'no-parameters', 'whole'] as const),
    width: form.startsWith('text') ? Number(form.slice(5)) : 200,
    favourites: new Set<string>(),
    medium,
    sort:
      sortName === undefined
        ? undefined
        : { column: sortName === 'EVENT' ? event.name : sortName, descending: random.pick([undefined, true, false]) },
    limit: form.startsWith('text') || form === 'markdown' ? 40 : random.pick([Number.POSITIVE_INFINITY, 1, 0]),
    matches: makeRowFilter(profile, compileFilter(filter)),
    filtered: filter !== '',
    routine: routines > 0 && random.chance(0.6) ? random.below(routines) : undefined,
    inverted: random.chance(0.3),
    threshold: random.pick([undefined, undefined, 0, 100]),
    byContext: random.chance(0.3),
    predictedSize: random.pick([undefined, 0, 1000, 1e15]),
    ascii: random.chance(0.1),
    base: analysis.before,
    instrText: () => undefined,
    run: 'run',
    csvSafe: random.chance(0.2),
    source: (file: string) =>
      random.chance(0.5) ? 'no such file' : { path: file, newer: false, lines: ['int a;', '\u001b[31m', '\u65e5\t{', ''] },
  };
  return context;
}
