// The Step view: all that is known about the step under the cursor.

import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import {
  hasNoTime,
  hasRun,
  neverRan,
  resultText,
  sliceLinksOf,
  stepsThatRan,
  stepText,
  uncutTimes,
  wholeWindowOf,
} from '../../analysis/answers/steps/steps.ts';
import { criticalPathOf, stepWaitText, waitReasonSentence } from '../../analysis/builds/critical.ts';
import { dependenciesOf, dependentsOf } from '../../analysis/builds/needs.ts';
import { simulatedWithAndWithout } from '../../analysis/builds/simulate.ts';
import { statusText, testOfStep } from '../../analysis/builds/tests.ts';
import { firstIndexWhere, sortedByKey } from '../../base/lists.ts';
import type { Style } from '../../base/style.ts';
import { formatBytes, formatCount, formatPercent } from '../../base/units.ts';
import { timeAxisLabels, timeOrUnknown, timeText } from '../../columns/times.ts';
import { type TextName, WHOLE_KIND } from '../../model/steps/tables.ts';
import { stringAt } from '../../model/strings.ts';
import { type AddField, detailView } from '../parts/detail-view.ts';
import type { ViewContext } from '../view.ts';
import { changeText } from './step-detail.ts';

function addStepFields(step: number, c: ViewContext<'steps'>, addField: AddField): void {
  const { profile } = c.analysis;
  const steps = profile.steps;
  const text = (column: TextName) => stepText(profile, column, step);
  const [origin] = wholeWindowOf(c.analysis);
  const addLines = (label: string, lines: string, style?: Style) => {
    for (const [k, line] of lines.split('\n').entries()) addField(k === 0 ? label : '', line || ' ', style);
  };
  addField('role', text('role'));
  addField(text('detail') === null ? 'target' : 'detail', text('target'));
  for (const column of ['source', 'language', 'config'] as const) addField(column, text(column));
  const result = steps.result[step];
  if (hasRun(steps, step)) addField('time', spanText(steps.startUs[step] - origin, steps.durationUs[step]));
  else if (neverRan(steps, step)) addField('time', 'never ran', 'warm');
  else
    addField('time', hasNoTime(steps, step) ? 'not recorded' : `${timeText(steps.durationUs[step])}; its start is not recorded`);
  // Without a start, it is about the time.
  if (!hasRun(steps, step)) addField('', text('caveat'), 'dim');
  addField('', changeText(c, step), 'bold');
  const before = uncutTimes(steps, step);
  if (before) {
    const whole = spanText(before.startUs - origin, before.durationUs);
    addField('', `cut by the time range: the whole step took ${whole}; result and outputs are those of the whole step`, 'warm');
  }
  if (!Number.isNaN(steps.cpuUs[step]))
    addField('cpu', `${timeText(steps.cpuUs[step])}, ${timeText(steps.durationUs[step] - steps.cpuUs[step])} off the cpu`);
  const isKnown = !Number.isNaN(result);
  addField('result', isKnown ? resultText(result) : 'unknown', isKnown && result !== 0 ? 'error' : 'plain');
  if (hasRun(steps, step)) addField('', text('caveat'), 'dim');
  const test = testOfStep(c.analysis, step);
  if (test) {
    const { status, labels, output } = test;
    addField('test', statusText(test), status === 'failed' ? 'error' : status === 'passed' ? 'plain' : 'warm');
    addField('labels', labels.join(' '));
    addLines('output', output);
  }
  const path = criticalPathOf(c.analysis).ready;
  const link = path?.links.find((l) => l.step === step);
  const pathText = path?.basis === 'lanes' ? 'on a path by times only' : 'on the path that decided the end';
  if (link) addField('critical', `${pathText}; ${waitReasonSentence(profile, link)}`, 'hot');
  else addField('started', stepWaitText(c.analysis, step, timeText));
  if (path) addField('gain', stepGainText(c, step));
  addCompilerFields(step, c, addField);
  addLinkedSteps(step, c, addField, path !== undefined);
  addField('trace', text('trace'));
  addField('', text('traceCaveat'), 'warm');
  addField('folder', text('directory'));
  for (const column of ['pool', 'cache', 'command'] as const) addField(column, text(column));
  for (let o = steps.outputStart[step]; o < steps.outputStart[step + 1]; o++) {
    const bytes = steps.outputBytes[o];
    const size = Number.isNaN(bytes) ? '' : `  ${formatBytes(bytes)}`;
    addField('output', `${stringAt(profile.strings, steps.outputPath[o])}${size}`);
  }
  const messages = text('messages');
  if (messages !== null) addLines('messages', messages, 'dim');
  const more = text('more');
  if (more) addOtherFields(JSON.parse(more), addField);
}

const MAX_LINKS = 6;

/** For a step that compiles a unit, the phases and headers that take most of its time, as the compiler recorded them. */
function addCompilerFields(step: number, { analysis: { profile } }: ViewContext<'steps'>, addField: AddField): void {
  const { units, headers, uses, phases, phaseUses } = profile.steps.compiles ?? {};
  const unit = units?.step.indexOf(step) ?? -1;
  if (!units || !headers || !uses || !phases || !phaseUses || unit < 0) return;
  const addCostliest = (label: string, table: { unit: Uint32Array; us: Float64Array }, nameOf: (row: number) => number) => {
    const end = firstIndexWhere(table.unit.length, (k) => table.unit[k] > unit);
    const rows: number[] = [];
    for (let k = end - 1; k >= 0 && table.unit[k] === unit; k--) rows.push(k);
    const costliest = sortedByKey(rows, (row) => table.us[row], true).slice(0, MAX_LINKS);
    for (const [k, row] of costliest.entries()) {
      const time = `${timeText(table.us[row]).padStart(6)} ${formatPercent(table.us[row], units.totalUs[unit]).padStart(6)}`;
      addField(k === 0 ? label : '', `${time}  ${stringAt(profile.strings, nameOf(row))}`);
    }
    const more = rows.length > MAX_LINKS ? `${formatCount(rows.length - MAX_LINKS)} more in Compilers; ` : '';
    if (rows.length > 1) addField('', `${more}one may be inside another`, 'dim');
  };
  addCostliest('phases', phaseUses, (k) => phases.name[phaseUses.phase[k]]);
  addCostliest('headers', uses, (k) => headers.name[uses.header[k]]);
}

/** The steps that it needs and that need it, those connected by flows, the one around it and those inside it. */
function addLinkedSteps(step: number, c: ViewContext<'steps'>, addField: AddField, isPathKnown: boolean): void {
  const { steps } = c.analysis.profile;
  const { parent } = steps;
  const needs = isPathKnown ? dependenciesOf(c.analysis).now() : undefined;
  const links = sliceLinksOf(steps, step);
  const inside = Array.from(parent.keys()).filter((i) => parent[i] === step);
  const all: readonly (readonly [label: string, linked: readonly number[] | undefined])[] = [
    ['inside', parent[step] >= 0 && steps.kind[parent[step]] !== WHOLE_KIND ? [parent[step]] : []],
    ['contains', inside],
    ['needs', needs?.get(step)],
    ['needed by', needs && dependentsOf(needs).get(step)],
    ['flow from', links.from],
    ['flow to', links.to],
  ];
  for (const [label, linked] of all) addLinks(label, linked, c, addField);
}

/** Steps that depend on each other: the longest first, each with its time. Enter opens them. */
function addLinks(label: string, linked: readonly number[] | undefined, c: ViewContext<'steps'>, addField: AddField): void {
  const { profile } = c.analysis;
  const { durationUs } = profile.steps;
  const longest = [...(linked ?? [])].sort((a, b) => durationUs[b] - durationUs[a]);
  for (const [k, i] of longest.slice(0, MAX_LINKS).entries())
    addField(k === 0 ? label : '', `${shortStepName(profile, i)}  ${timeOrUnknown(durationUs[i])}`, 'plain', i);
  if (longest.length > MAX_LINKS) addField('', `▸ ${formatCount(longest.length - MAX_LINKS)} more`, 'dim');
}

/** `beforeCPULoadAverage` as words: `before CPU load average`. */
const wordsOf = (key: string): string =>
  key.replace(/([a-z])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4').replace(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());

/** How much shorter the build would be if a step took no time; '' if that is nothing, or unknown. */
function stepGainText({ analysis }: ViewContext<'steps'>, step: number): string {
  const { asItWasUs, withoutUs } = simulatedWithAndWithout(analysis, step) ?? { asItWasUs: 0, withoutUs: 0 };
  if (asItWasUs <= withoutUs) return '';
  return `≈ ${timeText(asItWasUs - withoutUs)} if it took no time: ≈ ${timeText(withoutUs)} instead of ≈ ${timeText(asItWasUs)} (simulated)`;
}

/** A value of CMake's: its memory is in KiB. */
const otherValueText = (key: string, value: unknown): string =>
  typeof value !== 'number' ? String(value) : key.endsWith('MemoryUsed') ? formatBytes(value * 1024) : formatCount(value);

/** Adds fields that only one tool has, without empty ones. Their names are too long for the label column. */
function addOtherFields(fields: object, addField: AddField): void {
  for (const [key, value] of Object.entries<unknown>({ ...fields })) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) addOtherFields(value, addField);
    else if (value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
      addField('', `${wordsOf(key)}: ${otherValueText(key, value)}`, 'dim');
  }
}

/** The duration and times of a step, relative to the start of the build: `3.91s, from 33.0s to 36.9s`. */
function spanText(startUs: number, us: number): string {
  // As precise as an axis with fifty marks within the step.
  const [from, , to] = timeAxisLabels([startUs, startUs + us / 50, startUs + us]);
  return `${timeText(us)}, from ${from} to ${to}`;
}

export const stepView = detailView({
  id: 'step',
  title: 'Step',
  partOf: 'steps',
  kind: 'steps',
  none: 'no step is chosen: choose one in Gantt or Steps',
  count: (c) => c.analysis.profile.steps.name.length,
  name: (i, c) => shortStepName(c.analysis.profile, i),
  say: addStepFields,
  order: (c) => stepsThatRan(c.analysis),
  waitsFor: (c) => criticalPathOf(c.analysis),
  inner: {
    help: "open the compiler's own trace (clang -ftime-trace); Bksp returns",
    path: (i, c) => stepText(c.analysis.profile, 'trace', i),
    any: (c) => c.analysis.profile.steps.trace.some((id) => id >= 0),
    none: 'no compiler trace for this step; compile with clang -ftime-trace',
  },
  file: (i, c) => stepText(c.analysis.profile, 'source', i),
});
