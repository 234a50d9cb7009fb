// Processes of two builds: the same program with the same arguments in the same folder, in their order.
import { memo } from '../../base/memo.ts';
import { stringAt } from '../../model/strings.ts';
import type { Analysis } from '../analysis.ts';

export interface PairedProcesses {
  /** By process of this build: that of the build before; -1 for none. */
  readonly of: Int32Array;
  readonly gone: readonly number[];
}

export const pairedProcesses = memo((analysis: Analysis<'processes'>, base: Analysis<'processes'>): PairedProcesses => {
  const waiting = new Map<string, number[]>();
  const rows = ({ profile, partsOff }: Analysis<'processes'>) =>
    Array.from(profile.processes.id.keys()).filter((i) => !partsOff.has(profile.processes.part[i]));
  for (const i of rows(base)) {
    const key = keyOf(base, i);
    const list = waiting.get(key);
    if (list) list.push(i);
    else waiting.set(key, [i]);
  }
  for (const list of waiting.values()) list.reverse();
  const of = new Int32Array(analysis.profile.processes.id.length).fill(-1);
  for (const i of rows(analysis)) of[i] = waiting.get(keyOf(analysis, i))?.pop() ?? -1;
  return { of, gone: [...waiting.values()].flat().sort((a, b) => a - b) };
}, 2);

function keyOf({ profile }: Analysis<'processes'>, i: number): string {
  const { executable, directory, argStart, args } = profile.processes;
  const texts = [executable[i], directory[i], ...args.subarray(argStart[i], argStart[i + 1])];
  return texts.map((id) => stringAt(profile.strings, id)).join('\0');
}
