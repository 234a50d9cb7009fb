// The work of the compilers of a build, as rows of tables; the gain without a header, and the costs of changing one.
import { groupByKey, memo, numbersAlong } from '../../base/lists.ts';
import { baseName } from '../../base/paths.ts';
import { templateSet } from '../../base/template-set.ts';
import { plural } from '../../base/units.ts';
import { indexBy, rowsOfKey } from '../../model/column.ts';
import type { ProfileOf } from '../../model/profile.ts';
import type { Compiles, Rebuilds, RepeatedWork } from '../../model/steps/compiles.ts';
import { stringAt } from '../../model/strings.ts';
import type { Analysis } from '../answers/analysis.ts';
import { simulateWithSavings } from './simulate.ts';

export const COMPILE_TABLES = [
  'headers',
  'templates',
  'template sets',
  'functions',
  'function sets',
  'units',
  'phases',
  'includes',
  'includers',
] as const;
export type CompileTable = (typeof COMPILE_TABLES)[number];

/** A row of any of the tables. Times are microseconds; NaN where the table has no such time. */
export interface CompileRow extends Readonly<Record<'us' | 'selfUs' | 'count' | 'units' | 'depth', number>> {
  readonly table: CompileTable | 'rebuilds';
  /** The row's index in the profile's table; -1 for rows computed here. */
  readonly at: number;
  readonly name: string;
  /** For units: backend time. For functions: time to generate code. */
  readonly otherUs: number;
  /** The unit in which the work took longest. For a unit, the unit itself. */
  readonly unit: number;
  /** For a path of includes: the header that includes the row's header directly. */
  readonly includer?: string | undefined;
  /** Additional costs of a phase in GCC's reports. */
  readonly more?: { readonly userUs: number; readonly systemUs: number; readonly bytes: number };
}

const unitTableOf = ({ steps: { compiles, rebuilds } }: ProfileOf<'steps'>, { table }: CompileRow) =>
  (table === 'rebuilds' ? rebuilds : compiles)?.units;

/** The step of a row's unit; -1 if there is none. */
export const stepOfRow = (profile: ProfileOf<'steps'>, row: CompileRow): number =>
  unitTableOf(profile, row)?.step[row.unit] ?? -1;

/** Path of the trace of a row's unit; undefined if it no longer exists. */
export function traceOfRow(profile: ProfileOf<'steps'>, row: CompileRow): string | undefined {
  const id = row.table === 'rebuilds' ? -1 : (compilesOf(profile).units.trace[row.unit] ?? -1);
  if (id >= 0) return stringAt(profile.strings, id);
  const step = stepOfRow(profile, row);
  const own = step < 0 ? -1 : profile.steps.trace[step];
  return own < 0 ? undefined : stringAt(profile.strings, own);
}

export const unitName = (profile: ProfileOf<'steps'>, row: CompileRow): string =>
  stringAt(profile.strings, unitTableOf(profile, row)?.name[row.unit] ?? -1);

export function compilesOf(profile: ProfileOf<'steps'>): Compiles {
  const { compiles } = profile.steps;
  if (!compiles) throw new Error('the profile does not say what the compilers did');
  return compiles;
}

const WITHOUT_WORK_TIMES = { selfUs: Number.NaN, otherUs: Number.NaN, depth: 0 };

function workRows(profile: ProfileOf<'steps'>, table: CompileTable, work: RepeatedWork, otherUs?: Float64Array): CompileRow[] {
  return Array.from(work.name, (name, at) => ({
    ...WITHOUT_WORK_TIMES,
    table,
    at,
    name: stringAt(profile.strings, name),
    us: work.us[at],
    selfUs: otherUs ? Number.NaN : work.selfUs[at],
    otherUs: otherUs?.[at] ?? Number.NaN,
    count: work.count[at],
    units: work.units[at],
    unit: work.worst[at],
  }));
}

/** Functions of templates, grouped by template. The unit of a group is that of its most expensive function. */
function functionSets(rows: readonly CompileRow[]): CompileRow[] {
  const ofTemplates = rows.filter((row) => row.name.includes('<'));
  const sets = groupByKey(ofTemplates, (row) => templateSet(row.name));
  return Array.from(sets, ([name, list]) => {
    const { unit } = list.reduce((most, row) => (totalUs(row) > totalUs(most) ? row : most));
    const sum = (of: 'us' | 'otherUs' | 'count') => list.reduce((all, row) => all + row[of], 0);
    const [us, otherUs, count] = [sum('us'), sum('otherUs'), sum('count')];
    const units = list.length > 1 ? Number.NaN : list[0].units;
    return { ...WITHOUT_WORK_TIMES, table: 'function sets', at: -1, name, us, otherUs, count, units, unit };
  });
}

/** The tree of includes, most expensive first, each header below its includer; cheap includes are left out. */
function includeRows(profile: ProfileOf<'steps'>, { includes, headers }: Compiles): CompileRow[] {
  const parents = includes.parent.map((p) => p + 1);
  const index = indexBy(parents, includes.header.length + 1);
  const whole = includes.us.reduce((sum, us, k) => (includes.parent[k] < 0 ? sum + us : sum), 0);
  const belowOf = (node: number) =>
    Array.from(rowsOfKey(index, node + 1))
      .filter((k) => includes.us[k] >= whole * MIN_INCLUDE_SHARE)
      .sort((a, b) => includes.us[b] - includes.us[a] || a - b);
  const rows: CompileRow[] = [];
  const waiting = [{ node: -1, depth: -1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next;
    for (const k of belowOf(node).reverse()) waiting.push({ node: k, depth: depth + 1 });
    if (node < 0) continue;
    const inside = Array.from(rowsOfKey(index, node + 1)).reduce((sum, k) => sum + includes.us[k], 0);
    const header = includes.header[node];
    rows.push({
      ...WITHOUT_WORK_TIMES,
      ...{ table: 'includes', at: node, name: stringAt(profile.strings, headers.name[header]), depth },
      ...{ us: includes.us[node], selfUs: Math.max(0, includes.us[node] - inside), count: includes.count[node] },
      ...{ units: Number.NaN, unit: headers.worst[header] },
    });
  }
  return rows;
}

/** The headers, most expensive first, each with the paths by which it is included; cheap headers are left out. */
function includerRows(analysis: Analysis<'steps'>): CompileRow[] {
  const headers = compileRows(analysis, 'headers');
  const least = MIN_INCLUDE_SHARE * (headers[0]?.us ?? 0);
  return headers.flatMap((header) => {
    if (header.us < least) return [];
    const path = { ...header, ...WITHOUT_WORK_TIMES, table: 'includers' as const, units: Number.NaN, unit: -1, depth: 1 };
    const chains = includeChains(analysis.profile, header.at);
    const rest = chains.slice(MAX_INCLUDE_PATHS);
    const sum = (of: 'us' | 'count') => rest.reduce((all, chain) => all + chain[of], 0);
    return [
      { ...header, table: 'includers' as const },
      ...chains.slice(0, MAX_INCLUDE_PATHS).map(({ through, us, count }) => {
        return { ...path, name: pathText(through), us, count, includer: through.at(-1) };
      }),
      ...(rest.length > 0 ? [{ ...path, name: plural(rest.length, 'more path'), us: sum('us'), count: sum('count') }] : []),
    ];
  });
}

/** The files through which a source includes a header: `all.h > vector.h`. */
export const pathText = (through: readonly string[]): string =>
  through.length === 0 ? 'sources themselves' : through.map(baseName).join(' > ');

/** The most paths listed below a header; one more row sums the others. */
const MAX_INCLUDE_PATHS = 20;
const MIN_INCLUDE_SHARE = 0.0005;

/** The rows of a table, most expensive first; includes in the order of their tree. */
export const compileRows = memo((analysis: Analysis<'steps'>, table: CompileTable): readonly CompileRow[] => {
  const { profile } = analysis;
  const compiles = compilesOf(profile);
  if (table === 'includes') return includeRows(profile, compiles);
  if (table === 'includers') return includerRows(analysis);
  return compileRowsOf(profile, table, compiles).sort((a, b) => totalUs(b) - totalUs(a) || (a.name < b.name ? -1 : 1));
}, 16);

function compileRowsOf(
  profile: ProfileOf<'steps'>,
  table: Exclude<CompileTable, 'includes' | 'includers'>,
  compiles: Compiles,
): CompileRow[] {
  const { headers, templates, templateSets, phases, functions, units } = compiles;
  if (table === 'units')
    return Array.from(units.name, (id, unit) => {
      const [name, times] = [stringAt(profile.strings, id), { us: units.frontendUs[unit], otherUs: units.backendUs[unit] }];
      return { ...WITHOUT_WORK_TIMES, table, at: unit, name, ...times, count: 1, units: 1, unit };
    });
  if (table === 'functions') return workRows(profile, table, functions, functions.generateUs);
  if (table === 'function sets') return functionSets(workRows(profile, 'functions', functions, functions.generateUs));
  const rows = workRows(profile, table, { headers, templates, 'template sets': templateSets, phases }[table]);
  const { userUs, systemUs, bytes } = phases;
  if (table !== 'phases' || !userUs || !systemUs || !bytes) return rows;
  return rows.map((row, at) => ({ ...row, more: { userUs: userUs[at], systemUs: systemUs[at], bytes: bytes[at] } }));
}

/** In GCC's reports: whether a phase adds up with others like it to the whole. Other phases lie inside these; those with a bar overlap. */
export const isWholePhase = (name: string): boolean => name.startsWith('phase ');

/** The sum of a row's two times, by which rows are sorted. */
export const totalUs = ({ us, otherUs }: CompileRow): number => us + (otherUs || 0);

/** How many compilers ran, and the time of all together, the base of a table's percentages. */
export const allCompilers = memo((analysis: Analysis<'steps'>) => {
  const { name, totalUs } = compilesOf(analysis.profile).units;
  return { count: name.length, us: totalUs.reduce((sum, us) => sum + us, 0) };
});

export type IncludeChain = ReturnType<typeof includeChains>[number];

/**
 * The paths by which a header is included, the most expensive first. `through`: the files from the one that the source includes down to the
 * one that includes the header; empty for a direct include.
 */
export function includeChains(profile: ProfileOf<'steps'>, header: number) {
  const { includes, headers } = compilesOf(profile);
  const chains = (nodesByHeader(compilesOf(profile)).get(header) ?? []).map((node) => {
    const above = numbersAlong(includes.parent, includes.parent[node]).reverse();
    const through = above.map((at) => stringAt(profile.strings, headers.name[includes.header[at]]));
    return { through, us: includes.us[node], count: includes.count[node] };
  });
  return chains.sort((a, b) => b.us - a.us);
}

const nodesByHeader = memo(({ includes }: Compiles) => groupByKey(includes.header.keys(), (node) => includes.header[node]));

export type HeaderGain = ReturnType<typeof gainWithoutHeader>;

/** Whether the gain is known only within a factor of more than two: then tables show only the lower end. */
export const isWideGain = ({ leastUs, mostUs }: HeaderGain): boolean => mostUs > 2 * leastUs;

/**
 * The time saved in a build without a header, in microseconds: at least its own time, at most also that of the headers below
 * it. Other files may include those too, which include guards hide. The simulation shortens the steps accordingly, and starts
 * each when its dependencies and a job slot are free. `simulated`: false where only the compilers' time is counted.
 */
export const gainWithoutHeader = memo((analysis: Analysis<'steps'>, header: number) => {
  const { units, uses } = compilesOf(analysis.profile);
  const [self, inclusive] = [new Map<number, number>(), new Map<number, number>()];
  let [selfUs, us] = [0, 0];
  for (let k = 0; k < uses.header.length; k++) {
    if (uses.header[k] !== header) continue;
    selfUs += Math.max(0, uses.selfUs[k]);
    us += uses.us[k];
    const step = units.step[uses.unit[k]];
    if (step < 0) continue;
    self.set(step, (self.get(step) ?? 0) + Math.max(0, uses.selfUs[k]));
    inclusive.set(step, (inclusive.get(step) ?? 0) + uses.us[k]);
  }
  const whole = simulateWithSavings(analysis, new Map());
  const [with1, with2] = [simulateWithSavings(analysis, self), simulateWithSavings(analysis, inclusive)];
  if (whole === undefined || with1 === undefined || with2 === undefined) return { leastUs: selfUs, mostUs: us, simulated: false };
  return { leastUs: Math.max(0, whole - with1), mostUs: Math.max(0, whole - Math.min(with1, with2)), simulated: true };
}, 64);

// The costs of changing a header.

export function rebuildsOf({ profile }: Analysis<'steps'>): Rebuilds {
  const { rebuilds } = profile.steps;
  if (!rebuilds) throw new Error('the profile does not say what is compiled again');
  return rebuilds;
}

/** Headers of the project itself, the most expensive change first. */
export const rebuildRows = memo((analysis: Analysis<'steps'>): readonly CompileRow[] => {
  const { name, us, units, worst } = rebuildsOf(analysis).headers;
  const rows = Array.from(name, (id, at): CompileRow => {
    const [table, text] = ['rebuilds' as const, stringAt(analysis.profile.strings, id)];
    return { ...WITHOUT_WORK_TIMES, table, at, name: text, us: us[at], count: units[at], units: units[at], unit: worst[at] };
  });
  return rows.sort((a, b) => b.us - a.us || b.units - a.units || (a.name < b.name ? -1 : 1));
}, 4);

/** The base of percentages: the time of all units, as far as it is known. Microseconds. */
export const allUnitsUs = memo((analysis: Analysis<'steps'>): number =>
  rebuildsOf(analysis).units.us.reduce((sum, us) => sum + (us || 0), 0),
);
