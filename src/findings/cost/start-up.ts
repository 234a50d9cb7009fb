// Start-up: the cost outside main.
import { routineName } from '../../analysis/names/names.ts';
import { rankingByInclusive, rankingBySelf } from '../hottest.ts';
import { costRule, routineSubject } from '../rule.ts';
import { eventName, NOTHING, routineText, say, share } from '../say.ts';
import { isLinker } from './code-names.ts';

const LEAST = 0.05;
/** main and the dynamic linker are searched among this many routines. */
const LOOKED_AT = 2000;
const STARTS = /^(?:\(below main\)|_dl_start(?:_\w+)?)$/;
const THREADS = /^(?:start_thread|_{0,2}clone[23]?|thread_start|_pthread_start|execute_native_thread_routine|gomp_thread_start)$/;

export const startUp = costRule({
  kind: 'callgraph',
  id: 'start-up',
  question: 'How much is spent before and after main?',
  evidence: 'the inclusive cost of main and of threads, as a share of the total; the dynamic linker’s share',
  threshold: 'at least 5 % of the cost lies outside main',
  requires: ['routines', 'calls', 'inclusive'],
  find(e) {
    const { analysis, profile, event, whole } = e;
    // After transforms, missing code is not code outside main.
    if (profile.transformed) return [];
    const { value, order } = rankingByInclusive(analysis, event);
    const near = Array.from(order.subarray(0, LOOKED_AT), (r) => ({ r, name: routineName(profile, r) }));
    const mains = near.filter(({ name }) => name === 'main');
    // Without the routines that start a program, the profile does not include start-up.
    if (mains.length !== 1 || !near.some(({ name }) => STARTS.test(name))) return [];
    const main = mains[0].r;
    const threads = near.reduce((most, { r, name }) => (THREADS.test(name) ? Math.max(most, value[r]) : most), 0);
    const outside = whole - value[main] - threads;
    if (outside < LEAST * whole || value[main] <= 0) return [];
    const self = rankingBySelf(analysis, event);
    const linking = near.filter(({ r }) => isLinker(profile, r));
    const linker = linking.reduce((sum, { r }) => sum + self.value[r], 0);
    const [most] = linking.sort((a, b) => self.value[b.r] - self.value[a.r]);
    const linked =
      most && linker >= LEAST * whole
        ? say`, ${share(e, 'linker', linker)} in the dynamic linker (${share(e, 'most', self.value[most.r])} in ${routineText(profile, most.r)})`
        : NOTHING;
    const inThreads = threads > 0 ? say` and threads ${share(e, 'threads', threads)}` : NOTHING;
    return {
      ...say`${share(e, 'outside', outside)} of ${eventName(e)} is spent outside main${linked}; main takes ${share(e, 'main', value[main])}${inThreads}`,
      why: 'the total without the inclusive costs of main and of threads',
      ...routineSubject(main, outside / whole),
      subject: 'start-up',
    };
  },
});
