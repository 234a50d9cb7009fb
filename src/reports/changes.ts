// The changes report: what takes longer than in the build before (--base).
import type { Analysis } from '../analysis/analysis.ts';
import { type Change, changeName, changesOf } from '../analysis/steps/changes.ts';
import { windowOf } from '../analysis/steps/steps.ts';
import { formatCount } from '../base/units.ts';
import { changeTable } from '../columns/changes.ts';
import { report } from './print.ts';
import { baseOf, ofKind, type ReportContext, ReportError, sorted } from './report.ts';

function baseBuild(context: ReportContext<'steps'>): Analysis<'steps'> {
  const base = baseOf(context, 'steps');
  if (!base) throw new ReportError('--print changes needs --base BUILD, the build to compare with');
  return base;
}

const KINDS: readonly Change['kind'][] = ['slower', 'faster', 'same', 'new', 'gone', 'not run'];

export const changes = report<Change, 'steps'>({
  name: 'changes',
  title: 'two builds: steps slower, faster, new and gone (--base)',
  asks: ['steps'],
  sorts: ['changeMs', 'beforeMs', 'durationMs', 'kind', 'name'],
  compares: true,
  of: ofKind('steps'),
  table: (context) => changeTable(baseBuild(context)),
  rows(context) {
    const base = baseBuild(context);
    const { analysis, filtered, matches } = context;
    const rows = changesOf(analysis, base).filter((c) => !filtered || matches(changeName(analysis, base, c), c.kind));
    return sorted(context, rows, changeTable(base).columns(context));
  },
  head(context) {
    const base = baseBuild(context);
    const { analysis } = context;
    const whole = (a: typeof analysis) => `${formatCount((windowOf(a)[1] - windowOf(a)[0]) / 1000)} ms`;
    const all = changesOf(analysis, base);
    return [
      `from start to end ${whole(analysis)}, before ${whole(base)}`,
      KINDS.map((kind) => `${formatCount(all.filter((c) => c.kind === kind).length)} ${kind}`).join(', '),
    ];
  },
});
