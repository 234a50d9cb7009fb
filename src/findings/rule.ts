// A finding: one sentence about what stands out in a profile, with its numbers, why it is believed, and where it can be seen. A rule
// looks for findings of one sort. A new rule is one new file and one line in index.ts.
import { type Analysis, isOfKind } from '../analysis/answers/analysis.ts';
import type { Totals } from '../analysis/answers/costing.ts';
import type { Event, Question } from '../model/head.ts';
import type { Kind, ProfileOf } from '../model/profile.ts';
import type { Figure, Said } from './phrase.ts';

/** The input of rules. */
export interface Evidence<K extends Kind = Kind> {
  readonly analysis: Analysis<K>;
  readonly profile: ProfileOf<K>;
  readonly totals: Totals;
  readonly event: Event;
  /** The base of the event's percentages. */
  readonly whole: number;
  /** Source files of the hottest routines that were changed after the profile was made, as far as anyone has looked. */
  readonly newer: readonly string[];
}

/** Where a finding can be seen. */
export interface Target {
  /** The view of the screen, and the report that says the same. */
  readonly view: string;
  readonly report: string;
  /** The event that it is about, where that is not the one that is shown. */
  readonly event?: string;
  readonly routine?: number;
  /** Which of the routine's calling contexts. */
  readonly context?: number;
  readonly file?: string;
  readonly line?: number;
  readonly step?: number;
  /** The input size, in a curve. */
  readonly size?: number;
  /** The name of the row, where that is neither a routine nor a step. */
  readonly row?: string;
}

/** The findings of a rule. */
export interface Remark extends Said {
  /** Its subject: of two findings about one subject, the costlier one is shown. */
  readonly subject: string;
  readonly why: string;
  /** The share of the whole that is at stake, 0 to 1; absent for what has none: statements about the profile, tests, memory. */
  readonly share?: number;
  /** With two runs: 1 where it is that much more, -1 where it is less. */
  readonly sign?: 1 | -1;
  /** Whether it is about the profile, where that is not so for all findings of its rule. */
  readonly isRemark?: boolean;
  /** The share is not exact. */
  readonly estimated?: boolean;
  readonly target: Target;
  /** The next step that a person would take, where the data alone says it. */
  readonly try?: string;
  /** Subjects that it sums up: it is left out where one of them has a finding of its own. */
  readonly covers?: readonly string[];
}

export interface Finding extends Remark {
  readonly rule: string;
  /** It comes last. */
  readonly isRemark: boolean;
  readonly figures: readonly Figure[];
}

export const GROUPS = ['profile', 'cost', 'events', 'sampled', 'growth', 'builds', 'comparing'] as const;
export type Group = (typeof GROUPS)[number];

/** One run, two runs side by side, or both. */
type Runs = 'one' | 'two' | 'any';

/** The text about a rule in docs/findings.md. */
interface RuleHead {
  readonly id: string;
  /** Its questions to a profile. */
  readonly question: string;
  /** Its evidence. */
  readonly evidence: string;
  /** When it speaks. */
  readonly threshold: string;
  /** Its assumptions. */
  readonly assumes?: string;
  /** Its findings are about the profile, not about the program: they come last. */
  readonly remark?: true;
}

/** The findings of a rule: none, one or several. */
type Remarks = Remark | readonly Remark[] | undefined;

export interface Rule extends RuleHead {
  readonly group: Group;
  /** Whether the profile can answer what it asks. */
  readonly applies: (evidence: Evidence) => boolean;
  /** Yields often enough to hear keys. */
  readonly find: (evidence: Evidence) => Generator<undefined, readonly Remark[]>;
}

interface RuleSpec<K extends Kind> extends RuleHead {
  /** The questions that the profile must answer. */
  readonly asks?: readonly Question[];
  /** Absent: profiles of the kind that its group is of, which may be any. */
  readonly kind?: K;
  readonly runs?: Runs;
  readonly find: (evidence: Evidence<K>) => Remarks | Generator<undefined, Remarks>;
}

interface ComparingSpec<K extends Kind> extends Omit<RuleSpec<K>, 'find' | 'runs'> {
  readonly find: (evidence: Evidence<K>, before: Analysis<K>) => ReturnType<RuleSpec<K>['find']>;
}

function isOf<K extends Kind>(evidence: Evidence, kind: Kind | undefined): evidence is Evidence<K> {
  return kind === undefined || isOfKind(evidence.analysis, kind);
}

/** Rules of a group, which are of one kind of profile and so many runs unless they say otherwise. */
function rulesOf<Usual extends Kind>(group: Group, usual: { readonly kind?: Usual; readonly runs?: Runs }) {
  return <K extends Kind = Usual>({ kind, asks = [], runs = usual.runs ?? 'one', find, ...head }: RuleSpec<K>): Rule => ({
    ...head,
    group,
    applies: (evidence) => isOf<K>(evidence, kind ?? usual.kind) && suits(evidence, asks, runs),
    *find(evidence) {
      const found = isOf<K>(evidence, kind ?? usual.kind) ? find(evidence) : undefined;
      const remarks = found && 'next' in found ? yield* found : found;
      return remarks && 'subject' in remarks ? [remarks] : (remarks ?? []);
    },
  });
}

export const profileRule = rulesOf<Kind>('profile', {});
export const costRule = rulesOf<Kind>('cost', {});
export const eventRule = rulesOf<Kind>('events', {});
export const sampledRule = rulesOf<Kind>('sampled', {});
export const growthRule = rulesOf('growth', { kind: 'inputs' });
export const buildRule = rulesOf('builds', { kind: 'steps' });

/** A rule of two runs, which gets the base beside the evidence. */
export function comparingRule<K extends Kind = Kind>({ find, ...head }: ComparingSpec<K>): Rule {
  return rulesOf<Kind>('comparing', { runs: 'two' })<K>({
    ...head,
    find(evidence) {
      const { before } = evidence.analysis;
      return before && isOfKind(before, evidence.profile.kind) ? find(evidence, before) : undefined;
    },
  });
}

type About = Pick<Remark, 'subject' | 'share' | 'target'>;

/** A finding about a routine with this share of the whole. */
export const ofRoutine = (routine: number, share: number, view = 'calls', more: Partial<Target> = {}): About => ({
  ...{ subject: `routine ${routine}`, share },
  target: { view, report: view, routine, ...more },
});
/** A source line of a routine. */
export function atLine(routine: number, file: string | null, line: number): Target {
  return { view: 'source', report: 'source', routine, file: file ?? '', line };
}
/** A finding about a step. */
export const ofStep = (step: number, share: number, view: string, report = view): About => ({
  ...{ subject: `step ${step}`, share },
  target: { view, report, step },
});
/** A finding about the whole profile. */
export const ofProfile = (subject: string): Pick<Remark, 'subject' | 'target'> => ({
  subject,
  target: { view: 'info', report: 'summary' },
});

function suits({ analysis, whole }: Evidence, asks: readonly Question[], runs: Runs): boolean {
  const two = analysis.before !== undefined;
  // Where nothing costs anything, nothing has a share.
  if (asks.includes('self') && runs !== 'any' && !(whole > 0)) return false;
  return (runs === 'any' || two === (runs === 'two')) && asks.every((question) => analysis.costing.can.has(question));
}
