// The columns of distinct stacks of samples: cost, samples, labels, and the routines from the outermost to the innermost.
import { type DistinctStack, distinctStacks, labelsOfStack } from '../analysis/answers/stacks/tags.ts';
import { nameInData, routineName } from '../analysis/names/names.ts';
import { baseName } from '../base/paths.ts';
import { exactValue } from '../model/head.ts';
import { dataColumn, displayColumn } from './builders.ts';
import { chainCell } from './chain-names.ts';
import type { Column, ColumnContext, Json } from './column.ts';
import { costJson } from './costs.ts';
import { makeListing } from './listing.ts';
import { sampleCostColumns, tellingKeys } from './tags.ts';

const stacksOf = ({ analysis }: ColumnContext<'stacks'>) => distinctStacks(analysis.profile, analysis.partsOff);

export function routinesOfStack({ analysis }: ColumnContext<'stacks'>, { stack }: DistinctStack): number[] {
  const { frames, stacks } = analysis.profile;
  return Array.from(stacks.frame.subarray(stacks.start[stack], stacks.start[stack + 1]), (f) => frames.routine[f]).reverse();
}

/** The names of the routines of a stack, the outermost first. */
export const namesOfStack = (c: ColumnContext<'stacks'>, row: DistinctStack): string[] =>
  routinesOfStack(c, row).map((routine) => routineName(c.analysis.profile, routine));

const MIN_WIDTH_WITH_LABELS = 120;
/** Values of a label that a text names. */
const MAX_VALUES = 4;

/** The labels of a stack's samples in words: `comm=make worker=1,2`. `among`: only these, and files without folders. */
export const labelsText = ({ analysis }: ColumnContext<'stacks'>, row: DistinctStack, among?: ReadonlySet<string>): string =>
  [...labelsOfStack(analysis.profile, row)]
    .filter(([key]) => among?.has(key) ?? true)
    .map(([key, values]) => {
      const left = values.size - MAX_VALUES;
      const named = Array.from(values)
        .slice(0, MAX_VALUES)
        .map(among ? baseName : String);
      return `${key}=${named.join(',')}${left > 0 ? ` and ${left} more` : ''}`;
    })
    .join(' ');

/** The samples of a stack; null if the profile does not count samples. */
export function samplesOfStack(c: ColumnContext<'stacks'>, { row }: DistinctStack): Json {
  const event = c.analysis.events.find(({ unit, measure }) => unit === 'samples' && measure === undefined);
  return event ? costJson(event, stacksOf(c).costs, row) : null;
}

export const costOfStack = (c: ColumnContext<'stacks'>, { row }: DistinctStack) => exactValue(c.event, stacksOf(c).costs, row);

export const stackList = makeListing<DistinctStack, 'stacks'>({
  ...{ name: 'stacks', requires: ['samples'], kind: 'stacks' },
  keys: ['stack', 'cost', 'count', 'labels'],
  columns: stackColumns,
  all: (c) => stacksOf(c).stacks,
  texts: (row, c) => [namesOfStack(c, row).join(';'), labelsText(c, row)],
});

const labelsJson = ({ analysis }: ColumnContext<'stacks'>, row: DistinctStack): Json =>
  Object.fromEntries(Array.from(labelsOfStack(analysis.profile, row), ([key, values]) => [key, [...values]]));

function stackColumns(c: ColumnContext<'stacks'>): Column<DistinctStack>[] {
  const { stacks, costs } = stacksOf(c);
  const { profile } = c.analysis;
  // A narrow screen has labels only in the status line.
  const telling = c.width < MIN_WIDTH_WITH_LABELS ? new Set<string>() : tellingKeys(c);
  const layout = { width: 20, rank: 4, cut: 'end', only: 'screen' } as const;
  const labels = displayColumn<DistinctStack>('labels', (r) => labelsText(c, r, telling), layout);
  return [
    ...sampleCostColumns<DistinctStack>(c, costs, stacks),
    dataColumn('count', (r) => samplesOfStack(c, r)),
    dataColumn('labels', (r) => labelsJson(c, r)),
    ...(telling.size > 0 ? [labels] : []),
    dataColumn('stack', (r) => routinesOfStack(c, r).map((routine) => nameInData(profile, routine)), {
      ...{ width: 20, flex: 1, rank: 9 },
      text: (r) => {
        const links = routinesOfStack(c, r).map((routine) => ({ routine }));
        return links.length === 0 ? { text: '(no frame)', style: 'dim' } : chainCell(c, links, '', false);
      },
    }),
  ];
}
