// Labels of samples that parts and innermost frames record: the command, process and thread that ran, and the object that it was in.
// A label that the file itself has keeps its meaning.
import { memo } from '../../../base/memo.ts';
import { PairTable } from '../../../model/hash-table.ts';
import { hasKernel, type ProfileOf } from '../../../model/profile.ts';
import { type Label, LabelSets, type SampleLabels } from '../../../model/stacks/labels.ts';
import { Interner, stringAt } from '../../../model/strings.ts';

/** perf's words, as for `perf report --sort comm,dso`. */
const KEYS = ['comm', 'process', 'thread', 'dso'] as const;

export type LabelledProfile = Pick<ProfileOf<'stacks'>, 'strings'> & { readonly labels: SampleLabels };

/** The labels of the samples with those of their parts and objects; undefined if there are none. */
export const labelsOf = memo((profile: ProfileOf<'stacks'>): LabelledProfile | undefined => {
  const { stacks, frames, routines, objects, labels, parts } = profile;
  const strings = Interner.fromStrings(profile.strings);
  const known = new Set(Array.from(labels?.key ?? [], (key) => stringAt(profile.strings, key)));
  const [comm, process, thread, dso] = KEYS.map((key) => (known.has(key) ? -1 : strings.textId(key)));
  const text = (key: number, value: number): Label[] =>
    key < 0 || value < 0 ? [] : [{ key, value, number: Number.NaN, unit: -1 }];
  const number = (key: number, value: number | null): Label[] =>
    key < 0 || value === null ? [] : [{ key, value: -1, number: value, unit: -1 }];
  const ofPart = parts.map(({ command, pid, thread: tid }) => [
    // A part without a thread is a run: its command is that of the profile.
    ...text(comm, tid === null || !command ? -1 : strings.textId(command)),
    ...number(process, pid),
    ...number(thread, tid),
  ]);
  const { start = [], key: keys = [], value = [], number: numbers = [], unit = [] } = labels ?? {};
  const recorded = Array.from(keys, (key, k): Label => ({ key, value: value[k], number: numbers[k], unit: unit[k] }));
  const sets = new LabelSets();
  const [ofParts, ofFrames, whole] = [0, 1, 2].map(() => new PairTable(Int32Array));
  const areCommands = beginWithCommands(profile);
  const set = stacks.part.map((part, s) => {
    const leaf = stacks.start[s] < stacks.start[s + 1] ? routines.object[frames.routine[stacks.frame[stacks.start[s]]]] : -1;
    const own = labels?.set[s] ?? 0;
    const root = areCommands ? routines.name[rootOf(profile, s)] : -1;
    const at = whole.numberOf(ofParts.numberOf(own, part), ofFrames.numberOf(leaf, root));
    const ofFrame = [...text(comm, root), ...text(dso, leaf < 0 ? -1 : objects.name[leaf])];
    if (at === sets.size - 1) sets.addSet([...recorded.slice(start[own], start[own + 1]), ...ofPart[part], ...ofFrame]);
    return at + 1;
  });
  const tables = sets.buildTables(set);
  return tables && { strings: strings.finish(), labels: tables };
}, 4);

/** The routine of a stack's outermost frame. */
const rootOf = ({ stacks, frames }: ProfileOf<'stacks'>, stack: number): number =>
  frames.routine[stacks.frame[stacks.start[stack + 1] - 1]];

/** Functions at which threads start: a stack that begins with one begins with no command. */
const START_NAMES = /^_{0,3}(?:start|start_thread|clone\d?)$|^main$|^\[unknown\]$/;

/** Whether stacks begin with the command, as perf and bcc write them: all with a name that has no place and is no frame elsewhere. */
function beginWithCommands(profile: ProfileOf<'stacks'>): boolean {
  const { stacks, frames, routines, parts, strings } = profile;
  if (!hasKernel(profile) || parts.some(({ command, thread }) => command && thread !== null)) return false;
  const isRoot = new Uint8Array(routines.name.length);
  for (let s = 0; s < stacks.part.length; s++) {
    if (stacks.start[s + 1] - stacks.start[s] < 2) return false;
    isRoot[rootOf(profile, s)] = 1;
  }
  for (let s = 0; s < stacks.part.length; s++)
    for (let i = stacks.start[s]; i < stacks.start[s + 1] - 1; i++)
      if (isRoot[frames.routine[stacks.frame[i]]] === 1) return false;
  const isCommand = (r: number) =>
    routines.object[r] < 0 && routines.file[r] < 0 && !START_NAMES.test(stringAt(strings, routines.name[r]));
  return isRoot.includes(1) && isRoot.every((root, r) => root === 0 || isCommand(r));
}
