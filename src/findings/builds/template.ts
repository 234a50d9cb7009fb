// Templates that take much of the time of all compilers.
import { allCompilersUs, compileRows } from '../../analysis/builds/compiles.ts';
import { buildRule } from '../rule.ts';
import { count, cutName, part, say, time } from '../say.ts';

const LEAST = 0.03;

export const template = buildRule({
  id: 'template',
  question: 'Which template takes the most time to instantiate?',
  evidence: 'the time of instantiations in the compiler traces, by set of templates',
  threshold: 'at least 3 % of all compiler time',
  requires: ['compiles'],
  find(e) {
    const { analysis } = e;
    const all = allCompilersUs(analysis);
    const [row] = compileRows(analysis, 'template sets');
    if (!row || row.us < LEAST * all) return [];
    return {
      ...say`Instantiating ${cutName(row.name)} takes ${time('us', row.us)}, ${part('share', row.us, all)} of all compiler time: ${count('instantiations', row.count, 'instantiation')} in ${count('units', row.units, 'translation unit')}`,
      why: 'compiler traces; nested instantiations of the same template count once',
      subject: `template ${row.name}`,
      share: row.us / all,
      target: { view: 'compilers', report: 'templatesets', row: row.name },
    };
  },
});
