// A finding is one sentence about a notable fact in a profile, with its numbers, its reason, and where to see it.
// A rule looks for findings of one sort. A new rule is one new file and one line in index.ts.
import { type Analysis, isOfKind, percentageBase } from '../analysis/answers/analysis.ts';
import { areCutUnlike, eventInMeasure } from '../analysis/answers/compared/measure.ts';
import type { Totals } from '../analysis/answers/costing.ts';
import { isDifference } from '../analysis/answers/differences.ts';
import type { Event, Question } from '../model/head.ts';
import type { Kind, ProfileOf } from '../model/profile.ts';
import type { Phrase } from './phrase.ts';

/** The data that rules examine. */
export interface Evidence<K extends Kind = Kind> {
  readonly analysis: Analysis<K>;
  readonly profile: ProfileOf<K>;
  readonly totals: Totals;
  readonly event: Event;
  /** The base of the event's percentages. */
  readonly whole: number;
  /** Source files of the hottest routines that changed after the profile was recorded, as far as they were checked. */
  readonly newer: readonly string[];
}

/** In a comparison, findings are about differences, whichever run is shown. */
export function evidenceOf(analysis: Analysis, shown: Event, newer: readonly string[]): Evidence {
  const event = eventInMeasure(analysis, shown, 'delta');
  const whole = percentageBase(analysis, event);
  const { profile, totals, before, costing } = analysis;
  // Shares make no sense for ratios, and for a file of differences, whose costs have both signs.
  const hasShares = !event.per && (before !== undefined || !costing.can.has('self') || !isDifference(analysis, event));
  return { analysis, profile, totals, event, whole: hasShares ? whole : 0, newer };
}

/** The view and the row in which a finding can be seen. */
export interface FindingTarget {
  /** The view on the screen, and the report with the same content. */
  readonly view: string;
  readonly report: string;
  /** The event of the finding, if it is not the current one. */
  readonly event?: string;
  readonly routine?: number;
  readonly context?: number;
  readonly file?: string;
  readonly line?: number;
  readonly step?: number;
  /** The input size, in a curve. */
  readonly size?: number;
  /** The name of the row, if it is neither a routine nor a step. */
  readonly row?: string;
}

/** A result of a rule; with the rule's id, it becomes a finding. */
export interface RuleResult extends Phrase {
  /** The subject of the result. Of several findings about one subject, only the costliest is shown. */
  readonly subject: string;
  readonly why: string;
  /** Share of the total, 0 to 1; absent for statements about the profile, tests or memory. */
  readonly share?: number;
  /** With two runs: 1 for an increase, -1 for a decrease. */
  readonly sign?: 1 | -1;
  /** True for a note about the profile. Absent: as the rule declares. */
  readonly isNote?: boolean;
  /** The share is not exact. */
  readonly estimated?: boolean;
  readonly target: FindingTarget;
  /** Advice for the next step, if the data is enough to give it. */
  readonly try?: string | undefined;
  /** Subjects that this result summarizes: it is dropped if one of them has its own finding. */
  readonly covers?: readonly string[];
}

export interface Finding extends RuleResult {
  readonly rule: string;
  /** A note about the profile, sorted after all other findings. */
  readonly isNote: boolean;
}

export const RULE_GROUPS = ['profile', 'cost', 'events', 'sampled', 'growth', 'builds', 'comparing'] as const;
export type RuleGroup = (typeof RULE_GROUPS)[number];

/** The number of runs that a rule needs: one, two, or either. */
type RunCount = 'one' | 'two' | 'any';

/** The description of a rule in docs/findings.md. */
interface RuleHead {
  readonly id: string;
  readonly question: string;
  /** The data that the rule examines. */
  readonly evidence: string;
  /** The limit above which the rule reports. */
  readonly threshold: string;
  readonly assumes?: string;
  /** All results are notes about the profile, not about the program; they come last. */
  readonly onlyNotes?: true;
}

/** The findings of a rule: none, one or several. */
type RuleResults = RuleResult | readonly RuleResult[] | undefined;

export interface FindingRule extends RuleHead {
  readonly group: RuleGroup;
  /** Whether the profile has the data that the rule needs. */
  readonly applies: (evidence: Evidence) => boolean;
  /** Looks for results. Yields often enough to keep the screen responsive. */
  readonly find: (evidence: Evidence) => Generator<undefined, readonly RuleResult[]>;
}

interface RuleSpec<K extends Kind> extends RuleHead {
  /** The questions that the profile must be able to answer, without those that every profile of the kind answers. */
  readonly requires?: readonly Question[];
  /** The kind of profile. Absent: the kind of the rule's group, or any kind. */
  readonly kind?: K;
  readonly runs?: RunCount;
  readonly find: (evidence: Evidence<K>) => RuleResults | Generator<undefined, RuleResults>;
}

interface ComparingSpec<K extends Kind> extends Omit<RuleSpec<K>, 'find' | 'runs'> {
  readonly find: (evidence: Evidence<K>, before: Analysis<K>) => ReturnType<RuleSpec<K>['find']>;
}

const isEvidenceOf = <K extends Kind>(evidence: Evidence, kind: Kind | undefined): evidence is Evidence<K> =>
  kind === undefined || isOfKind(evidence.analysis, kind);

/** Returns a function that makes rules of a group. `usual`: the needs of a rule that names none. */
function ruleMakerFor<Usual extends Kind>(group: RuleGroup, usual: Pick<RuleSpec<Usual>, 'kind' | 'runs' | 'requires'>) {
  return <K extends Kind = Usual>(spec: RuleSpec<K>): FindingRule => {
    const { kind = usual.kind, requires = usual.requires ?? [], runs = usual.runs ?? 'one', find, ...head } = spec;
    return {
      ...head,
      group,
      applies: (evidence) => isEvidenceOf<K>(evidence, kind) && canAnswer(evidence, requires, runs),
      *find(evidence) {
        const found = isEvidenceOf<K>(evidence, kind) ? find(evidence) : undefined;
        const remarks = found && 'next' in found ? yield* found : found;
        return remarks && 'subject' in remarks ? [remarks] : (remarks ?? []);
      },
    };
  };
}

export const makeProfileRule = ruleMakerFor<Kind>('profile', {});
export const makeCostRule = ruleMakerFor<Kind>('cost', {});
export const makeEventRule = ruleMakerFor<Kind>('events', {});
export const makeSampledRule = ruleMakerFor<Kind>('sampled', {});
export const makeGrowthRule = ruleMakerFor('growth', { kind: 'inputs' });
export const makeBuildRule = ruleMakerFor('builds', { kind: 'steps' });

/** Returns a function that makes rules that compare two runs; their `find` also gets the base. */
function comparingRuleMakerFor<Usual extends Kind>(usual: Pick<RuleSpec<Usual>, 'kind' | 'requires'>) {
  return <K extends Kind = Usual>({ find, ...head }: ComparingSpec<K>): FindingRule =>
    ruleMakerFor<Usual>('comparing', { ...usual, runs: 'two' })<K>({
      ...head,
      find(evidence) {
        const { before } = evidence.analysis;
        // A difference may be in the missing part of a run.
        const isCut = evidence.profile.cut ?? before?.profile.cut ?? areCutUnlike(evidence.analysis, evidence.event);
        return before && !isCut && isOfKind(before, evidence.profile.kind) ? find(evidence, before) : undefined;
      },
    });
}

export const makeComparingRule = comparingRuleMakerFor<Kind>({ requires: ['routines', 'self'] });
export const makeBuildComparingRule = comparingRuleMakerFor({ kind: 'steps' });

/** Subject and target of a finding that a view shows. `more`: the row, and the report if it has another name than the view. */
export const viewSubject = (subject: string, view: string, more: Partial<FindingTarget> = {}) => ({
  subject,
  target: { view, report: view, ...more },
});
export const routineSubject = (routine: number, share: number, view = 'calls', more: Partial<FindingTarget> = {}) => ({
  ...viewSubject(`routine ${routine}`, view, { routine, ...more }),
  share,
});
export const lineTarget = (routine: number, file: string | null, line: number): FindingTarget => ({
  view: 'source',
  report: 'source',
  routine,
  file: file ?? '',
  line,
});
export const stepSubject = (step: number, share: number, view: string, report = view) => ({
  ...viewSubject(`step ${step}`, view, { report, step }),
  share,
});
export const profileSubject = (subject: string) => viewSubject(subject, 'info', { report: 'summary' });

function canAnswer({ analysis, whole }: Evidence, questions: readonly Question[], runs: RunCount): boolean {
  const two = analysis.before !== undefined;
  // Without any cost, shares are undefined.
  if (questions.includes('self') && runs !== 'any' && !(whole > 0)) return false;
  return (runs === 'any' || two === (runs === 'two')) && questions.every((question) => analysis.costing.can.has(question));
}
