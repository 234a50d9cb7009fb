// Processes of two builds: the same program with the same arguments in the same folder, in their order.
import { pairedBy } from '../../base/lists.ts';
import { memo } from '../../base/memo.ts';
import { stringAt } from '../../model/strings.ts';
import type { Analysis } from '../answers/analysis.ts';

export interface PairedProcesses {
  /** By process of this build: that of the build before; -1 for none. */
  readonly of: Int32Array;
  readonly gone: readonly number[];
}

export const pairedProcesses = memo((analysis: Analysis<'processes'>, base: Analysis<'processes'>): PairedProcesses => {
  const rows = ({ profile, partsOff }: Analysis<'processes'>) =>
    Array.from(profile.processes.id.keys()).filter((i) => !partsOff.has(profile.processes.part[i]));
  const { pairs, left } = pairedBy(rows(analysis), rows(base), (i, isBefore) => keyOf(isBefore ? base : analysis, i));
  const of = new Int32Array(analysis.profile.processes.id.length).fill(-1);
  for (const [i, before] of pairs) of[i] = before;
  return { of, gone: left };
}, 2);

function keyOf({ profile }: Analysis<'processes'>, i: number): string {
  const { executable, directory, argStart, args } = profile.processes;
  const texts = [executable[i], directory[i], ...args.subarray(argStart[i], argStart[i + 1])];
  return texts.map((id) => stringAt(profile.strings, id)).join('\0');
}
