// The costliest phase of the compilers, in reports without headers and templates.
import { allCompilers, compileRows, isWholePhase } from '../../analysis/builds/compiles.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asCount, asShareOf, asTime, cutName, EMPTY_PHRASE, say } from '../say.ts';

const MIN_COMPILER_SHARE = 0.5;

export const compilePhaseRule = makeBuildRule({
  id: 'compile-phase',
  question: 'Do the compilers spend most of their time in one phase?',
  evidence: "the phases in GCC's reports that add up to the time of a unit, and those inside them",
  threshold: 'half of all compiler time or more; traces that record headers are excluded',
  requires: ['compiles'],
  find({ analysis }) {
    const all = allCompilers(analysis);
    const phases = compileRows(analysis, 'phases');
    const row = phases.find(({ name }) => isWholePhase(name));
    if (!row || row.us < MIN_COMPILER_SHARE * all.us || compileRows(analysis, 'headers').length > 0) return [];
    const inner = phases.find(({ name }) => !isWholePhase(name) && !name.startsWith('|'));
    const most = inner
      ? say`; inside the phases, ${cutName(inner.name)} takes most (${asTime('inner', inner.us)})`
      : EMPTY_PHRASE;
    const isParsing = row.name === 'phase parsing';
    return {
      ...say`${cutName(row.name)} takes ${asTime('us', row.us)}, ${asShareOf('share', row.us, all.us)} of the time of ${asCount('compilers', all.count, 'compiler')}${most}`,
      why: "GCC's reports; their rows named phase add up to the whole",
      ...(isParsing ? { try: 'to see which headers and templates cost, compile with clang -ftime-trace' } : {}),
      ...viewSubject(`phase ${row.name}`, 'compilers', { report: 'phases', row: row.name }),
      share: row.us / all.us,
    };
  },
});
