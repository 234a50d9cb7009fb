// Lines with many cache misses per instruction.
import { eventRule } from '../rule.ts';
import { stalledLines, THRESHOLD } from './model.ts';

export const cacheMisses = eventRule({
  id: 'cache-misses',
  question: 'Which lines have many cache misses per instruction?',
  evidence: 'the events L1m, LLm and Ir of the lines of the 200 routines with the most estimated cycles',
  threshold: THRESHOLD,
  assumes: '10 cycles per first-level miss and 100 per last-level miss, as in CEst',
  asks: ['lines', 'self'],
  find: (e) =>
    stalledLines(
      e,
      { LLm: 'last-level cache misses', L1m: 'first-level cache misses' },
      'simulated misses; model: 10 cycles per first-level miss, 100 per last-level miss',
    ),
});
