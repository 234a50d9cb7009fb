// The reports of compile times: headers, templates, functions, units, phases, and the tree of includes.

import { allCompilers, compileRows, gainWithoutHeader, includeChains, pathText } from '../../analysis/builds/compiles.ts';
import { formatCount, plural } from '../../base/units.ts';
import { compileLists, gainText } from '../../columns/builds/compiles.ts';
import { baseWithTable } from '../../columns/listing.ts';
import { pairRows } from '../../columns/paired.ts';
import { msOrNull, timeOrUnknown } from '../../columns/times.ts';
import { makeListReport } from '../print.ts';
import type { ReportContext } from '../report.ts';

/** Maximum number of headers whose include chains are printed, and maximum number of chains per header. */
const MAX_HEADERS = 10;
const MAX_CHAINS_PER_HEADER = 4;

function includeChainLines({ analysis }: ReportContext<'steps'>): string[] {
  const { profile } = analysis;
  return compileRows(analysis, 'headers')
    .slice(0, MAX_HEADERS)
    .flatMap((row) => {
      const gain = gainWithoutHeader(analysis, row.at);
      const scope = gain.simulated ? 'for the build (simulated)' : 'for all compilers';
      return [
        '',
        `${row.name}: removing it would save ${gainText(gain, timeOrUnknown)} ${scope}`,
        ...includeChains(profile, row.at)
          .slice(0, MAX_CHAINS_PER_HEADER)
          .map(({ through, us, count }) => `  ${formatCount(count)}x, ${timeOrUnknown(us)}, by ${pathText(through)}`),
      ];
    });
}

const COMPILE_SORTS: Readonly<Record<string, readonly string[]>> = {
  functions: ['duration', 'optimize', 'generate', 'count', 'units', 'average', 'name'],
  functionsets: ['duration', 'optimize', 'generate', 'count', 'average', 'name'],
  units: ['duration', 'frontend', 'backend', 'name'],
  includes: ['duration', 'self', 'count', 'average', 'name'],
  includers: ['duration', 'count', 'average', 'name'],
  phases: ['duration', 'self', 'count', 'units', 'average', 'user', 'system', 'bytes', 'name'],
};

const COMPILE_TITLES: Readonly<Record<string, string>> = {
  headers: 'time spent in headers over all units, and who includes them',
  templates: 'instantiations of templates in all units',
  templatesets: 'as templates, with arguments replaced by $',
  functions: 'time to optimize and generate each function',
  functionsets: 'the same for functions of templates, with their arguments as $',
  units: 'translation units, by frontend and backend',
  phases: 'compiler time by phase',
  includes: 'the tree of includes, the most expensive first',
  includers: 'the paths by which each header is included, the most expensive first',
};

export const compileReports = compileLists.map((list) =>
  makeListReport({
    ...pairRows(list, (c) => baseWithTable(c, 'compiles')),
    title: COMPILE_TITLES[list.name],
    sorts: COMPILE_SORTS[list.name] ?? ['duration', 'self', 'count', 'units', 'average', 'name'],
    ...(list.name.startsWith('include') ? {} : { usual: 'durationMs' }),
    extra: ({ analysis }) => ({ compilersMs: msOrNull(allCompilers(analysis).us), compilers: allCompilers(analysis).count }),
    head({ analysis }) {
      const { count, us } = allCompilers(analysis);
      return [`${plural(count, 'compiler')}, ${timeOrUnknown(us)} together`];
    },
    ...(list.name === 'headers' ? { footer: includeChainLines } : {}),
  }),
);
