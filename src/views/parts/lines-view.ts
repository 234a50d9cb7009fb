// Makes a view from lines, of which some are rows that open something. A row may have several lines.
import type { Kind } from '../../model/profile.ts';
import { type Binding, key, type ScreenLine, type ShowRequest, type Span, type ViewContext } from '../view.ts';
import { fillHeight, highlightedRow } from './lines.ts';
import { type ListView, listView, START, type StateWithList, withCursorAt } from './list.ts';
import { cacheLast, contentOf } from './remembered.ts';

/** Lines without the mark of the cursor in front, and the row that they are. Lines without a row are headings, or empty. */
export interface LineBlock {
  readonly lines: readonly ScreenLine[];
  readonly row?: LineRow;
  /** Stands for what is still being computed. */
  readonly isPending?: boolean;
}

export interface LineRow {
  readonly opens: ShowRequest;
  /** The routine that other views show, if it is not the one that Enter opens. */
  readonly routine?: number | undefined;
  /** The text that search finds. */
  readonly text: string;
  /** The text for the line above the footer. */
  readonly detail: string;
}

type LinesAction = { readonly type: 'enter' } | { readonly type: 'section'; readonly by: 1 | -1 };

type LinesSpec<Id extends string> = Pick<
  ListView<Id, StateWithList, LinesAction, Kind>,
  'id' | 'title' | 'partOf' | 'unfiltered' | 'mode' | 'work' | 'neededSources'
> & {
  readonly help: string;
  readonly footer: string;
  readonly blocks: (context: ViewContext) => readonly LineBlock[];
  /** The height for which all lines are drawn when the view is written to a file. */
  readonly writtenHeight: number;
};

/** The lines of all blocks with the mark of the cursor, each with the number of its row, and the lines of the row under the cursor. */
function drawBlocks(blocks: readonly LineBlock[], cursor: number, width: number) {
  const lines: ScreenLine[] = [];
  const rowOfLine: number[] = [];
  let rows = 0;
  for (const { lines: own, row } of blocks) {
    const number = row ? rows++ : -1;
    for (const [i, { spans }] of own.entries()) {
      rowOfLine.push(number);
      const mark: Span = [number === cursor && number >= 0 && i === 0 ? '▶' : ' ', 'plain'];
      const line = row ? { spans: [mark, ...spans] } : { spans };
      lines.push(row && number === cursor ? highlightedRow(line.spans, width) : line);
    }
  }
  return { lines, rowOfLine };
}

/** The first visible line, so that the row under the cursor is visible, and the line below it. */
function firstVisibleLine({ list: { cursor } }: StateWithList, rowOfLine: readonly number[], height: number): number {
  const [start, end] = [rowOfLine.indexOf(cursor), rowOfLine.lastIndexOf(cursor) + 1];
  const below = end < rowOfLine.length ? 1 : 0;
  return Math.max(0, Math.min(start, end + below - height));
}

/** The view beside a row. Beside a list of routines, the code says more than the calls; a row that is about no step has all steps. */
function companionOf({ analysis: { profile } }: ViewContext, row: LineRow | undefined): LineRow['opens']['view'] | undefined {
  if (profile.kind === 'steps' && row?.opens.step === undefined) return 'steps';
  return row?.opens.view === 'calls' ? undefined : row?.opens.view;
}

export function linesView<const Id extends string>(spec: LinesSpec<Id>) {
  const { help, footer, blocks: makeBlocks, writtenHeight, ...head } = spec;
  // Blocks do not depend on the cursor, but every key makes a new context.
  const blocks = cacheLast(makeBlocks, contentOf, (made) => !made.some(({ isPending }) => isPending));
  const rowsIn = (c: ViewContext): readonly LineRow[] => blocks(c).flatMap(({ row }) => row ?? []);
  const rowAt = ({ list }: StateWithList, c: ViewContext): LineRow | undefined => rowsIn(c)[list.cursor];
  /** The first row of the next or the previous section, each of which is below a line that is no row; -1 if there is none. */
  const sectionRow = ({ list }: StateWithList, by: 1 | -1, c: ViewContext): number => {
    const starts: number[] = [];
    let rows = 0;
    for (const [i, { row }] of blocks(c).entries()) {
      if (row && !blocks(c)[i - 1]?.row) starts.push(rows);
      if (row) rows++;
    }
    return (by > 0 ? starts.find((start) => start > list.cursor) : starts.findLast((start) => start < list.cursor)) ?? -1;
  };
  const sectionKey = (keys: string, by: 1 | -1, which: string): Binding<StateWithList, LinesAction> =>
    key(keys, { type: 'section', by }, 'move', `the ${which} section`, {
      off: (state, c) => (sectionRow(state, by, c) < 0 ? `this is the ${by > 0 ? 'last' : 'first'} section` : undefined),
    });
  const keys: readonly Binding<StateWithList, LinesAction>[] = [
    key('enter', { type: 'enter' }, 'view', help, { footer }),
    sectionKey(']', 1, 'next'),
    sectionKey('[', -1, 'previous'),
  ];
  const views = ['source', 'calls', 'curve', 'step'];
  return listView<Id, StateWithList, LinesAction, Kind>({
    ...head,
    requires: [],
    report: { name: 'findings', ofFocus: false },
    linesAbove: 0,
    keys,
    init: () => ({ list: START }),
    draw(state, c) {
      const { lines, rowOfLine } = drawBlocks(blocks(c), state.list.cursor, c.width);
      return fillHeight(lines.slice(firstVisibleLine(state, rowOfLine, c.height)), c.height);
    },
    rowCount: (_, c) => rowsIn(c).length,
    rowText: (_, row, c) => rowsIn(c)[row]?.text ?? '',
    followers: { beside: views, below: views },
    routineAt(state, c) {
      const row = rowAt(state, c);
      return row?.routine ?? row?.opens.routine ?? -1;
    },
    stepAt: (state, c) => rowAt(state, c)?.opens.step ?? -1,
    bestFollower: (state, c) => companionOf(c, rowAt(state, c)),
    sourcePosition(state, c) {
      const row = rowAt(state, c);
      return row?.routine === undefined ? row?.opens.place : undefined;
    },
    request: (state, action, c) => (action.type === 'enter' ? rowAt(state, c)?.opens : undefined),
    change(state, action, c) {
      const row = action.type === 'section' ? sectionRow(state, action.by, c) : -1;
      return row < 0 ? state : { ...state, list: withCursorAt(state.list, row, rowsIn(c).length, c.height) };
    },
    detail: (state, c) => rowAt(state, c)?.detail ?? '',
    rebase: (state) => state,
    clickAt(state, _, y, c) {
      const { rowOfLine } = drawBlocks(blocks(c), state.list.cursor, c.width);
      const row = rowOfLine[y + firstVisibleLine(state, rowOfLine, c.height)] ?? -1;
      if (row < 0) return undefined;
      if (row === state.list.cursor) return { state, act: true };
      return { state: { list: withCursorAt(state.list, row, rowsIn(c).length, c.height) } };
    },
    drawAll: (_, c, most) => drawBlocks(blocks({ ...c, height: writtenHeight }), -1, c.width).lines.slice(0, most),
  });
}
