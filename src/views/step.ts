// Step: everything that is known of the step under the cursor.
import { criticalPath, dependencies } from '../analysis/critical.ts';
import { ran, stepName, stepText, windowOf } from '../analysis/steps.ts';
import { cutEnd, fit, visible } from '../base/text.ts';
import { formatBytes, formatCount } from '../base/units.ts';
import { stringAt } from '../model/strings.ts';
import { at, LIST_KEYS, type List, moveList, START } from './parts/list.ts';
import { timeText } from './parts/timeline.ts';
import type { Binding, ScreenLine, Style, View, ViewContext } from './view.ts';

export interface StepState {
  readonly list: List;
  readonly step: number;
}

interface Row {
  readonly text: string;
  readonly style: Style;
}

/** Text beyond this of one field is cut: a link command may have 200,000 characters. */
const LONGEST = 20_000;

function rowsOf(step: number, c: ViewContext): Row[] {
  const { profile } = c.analysis;
  const steps = profile.steps!;
  if (step < 0 || step >= steps.name.length)
    return [{ text: '  no step is chosen: Gantt (4) and Steps (5) have them', style: 'dim' }];
  const rows: Row[] = [];
  const say = (label: string, value: string | null | undefined, style: Style = 'plain') => {
    if (value === null || value === undefined || value === '') return;
    const lines =
      visible(value.slice(0, LONGEST)) + (value.length > LONGEST ? ` … (${formatCount(value.length)} characters)` : '');
    const room = Math.max(10, c.width - 14);
    for (let rest = lines, first = true; rest !== ''; first = false) {
      let piece = cutEnd(rest, room);
      const blank = piece.length < rest.length ? piece.lastIndexOf(' ') : -1;
      if (blank > room / 2) piece = piece.slice(0, blank + 1);
      if (piece === '') break;
      rows.push({ text: `  ${fit(first ? label : '', 10)} ${piece}`, style });
      rest = rest.slice(piece.length);
    }
  };
  rows.push({ text: ` ${visible(stepName(profile, step))}`, style: 'bold' });
  const text = (column: Parameters<typeof stepText>[1]) => stepText(profile, column, step);
  const [origin] = windowOf(c.analysis);
  say('role', text('role'));
  say('target', text('target'));
  say('source', text('source'));
  say('language', text('language'));
  say('config', text('config'));
  const result = steps.result[step]!;
  if (ran(steps, step)) say('time', `${timeText(steps.durationUs[step]!)} from ${timeText(steps.startUs[step]! - origin)}`);
  else say('time', 'never ran: its start is written as 0', 'warm');
  if (!Number.isNaN(steps.cpuUs[step]!))
    say('cpu', `${timeText(steps.cpuUs[step]!)}, ${timeText(steps.durationUs[step]! - steps.cpuUs[step]!)} off the cpu`);
  say('result', Number.isNaN(result) ? 'unknown' : formatCount(result), result === 0 || Number.isNaN(result) ? 'plain' : 'error');
  if (text('role') === 'test' && result === 0) say('', 'CMake writes 0 for tests that crashed or timed out, too', 'dim');
  const link = criticalPath(c.analysis).links.find((l) => l.step === step);
  if (link) say('critical', `on the path that decided the end; waited for ${link.why}`, 'hot');
  for (const d of dependencies(c.analysis)?.get(step) ?? []) say('needs', stepName(profile, d));
  say('folder', text('directory'));
  say('command', text('command'));
  for (let o = steps.outputStart[step]!; o < steps.outputStart[step + 1]!; o++) {
    const bytes = steps.outputBytes[o]!;
    say('output', `${stringAt(profile.strings, steps.outputPath[o]!)}${Number.isNaN(bytes) ? '' : `  ${formatBytes(bytes)}`}`);
  }
  const more = text('more');
  if (more)
    for (const [key, value] of Object.entries(JSON.parse(more) as Record<string, unknown>))
      say(key, typeof value === 'string' ? value : JSON.stringify(value), 'dim');
  return rows;
}

export const step: View<StepState> = {
  id: 'step',
  title: 'Step',
  digit: '9',
  requires: ['steps'],
  report: 'steps',
  keys: LIST_KEYS as readonly Binding<StepState>[],
  init: (c) => ({ list: START, step: c.step }),
  update(state, action, c) {
    if (action.type === 'find-step') return { list: START, step: action['step'] as number };
    return { ...state, list: moveList(state.list, action, rowsOf(state.step, c).length, c.height) };
  },
  draw(state, c) {
    const rows = rowsOf(state.step, c);
    const out: ScreenLine[] = [];
    for (let i = state.list.top; i < rows.length && out.length < c.height; i++) {
      const cursor = i === state.list.cursor;
      out.push({
        spans: [
          [cursor ? (c.ascii ? '>' : '▶') : ' ', 'plain'],
          [fit(rows[i]!.text, c.width - 1), rows[i]!.style, cursor],
        ],
        ...(cursor ? { cursor } : {}),
      });
    }
    while (out.length < c.height) out.push({ spans: [] });
    return out;
  },
  rows: (state, c) => rowsOf(state.step, c).length,
  cursor: (state) => state.list.cursor,
  moveTo: (state, row, c) => ({ ...state, list: at(state.list, row, rowsOf(state.step, c).length, c.height) }),
  rowText: (state, row, c) => rowsOf(state.step, c)[row]!.text,
  routineAt: () => -1,
  stepAt: (state) => state.step,
  detail: (state, c) => rowsOf(state.step, c)[state.list.cursor]?.text.trim() ?? '',
  place(state, c) {
    const source = state.step < 0 ? null : stepText(c.analysis.profile, 'source', state.step);
    return source === null ? undefined : { file: source, line: 1 };
  },
  mode: (state, c) => (state.step < 0 ? '' : stepName(c.analysis.profile, state.step)),
};
