// The report of two builds: what takes longer than in the one before (--base).
import { type Change, changeName, changesOf } from '../analysis/changes.ts';
import { stepText, windowOf } from '../analysis/steps.ts';
import { formatCount } from '../base/units.ts';
import { textColumn } from './cells.ts';
import { type Report, ReportError, type Row } from './report.ts';

const ms = (us: number) => (Number.isNaN(us) ? null : us / 1000);
const cell = (key: string) => (row: Row) => (row[key] === null ? '' : formatCount(row[key] as number));

export const changes: Report = {
  name: 'changes',
  title: 'two builds: steps slower, faster, new and gone (--base)',
  requires: ['steps'],
  sorts: [],
  *rows(context) {
    const { analysis, base } = context;
    if (!base?.profile.steps) throw new ReportError('--print changes: --base BUILD is the build to compare with');
    let left = context.limit;
    for (const change of changesOf(analysis, base)) {
      const name = changeName(analysis, base, change);
      if (context.filtered && !context.matches(name, change.kind)) continue;
      if (left-- <= 0) return;
      const of = change.step >= 0 ? ([analysis.profile, change.step] as const) : ([base.profile, change.before] as const);
      const row: Row = {
        name,
        kind: change.kind,
        target: stepText(of[0], 'target', of[1]),
        source: stepText(of[0], 'source', of[1]),
        beforeMs: ms(change.beforeUs),
        durationMs: ms(change.afterUs),
        changeMs: ms(change.changeUs),
        id: change.step < 0 ? null : change.step,
        baseId: change.before < 0 ? null : change.before,
      };
      yield row;
    }
  },
  columns: () => [
    {
      title: 'change ms',
      align: 'right',
      cell: (row) => `${(row['changeMs'] as number) > 0 ? '+' : ''}${formatCount(row['changeMs'] as number)}`,
    },
    { title: 'before', align: 'right', cell: cell('beforeMs') },
    { title: 'now', align: 'right', cell: cell('durationMs') },
    textColumn('kind', ''),
    textColumn('name', 'step', 'middle'),
  ],
  head(context) {
    const { analysis, base } = context;
    if (!base?.profile.steps) return [];
    const whole = (a: typeof analysis) => `${formatCount((windowOf(a)[1] - windowOf(a)[0]) / 1000)} ms`;
    const all = changesOf(analysis, base);
    const kinds: Change['kind'][] = ['slower', 'faster', 'same', 'new', 'gone'];
    return [
      `from start to end ${whole(analysis)}, before ${whole(base)}`,
      kinds.map((kind) => `${formatCount(all.filter((c) => c.kind === kind).length)} ${kind}`).join(', '),
    ];
  },
};
