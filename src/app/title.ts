// The first line of the screen: the file and its command, how the view shows its rows, and the total of the event.
import { measured } from '../analysis/answers/compared/measure.ts';
import { baseName } from '../analysis/names/names.ts';
import { cellWidth, ends, fit, visible } from '../base/text.ts';
import { type Exact, formatChange, formatRatio, formatShortCost, isTimeUnit, plural, type Unit } from '../base/units.ts';
import { costFormat, costName } from '../columns/times.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import type { Event, Head, Measure } from '../model/head.ts';
import { viewNamed } from '../views/index.ts';
import type { ScreenLine } from '../views/view.ts';
import { type AppState, activeView, eventOf } from './state.ts';

/** How names are shown, if not as there is room for them. */
const NAME_SIGNS = {
  fit: '',
  'no-templates': 'no templates  ',
  'no-parameters': 'no parameters  ',
  whole: 'full names  ',
} as const;

/** How the title marks an incomplete profile. */
export function cutSign({ cut }: Head): string | undefined {
  return cut && (cut.sign ?? 'CUT OFF');
}

/** The key of the view that lists warnings. */
const INFO_KEY = viewNamed('info')?.digit ?? '';

interface Title {
  readonly left: string;
  readonly right: string;
}

/** The total of the event; of two runs what it was, what it is, and by how much it changed. */
function totalText(state: AppState, format: (value: Exact, unit: Unit) => string): string {
  const { analysis, measure } = state;
  const { total } = analysis.totals;
  const text = (event: Event) =>
    event.per ? formatRatio(eventValue(event, total, 0)) : format(exactValue(event, total, 0), event.unit);
  const event = eventOf(state);
  if (!analysis.before) return text(event);
  const side = (m: Measure) => measured(analysis, event, m);
  const change = event.per ? '' : ` ${formatChange(eventValue(side('percent'), total, 0))}`;
  const shown = measure === 'now' || measure === 'before' ? ` (${measure})` : '';
  return `${text(side('before'))} → ${text(side('now'))}${change}${shown}`;
}

/** Cells that a time beside the total leaves to the view's mode. */
const MODE_ROOM = 24;

/** The time that samples stand for, where they are an event of time, too. */
function sampledText(state: AppState): string {
  const { analysis } = state;
  const event = eventOf(state);
  const [term, ...more] = event.terms;
  if (analysis.before || event.unit !== 'samples' || term === undefined || more.length > 0) return '';
  const timed = analysis.profile.events.find(
    ({ unit, terms }) => isTimeUnit(unit) && terms.length === 1 && terms[0][1] === term[1],
  );
  return timed ? ` (${formatShortCost(eventValue(timed, analysis.totals.total, 0), timed.unit)})` : '';
}

function titleParts(state: AppState): Title {
  const { profile, partsOff } = state.analysis;
  const event = eventOf(state);
  const paths =
    profile.paths.length > 1
      ? `${baseName(profile.paths[0])} +${profile.paths.length - 1}`
      : profile.paths[0] === '-'
        ? 'standard input'
        : baseName(profile.paths[0] ?? '');
  const left = ` ${visible(ends(paths, state.width))}  ${visible(ends(profile.command ?? '', state.width))}`;
  const total = totalText(state, costFormat(profile));
  const sign = cutSign(profile) ?? profile.warnings.find((w) => w.sign !== undefined)?.sign;
  const warn = sign
    ? `${sign}  `
    : profile.warnings.length > 0
      ? `${plural(profile.warnings.length, 'warning')} (${INFO_KEY})  `
      : '';
  const follows = state.following ? 'following  ' : '';
  const parts = partsOff.size > 0 ? `${profile.parts.length - partsOff.size} of ${profile.parts.length} parts  ` : '';
  // A view that has no rows to leave out does not claim the filter.
  const filter = state.filter && !activeView(state).unfiltered ? `& ${visible(ends(state.filter, state.width))}  ` : '';
  const names = NAME_SIGNS[state.names];
  const short = totalText(state, (value, unit) => formatShortCost(Number(value), unit));
  const name = visible(ends(costName(profile, event), state.width));
  // The fullest text that leaves room for the file's name; of a number no digit is ever cut off.
  const timed = `${follows}${warn}${filter}${parts}${names}${name} ${total}${sampledText(state)} `;
  const choices = [
    ...(state.width - cellWidth(left) - cellWidth(timed) >= MODE_ROOM ? [timed] : []),
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
  const room = state.width - cellWidth(right);
  if (room < 0) return { spans: [[fit('', state.width), 'title']] };
  return { spans: [[fit(mode === '' ? left : `${left}  ${mode}`, room) + right, 'title']] };
}

/** The room that the title has for the view's mode. */
export function titleRoom(state: AppState): number {
  const { left, right } = titleParts(state);
  return state.width - cellWidth(left) - cellWidth(right) - 4;
}
