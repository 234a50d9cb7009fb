// The columns of snapshots: the memory of a program at moments of its run.
import { memo } from '../base/memo.ts';
import { ends, visible } from '../base/text.ts';
import type { Snapshots } from '../model/stacks/snapshots.ts';
import { barColumn, counts, data, largest, words } from './builders.ts';
import type { Column, ColumnContext, Table } from './column.ts';
import type { Listing } from './listing.ts';

type Context = ColumnContext<'stacks'>;

const NONE: Snapshots = {
  ...{ timeUnit: '', number: new Float64Array(0), time: new Float64Array(0), heap: new Float64Array(0) },
  ...{ extra: new Float64Array(0), stacks: new Float64Array(0), part: new Int32Array(0), peak: -1 },
};

export const snapshotsOf = ({ analysis }: Pick<Context, 'analysis'>): Snapshots => analysis.profile.snapshots ?? NONE;

/** The unit of times, as a file that may say anything has it. */
export const timeUnit = ({ timeUnit: unit }: Snapshots): string => visible(ends(unit, 30));

/** Bytes by snapshot: of the heap, of what the allocator adds, and of stacks. */
export const totalsOf = memo(
  ({ heap, extra, stacks }: Snapshots): Float64Array => heap.map((b, i) => b + extra[i] + stacks[i]),
  4,
);

const rowsOf = memo(({ part }: Snapshots): readonly number[] => Array.from(part.keys()), 4);

/** The peak, a snapshot with stacks, or one of numbers alone. */
export const kindOf = ({ peak, part }: Snapshots, row: number): string =>
  row === peak ? 'peak' : part[row] < 0 ? '' : 'detailed';

/** Rows are numbers of rows. */
const table: Table<number, 'stacks'> = {
  keys: ['snapshot', 'time', 'total', 'heap', 'extra', 'stacks', 'kind', 'part'],
  columns(c) {
    const own = snapshotsOf(c);
    const totals = totalsOf(own);
    const amount = (id: string, of: ArrayLike<number>, rank: number, title = id): Column<number> =>
      counts(id, (row) => of[row], { title, width: 14, rank });
    return [
      counts('snapshot', (row) => own.number[row], { title: '#', width: 4, rank: 8 }),
      {
        ...amount('time', own.time, 9, own.timeUnit === 'ms' ? 'time ms' : 'time'),
        ascends: true,
      },
      amount('total', totals, 9),
      ...barColumn<number>(
        c,
        (row) => totals[row],
        largest(totals, (v) => v),
      ),
      amount('heap', own.heap, 7),
      amount('extra', own.extra, 4),
      amount('stacks', own.stacks, 4),
      words('kind', (row) => kindOf(own, row), { width: 10, rank: 8, style: 'dim', flex: 1 }),
      data('part', (row) => (own.part[row] < 0 ? null : own.part[row] + 1)),
    ];
  },
};

export const snapshotList: Listing<number, 'stacks'> = {
  ...{ name: 'snapshots', asks: ['snapshots'], kind: 'stacks' },
  table: () => table,
  all: (c) => rowsOf(snapshotsOf(c)),
  texts: (row, c) => [`${snapshotsOf(c).number[row]}`, kindOf(snapshotsOf(c), row)],
};
