// Sampled stacks as text.
import { formatAddress } from '../../base/units.ts';
import { dumpLines } from '../callgraph/dump.ts';
import { exactValue } from '../event-value.ts';
import type { Head } from '../head.ts';
import type { SampleLabels } from './labels.ts';
import type { StackSamples } from './tables.ts';

export function* dumpStacks(profile: Head & StackSamples, name: (string: number | undefined) => string): Generator<string> {
  const { places, frames, stacks, files, objects, events, labels } = profile;
  yield* dumpLines(profile, name);
  if (places)
    for (let p = 0; p < places.high.length; p++)
      yield `place ${p} ${formatAddress(places.high[p], places.low[p])} object ${name(objects.name[places.object[p]])}`;
  for (let f = 0; f < frames.routine.length; f++) {
    const place = places ? ` place ${places.ofFrame[f]}` : '';
    const inlined = frames.inlined?.[f] === 1 ? ' inlined' : '';
    yield `frame ${f}${place} routine ${frames.routine[f]} ${name(files.name[frames.file[f]])}:${frames.line[f]}${inlined}`;
  }
  for (let s = 0; s < stacks.part.length; s++) {
    const list = stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]).join(' ');
    const set = labels && labels.set[s] > 0 ? ` labels ${labelsOf(labels, labels.set[s], name)}` : '';
    yield `stack part ${stacks.part[s]}${set} ${events.map((e) => exactValue(e, stacks.costs, s)).join(' ')}: ${list}`;
  }
}

function labelsOf(labels: SampleLabels, set: number, name: (string: number | undefined) => string): string {
  const out: string[] = [];
  for (let row = labels.start[set]; row < labels.start[set + 1]; row++) {
    const unit = labels.unit[row] < 0 ? '' : ` ${name(labels.unit[row])}`;
    out.push(`${name(labels.key[row])}=${labels.value[row] < 0 ? `${labels.number[row]}${unit}` : name(labels.value[row])}`);
  }
  return out.join(' ');
}
