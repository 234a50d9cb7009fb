// The rows of the Gantt view: the axis, the lanes, a legend, the strips of jobs and of the host, and the steps at the cursor's time.
import type { ViewContext } from '../../view.ts';
import { laneRows } from './before.ts';
import { type GanttState, ganttRows } from './rows.ts';
import { labelWidth, type Strip, stripsOf } from './strips.ts';

/** Width of the gutter with thread names. */
const GUTTER = 14;
const WIDEST_GUTTER = 18;
/** Width of the gutter with thread numbers only. */
const SHORT_GUTTER = 8;
const WIDE = 60;
/** Below this width there is no gutter. */
const NARROW = 40;

/** The largest number of rows of a lane, a phase (name and time only) and a strip. */
const TALLEST_LANE = 3;
const TALLEST_PHASE = 2;
const TALLEST_STRIP = 8;
/** The rows that a strip keeps when the list of steps needs space. */
const LOW_STRIP = 2;
/** The list needs more rows than these two: its heading and the step under the cursor. */
const LEAST_LIST = 2;

export interface GanttLayout {
  /** Width of the labels before the bars and strips, which share one time axis. */
  readonly gutter: number;
  readonly width: number;
  /** `lanes`: rows for all lanes. `barHeight`: rows of each bar that may be tall. */
  readonly lanes: number;
  readonly barHeight: number;
  readonly legend: boolean;
  readonly strips: readonly Strip[];
  readonly stripRows: number;
  /** Rows of the list of steps, its heading included; 0 for none. */
  readonly listRows: number;
}

export function layoutOf(state: Pick<GanttState, 'before'>, c: ViewContext<'steps'>): GanttLayout {
  const { count, titles } = ganttRows(c).lanes;
  const strips = stripsOf(c);
  const availableRows = Math.max(1, c.height - 1 - strips.length);
  const { above, tallAbove } = laneRows(state, c);
  const [least, mayBeTall] = [above[count], tallAbove[count]];
  // Minus one row for the legend.
  const spare = Math.max(0, availableRows - least - 1);
  const tall =
    mayBeTall === 0
      ? 1
      : Math.min(c.analysis.profile.steps.sampled ? TALLEST_PHASE : TALLEST_LANE, 1 + Math.floor(spare / mayBeTall));
  const lanes = count === 0 ? Math.min(availableRows, 1) : Math.min(availableRows, least + (tall - 1) * mayBeTall);
  const legend = availableRows > lanes;
  const left = availableRows - lanes - (legend ? 1 : 0);
  // At most one running step per lane, and the heading.
  const list = mayBeTall + 1;
  const rowsPerStrip = (rows: number) => Math.floor(rows / Math.max(1, strips.length));
  const extraRows = Math.max(rowsPerStrip(left - list), Math.min(LOW_STRIP - 1, rowsPerStrip(left)));
  const stripRows = Math.max(1, Math.min(TALLEST_STRIP, 1 + extraRows));
  const rest = left - (stripRows - 1) * strips.length;
  const labels = strips.length > 0 ? labelWidth(strips, stripRows) + 1 : 0;
  const titled = titles.some((t) => t !== '');
  const gutter =
    c.width >= WIDE
      ? Math.min(Math.max(titled ? GUTTER : 0, labels), WIDEST_GUTTER)
      : c.width >= NARROW
        ? Math.min(Math.max(titled && c.analysis.profile.steps.sampled ? SHORT_GUTTER : 0, labels), GUTTER)
        : 0;
  return {
    ...{ gutter, width: Math.max(4, c.width - gutter), lanes, barHeight: tall, legend, strips, stripRows },
    // A list of only the step under the cursor would repeat the detail line.
    listRows: rest > LEAST_LIST && count > 0 ? rest : 0,
  };
}
