// Findings, the most expensive first, each with its reason. Enter goes to the place where it can be seen.

import type { Matcher } from '../base/match.ts';
import { memo } from '../base/memo.ts';
import { siftingFor } from '../base/sifting.ts';
import { heat } from '../base/style.ts';
import { ends, fit, visible, wrapped } from '../base/text.ts';
import { plural } from '../base/units.ts';
import { findingsOf } from '../findings/gather.ts';
import { hotFiles, newerFiles } from '../findings/profile/newer-sources.ts';
import { besideShare, targetName } from '../findings/row.ts';
import type { Finding } from '../findings/rule.ts';
import { textOf } from '../findings/say.ts';
import { entry } from './open-view.ts';
import { cursorRow } from './parts/lines.ts';
import { type List, listView, START } from './parts/list.ts';
import { type Binding, key, ofAnyKind, type Request, type ScreenLine, type Span, textLine, type ViewContext } from './view.ts';

interface FindingsState {
  readonly list: List;
}

interface FindingsAction {
  readonly type: 'enter';
}

/** Cells of the share in front of a finding, with the marker of the cursor. */
const LEAD = 10;
/** A finding's longest text. */
const LONGEST = 2000;

/** The same list as long as it has the same in it. */
const joined = memo((files: string) => (files === '' ? [] : files.split('\n')), 2);

function jobOf({ analysis, event, sources }: ViewContext) {
  // Nobody has looked at a source yet.
  const newer = joined(sources.size === 0 ? '' : newerFiles(analysis, event, (file) => sources.get(file)).join('\n'));
  return findingsOf(analysis, event, newer);
}

const kept = memo((all: readonly Finding[], matcher: Matcher, c: ViewContext): readonly Finding[] => {
  const sifting = siftingFor(matcher, all, (f) => [textOf(f), targetName(c.analysis, f.target) ?? '', f.rule]);
  sifting.run(Number.POSITIVE_INFINITY);
  return sifting.kept();
}, 1);

/** The facts so far. */
function findingsIn(c: ViewContext): readonly Finding[] {
  const all = jobOf(c).begun(c.patienceMs)?.findings ?? [];
  return c.matcher ? kept(all, c.matcher, c) : all;
}

const at = ({ list }: FindingsState, c: ViewContext): Finding | undefined => findingsIn(c)[list.cursor];

/** The lines of one finding. */
function block(finding: Finding, isCursor: boolean, c: ViewContext): ScreenLine[] {
  const room = Math.max(8, c.width - LEAD - 1);
  const pieces = (text: string) => wrapped(visible(ends(text, LONGEST)), room, room, 1 / 3);
  const { lead, parts } = besideShare(finding);
  const marker: Span = [isCursor ? '▶' : ' ', 'plain'];
  const style = finding.share === undefined ? 'accent' : heat(finding.share);
  const said = pieces(textOf({ parts })).map((text, i): ScreenLine => {
    const first = i === 0;
    const spans: Span[] = [
      first ? marker : [' ', 'plain'],
      [fit(first ? lead || '!' : '', LEAD - 2, 'right'), style],
      [' ', 'plain'],
      [fit(text, room), 'plain'],
    ];
    return { spans };
  });
  const why = pieces(finding.why).map(
    (text): ScreenLine => ({
      spans: [
        [' '.repeat(LEAD), 'plain'],
        [fit(text, room), 'dim'],
      ],
    }),
  );
  const advice =
    finding.try === undefined
      ? []
      : pieces(`try: ${finding.try}`).map(
          (text): ScreenLine => ({
            spans: [
              [' '.repeat(LEAD), 'plain'],
              [fit(text, room), 'accent'],
            ],
          }),
        );
  const lines = [...said, ...why, ...advice];
  return isCursor ? lines.map(({ spans }) => cursorRow(spans, c.width)) : lines;
}

/** The sentence that says where the cost goes, over the whole width. */
function topLines(c: ViewContext): ScreenLine[] {
  const said = jobOf(c).ready?.top;
  if (!said || c.matcher) return [];
  const room = Math.max(8, c.width - 2);
  const lines = wrapped(visible(ends(textOf(said), LONGEST)), room, room, 1 / 3);
  return [...lines.map((text) => textLine(fit(` ${text}`, c.width).trimEnd(), 'bold')), { spans: [] }];
}

/** All lines, and where those of the cursor's finding are. */
function linesOf(state: FindingsState, c: ViewContext) {
  const lines: ScreenLine[] = [];
  const from: number[] = [];
  lines.push(...topLines(c));
  findingsIn(c).forEach((finding, i) => {
    // On a screen that has the room, a blank line stands between two of them.
    if (i > 0 && c.height >= AIRY) lines.push({ spans: [] });
    from.push(lines.length);
    lines.push(...block(finding, i === state.list.cursor, c));
  });
  return { lines, from: [...from, lines.length] };
}

const AIRY = 40;

/** The first line that is shown, so that all of the cursor's finding is. */
function topOf({ list }: FindingsState, { lines, from }: ReturnType<typeof linesOf>, height: number): number {
  const end = from[list.cursor + 1] ?? lines.length;
  const start = from[list.cursor] ?? 0;
  return Math.max(0, Math.min(start, end - height));
}

const NONE = 'No findings: nothing exceeds the thresholds';

function emptyText(c: ViewContext): string {
  if (!jobOf(c).ready) return 'analysing …';
  if (c.filter) return `nothing matches ${c.filter}`;
  return c.analysis.totals.whole.every(([sum]) => sum === 0) ? 'No findings: the profile is empty' : NONE;
}

function draw(state: FindingsState, c: ViewContext): ScreenLine[] {
  const all = linesOf(state, c);
  if (all.lines.length === 0) all.lines.push(textLine(fit(` ${emptyText(c)}`, c.width).trimEnd(), 'dim'));
  const top = topOf(state, all, c.height);
  const shown = all.lines.slice(top, top + c.height);
  while (shown.length < c.height) shown.push({ spans: [] });
  return shown;
}

/** Enter shows the place, with the event that the finding is about. */
function showing({ target }: Finding): Request {
  const { view, event, routine, context, file, line, step, size, row } = target;
  return {
    type: 'show',
    view,
    ...(event === undefined ? {} : { event }),
    ...(routine === undefined ? {} : { routine }),
    ...(context === undefined ? {} : { context }),
    ...(file !== undefined && line !== undefined ? { place: { file, line } } : {}),
    ...(step === undefined ? {} : { step }),
    ...(row === undefined && size === undefined ? {} : { row: row ?? String(size) }),
  };
}

/** The title of a view: its id, but for one. */
const titleOf = (view: string): string => (view === 'utilization' ? 'Load' : view[0].toUpperCase() + view.slice(1));

const KEYS: readonly Binding<FindingsState, FindingsAction>[] = [
  key('enter', { type: 'enter' }, 'view', 'go to the place of the finding', {
    footer: 'show',
    off: (state, c) => (at(state, c) ? undefined : NONE),
  }),
];

const list = listView<'findings', FindingsState, FindingsAction, ViewContext['analysis']['profile']['kind']>({
  id: 'findings',
  title: 'Findings',
  digit: '!',
  asks: [],
  isSlow: true,
  of: ofAnyKind,
  report: { name: 'findings', ofFocus: false },
  above: 0,
  keys: KEYS,
  init: () => ({ list: START }),
  draw,
  rows: (_, c) => findingsIn(c).length,
  rowText: (_, row, c) => textOf(findingsIn(c)[row]),
  followers: { beside: ['source', 'calls', 'curve', 'step'], below: ['source', 'calls', 'curve', 'step'] },
  routineAt: (state, c) => at(state, c)?.target.routine ?? -1,
  stepAt: (state, c) => at(state, c)?.target.step ?? -1,
  companion: (state, c) => at(state, c)?.target.view,
  place(state, c) {
    const { file, line } = at(state, c)?.target ?? {};
    return file === undefined || line === undefined ? undefined : { file, line };
  },
  needs: (_, c) => (jobOf(c).ready ? [...hotFiles(c.analysis, c.event)] : []),
  request(state, _, c) {
    const finding = at(state, c);
    return finding && showing(finding);
  },
  detail(state, c) {
    const finding = at(state, c);
    if (!finding) return '';
    const name = targetName(c.analysis, finding.target);
    return `Enter shows ${titleOf(finding.target.view)}${name === undefined ? '' : ` of ${name}`}`;
  },
  mode(_, c) {
    const all = findingsIn(c);
    return jobOf(c).ready ? plural(all.length, 'finding') : 'looking …';
  },
  work: (_, c, ms) => jobOf(c).run(ms),
  printed: () => ({}),
  rebase: (state) => state,
});

export const findings = entry({
  ...list,
  /** Findings have several lines each. */
  clickAt(state, _, y, c) {
    const all = linesOf(state, c);
    const line = y + topOf(state, all, c.height);
    const row = all.from.findLastIndex((from) => from <= line);
    if (line >= all.lines.length || row < 0) return undefined;
    if (row === state.list.cursor) return { state, act: true };
    return { state: { ...state, list: { ...state.list, cursor: row } } };
  },
  whole: (state, c, most) => linesOf({ list: { ...state.list, cursor: -1 } }, { ...c, height: AIRY }).lines.slice(0, most),
});
