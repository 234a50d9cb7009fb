// Profiles of sampled stacks that are made up.
import type { Profile } from '../../src/model/profile.ts';
import { Sink } from '../../src/model/sink.ts';
import { NamedStackWriter } from '../../src/model/stacks/writer.ts';

/** Every stack of `depth` frames with `fan` routines for each, some with more samples than others. */
export function fullStacks(fan: number, depth: number): Profile {
  const sink = new Sink();
  const writer = sink.writerFor(NamedStackWriter);
  writer.periods.push(0);
  sink.paths.push('made-up.txt');
  sink.addPart({ path: 'made-up.txt', events: ['samples'] });
  const frames = Array.from({ length: depth }, (_, level) =>
    Array.from({ length: fan }, (_, k) => writer.frame(`level_${level}_routine_${k}`, `file_${k}.c`)),
  );
  for (let leaf = 0; leaf < fan ** depth; leaf++) {
    const stack: number[] = [];
    for (let level = depth - 1, rest = leaf; level >= 0; level--, rest = Math.floor(rest / fan))
      stack.push(frames[level][rest % fan]);
    writer.add(0, stack, 1 + (leaf % 7));
  }
  return sink.finish('made-up');
}
