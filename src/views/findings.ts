// The Findings view: findings with their reasons, costliest first. Enter opens the view that shows a finding.

import type { Analysis } from '../analysis/answers/analysis.ts';
import { memo, sortedByKey } from '../base/lists.ts';
import { incrementalFilter, type Matcher } from '../base/match.ts';
import { heatStyle, type Style } from '../base/style.ts';
import { fit, keepEnds, visible, wrapText } from '../base/text.ts';
import { plural } from '../base/units.ts';
import { findingsOf } from '../findings/gather.ts';
import { hotFiles, newerFiles } from '../findings/profile/newer-sources.ts';
import { targetName, withoutLeadingShare } from '../findings/row.ts';
import type { Finding } from '../findings/rule.ts';
import { phraseText } from '../findings/say.ts';
import { type LineBlock, linesView } from './parts/lines-view.ts';
import { type ScreenLine, type ShowRequest, spanLine, textLine, type ViewContext } from './view.ts';

/** Width of the share before the text of a finding. */
export const SHARE_WIDTH = 8;
const MAX_FINDING_LENGTH = 2000;

/** Splits the file names into an array. Equal texts give the identical array, so findings are not computed again. */
const splitFileNames = memo((files: string) => (files === '' ? [] : files.split('\n')));

/** The job that finds the findings of what is shown. */
export function findingsJob({ analysis, event, sources }: ViewContext) {
  // Until a source text was read, no source file can be newer than the profile.
  const newer = splitFileNames(sources.size === 0 ? '' : newerFiles(analysis, event, (file) => sources.get(file)).join('\n'));
  return findingsOf(analysis, event, newer);
}

const matchingFindings = memo((all: readonly Finding[], matcher: Matcher, analysis: Analysis): readonly Finding[] => {
  const sifting = incrementalFilter(matcher, all, (f) => [phraseText(f), targetName(analysis, f.target) ?? '', f.rule]);
  sifting.run(Number.POSITIVE_INFINITY);
  return sifting.passingRows();
}, 1);

/** The findings computed so far that match the filter. */
function findingsSoFar(c: ViewContext): readonly Finding[] {
  const all = findingsJob(c).runOnce(c.timeBudgetMs)?.findings ?? [];
  return c.matcher ? matchingFindings(all, c.matcher, c.analysis) : all;
}

export const findingStyle = ({ share }: Finding): Style => (share === undefined ? 'accent' : heatStyle(share));

/** A line of a finding: its share or mark, and a text. */
export const findingLine = (mark: string, markStyle: Style, text: string, style: Style): ScreenLine =>
  spanLine([fit(mark, SHARE_WIDTH, 'right'), markStyle], [' ', 'plain'], [text, style]);

function findingBlock(finding: Finding, c: ViewContext): LineBlock {
  const width = Math.max(8, c.width - SHARE_WIDTH - 3);
  const pieces = (text: string) => wrapText(visible(keepEnds(text, MAX_FINDING_LENGTH)), width, width, 1 / 3);
  const { lead, parts } = withoutLeadingShare(finding);
  const first = pieces(phraseText({ parts })).map((text, i) =>
    findingLine(i === 0 ? lead || '!' : '', findingStyle(finding), fit(text, width), 'plain'),
  );
  const below = (text: string, style: Style) => pieces(text).map((piece) => findingLine('', 'plain', fit(piece, width), style));
  const name = targetName(c.analysis, finding.target);
  return {
    lines: [...first, ...below(finding.why, 'dim'), ...(finding.try === undefined ? [] : below(`try: ${finding.try}`, 'accent'))],
    row: {
      opens: requestToOpen(finding),
      text: phraseText(finding),
      detail: `Enter shows ${viewTitle(finding.target.view)}${name === undefined ? '' : ` of ${name}`}`,
    },
  };
}

/** The lines of the summary sentence, over the whole width. */
function summaryLines(c: ViewContext): ScreenLine[] {
  const summary = findingsJob(c).ready?.top;
  if (!summary || c.matcher) return [];
  const width = Math.max(8, c.width - 2);
  const text = `The cost is in these calls: ${phraseText(summary)}`;
  const lines = wrapText(visible(keepEnds(text, MAX_FINDING_LENGTH)), width, width, 1 / 3);
  return [...lines.map((text) => textLine(fit(` ${text}`, c.width).trimEnd(), 'bold')), { spans: [] }];
}

/** On tall screens, a blank line separates findings. */
const MIN_SPACED_HEIGHT = 40;

/** The reason why the dependencies of all steps are unknown; undefined if some are known, or the profile is of no build. */
const unknownNeedsOf = ({ analysis: { profile } }: ViewContext): string | undefined =>
  profile.kind === 'steps' && !profile.steps.needs ? profile.steps.needsCaveat : undefined;

export function noFindingsReason(c: ViewContext): string {
  const { totals, profile } = c.analysis;
  // The longest note is most likely to say why.
  const [note] = sortedByKey(profile.parts.at(-1)?.notes ?? [], ({ length }) => length, true);
  const [why = note] = profile.warnings.map(({ found }) => found.replace(/^none: /, ''));
  if (totals.whole.every(([sum]) => sum === 0)) return `the profile is empty${why === undefined ? '' : `; ${visible(why)}`}`;
  const unknown = unknownNeedsOf(c);
  return unknown === undefined ? 'nothing exceeds the thresholds of the findings' : `${unknown}, so gains are unknown`;
}

const NEEDS_ADVICE = 'try: open the folder of the build: its build file says what needs what';

function findingBlocks(c: ViewContext): LineBlock[] {
  const found = findingsSoFar(c);
  const space: LineBlock[] = c.height >= MIN_SPACED_HEIGHT ? [{ lines: [{ spans: [] }] }] : [];
  const blocks = [
    { lines: summaryLines(c) },
    ...found.flatMap((finding, i) => {
      const isFirstRemark = finding.isNote && !found[i - 1]?.isNote;
      const heading = textLine(c.analysis.before ? ' About both runs' : ' About the recording', 'header');
      return [...(isFirstRemark ? [{ lines: [heading] }] : i > 0 ? space : []), findingBlock(finding, c)];
    }),
  ];
  if (blocks.some(({ lines }) => lines.length > 0)) return blocks;
  const isPending = !findingsJob(c).ready;
  const none = c.filter ? `nothing matches ${c.filter}` : `No findings: ${noFindingsReason(c)}`;
  const advice = !isPending && !c.filter && unknownNeedsOf(c) !== undefined ? [NEEDS_ADVICE] : [];
  const lines = [isPending ? 'analysing …' : none, ...advice];
  return [{ lines: lines.map((text) => textLine(fit(` ${text}`, c.width).trimEnd(), 'dim')), isPending }];
}

/** The request that Enter makes: to show the view and the item of the finding, with its event. */
export function requestToOpen({ target }: Finding): ShowRequest {
  const { view, event, routine, context, file, line, step, size, row } = target;
  const place = file !== undefined && line !== undefined ? { file, line } : undefined;
  return { type: 'show', view, event, routine, context, place, step, row: row ?? size?.toString() };
}

/** The title of a view: its id with a capital letter, or Load for `utilization`. */
const viewTitle = (view: string): string => (view === 'utilization' ? 'Load' : view[0].toUpperCase() + view.slice(1));

export const findingsView = linesView({
  id: 'findings',
  title: 'Findings',
  partOf: 'overview',
  help: 'go to the place of the finding',
  footer: 'show',
  blocks: findingBlocks,
  mode: (_, c) => (findingsJob(c).ready ? plural(findingsSoFar(c).length, 'finding') : 'looking …'),
  work: (_, c, ms) => findingsJob(c).run(ms),
  neededSources: (_, c) => (findingsJob(c).ready ? [...hotFiles(c.analysis, c.event)] : []),
  writtenHeight: MIN_SPACED_HEIGHT,
});
