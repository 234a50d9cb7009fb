// The columns of memory snapshots.
import { memo } from '../base/lists.ts';
import { keepEnds, visible } from '../base/text.ts';
import { formatBytes, formatCount } from '../base/units.ts';
import type { Snapshots } from '../model/stacks/tables.ts';
import { barColumn, dataColumn, largestMagnitude, numberColumn, wordColumn } from './builders.ts';
import { type Column, type ColumnContext, onScreen } from './column.ts';
import { makeListing } from './listing.ts';

const NO_SNAPSHOTS: Snapshots = {
  ...{ timeUnit: '', number: new Float64Array(0), time: new Float64Array(0), heap: new Float64Array(0) },
  ...{ extra: new Float64Array(0), stacks: new Float64Array(0), part: new Int32Array(0), peak: -1 },
};

export const snapshotsOf = ({ analysis }: Pick<ColumnContext<'stacks'>, 'analysis'>): Snapshots =>
  analysis.profile.snapshots ?? NO_SNAPSHOTS;

/** The time unit of snapshots. Special characters are replaced, because the unit comes from the file. */
export const timeUnitText = ({ timeUnit: unit }: Snapshots): string => visible(keepEnds(unit, 30));

/** Total bytes by snapshot: heap, allocator overhead and stacks. */
export const totalBytesOf = memo(({ heap, extra, stacks }: Snapshots) => heap.map((b, i) => b + extra[i] + stacks[i]), 4);

const snapshotRows = memo(({ part }: Snapshots): readonly number[] => Array.from(part.keys()), 4);

/** The kind of a snapshot: `peak`, `detailed` if it has stacks, '' if it has only totals. */
export const snapshotKindOf = ({ peak, part }: Snapshots, row: number): string =>
  row === peak ? 'peak' : part[row] < 0 ? '' : 'detailed';

/** The list of snapshots. A row is the index of a snapshot. */
export const snapshotList = makeListing<number, 'stacks'>({
  ...{ name: 'snapshots', requires: ['snapshots'], kind: 'stacks' },
  keys: ['snapshot', 'time', 'total', 'heap', 'extra', 'stacks', 'kind', 'part'],
  columns(c) {
    const own = snapshotsOf(c);
    const totals = totalBytesOf(own);
    const isCount = own.timeUnit === 'instructions';
    const timeTitle = own.timeUnit === 'ms' ? 'time ms' : onScreen(c, isCount ? 'instructions' : 'time', 'time');
    const most = largestMagnitude(totals, (bytes) => bytes);
    const amount = (id: string, of: ArrayLike<number>, rank: number, title = id): Column<number> =>
      numberColumn(id, (row) => of[row], { title, width: 14, rank });
    const bytes = (id: string, of: Float64Array, rank: number): Column<number> => {
      const text = (row: number) => onScreen(c, formatBytes, formatCount)(of[row]);
      // A column of zeros says nothing.
      const isShown = c.medium === 'text' || of.some((n) => n !== 0);
      return { ...amount(id, of, rank), width: 10, unit: 'bytes', text: isShown ? text : undefined };
    };
    return [
      numberColumn('snapshot', (row) => own.number[row], { title: '#', width: 4, rank: 8 }),
      { ...amount('time', own.time, 9, timeTitle), ascends: true },
      bytes('total', totals, 9),
      ...barColumn<number>(c, (row) => totals[row], most),
      bytes('heap', own.heap, 7),
      bytes('extra', own.extra, 4),
      bytes('stacks', own.stacks, 4),
      wordColumn('kind', (row) => snapshotKindOf(own, row), { width: 10, rank: 8, style: 'dim', flex: 1 }),
      dataColumn('part', (row) => (own.part[row] < 0 ? null : own.part[row] + 1)),
    ];
  },
  all: (c) => snapshotRows(snapshotsOf(c)),
  texts: (row, c) => [`${snapshotsOf(c).number[row]}`, snapshotKindOf(snapshotsOf(c), row)],
});
