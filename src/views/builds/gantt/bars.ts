// The bars of Gantt, their colours and letters, and the text about a running build.
import { sliceLinksOf } from '../../../analysis/answers/steps/links.ts';
import { isRunning, jobsOf, runsLate, stepFailed, stepName, stepText, windowOf } from '../../../analysis/answers/steps/steps.ts';
import { memo } from '../../../base/memo.ts';
import { AREAS, type Fill, HEATS, heatFill } from '../../../base/style.ts';
import { plural } from '../../../base/units.ts';
import { timeText } from '../../../columns/times.ts';
import type { StringId } from '../../../model/column.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { Steps } from '../../../model/steps/tables.ts';
import { stringAt } from '../../../model/strings.ts';
import { heatLegend, type LegendEntry } from '../../parts/legend.ts';
import { nameInWidth } from '../../parts/step-detail.ts';
import type { Bar } from '../../parts/timeline.ts';
import type { ViewContext } from '../../view.ts';
import { shownChanges } from './before.ts';
import { cutEnds } from './range.ts';
import type { GanttState } from './rows.ts';

/** The roles, targets or languages with their own colour: those with the most job time. */
const areasOf = memo(
  (analysis: ViewContext<'steps'>['analysis'], by: 'role' | 'target' | 'language'): ReadonlyMap<string, Area> => {
    const { steps, strings } = analysis.profile;
    // Summed by string id, so that only few strings are decoded.
    const values = new Map<StringId, { us: number; readonly first: number }>();
    for (const i of jobsOf(analysis)) {
      const id = steps[by][i];
      const known = values.get(id);
      if (known) known.us += steps.durationUs[i];
      else if (stringAt(strings, id) !== '') values.set(id, { us: steps.durationUs[i], first: i });
    }
    const top = [...values].sort((a, b) => b[1].us - a[1].us).slice(0, AREAS.length);
    const taken = new Set<string>();
    return new Map(
      top.map(([id, { first }], k) => {
        const value = stringAt(strings, id);
        const letter = letterFor(value, taken);
        taken.add(letter);
        return [value, { style: AREAS[k], letter, first }];
      }),
    );
  },
  4,
);

const BAD: Fill = 'heat5';
const GOOD: Fill = 'area3';
const LATE: Fill = 'heat3';
const LINKED: Fill = 'found';

/** The meaning of the colour of a step, in words; empty for none. */
function colourMeaning(step: number, { colour }: GanttState, { analysis: { profile } }: ViewContext<'steps'>): string {
  if (colour === 'result') return stepFailed(profile.steps, step) ? 'failed' : 'ok';
  return stepText(profile, colour === 'time' ? 'role' : colour, step) ?? '';
}

function fillOf(step: number, state: GanttState, c: ViewContext<'steps'>): Fill {
  const { analysis } = c;
  const { steps } = analysis.profile;
  if (stepFailed(steps, step)) return BAD;
  if (runsLate(steps, step)) return LATE;
  if (state.colour === 'result') return GOOD;
  if (state.colour !== 'time') return areasOf(analysis, state.colour).get(colourMeaning(step, state, c))?.style ?? 'same';
  const [from, to] = windowOf(analysis);
  return heatFill(to > from ? steps.durationUs[step] / (to - from) : 0);
}

/** For each colour, the prefix sums of its step durations in a lane. */
const areaSums = memo(
  (
    analysis: ViewContext<'steps'>['analysis'],
    lane: Uint32Array,
    by: 'role' | 'target' | 'language',
  ): ReadonlyMap<Fill, Float64Array> => {
    const { [by]: ids, durationUs } = analysis.profile.steps;
    return new Map(
      Array.from(areasOf(analysis, by).values(), ({ style, first }) => {
        const sum = new Float64Array(lane.length + 1);
        for (let k = 0; k < lane.length; k++) sum[k + 1] = sum[k] + (ids[lane[k]] === ids[first] ? durationUs[lane[k]] : 0);
        return [style, sum];
      }),
    );
  },
  256,
);

/** The colour of several steps that share a cell, by their range in the lane: the colour with the longest summed time. */
export function sharedFillOf(
  lane: Uint32Array,
  { colour }: GanttState,
  { analysis }: ViewContext<'steps'>,
): (from: number, to: number) => Fill {
  if (colour === 'result') return () => GOOD;
  // Each step is shorter than a cell, so all get the coolest colour.
  if (colour === 'time') return () => HEATS[0];
  const sums = [...areaSums(analysis, lane, colour)];
  return (from, to) => {
    let [best, most]: [Fill, number] = ['same', 0];
    for (const [fill, sum] of sums) {
      const us = sum[to] - sum[from];
      if (us > most) [best, most] = [fill, us];
    }
    return best;
  };
}

interface Area {
  readonly style: Fill;
  readonly letter: string;
  /** The first step with this value. */
  readonly first: number;
}

/** The letter of a value for narrow bars: its first letter that no earlier value has taken; `*` if none is free. */
function letterFor(value: string, taken: ReadonlySet<string>): string {
  const letters = [...value.slice(0, MOST_SEARCHED)].filter((c) => /[A-Za-z]/.test(c)).map((c) => c.toUpperCase());
  return letters.find((letter) => !taken.has(letter)) ?? '*';
}

/** The width of a routine's name in the legend. */
const LEGEND_NAME_WIDTH = 20;

/** The number of characters of a value that are searched for its letter. */
const MOST_SEARCHED = 40;

const hasFailedStep = memo((steps: Steps): boolean => steps.result.some((r) => r > 0));

/** The meaning of the fills of bars, and of the letters of narrow ones. */
export function legendOf({ colour }: GanttState, c: ViewContext<'steps'>): readonly LegendEntry[] {
  const { analysis, fills } = c;
  if (colour === 'time') return fills ? heatLegend('time') : [];
  const entry = (name: string, style: Fill, letter: string) => ({ name: `${letter} ${name}`, style });
  const bad = hasFailedStep(analysis.profile.steps) ? [entry('failed', BAD, '!')] : [];
  if (colour === 'result') return [entry('ok', GOOD, 'O'), ...bad];
  const { sampled } = analysis.profile.steps;
  const areas = Array.from(areasOf(analysis, colour), ([value, { style, letter, first }]) =>
    entry(sampled ? nameInWidth(first, LEGEND_NAME_WIDTH, c) : value, style, letter),
  );
  return [...areas, ...bad];
}

/** The letter of a step whose bar is too narrow for a name. */
function letterOf(step: number, state: GanttState, c: ViewContext<'steps'>): string {
  const { colour } = state;
  const meaning = colourMeaning(step, state, c);
  const known = colour === 'time' || colour === 'result' ? undefined : areasOf(c.analysis, colour).get(meaning);
  return known?.letter ?? letterFor(meaning, new Set());
}

/** An arrow if the step has a flow to or from the slice under the cursor. */
function flowArrow(step: number, state: GanttState, c: ViewContext<'steps'>): string {
  const { to, from } = sliceLinksOf(c.analysis.profile.steps, state.step);
  if (to.length === 0 && from.length === 0) return '';
  if (to.includes(step)) return '→ ';
  return from.includes(step) ? '← ' : '';
}

/** One row of a step's bar: 0 its name, 1 its duration, 2 the meaning of its colour. */
export function barOf(step: number, state: GanttState, c: ViewContext<'steps'>, row = 0): Bar {
  const { profile } = c.analysis;
  const steps = profile.steps;
  const arrow = flowArrow(step, state, c);
  const style = arrow === '' ? fillOf(step, state, c) : LINKED;
  const ends = { ...cutEnds(step, c), ...(isRunning(steps, step) ? { close: '▷' } : {}) };
  if (row > 0) {
    const meaning = colourMeaning(step, state, c);
    // Omit the role if it equals the name, as for stages.
    const text = row === 1 ? timeText(steps.durationUs[step]) : meaning === stepName(profile, step) ? '' : meaning;
    // A label is shown whole or not at all.
    return { label: (width) => (text.length <= width ? text : ''), letter: '', style, highlighted: false, ...ends };
  }
  const bad = stepFailed(steps, step);
  const isNew = shownChanges(state, c)?.isNew[step] === 1;
  const letter = arrow !== '' ? arrow.trim() : bad ? '!' : isNew ? '+' : letterOf(step, state, c);
  const mark = `${arrow}${bad ? '✗ ' : ''}${runsLate(steps, step) ? 'late ' : ''}${isNew ? 'new ' : ''}`;
  return {
    label: (width) =>
      steps.sampled ? nameInWidth(step, width, c) : `${mark}${shortName(profile, step, stepText(profile, 'role', step) ?? '')}`,
    ...{ letter, marked: arrow !== '' || bad || isNew, style, highlighted: step === state.step },
    ...ends,
  };
}

/** `parse.cpp` instead of `compile: /opt/project/src/parse.cpp`: the letter already shows the role. */
function shortName(profile: ProfileOf<'steps'>, step: number, role: string): string {
  const name = stepName(profile, step);
  const what = role !== '' && name.startsWith(`${role}: `) ? name.slice(role.length + 2) : name;
  return role === 'compile' ? what.slice(what.lastIndexOf('/') + 1) : what;
}

/** The running steps, and the expected end of the build. */
export function liveText({ analysis }: ViewContext<'steps'>): string {
  const { live } = analysis.profile.steps;
  if (!live) return '';
  if (live.unknown) return `, running: unknown (${live.unknown})`;
  const left = live.expectedEndUs - live.atUs;
  const sign = '≈';
  const end = Number.isNaN(left)
    ? ''
    : left > 0
      ? `, ${sign} ${timeText(left)} left`
      : `, ${timeText(-left)} longer than the last`;
  // No text while nothing runs: between two steps, or after the last one.
  const made = live.made ? `, ${live.made.done} of ${plural(live.made.of, 'command')} done` : '';
  return live.running.step.length > 0 ? `${made}, ${live.running.step.length} running${end}` : '';
}
