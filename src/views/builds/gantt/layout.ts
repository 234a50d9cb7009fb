// The rows of the Gantt view: the axis, the lanes, a legend, the strips of jobs and of the host, and the steps at the cursor's time.
import { cellWidth } from '../../../base/text.ts';
import type { ViewContext } from '../../view.ts';
import { laneRows, visibleWindow } from './before.ts';
import { densityLabels, densityLanes, maxDensityRows } from './density.ts';
import { hasPhaseRow } from './phases.ts';
import { type GanttState, ganttRows, hasCriticalRow } from './rows.ts';
import { maxLabelWidth, stripsOf } from './strips.ts';

const NAME_GUTTER_WIDTH = 14;
const MAX_GUTTER_WIDTH = 18;
/** Width of the gutter with thread numbers only. */
const NUMBER_GUTTER_WIDTH = 8;
const MIN_WIDTH_FOR_NAMES = 60;
const MIN_WIDTH_FOR_GUTTER = 40;

/** Maximum rows of a lane, of a phase (only name and time), and of a strip. */
const MAX_LANE_ROWS = 3;
const MAX_PHASE_ROWS = 2;
const MAX_STRIP_ROWS = 3;
/** Rows that a strip keeps if the list of steps needs rows. */
const keptStripRows = ({ height }: ViewContext<'steps'>) => (height >= 36 ? 2 : 1);
/** With only this many rows, the list is not shown: its heading and the step under the cursor. */
const MAX_UNSHOWN_LIST_ROWS = 2;

/** With more rows than this, one is for the legend, however many lanes there are. */
const MIN_ROWS_WITH_LEGEND = 8;

export const CRITICAL_TITLE = 'critical';

export type GanttLayout = ReturnType<typeof layOutGantt>;

/**
 * `gutter`: width of the labels before the bars and strips, which share one time axis. `dense`: the lanes of many short steps; else none. `lanes`:
 * rows of all lanes together. `barHeight`: rows of each bar that may have several. `listRows`: rows of the list of steps including its heading; 0
 * if it is not shown.
 */
export function layOutGantt(state: GanttState, c: ViewContext<'steps'>) {
  const { count, titles } = ganttRows(c).lanes;
  const strips = stripsOf(c);
  const path = hasCriticalRow(c);
  const availableRows = Math.max(1, c.height - 1 - strips.length - (path ? 1 : 0) - (hasPhaseRow(c) ? 1 : 0));
  const { above, tallAbove } = laneRows(state, c);
  const dense = densityLanes(state, c, visibleWindow(state, c));
  const [least, mayBeTall] = dense.length > 0 ? [dense.length, dense.length] : [above[count], tallAbove[count]];
  const maxRows = dense.length > 0 ? maxDensityRows(c) : c.analysis.profile.steps.sampled ? MAX_PHASE_ROWS : MAX_LANE_ROWS;
  // Minus one row for the legend.
  const spare = Math.max(0, availableRows - least - 1);
  const tall = mayBeTall === 0 ? 1 : Math.min(maxRows, 1 + Math.floor(spare / mayBeTall));
  const room = availableRows - (availableRows > MIN_ROWS_WITH_LEGEND ? 1 : 0);
  const lanes = count === 0 ? Math.min(availableRows, 1) : Math.min(room, least + (tall - 1) * mayBeTall);
  const legend = availableRows > lanes;
  const left = availableRows - lanes - (legend ? 1 : 0);
  // Rows for the list: a running step per lane, and the heading.
  const list = mayBeTall + 1;
  const rowsPerStrip = (rows: number) => Math.floor(rows / Math.max(1, strips.length));
  const extraRows = Math.max(rowsPerStrip(left - list), Math.min(keptStripRows(c) - 1, rowsPerStrip(left)));
  const stripRows = Math.max(1, Math.min(MAX_STRIP_ROWS, 1 + extraRows));
  const rest = left - (stripRows - 1) * strips.length;
  const labels = Math.max(
    strips.length > 0 ? maxLabelWidth(strips, stripRows) + 1 : 0,
    path ? CRITICAL_TITLE.length + 1 : 0,
    ...dense.flatMap(densityLabels).map((label) => cellWidth(label) + 1),
  );
  const titled = titles.some((t) => t !== '');
  const gutter =
    c.width >= MIN_WIDTH_FOR_NAMES
      ? Math.min(Math.max(titled ? NAME_GUTTER_WIDTH : 0, labels), MAX_GUTTER_WIDTH)
      : c.width >= MIN_WIDTH_FOR_GUTTER
        ? Math.min(Math.max(titled && c.analysis.profile.steps.sampled ? NUMBER_GUTTER_WIDTH : 0, labels), NAME_GUTTER_WIDTH)
        : 0;
  return {
    ...{ gutter, width: Math.max(4, c.width - gutter), dense, lanes, barHeight: tall, legend, strips, stripRows },
    // Without further steps, the list would only repeat the detail line.
    listRows: rest > MAX_UNSHOWN_LIST_ROWS && count > 0 ? rest : 0,
  };
}
