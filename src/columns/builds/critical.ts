// The columns of the critical path: one row per step.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { shortStepName, stepHeading } from '../../analysis/answers/steps/step-names.ts';
import { buildUs, recordedName, stepName, stepTexts, wholeWindowOf } from '../../analysis/answers/steps/steps.ts';
import { stepsBefore } from '../../analysis/builds/changes.ts';
import { chainLinks, criticalPath, type Link, shortWhyText, whyText } from '../../analysis/builds/critical.ts';
import { withoutEach, withoutStep } from '../../analysis/builds/simulate.ts';
import type { Cell } from '../../base/style.ts';
import { formatCount } from '../../base/units.ts';
import type { ProfileOf } from '../../model/profile.ts';
import { counts, data, shown, words } from '../builders.ts';
import { type Column, type ColumnContext, onScreen, type Table } from '../column.ts';
import { baseOf, type Listing } from '../listing.ts';
import { ms, msText, shareColumn, time, timeColumn } from '../times.ts';

/**
 * `without`: what the build would take if a step took no time, for the steps that were simulated; empty if simulations are doubtful,
 * absent on the screen.
 */
function criticalTable(without?: ReadonlyMap<number, number>): Table<Link, 'steps'> {
  return {
    keys: 'id name startMs durationMs waitMs withoutItMs why'.split(' '),
    // A link that is new on the path may be of a step that is old.
    sides: (c, l) => ({ in: kindOf(c, l) === 'new' ? 1 : 3 }),
    columns: (c) => [...timeColumns(c), ...waitColumns(c, without), ...nameColumns(c)],
  };
}

const buildBefore = (c: ColumnContext<'steps'>) => baseOf(c, 'steps');

/** The link's step in the build before; -1 for none. */
function thenOf(c: ColumnContext<'steps'>, { step }: Link): number {
  const base = buildBefore(c);
  return base ? stepsBefore(c.analysis, base).of(step) : -1;
}

const kindOf = (c: ColumnContext<'steps'>, { step }: Link) => {
  const base = buildBefore(c);
  return base && stepsBefore(c.analysis, base).kind(step);
};

/** A time of the link's step in the context's build. */
function timeIn(c: ColumnContext<'steps'>, l: Link, of: 'startUs' | 'durationUs'): number | null {
  const base = buildBefore(c);
  if (c.side !== 'before' || !base) return ms(c.analysis.profile.steps[of][l.step]);
  const then = thenOf(c, l);
  return then < 0 ? null : ms(base.profile.steps[of][then]);
}

/** A step that did not run took no time. */
const beforeText = (c: ColumnContext<'steps'>, l: Link) => {
  const time = timeIn({ ...c, side: 'before' }, l, 'durationUs');
  return time === null ? (kindOf(c, l) === 'new' ? 'new' : '-') : formatCount(time);
};

function timeColumns(c: ColumnContext<'steps'>): Column<Link>[] {
  const { analysis } = c;
  const { steps } = analysis.profile;
  const start = (l: Link) => steps.startUs[l.step];
  const duration = (l: Link) => steps.durationUs[l.step];
  const [origin] = wholeWindowOf(analysis);
  // The path is that of a chosen range of time, and so are its percentages.
  const wholeUs = buildUs(analysis);
  const share = (l: Link) => (wholeUs > 0 ? duration(l) / wholeUs : 0);
  return [
    {
      ...timeColumn(c, 'start', 'start', 3, start),
      also: undefined,
      value: (l) => timeIn(c, l, 'startUs'),
      text: (l) => onScreen(c, time(start(l) - origin), msText(start(l))),
    },
    {
      ...timeColumn(c, 'duration', 'time', 9, duration),
      ...{ also: undefined, title: onScreen(c, 'time', 'ms') },
      value: (l) => timeIn(c, l, 'durationUs'),
    },
    ...(buildBefore(c) && c.medium === 'text'
      ? [
          shown<Link>('beforeMs', (l) => beforeText(c, l), {
            ...{ title: 'before ms', align: 'right' },
          }),
        ]
      : []),
    shareColumn(share, 1),
  ];
}

function waitColumns(c: ColumnContext<'steps'>, without: ReadonlyMap<number, number> | undefined): Column<Link>[] {
  const withoutUs = (l: Link) => (without ? without.get(l.step) : withoutStep(c.analysis, l.step)) ?? Number.NaN;
  const waited = (l: Link) => onScreen(c, l.waitUs > 0 ? time(l.waitUs) : '', msText(l.waitUs));
  return [
    counts('waitMs', (l) => l.waitUs, { title: 'wait', width: 7, rank: 5, value: (l) => ms(l.waitUs), text: waited }),
    counts('withoutItMs', withoutUs, {
      ...{ title: '≈ without', from: 100, only: 'text', key: undefined },
      value: (l) => ms(withoutUs(l)),
      text: without?.size === 0 ? undefined : (l) => msText(withoutUs(l)),
    }),
  ];
}

/** The reason for a link's wait: our own words, and the step. */
function whyCell(profile: ProfileOf<'steps'>, link: Link): Cell {
  const text = whyText(profile, link);
  const name = link.waited === 'start' ? '' : stepName(profile, link.before);
  return { text, own: [text.slice(0, text.length - name.length), ''] };
}

function nameColumns(c: ColumnContext<'steps'>): Column<Link>[] {
  const { profile } = c.analysis;
  const narrow = c.width < 60;
  return [
    words('name', (l) => recordedName(profile, l.step), {
      ...{ title: onScreen(c, stepHeading(profile), 'step'), width: narrow ? 14 : 24, flex: 2, cut: 'step', rank: 9 },
      text: (l) => onScreen(c, shortStepName, stepName)(profile, l.step),
      key: undefined,
    }),
    words('why', (l) => whyText(profile, l), {
      ...{ title: 'waited for', width: narrow ? 12 : 18, flex: 2, cut: 'end', rank: 8, style: 'dim', key: undefined },
      text: (l) => onScreen<string | Cell>(c, shortWhyText(profile, l), whyCell(profile, l)),
    }),
    data('id', (l) => l.step),
  ];
}

function linkList(name: string, links: (analysis: Analysis<'steps'>) => readonly Link[]): Listing<Link, 'steps'> {
  const onTheScreen = criticalTable();
  return {
    ...{ name, asks: ['steps'], kind: 'steps' },
    table: (c) => (c.medium === 'screen' ? onTheScreen : criticalTable(withoutLinks(c.analysis, links(c.analysis)))),
    all: ({ analysis }) => links(analysis),
    texts: (l, { analysis }) => stepTexts(analysis.profile, l.step),
  };
}

/** Each link taken out of the build; nothing where simulations are not close to what was measured. */
function withoutLinks(analysis: Analysis<'steps'>, links: readonly Link[]): ReadonlyMap<number, number> {
  return withoutEach(
    analysis,
    links.map((l) => l.step),
  );
}

export const criticalList = linkList('criticalpath', (analysis) => criticalPath(analysis).links);
export const chainList = linkList('longestchain', chainLinks);
