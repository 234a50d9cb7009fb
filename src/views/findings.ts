// The Findings view: findings with their reasons, costliest first. Enter opens the view that shows a finding.

import type { Matcher } from '../base/match.ts';
import { memo } from '../base/memo.ts';
import { incrementalFilter } from '../base/sifting.ts';
import { heatStyle, type Style } from '../base/style.ts';
import { fit, keepEnds, visible, wrapText } from '../base/text.ts';
import { plural } from '../base/units.ts';
import { findingsOf } from '../findings/gather.ts';
import { hotFiles, newerFiles } from '../findings/profile/newer-sources.ts';
import { targetName, withoutLeadingShare } from '../findings/row.ts';
import type { Finding } from '../findings/rule.ts';
import { phraseText } from '../findings/say.ts';
import { viewEntry } from './open-view.ts';
import { fillHeight, highlightedRow } from './parts/lines.ts';
import { type ListPosition, listView, START } from './parts/list.ts';
import {
  type Binding,
  key,
  ofAnyKind,
  type ScreenLine,
  type ShowRequest,
  type Span,
  textLine,
  type ViewContext,
} from './view.ts';

interface FindingsState {
  readonly list: ListPosition;
}

interface FindingsAction {
  readonly type: 'enter';
}

/** Width of the cursor mark and the share before the text of a finding. */
const MARK_AND_SHARE_WIDTH = 10;
/** Maximum characters of a finding. */
const MAX_FINDING_LENGTH = 2000;

/** Splits the file names into an array. Equal texts give the identical array, so findings are not computed again. */
const splitFileNames = memo((files: string) => (files === '' ? [] : files.split('\n')));

/** The job that finds the findings of what is shown. */
export function findingsJob({ analysis, event, sources }: ViewContext) {
  // Until a source text was read, no source file can be newer than the profile.
  const newer = splitFileNames(sources.size === 0 ? '' : newerFiles(analysis, event, (file) => sources.get(file)).join('\n'));
  return findingsOf(analysis, event, newer);
}

const matchingFindings = memo((all: readonly Finding[], matcher: Matcher, c: ViewContext): readonly Finding[] => {
  const sifting = incrementalFilter(matcher, all, (f) => [phraseText(f), targetName(c.analysis, f.target) ?? '', f.rule]);
  sifting.run(Number.POSITIVE_INFINITY);
  return sifting.passingRows();
}, 1);

/** The findings computed so far that match the filter. */
function findingsSoFar(c: ViewContext): readonly Finding[] {
  const all = findingsJob(c).runOnce(c.timeBudgetMs)?.findings ?? [];
  return c.matcher ? matchingFindings(all, c.matcher, c) : all;
}

const findingUnderCursor = ({ list }: FindingsState, c: ViewContext): Finding | undefined => findingsSoFar(c)[list.cursor];

/** The lines of one finding. */
function findingLines(finding: Finding, isCursor: boolean, c: ViewContext): ScreenLine[] {
  const width = Math.max(8, c.width - MARK_AND_SHARE_WIDTH - 1);
  const pieces = (text: string) => wrapText(visible(keepEnds(text, MAX_FINDING_LENGTH)), width, width, 1 / 3);
  const { lead, parts } = withoutLeadingShare(finding);
  const marker: Span = [isCursor ? '▶' : ' ', 'plain'];
  const style = finding.share === undefined ? 'accent' : heatStyle(finding.share);
  const textLines = pieces(phraseText({ parts })).map((text, i): ScreenLine => {
    const first = i === 0;
    const spans: Span[] = [
      first ? marker : [' ', 'plain'],
      [fit(first ? lead || '!' : '', MARK_AND_SHARE_WIDTH - 2, 'right'), style],
      [' ', 'plain'],
      [fit(text, width), 'plain'],
    ];
    return { spans };
  });
  const indent: Span = [' '.repeat(MARK_AND_SHARE_WIDTH), 'plain'];
  const indented = (text: string, style: Style) =>
    pieces(text).map((piece): ScreenLine => ({ spans: [indent, [fit(piece, width), style]] }));
  const advice = finding.try === undefined ? [] : indented(`try: ${finding.try}`, 'accent');
  const lines = [...textLines, ...indented(finding.why, 'dim'), ...advice];
  return isCursor ? lines.map(({ spans }) => highlightedRow(spans, c.width)) : lines;
}

/** The lines of the summary sentence, over the whole width. */
function summaryLines(c: ViewContext): ScreenLine[] {
  const summary = findingsJob(c).ready?.top;
  if (!summary || c.matcher) return [];
  const width = Math.max(8, c.width - 2);
  const lines = wrapText(visible(keepEnds(phraseText(summary), MAX_FINDING_LENGTH)), width, width, 1 / 3);
  return [...lines.map((text) => textLine(fit(` ${text}`, c.width).trimEnd(), 'bold')), { spans: [] }];
}

/** The lines of all findings, and the index of the first line of each. */
function allFindingLines(state: FindingsState, c: ViewContext) {
  const lines: ScreenLine[] = [];
  const from: number[] = [];
  lines.push(...summaryLines(c));
  findingsSoFar(c).forEach((finding, i) => {
    // On tall screens, a blank line separates findings.
    if (i > 0 && c.height >= MIN_SPACED_HEIGHT) lines.push({ spans: [] });
    from.push(lines.length);
    lines.push(...findingLines(finding, i === state.list.cursor, c));
  });
  return { lines, from: [...from, lines.length] };
}

const MIN_SPACED_HEIGHT = 40;

/** The index of the first visible line, chosen so that the finding under the cursor is completely visible. */
function firstVisibleLine({ list }: FindingsState, { lines, from }: ReturnType<typeof allFindingLines>, height: number): number {
  const end = from[list.cursor + 1] ?? lines.length;
  const start = from[list.cursor] ?? 0;
  return Math.max(0, Math.min(start, end - height));
}

const NO_FINDINGS_TEXT = 'No findings: nothing exceeds the thresholds';

function emptyText(c: ViewContext): string {
  if (!findingsJob(c).ready) return 'analysing …';
  if (c.filter) return `nothing matches ${c.filter}`;
  return c.analysis.totals.whole.every(([sum]) => sum === 0) ? 'No findings: the profile is empty' : NO_FINDINGS_TEXT;
}

function drawFindings(state: FindingsState, c: ViewContext): ScreenLine[] {
  const all = allFindingLines(state, c);
  if (all.lines.length === 0) all.lines.push(textLine(fit(` ${emptyText(c)}`, c.width).trimEnd(), 'dim'));
  const top = firstVisibleLine(state, all, c.height);
  return fillHeight(all.lines.slice(top), c.height);
}

/** The request that Enter makes: to show the view and the item of the finding, with its event. */
export function requestToOpen({ target }: Finding): ShowRequest {
  const { view, event, routine, context, file, line, step, size, row } = target;
  const place = file !== undefined && line !== undefined ? { file, line } : undefined;
  return { type: 'show', view, event, routine, context, place, step, row: row ?? size?.toString() };
}

/** The title of a view: its id with a capital letter, or Load for `utilization`. */
const viewTitle = (view: string): string => (view === 'utilization' ? 'Load' : view[0].toUpperCase() + view.slice(1));

const KEYS: readonly Binding<FindingsState, FindingsAction>[] = [
  key('enter', { type: 'enter' }, 'view', 'go to the place of the finding', {
    footer: 'show',
    off: (state, c) => (findingUnderCursor(state, c) ? undefined : NO_FINDINGS_TEXT),
  }),
];

const findingsList = listView<'findings', FindingsState, FindingsAction, ViewContext['analysis']['profile']['kind']>({
  id: 'findings',
  title: 'Findings',
  digit: '!',
  partOf: 'overview',
  requires: [],
  narrowContext: ofAnyKind,
  report: { name: 'findings', ofFocus: false },
  linesAbove: 0,
  keys: KEYS,
  init: () => ({ list: START }),
  draw: drawFindings,
  rowCount: (_, c) => findingsSoFar(c).length,
  rowText: (_, row, c) => phraseText(findingsSoFar(c)[row]),
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
    return finding && requestToOpen(finding);
  },
  detail(state, c) {
    const finding = findingUnderCursor(state, c);
    if (!finding) return '';
    const name = targetName(c.analysis, finding.target);
    return `Enter shows ${viewTitle(finding.target.view)}${name === undefined ? '' : ` of ${name}`}`;
  },
  mode(_, c) {
    const all = findingsSoFar(c);
    return findingsJob(c).ready ? plural(all.length, 'finding') : 'looking …';
  },
  work: (_, c, ms) => findingsJob(c).run(ms),
  printed: () => ({}),
  rebase: (state) => state,
});

export const findingsView = viewEntry({
  ...findingsList,
  /** Finds the clicked finding, which may have several lines. */
  clickAt(state, _, y, c) {
    const all = allFindingLines(state, c);
    const line = y + firstVisibleLine(state, all, c.height);
    const row = all.from.findLastIndex((from) => from <= line);
    if (line >= all.lines.length || row < 0) return undefined;
    if (row === state.list.cursor) return { state, act: true };
    return { state: { ...state, list: { ...state.list, cursor: row } } };
  },
  drawAll: (state, c, most) =>
    allFindingLines({ list: { ...state.list, cursor: -1 } }, { ...c, height: MIN_SPACED_HEIGHT }).lines.slice(0, most),
});
