// The title line: the file and its command, the mode of the view, and the total of the event.

import { isOfKind } from '../analysis/answers/analysis.ts';
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { buildDurationUs, isBuild } from '../analysis/answers/steps/steps.ts';
import { baseName } from '../base/paths.ts';
import { cellWidth, fit, keepEnds, visible } from '../base/text.ts';
import {
  type Exact,
  formatChange,
  formatCost,
  formatRatio,
  formatShortCost,
  isTimeUnit,
  plural,
  type Unit,
} from '../base/units.ts';
import { costFormat, costName, timeText } from '../columns/times.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import type { Event, Head, Measure } from '../model/head.ts';
import { viewsOf } from '../views/index.ts';
import type { ScreenLine } from '../views/view.ts';
import { type AppState, appliesFilter, eventOf } from './state.ts';

/** The name style as shown in the title; '' for the default style. */
const NAME_MODE_SIGNS = {
  fit: '',
  'no-templates': 'no templates  ',
  'no-parameters': 'no parameters  ',
  whole: 'full names  ',
} as const;

/** The sign for an incomplete profile in the title; undefined for a complete one. */
export const incompleteSign = ({ cut }: Head): string | undefined => cut && (cut.sign ?? 'CUT OFF');

/** The total of the event; with a base: before, now, and the change. */
function totalText(state: AppState, format: (value: Exact, unit: Unit) => string): string {
  const { analysis, measure } = state;
  const { total } = analysis.totals;
  const text = (event: Event) =>
    event.per ? formatRatio(eventValue(event, total, 0)) : format(exactValue(event, total, 0), event.unit);
  const event = eventOf(state);
  if (!analysis.before) return text(event);
  const eventOfRun = (m: Measure) => eventInMeasure(analysis, event, m);
  const change = event.per ? '' : ` ${formatChange(eventValue(eventOfRun('percent'), total, 0))}`;
  const shown = measure === 'now' || measure === 'before' ? ` (${measure})` : '';
  return `${text(eventOfRun('before'))} → ${text(eventOfRun('now'))}${change}${shown}`;
}

/** Cells reserved for the mode text of the view; a sampled time is shown only if they remain free. */
const RESERVED_MODE_WIDTH = 24;

/** The time that the samples represent; '' unless the profile also has an event for that time. */
function sampledTimeText(state: AppState): string {
  const { analysis } = state;
  const event = eventOf(state);
  const [term, ...more] = event.terms;
  if (analysis.before || event.unit !== 'samples' || term === undefined || more.length > 0) return '';
  const timed = analysis.profile.events.find(
    ({ unit, terms }) => isTimeUnit(unit) && terms.length === 1 && terms[0][1] === term[1],
  );
  return timed ? ` (${formatCost(eventValue(timed, analysis.totals.total, 0), timed.unit)})` : '';
}

function titleParts(state: AppState) {
  const { profile, partsOff } = state.analysis;
  const event = eventOf(state);
  const paths =
    profile.paths.length > 1
      ? `${baseName(profile.paths[0])} +${profile.paths.length - 1}`
      : profile.paths[0] === '-'
        ? 'standard input'
        : baseName(profile.paths[0] ?? '');
  const left = ` ${visible(keepEnds(paths, state.width))}  ${visible(keepEnds(profile.command ?? '', state.width))}`;
  const total = totalText(state, costFormat(profile));
  const infoKey = viewsOf(state.analysis).find(({ id }) => id === 'info')?.digit;
  const sign = incompleteSign(profile) ?? profile.warnings.find((w) => w.sign !== undefined)?.sign;
  const count = profile.warnings.length > 0 ? `${plural(profile.warnings.length, 'warning')} (${infoKey || ':'} Info)  ` : '';
  const warn = sign ? `${sign}  ` : count;
  const follows = state.following ? 'following  ' : '';
  const parts = partsOff.size > 0 ? `${profile.parts.length - partsOff.size} of ${profile.parts.length} parts  ` : '';
  // The filter is not shown for views that ignore it.
  const filter = state.filter && appliesFilter(state) ? `& ${visible(keepEnds(state.filter, state.width))}  ` : '';
  const names = NAME_MODE_SIGNS[state.names];
  const short = totalText(state, (value, unit) => formatShortCost(Number(value), unit));
  const { analysis } = state;
  const isOfBuild = isOfKind(analysis, 'steps') && isBuild(profile) && !analysis.before && !analysis.profile.steps.clip;
  const took = isOfBuild ? `${timeText(buildDurationUs(analysis))}, ` : '';
  const name = took + visible(keepEnds(costName(profile, event), state.width));
  // Texts from long to short: the longest that leaves cells for the file name is shown. Numbers are never cut.
  const timed = `${follows}${warn}${filter}${parts}${names}${name} ${total}${sampledTimeText(state)} `;
  const choices = [
    ...(state.width - cellWidth(left) - cellWidth(timed) >= RESERVED_MODE_WIDTH ? [timed] : []),
    `${follows}${warn}${filter}${parts}${names}${name} ${total} `,
    `${follows}${warn}${filter}${name} ${short} `,
    `${sign ?? ''} ${name} ${short} `,
    `${short} `,
  ];
  const right = choices.find((text) => state.width - cellWidth(text) >= 8) ?? `${short} `;
  return { left, right };
}

export function titleLine(state: AppState, mode: string): ScreenLine {
  const { left, right } = titleParts(state);
  const leftWidth = state.width - cellWidth(right);
  if (leftWidth < 0) return { spans: [[fit('', state.width), 'title']] };
  return { spans: [[fit(mode === '' ? left : `${left}  ${mode}`, leftWidth) + right, 'title']] };
}

/** The width available in the title for the mode text of the view. */
export function titleModeWidth(state: AppState): number {
  const { left, right } = titleParts(state);
  return state.width - cellWidth(left) - cellWidth(right) - 4;
}
