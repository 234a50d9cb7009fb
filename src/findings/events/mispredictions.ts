// Lines with many mispredicted branches per instruction.
import { eventRule } from '../rule.ts';
import { stalledLines, THRESHOLD } from './model.ts';

export const mispredictions = eventRule({
  id: 'mispredictions',
  question: 'Which lines have many mispredicted branches per instruction?',
  evidence: 'the events Bm and Ir of the lines of the 200 routines with the most estimated cycles',
  threshold: THRESHOLD,
  assumes: '10 cycles per mispredicted branch, as in CEst',
  asks: ['lines', 'self'],
  find: (e) =>
    stalledLines(e, { Bm: 'mispredicted branches' }, 'simulated branch prediction; model: 10 cycles per mispredicted branch'),
});
