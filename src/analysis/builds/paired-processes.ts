// Processes of two builds: the same program with the same arguments in the same folder, in their order.
import { memo, pairByKey } from '../../base/lists.ts';
import { stringAt } from '../../model/strings.ts';
import type { Analysis } from '../answers/analysis.ts';

/** `of`: by process of this build, the process of the base; -1 if there is none. */
export const pairedProcesses = memo((analysis: Analysis<'processes'>, base: Analysis<'processes'>) => {
  const rows = ({ profile, partsOff }: Analysis<'processes'>) =>
    Array.from(profile.processes.id.keys()).filter((i) => !partsOff.has(profile.processes.part[i]));
  const { pairs, left } = pairByKey(rows(analysis), rows(base), (i, isBefore) => processKey(isBefore ? base : analysis, i));
  const of = new Int32Array(analysis.profile.processes.id.length).fill(-1);
  for (const [i, before] of pairs) of[i] = before;
  return { of, removed: left };
}, 2);

function processKey({ profile }: Analysis<'processes'>, i: number): string {
  const { executable, directory, argStart, args } = profile.processes;
  const texts = [executable[i], directory[i], ...args.subarray(argStart[i], argStart[i + 1])];
  return texts.map((id) => stringAt(profile.strings, id)).join('\0');
}
