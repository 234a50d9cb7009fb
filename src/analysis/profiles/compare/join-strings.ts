// The strings of two runs as one table. Two builds write their names in nearly the same order, so most strings of one run are
// found by walking both tables in step; only the rest is hashed.

import { Interner, type Strings, stringAt, stringCount } from '../../../model/strings.ts';
import { matchInOrder } from '../../answers/compared/in-step.ts';

export type JoinedStrings = ReturnType<typeof joinStrings>;

/** `idOfBase`: the numbers of the base's strings; those of this run keep theirs. `textId`: the number of a text, added if neither run has it. */
export function joinStrings(now: Strings, before: Strings) {
  const [ours, theirs] = [stringCount(now), stringCount(before)];
  const { of, taken } = matchInOrder(ours, theirs, (n, b) => hasSameBytes(now, n, before, b));
  const rest = new Interner();
  /** The numbers of the strings in `rest`. */
  const numbers: number[] = [];
  /** The strings in `rest` that this run does not have, in order of their joined numbers, which start at `ours`. */
  const added: number[] = [];
  const newNumber = (inRest: number): number => ours + added.push(inRest) - 1;
  const add = ({ bytes, start }: Strings, i: number, number: (inRest: number) => number): number => {
    const id = rest.bytesId(bytes, start[i], start[i + 1]);
    if (id === numbers.length) numbers.push(number(id));
    return numbers[id];
  };
  for (let n = 0; n < ours; n++) if (!taken[n]) add(now, n, () => n);
  for (let b = 0; b < theirs; b++) if (of[b] < 0) of[b] = add(before, b, newNumber);
  const text = (id: number): string => (id < ours ? stringAt(now, id) : rest.text(added[id - ours]));
  return {
    idOfBase: of,
    text,
    textId(wanted: string): number {
      const known = rest.textId(wanted);
      if (known === numbers.length) {
        // Taken strings are not among the rest: the few texts that are asked for are looked up one by one.
        const at = indexOfText(now, taken, wanted);
        numbers.push(at >= 0 ? at : newNumber(known));
      }
      return numbers[known];
    },
    finish: () => appendStrings(now, rest, added),
  };
}

function hasSameBytes(a: Strings, i: number, b: Strings, j: number): boolean {
  const [from, other] = [a.start[i], b.start[j]];
  const length = a.start[i + 1] - from;
  if (b.start[j + 1] - other !== length) return false;
  for (let k = 0; k < length; k++) if (a.bytes[from + k] !== b.bytes[other + k]) return false;
  return true;
}

function indexOfText(strings: Strings, among: Uint8Array, wanted: string): number {
  const bytes = new TextEncoder().encode(wanted);
  const own: Strings = { bytes, start: Uint32Array.from([0, bytes.length]) };
  for (let i = 0; i < among.length; i++) if (among[i] && hasSameBytes(strings, i, own, 0)) return i;
  return -1;
}

/** This run's strings, followed by the added ones. */
function appendStrings(now: Strings, rest: Interner, added: readonly number[]): Strings {
  if (added.length === 0) return now;
  const ours = stringCount(now);
  const from = rest.finish();
  const length = added.reduce((n, i) => n + from.start[i + 1] - from.start[i], 0);
  const used = now.start[ours];
  const bytes = new Uint8Array(used + length);
  bytes.set(now.bytes.subarray(0, used));
  const start = new Uint32Array(ours + added.length + 1);
  start.set(now.start.subarray(0, ours + 1));
  let at = used;
  added.forEach((i, k) => {
    bytes.set(from.bytes.subarray(from.start[i], from.start[i + 1]), at);
    at += from.start[i + 1] - from.start[i];
    start[ours + k + 1] = at;
  });
  return { bytes, start };
}
