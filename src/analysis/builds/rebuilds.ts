// The costs of changing a header, as rows of a table.
import { memo } from '../../base/memo.ts';
import type { Rebuilds } from '../../model/steps/compiles.ts';
import { stringAt } from '../../model/strings.ts';
import type { Analysis } from '../answers/analysis.ts';
import { type CompileRow, WITHOUT_WORK_TIMES } from './compiles.ts';

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
