// A finding: one sentence about what stands out in a profile, with its numbers, why it is believed, and where it can be seen. A rule
// looks for findings of one sort. A new rule is one new file and one line in index.ts.
import { type Analysis, isOfKind } from '../analysis/analysis.ts';
import type { Event, Question } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import type { Figure, Said } from './said.ts';

/** What rules look at. */
export interface Evidence<K extends Kind = Kind> {
  readonly analysis: Analysis<K>;
  readonly event: Event;
  /** What percentages of the event are of. */
  readonly whole: number;
  /** Source files of the dearest routines that were changed after the profile was made, as far as anyone has looked. */
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

/** What a rule says. */
export interface Remark extends Said {
  /** What it is about: of two findings about one subject, the dearer one is told. */
  readonly subject: string;
  readonly why: string;
  /** The share of the whole that is at stake, 0 to 1; undefined for what has none: statements about the profile, tests, memory. */
  readonly share: number | undefined;
  /** Of two runs: 1 where it is that much more, -1 where it is less. */
  readonly sign?: 1 | -1;
  /** The share is not exact. */
  readonly estimated?: boolean;
  readonly target: Target;
}

export interface Finding extends Remark {
  readonly rule: string;
  readonly figures: readonly Figure[];
}

export const GROUPS = ['profile', 'cost', 'events', 'sampled', 'growth', 'builds', 'comparing'] as const;
export type Group = (typeof GROUPS)[number];

/** Of one run, of two runs side by side, or of both. */
type Runs = 'one' | 'two' | 'any';

/** What is written of a rule in docs/findings.md. */
interface RuleHead {
  readonly id: string;
  readonly group: Group;
  /** What it asks of a profile. */
  readonly question: string;
  /** What it looks at. */
  readonly evidence: string;
  /** When it speaks. */
  readonly threshold: string;
  /** What it takes for granted. */
  readonly assumes?: string;
}

export type Remarks = readonly Remark[] | Generator<undefined, readonly Remark[]>;

export interface Rule extends RuleHead {
  /** Whether the profile can answer what it asks. */
  readonly applies: (evidence: Evidence) => boolean;
  /** Yields often enough to hear keys. */
  readonly find: (evidence: Evidence) => Remarks;
}

interface RuleSpec<K extends Kind> extends RuleHead {
  /** What the profile must answer. */
  readonly asks?: readonly Question[];
  /** Absent: profiles of any kind. */
  readonly kind?: K;
  readonly runs?: Runs;
  readonly find: (evidence: Evidence<K>) => Remarks;
}

function isOf<K extends Kind>(evidence: Evidence, kind: K): evidence is Evidence<K> {
  return isOfKind(evidence.analysis, kind);
}

/** A rule for profiles of one kind. */
export function ruleFor<K extends Kind>({
  kind,
  asks = [],
  runs = 'one',
  find,
  ...head
}: RuleSpec<K> & { readonly kind: K }): Rule {
  return {
    ...head,
    applies: (evidence) => isOf(evidence, kind) && suits(evidence, asks, runs),
    find: (evidence) => (isOf(evidence, kind) ? find(evidence) : []),
  };
}

/** A rule for profiles of any kind. */
export function rule({ asks = [], runs = 'one', find, ...head }: Omit<RuleSpec<Kind>, 'kind'>): Rule {
  return { ...head, applies: (evidence) => suits(evidence, asks, runs), find };
}

function suits({ analysis, whole }: Evidence, asks: readonly Question[], runs: Runs): boolean {
  const two = analysis.before !== undefined;
  // Where nothing costs anything, nothing has a share.
  if (asks.includes('self') && runs !== 'any' && !(whole > 0)) return false;
  return (runs === 'any' || two === (runs === 'two')) && asks.every((question) => analysis.costing.can.has(question));
}
