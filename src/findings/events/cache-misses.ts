// Lines that miss the caches often for their instructions.
import { eventRule } from '../rule.ts';
import { stalledLines, THRESHOLD } from './model.ts';

export const cacheMisses = eventRule({
  id: 'cache-misses',
  question: 'Which lines miss the caches often for their instructions?',
  evidence: 'the events L1m, LLm and Ir of the lines of the 200 routines with the most estimated cycles',
  threshold: THRESHOLD,
  assumes: '10 cycles a first-level miss and 100 a last-level miss, as in CEst',
  asks: ['lines', 'self'],
  find: (e) =>
    stalledLines(
      e,
      { LLm: 'last-level cache misses', L1m: 'first-level cache misses' },
      'misses are simulated; cycles are by a model of 10 a first-level miss and 100 a last-level miss',
    ),
});
