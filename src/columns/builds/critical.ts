// The columns of the critical path: one row per step.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { stepHeading } from '../../analysis/answers/steps/step-names.ts';
import { recordedName, stepName, stepTexts, wholeWindowOf } from '../../analysis/answers/steps/steps.ts';
import { stepsBefore } from '../../analysis/builds/changes.ts';
import {
  type CriticalLink,
  chainLinks,
  criticalPath,
  criticalPathOf,
  shortWaitReason,
  waitReasonText,
} from '../../analysis/builds/critical.ts';
import { criticalGainsOf } from '../../analysis/builds/narrow.ts';
import { buildUsWithoutStep, simulateWithoutEachLink } from '../../analysis/builds/simulate.ts';
import type { TableCell } from '../../base/style.ts';
import { formatCount } from '../../base/units.ts';
import type { ProfileOf } from '../../model/profile.ts';
import { barColumn, dataColumn, displayColumn, largestMagnitude, numberColumn, wordColumn } from '../builders.ts';
import { type Column, type ColumnContext, onScreen, type TableColumns } from '../column.ts';
import { baseOfKind, type TableListing } from '../listing.ts';
import { msOrNull, msText, timeColumn, timeOrUnknown, timeText } from '../times.ts';
import { roleColumn, stepNameText } from './step-names.ts';

type LinksOf = (analysis: Analysis<'steps'>) => readonly CriticalLink[];

/**
 * `all`: the rows, whose longest step has the longest bar. `without`: by step, the build time if the step took no time. Empty if simulations
 * are inaccurate, absent on the screen.
 */
function criticalTable(all: LinksOf, without?: ReadonlyMap<number, number>): TableColumns<CriticalLink, 'steps'> {
  return {
    keys: 'id name startMs durationMs waitMs withoutItMs why'.split(' '),
    // `new` is a step that the base lacks. A link that is new on the path may be an old step.
    sides: (c, l) => ({ in: changeKindOf(c, l) === 'new' ? 1 : 3 }),
    columns: (c) => [...timeColumns(c, all(c.analysis)), ...waitColumns(c, without), ...nameColumns(c)],
  };
}

const changeKindOf = (c: ColumnContext<'steps'>, { step }: CriticalLink) => {
  const base = baseOfKind(c, 'steps');
  return base && stepsBefore(c.analysis, base).kind(step);
};

/** The start or duration of the link's step, in milliseconds, in the build that the context shows. */
function recordedTimeMs(c: ColumnContext<'steps'>, l: CriticalLink, of: 'startUs' | 'durationUs'): number | null {
  const base = baseOfKind(c, 'steps');
  if (c.side !== 'before' || !base) return msOrNull(c.analysis.profile.steps[of][l.step]);
  const then = stepsBefore(c.analysis, base).of(l.step);
  return then < 0 ? null : msOrNull(base.profile.steps[of][then]);
}

/** The step's time in the base: `new` for a new step, `-` if it did not run. */
const baseTimeText = (c: ColumnContext<'steps'>, l: CriticalLink) => {
  const time = recordedTimeMs({ ...c, side: 'before' }, l, 'durationUs');
  return time === null ? (changeKindOf(c, l) === 'new' ? 'new' : '-') : formatCount(time);
};

function timeColumns(c: ColumnContext<'steps'>, all: readonly CriticalLink[]): Column<CriticalLink>[] {
  const { analysis } = c;
  const { steps } = analysis.profile;
  const start = (l: CriticalLink) => steps.startUs[l.step];
  const duration = (l: CriticalLink) => steps.durationUs[l.step];
  const [origin] = wholeWindowOf(analysis);
  return [
    {
      ...timeColumn(c, 'start', 'start', 7, start),
      also: undefined,
      value: (l) => recordedTimeMs(c, l, 'startUs'),
      text: (l) => onScreen(c, timeOrUnknown(start(l) - origin), msText(start(l))),
    },
    {
      ...timeColumn(c, 'duration', 'time', 9, duration),
      ...{ also: undefined, title: onScreen(c, 'time', 'ms') },
      value: (l) => recordedTimeMs(c, l, 'durationUs'),
    },
    ...(baseOfKind(c, 'steps') && c.medium === 'text'
      ? [displayColumn<CriticalLink>('beforeMs', (l) => baseTimeText(c, l), { title: 'before ms', align: 'right' })]
      : []),
    ...barColumn(c, duration, largestMagnitude(all, duration), { rank: 4 }),
    ...gainColumn(c),
  ];
}

/** On the screen: the simulated gain if the step took no time; `?` for steps that were not simulated. */
function gainColumn(c: ColumnContext<'steps'>): Column<CriticalLink>[] {
  const gains = criticalGainsOf(c.analysis).ready;
  if (!gains?.size) return [];
  const text = ({ step }: CriticalLink) => {
    const us = gains.get(step);
    return us === undefined ? '?' : us > 0 ? `≈${timeText(us)}` : '';
  };
  return [displayColumn('gain', text, { width: 7, align: 'right', rank: 8, only: 'screen' })];
}

function waitColumns(c: ColumnContext<'steps'>, without: ReadonlyMap<number, number> | undefined): Column<CriticalLink>[] {
  const withoutUs = (l: CriticalLink) => (without ? without.get(l.step) : buildUsWithoutStep(c.analysis, l.step)) ?? Number.NaN;
  const waited = (l: CriticalLink) => onScreen(c, l.waitUs > 0 ? timeOrUnknown(l.waitUs) : '', msText(l.waitUs));
  return [
    numberColumn('waitMs', (l) => l.waitUs, { title: 'wait', width: 7, rank: 3, value: (l) => msOrNull(l.waitUs), text: waited }),
    numberColumn('withoutItMs', withoutUs, {
      ...{ title: '≈ without', from: 100, only: 'text', key: undefined },
      value: (l) => msOrNull(withoutUs(l)),
      text: without?.size === 0 ? undefined : (l) => msText(withoutUs(l)),
    }),
  ];
}

/** A cell with the reason for a link's wait: text of proftui, and the name of a step. */
function whyCell(profile: ProfileOf<'steps'>, link: CriticalLink): TableCell {
  const text = waitReasonText(profile, link);
  const name = link.waited === 'start' ? '' : stepName(profile, link.before);
  return { text, own: [text.slice(0, text.length - name.length), ''] };
}

/** From this width on, both a step and the one it waited for have room for their names. */
const MIN_WIDTH_WITH_WAITS = 100;

function nameColumns(c: ColumnContext<'steps'>): Column<CriticalLink>[] {
  const { profile } = c.analysis;
  const isKnown = criticalPathOf(c.analysis).ready?.basis !== 'lanes';
  const hasRoom = c.width >= MIN_WIDTH_WITH_WAITS;
  return [
    ...roleColumn<CriticalLink>(c, (l) => l.step),
    wordColumn('name', (l) => recordedName(profile, l.step), {
      ...{ title: onScreen(c, stepHeading(profile), 'step'), width: c.width < 60 ? 14 : 24, flex: 2, cut: 'path', rank: 9 },
      text: (l) => stepNameText(c, l.step),
      key: undefined,
    }),
    wordColumn('why', (l) => waitReasonText(profile, l), {
      ...{ title: 'waited for', width: hasRoom ? 18 : 10, flex: hasRoom ? 2 : 0, cut: 'middle', rank: 8, style: 'dim' },
      key: undefined,
      // A column of unknown reasons says nothing.
      text: (l) =>
        onScreen<string | TableCell>(c, isKnown || hasRoom ? shortWaitReason(profile, l, hasRoom) : '', whyCell(profile, l)),
    }),
    dataColumn('id', (l) => l.step),
  ];
}

function linkList(name: string, links: LinksOf): TableListing<CriticalLink, 'steps'> {
  const onTheScreen = criticalTable(links);
  const steps = (analysis: Analysis<'steps'>) => links(analysis).map((l) => l.step);
  return {
    ...{ name, requires: ['steps'], kind: 'steps' },
    table: ({ medium, analysis }) =>
      medium === 'screen' ? onTheScreen : criticalTable(links, simulateWithoutEachLink(analysis, steps(analysis))),
    all: ({ analysis }) => links(analysis),
    texts: (l, { analysis }) => stepTexts(analysis.profile, l.step),
  };
}

export const criticalList = linkList('criticalpath', (analysis) => criticalPath(analysis).links);
export const chainList = linkList('longestchain', chainLinks);
