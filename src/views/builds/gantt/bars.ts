// The bars of Gantt, and what it says of a build that runs.
import { linksOf } from '../../../analysis/answers/steps/links.ts';
import { failed, isLate, isRunning, jobsOf, stepName, stepText, windowOf } from '../../../analysis/answers/steps/steps.ts';
import { memo } from '../../../base/memo.ts';
import { AREAS, type Fill, HEATS, heatFill } from '../../../base/style.ts';
import { plural } from '../../../base/units.ts';
import { timeText } from '../../../columns/times.ts';
import type { StringId } from '../../../model/column.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { Steps } from '../../../model/steps/tables.ts';
import { stringAt } from '../../../model/strings.ts';
import { heatLegend, type LegendEntry } from '../../parts/legend.ts';
import { nameInRoom } from '../../parts/step-detail.ts';
import type { Bar } from '../../parts/timeline.ts';
import type { ViewContext } from '../../view.ts';
import { shownChanges } from './before.ts';
import { cutEnds } from './range.ts';
import type { GanttState } from './rows.ts';

type Context = ViewContext<'steps'>;

/** The values of a text with a fill of their own: those of the jobs that took the most time. */
const areasOf = memo((analysis: Context['analysis'], by: 'role' | 'target' | 'language'): ReadonlyMap<string, Area> => {
  const { steps, strings } = analysis.profile;
  // By number: few texts are decoded, whatever the number of steps.
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
}, 4);

const BAD: Fill = 'heat5';
const GOOD: Fill = 'area3';
const LATE: Fill = 'heat3';
const LINKED: Fill = 'found';

/** The meaning of the colour of a step, in words; empty for none. */
function meaningOf(step: number, { colour }: GanttState, { analysis: { profile } }: Context): string {
  if (colour === 'result') return failed(profile.steps, step) ? 'failed' : 'ok';
  return stepText(profile, colour === 'time' ? 'role' : colour, step) ?? '';
}

function fillOf(step: number, state: GanttState, c: Context): Fill {
  const { analysis } = c;
  const { steps } = analysis.profile;
  if (failed(steps, step)) return BAD;
  if (isLate(steps, step)) return LATE;
  if (state.colour === 'result') return GOOD;
  if (state.colour !== 'time') return areasOf(analysis, state.colour).get(meaningOf(step, state, c))?.style ?? 'same';
  const [from, to] = windowOf(analysis);
  return heatFill(to > from ? steps.durationUs[step] / (to - from) : 0);
}

/** By value with a fill: how long the steps of a lane before each place took. */
const areaSums = memo(
  (analysis: Context['analysis'], lane: Uint32Array, by: 'role' | 'target' | 'language'): ReadonlyMap<Fill, Float64Array> => {
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

/** The fill of steps of a lane that share cells, from one place in it up to another: that of those which took the most time together. */
export function fillsOfMany(
  lane: Uint32Array,
  { colour }: GanttState,
  { analysis }: Context,
): (from: number, to: number) => Fill {
  if (colour === 'result') return () => GOOD;
  // A step of less than a cell takes little of the time.
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
  /** The first step that has it. */
  readonly first: number;
}

/** The letter that stands for a value where its name has no room: its first one that no value before it has. */
function letterFor(value: string, taken: ReadonlySet<string>): string {
  const letters = [...value.slice(0, LONGEST)].filter((c) => /[A-Za-z]/.test(c)).map((c) => c.toUpperCase());
  return letters.find((letter) => !taken.has(letter)) ?? '*';
}

/** Cells of a routine's name in the legend. */
const LEGEND_NAME = 20;

/** Characters of a value that are looked through for its letter. */
const LONGEST = 40;

const anyFailed = memo((steps: Steps): boolean => steps.result.some((r) => r > 0));

/** The meaning of the fills of bars, and of the letters of narrow ones. */
export function legendOf({ colour }: GanttState, c: Context): readonly LegendEntry[] {
  const { analysis, fills } = c;
  if (colour === 'time') return fills ? heatLegend('time') : [];
  const entry = (name: string, style: Fill, letter: string) => ({ name: `${letter} ${name}`, style });
  const bad = anyFailed(analysis.profile.steps) ? [entry('failed', BAD, '!')] : [];
  if (colour === 'result') return [entry('ok', GOOD, 'O'), ...bad];
  const { sampled } = analysis.profile.steps;
  const areas = Array.from(areasOf(analysis, colour), ([value, { style, letter, first }]) =>
    entry(sampled ? nameInRoom(first, LEGEND_NAME, c) : value, style, letter),
  );
  return [...areas, ...bad];
}

/** The letter of a step whose bar has no room for a name. */
function letterOf(step: number, state: GanttState, c: Context): string {
  const { colour } = state;
  const meaning = meaningOf(step, state, c);
  const known = colour === 'time' || colour === 'result' ? undefined : areasOf(c.analysis, colour).get(meaning);
  return known?.letter ?? letterFor(meaning, new Set());
}

/** The flows into and out of the slice under the cursor. */
function arrowOf(step: number, state: GanttState, c: Context): string {
  const { to, from } = linksOf(c.analysis.profile.steps, state.step);
  if (to.length === 0 && from.length === 0) return '';
  if (to.includes(step)) return '→ ';
  return from.includes(step) ? '← ' : '';
}

/** A row of a step's bar: its name, how long it took, and what its colour says. */
export function barOf(step: number, state: GanttState, c: Context, row = 0): Bar {
  const { profile } = c.analysis;
  const steps = profile.steps;
  const arrow = arrowOf(step, state, c);
  const style = arrow === '' ? fillOf(step, state, c) : LINKED;
  const ends = { ...cutEnds(step, c), ...(isRunning(steps, step) ? { close: '▷' } : {}) };
  if (row > 0) {
    const meaning = meaningOf(step, state, c);
    // A stage is named as its role is.
    const text = row === 1 ? timeText(steps.durationUs[step]) : meaning === stepName(profile, step) ? '' : meaning;
    // Part of a word says nothing.
    return { label: (room) => (text.length <= room ? text : ''), letter: '', style, lit: false, ...ends };
  }
  const bad = failed(steps, step);
  const fresh = shownChanges(state, c)?.isNew[step] === 1;
  const letter = arrow !== '' ? arrow.trim() : bad ? '!' : fresh ? '+' : letterOf(step, state, c);
  const mark = `${arrow}${bad ? '✗ ' : ''}${isLate(steps, step) ? 'late ' : ''}${fresh ? 'new ' : ''}`;
  return {
    label: (room) =>
      steps.sampled ? nameInRoom(step, room, c) : `${mark}${shortName(profile, step, stepText(profile, 'role', step) ?? '')}`,
    ...{ letter, marked: arrow !== '' || bad || fresh, style, lit: step === state.step },
    ...ends,
  };
}

/** `parse.cpp`, not `compile: /opt/project/src/parse.cpp`: the letter says the role. */
function shortName(profile: ProfileOf<'steps'>, step: number, role: string): string {
  const name = stepName(profile, step);
  const what = role !== '' && name.startsWith(`${role}: `) ? name.slice(role.length + 2) : name;
  return role === 'compile' ? what.slice(what.lastIndexOf('/') + 1) : what;
}

/** The running steps, and the expected end of the build. */
export function liveText({ analysis }: Context): string {
  const { live } = analysis.profile.steps;
  if (!live) return '';
  if (live.unknown) return `, running: unknown (${live.unknown})`;
  const left = live.expectedEndUs - live.atUs;
  const about = '≈';
  const end = Number.isNaN(left)
    ? ''
    : left > 0
      ? `, ${about} ${timeText(left)} left`
      : `, ${timeText(-left)} longer than the last`;
  // Between two steps nothing may run for a moment; after the last one, nothing does.
  const made = live.made ? `, ${live.made.done} of ${plural(live.made.of, 'command')} done` : '';
  return live.running.step.length > 0 ? `${made}, ${live.running.step.length} running${end}` : '';
}
