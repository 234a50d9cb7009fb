// The second rows of lanes in the Gantt view: bars of the build before, for steps that took longer or shorter there.
import { type Analysis, isOfKind } from '../../../analysis/answers/analysis.ts';
import { type Lanes, lanesOf } from '../../../analysis/answers/steps/lanes.ts';
import { buildUs, WHOLE, windowOf } from '../../../analysis/answers/steps/steps.ts';
import { CHANGE_KINDS, type StepChanges, stepChanges } from '../../../analysis/builds/changes.ts';
import { memo } from '../../../base/memo.ts';
import { firstWhere } from '../../../base/search.ts';
import { timeText } from '../../../columns/times.ts';
import { type Bar, type BarGlyphs, countLabel, type LaneSpec, type Window } from '../../parts/timeline.ts';
import type { ViewContext } from '../../view.ts';
import { type GanttState, ganttRows } from './rows.ts';

type Context = ViewContext<'steps'>;

/** The build to compare with. */
export const buildBefore = ({ base }: Context): Analysis<'steps'> | undefined =>
  base && isOfKind(base, 'steps') ? base : undefined;

/** The changes since then; undefined if there is no such build. */
export function changesIn(c: Context): StepChanges | undefined {
  const base = buildBefore(c);
  return base && stepChanges(c.analysis, base);
}

type Shown = Pick<GanttState, 'before'>;

/** The same while the build before is shown. */
export const shownChanges = (state: Shown, c: Context): StepChanges | undefined => (state.before ? changesIn(c) : undefined);

/** The rows of lanes on the screen. */
export interface LaneRows {
  /** By lane, the number of rows above it where bars have one; at the end, of all. */
  readonly above: ArrayLike<number>;
  /** By lane, the number of lanes above it whose bars may be taller than a row; at the end, of all. A whole, which spans what it is made of, is not. */
  readonly tallAbove: ArrayLike<number>;
  /** By lane, the steps of its second row; undefined where it has none. */
  readonly changed: readonly (ArrayLike<number> | undefined)[];
  /** By step of a second row: the end of its bar, NaN for other steps; and 1 where the next one cuts it short. */
  readonly endUs: Float64Array;
  readonly cut: Uint8Array;
  /** When the last of these bars ends. */
  readonly lastUs: number;
}

const rowsOf = memo((analysis: Analysis<'steps'>, lanes: Lanes, changes: StepChanges | undefined): LaneRows => {
  const { startUs, kind } = analysis.profile.steps;
  const endUs = new Float64Array(changes ? startUs.length : 0).fill(Number.NaN);
  const cut = new Uint8Array(endUs.length);
  const above = new Uint32Array(lanes.count + 1);
  const tallAbove = new Uint32Array(lanes.count + 1);
  let lastUs = Number.NEGATIVE_INFINITY;
  const changed = lanes.steps.map((steps, lane) => {
    const list = changes ? steps.filter((i) => !Number.isNaN(changes.beforeUs[i])) : [];
    above[lane + 1] = above[lane] + (list.length > 0 ? 2 : 1);
    tallAbove[lane + 1] = tallAbove[lane] + (steps.every((i) => kind[i] === WHOLE) ? 0 : 1);
    list.forEach((i, k) => {
      const whole = startUs[i] + (changes?.beforeUs[i] ?? 0);
      const next = k + 1 < list.length ? startUs[list[k + 1]] : Number.POSITIVE_INFINITY;
      endUs[i] = Math.min(whole, next);
      cut[i] = whole > next ? 1 : 0;
      lastUs = Math.max(lastUs, endUs[i]);
    });
    return list.length > 0 ? list : undefined;
  });
  return { above, tallAbove, changed, endUs, cut, lastUs };
}, 4);

export const laneRows = (state: Shown, c: Context): LaneRows => rowsOf(c.analysis, ganttRows(c).lanes, shownChanges(state, c));

/** The first lane to show so that all rows of a lane are seen, moving as little as necessary; `room` is in rows, bars are so `tall`. */
export function topFor({ above, tallAbove }: LaneRows, lane: number, top: number, room: number, tall: number): number {
  const lanes = above.length - 1;
  const rowsAbove = (l: number) => above[l] + tallAbove[l] * (tall - 1);
  const seenFrom = (last: number) => firstWhere(lanes, (l) => rowsAbove(last + 1) - rowsAbove(l) <= room);
  // No lane is left out below while there is room.
  const most = lanes > 0 ? seenFrom(lanes - 1) : 0;
  const kept = Math.min(top, most);
  if (lane < kept) return Math.max(0, lane);
  return Math.max(kept, Math.min(lane, seenFrom(lane)));
}

/** The time of this build, and of the bars of the one before that reach beyond it. */
export function wholeWindow(state: Shown, c: Context): Window {
  const [from, end] = windowOf(c.analysis);
  const changes = shownChanges(state, c);
  // All lanes: a filter does not move the axis.
  const to = changes ? Math.max(end, rowsOf(c.analysis, lanesOf(c.analysis), changes).lastUs) : end;
  // A timeline of zero length needs a window, too.
  return { from, to: to > from ? to : from + 1 };
}

const GLYPHS_BEFORE: BarGlyphs = { open: '╰', edge: '╰', close: '╯', fill: '╌', one: '╌' };
const CUT = '›';

/** The second row of a lane. */
export function laneBefore(
  steps: ArrayLike<number>,
  rows: LaneRows,
  changes: StepChanges,
  state: GanttState,
  c: Context,
): LaneSpec {
  const { startUs } = c.analysis.profile.steps;
  return {
    steps,
    start: (s) => startUs[s],
    end: (s) => rows.endUs[s],
    bar(s): Bar {
      const took = timeText(changes.beforeUs[s]);
      return {
        // A number is shown whole or not at all.
        label: (room) => [`before ${took}`, took].find((text) => text.length <= room) ?? '',
        letter: '',
        style: s === state.step ? 'plain' : 'dim',
        lit: false,
        ...(rows.cut[s] ? { close: CUT } : {}),
      };
    },
    apart: () => false,
    many: (from, to) => ({ style: 'dim', lit: false, label: (room) => countLabel(to - from, false, room) }),
    glyphs: GLYPHS_BEFORE,
  };
}

/** The tab line about both builds: how long the other took, and how many steps are not as they were there. */
export function changesText(c: Context): { readonly time: string; readonly steps: string } {
  const [base, changes] = [buildBefore(c), changesIn(c)];
  if (!base || !changes) return { time: '', steps: '' };
  const kinds = CHANGE_KINDS.filter((kind) => kind !== 'same' && changes.count[kind] > 0);
  return {
    time: ` (before ${timeText(buildUs(base))})`,
    steps: kinds.map((kind) => `, ${changes.count[kind]} ${kind}`).join('') || ', nothing changed',
  };
}
