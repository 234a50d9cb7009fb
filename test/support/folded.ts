// A profile of sampled stacks, from lines as stackcollapse writes them.
import type { Profile } from '../../src/model/profile.ts';
import { Sink } from '../../src/model/sink.ts';
import { NamedStackWriter } from '../../src/model/stacks/writer.ts';

/** `stacks`: names, outermost first, with `;` between them, and the samples of each. */
export function foldedProfile(stacks: Iterable<readonly [stack: string, count: number]>): Profile {
  const sink = new Sink();
  const writer = sink.writerFor(NamedStackWriter);
  writer.periods.push(0);
  sink.paths.push('folded.txt');
  sink.addPart({ path: 'folded.txt', events: ['samples'] });
  for (const [stack, count] of stacks) {
    const frames = stack.split(';').map((name) => writer.frame(name));
    writer.add(0, frames.reverse(), count);
  }
  return sink.finish('test');
}
