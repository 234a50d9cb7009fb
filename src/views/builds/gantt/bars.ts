// The bars of the Gantt view with their colours and letters, and the text about a running build.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { roleAndName } from '../../../analysis/answers/steps/step-names.ts';
import {
  isRunning,
  jobsOf,
  runsLate,
  sliceLinksOf,
  stepFailed,
  stepName,
  stepsThatRan,
  stepText,
  timeWindowOf,
} from '../../../analysis/answers/steps/steps.ts';
import { getOrMake, mapOf, memo, sortedByKey } from '../../../base/lists.ts';
import { AREA_FILLS, type Fill, HEAT_FILLS, heatFill } from '../../../base/style.ts';
import { fit } from '../../../base/text.ts';
import { plural } from '../../../base/units.ts';
import { timeText } from '../../../columns/times.ts';
import { Numbering, type StringId } from '../../../model/column.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { Steps } from '../../../model/steps/tables.ts';
import { stringAt } from '../../../model/strings.ts';
import { heatLegend, type LegendEntry } from '../../parts/legend.ts';
import { stepNameInWidth } from '../../parts/step-detail.ts';
import type { TimelineBar } from '../../parts/timeline.ts';
import type { ViewContext } from '../../view.ts';
import { laneRows, shownBaseChanges } from './before.ts';
import { cutEnds } from './range.ts';
import { type GanttState, type Grouping, hasCriticalRow, shownCriticalPath } from './rows.ts';

/** The colours of roles, which are the same in every build; other roles have the last one. */
const ROLE_FILLS = mapOf<Fill>({ compile: 'area1', custom: 'area2', link: 'area3', test: 'area4' });

/** The roles, targets or languages that have their own colour: those with the longest job time. `first`: the first step of one. */
const costliestAreasOf = memo((analysis: Analysis<'steps'>, by: Grouping) => {
  const { durationUs } = analysis.profile.steps;
  const [isByWord, ids] = [goesByWord(analysis, by), areaIds(analysis, by)];
  // Summed by number, so that only few strings are decoded.
  const values = new Map<number, { us: number; readonly first: number }>();
  for (const i of isByWord ? stepsThatRan(analysis) : jobsOf(analysis)) {
    const known = values.get(ids[i]);
    if (known) known.us += durationUs[i];
    else if (areaName(analysis, by, i) !== '') values.set(ids[i], { us: durationUs[i], first: i });
  }
  // There are few roles: all of them have their letters in the legend.
  const top = sortedByKey([...values.values()], ({ us }) => us, true).slice(0, by === 'role' ? MAX_WORDS : AREA_FILLS.length);
  const taken = new Set<string>();
  return new Map(
    top.map(({ first }, k) => {
      const value = areaName(analysis, by, first);
      const letter = chooseFreeLetter(value, taken);
      taken.add(letter);
      const style = by === 'role' && !isByWord ? (ROLE_FILLS.get(value) ?? 'area5') : (AREA_FILLS[k] ?? 'same');
      return [value, { style, letter, first }];
    }),
  );
}, 4);

const MAX_WORDS = 26;
const OTHER_LETTER = '*';

/** Whether no step has a role, target or language, as slices of a trace: they go by the first words of their names. */
const goesByWord = memo(
  (analysis: Analysis<'steps'>, by: Grouping): boolean =>
    !stepsThatRan(analysis).some((i) => stringAt(analysis.profile.strings, analysis.profile.steps[by][i]) !== ''),
  4,
);
/** By step: a number for its first word. */
const firstWords = memo(({ profile }: Analysis<'steps'>): Uint32Array => {
  const words = new Numbering<string>();
  const byName = new Map<StringId, number>();
  return profile.steps.name.map((name, i) => getOrMake(byName, name, () => words.numberOf(firstWordOf(profile, i))));
}, 2);
const firstWordOf = (profile: ProfileOf<'steps'>, step: number): string => stepName(profile, step).split(/:? /, 1)[0];

/** By step: the number of its role, target, language or first word; and that as text, '' for none. */
const areaIds = (analysis: Analysis<'steps'>, by: Grouping) =>
  goesByWord(analysis, by) ? firstWords(analysis) : analysis.profile.steps[by];
const areaName = (analysis: Analysis<'steps'>, by: Grouping, step: number): string =>
  goesByWord(analysis, by) ? firstWordOf(analysis.profile, step) : (stepText(analysis.profile, by, step) ?? '');

const FAILED_FILL: Fill = 'heat5';
const PASSED_FILL: Fill = 'area2';
const LATE_FILL: Fill = 'heat3';
/** Steps of the critical path, where colours show roles. */
export const CRITICAL_FILL: Fill = 'more3';
const LINKED_FILL: Fill = 'found';

/** The meaning of a step's colour, as text; '' if it has no meaning. */
function colourMeaning(step: number, { colour }: GanttState, { analysis }: ViewContext<'steps'>): string {
  if (colour === 'result') return stepFailed(analysis.profile.steps, step) ? 'failed' : 'ok';
  return colour === 'time' ? (stepText(analysis.profile, 'role', step) ?? '') : areaName(analysis, colour, step);
}

function fillOfStep(step: number, state: GanttState, c: ViewContext<'steps'>): Fill {
  const { analysis } = c;
  const { steps } = analysis.profile;
  if (stepFailed(steps, step)) return FAILED_FILL;
  if (runsLate(steps, step)) return LATE_FILL;
  if (state.colour === 'role' && shownCriticalPath(c)?.on[step]) return CRITICAL_FILL;
  if (state.colour === 'result') return PASSED_FILL;
  if (state.colour !== 'time')
    return costliestAreasOf(analysis, state.colour).get(colourMeaning(step, state, c))?.style ?? 'same';
  const [from, to] = timeWindowOf(analysis);
  return heatFill(to > from ? steps.durationUs[step] / (to - from) : 0);
}

/** Prefix sums of the step durations in a lane, for each colour. */
const durationSumsByArea = memo((analysis: Analysis<'steps'>, lane: Uint32Array, by: Grouping) => {
  const { durationUs } = analysis.profile.steps;
  const ids = areaIds(analysis, by);
  return Array.from(costliestAreasOf(analysis, by), ([name, { style, first }]): [MergedSteps, Float64Array] => {
    const sum = new Float64Array(lane.length + 1);
    for (let k = 0; k < lane.length; k++) sum[k + 1] = sum[k] + (ids[lane[k]] === ids[first] ? durationUs[lane[k]] : 0);
    return [{ style, name: goesByWord(analysis, by) ? name : '' }, sum];
  });
}, 256);

/** The colour of merged steps, and what they are; '' where the lane or the legend says that. */
type MergedSteps = Readonly<{ style: Fill; name: string }>;
const unnamed = (style: Fill): MergedSteps => ({ style, name: '' });

/** By the range of merged steps in their lane: those of them with the longest summed time. */
export function costliestMergedSteps(
  lane: Uint32Array,
  { colour }: GanttState,
  { analysis }: ViewContext<'steps'>,
): (from: number, to: number) => MergedSteps {
  if (colour === 'result') return () => unnamed(PASSED_FILL);
  // Merged steps are shorter than a cell, so they get the colour for short times.
  if (colour === 'time') return () => unnamed(HEAT_FILLS[0]);
  const sums = durationSumsByArea(analysis, lane, colour);
  return (from, to) => {
    let [best, most] = [unnamed('same'), 0];
    for (const [steps, sum] of sums) {
      const us = sum[to] - sum[from];
      if (us > most) [best, most] = [steps, us];
    }
    return best;
  };
}

/** A letter for a value, shown in narrow bars: its first letter that no other value uses; OTHER_LETTER if there is none. */
function chooseFreeLetter(value: string, taken: ReadonlySet<string>): string {
  const letters = [...value.slice(0, MAX_SEARCHED_LETTERS)].filter((c) => /[A-Za-z]/.test(c)).map((c) => c.toUpperCase());
  return letters.find((letter) => !taken.has(letter)) ?? OTHER_LETTER;
}

const LEGEND_NAME_WIDTH = 22;

const MAX_SEARCHED_LETTERS = 40;

const hasFailedStep = memo((steps: Steps): boolean => steps.result.some((r) => r > 0));

/** The legend: what the colours of bars and the letters of narrow bars mean. */
export function ganttLegend(state: GanttState, c: ViewContext<'steps'>): readonly LegendEntry[] {
  const { analysis, fills } = c;
  const { colour } = state;
  if (colour === 'time') return fills ? heatLegend('time') : [];
  const entry = (name: string, style: Fill, letter: string) => ({ name: `${letter} ${name}`, style });
  const bad = hasFailedStep(analysis.profile.steps) ? [entry('failed', FAILED_FILL, '!')] : [];
  if (colour === 'result') return [entry('ok', PASSED_FILL, 'O'), ...bad];
  const { sampled } = analysis.profile.steps;
  const isByWord = goesByWord(analysis, colour);
  const shortWord = (word: string) => fit(word, c.width < 100 ? 14 : LEGEND_NAME_WIDTH, 'left', 'middle').trimEnd();
  const all = [...costliestAreasOf(analysis, colour)];
  const named = all.filter(([, { letter }]) => letter !== OTHER_LETTER || !isByWord);
  const areas = named.map(([value, { style, letter, first }]) =>
    entry(sampled ? stepNameInWidth(first, LEGEND_NAME_WIDTH, c) : isByWord ? shortWord(value) : value, style, letter),
  );
  const hasOthers = isByWord && (named.length < all.length || all.length === MAX_WORDS);
  const others = hasOthers ? [entry('others', 'same', OTHER_LETTER)] : [];
  const path = colour === 'role' && hasCriticalRow(c) ? [{ name: '◆ critical path', style: CRITICAL_FILL }] : [];
  return [...changesLegend(state, c), ...others, ...areas, ...path, ...bad];
}

/** With a base: the marks of new steps and of bars of the base, and how many steps of the base have no bar. */
function changesLegend(state: GanttState, c: ViewContext<'steps'>): LegendEntry[] {
  const changes = shownBaseChanges(state, c);
  if (!changes) return [];
  const { new: isNew, gone, 'not run': idle } = changes.count;
  const kinds = [gone > 0 ? 'gone' : '', idle > 0 ? 'not run' : ''].filter((kind) => kind !== '');
  const hasBars = laneRows(state, c).changed.some((steps) => steps !== undefined);
  const names = [
    isNew > 0 ? '+ new' : '',
    hasBars ? '╌ in the base' : '',
    kinds.length > 0 ? `no bar: ${gone + idle} ${kinds.join('/')}` : '',
  ];
  return names.filter((name) => name !== '').map((name) => ({ name, style: 'dim' }));
}

/** The letter of a step whose bar is too narrow for a name. */
export function letterOfStep(step: number, state: GanttState, c: ViewContext<'steps'>): string {
  const { colour } = state;
  const meaning = colourMeaning(step, state, c);
  const by = colour === 'time' || colour === 'result' ? undefined : colour;
  const known = by && costliestAreasOf(c.analysis, by).get(meaning);
  if (!known && by && goesByWord(c.analysis, by)) return OTHER_LETTER;
  return known?.letter ?? chooseFreeLetter(meaning || stepName(c.analysis.profile, step), new Set());
}

/** An arrow if a flow connects the step with the slice under the cursor; else ''. */
function flowArrow(step: number, state: GanttState, c: ViewContext<'steps'>): string {
  const { to, from } = sliceLinksOf(c.analysis.profile.steps, state.step);
  if (to.length === 0 && from.length === 0) return '';
  if (to.includes(step)) return '→ ';
  return from.includes(step) ? '← ' : '';
}

/** A row of a step's bar. Row 0 shows the name, row 1 the duration, row 2 the meaning of the colour. */
export function barOfStep(step: number, state: GanttState, c: ViewContext<'steps'>, row = 0): TimelineBar {
  const { profile } = c.analysis;
  const steps = profile.steps;
  const arrow = flowArrow(step, state, c);
  const style = arrow === '' ? fillOfStep(step, state, c) : LINKED_FILL;
  const ends = { ...cutEnds(step, c), ...(isRunning(steps, step) ? { close: '▷' } : {}) };
  if (row > 0) {
    const meaning = colourMeaning(step, state, c);
    // Omit the role if it is the name of the step, as for stages, or the first word of it.
    const { colour } = state;
    const isWord = colour !== 'time' && colour !== 'result' && goesByWord(c.analysis, colour);
    const isInName = isWord || meaning === stepName(profile, step);
    const text = row === 1 ? timeText(steps.durationUs[step]) : isInName ? '' : meaning;
    // A label is shown whole or not at all.
    return { label: (width) => (text.length <= width ? text : ''), letter: '', style, highlighted: false, ...ends };
  }
  const bad = stepFailed(steps, step);
  const isNew = shownBaseChanges(state, c)?.isNew[step] === 1;
  const letter = arrow !== '' ? arrow.trim() : bad ? '!' : isNew ? '+' : letterOfStep(step, state, c);
  const isCritical = !c.fills && shownCriticalPath(c)?.on[step] === 1;
  const mark = `${isCritical ? '◆' : ''}${arrow}${bad ? '✗ ' : ''}${runsLate(steps, step) ? 'late ' : ''}${isNew ? 'new ' : ''}`;
  return {
    label: (width) => (steps.sampled ? stepNameInWidth(step, width, c) : `${mark}${nameInBar(profile, step)}`),
    ...{ letter, marked: arrow !== '' || bad || isNew, style, highlighted: step === state.step },
    ...ends,
  };
}

/** `parse.cpp` instead of `compile: /opt/project/src/parse.cpp`: the letter already shows the role. */
function nameInBar(profile: ProfileOf<'steps'>, step: number): string {
  const role = stepText(profile, 'role', step);
  const [, name] = roleAndName(profile, step);
  // Names of custom commands are their outputs, or else command lines.
  return role === 'compile' || (role === 'custom' && !name.includes(' ')) ? name.slice(name.lastIndexOf('/') + 1) : name;
}

/** The text about a running build: its running steps, and its expected end. */
export function runningBuildText({ analysis }: ViewContext<'steps'>): string {
  const { live } = analysis.profile.steps;
  if (!live) return '';
  if (live.unknown) return `, running: unknown (${live.unknown})`;
  const left = live.expectedEndUs - live.atUs;
  const end = Number.isNaN(left) ? '' : left > 0 ? `, ≈ ${timeText(left)} left` : `, ${timeText(-left)} longer than the last`;
  // Without running steps (between two steps, or after the last one), there is no text.
  const made = live.made ? `, ${live.made.done} of ${plural(live.made.of, 'command')} done` : '';
  return live.running.step.length > 0 ? `${made}, ${live.running.step.length} running${end}` : '';
}
