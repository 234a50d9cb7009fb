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
import type { Table } from '../columns/column.ts';
import { compileTable } from '../columns/compiles.ts';
import { type Pair, pairedTable, singleTable } from '../columns/paired.ts';
import { ms, msText } from '../columns/times.ts';
import { type Report, report } from './print.ts';
import { baseOf, ofKind, type ReportContext, sorted } from './report.ts';

type Context = ReportContext<'steps'>;

const MEASURED: ReadonlySet<string> = new Set(
  'durationMs selfMs optimizeMs generateMs frontendMs backendMs count units averageMs includedBy gain'.split(' '),
);

/** The base, if its compilers left traces, too. */
function baseWith(context: Context): Analysis<'steps'> | undefined {
  const base = baseOf(context, 'steps');
  return base?.profile.steps.compiles ? base : undefined;
}

function pairsOf(context: Context, table: CompileTable): Pair<CompileRow>[] {
  const base = baseWith(context);
  const now = compileRows(context.analysis, table);
  const then = new Map((base ? compileRows(base, table) : []).map((row) => [row.name, row]));
  const here = new Set(now.map((row) => row.name));
  return [
    ...now.map((row) => ({ now: row, before: then.get(row.name) })),
    ...[...then.values()].filter((row) => !here.has(row.name)).map((row) => ({ now: undefined, before: row })),
  ].filter((pair) => !context.filtered || context.matches((pair.now ?? pair.before)?.name ?? ''));
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
  const tableOf = (context: Context): Table<Pair<CompileRow>, 'steps'> => {
    const base = baseWith(context);
    return base ? pairedTable(own, base, MEASURED) : singleTable(own);
  };
  return report<Pair<CompileRow>, 'steps'>({
    name,
    title,
    asks: ['compiles'],
    sorts: SORTS[table] ?? ['duration', 'self', 'count', 'units', 'average', 'name'],
    of: ofKind('steps'),
    table: tableOf,
    rows(context) {
      const rows = pairsOf(context, table);
      return table === 'includes' && !context.sort
        ? rows
        : sorted(context, rows, tableOf(context).columns(context), 'durationMs');
    },
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
