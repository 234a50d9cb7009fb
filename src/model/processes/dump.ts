// Processes as text.
import type { ProcessTrace } from './tables.ts';

export function* dumpProcesses({ processes: p }: ProcessTrace, name: (string: number | undefined) => string): Generator<string> {
  for (let i = 0; i < p.id.length; i++) {
    const args = Array.from(p.args.subarray(p.argStart[i], p.argStart[i + 1]), (a) => name(a));
    yield `process ${name(p.id[i])} parent ${p.parent[i]} line ${p.line[i]} ${name(p.executable[i])}: ${args.join(' ')}`;
  }
}
