// Templates that take much of the time of all compilers.
import { allCompilers, compileRows } from '../../analysis/builds/compiles.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asCount, asShareOf, asTime, cutName, say } from '../say.ts';

const MIN_COMPILER_SHARE = 0.03;

export const costlyTemplateRule = makeBuildRule({
  id: 'template',
  question: 'Which template takes the most time to instantiate?',
  evidence: 'the time of instantiations in the compiler traces, by set of templates',
  threshold: 'at least 3 % of all compiler time',
  requires: ['compiles'],
  find({ analysis }) {
    const all = allCompilers(analysis).us;
    const [row] = compileRows(analysis, 'template sets');
    if (!row || row.us < MIN_COMPILER_SHARE * all) return [];
    return {
      ...say`Instantiating ${cutName(row.name)} takes ${asTime('us', row.us)}, ${asShareOf('share', row.us, all)} of all compiler time: ${asCount('instantiations', row.count, 'instantiation')} in ${asCount('units', row.units, 'translation unit')}`,
      why: 'compiler traces; nested instantiations of the same template count once',
      ...viewSubject(`template ${row.name}`, 'compilers', { report: 'templatesets', row: row.name }),
      share: row.us / all,
    };
  },
});
