// The reports of what the compilers of a build spent their time on.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import {
  allCompilersUs,
  type CompileRow,
  chainsOf,
  compileRows,
  compilesOf,
  gainWithout,
} from '../../analysis/builds/compiles.ts';
import { baseName } from '../../analysis/names/names.ts';
import { formatCount, plural } from '../../base/units.ts';
import { compileLists, gainText } from '../../columns/builds/compiles.ts';
import type { ColumnContext } from '../../columns/column.ts';
import { baseOf, type Listing } from '../../columns/listing.ts';
import { paired } from '../../columns/paired.ts';
import { ms, time } from '../../columns/times.ts';
import { listReport, type Report } from '../print.ts';
import type { ReportContext } from '../report.ts';

type Context = ReportContext<'steps'>;

/** Headers whose ways of being included are said in text, and how many ways of each. */
const TOLD = 10;
const WAYS = 4;

function included({ analysis }: Context): string[] {
  const { profile } = analysis;
  return compileRows(analysis, 'headers')
    .slice(0, TOLD)
    .flatMap((row) => {
      const gain = gainWithout(analysis, row.at);
      const of = gain.simulated ? 'for the build (simulated)' : 'for all compilers';
      return [
        '',
        `${row.name}: removing it would save ${gainText(gain, time)} ${of}`,
        ...chainsOf(profile, row.at)
          .slice(0, WAYS)
          .map(({ through, us, count }) => {
            const way = through.length === 0 ? 'by sources themselves' : `by ${through.map(baseName).join(' > ')}`;
            return `  ${formatCount(count)}x, ${time(us)}, ${way}`;
          }),
      ];
    });
}

/** The base, if its compilers left traces, too. */
function baseWith(context: ColumnContext<'steps'>): Analysis<'steps'> | undefined {
  const base = baseOf(context, 'steps');
  return base?.profile.steps.compiles ? base : undefined;
}

function compileReport(list: Listing<CompileRow, 'steps'>): Report {
  return listReport({
    ...paired(list, baseWith),
    title: TITLES[list.name],
    sorts: SORTS[list.name] ?? ['duration', 'self', 'count', 'units', 'average', 'name'],
    ...(list.name === 'includes' ? {} : { usual: 'durationMs' }),
    extra: ({ analysis }) => ({
      compilersMs: ms(allCompilersUs(analysis)),
      compilers: compilesOf(analysis.profile).units.name.length,
    }),
    head({ analysis }) {
      const { units } = compilesOf(analysis.profile);
      return [`${plural(units.name.length, 'compiler')}, ${time(allCompilersUs(analysis))} together`];
    },
    ...(list.name === 'headers' ? { foot: included } : {}),
  });
}

const SORTS: Readonly<Record<string, readonly string[]>> = {
  functions: ['duration', 'optimize', 'generate', 'count', 'units', 'average', 'name'],
  functionsets: ['duration', 'optimize', 'generate', 'count', 'average', 'name'],
  units: ['duration', 'frontend', 'backend', 'name'],
  includes: ['duration', 'self', 'count', 'average', 'name'],
  phases: ['duration', 'self', 'count', 'units', 'average', 'user', 'system', 'bytes', 'name'],
};

const TITLES: Readonly<Record<string, string>> = {
  headers: 'time spent in headers over all units, and who includes them',
  templates: 'instantiations of templates in all units',
  templatesets: 'as templates, with arguments replaced by $',
  functions: 'time to optimize and generate each function',
  functionsets: 'the same for functions of templates, with their arguments as $',
  units: 'translation units, by frontend and backend',
  phases: 'compiler time by phase',
  includes: 'the tree of includes, the most expensive first',
};

export const compileReports: readonly Report[] = compileLists.map(compileReport);
