// Templates that take much of the time of all compilers.
import { allCompilersUs, compileRows } from '../../analysis/answers/steps/compiles.ts';
import { buildRule } from '../rule.ts';
import { count, cutName, part, say, time } from '../say.ts';

const LEAST = 0.03;

export const template = buildRule({
  id: 'template',
  question: 'Which template takes the most time to instantiate?',
  evidence: 'the time of instantiations in the traces of the compilers, by set of templates',
  threshold: 'at least 3 % of the time of all compilers',
  asks: ['compiles'],
  find(e) {
    const { analysis } = e;
    const all = allCompilersUs(analysis);
    const [row] = compileRows(analysis, 'template sets');
    if (!row || row.us < LEAST * all) return [];
    return {
      ...say`Instantiating ${cutName(row.name)} takes ${time('us', row.us)}, ${part('share', row.us, all)} of the time of all compilers: ${count('instantiations', row.count, 'instantiation')} in ${count('units', row.units, 'translation unit')}`,
      why: 'the compilers’ own traces; an instantiation inside one of the same set is not counted again',
      subject: `template ${row.name}`,
      share: row.us / all,
      target: { view: 'compilers', report: 'templatesets', row: row.name },
    };
  },
});
