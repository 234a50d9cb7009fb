// Processes: the tree of parent and child processes. Internal processes of compiler drivers are folded initially.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { compilesOf, processAt, processTree } from '../../analysis/answers/processes/processes.ts';
import { filterText, type Matcher } from '../../base/match.ts';
import { memo } from '../../base/memo.ts';
import { type IncrementalFilter, incrementalFilter } from '../../base/sifting.ts';
import { formatCount, plural } from '../../base/units.ts';
import { commandText, descendantCount, type ProcessRow, processList } from '../../columns/builds/processes.ts';
import { viewEntry } from '../open-view.ts';
import { type ListPosition, listView, START, withCursorAt } from '../parts/list.ts';
import { drawTable } from '../parts/table.ts';
import { withNoEffectReasons } from '../parts/unchanged.ts';
import { type Binding, key, ofKind, type ViewContext } from '../view.ts';

interface ProcessesState {
  readonly list: ListPosition;
  /** Processes whose folding differs from `initiallyFolded`. */
  readonly toggled: ReadonlySet<number>;
}

interface ProcessesAction {
  readonly type: 'enter' | 'open' | 'close' | 'open-all' | 'close-all';
}

/** Processes whose children are all compiler internals. */
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

const commandOf = ({ profile }: Analysis<'processes'>, i: number) => commandText(processAt(profile, i));

/** The filter's progress over the processes in the order of the tree. */
const processFilterOf = memo((analysis: Analysis<'processes'>, matcher: Matcher) =>
  incrementalFilter(matcher, Array.from(processTree(analysis).order), (i: number) => [commandOf(analysis, i)]),
);
const filterIn = ({ analysis, matcher, timeBudgetMs }: ViewContext<'processes'>) =>
  matcher && processFilterOf(analysis, matcher).runOnce(timeBudgetMs);

/** Processes that match, and their ancestors. */
const matchingProcesses = memo(
  (analysis: Analysis<'processes'>, found: IncrementalFilter<number>, _version: number): readonly number[] => {
    const { parent } = analysis.profile.processes;
    const shown = new Uint8Array(parent.length);
    for (const i of found.passingRows()) for (let k = i; k >= 0 && shown[k] === 0; k = parent[k]) shown[k] = 1;
    return found.rows.filter((i) => shown[i] === 1);
  },
);

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
}, 2);

const rowsIn = (state: ProcessesState, c: ViewContext<'processes'>) => {
  const found = filterIn(c);
  return found ? matchingProcesses(c.analysis, found, found.version) : visibleRows(c.analysis, state.toggled);
};
const processUnderCursor = (state: ProcessesState, c: ViewContext<'processes'>): number | undefined =>
  rowsIn(state, c)[state.list.cursor];
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

function moveCursorTo(state: ProcessesState, row: number, c: ViewContext<'processes'>): ProcessesState {
  return { ...state, list: withCursorAt(state.list, row, rowsIn(state, c).length, c.height - 1) };
}

function toggleFold(state: ProcessesState, i: number): ProcessesState {
  const toggled = new Set(state.toggled);
  if (!toggled.delete(i)) toggled.add(i);
  return { ...state, toggled };
}

function change(state: ProcessesState, action: ProcessesAction, c: ViewContext<'processes'>): ProcessesState {
  const i = processUnderCursor(state, c);
  switch (action.type) {
    case 'open':
      if (i === undefined || c.matcher) return state;
      return isFolded(state, c, i) ? toggleFold(state, i) : moveCursorTo(state, state.list.cursor + 1, c);
    case 'close': {
      if (i === undefined) return state;
      if (!c.matcher && descendantCount(c.analysis, i) > 0 && !isFolded(state, c, i)) return toggleFold(state, i);
      const up = c.analysis.profile.processes.parent[i];
      return up < 0 ? state : moveCursorTo(state, rowsIn(state, c).indexOf(up), c);
    }
    case 'open-all':
    case 'close-all': {
      const folded = initiallyFolded(c.analysis);
      const all = action.type === 'open-all' ? Array.from(folded.keys()).filter((k) => folded[k] === 1) : [];
      const next = { ...state, toggled: new Set(all) };
      return moveCursorTo(next, i === undefined ? 0 : Math.max(0, rowsIn(next, c).indexOf(i)), c);
    }
    case 'enter':
      return state;
  }
}

const KEYS = withNoEffectReasons(
  BINDINGS,
  change,
  { '+': 'nothing is folded', '-': 'compiler internals are folded, and nothing else was changed' },
  (_, c) => (c.matcher ? 'filtered rows do not fold; Esc removes the filter' : undefined),
);

export const processes = viewEntry(
  listView({
    id: 'processes',
    title: 'Processes',
    digit: '3',
    requires: ['processes'],
    report: { name: 'processes', ofFocus: false },
    followers: { beside: ['process'], below: ['process'] },
    narrowContext: ofKind('processes'),
    keys: KEYS,
    init: (): ProcessesState => ({ list: START, toggled: new Set() }),
    change,
    work: (_, c, ms) => filterIn(c)?.run(ms) ?? true,
    findStep(state, step, c) {
      const { parent } = c.analysis.profile.processes;
      const rows = rowsIn(state, c);
      // If it is hidden by folding, go to its closest visible ancestor.
      for (let k = step; k >= 0; k = parent[k]) {
        const row = rows.indexOf(k);
        if (row >= 0) return moveCursorTo(state, row, c);
      }
      return state;
    },
    draw(state, c) {
      const rows = rowsIn(state, c);
      const found = filterIn(c);
      const { place } = processTree(c.analysis);
      const table = {
        columns: processList.table(c).columns(c),
        rows: rows.length,
        row(row: number): ProcessRow {
          const process = rows[row];
          return { process, folded: !c.matcher && isFolded(state, c, process), hit: !found || found.hit[place[process]] === 1 };
        },
        empty: found?.done === false ? 'searching …' : c.filter ? `nothing matches ${c.filter}` : 'the trace has no processes',
      };
      return drawTable(table, state.list, c.width, c.height);
    },
    rowCount: (state, c) => rowsIn(state, c).length,
    rowText: (state, row, c) => commandOf(c.analysis, rowsIn(state, c)[row]),
    stepAt: (state, c) => processUnderCursor(state, c) ?? -1,
    request: (_, action) => (action.type === 'enter' ? { type: 'show', view: 'process' } : undefined),
    detail(state, c) {
      const i = processUnderCursor(state, c);
      return i === undefined ? '' : commandOf(c.analysis, i).slice(0, 4000);
    },
    mode(state, c) {
      const rows = rowsIn(state, c);
      const all = processTree(c.analysis).order.length;
      const folded = rows.length < all ? ` of ${formatCount(all)}, the others folded` : '';
      return `${plural(rows.length, 'process')}${folded}; the file has no times${filterText(c.matcher, filterIn(c))}`;
    },
  }),
);
