// Headers that take much of all compiler time, and the files that include them.

import {
  allCompilers,
  compileRows,
  gainWithoutHeader,
  type HeaderGain,
  type IncludeChain,
  includeChains,
  isWideGain,
} from '../../analysis/builds/compiles.ts';
import { baseName, isSystemHeader, projectRoot } from '../../base/paths.ts';
import { makeBuildRule, type RuleResult, viewSubject } from '../rule.ts';
import { APPROX_MARK, asCount, asShareOf, asTime, cutName, type Phrase, say } from '../say.ts';

const MIN_COMPILER_SHARE = 0.05;
const MAX_NAMED_HEADERS = 2;
/** Maximum number of headers to examine, the most expensive ones. */
const MAX_HEADERS = 100;

/** The include chains in which a source or header of the project includes the header directly. */
const chainsOfProject = (chains: readonly IncludeChain[], root: string): readonly IncludeChain[] =>
  chains.filter(({ through }) => through.length === 0 || !isSystemHeader(through[through.length - 1], root));

const headerGainText = (gain: HeaderGain): Phrase =>
  isWideGain(gain)
    ? say`${APPROX_MARK}${asTime('least', gain.leastUs)}, if others still include what it includes, to ${APPROX_MARK}${asTime('most', gain.mostUs)}`
    : say`${APPROX_MARK}${asTime('least', gain.leastUs)} to ${asTime('most', gain.mostUs)}`;

function chainText({ through, us, count: times }: IncludeChain, units: number): Phrase {
  if (through.length === 0)
    return times === units
      ? say`sources include it directly`
      : say`${asCount('included', times, 'source')} include it directly (${asTime('through', us)})`;
  return say`mostly through ${cutName(baseName(through[through.length - 1]))} (${asCount('included', times, 'time')}, ${asTime('through', us)})`;
}

export const costlyHeaderRule = makeBuildRule({
  id: 'header',
  question: 'Which header takes the most time over all units, and which include brings it?',
  evidence: 'the time in each header in the compiler traces, by chain of includes; the gain without it',
  threshold:
    'at least 5 % of all compiler time, in two or more units if there are several, in headers that your own code includes; headers inside a reported header are left out',
  assumes: 'removing a header saves each unit the time that the header took in it',
  requires: ['compiles'],
  *find({ analysis, profile }) {
    const all = allCompilers(analysis).us;
    const reported: string[] = [];
    const names = compileRows(analysis, 'units').map(({ name }) => name);
    const [root, units] = [projectRoot(names), names.length];
    const remarks: RuleResult[] = [];
    for (const row of compileRows(analysis, 'headers').slice(0, MAX_HEADERS)) {
      if (remarks.length >= MAX_NAMED_HEADERS || row.us < MIN_COMPILER_SHARE * all) break;
      if (row.units < Math.min(2, units)) continue;
      const ways = chainsOfProject(includeChains(profile, row.at), root);
      const own = ways.filter(({ through }) => !through.some((name) => reported.includes(name)));
      if (own.reduce((sum, { us }) => sum + us, 0) < MIN_COMPILER_SHARE * all) continue;
      reported.push(row.name);
      const gain = gainWithoutHeader(analysis, row.at);
      yield;
      remarks.push({
        ...say`The header ${cutName(baseName(row.name))} takes ${asTime('us', row.us)} in ${asCount('units', row.units, 'translation unit')}, ${asShareOf('share', row.us, all)} of all compiler time; ${chainText(own[0], row.units)}; removing it would save the ${gain.simulated ? 'build' : 'compilers'} ${headerGainText(gain)}${gain.simulated ? ' (simulated)' : ''}`,
        why: 'compiler traces; its own includes are counted in, and other headers may need them too',
        ...viewSubject(`header ${row.name}`, 'compilers', { report: 'headers', row: row.name }),
        share: row.us / all,
      });
    }
    return remarks;
  },
});
