// The rows of the Gantt view: the axis, the lanes, a legend, the strips of jobs and of the host, and the steps at the cursor's time.
import type { ViewContext } from '../../view.ts';
import { laneRows } from './before.ts';
import { type GanttState, ganttRows } from './rows.ts';
import { labelWidth, type Strip, stripsOf } from './strips.ts';

/** The names of threads; narrower screens have only the strips' labels. */
const GUTTER = 14;
const WIDEST_GUTTER = 18;
/** The numbers of threads. */
const SHORT_GUTTER = 8;
const WIDE = 60;
/** Narrower screens have no room for labels. */
const NARROW = 40;

/** Rows of a lane and of a strip, at most; a phase has only its name and its time to say. */
const TALLEST_LANE = 3;
const TALLEST_PHASE = 2;
const TALLEST_STRIP = 8;
/** Rows that a strip keeps when the list of steps needs some. */
const LOW_STRIP = 2;
/** The heading of the list, and the step under the cursor. */
const LEAST_LIST = 2;

export interface Layout {
  /** Cells before the bars and the strips: both begin at the same time. */
  readonly gutter: number;
  readonly width: number;
  /** Rows for lanes, and rows of each bar that may be tall. */
  readonly lanes: number;
  readonly tall: number;
  readonly legend: boolean;
  readonly strips: readonly Strip[];
  readonly stripRows: number;
  /** Rows of the list of steps, its heading included; 0 for none. */
  readonly list: number;
}

export function layoutOf(state: Pick<GanttState, 'before'>, c: ViewContext<'steps'>): Layout {
  const { count, titles } = ganttRows(c).lanes;
  const strips = stripsOf(c);
  const room = Math.max(1, c.height - 1 - strips.length);
  const { above, tallAbove } = laneRows(state, c);
  const [least, mayBeTall] = [above[count], tallAbove[count]];
  // The legend keeps its row.
  const spare = Math.max(0, room - least - 1);
  const tall =
    mayBeTall === 0
      ? 1
      : Math.min(c.analysis.profile.steps.sampled ? TALLEST_PHASE : TALLEST_LANE, 1 + Math.floor(spare / mayBeTall));
  const lanes = count === 0 ? Math.min(room, 1) : Math.min(room, least + (tall - 1) * mayBeTall);
  const legend = room > lanes;
  const left = room - lanes - (legend ? 1 : 0);
  // As many steps run at once as there are lanes.
  const list = mayBeTall + 1;
  const high = (rows: number) => Math.floor(rows / Math.max(1, strips.length));
  const more = Math.max(high(left - list), Math.min(LOW_STRIP - 1, high(left)));
  const stripRows = Math.max(1, Math.min(TALLEST_STRIP, 1 + more));
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
    ...{ gutter, width: Math.max(4, c.width - gutter), lanes, tall, legend, strips, stripRows },
    // The step under the cursor alone is what the detail line says.
    list: rest > LEAST_LIST && count > 0 ? rest : 0,
  };
}
