// The reports of what the compilers of a build spent their time on.
import type { Analysis } from '../analysis/analysis.ts';
import { baseName } from '../analysis/names.ts';
import {
  allCompilersUs,
  type CompileRow,
  type CompileTable,
  chainsOf,
  compileRows,
  compilesOf,
  gainWithout,
} from '../analysis/steps/compiles.ts';
import { formatCount, plural } from '../base/units.ts';
import { compileTable } from '../columns/compiles.ts';
import { type Pair, pairedTable, pairsBy } from '../columns/paired.ts';
import { ms, msText } from '../columns/times.ts';
import { type Report, report } from './print.ts';
import { baseOf, type ReportContext } from './report.ts';

type Context = ReportContext<'steps'>;

/** The base, if its compilers left traces, too. */
function baseWith(context: Context): Analysis<'steps'> | undefined {
  const base = baseOf(context, 'steps');
  return base?.profile.steps.compiles ? base : undefined;
}

/** Headers whose ways of being included are said in text, and how many ways of each. */
const TOLD = 10;
const WAYS = 4;

function included({ analysis }: Context): string[] {
  const { profile } = analysis;
  return compileRows(analysis, 'headers')
    .slice(0, TOLD)
    .flatMap((row) => {
      const { leastUs, mostUs, simulated } = gainWithout(analysis, row.at);
      const of = simulated ? 'for the build (simulated)' : 'for all compilers';
      return [
        '',
        `${row.name}: without it, ≈ ${msText(leastUs)} to ${msText(mostUs)} ms less ${of}`,
        ...chainsOf(profile, row.at)
          .slice(0, WAYS)
          .map(({ through, us, count }) => {
            const way = through.length === 0 ? 'by sources themselves' : `by ${through.map(baseName).join(' > ')}`;
            return `  ${formatCount(count)}x, ${msText(us)} ms, ${way}`;
          }),
      ];
    });
}

function compileReport(name: string, table: CompileTable, title: string): Report {
  const own = compileTable(table);
  return report<Pair<CompileRow>, 'steps'>({
    ...{ name, title, asks: ['compiles'], kind: 'steps' },
    sorts: SORTS[table] ?? ['duration', 'self', 'count', 'units', 'average', 'name'],
    table: (context) => pairedTable(own, baseWith(context)),
    all(context) {
      const base = baseWith(context);
      return pairsBy(compileRows(context.analysis, table), base ? compileRows(base, table) : [], (row) => row.name);
    },
    texts: ({ now, before }) => [(now ?? before)?.name ?? ''],
    ...(table === 'includes' ? {} : { usual: 'durationMs' }),
    extra: ({ analysis }) => ({
      compilersMs: ms(allCompilersUs(analysis)),
      compilers: compilesOf(analysis.profile).units.name.length,
    }),
    head({ analysis }) {
      const { units } = compilesOf(analysis.profile);
      return [`${plural(units.name.length, 'compiler')}, ${msText(allCompilersUs(analysis))} ms together`];
    },
    ...(table === 'headers' ? { foot: included } : {}),
  });
}

const SORTS: Partial<Record<CompileTable, readonly string[]>> = {
  functions: ['duration', 'optimize', 'generate', 'count', 'units', 'average', 'name'],
  'function sets': ['duration', 'optimize', 'generate', 'count', 'average', 'name'],
  units: ['duration', 'frontend', 'backend', 'name'],
  includes: ['duration', 'self', 'count', 'average', 'name'],
};

export const compileReports: readonly Report[] = [
  compileReport('headers', 'headers', 'what headers cost all compilers of a build, and who includes them'),
  compileReport('templates', 'templates', 'instantiations of templates in all units'),
  compileReport('templatesets', 'template sets', 'the same with the arguments of templates as $'),
  compileReport('functions', 'functions', 'functions by the time to optimize and to generate them'),
  compileReport('functionsets', 'function sets', 'the same for functions of templates, with their arguments as $'),
  compileReport('units', 'units', 'translation units, by frontend and backend'),
  compileReport('phases', 'phases', 'what all compilers did, by phase'),
  compileReport('includes', 'includes', 'the tree of includes, the dearest first'),
];
