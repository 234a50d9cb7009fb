// The flags of what counts of a profile, and of what it is compared with.
import { COLLAPSES } from '../analysis/transforms/transform.ts';
import { MEASURES } from '../model/head.ts';
import { RUNS } from '../model/profile.ts';
import type { FlagSpec } from './flag-spec.ts';

export const COUNTS = [
  {
    name: 'focus',
    type: 'string',
    arg: 'RE',
    many: true,
    group: 'counts',
    help: 'only stacks with a routine, file or object that matches; routine:RE, file:RE, object:RE or line:RE for one of them',
  },
  { name: 'ignore', type: 'string', arg: 'RE', many: true, group: 'counts', help: 'no stacks with a match' },
  {
    name: 'hide',
    type: 'string',
    arg: 'RE',
    many: true,
    group: 'counts',
    help: 'without the frames that match: their cost goes to their callers',
  },
  { name: 'show', type: 'string', arg: 'RE', many: true, group: 'counts', help: 'only the frames that match' },
  {
    name: 'show-from',
    type: 'string',
    arg: 'RE',
    many: true,
    group: 'counts',
    help: 'without the callers of the outermost match; only stacks with one',
  },
  {
    name: 'prune-from',
    type: 'string',
    arg: 'RE',
    many: true,
    group: 'counts',
    help: "without what the innermost match calls: it becomes the match's own cost; by routines' names alone",
  },
  {
    name: 'only-own',
    type: 'boolean',
    group: 'counts',
    help: "only your own code: what lies outside --source-dir, else the current folder, becomes its caller's",
  },
  { name: 'merge', type: 'string', arg: 'RE', many: true, group: 'counts', help: 'all routines that match are one' },
  {
    name: 'collapse',
    type: 'string',
    arg: 'WHAT',
    many: true,
    group: 'counts',
    completes: COLLAPSES,
    help: 'recursion: a routine stands once in a stack; chains: routines that only call one another are one',
  },
  {
    name: 'time',
    type: 'string',
    arg: 'FROM..TO',
    group: 'counts',
    help: 'of a trace or build, only this range from its first start: 1.5s..2s, ..300ms, 2min..; of what it cuts, the part inside counts',
  },
  {
    name: 'apply',
    type: 'string',
    arg: 'STEP',
    many: true,
    group: 'counts',
    help: 'after these, one at a time in the order given: focus=RE, hide=RE, only-own, collapse=recursion',
  },
] as const satisfies readonly FlagSpec[];

export const COMPARE = [
  {
    name: 'base',
    type: 'string',
    arg: 'PATH',
    many: true,
    group: 'compare',
    completes: 'file',
    help: 'what to compare with: a profile, a folder, a build, or a quoted pattern; several runs by several',
  },
  {
    name: 'measure',
    type: 'string',
    arg: 'WHAT',
    group: 'compare',
    completes: MEASURES,
    help: 'what is shown of both: delta (default), now, before, percent',
  },
  {
    name: 'rename',
    type: 'string',
    arg: 'OLD=NEW',
    many: true,
    group: 'compare',
    help: 'a routine of the base has another name now; /OLD/=NEW is an expression whose groups NEW may name as $1',
  },
  {
    name: 'normalize',
    type: 'boolean',
    group: 'compare',
    help: 'scale the base so that both have equal totals',
  },
  {
    name: 'runs',
    type: 'string',
    arg: 'HOW',
    group: 'compare',
    completes: RUNS,
    help: 'what stands for several runs: the one with the median (default) or min total, or their mean',
  },
  {
    name: 'base-source-dir',
    type: 'string',
    arg: 'DIR',
    many: true,
    group: 'compare',
    completes: 'folder',
    help: "where the base's sources are",
  },
  {
    name: 'base-rev',
    type: 'string',
    arg: 'REV',
    group: 'compare',
    help: "git has the base's sources at this revision",
  },
] as const satisfies readonly FlagSpec[];
