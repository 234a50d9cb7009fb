// Checks the invariants of processes.
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';
import { stringCount } from '../strings.ts';
import type { ProcessTrace } from './tables.ts';

export function checkProcesses(profile: Head & ProcessTrace, to: Invariants): void {
  const p = profile.processes;
  const n = p.id.length;
  const { argStart: _, args: __, envStart: ___, envName: ____, envValue: _____, ...rows } = p;
  to.checkTable('processes', rows, { part: profile.parts.length, parent: n, program: profile.routines.name.length });
  to.checkRange('processes.args', p.args, 0, stringCount(profile.strings));
  to.check(p.argStart.length === n + 1 && p.argStart[n] === p.args.length, 'the processes do not cover their arguments');
  to.check(p.envStart.length === n + 1 && p.envStart[n] === p.envName.length, 'the processes do not cover their variables');
}
