// The bars of Gantt, and what it says of a build that runs.
import { linksOf } from '../../analysis/answers/steps/links.ts';
import { failed, isLate, isRunning, stepName, stepText } from '../../analysis/answers/steps/steps.ts';
import type { Style } from '../../base/style.ts';
import { visible } from '../../base/text.ts';
import { timeText } from '../../columns/times.ts';
import type { ProfileOf } from '../../model/profile.ts';
import type { Bar } from '../parts/timeline.ts';
import type { ViewContext } from '../view.ts';
import { shownChanges } from './before.ts';
import { cutEnds } from './range.ts';
import type { GanttState } from './rows.ts';

type Context = ViewContext<'steps'>;

const STYLES: Record<string, Style> = {
  compile: 'plain',
  link: 'accent',
  custom: 'call',
  test: 'warm',
  install: 'call',
  generate: 'accent',
  configure: 'accent',
};
const OTHER: readonly Style[] = ['plain', 'accent', 'call', 'warm'];

/** The flows into and out of the slice under the cursor. */
function arrowOf(step: number, state: GanttState, c: Context): string {
  const { to, from } = linksOf(c.analysis.profile.steps, state.step);
  if (to.length === 0 && from.length === 0) return '';
  if (to.includes(step)) return '→ ';
  return from.includes(step) ? '← ' : '';
}

export function barOf(step: number, state: GanttState, c: Context): Bar {
  const { profile } = c.analysis;
  const steps = profile.steps;
  const bad = failed(steps, step);
  const arrow = arrowOf(step, state, c);
  const role = stepText(profile, 'role', step) ?? '';
  const value =
    state.colour === 'role'
      ? role
      : state.colour === 'result'
        ? bad
          ? 'failed'
          : 'ok'
        : (stepText(profile, state.colour, step) ?? '');
  const sum = [...value].reduce((a, ch) => (a * 31 + (ch.codePointAt(0) ?? 0)) >>> 0, 7);
  const style =
    arrow !== '' ? 'hot' : bad ? 'error' : isLate(steps, step) ? 'warm' : (STYLES[value] ?? OTHER[sum % OTHER.length]);
  const fresh = shownChanges(state, c)?.isNew[step] === 1;
  const letter =
    arrow !== '' ? arrow.trim() : bad ? '!' : fresh ? '+' : value === '' ? '*' : visible(value[0].toUpperCase()).slice(0, 1);
  const late = isLate(steps, step);
  const mark = `${arrow}${bad ? '✗ ' : ''}${late ? 'late ' : ''}${fresh ? 'new ' : ''}`;
  return {
    label: () => `${mark}${shortName(profile, step, role)}`,
    letter,
    style,
    lit: step === state.step,
    ...cutEnds(step, c),
    ...(isRunning(steps, step) ? { close: '▷' } : {}),
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
  return live.running.step.length > 0 ? `, ${live.running.step.length} running${end}` : '';
}
