// Lines whose branches are mispredicted often for their instructions.
import { eventRule } from '../rule.ts';
import { stalledLines, THRESHOLD } from './model.ts';

export const mispredictions = eventRule({
  id: 'mispredictions',
  question: 'Which lines have many mispredicted branches for their instructions?',
  evidence: 'the events Bm and Ir of the lines of the 200 routines with the most estimated cycles',
  threshold: THRESHOLD,
  assumes: '10 cycles a mispredicted branch, as in CEst',
  asks: ['lines', 'self'],
  find: (e) =>
    stalledLines(
      e,
      { Bm: 'mispredicted branches' },
      'branch prediction is simulated; cycles are by a model of 10 a mispredicted branch',
    ),
});
