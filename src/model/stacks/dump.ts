// Sampled stacks as text.
import { formatAddress } from '../../base/units.ts';
import { dumpLines } from '../callgraph/dump.ts';
import { exactValue } from '../event-value.ts';
import type { Head } from '../head.ts';
import type { StackSamples } from './tables.ts';

export function* dumpStacks(profile: Head & StackSamples, name: (string: number | undefined) => string): Generator<string> {
  const { places, frames, stacks, files, objects, events } = profile;
  yield* dumpLines(profile, name);
  if (places)
    for (let p = 0; p < places.high.length; p++)
      yield `place ${p} ${formatAddress(places.high[p], places.low[p])} object ${name(objects.name[places.object[p]])}`;
  for (let f = 0; f < frames.routine.length; f++) {
    const place = places ? ` place ${places.ofFrame[f]}` : '';
    yield `frame ${f}${place} routine ${frames.routine[f]} ${name(files.name[frames.file[f]])}:${frames.line[f]}`;
  }
  for (let s = 0; s < stacks.part.length; s++) {
    const list = stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]).join(' ');
    yield `stack part ${stacks.part[s]} ${events.map((e) => exactValue(e, stacks.costs, s)).join(' ')}: ${list}`;
  }
}
