// The Processes view: the tree of processes. Internal processes of compiler drivers are initially folded.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { compilesOf, processAt, processTree } from '../../analysis/answers/processes/processes.ts';
import { memo, toggleItem } from '../../base/lists.ts';
import { filterStatusText, type Matcher } from '../../base/match.ts';
import { formatCount, plural } from '../../base/units.ts';
import { commandText, descendantCount, type ProcessRow, processList } from '../../columns/builds/processes.ts';
import { conditionNames, filterOfRows } from '../../columns/conditions.ts';
import { listView, START, type StateWithList, withCursorAt } from '../parts/list.ts';
import { makeStableContext } from '../parts/remembered.ts';
import { drawTable, emptyTableText } from '../parts/table.ts';
import { withNoEffectReasons } from '../parts/unchanged.ts';
import { type Binding, key, type ViewContext } from '../view.ts';

interface ProcessesState extends StateWithList {
  /** Processes that the user has folded or unfolded, so that they differ from `initiallyFolded`. */
  readonly toggled: ReadonlySet<number>;
}

interface ProcessesAction {
  readonly type: 'enter' | 'open' | 'close' | 'open-all' | 'close-all';
}

/** By process: 1 if all its children are internal processes of compiler drivers. */
const initiallyFolded = memo((analysis: Analysis<'processes'>): Uint8Array => {
  const { parent } = analysis.profile.processes;
  const { kind } = compilesOf(analysis);
  const out = new Uint8Array(parent.length);
  for (const p of parent) if (p >= 0) out[p] = 1;
  parent.forEach((p, i) => {
    if (p >= 0 && kind[i] !== 'internal') out[p] = 0;
  });
  return out;
});

const commandTextOf = ({ profile }: Analysis<'processes'>, i: number) => commandText(processAt(profile, i));

/** The filter over the processes, in tree order. */
const processFilterOf = memo((c: ViewContext<'processes'>, matcher: Matcher) => {
  const rows = Array.from(processTree(c.analysis).order, (process): ProcessRow => ({ process }));
  const texts = ({ process }: ProcessRow) => [commandTextOf(c.analysis, process)];
  return filterOfRows(matcher, rows, () => columnsOf(c), c, texts);
});
const columnsOf = (c: ViewContext<'processes'>) => processList.table(c).columns(c);
const stableContext = makeStableContext<'processes'>();
const runProcessFilter = (c: ViewContext<'processes'>) =>
  c.matcher && processFilterOf(stableContext(c), c.matcher).runOnce(c.timeBudgetMs);

/** The processes that match the filter, and their ancestors. */
const matchingProcesses = memo((analysis: Analysis<'processes'>, found: readonly ProcessRow[]): readonly number[] => {
  const { parent } = analysis.profile.processes;
  const shown = new Uint8Array(parent.length);
  for (const { process } of found) for (let k = process; k >= 0 && shown[k] === 0; k = parent[k]) shown[k] = 1;
  return Array.from(processTree(analysis).order).filter((i) => shown[i] === 1);
});

const visibleRows = memo((analysis: Analysis<'processes'>, toggled: ReadonlySet<number>): readonly number[] => {
  const { order, end, place } = processTree(analysis);
  const folded = initiallyFolded(analysis);
  const rows: number[] = [];
  for (let k = 0; k < order.length; ) {
    const i = order[k];
    rows.push(i);
    k = (folded[i] === 1) !== toggled.has(i) ? end[place[i]] : k + 1;
  }
  return rows;
});

const visibleProcesses = (state: ProcessesState, c: ViewContext<'processes'>) => {
  const found = runProcessFilter(c)?.passingRows();
  return found ? matchingProcesses(c.analysis, found) : visibleRows(c.analysis, state.toggled);
};
const processUnderCursor = (state: ProcessesState, c: ViewContext<'processes'>): number | undefined =>
  visibleProcesses(state, c)[state.list.cursor];
const isFolded = (state: ProcessesState, c: ViewContext<'processes'>, i: number) =>
  descendantCount(c.analysis, i) > 0 && (initiallyFolded(c.analysis)[i] === 1) !== state.toggled.has(i);

const noChildrenReason = (state: ProcessesState, c: ViewContext<'processes'>) => {
  const i = processUnderCursor(state, c);
  if (i === undefined) return 'there are no rows';
  if (c.matcher) return 'filtered rows do not fold; Esc removes the filter';
  return descendantCount(c.analysis, i) === 0 ? 'this process started no others' : undefined;
};

const BINDINGS: readonly Binding<ProcessesState, ProcessesAction, 'processes'>[] = [
  key('enter', { type: 'enter' }, 'view', 'show the process: arguments, environment', { footer: 'process' }),
  key('right l', { type: 'open' }, 'move', 'unfold the process; if it is unfolded, go to its first child', {
    footer: 'unfold',
    off: noChildrenReason,
  }),
  key('left h', { type: 'close' }, 'move', 'fold the process; if it is folded, go to its parent'),
  key('+ =', { type: 'open-all' }, 'show', 'unfold all, including compiler internals'),
  key('-', { type: 'close-all' }, 'show', 'fold compiler internals again'),
];

const moveCursorTo = (state: ProcessesState, row: number, c: ViewContext<'processes'>): ProcessesState => ({
  ...state,
  list: withCursorAt(state.list, row, visibleProcesses(state, c).length, c.height - 1),
});

const toggleFold = (state: ProcessesState, i: number) => ({ ...state, toggled: toggleItem(state.toggled, i) });

function applyAction(state: ProcessesState, action: ProcessesAction, c: ViewContext<'processes'>): ProcessesState {
  const i = processUnderCursor(state, c);
  switch (action.type) {
    case 'open':
      if (i === undefined || c.matcher) return state;
      return isFolded(state, c, i) ? toggleFold(state, i) : moveCursorTo(state, state.list.cursor + 1, c);
    case 'close': {
      if (i === undefined) return state;
      if (!c.matcher && descendantCount(c.analysis, i) > 0 && !isFolded(state, c, i)) return toggleFold(state, i);
      const up = c.analysis.profile.processes.parent[i];
      return up < 0 ? state : moveCursorTo(state, visibleProcesses(state, c).indexOf(up), c);
    }
    case 'open-all':
    case 'close-all': {
      const folded = initiallyFolded(c.analysis);
      const all = action.type === 'open-all' ? Array.from(folded.keys()).filter((k) => folded[k] === 1) : [];
      const next = { ...state, toggled: new Set(all) };
      return moveCursorTo(next, i === undefined ? 0 : Math.max(0, visibleProcesses(next, c).indexOf(i)), c);
    }
    case 'enter':
      return state;
  }
}

const KEYS = withNoEffectReasons(
  BINDINGS,
  applyAction,
  { '+': 'nothing is folded', '-': 'compiler internals are folded, and nothing else was changed' },
  (_, c) => (c.matcher ? 'filtered rows do not fold; Esc removes the filter' : undefined),
);

export const processesView = listView({
  id: 'processes',
  title: 'Processes',
  requires: ['processes'],
  report: { name: 'processes', ofFocus: false },
  filterColumns: (_, c) => conditionNames(columnsOf(c)),
  followers: { beside: ['process'], below: ['process'] },
  kind: 'processes',
  keys: KEYS,
  init: (): ProcessesState => ({ list: START, toggled: new Set() }),
  change: applyAction,
  work: (_, c, ms) => runProcessFilter(c)?.run(ms) ?? true,
  findStep(state, step, c) {
    const { parent } = c.analysis.profile.processes;
    const rows = visibleProcesses(state, c);
    // If the process is hidden in a folded one, go to its nearest visible ancestor.
    for (let k = step; k >= 0; k = parent[k]) {
      const row = rows.indexOf(k);
      if (row >= 0) return moveCursorTo(state, row, c);
    }
    return state;
  },
  draw(state, c) {
    const rows = visibleProcesses(state, c);
    const found = runProcessFilter(c);
    const { place } = processTree(c.analysis);
    const rowOf = (process: number): ProcessRow => {
      const hit = !found || found.hit[place[process]] === 1;
      return { process, folded: !c.matcher && isFolded(state, c, process), hit };
    };
    return drawTable(state.list, c.width, c.height, {
      columns: columnsOf(c),
      rows: { length: rows.length, at: (row) => rowOf(rows[row]) },
      empty: emptyTableText(c, found, 'the trace has no processes'),
    });
  },
  rowCount: (state, c) => visibleProcesses(state, c).length,
  rowText: (state, row, c) => commandTextOf(c.analysis, visibleProcesses(state, c)[row]),
  stepAt: (state, c) => processUnderCursor(state, c) ?? -1,
  request: (_, action) => (action.type === 'enter' ? { type: 'show', view: 'process' } : undefined),
  detail(state, c) {
    const i = processUnderCursor(state, c);
    return i === undefined ? '' : commandTextOf(c.analysis, i).slice(0, 4000);
  },
  mode(state, c) {
    const rows = visibleProcesses(state, c);
    const all = processTree(c.analysis).order.length;
    const folded = rows.length < all ? ` of ${formatCount(all)}, the others folded` : '';
    return `${plural(rows.length, 'process')}${folded}; the file has no times${filterStatusText(c.matcher, runProcessFilter(c))}`;
  },
});
