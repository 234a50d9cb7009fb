// Headers that take much of all compiler time, and the include that brings each in.

import {
  allCompilersUs,
  compileRows,
  type Gain,
  gainWithoutHeader,
  type IncludeChain,
  includeChains,
  isWide,
} from '../../analysis/builds/compiles.ts';
import { baseName } from '../../analysis/names/names.ts';
import { isSystemHeader, projectRoot } from '../../base/own-headers.ts';
import { buildRule, type RuleResult } from '../rule.ts';
import { APPROX_MARK, count, cutName, part, type Said, say, time } from '../say.ts';

const LEAST = 0.05;
const MOST_NAMED = 2;
/** Only this many of the most expensive headers are examined. */
const MAX_HEADERS = 100;

/** The include chains in which a source or a header of the project includes the header directly. */
const ownChains = (chains: readonly IncludeChain[], root: string): readonly IncludeChain[] =>
  chains.filter(({ through }) => through.length === 0 || !isSystemHeader(through[through.length - 1], root));

const gainText = (gain: Gain): Said =>
  isWide(gain)
    ? say`at least ${APPROX_MARK}${time('least', gain.leastUs)}`
    : say`${APPROX_MARK}${time('least', gain.leastUs)} to ${time('most', gain.mostUs)}`;

function chainText({ through, us, count: times }: IncludeChain): Said {
  if (through.length === 0) return say`sources include it directly`;
  return say`mostly through ${cutName(baseName(through[through.length - 1]))} (${count('included', times, 'time')}, ${time('through', us)})`;
}

export const header = buildRule({
  id: 'header',
  question: 'Which header takes the most time over all units, and which include brings it?',
  evidence: 'the time in each header in the compiler traces, by chain of includes; the gain without it',
  threshold:
    'at least 5 % of all compiler time, in two or more units, in headers that your own code includes; headers inside a reported header are left out',
  assumes: 'removing a header saves each unit the time that the header took in it',
  requires: ['compiles'],
  *find(e) {
    const { analysis, profile } = e;
    const all = allCompilersUs(analysis);
    const reported: string[] = [];
    const root = projectRoot(compileRows(analysis, 'units').map(({ name }) => name));
    const remarks: RuleResult[] = [];
    for (const row of compileRows(analysis, 'headers').slice(0, MAX_HEADERS)) {
      if (remarks.length >= MOST_NAMED || row.us < LEAST * all) break;
      if (row.units < 2) continue;
      const ways = ownChains(includeChains(profile, row.at), root);
      const own = ways.filter(({ through }) => !through.some((name) => reported.includes(name)));
      if (own.reduce((sum, { us }) => sum + us, 0) < LEAST * all) continue;
      reported.push(row.name);
      const gain = gainWithoutHeader(analysis, row.at);
      yield;
      remarks.push({
        ...say`The header ${cutName(baseName(row.name))} takes ${time('us', row.us)} in ${count('units', row.units, 'translation unit')}, ${part('share', row.us, all)} of all compiler time; ${chainText(own[0])}; removing it would save the ${gain.simulated ? 'build' : 'compilers'} ${gainText(gain)}${gain.simulated ? ' (simulated)' : ''}`,
        why: 'compiler traces; its own includes are counted in, and other headers may need them too',
        subject: `header ${row.name}`,
        share: row.us / all,
        target: { view: 'compilers', report: 'headers', row: row.name },
      });
    }
    return remarks;
  },
});
