// Start-up: the cost outside main.
import { callerEdges } from '../../analysis/answers/edges.ts';
import { routineName } from '../../analysis/names/names.ts';
import { eventValue } from '../../model/head.ts';
import { rankingByInclusive, rankingBySelf } from '../hottest.ts';
import { makeCostRule, routineSubject } from '../rule.ts';
import { asShare, EMPTY_PHRASE, eventName, routineText, say } from '../say.ts';
import { isLinker } from './code-names.ts';

const MIN_SHARE = 0.05;
const MAX_ROUTINES = 2000;
const START_NAMES = /^(?:\(below main\)|_dl_start(?:_\w+)?)$/;
const THREAD_START_NAMES =
  /^(?:start_thread|_{0,2}clone[23]?|thread_start|_pthread_start|execute_native_thread_routine|gomp_thread_start)$/;

export const startUpRule = makeCostRule({
  kind: 'callgraph',
  id: 'start-up',
  question: 'How much is spent before and after main?',
  evidence: 'the inclusive cost of main and of threads, as a share of the total; the dynamic linker’s share',
  threshold: 'at least 5 % of the cost lies outside main',
  requires: ['routines', 'calls', 'inclusive'],
  *find(e) {
    const { analysis, profile, event, whole } = e;
    // Code that transforms removed, or that was cut off, is not code outside main.
    if (profile.transformed || profile.cut) return [];
    const { value, order } = rankingByInclusive(analysis, event);
    const near = Array.from(order.subarray(0, MAX_ROUTINES), (r) => ({ r, name: routineName(profile, r) }));
    const mains = near.filter(({ name }) => name === 'main');
    // Without the routines that start a program, the profile does not include start-up.
    if (mains.length !== 1 || !near.some(({ name }) => START_NAMES.test(name))) return [];
    const main = mains[0].r;
    // A starter whose cost others pay is inside of them, or of main.
    const { edges } = analysis;
    const paid = (r: number) => callerEdges(edges, r).reduce((sum, k) => sum + eventValue(event, edges.costs, k), 0);
    const isRoot = (r: number, name: string) => THREAD_START_NAMES.test(name) && paid(r) < value[r] / 2;
    const threads = near.reduce((sum, { r, name }) => (isRoot(r, name) ? sum + value[r] : sum), 0);
    const outside = whole - value[main] - threads;
    if (outside < MIN_SHARE * whole || value[main] <= 0) return [];
    const self = rankingBySelf(analysis, event);
    const linking: number[] = [];
    for (const r of self.order) {
      if (isLinker(profile, r)) linking.push(r);
      // Its name may have to be parsed for that.
      yield;
    }
    const linker = linking.reduce((sum, r) => sum + self.value[r], 0);
    const [most] = linking;
    const linked =
      most !== undefined && linker >= MIN_SHARE * whole
        ? say`; the dynamic linker takes ${asShare(e, 'linker', linker)} in all, ${asShare(e, 'most', self.value[most])} in ${routineText(profile, most)} itself`
        : EMPTY_PHRASE;
    const inThreads = threads > 0 ? say` and threads ${asShare(e, 'threads', threads)}` : EMPTY_PHRASE;
    return {
      ...say`${asShare(e, 'outside', outside)} of ${eventName(e)} is spent outside main${linked}; main takes ${asShare(e, 'main', value[main])}${inThreads}`,
      why: 'the total without the inclusive costs of main and of threads',
      ...routineSubject(linked === EMPTY_PHRASE ? main : most, outside / whole),
      subject: 'start-up',
    };
  },
});
