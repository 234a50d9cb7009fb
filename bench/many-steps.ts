// A build of so many steps on sixteen lanes: hundreds of objects for a library each, and a program at the end that needs them all.
import type { Profile } from '../src/model/profile.ts';
import { Sink } from '../src/model/sink.ts';
import { StepWriter } from '../src/model/steps/writer.ts';

const LANES = 16;
const OBJECTS = 200;

export function manySteps(steps: number): Profile {
  const sink = new Sink();
  sink.paths.push('generated');
  const rows = sink.writerFor(StepWriter);
  const part = sink.parts.length;
  const tracks = Array.from({ length: LANES }, (_, lane) => rows.untitledTrack('build', `lane ${lane}`));
  for (const track of tracks) rows.parallel.add(track);
  const free = new Float64Array(LANES);
  let objects: string[] = [];
  let library = 0;
  for (let i = 0; i < steps; i++) {
    const lane = free.indexOf(Math.min(...free));
    const isLink = objects.length === OBJECTS;
    const output = isLink ? `lib/lib${library}.a` : `obj/file${i}.o`;
    const durationUs = isLink ? 2_000_000 : 50_000 + ((i * 7919) % 997) * 1000;
    rows.add({
      ...{ name: isLink ? `link ${output}` : `compile file${i}.cpp`, role: isLink ? 'link' : 'compile', target: `lib${library}` },
      ...{ language: 'C++', track: tracks[lane], part, startUs: free[lane], durationUs, result: 0 },
      command: isLink ? `ar qc ${output} ${objects.join(' ')}` : `c++ -O2 -o ${output} -c file${i}.cpp`,
      outputs: [{ path: output, bytes: 1000 }],
    });
    free[lane] += durationUs;
    if (isLink) {
      objects = [];
      library++;
    } else objects.push(output);
  }
  sink.addPart({ path: 'generated', notes: [], events: ['time'] });
  return sink.finish('cmake');
}
