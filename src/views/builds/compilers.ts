// The Compilers view: compile times of a build in several tables, and the rebuilds that a changed header causes.

import {
  allCompilers,
  allUnitsUs,
  COMPILE_TABLES,
  gainWithoutHeader,
  includeChains,
  isWholePhase,
  pathText,
  rebuildsOf,
  stepOfRow,
  traceOfRow,
  unitName,
} from '../../analysis/builds/compiles.ts';
import { baseName } from '../../base/paths.ts';
import { plural } from '../../base/units.ts';
import { compileLists, gainText, rebuildList } from '../../columns/builds/compiles.ts';
import { timeOrUnknown } from '../../columns/times.ts';
import { rowsView } from '../parts/rows-view.ts';
import { joinFittingFacts } from '../parts/step-detail.ts';

const COMPILER_TABLES = [...COMPILE_TABLES, 'rebuilds'] as const;

/** How a phase of GCC's reports is related to the others. */
const gccPhaseText = (name: string): string =>
  isWholePhase(name)
    ? 'the rows named phase add up to the whole'
    : name.startsWith('|')
      ? 'it overlaps other rows'
      : 'inside the rows named phase';

export const compilersView = rowsView({
  id: 'compilers',
  title: 'Compilers',
  orRequires: 'rebuilds',
  lists: [...compileLists, rebuildList],
  empty: 'No data for this table; o lists the tables',
  variants: COMPILER_TABLES,
  opensFilled: true,
  variantKey: { help: `switch between ${COMPILER_TABLES.join(', ')}`, label: 'show' },
  detail(row, c) {
    const { profile } = c.analysis;
    if (row.table === 'includers' && row.depth > 0) {
      const facts = row.includer ? [`Enter shows who includes ${baseName(row.includer)}`, row.includer] : [row.name];
      return joinFittingFacts(c, facts);
    }
    const where = row.table === 'units' ? row.name : `${row.name}, longest in ${baseName(unitName(profile, row))}`;
    if (row.table === 'phases' && row.more) return joinFittingFacts(c, [where, gccPhaseText(row.name)]);
    if (row.table !== 'headers') return where;
    const gain = gainWithoutHeader(c.analysis, row.at);
    const of = gain.simulated ? 'the build (simulated)' : 'all compilers';
    const [chain] = includeChains(profile, row.at);
    return joinFittingFacts(c, [
      `removing it would save ${of} ${gainText(gain, timeOrUnknown)}`,
      chain ? `most by ${pathText(chain.through)} (${chain.count}x, ${timeOrUnknown(chain.us)})` : '',
      where,
    ]);
  },
  mode(rows, c, variant) {
    const table = COMPILER_TABLES[variant];
    if (table === 'rebuilds')
      return `${plural(rows.length, 'header')}, ${timeOrUnknown(allUnitsUs(c.analysis))} of ${plural(rebuildsOf(c.analysis).units.us.length, 'unit')}`;
    const { count, us } = allCompilers(c.analysis);
    return `${plural(rows.length, table === 'includers' ? 'row' : table.replace(/s$/, ''))}, ${timeOrUnknown(us)} of ${plural(count, 'compiler')}`;
  },
  step: (row, c) => stepOfRow(c.analysis.profile, row),
  // The cursor starts at the costliest row, not at one of the selected step.
  rowOf: () => -1,
  enter(row, c) {
    const path = traceOfRow(c.analysis.profile, row);
    return path === undefined ? undefined : { type: 'open-profile', path };
  },
  entersTable({ table, depth, name, includer }) {
    if (includer !== undefined) return { variant: COMPILER_TABLES.indexOf('includers'), name: includer };
    if (table !== 'headers' && (table !== 'includers' || depth > 0)) return undefined;
    return { variant: COMPILER_TABLES.indexOf(table === 'headers' ? 'includers' : 'headers'), name };
  },
  noEnterReason: ({ table, depth, includer }) =>
    table === 'includers' && depth > 0 && includer === undefined ? 'this row names no header to go to' : undefined,
  enterKey: { help: 'list who includes the header, open the trace of the slowest unit, or show its step', footer: 'open' },
});
