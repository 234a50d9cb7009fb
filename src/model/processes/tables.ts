// Processes: what a build executed, without times.
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';
import { stringCount } from '../strings.ts';

/**
 * The processes of a build, in file order. Arguments of event i are args[argStart[i]] .. args[argStart[i + 1] - 1], and its
 * environment changes likewise; a value of -1 means that the variable was removed. `parent` is a row, -1 for roots. `program` is a routine of
 * the profile: the name of the executable without its folder.
 */
export interface Processes {
  readonly id: Uint32Array;
  readonly parent: Int32Array;
  readonly part: Uint32Array;
  /** The line of the file at which the event starts. */
  readonly line: Uint32Array;
  readonly executable: Uint32Array;
  readonly program: Uint32Array;
  readonly directory: Int32Array;
  readonly argStart: Uint32Array;
  readonly args: Uint32Array;
  readonly envStart: Uint32Array;
  readonly envName: Uint32Array;
  readonly envValue: Int32Array;
}

export interface ProcessTrace {
  readonly kind: 'processes';
  readonly processes: Processes;
  /** Names of further programs that are compilers. A name may have two words, with the first argument second: `zig c++`. */
  readonly compilers: readonly string[];
}

export function checkProcesses(profile: Head & ProcessTrace, to: Invariants): void {
  const p = profile.processes;
  const n = p.id.length;
  const { argStart: _, args: __, envStart: ___, envName: ____, envValue: _____, ...rows } = p;
  to.checkTable('processes', rows, { part: profile.parts.length, parent: n, program: profile.routines.name.length });
  to.checkRange('processes.args', p.args, 0, stringCount(profile.strings));
  to.check(p.argStart.length === n + 1 && p.argStart[n] === p.args.length, 'the processes do not cover their arguments');
  to.check(p.envStart.length === n + 1 && p.envStart[n] === p.envName.length, 'the processes do not cover their variables');
}
