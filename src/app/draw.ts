// Renders a state as styled lines: exactly state.height of them, none wider than state.width cells. Panels are drawn over the
// body by Screen.tsx.

import { narrowingTexts, remainingText } from '../analysis/profiles/transforms/applied.ts';
import { transformLabel } from '../analysis/profiles/transforms/transform.ts';
import { warningText } from '../base/problem.ts';
import type { Style } from '../base/style.ts';
import { cellWidth, cutStart, cutWords, fit, headOf, keepEnds, visible } from '../base/text.ts';
import { plural } from '../base/units.ts';
import type { Head } from '../model/head.ts';
import type { ViewId } from '../views/index.ts';
import type { ScreenLine, Span } from '../views/view.ts';
import { detailLines, messageLines } from './detail.ts';
import { isGlobal, keyLabel, offReason, usableBindings } from './keymap.ts';
import { cutToWidth, drawPanes, toAsciiLine } from './panes.ts';
import { canLeave } from './places.ts';
import {
  type AppState,
  contextOf,
  eventOf,
  frameHeightsOf,
  type Input,
  inTabOrder,
  openView,
  type Prompt,
  splitSizes,
} from './state.ts';
import { cutSign, titleLine, titleWidth } from './title.ts';
import { withTour } from './tour-box.ts';

const PROMPTS = {
  search: '/',
  filter: '&',
  write: 'write to file: ',
  export: 'export to file: ',
  derive: 'event NAME=FORMULA: ',
} as const;

export function drawScreen(state: AppState): ScreenLine[] {
  const frame = frameHeightsOf(state);
  const out: ScreenLine[] = [];
  const { tabs, besideTabs, aboveTabs } = layOutTabs(state);
  if (frame.title) out.push(titleLine(state, aboveTabs));
  if (frame.stack) out.push(stackLine(state));
  if (frame.tabs)
    out.push(aboveTabs === '' ? tabLine(state, tabSpans(tabs, state), besideTabs) : { spans: tabSpans(tabs, state) });
  out.push(...withTour(state, drawPanes(state)));
  if (frame.detail) out.push(...drawDetail(state, frame.detail));
  if (frame.footer) out.push(state.prompt ? promptLine(state.prompt, state.width) : footerLine(state));
  return out.slice(0, state.height).map((line) => cutToWidth(toAsciiLine(state, line), state.width));
}

/** The stack of transforms, in order; those switched off are in parentheses. */
function stackLine(state: AppState): ScreenLine {
  const { analysis, transforms, reshaping } = state;
  const texts = transforms.map(({ transform, on }) => (on ? transformLabel(transform) : `(${transformLabel(transform)})`));
  const event = eventOf(state);
  const left = narrowingTexts(analysis.profile).length === 0 ? '' : remainingText(analysis, event);
  const right = reshaping ? ` … ` : left === '' ? '' : ` ${left} `;
  const availableWidth = Math.max(0, state.width - cellWidth(right));
  const text = ` S  ${texts.map((t) => visible(keepEnds(t, state.width))).join(' › ')}`;
  return {
    spans: [
      [fit(text, availableWidth), 'accent'],
      [right, 'dim'],
    ],
  };
}

/** The lines of the body alone. */
export function drawBody(state: AppState): ScreenLine[] {
  return [...drawPanes(state)];
}

/** As many pieces of a view's mode as fit whole: numbers are never cut. */
function cutToWholePhrases(mode: string, width: number): string {
  if (cellWidth(mode) <= width) return mode;
  const ends = Array.from(mode.matchAll(/[,;] /g), (m) => m.index);
  return mode.slice(0, ends.findLast((end) => cellWidth(mode.slice(0, end)) <= width) ?? 0);
}

/** A view's name in the line of tabs, from cell `x` on; all of it is ASCII. */
export interface Tab {
  readonly view: ViewId;
  readonly text: string;
  readonly x: number;
}

/** The tabs and the view's mode. The mode is beside the tabs, or above them in the title. */
interface TabsAndMode {
  readonly tabs: readonly Tab[];
  readonly besideTabs: string;
  readonly aboveTabs: string;
}

/**
 * Chooses the longest tabs that fit. Full names if the mode also fits, beside them or in the title. Else short names with
 * as much of the mode as fits. Else as many short names as fit; with a filter, as many as fit beside the mode.
 */
export function layOutTabs(state: AppState): TabsAndMode {
  const all = fittingTabs(state, 'all', 0);
  const head = cellsOf(all) <= state.width ? tabsWithMode(all, state) : undefined;
  if (head?.whole) return head;
  const short = fittingTabs(state, 'short', all.length);
  if (short.length === all.length) return tabsWithMode(short, state);
  /** As many named tabs as fit into `cells`, if all views have a tab then. */
  const mostNamedWithin = (cells: number): readonly Tab[] | undefined => {
    for (let named = all.length; named > 0; named--) {
      const tabs = fittingTabs(state, 'short', named);
      if (tabs.length === all.length && cellsOf(tabs) <= cells) return tabs;
    }
    return undefined;
  };
  const most = mostNamedWithin(state.width);
  const mostNamed = most && tabsWithMode(most, state);
  if (mostNamed && mostNamed.aboveTabs !== '') return mostNamed;
  // Names are worth more than the row count in the mode, unless a filter determines that count.
  if (mostNamed && state.filter === '') return { ...mostNamed, besideTabs: '' };
  const few = tabsWithMode(fittingTabs(state, 'short', 0), state);
  if (few.besideTabs === '') return mostNamed ?? few;
  const tabs = mostNamedWithin(state.width - cellWidth(few.besideTabs) - 2);
  return tabs ? tabsWithMode(tabs, state) : few;
}

/** `whole`: all of the mode is shown. */
function tabsWithMode(tabs: readonly Tab[], state: AppState): TabsAndMode & { readonly whole: boolean } {
  const frame = frameHeightsOf(state);
  const availableWidth = widthBesideTabs(tabSpans(tabs, state), state);
  const modeFor = (cells: number) => visible(keepEnds(openView(state).mode(contextOf(state), Math.max(8, cells)), state.width));
  const mode = frame.tabs ? modeFor(availableWidth) : '';
  const beside = cutToWholePhrases(mode, availableWidth);
  if (beside === mode) return { tabs, besideTabs: beside, aboveTabs: '', whole: true };
  // Text without room beside the tabs goes into the title, if more of it fits there.
  const titleMode = frame.title ? modeFor(titleWidth(state)) : '';
  const inTitle = cutToWholePhrases(titleMode, titleWidth(state));
  const above = inTitle.length > beside.length ? inTitle : '';
  return { tabs, besideTabs: beside || mode, aboveTabs: above, whole: above !== '' && above === titleMode };
}

const cellsOf = (tabs: readonly { readonly text: string }[]) => tabs.reduce((sum, { text }) => sum + text.length, 0);

/** The tabs that fit. `named`: so many of the first have a short name; open views have whole names. */
function fittingTabs(state: AppState, names: 'all' | 'short', named: number): Tab[] {
  const tabs = inTabOrder(state).map(({ id, title, digit }, i) => {
    // Colour alone is not enough: brackets mark the open view, parentheses the other one.
    const active = id === state.view;
    const beside = state.split?.other.view === id && splitSizes(state) !== undefined;
    const isOpen = active || beside;
    const name = names === 'all' || isOpen ? title : i < named || digit === '' ? shortTitle(title) : '';
    const text = name === '' ? digit : `${digit} ${name}`.trimStart();
    return { view: id, text: active ? `[${text}]` : beside ? `(${text})` : ` ${text} `, stays: isOpen || id === 'findings' };
  });
  while (names === 'short' && cellsOf(tabs) > state.width) {
    const last = tabs.findLastIndex(({ stays }) => !stays);
    if (last < 0) break;
    tabs.splice(last, 1);
  }
  let x = 0;
  return tabs.map(({ view, text }) => {
    x += text.length;
    return { view, text, x: x - text.length };
  });
}

/** The first four letters of a title (`Rout`, `Call`, `Tree`), except where another short name is common. */
const shortTitle = (title: string): string => SHORT.get(title) ?? title.slice(0, 4);

const SHORT: ReadonlyMap<string, string> = new Map([
  ['Source', 'Src'],
  ['Instrs', 'Asm'],
  ['Steps', 'Steps'],
]);

function tabSpans(tabs: readonly Tab[], state: AppState): Span[] {
  return tabs.map(({ view, text }) => [text, view === state.view ? 'bold' : 'dim']);
}

function widthBesideTabs(tabs: readonly Span[], state: AppState): number {
  return state.width - 2 - tabs.reduce((sum, [text]) => sum + text.length, 0);
}

function tabLine(state: AppState, tabs: readonly Span[], modeText: string): ScreenLine {
  // Without a title line, the sign of a truncated file is shown here.
  const cut = frameHeightsOf(state).title === 0 ? cutSign(state.analysis.profile) : undefined;
  const mode = (cut ? `${cut} ` : '') + modeText;
  const availableWidth = widthBesideTabs(tabs, state);
  // A phrase that would be cut to a few letters is left out.
  if (!mode || availableWidth < 8 || (availableWidth < 16 && cellWidth(mode) > availableWidth)) return { spans: tabs };
  return { spans: [...tabs, ['  ' + fit(cutWords(mode, availableWidth), availableWidth), cut ? 'error' : 'accent']] };
}

/** Draws the message, else a problem of the profile, else the row under the cursor. */
function drawDetail(state: AppState, rows: number): ScreenLine[] {
  const lineOf = (text: string, style: Style): ScreenLine => ({ spans: [[fit(` ${text}`, state.width), style]] });
  const { message } = state;
  const problem = message ? undefined : problemLine(state);
  const lines = message
    ? messageLines(state).map((text) => lineOf(text, message.kind === 'error' ? 'error' : 'accent'))
    : problem
      ? [problem]
      : detailLines(state).map((text) => lineOf(text, 'dim'));
  return Array.from({ length: rows }, (_, k) => lines[k] ?? { spans: [] });
}

/** A problem of the profile, where the view has nothing to say. */
function problemLine(state: AppState): ScreenLine | undefined {
  const { cut, warnings } = state.analysis.profile;
  if ((!cut && warnings.length === 0) || openView(state).detail(contextOf(state)) !== '') return undefined;
  if (cut) return { spans: [[fit(` ${problemText(cut)}`, state.width), 'error']] };
  return { spans: [[fit(` ${warningText(warnings[0], state.analysis.profile.paths)}`, state.width), 'warm']] };
}

function problemText(cut: NonNullable<Head['cut']>): string {
  return `${cut.sign ? 'omitted' : 'the file is cut off'}: ${visible(cut.found)}`;
}

/** The prompt, with its cursor as an inverse cell; long text scrolls. */
function promptLine(prompt: Prompt & Input, width: number): ScreenLine {
  const label = prompt.kind === 'view' ? prompt.label : PROMPTS[prompt.kind];
  return inputLine(label, prompt.text, prompt.cursor, width);
}

export function inputLine(label: string, text: string, cursor: number, width: number): ScreenLine {
  const availableWidth = Math.max(4, width - label.length - 1);
  // A character can have two code units, and its visible form several cells.
  const [character = ''] = text.slice(cursor, cursor + 2);
  const under = visible(character) || ' ';
  const before = cutStart(visible(text.slice(0, cursor)), Math.max(0, availableWidth - 1 - cellWidth(under)));
  const after = visible(headOf(text.slice(cursor + character.length), availableWidth));
  return {
    spans: [
      [label, 'accent'],
      [before, 'plain'],
      [under, 'title'],
      [fit(after, Math.max(0, width - label.length - cellWidth(before) - cellWidth(under))), 'plain'],
    ],
  };
}

const PANEL_KEYS = {
  help: 'type to narrow  ↑ ↓ PgUp PgDn move  q or Esc close',
  events: 'Enter select  Space add column  type to narrow  Esc close',
  bases: 'Enter compare  ↑ ↓ move  type to narrow, or a path  Esc close',
  transforms: 'Enter apply  Space on/off  Del remove  ← → move  or type focus=RE  Esc close',
  sort: 'Enter sort, again to reverse  type to narrow  Esc close',
  options: 'Enter choose  ↑ ↓ move  type to narrow  Esc close',
  save: 'Enter choose  ↑ ↓ move  Esc close',
  palette: 'Enter run  ↑ ↓ move  type to narrow  Esc close',
} as const;

function footerLine(state: AppState): ScreenLine {
  if (state.panel)
    return {
      spans: [
        [
          fit(
            ' ' +
              (state.ascii
                ? PANEL_KEYS[state.panel.kind].replace('↑ ↓', 'Up Down').replace('← →', 'Left Right')
                : PANEL_KEYS[state.panel.kind]),
            state.width,
          ),
          'dim',
        ],
      ],
    };
  return { spans: footerHints(state).flatMap((hint) => hint.spans) };
}

/** A key in the footer, and how it stands there. */
export interface Hint {
  readonly key: string;
  readonly spans: readonly Span[];
}

/** The keys that fit into the footer, in their order. */
export function footerHints(state: AppState): Hint[] {
  const hints: Hint[] = [];
  let used = 0;
  // Global keys that are off or idle now are left out.
  const all = usableBindings(state).filter(
    (b) => b.footer && b.keys.length > 0 && !(isGlobal(b) && (offReason(state, b) || b.idle?.(state))),
  );
  // Help and quit are always shown; the others as space permits.
  const last = all.filter((b) => b.footer === 'help' || b.footer === 'quit');
  const width = (b: (typeof all)[number]) => keyLabel(b.keys[0], state.ascii).length + 1 + (b.footer ?? '').length + 2;
  const kept = last.reduce((n, b) => n + width(b), 0);
  const put = (b: (typeof all)[number]) => {
    const off = offReason(state, b) !== undefined;
    const spans: Span[] = [
      [` ${keyLabel(b.keys[0], state.ascii)}`, off ? 'dim' : 'bold'],
      [` ${b.footer === 'quit' && canLeave(state) ? 'back' : b.footer} `, 'dim'],
    ];
    hints.push({ key: b.keys[0], spans });
    used += width(b);
  };
  for (const b of all) if (!last.includes(b) && used + width(b) + kept <= state.width) put(b);
  if (state.siblings.length > 0 && used + 24 + kept <= state.width) {
    const merge = ` merge ${plural(state.siblings.length, 'file')} `;
    hints.push({
      key: 'o',
      spans: [
        [' o', 'bold'],
        [merge, 'accent'],
      ],
    });
    used += 18;
  }
  for (const b of last) if (used + width(b) <= state.width) put(b);
  return hints;
}

/** The lines as plain text, as the goldens store them. */
export function plainText(lines: readonly ScreenLine[]): string {
  return lines
    .map((l) =>
      l.spans
        .map(([t]) => t)
        .join('')
        .trimEnd(),
    )
    .join('\n');
}
