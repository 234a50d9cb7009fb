// A million stacks of fifteen frames, all of them different: six levels branch in ten, the others follow from what is above them.
import type { Profile } from '../src/model/profile.ts';
import { Sink } from '../src/model/sink.ts';
import { NamedStackWriter } from '../src/model/stacks/writer.ts';

export const DEPTH = 15;
const ROUTINES_A_LEVEL = 100;
const BRANCHES = 10;

export function manyStacks(stacks: number): Profile {
  const sink = new Sink();
  const writer = sink.writerFor(NamedStackWriter);
  writer.periods.push(0);
  sink.paths.push('generated');
  sink.addPart({ path: 'generated', events: ['samples'] });
  const frames = Array.from({ length: DEPTH }, (_, level) =>
    Array.from({ length: ROUTINES_A_LEVEL }, (_, k) =>
      writer.frame(`level_${level}_routine_${k}`, `src/level_${level}/file_${k}.c`),
    ),
  );
  const stack: number[] = [];
  for (let i = 0; i < stacks; i++) {
    // What is above the level, as a number: one more digit at every second level.
    let above = 0;
    for (let level = 0, rest = i; level < DEPTH; level++) {
      if (level % 2 === 1 && level < DEPTH - 2) {
        above = above * BRANCHES + (rest % BRANCHES);
        rest = Math.floor(rest / BRANCHES);
      }
      stack[DEPTH - 1 - level] = frames[level][(above * 31 + level) % ROUTINES_A_LEVEL];
    }
    writer.add(0, stack, 1 + (i % 7));
  }
  return sink.finish('generated');
}
