// The options about rows, and the reports that use them: the command line and the library refuse them for the others.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { analysisInUnit } from '../analysis/answers/in-unit.ts';
import { routineName } from '../analysis/names/names.ts';
import { requireEvent, requireRoutine } from '../analysis/profiles/choices.ts';
import { parseConditions } from '../base/conditions.ts';
import { UsageError } from '../base/errors.ts';
import { sortedByKey } from '../base/lists.ts';
import { compilePattern } from '../base/pattern.ts';
import { type Event, eventValue, type Measure } from '../model/head.ts';
import type { Report } from './print.ts';
import { filterFields, type ReportContext } from './report.ts';

/** Views with columns of times, which --unit converts; in the others, it converts costs. */
export const VIEWS_OF_TIMES: readonly string[] = [
  ...'steps gantt waterfall timeline targets criticalpath longestchain load narrow whatif stages tests changes'.split(' '),
  ...'headers templates templatesets functions functionsets units phases includes includers rebuilds'.split(' '),
  ...'history courses targetcourses'.split(' '),
];

/** The views of --print that use an option; options that are not here are for all of them, or refused below. */
export const VIEWS_OF_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  threshold: 'routines calls lines source instrs graph tree flame dot'.split(' '),
  ...{ depth: ['graph', 'dot'], cluster: ['graph', 'dot'], inverted: ['tree', 'flame'], contexts: ['inputs'], at: ['curve'] },
  ...{ context: ['source'], coverage: ['source'], syntax: ['instrs'], disassemble: ['instrs'], notes: ['routines'] },
  unit: [...'routines calls lines source instrs tree graph labels stacks'.split(' '), ...VIEWS_OF_TIMES],
  routine: 'routines routine calls lines source instrs tree graph dot flame inputs curves curve'.split(' '),
  measure: 'summary routines calls lines source instrs tree graph flame inputs curves processes'.split(' '),
};
/** The units of --unit; percent: of the total. */
export const COST_UNITS = ['ns', 'us', 'ms', 's', 'B', 'KiB', 'MiB', 'GiB', 'percent'] as const;
const VIEWS_OF_SEVERAL_ROUTINES = ['source', 'instrs', 'calls', 'lines'];
/** Reports about a whole profile or a single curve. */
export const UNFILTERED_REPORTS: ReadonlySet<string> = new Set(['summary', 'curve']);

/** Throws UsageError for an option that the report does not use. `given`: the names of the flags; `compared`: there is a base. */
export function refuseUnusedOptions(report: Report, given: ReadonlySet<string>, filter = '', compared = false): void {
  const { name, sorts, compares, isArray } = report;
  if (filter.trim() !== '' && UNFILTERED_REPORTS.has(name))
    throw new UsageError(`--filter: ${name} has no rows to filter; views with rows have, such as --print routines`);
  if ((name === 'source' || name === 'brief' || isArray) && parseConditions(filter, () => ['self', 'inclusive', 'calls']))
    throw new UsageError(`--filter ${filter}: conditions on columns are for lists; the filter of ${name} takes names`);
  for (const [option, views] of Object.entries(VIEWS_OF_OPTIONS))
    if (given.has(option) && !views.includes(name))
      throw new UsageError(`--${option}: ${name} does not use it; views that do: ${views.join(', ')}`);
  if (given.has('depth') && name === 'dot' && !given.has('routine'))
    throw new UsageError('--depth goes with --routine in dot, which draws the whole graph without one');
  if (given.has('coverage') && (given.has('routine') || filter !== ''))
    throw new UsageError('--coverage chooses the files, as --routine and --filter do: give one of them');
  if (name === 'routine' && given.has('event')) throw new UsageError('--event: routine has all of them side by side');
  const costFlag = isArray ? ['event', 'derive'].find((option) => given.has(option)) : undefined;
  if (costFlag !== undefined) throw new UsageError(`--${costFlag}: ${name} has no costs of events`);
  if (given.has('sort') && sorts.length === 0) throw new UsageError(`--sort: the rows of ${name} are in an order of their own`);
  if (given.has('limit') && ['brief', 'summary'].includes(name))
    throw new UsageError(`--limit: ${name} has a length of its own; --print routines has all`);
  if (compared && !compares) throw new UsageError(`--base: the form of ${name} cannot hold two runs`);
}

/** The options that say which rows a report has. `routine`: an id, or the word of --routine. */
interface RowChoices extends Partial<Pick<ReportContext, 'sort' | 'inverted' | 'threshold' | 'depth' | 'cluster' | 'coverage'>> {
  readonly event?: string | undefined;
  readonly measure?: Measure;
  readonly filter?: string;
  readonly routine?: string | number | undefined;
  readonly context?: number | undefined;
}

/** The routine that --routine names; or, for an expression, those that match: the most expensive first, with their callees if these are known. */
function chooseRoutines({ profile, totals, costing }: Analysis, event: Event, view: string, wanted: RowChoices['routine']) {
  if (typeof wanted !== 'string') return { routine: wanted };
  const [, text, flags] = /^\/(.+)\/([imsu]*)$/.exec(wanted) ?? []; // bounded: an argument
  if (text === undefined) return { routine: requireRoutine(profile, wanted) };
  const refuse = (why: string) => new UsageError(`--routine ${wanted}: ${why}`);
  if (!VIEWS_OF_SEVERAL_ROUTINES.includes(view))
    throw refuse(`an expression may name several routines; views that list them: ${VIEWS_OF_SEVERAL_ROUTINES.join(', ')}`);
  const { test } = compilePattern(text, flags);
  const found = [...profile.routines.name.keys()].filter((r) => test(routineName(profile, r)));
  if (found.length === 0) throw refuse('no routine matches');
  const costs = costing.can.has('inclusive') ? totals.inclusive : totals.self;
  return { routine: undefined, routines: sortedByKey(found, (r) => Math.abs(eventValue(event, costs, r)), true) };
}

/** The context of a report with these options, of any width and length. Throws ChoiceError, UsageError and PatternError. */
export function chooseContext(analysis: Analysis, view: string, choices: RowChoices): Omit<ReportContext, 'source'> {
  const { measure = 'delta', routine, sort, inverted = false, threshold, depth, cluster, coverage, context } = choices;
  const event = eventInMeasure(analysis, requireEvent(analysis, choices.event), measure);
  if (cluster && analysis.profile[`${cluster}s`].name.length === 0)
    throw new UsageError(`--cluster ${cluster}: the profile names no ${cluster}s`);
  return {
    ...{ analysis, event, base: analysis.before, extraEvents: [], extraParts: [], favourites: new Set<never>() },
    ...({ percent: 'total', names: 'whole', width: 200, ascii: false, medium: 'text' } as const),
    ...{ sort, inverted, threshold, depth, cluster, coverage, contextLines: context, limit: Number.POSITIVE_INFINITY },
    ...filterFields(analysis.profile, choices.filter ?? ''),
    ...chooseRoutines(analysis, event, view, routine),
    run: analysis.profile.paths[0] ?? '',
  };
}

/** The analysis with its costs in the unit of --unit; in views of times, the unit is that of the columns. */
export function chooseUnit(analysis: Analysis, view: string, unit: string | undefined) {
  const timeUnit = VIEWS_OF_TIMES.includes(view) ? unit : undefined;
  return { timeUnit, analysis: unit === undefined || timeUnit ? analysis : analysisInUnit(analysis, unit) };
}
