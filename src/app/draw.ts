// Draws a state as styled lines: exactly state.height lines of at most state.width cells. Screen.tsx draws panels over the body.

import { isOfKind, percentageBase } from '../analysis/answers/analysis.ts';
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { buildDurationUs, isBuild } from '../analysis/answers/steps/steps.ts';
import { narrowingTexts, remainingText } from '../analysis/profiles/transforms/applied.ts';
import { transformLabel } from '../analysis/profiles/transforms/transform.ts';
import { baseName } from '../base/paths.ts';
import { warningText } from '../base/problem.ts';
import { type Style, spansText } from '../base/style.ts';
import { cellWidth, cutStart, cutWords, firstCodeUnits, fit, keepEnds, visible } from '../base/text.ts';
import { formatChange, formatCost, formatPercent, formatRatio, formatShortCost, isTimeUnit, plural } from '../base/units.ts';
import { otherWholeText } from '../columns/costs.ts';
import { costFormat, costName, timeText } from '../columns/times.ts';
import { type Event, eventValue, exactValue, type Head, type Measure } from '../model/head.ts';
import { type TabView, viewsOf } from '../views/index.ts';
import { fillHeight } from '../views/parts/lines.ts';
import { type ScreenLine, type Span, spanLine } from '../views/view.ts';
import { detailLines, messageLines } from './detail.ts';
import { disabledReason, isGlobalBinding, keyLabel, usableBindings } from './keymap.ts';
import { cutToWidth, drawPanes, toAsciiLine } from './panes.ts';
import { canCloseView } from './places.ts';
import { type AppState, appliesFilter, contextOf, eventOf, frameHeightsOf, openView, splitSizes } from './state.ts';
import { drawTourBox } from './tour.ts';

const PROMPT_LABELS = {
  search: '/',
  filter: '&',
  write: 'write to file: ',
  export: 'export to file: ',
  derive: 'event NAME=FORMULA: ',
  columns: 'columns, in order: ',
} as const;

export function drawScreen(state: AppState): ScreenLine[] {
  const frame = frameHeightsOf(state);
  const out: ScreenLine[] = [];
  const shownTabs = layOutTabs(state);
  if (frame.title) out.push(titleLine(state, shownTabs.aboveTabs));
  if (frame.stack) out.push(drawTransforms(state));
  if (frame.tabs) out.push(tabLine(state, shownTabs, shownTabs.besideTabs));
  out.push(...drawTourBox(state, drawPanes(state)));
  if (frame.detail) out.push(...drawDetail(state, frame.detail));
  if (frame.footer) out.push(footerLine(state));
  return out.slice(0, state.height).map((line) => cutToWidth(toAsciiLine(state, line), state.width));
}

/** The line with the stack of transforms, in their order. Transforms that are switched off are in parentheses. */
function drawTransforms(state: AppState): ScreenLine {
  const { analysis, transforms, reshaping } = state;
  const texts = transforms.map(({ transform, on }) => (on ? transformLabel(transform) : `(${transformLabel(transform)})`));
  const left = narrowingTexts(analysis.profile).length === 0 ? '' : remainingText(analysis, eventOf(state));
  const right = reshaping ? ` … ` : left === '' ? '' : ` ${left} `;
  const availableWidth = Math.max(0, state.width - cellWidth(right));
  const text = ` S  ${texts.map((t) => visible(keepEnds(t, state.width))).join(' › ')}`;
  return spanLine([fit(text, availableWidth), 'accent'], [right, 'dim']);
}

/** Cuts the mode text of a view to the phrases that fit completely, so that no number is cut. */
function cutToWholePhrases(mode: string, width: number): string {
  if (cellWidth(mode) <= width) return mode;
  const ends = Array.from(mode.matchAll(/[,;] /g), (m) => m.index);
  return mode.slice(0, ends.findLast((end) => cellWidth(mode.slice(0, end)) <= width) ?? 0);
}

/** Lays out the tabs, and the mode text beside them; in the title, if more of it fits there. */
export function layOutTabs(state: AppState) {
  const { tabs, cut } = tabsThatFit(state);
  const frame = frameHeightsOf(state);
  const available = widthBesideTabs(tabs, state);
  const modeFor = (cells: number) => visible(keepEnds(openView(state).mode(contextOf(state), Math.max(8, cells)), state.width));
  const mode = frame.tabs ? modeFor(available) : '';
  const beside = available < MIN_MODE_WIDTH ? '' : cutToWholePhrases(mode, available);
  if (mode !== '' && beside === mode) return { tabs, cut, besideTabs: mode, aboveTabs: '' };
  const { left, file, right } = titleParts(state);
  // The mode of the view matters more than the command, which Info has, too.
  const [shared, own] = [left, file].map((text) => state.width - cellWidth(text) - cellWidth(right) - 4);
  const width = cellWidth(modeFor(shared)) <= shared ? shared : own;
  const whole = frame.title ? modeFor(width) : '';
  const words = cutWords(whole, width);
  // A number is never cut, nor left without its noun.
  const inTitle = cutToWholePhrases(whole, width) || (beside === '' && !/\d…?$/.test(words) ? words : '');
  const isAbove = inTitle.length > beside.length;
  return { tabs, cut, besideTabs: isAbove ? '' : beside, aboveTabs: isAbove ? inTitle : '' };
}

/** Minimum cells beside the tabs for the mode text: fewer would hold a few letters of it. */
const MIN_MODE_WIDTH = 8;

/** The views that have tabs. A view that is part of another one has a tab while open. */
export const viewsWithTabs = ({ analysis, view }: AppState): readonly TabView[] =>
  viewsOf(analysis).filter(({ id, partOf }) => partOf === undefined || id === view);

/**
 * The tabs with their full titles that fit on the screen, among them that of the active view: the text of each, which is all ASCII, and its
 * first cell. `cut`: whether views before the first tab, and after the last, have no room.
 */
function tabsThatFit(state: AppState) {
  const views = viewsWithTabs(state);
  // Colour must not be the only mark: brackets mark the active view, parentheses the view in the other pane.
  const other = splitSizes(state) && state.split?.other.view;
  const marks = views.map(({ id }) => (id === state.view ? '[]' : id === other ? '()' : ''));
  const all = views.map(({ id, title, digit }, i) => {
    const before = (marks[i - 1]?.slice(1) ?? '') + marks[i].slice(0, 1) || ' ';
    const after = i === views.length - 1 ? marks[i].slice(1) : '';
    return { view: id, text: before + `${digit} ${title}`.trimStart() + after };
  });
  const active = all.findIndex(({ view }) => view === state.view);
  const width = (from: number, to: number) => all.slice(from, to).reduce((sum, { text }) => sum + text.length, 0);
  // The signs of views without room take a cell each.
  let from = 0;
  while (from < active && width(from, active + 1) > state.width - (from > 0 ? 2 : 1)) from++;
  let to = active + 1;
  while (to < all.length && width(from, to + 1) <= state.width - (from > 0 ? 1 : 0) - (to + 1 < all.length ? 1 : 0)) to++;
  let x = from > 0 ? 1 : 0;
  const tabs = all.slice(from, to).map(({ view, text }) => {
    x += text.length;
    return { view, text, x: x - text.length };
  });
  return { tabs, cut: [from > 0, to < all.length] as const };
}

type TabsThatFit = ReturnType<typeof tabsThatFit>;

const widthBesideTabs = (tabs: TabsThatFit['tabs'], { width }: AppState): number => {
  const last = tabs.at(-1);
  return width - 3 - (last ? last.x + last.text.length : 0);
};

function tabLine(state: AppState, { tabs, cut: [before, after] }: TabsThatFit, modeText: string): ScreenLine {
  const spans: Span[] = [
    ...(before ? [['‹', 'dim'] as const] : []),
    ...tabs.map(({ view, text }): Span => [text, view === state.view ? 'bold' : 'dim']),
    ...(after ? [['›', 'dim'] as const] : []),
  ];
  // Without a title line, the sign of an incomplete profile is shown beside the tabs.
  const sign = frameHeightsOf(state).title === 0 ? incompleteSign(state.analysis.profile) : undefined;
  const mode = (sign ? `${sign} ` : '') + modeText;
  const availableWidth = widthBesideTabs(tabs, state);
  // Omit the mode text if only a few letters of it would remain.
  if (!mode || availableWidth < MIN_MODE_WIDTH || (availableWidth < 16 && cellWidth(mode) > availableWidth)) return { spans };
  return { spans: [...spans, ['  ' + fit(cutWords(mode, availableWidth), availableWidth), sign ? 'error' : 'accent']] };
}

/** Draws the message, else a problem of the profile, else the row under the cursor. */
function drawDetail(state: AppState, rows: number): ScreenLine[] {
  const lineOf = (text: string, style: Style): ScreenLine => ({ spans: [[fit(` ${text}`, state.width), style]] });
  const { message } = state;
  const problem = message ? undefined : profileProblemLine(state);
  const lines = message
    ? messageLines(state).map((text) => lineOf(text, message.kind === 'error' ? 'error' : 'accent'))
    : problem
      ? [problem]
      : detailLines(state).map((text) => lineOf(text, 'dim'));
  return fillHeight(lines, rows);
}

/** The first problem of the profile, if the view has no details to show; else undefined. */
function profileProblemLine(state: AppState): ScreenLine | undefined {
  const { cut, warnings, paths } = state.analysis.profile;
  if ((!cut && warnings.length === 0) || openView(state).detail(contextOf(state)) !== '') return undefined;
  const text = cut ? `${cut.sign ? 'omitted' : 'the file is cut off'}: ${visible(cut.found)}` : warningText(warnings[0], paths);
  return { spans: [[fit(` ${text}`, state.width), cut ? 'error' : 'warm']] };
}

/** The line of a prompt or panel. Its cursor is an inverse cell; long text scrolls. */
export function inputLine(label: string, text: string, cursor: number, width: number): ScreenLine {
  const availableWidth = Math.max(4, width - label.length - 1);
  // A character can have two code units, and its visible form several cells.
  const [character = ''] = text.slice(cursor, cursor + 2);
  const under = visible(character) || ' ';
  const before = cutStart(visible(text.slice(0, cursor)), Math.max(0, availableWidth - 1 - cellWidth(under)));
  const after = visible(firstCodeUnits(text.slice(cursor + character.length), availableWidth));
  const rest = fit(after, Math.max(0, width - label.length - cellWidth(before) - cellWidth(under)));
  return spanLine([label, 'accent'], [before, 'plain'], [under, 'title'], [rest, 'plain']);
}

const PANEL_KEY_HINTS = {
  help: 'type to narrow  ↑ ↓ PgUp PgDn move  q or Esc close',
  events: 'Enter select  Space add column  type to narrow  Esc close',
  bases: 'Enter compare  ↑ ↓ move  type to narrow, or a path  Esc close',
  transforms: 'Enter apply  Space on/off  Del remove  ← → move  or type focus=RE  Esc close',
  sort: 'Enter sort, again to reverse  type to narrow  Esc undo',
  options: 'Enter choose  ↑ ↓ try  type to narrow  Esc undo',
  save: 'Enter choose  ↑ ↓ move  Esc close',
  palette: 'Enter run  ↑ ↓ move  type to narrow  Esc close',
} as const;

function footerLine(state: AppState): ScreenLine {
  const { prompt, panel } = state;
  if (prompt) {
    const label = prompt.kind === 'view' ? prompt.label : PROMPT_LABELS[prompt.kind];
    return inputLine(label, prompt.text, prompt.cursor, state.width);
  }
  if (!panel) return { spans: footerHints(state).flatMap((hint) => hint.spans) };
  const hints = PANEL_KEY_HINTS[panel.kind];
  const text = state.ascii ? hints.replace('↑ ↓', 'Up Down').replace('← →', 'Left Right') : hints;
  return { spans: [[fit(` ${text}`, state.width), 'dim']] };
}

/** The hints of the footer that fit, each with its key, in the order of the key table. */
export function footerHints(state: AppState) {
  const hints: { readonly key: string; readonly spans: readonly Span[] }[] = [];
  let used = 0;
  // The footer says what can be done here and now: a key that only answers why it does nothing is left out.
  const all = usableBindings(state).filter(
    (b) => b.footer && b.keys.length > 0 && disabledReason(state, b) === undefined && !(isGlobalBinding(b) && b.idle?.(state)),
  );
  // Hints for help and quit are always shown, the other hints only if they fit.
  const last = all.filter((b) => b.footer === 'help' || b.footer === 'quit');
  const width = (b: (typeof all)[number]) => keyLabel(b.keys[0], state.ascii).length + 1 + (b.footer ?? '').length + 2;
  const kept = last.reduce((n, b) => n + width(b), 0);
  const put = (b: (typeof all)[number]) => {
    const word = b.footer === 'quit' && canCloseView(state) ? 'back' : b.footer;
    hints.push({ key: b.keys[0], ...spanLine([` ${keyLabel(b.keys[0], state.ascii)}`, 'bold'], [` ${word} `, 'dim']) });
    used += width(b);
  };
  for (const b of all) if (!last.includes(b) && used + width(b) + kept <= state.width) put(b);
  if (state.siblings.length > 0 && used + 24 + kept <= state.width) {
    const merge = ` merge ${plural(state.siblings.length, 'file')} `;
    hints.push({ key: 'o', ...spanLine([' o', 'bold'], [merge, 'accent']) });
    used += 18;
  }
  for (const b of last) if (used + width(b) <= state.width) put(b);
  return hints;
}

/** The lines as plain text, in the form of the golden files of the tests. */
export const toPlainText = (lines: readonly ScreenLine[]): string =>
  lines.map(({ spans }) => spansText(spans).trimEnd()).join('\n');

// The title line: the file and its command, the mode of the view, and the total of the event.

/** The name style as shown in the title; '' for the default style. */
const NAME_MODE_SIGNS = {
  fit: '',
  'no-templates': 'no templates  ',
  'no-parameters': 'no parameters  ',
  whole: 'full names  ',
} as const;

/** The sign for an incomplete profile in the title; undefined for a complete one. */
const incompleteSign = ({ cut }: Head): string | undefined => cut && (cut.sign ?? 'CUT OFF');

/** The total of the event; with a base: before, now, and the change. */
function totalText(state: AppState, format: ReturnType<typeof costFormat>): string {
  const { analysis, measure } = state;
  const { total } = analysis.totals;
  const text = (event: Event) =>
    event.per ? formatRatio(eventValue(event, total, 0)) : format(exactValue(event, total, 0), event.unit);
  const event = eventOf(state);
  if (!analysis.before) {
    // A total that is the same to four digits makes no other percentages.
    const isWhole = formatPercent(eventValue(event, total, 0), percentageBase(analysis, event)) === '100.0%';
    const isOther = !isWhole && narrowingTexts(analysis.profile).length === 0;
    const whole = isOther ? otherWholeText({ analysis, event }, format) : '';
    return text(event) + (whole === '' ? '' : ` of ${whole}`);
  }
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

/** The parts that are shown, such as `1 of 6 parts` or `peak snapshot`; '' for all. */
function shownPartsText({ profile, partsOff }: AppState['analysis']): string {
  if (partsOff.size === 0) return '';
  const shown = profile.parts.length - partsOff.size;
  const snapshots = profile.kind === 'stacks' && shown === 1 ? profile.snapshots : undefined;
  const row = snapshots?.part.findIndex((part) => part >= 0 && !partsOff.has(part)) ?? -1;
  if (!snapshots || row < 0) return `${shown} of ${profile.parts.length} parts  `;
  return row === snapshots.peak ? 'peak snapshot  ' : `snapshot ${snapshots.number[row]}  `;
}

function titleParts(state: AppState) {
  const { profile } = state.analysis;
  const event = eventOf(state);
  const paths =
    profile.paths.length > 1
      ? `${baseName(profile.paths[0])} +${profile.paths.length - 1}`
      : profile.paths[0] === '-'
        ? 'standard input'
        : baseName(profile.paths[0] ?? '');
  const file = ` ${visible(keepEnds(paths, state.width))}`;
  const left = `${file}  ${visible(keepEnds(profile.command ?? '', state.width))}`;
  const total = totalText(state, costFormat(profile));
  const infoKey = viewsOf(state.analysis).find(({ id }) => id === 'info')?.digit;
  const sign = incompleteSign(profile) ?? profile.warnings.find((w) => w.sign !== undefined)?.sign;
  const count = profile.warnings.length > 0 ? `${plural(profile.warnings.length, 'warning')} (see ${infoKey || ':info'})  ` : '';
  const warn = sign ? `${sign}  ` : count;
  const follows = state.following ? 'following  ' : '';
  const parts = shownPartsText(state.analysis);
  // The filter is not shown for views that ignore it.
  const filter = state.filter && appliesFilter(state) ? `& ${visible(keepEnds(state.filter, state.width))}  ` : '';
  const names = NAME_MODE_SIGNS[state.names];
  const short = totalText(state, (value, unit) => formatShortCost(Number(value), unit));
  const { analysis } = state;
  const isOfBuild = isOfKind(analysis, 'steps') && isBuild(profile) && !analysis.before && !analysis.profile.steps.clip;
  // Without times of starts, nobody knows how long the build took.
  const took = isOfBuild && buildDurationUs(analysis) > 0 ? `${timeText(buildDurationUs(analysis))}, ` : '';
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
  return { left, file, right: choices.find((text) => state.width - cellWidth(text) >= 8) ?? `${short} ` };
}

function titleLine(state: AppState, mode: string): ScreenLine {
  const { left, file, right } = titleParts(state);
  const leftWidth = state.width - cellWidth(right) - 1;
  if (leftWidth < 0) return { spans: [[fit('', state.width), 'title']] };
  const named = cellWidth(left) + cellWidth(mode) + 2 > leftWidth ? file : left;
  return { spans: [[`${fit(mode === '' ? left : `${named}  ${mode}`, leftWidth)} ${right}`, 'title']] };
}
