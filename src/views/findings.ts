// Findings, costliest first, each with its reason. Enter opens the view that shows the finding.

import type { Matcher } from '../base/match.ts';
import { memo } from '../base/memo.ts';
import { incrementalFilter } from '../base/sifting.ts';
import { heatStyle } from '../base/style.ts';
import { fit, keepEnds, visible, wrapText } from '../base/text.ts';
import { plural } from '../base/units.ts';
import { findingsOf } from '../findings/gather.ts';
import { hotFiles, newerFiles } from '../findings/profile/newer-sources.ts';
import { targetName, withoutLeadingShare } from '../findings/row.ts';
import type { Finding } from '../findings/rule.ts';
import { textOf } from '../findings/say.ts';
import { viewEntry } from './open-view.ts';
import { cursorRow } from './parts/lines.ts';
import { type ListPosition, listView, START } from './parts/list.ts';
import {
  type Binding,
  key,
  ofAnyKind,
  type ScreenLine,
  type Span,
  textLine,
  type ViewContext,
  type ViewRequest,
} from './view.ts';

interface FindingsState {
  readonly list: ListPosition;
}

interface FindingsAction {
  readonly type: 'enter';
}

/** Width of the cursor marker and the share before a finding. */
const LEAD_WIDTH = 10;
/** The largest number of characters of a finding. */
const LONGEST = 2000;

/** Splits the file names. Memoized: equal names give the same array, so findings are not computed again. */
const stableList = memo((files: string) => (files === '' ? [] : files.split('\n')), 2);

function findingsJob({ analysis, event, sources }: ViewContext) {
  // Without any source text read, no file can be newer.
  const newer = stableList(sources.size === 0 ? '' : newerFiles(analysis, event, (file) => sources.get(file)).join('\n'));
  return findingsOf(analysis, event, newer);
}

const matchingFindings = memo((all: readonly Finding[], matcher: Matcher, c: ViewContext): readonly Finding[] => {
  const sifting = incrementalFilter(matcher, all, (f) => [textOf(f), targetName(c.analysis, f.target) ?? '', f.rule]);
  sifting.run(Number.POSITIVE_INFINITY);
  return sifting.passingRows();
}, 1);

/** The findings so far, after the filter. */
function findingsIn(c: ViewContext): readonly Finding[] {
  const all = findingsJob(c).runOnce(c.timeBudgetMs)?.findings ?? [];
  return c.matcher ? matchingFindings(all, c.matcher, c) : all;
}

const findingUnderCursor = ({ list }: FindingsState, c: ViewContext): Finding | undefined => findingsIn(c)[list.cursor];

/** The lines of one finding. */
function findingLines(finding: Finding, isCursor: boolean, c: ViewContext): ScreenLine[] {
  const width = Math.max(8, c.width - LEAD_WIDTH - 1);
  const pieces = (text: string) => wrapText(visible(keepEnds(text, LONGEST)), width, width, 1 / 3);
  const { lead, parts } = withoutLeadingShare(finding);
  const marker: Span = [isCursor ? '▶' : ' ', 'plain'];
  const style = finding.share === undefined ? 'accent' : heatStyle(finding.share);
  const textLines = pieces(textOf({ parts })).map((text, i): ScreenLine => {
    const first = i === 0;
    const spans: Span[] = [
      first ? marker : [' ', 'plain'],
      [fit(first ? lead || '!' : '', LEAD_WIDTH - 2, 'right'), style],
      [' ', 'plain'],
      [fit(text, width), 'plain'],
    ];
    return { spans };
  });
  const why = pieces(finding.why).map(
    (text): ScreenLine => ({
      spans: [
        [' '.repeat(LEAD_WIDTH), 'plain'],
        [fit(text, width), 'dim'],
      ],
    }),
  );
  const advice =
    finding.try === undefined
      ? []
      : pieces(`try: ${finding.try}`).map(
          (text): ScreenLine => ({
            spans: [
              [' '.repeat(LEAD_WIDTH), 'plain'],
              [fit(text, width), 'accent'],
            ],
          }),
        );
  const lines = [...textLines, ...why, ...advice];
  return isCursor ? lines.map(({ spans }) => cursorRow(spans, c.width)) : lines;
}

/** The lines of the summary sentence, over the whole width. */
function summaryLines(c: ViewContext): ScreenLine[] {
  const summary = findingsJob(c).ready?.top;
  if (!summary || c.matcher) return [];
  const width = Math.max(8, c.width - 2);
  const lines = wrapText(visible(keepEnds(textOf(summary), LONGEST)), width, width, 1 / 3);
  return [...lines.map((text) => textLine(fit(` ${text}`, c.width).trimEnd(), 'bold')), { spans: [] }];
}

/** All lines, and the first line of each finding. */
function linesOf(state: FindingsState, c: ViewContext) {
  const lines: ScreenLine[] = [];
  const from: number[] = [];
  lines.push(...summaryLines(c));
  findingsIn(c).forEach((finding, i) => {
    // Tall screens get a blank line between findings.
    if (i > 0 && c.height >= BLANK_LINES_FROM) lines.push({ spans: [] });
    from.push(lines.length);
    lines.push(...findingLines(finding, i === state.list.cursor, c));
  });
  return { lines, from: [...from, lines.length] };
}

const BLANK_LINES_FROM = 40;

/** The first visible line, so that the finding under the cursor is fully visible. */
function firstVisibleLine({ list }: FindingsState, { lines, from }: ReturnType<typeof linesOf>, height: number): number {
  const end = from[list.cursor + 1] ?? lines.length;
  const start = from[list.cursor] ?? 0;
  return Math.max(0, Math.min(start, end - height));
}

const NONE = 'No findings: nothing exceeds the thresholds';

function emptyText(c: ViewContext): string {
  if (!findingsJob(c).ready) return 'analysing …';
  if (c.filter) return `nothing matches ${c.filter}`;
  return c.analysis.totals.whole.every(([sum]) => sum === 0) ? 'No findings: the profile is empty' : NONE;
}

function draw(state: FindingsState, c: ViewContext): ScreenLine[] {
  const all = linesOf(state, c);
  if (all.lines.length === 0) all.lines.push(textLine(fit(` ${emptyText(c)}`, c.width).trimEnd(), 'dim'));
  const top = firstVisibleLine(state, all, c.height);
  const shown = all.lines.slice(top, top + c.height);
  while (shown.length < c.height) shown.push({ spans: [] });
  return shown;
}

/** The request of Enter: the view and item of the finding, with its event. */
function requestFor({ target }: Finding): ViewRequest {
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

/** The title of a view: its id with a capital letter, except for Load. */
const titleOf = (view: string): string => (view === 'utilization' ? 'Load' : view[0].toUpperCase() + view.slice(1));

const KEYS: readonly Binding<FindingsState, FindingsAction>[] = [
  key('enter', { type: 'enter' }, 'view', 'go to the place of the finding', {
    footer: 'show',
    off: (state, c) => (findingUnderCursor(state, c) ? undefined : NONE),
  }),
];

const list = listView<'findings', FindingsState, FindingsAction, ViewContext['analysis']['profile']['kind']>({
  id: 'findings',
  title: 'Findings',
  digit: '!',
  requires: [],
  isSlow: true,
  narrowContext: ofAnyKind,
  report: { name: 'findings', ofFocus: false },
  linesAbove: 0,
  keys: KEYS,
  init: () => ({ list: START }),
  draw,
  rowCount: (_, c) => findingsIn(c).length,
  rowText: (_, row, c) => textOf(findingsIn(c)[row]),
  followers: { beside: ['source', 'calls', 'curve', 'step'], below: ['source', 'calls', 'curve', 'step'] },
  routineAt: (state, c) => findingUnderCursor(state, c)?.target.routine ?? -1,
  stepAt: (state, c) => findingUnderCursor(state, c)?.target.step ?? -1,
  bestFollower: (state, c) => findingUnderCursor(state, c)?.target.view,
  sourcePosition(state, c) {
    const { file, line } = findingUnderCursor(state, c)?.target ?? {};
    return file === undefined || line === undefined ? undefined : { file, line };
  },
  neededSources: (_, c) => (findingsJob(c).ready ? [...hotFiles(c.analysis, c.event)] : []),
  request(state, _, c) {
    const finding = findingUnderCursor(state, c);
    return finding && requestFor(finding);
  },
  detail(state, c) {
    const finding = findingUnderCursor(state, c);
    if (!finding) return '';
    const name = targetName(c.analysis, finding.target);
    return `Enter shows ${titleOf(finding.target.view)}${name === undefined ? '' : ` of ${name}`}`;
  },
  mode(_, c) {
    const all = findingsIn(c);
    return findingsJob(c).ready ? plural(all.length, 'finding') : 'looking …';
  },
  work: (_, c, ms) => findingsJob(c).run(ms),
  printed: () => ({}),
  rebase: (state) => state,
});

export const findings = viewEntry({
  ...list,
  /** Findings have several lines each. */
  clickAt(state, _, y, c) {
    const all = linesOf(state, c);
    const line = y + firstVisibleLine(state, all, c.height);
    const row = all.from.findLastIndex((from) => from <= line);
    if (line >= all.lines.length || row < 0) return undefined;
    if (row === state.list.cursor) return { state, act: true };
    return { state: { ...state, list: { ...state.list, cursor: row } } };
  },
  drawAll: (state, c, most) =>
    linesOf({ list: { ...state.list, cursor: -1 } }, { ...c, height: BLANK_LINES_FROM }).lines.slice(0, most),
});
