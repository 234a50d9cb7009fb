// The Growth view: how the cost of each routine grows with its input size, sorted by growth and cost.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { doubtText, isUnclear } from '../../analysis/growth/fit.ts';
import { type RoutineLaw, routineLaws } from '../../analysis/growth/laws.ts';
import { routineDetail, routineName, routineObject } from '../../analysis/names/names.ts';
import { isOwnRoutine } from '../../analysis/names/origin.ts';
import { memo, sortedByKey, withFirst } from '../../base/lists.ts';
import { filterStatusText, IncrementalFilter, type Matcher } from '../../base/match.ts';
import { cellWidth, visible } from '../../base/text.ts';
import { formatCount, formatShort, plural } from '../../base/units.ts';
import { conditionNames, filterOfRows } from '../../columns/conditions.ts';
import { lawTable } from '../../columns/growth/laws.ts';
import { tableSection } from '../overview.ts';
import { listView, START, withCursorAt } from '../parts/list.ts';
import { makeStableContext } from '../parts/remembered.ts';
import { makeSorting, type SortAction, type SortedList } from '../parts/sorting.ts';
import { drawTable, emptyTableText } from '../parts/table.ts';
import { type Binding, key, type ViewContext } from '../view.ts';

interface GrowthState extends SortedList {
  readonly favourites: boolean;
}

type GrowthAction = { readonly type: 'enter' | 'star' | 'only-favourites' } | SortAction;

/** The filter of the laws, in slices, because conditions may need the laws of all routines. */
const lawFilterOf = memo((c: ViewContext<'inputs'>, matcher: Matcher) => {
  const { profile } = c.analysis;
  const texts = (l: RoutineLaw) => [routineName(profile, l.routine), routineObject(profile, l.routine) ?? ''];
  return filterOfRows(matcher, routineLaws(c.analysis), () => lawTable.columns(c), c, texts);
});

/** Columns that need the laws of all routines, which are fitted on first use. */
const LAW_COLUMNS = new Set(['best', 'r2', 'slope', 'tenfold', 'before']);

const sortKeyProgress = memo((analysis: Analysis<'inputs'>, sort: string, c: ViewContext<'inputs'>) => {
  const key = lawTable.columns(c).find((column) => column.id === sort)?.key;
  return new IncrementalFilter(routineLaws(analysis), (l) => key?.(l) !== undefined);
});
const sortProgress = ({ sort }: GrowthState, c: ViewContext<'inputs'>) =>
  LAW_COLUMNS.has(sort) ? sortKeyProgress(c.analysis, sort, stableContext(c)).runOnce(c.timeBudgetMs) : undefined;

const runLawFilter = (c: ViewContext<'inputs'>) => c.matcher && lawFilterOf(stableContext(c), c.matcher).runOnce(c.timeBudgetMs);

const favouriteLaws = memo((laws: readonly RoutineLaw[], { profile }: Analysis, favourites: ReadonlySet<string>) =>
  laws.filter(({ routine }) => favourites.has(routineName(profile, routine))),
);

const sortedLaws = memo(
  (laws: readonly RoutineLaw[], sort: string, descending: boolean, c: ViewContext<'inputs'>): RoutineLaw[] => {
    const key = lawTable.columns(c).find((column) => column.id === sort)?.key;
    return sortedByKey(laws, key ?? ((law) => routineName(c.analysis.profile, law.routine)), descending);
  },
  4,
);

const stableContext = makeStableContext<'inputs'>();

function shownLaws(state: GrowthState, c: ViewContext<'inputs'>): RoutineLaw[] {
  const passing = runLawFilter(c)?.passingRows() ?? routineLaws(c.analysis);
  const laws = state.favourites ? favouriteLaws(passing, c.analysis, c.favourites) : passing;
  const sort = sortProgress(state, c)?.done === false ? SCORE_SORT : state.sort;
  return sortedLaws(laws, sort, state.descending, stableContext(c));
}

const SCORE_SORT = 'score';

const sorting = makeSorting<GrowthState, RoutineLaw, 'inputs'>(lawTable.columns, { ownOrder: SCORE_SORT });

const KEYS: readonly Binding<GrowthState, GrowthAction, 'inputs'>[] = [
  key('enter', { type: 'enter' }, 'view', 'show the curve of the routine', { footer: 'curve' }),
  ...sorting.keys,
  key('', { type: 'star' }, 'do', 'toggle favourite (kept in .proftui.json)', {
    off: (state, c) => (routineAt(state, c) < 0 ? 'there are no rows: no routine to mark' : undefined),
  }),
  key('', { type: 'only-favourites' }, 'find', 'show only favourites, or all', {
    off: (state, c) => (!state.favourites && c.favourites.size === 0 ? 'there are no favourites; o adds the routine' : undefined),
  }),
];

const routineAt = (state: GrowthState, c: ViewContext<'inputs'>) => shownLaws(state, c)[state.list.cursor]?.routine ?? -1;

const ownFirst = memo((laws: readonly RoutineLaw[], { profile }: Analysis) =>
  withFirst(laws, ({ routine }) => isOwnRoutine(profile, routine)),
);

/** The section of the Overview: the routines whose cost grows worst, weighted by cost. */
export const growthSection = tableSection<RoutineLaw, 'inputs'>({
  list: {
    ...{ name: 'curves', requires: ['inputs'], kind: 'inputs' },
    table: () => lawTable,
    all: ({ analysis }) => routineLaws(analysis),
    texts: ({ routine }, { analysis }) => [routineName(analysis.profile, routine)],
  },
  rows: (c) => ownFirst(sortedLaws(routineLaws(c.analysis), SCORE_SORT, true, stableContext(c)), c.analysis),
  heading: ({ analysis }) =>
    `Growth × cost, own code first${routineLaws(analysis).some((l) => l.tenfold !== undefined && !l.fit?.undecided) ? '; ×10: a call at ten times the largest input' : ''}`,
  view: 'growth',
  opens: ({ routine }) => ({ type: 'show', view: 'curve', routine }),
});

export const growthView = listView({
  id: 'growth',
  title: 'Growth',
  listsRoutines: true,
  requires: ['inputs'],
  report: { name: 'curves', ofFocus: false },
  filterColumns: (_, c) => conditionNames(lawTable.columns(c)),
  followers: { beside: ['curve'], below: ['curve'] },
  kind: 'inputs',
  shifts: true,
  keys: KEYS,
  ...sorting.members,
  /** The cursor starts on own code, which can be changed. */
  init(c): GrowthState {
    const state: GrowthState = { favourites: false, ...sorting.initial(c) };
    const rows = shownLaws(state, c);
    const row = Math.max(
      0,
      rows.findIndex(({ routine }) => isOwnRoutine(c.analysis.profile, routine)),
    );
    return { ...state, list: withCursorAt(state.list, row, rows.length, c.height - 1) };
  },
  change: applyAction,
  work: (state, c, ms) => [sortProgress(state, c), runLawFilter(c)].every((work) => work?.run(ms) ?? true),
  findRoutine(state, routine, c) {
    const rows = shownLaws(state, c);
    const row = rows.findIndex((l) => l.routine === routine);
    return row < 0 ? state : { ...state, list: withCursorAt(state.list, row, rows.length, c.height - 1) };
  },
  draw: (state, c) =>
    drawTable(state.list, c.width, c.height, {
      columns: lawTable.columns(c),
      rows: shownLaws(state, c),
      chosen: c.chosenColumns,
      sorted: { id: state.sort, descending: state.descending },
      empty: emptyTableText(c, runLawFilter(c), 'the report has no points', 'no routine matches'),
    }),
  rowCount: (state, c) => shownLaws(state, c).length,
  rowText: (state, row, c) => routineName(c.analysis.profile, shownLaws(state, c)[row].routine),
  routineAt,
  request(state, action, c) {
    const routine = routineAt(state, c);
    if (routine < 0) return undefined;
    if (action.type === 'enter') return { type: 'show', view: 'curve', routine };
    return action.type === 'star' ? { type: 'favourite', name: routineName(c.analysis.profile, routine) } : undefined;
  },
  detail(state, c) {
    const law = shownLaws(state, c)[state.list.cursor];
    if (!law) return '';
    if (law.hidden) return `few sizes but many different costs: ${c.analysis.profile.inputs.misses ?? ''}`;
    const whole = routineDetail(c.analysis.profile, law.routine);
    if (law.tenfold === undefined) return whole;
    const by = law.tenfold < 1000 ? formatShort(law.tenfold) : formatCount(Math.round(law.tenfold));
    const isDoubtful = law.fit?.undecided === true;
    const unclear = isUnclear(law.fit) ? '; unclear: no law explains half of the differences' : undefined;
    const times = `; ×10: ten times the largest input costs ${isDoubtful ? 'at least ' : ''}${by} times as much`;
    // At least once as much says nothing: the column is blank.
    const tenfold = unclear ?? (isDoubtful && law.tenfold <= 1 ? '' : times);
    const undecidedNote = law.fit && isDoubtful && unclear === undefined ? `; ?: ${doubtText(law.fit)}` : '';
    const law1 = law.fit?.best === 'constant' ? '; law 1: the cost does not grow' : '';
    const name = routineName(c.analysis.profile, law.routine);
    const marks = law1 + undecidedNote;
    const texts = [whole + tenfold + marks, name + tenfold + marks, name + (marks || tenfold)];
    return texts.find((text) => cellWidth(visible(text)) <= c.width - 2) ?? whole;
  },
  printed(state, c) {
    const shownRows = { lawsOf: shownLaws(state, c).map((law) => law.routine) };
    const { sort: column, descending, favourites } = state;
    return { sort: { column, descending }, ...(favourites ? { notInReport: 'only favourites', shownRows } : {}) };
  },
  mode(state, c) {
    const count = plural(shownLaws(state, c).length, 'routine');
    // No column shows the score, so the tab line shows whether its order is ascending.
    const least = state.descending ? '' : ', least first';
    const column = lawTable.columns(c).find(({ id }) => id === state.sort);
    const by = state.sort === SCORE_SORT ? `growth × cost${least}` : (column?.title ?? state.sort);
    const sorted = sortProgress(state, c);
    const far = filterStatusText(undefined, sorted?.done === false ? sorted : undefined);
    const progressNotes = far + filterStatusText(c.matcher, runLawFilter(c));
    return `${count}${state.favourites ? ', favourites' : ''}, by ${by}${progressNotes}`;
  },
  rebase: (state) => state,
});

function applyAction(state: GrowthState, action: GrowthAction, c: ViewContext<'inputs'>): GrowthState {
  switch (action.type) {
    case 'only-favourites':
      return { ...state, favourites: !state.favourites, list: START };
    case 'enter':
    case 'star':
      return state;
    default:
      return sorting.change(state, action, c);
  }
}
