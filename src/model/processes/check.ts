// Invariants of processes.
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';
import { stringCount } from '../strings.ts';
import type { ProcessTrace } from './tables.ts';

export function checkProcesses(profile: Head & ProcessTrace, to: Invariants): void {
  const p = profile.processes;
  const n = p.id.length;
  to.sameLength('processes', n, {
    part: p.part,
    parent: p.parent,
    executable: p.executable,
    program: p.program,
    directory: p.directory,
  });
  to.within('processes.part', p.part, 0, profile.parts.length);
  to.within('processes.parent', p.parent, -1, n);
  to.within('processes.program', p.program, 0, profile.routines.name.length);
  to.within('processes.args', p.args, 0, stringCount(profile.strings));
  to.holds(p.argStart.length === n + 1 && p.argStart[n] === p.args.length, 'the processes do not cover their arguments');
  to.holds(p.envStart.length === n + 1 && p.envStart[n] === p.envName.length, 'the processes do not cover their variables');
}
