// Routines that only one of the runs has.
import { mainCaller } from '../calls.ts';
import { comparingRule } from '../rule.ts';
import { cost, NOTHING, named, part, say } from '../say.ts';
import { isMoved, largest, stake, wholeBefore } from './delta.ts';

export const newCode = comparingRule({
  id: 'new-code',
  question: 'What is new, or gone?',
  evidence: 'routines that only one of the runs has, by self cost',
  threshold: 'at least 1 % of the base; beyond noise; not guessed to be the same code under another name',
  asks: ['routines', 'self'],
  find(e) {
    const whole = wholeBefore(e);
    const { profile } = e.analysis;
    return largest(e, (d) => d.state !== 'both' && !isMoved(e, d)).map((d) => {
      const caller = d.state === 'new' ? mainCaller(e, d.routine) : undefined;
      const from = caller ? say`, called by ${named(profile, caller.routine)}` : NOTHING;
      const said =
        d.state === 'new'
          ? say`${named(profile, d.routine)} is new and takes ${cost(e, 'now', d.now)} by itself${from}: ${part('delta', d.delta, whole)} of what the base cost`
          : say`${named(profile, d.routine)} is gone; it took ${cost(e, 'before', d.before)} by itself, ${part('delta', -d.delta, whole)} of what the base cost`;
      return {
        ...said,
        why: `no routine of ${d.state === 'new' ? 'the base' : 'this run'} has that name, file and object, or was matched otherwise`,
        ...stake(e, d),
        target: { view: 'routines', report: 'changes', routine: d.routine },
      };
    });
  },
});
