// Growth: a row a routine, how its cost grows with its input; what grows worst and costs most stands first.
import { type Analysis, wholeOf } from '../analysis/analysis.ts';
import { lawText } from '../analysis/fit.ts';
import { lawKey, lawsByName, type RoutineLaw, routineLaws, sparkText } from '../analysis/laws.ts';
import { routineDetail, routineName, routineObject } from '../analysis/names.ts';
import { orderByNumber, orderByString } from '../analysis/order.ts';
import { parseWhere } from '../analysis/where.ts';
import { type Matcher, taking } from '../base/match.ts';
import { memo } from '../base/memo.ts';
import { formatCount, formatShort, plural } from '../base/units.ts';
import type { Event } from '../model/profile.ts';
import { costColumn, costText, PERCENT_COLUMN, percentCell } from './parts/costs.ts';
import { at, LIST_KEYS, type List, moveList, SHIFT_KEYS, START } from './parts/list.ts';
import { type Cell, type Column, drawTable, heat } from './parts/table.ts';
import type { Action, Binding, View, ViewContext } from './view.ts';

const SORTS = ['growth', 'incl', 'self', 'calls', 'sizes', 'worst', 'r²', 'routine'] as const;
type Sort = (typeof SORTS)[number];

export interface GrowthState {
  readonly list: List;
  readonly sort: Sort;
  readonly descending: boolean;
  /** Conditions as typed; '' for none. */
  readonly where: string;
  readonly favourites: boolean;
}

const r2Of = (l: RoutineLaw) => (l.fit && l.fit.best !== 'none' ? l.fit.fits[l.fit.best]!.r2 : -1);

const rowsOf = memo(
  (
    analysis: Analysis,
    sort: Sort,
    descending: boolean,
    where: string,
    matcher: Matcher | undefined,
    favourites: ReadonlySet<string> | undefined,
  ): RoutineLaw[] => {
    const { totals, profile } = analysis;
    const condition = where === '' ? undefined : parseWhere(where, analysis);
    const texts = (l: RoutineLaw) => [routineName(profile, l.routine), routineObject(profile, l.routine) ?? ''];
    const takes = matcher && taking(matcher, routineLaws(analysis), texts);
    const laws = routineLaws(analysis).filter((l) => {
      if (typeof condition === 'function' && !condition(l)) return false;
      if (favourites && !favourites.has(routineName(profile, l.routine))) return false;
      return !takes || takes(l);
    });
    const keys: Record<Exclude<Sort, 'routine'>, (l: RoutineLaw) => number> = {
      growth: (l) => l.score,
      incl: (l) => totals.inclusive[0][l.routine],
      self: (l) => totals.self[0][l.routine],
      calls: (l) => l.calls,
      sizes: (l) => l.sizes,
      worst: (l) => l.worst || 0,
      'r²': r2Of,
    };
    const order =
      sort === 'routine'
        ? orderByString(profile.strings, (i) => profile.routines.name[laws[i].routine], laws.length, descending)
        : orderByNumber(laws.map(keys[sort]), descending);
    return Array.from(order, (i) => laws[i]);
  },
  4,
);

function rowsIn(state: GrowthState, c: ViewContext): RoutineLaw[] {
  return rowsOf(c.analysis, state.sort, state.descending, state.where, c.matcher, state.favourites ? c.favourites : undefined);
}

function columnsOf(state: GrowthState, c: ViewContext): Column[] {
  const mark = (s: Sort) => (state.sort === s ? (state.descending ? ('desc' as const) : ('asc' as const)) : undefined);
  const small = c.width < 60;
  const cost: Event = c.event;
  return [
    costColumn(c, 'incl', 8, mark('incl'), cost),
    ...(c.percent === 'none' ? [] : [{ ...PERCENT_COLUMN, rank: 4 }]),
    costColumn(c, 'self', 2, mark('self'), cost),
    { title: 'calls', width: small ? 6 : 9, align: 'right', rank: 4, sorted: mark('calls') },
    { title: 'sizes', width: 6, align: 'right', rank: 6, sorted: mark('sizes') },
    { title: 'worst', width: 8, align: 'right', rank: 3, sorted: mark('worst') },
    { title: 'average', width: 8, align: 'right', rank: 1 },
    { title: 'best', width: 8, align: 'right', rank: 0 },
    { title: 'sd', width: 7, align: 'right', rank: 0 },
    { title: 'law', width: 9, rank: 8 },
    { title: 'r²', width: 6, align: 'right', rank: 5, sorted: mark('r²') },
    { title: c.ascii ? 'x10' : '×10', width: 5, align: 'right', rank: 5, sorted: mark('growth') },
    ...(c.base ? [{ title: 'before', width: 9, rank: 7 }] : []),
    { title: 'cost by size', width: 12, rank: 5 },
    { title: 'routine', width: small ? 14 : 20, flex: 1, cut: 'middle', rank: 9, sorted: mark('routine') },
  ];
}

/** Six cells, rounded: what it is exactly, the curve's table says. */
const short = (value: number) => (Number.isNaN(value) ? '?' : formatShort(value));

function cells(law: RoutineLaw, c: ViewContext): (string | Cell)[] {
  const { totals, profile } = c.analysis;
  const r = law.routine;
  const inclusive = totals.inclusive[0][r];
  const star = c.favourites.has(routineName(profile, r)) ? (c.ascii ? '* ' : '★ ') : '';
  const r2 = r2Of(law);
  const hidden = law.hidden ? (c.ascii ? ' (input hidden from rms)' : ' ⋯ input hidden from rms') : '';
  return [
    costText(c, inclusive),
    ...(c.percent === 'none' ? [] : [percentCell(c, inclusive)]),
    costText(c, totals.self[0][r]),
    c.width < 60 ? formatShort(law.calls) : formatCount(law.calls),
    formatCount(law.sizes),
    short(law.worst),
    short(law.average),
    short(law.best),
    short(law.deviation),
    {
      text: lawText(law.fit, c.ascii),
      style: law.fit && /^n[23]$/.test(law.fit.best) && inclusive > 0.01 * wholeOf(c.analysis, c.event) ? 'hot' : 'plain',
    },
    r2 < 0 ? '' : r2.toFixed(4),
    { text: law.tenfold === undefined ? '' : formatShort(law.tenfold), style: heat((law.tenfold ?? 0) / 1000) },
    ...(c.base ? [lawText(lawsByName(c.base).get(lawKey(c.analysis, r))?.fit, c.ascii)] : []),
    sparkText(law.spark, c.ascii),
    star + routineName(profile, r) + hidden,
  ];
}

const KEYS: readonly Binding<GrowthState>[] = [
  ...(LIST_KEYS as readonly Binding<GrowthState>[]),
  ...(SHIFT_KEYS as readonly Binding<GrowthState>[]),
  { keys: ['enter'], action: { type: 'enter' }, help: 'the curve of the routine', group: 'view', footer: 'curve' },
  {
    keys: ['s'],
    action: { type: 'sort', column: 'growth' },
    help: 'sort by growth weighted by cost',
    group: 'show',
    footer: 'growth',
  },
  { keys: ['i'], action: { type: 'sort', column: 'incl' }, help: 'sort by inclusive cost', group: 'show', footer: 'incl' },
  { keys: ['>'], action: { type: 'sort-next', by: 1 }, help: 'sort by the next column', group: 'show' },
  { keys: ['<'], action: { type: 'sort-next', by: -1 }, help: 'sort by the column before', group: 'show' },
  { keys: ['r'], action: { type: 'reverse' }, help: 'reverse the order', group: 'show' },
  {
    keys: ['w'],
    action: { type: 'ask-where' },
    help: 'only where: sizes>5 r2>0.9 law=n2 share>1',
    group: 'find',
    footer: 'where',
  },
  { keys: ['*'], action: { type: 'star' }, help: 'a favourite, or no more; kept in .proftui.json', group: 'do' },
  {
    keys: ['F'],
    action: { type: 'only-favourites' },
    help: 'only favourites',
    group: 'find',
    off: (state, c) => (!state.favourites && c.favourites.size === 0 ? 'no routine is a favourite; * makes one' : undefined),
  },
];

export const growth: View<GrowthState> = {
  id: 'growth',
  title: 'Growth',
  digit: '5',
  ownCursor: true,
  requires: ['inputs'],
  report: 'curves',
  keys: KEYS,
  init: () => ({ list: START, sort: 'growth', descending: true, where: '', favourites: false }),
  update(state, action, c) {
    const next = change(state, action);
    const rows = rowsIn(next, c);
    if (action.type === 'find-routine') {
      const row = rows.findIndex((l) => l.routine === action['routine']);
      return row < 0 ? next : { ...next, list: at(next.list, row, rows.length, c.height - 1) };
    }
    return { ...next, list: moveList(next.list, action, rows.length, c.height - 1) };
  },
  draw(state, c) {
    const rows = rowsIn(state, c);
    const spec = {
      columns: columnsOf(state, c),
      rows: rows.length,
      cells: (row: number) => cells(rows[row], c),
      empty: c.filter || state.where ? 'no routine matches' : 'the report has no points',
    };
    return drawTable(spec, state.list, c.width, c.height, c.ascii);
  },
  rows: (state, c) => rowsIn(state, c).length,
  cursor: (state) => state.list.cursor,
  moveTo: (state, row, c) => ({ ...state, list: at(state.list, row, rowsIn(state, c).length, c.height - 1) }),
  rowText: (state, row, c) => routineName(c.analysis.profile, rowsIn(state, c)[row].routine),
  routineAt: (state, c) => rowsIn(state, c)[state.list.cursor]?.routine ?? -1,
  asks(state, action, c) {
    const routine = rowsIn(state, c)[state.list.cursor]?.routine ?? -1;
    if (action.type === 'enter' && routine >= 0) return { type: 'show', view: 'curve', routine };
    if (action.type === 'star' && routine >= 0) return { type: 'favourite', name: routineName(c.analysis.profile, routine) };
    if (action.type === 'ask-where') return { type: 'prompt', kind: 'where', text: state.where };
    return undefined;
  },
  detail(state, c) {
    const law = rowsIn(state, c)[state.list.cursor];
    if (!law) return '';
    const why = law.hidden
      ? 'few sizes for so many different costs: the input comes from where rms does not see it (aprof --drms=yes)'
      : '';
    return why || routineDetail(c.analysis.profile, law.routine);
  },
  mode: (state, c) =>
    `${plural(rowsIn(state, c).length, 'routine')} with points${state.where ? ` where ${state.where}` : ''}${state.favourites ? ', favourites' : ''}, by ${state.sort === 'growth' ? 'growth × cost' : state.sort}`,
};

function change(state: GrowthState, action: Action): GrowthState {
  switch (action.type) {
    case 'sort': {
      const sort = action['column'] as Sort;
      return { ...state, sort, descending: state.sort === sort ? !state.descending : sort !== 'routine', list: START };
    }
    case 'sort-next': {
      const sort = SORTS[(SORTS.indexOf(state.sort) + (action['by'] as number) + SORTS.length) % SORTS.length];
      return { ...state, sort, descending: sort !== 'routine', list: START };
    }
    case 'reverse':
      return { ...state, descending: !state.descending };
    case 'where':
      return { ...state, where: String(action['text']), list: START };
    case 'only-favourites':
      return { ...state, favourites: !state.favourites, list: START };
    default:
      return state;
  }
}
