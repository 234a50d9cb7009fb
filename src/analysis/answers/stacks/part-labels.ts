// Labels of samples that parts and innermost frames record: the command, process and thread that ran, and the object that it was in.
// A label that the file itself has keeps its meaning.
import { memo } from '../../../base/memo.ts';
import { PairTable } from '../../../model/pairs.ts';
import type { ProfileOf } from '../../../model/profile.ts';
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
  const recorded = (set: number): Label[] =>
    labels === undefined
      ? []
      : Array.from({ length: labels.start[set + 1] - labels.start[set] }, (_, k) => {
          const row = labels.start[set] + k;
          return { key: labels.key[row], value: labels.value[row], number: labels.number[row], unit: labels.unit[row] };
        });
  const sets = new LabelSets();
  const ofParts = new PairTable(Int32Array);
  const whole = new PairTable(Int32Array);
  const set = stacks.part.map((part, s) => {
    const leaf = stacks.start[s] < stacks.start[s + 1] ? routines.object[frames.routine[stacks.frame[stacks.start[s]]]] : -1;
    const own = labels?.set[s] ?? 0;
    const at = whole.numberOf(ofParts.numberOf(own, part), leaf);
    if (at === sets.size - 1) sets.addSet([...recorded(own), ...ofPart[part], ...text(dso, leaf < 0 ? -1 : objects.name[leaf])]);
    return at + 1;
  });
  const tables = sets.buildTables(set);
  return tables && { strings: strings.finish(), labels: tables };
}, 4);
