// Growth: how the cost of each routine grows with its input; those that grow fastest and cost most come first.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { orderByNumber, orderByString } from '../../analysis/answers/order.ts';
import { type RoutineLaw, routineLaws } from '../../analysis/growth/laws.ts';
import { parseWhere } from '../../analysis/growth/where.ts';
import { routineDetail, routineName, routineObject } from '../../analysis/names/names.ts';
import { filterText, type Matcher } from '../../base/match.ts';
import { memo } from '../../base/memo.ts';
import { Sifting, siftingFor } from '../../base/sifting.ts';
import { cellWidth, visible } from '../../base/text.ts';
import { formatCount, formatShort, plural } from '../../base/units.ts';
import { readColumns, sortable, sortNamesOf } from '../../columns/column.ts';
import { lawTable } from '../../columns/growth/laws.ts';
import { entry } from '../open-view.ts';
import { at, type List, listView, START } from '../parts/list.ts';
import { changeSorting, type SortAction, type Sorting, sortKeys, startSorting } from '../parts/sorting.ts';
import { drawTable } from '../parts/table.ts';
import { type Binding, key, ofKind, type ViewContext } from '../view.ts';

interface GrowthState extends Sorting {
  readonly list: List;
  /** Conditions as typed; '' for none. */
  readonly where: string;
  readonly favourites: boolean;
}

type GrowthAction = { readonly type: 'enter' | 'ask-where' | 'star' | 'only-favourites' } | SortAction;

type Context = ViewContext<'inputs'>;

/** The filter's progress over the laws. */
const siftingOf = memo((analysis: Analysis<'inputs'>, matcher: Matcher) => {
  const { profile } = analysis;
  const texts = (l: RoutineLaw) => [routineName(profile, l.routine), routineObject(profile, l.routine) ?? ''];
  return siftingFor(matcher, routineLaws(analysis), texts);
});

/** The progress of the conditions: they may need the laws of all routines. */
const whereOf = memo((analysis: Analysis<'inputs'>, where: string, base: Analysis | undefined) => {
  const condition = parseWhere(where, analysis, base);
  return typeof condition === 'string' ? undefined : new Sifting(routineLaws(analysis), condition);
});

/** Columns that need the laws of all routines, which are found when they are first looked at. */
const OF_LAWS = new Set(['best', 'r2', 'slope', 'tenfold', 'before']);

/** The progress of finding what rows are sorted by. */
const keysOf = memo((analysis: Analysis<'inputs'>, sort: string, c: Context) => {
  const key = lawTable.columns(c).find((column) => column.id === sort)?.key;
  return new Sifting(routineLaws(analysis), (l) => key?.(l) !== undefined);
});
const sorting = ({ sort }: GrowthState, c: Context) =>
  OF_LAWS.has(sort) ? keysOf(c.analysis, sort, lasting(c)).begun(c.patienceMs) : undefined;

const filtering = (c: Context) => c.matcher && siftingOf(c.analysis, c.matcher).begun(c.patienceMs);
const meeting = ({ where }: GrowthState, c: Context) =>
  where === '' ? undefined : whereOf(c.analysis, where, c.base)?.begun(c.patienceMs);

/** The laws shown, in routine order. */
const chosen = memo(
  (
    analysis: Analysis<'inputs'>,
    where: Sifting<RoutineLaw> | undefined,
    filter: Sifting<RoutineLaw> | undefined,
    _versions: string,
    favourites: ReadonlySet<string> | undefined,
  ): RoutineLaw[] => {
    const { profile } = analysis;
    return routineLaws(analysis).filter((l, i) => {
      if (where && where.hit[i] === 0) return false;
      if (filter && filter.hit[i] === 0) return false;
      return !favourites || favourites.has(routineName(profile, l.routine));
    });
  },
  4,
);

const sorted = memo((laws: readonly RoutineLaw[], sort: string, descending: boolean, c: Context): RoutineLaw[] => {
  const { profile } = c.analysis;
  const key = lawTable.columns(c).find((column) => column.id === sort)?.key;
  const order =
    sort === 'routine' || !key
      ? orderByString(profile.strings, (i) => profile.routines.name[laws[i].routine], laws.length, descending)
      : orderByNumber(
          laws.map((l) => Number(key(l))),
          descending,
        );
  return Array.from(order, (i) => laws[i]);
}, 4);

// A new context is made for every key, so keep one for memo() until something that affects the rows changes.
let last: Context | undefined;

function lasting(c: Context): Context {
  if (last?.analysis !== c.analysis || last.base !== c.base) last = c;
  return last;
}

function rowsIn(state: GrowthState, c: Context): RoutineLaw[] {
  const where = meeting(state, c);
  const filter = filtering(c);
  const versions = `${where?.version} ${filter?.version}`;
  const laws = chosen(c.analysis, where, filter, versions, state.favourites ? c.favourites : undefined);
  const sort = sorting(state, c)?.done === false ? SCORE : state.sort;
  return sorted(laws, sort, state.descending, lasting(c));
}

const SCORE = 'score';

const KEYS: readonly Binding<GrowthState, GrowthAction, 'inputs'>[] = [
  key('enter', { type: 'enter' }, 'view', 'show the curve of the routine', { footer: 'curve' }),
  ...sortKeys<GrowthState, 'inputs'>((_, c) => [SCORE, ...sortChoices(c)]),
  key('', { type: 'ask-where' }, 'find', 'filter routines: sizes>5 r2>0.9 law=n2 share>1 change=worse'),
  key('*', { type: 'star' }, 'do', 'toggle favourite (kept in .proftui.json)', {
    off: (state, c) => (routineAt(state, c) < 0 ? 'there are no rows: no routine to mark' : undefined),
  }),
  key('', { type: 'only-favourites' }, 'find', 'show only favourites, or all', {
    off: (state, c) => (!state.favourites && c.favourites.size === 0 ? 'there are no favourites; * adds one' : undefined),
  }),
];

const routineAt = (state: GrowthState, c: Context) => rowsIn(state, c)[state.list.cursor]?.routine ?? -1;

export const growth = entry(
  listView({
    id: 'growth',
    title: 'Growth',
    digit: '5',
    listsRoutines: true,
    asks: ['inputs'],
    report: { name: 'curves', ofFocus: false },
    followers: { beside: ['curve'], below: ['curve'] },
    of: ofKind('inputs'),
    shifts: true,
    keys: KEYS,
    headings: {
      columns: (_, c) => lawTable.columns(c),
      sort: (column, _, c): GrowthAction | undefined => (sortChoices(c).includes(column) ? { type: 'sort', column } : undefined),
    },
    commands: [
      {
        name: 'where',
        arg: 'CONDITIONS',
        help: 'show only routines that meet conditions: sizes>5 r2>0.9',
        prompt: 'where: ',
        start: (state: GrowthState) => state.where,
        run(state, argument, c) {
          const wrong = parseWhere(argument, c.analysis, c.base);
          return typeof wrong === 'string' ? { say: wrong, wrong: true } : { state: { ...state, where: argument, list: START } };
        },
      },
    ],
    sorts: (c) => sortNamesOf(lawTable.columns(c)),
    init(c): GrowthState {
      const usual = { sort: SCORE, descending: true };
      const order = startSorting(c.choices.sort, lawTable.columns(c), usual, ({ id }) => id !== 'routine');
      return { list: START, where: '', favourites: false, ...order };
    },
    change,
    work: (state, c, ms) => [meeting(state, c), sorting(state, c), filtering(c)].every((work) => work?.run(ms) ?? true),
    findRoutine(state, routine, c) {
      const rows = rowsIn(state, c);
      const row = rows.findIndex((l) => l.routine === routine);
      return row < 0 ? state : { ...state, list: at(state.list, row, rows.length, c.height - 1) };
    },
    draw(state, c) {
      const rows = rowsIn(state, c);
      const spec = {
        columns: lawTable.columns(c),
        rows: rows.length,
        row: (row: number) => rows[row],
        sorted: { id: state.sort, descending: state.descending },
        empty: searching(state, c) ? 'searching …' : c.filter || state.where ? 'no routine matches' : 'the report has no points',
      };
      return drawTable(spec, state.list, c.width, c.height);
    },
    rows: (state, c) => rowsIn(state, c).length,
    rowText: (state, row, c) => routineName(c.analysis.profile, rowsIn(state, c)[row].routine),
    routineAt,
    request(state, action, c) {
      const routine = routineAt(state, c);
      if (action.type === 'ask-where') return { type: 'ask', command: 'where' };
      if (routine < 0) return undefined;
      if (action.type === 'enter') return { type: 'show', view: 'curve', routine };
      return action.type === 'star' ? { type: 'favourite', name: routineName(c.analysis.profile, routine) } : undefined;
    },
    detail(state, c) {
      const law = rowsIn(state, c)[state.list.cursor];
      if (!law) return '';
      if (law.hidden) return `few sizes but many different costs: ${c.analysis.profile.inputs.misses ?? ''}`;
      const whole = routineDetail(c.analysis.profile, law.routine);
      if (law.tenfold === undefined) return whole;
      const { profile } = c.analysis;
      const by = law.tenfold < 1000 ? formatShort(law.tenfold) : formatCount(Math.round(law.tenfold));
      const times = `; ×10: ten times the largest input costs ${by} times as much`;
      const about = law.fit?.undecided ? '; ?: other laws fit about as well' : '';
      const law1 = law.fit?.best === 'constant' ? '; law 1: the cost does not grow' : '';
      const name = routineName(profile, law.routine);
      const marks = law1 + about;
      const texts = [whole + times + marks, name + times + marks, name + (marks || times)];
      return texts.find((text) => cellWidth(visible(text)) <= c.width - 2) ?? whole;
    },
    printed(state, c) {
      const { sort, descending, where, favourites } = state;
      const unsaid = where ? `only routines where ${where}` : favourites ? 'only favourites' : undefined;
      return {
        sort: { column: sort, descending },
        ...(unsaid ? { unsaid, chosen: { lawsOf: rowsIn(state, c).map((law) => law.routine) } } : {}),
      };
    },
    mode(state, c) {
      const count = plural(rowsIn(state, c).length, 'routine');
      const where = state.where ? ` where ${state.where}` : '';
      // No column is marked as sorted.
      const least = state.descending ? '' : ', least first';
      const by = state.sort === SCORE ? `growth × cost${least}` : titleOf(state.sort, c);
      const far = [meeting(state, c), sorting(state, c)].map((work) =>
        filterText(undefined, work?.done === false ? work : undefined),
      );
      const letters = far.join('') + filterText(c.matcher, filtering(c));
      return `${count}${where}${state.favourites ? ', favourites' : ''}, by ${by}${letters}`;
    },
    rebase: (state) => state,
  }),
);

const searching = (state: GrowthState, c: Context) => meeting(state, c)?.done === false || filtering(c)?.done === false;

function titleOf(sort: string, c: Context): string {
  return lawTable.columns(c).find((column) => column.id === sort)?.title ?? sort;
}

/** The columns that are shown and sortable. */
function sortChoices(c: Context): string[] {
  return sortable(readColumns(lawTable.columns(c), 'screen')).map((column) => column.id);
}

function change(state: GrowthState, action: GrowthAction, c: Context): GrowthState {
  switch (action.type) {
    case 'only-favourites':
      return { ...state, favourites: !state.favourites, list: START };
    case 'enter':
    case 'ask-where':
    case 'star':
      return state;
    default:
      return changeSorting(state, action, [SCORE, ...sortChoices(c)], (id) => id !== 'routine');
  }
}
