// Processes: who started whom. What a compiler driver runs below itself is folded until it is asked for.
import type { Analysis } from '../analysis/analysis.ts';
import { compilesOf, processTree } from '../analysis/processes.ts';
import { type Matcher, taking } from '../base/match.ts';
import { memo } from '../base/memo.ts';
import { formatCount, plural } from '../base/units.ts';
import { stringAt } from '../model/strings.ts';
import { at, LIST_KEYS, type List, moveList, START } from './parts/list.ts';
import { type Cell, drawTable } from './parts/table.ts';
import { commandText } from './process.ts';
import type { Binding, View, ViewContext } from './view.ts';

export interface ProcessesState {
  readonly list: List;
  /** Processes that are not as `folded` has them. */
  readonly toggled: ReadonlySet<number>;
}

/** Processes whose children are all compiler internals. */
const foldedAtFirst = memo((analysis: Analysis): Uint8Array => {
  const { parent } = analysis.profile.processes!;
  const { kind } = compilesOf(analysis);
  const out = new Uint8Array(parent.length);
  for (const p of parent) if (p >= 0) out[p] = 1;
  parent.forEach((p, i) => {
    if (p >= 0 && kind[i] !== 'internal') out[p] = 0;
  });
  return out;
});

/** Whether the filter takes a process; all that lead to it are shown too. */
const takingOf = memo((analysis: Analysis, matcher: Matcher, texts: (i: number) => string) =>
  taking(matcher, processTree(analysis).order, (i: number) => [texts(i)]),
);

const visibleRows = memo(
  (
    analysis: Analysis,
    toggled: ReadonlySet<number>,
    matcher: Matcher | undefined,
    texts: (i: number) => string,
  ): readonly number[] => {
    const { order, end, place } = processTree(analysis);
    const { parent } = analysis.profile.processes!;
    if (matcher) {
      // What matches, and the way to it.
      const shown = new Uint8Array(parent.length);
      const takes = takingOf(analysis, matcher, texts);
      for (const i of order) if (takes(i)) for (let k = i; k >= 0 && shown[k] === 0; k = parent[k]) shown[k] = 1;
      return Array.from(order).filter((i) => shown[i] === 1);
    }
    const folded = foldedAtFirst(analysis);
    const rows: number[] = [];
    for (let k = 0; k < order.length; ) {
      const i = order[k];
      rows.push(i);
      k = (folded[i] === 1) !== toggled.has(i) ? end[place[i]] : k + 1;
    }
    return rows;
  },
  2,
);

let texts: { analysis: Analysis; of: (i: number) => string } | undefined;

/** Contexts are made anew for every key, the texts hang on the analysis alone. */
function textsIn(c: ViewContext): (i: number) => string {
  if (texts?.analysis !== c.analysis) texts = { analysis: c.analysis, of: (i) => commandText(c, i) };
  return texts.of;
}

function rowsIn(state: ProcessesState, c: ViewContext): readonly number[] {
  return visibleRows(c.analysis, state.toggled, c.matcher, textsIn(c));
}

const below = (c: ViewContext, i: number) => {
  const { end, place } = processTree(c.analysis);
  return end[place[i]] - place[i] - 1;
};
const isFolded = (state: ProcessesState, c: ViewContext, i: number) =>
  below(c, i) > 0 && (foldedAtFirst(c.analysis)[i] === 1) !== state.toggled.has(i);

const noChildren = (state: ProcessesState, c: ViewContext) => {
  const i = rowsIn(state, c)[state.list.cursor];
  if (i === undefined) return 'there is no row';
  if (c.matcher) return 'the filter decides what is shown; Esc takes it away';
  return below(c, i) === 0 ? 'this process started no other' : undefined;
};

const KEYS: readonly Binding<ProcessesState>[] = [
  ...(LIST_KEYS as readonly Binding<ProcessesState>[]),
  {
    keys: ['enter'],
    action: { type: 'enter' },
    help: 'the process in full: arguments, environment',
    group: 'view',
    footer: 'process',
  },
  {
    keys: ['right', 'l', 'x'],
    action: { type: 'open' },
    help: 'unfold; unfolded: to its first child',
    group: 'move',
    footer: 'unfold',
    off: noChildren,
  },
  { keys: ['left', 'h'], action: { type: 'close' }, help: 'fold; folded: to its parent', group: 'move' },
  { keys: ['*', '+', '='], action: { type: 'open-all' }, help: 'unfold all, compiler internals too', group: 'show' },
  { keys: ['-'], action: { type: 'close-all' }, help: 'fold compiler internals again', group: 'show' },
];

function cells(state: ProcessesState, i: number, c: ViewContext): (string | Cell)[] {
  const { profile } = c.analysis;
  const p = profile.processes!;
  const { depth } = processTree(c.analysis);
  const inner = below(c, i);
  const folded = !c.matcher && isFolded(state, c, i);
  const mark = inner === 0 ? ' ' : folded ? (c.ascii ? '+' : '▸') : c.ascii ? '-' : '▾';
  const d = depth[i] - 1;
  const most = Math.max(4, Math.floor(c.width / 4));
  const indent = d <= most ? '  '.repeat(d) : `${'  '.repeat(Math.max(0, most - 3))}${c.ascii ? '..' : '⋯'}${d} `;
  const kind = compilesOf(c.analysis).kind[i];
  const hit = c.matcher === undefined || takingOf(c.analysis, c.matcher, textsIn(c))(i);
  return [
    stringAt(profile.strings, p.id[i]) || '?',
    inner === 0 ? '' : formatCount(inner),
    kind === 'compile' ? { text: 'compile', style: 'hot' } : kind === 'internal' ? { text: 'internal', style: 'dim' } : '',
    { text: `${indent}${mark} ${commandText(c, i).slice(0, 2000)}`, style: hit ? 'plain' : 'dim' },
    p.directory[i] < 0 ? '?' : stringAt(profile.strings, p.directory[i]),
  ];
}

export const processes: View<ProcessesState> = {
  id: 'processes',
  title: 'Processes',
  digit: '3',
  requires: ['processes'],
  report: 'processes',
  keys: KEYS,
  init: () => ({ list: START, toggled: new Set() }),
  update(state, action, c) {
    const rows = rowsIn(state, c);
    const height = c.height - 1;
    const i = rows[state.list.cursor];
    const to = (s: ProcessesState, row: number) => ({ ...s, list: at(s.list, row, rowsIn(s, c).length, height) });
    const flip = (k: number) => {
      const toggled = new Set(state.toggled);
      if (!toggled.delete(k)) toggled.add(k);
      return { ...state, toggled };
    };
    switch (action.type) {
      case 'find-step': {
        const wanted = action['step'] as number;
        const { parent } = c.analysis.profile.processes!;
        // Folded away: the process that it is folded into.
        for (let k = wanted; k >= 0; k = parent[k]) {
          const row = rows.indexOf(k);
          if (row >= 0) return to(state, row);
        }
        return state;
      }
      case 'open':
        if (i === undefined || c.matcher) return state;
        return isFolded(state, c, i) ? flip(i) : to(state, state.list.cursor + 1);
      case 'close': {
        if (i === undefined) return state;
        if (!c.matcher && below(c, i) > 0 && !isFolded(state, c, i)) return flip(i);
        const up = c.analysis.profile.processes!.parent[i];
        return up < 0 ? state : to(state, rows.indexOf(up));
      }
      case 'open-all':
      case 'close-all': {
        const folded = foldedAtFirst(c.analysis);
        const toggled = new Set<number>(
          action.type === 'open-all' ? Array.from(folded.keys()).filter((k) => folded[k] === 1) : [],
        );
        const next = { ...state, toggled };
        const row = i === undefined ? 0 : rowsIn(next, c).indexOf(i);
        return to(next, Math.max(0, row));
      }
      default:
        return { ...state, list: moveList(state.list, action, rows.length, height) };
    }
  },
  draw(state, c) {
    const rows = rowsIn(state, c);
    const table = {
      columns: [
        { title: 'id', width: 7, align: 'right' as const, rank: 3, style: 'dim' as const },
        { title: 'below', width: 6, align: 'right' as const, rank: 4 },
        { title: 'kind', width: 8, rank: 5 },
        { title: 'command', width: 30, flex: 5, cut: 'middle' as const, rank: 9 },
        { title: 'folder', width: 14, flex: 1, cut: 'start' as const, rank: 1, style: 'dim' as const },
      ],
      rows: rows.length,
      cells: (row: number) => cells(state, rows[row], c),
      empty: c.filter ? `nothing matches ${c.filter}` : 'the trace has no processes',
    };
    return drawTable(table, state.list, c.width, c.height, c.ascii);
  },
  rows: (state, c) => rowsIn(state, c).length,
  cursor: (state) => state.list.cursor,
  moveTo: (state, row, c) => ({ ...state, list: at(state.list, row, rowsIn(state, c).length, c.height - 1) }),
  rowText: (state, row, c) => commandText(c, rowsIn(state, c)[row]),
  routineAt: () => -1,
  stepAt: (state, c) => rowsIn(state, c)[state.list.cursor] ?? -1,
  asks: (_, action) => (action.type === 'enter' ? { type: 'view', id: 'process' } : undefined),
  detail(state, c) {
    const i = rowsIn(state, c)[state.list.cursor];
    return i === undefined ? '' : commandText(c, i).slice(0, 4000);
  },
  mode(state, c) {
    const rows = rowsIn(state, c);
    const all = processTree(c.analysis).order.length;
    return `${plural(rows.length, 'process')}${rows.length < all ? ` of ${formatCount(all)}, the others folded` : ''}; no times in the file`;
  },
};
