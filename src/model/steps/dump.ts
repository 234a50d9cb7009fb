// Steps as text.
import type { Timeline } from './tables.ts';

export function* dumpSteps({ steps: s }: Timeline, name: (string: number | undefined) => string): Generator<string> {
  for (let i = 0; i < s.name.length; i++) {
    const outputs = s.outputStart[i + 1] - s.outputStart[i];
    yield `step ${name(s.name[i])} part ${s.part[i]} track ${s.track[i]} parent ${s.parent[i]} kind ${s.kind[i]} start ${s.startUs[i]} duration ${s.durationUs[i]} result ${s.result[i]} outputs ${outputs}`;
  }
}
