// Levels of recursion: Callgrind gives the second call of `f` on a stack the name `f'2`, and so on up to --separate-recs (2 by default); the
// last of them stands for all deeper calls, too. So every level but the last is on a stack at most once, and so is, in a file with levels,
// a routine that has none.
import type { ProfileOf } from '../../../model/profile.ts';
import { stringAt, stringCount } from '../../../model/strings.ts';
import type { Edges } from '../costing.ts';

/** A level from 2 on, in a name like `f'2`, or like `f'2'caller` where callers are recorded, too. */
const LEVEL = /'(\d{1,5})(?='|$)/; // bounded: one match of a fixed length

/** The name without its level, and the level. */
export function levelOf(name: string): readonly [base: string, level: number] {
  const found = LEVEL.exec(name);
  const level = Number(found?.[1]);
  if (!found || level < 2) return [name, 1];
  return [name.slice(0, found.index) + name.slice(found.index + found[0].length), level];
}

/** By routine: 1 for those that are on a stack at most once, as their names say. Nothing is said of routines outside of cycles. */
export function onceByName(
  { routines, strings, transformed }: ProfileOf<'callgraph'>,
  edges: Pick<Edges, 'from' | 'callee'>,
  cycleOf: Uint32Array,
): Uint8Array {
  const once = new Uint8Array(cycleOf.length);
  const nameOf = (r: number) => levelOf(stringAt(strings, routines.name[r]));
  /** The last level of each name. */
  const last = new Map<string, number>();
  for (let r = 0; r < cycleOf.length; r++) {
    if (!mayHaveLevel(strings.bytes, strings.start[routines.name[r]], strings.start[routines.name[r] + 1])) continue;
    const [base, level] = nameOf(r);
    if (level > 1) last.set(base, Math.max(last.get(base) ?? 1, level));
  }
  if (last.size === 0) return once;
  const members = Array.from(cycleOf.keys()).filter((r) => cycleOf[r] > 0);
  // A transform may have joined several routines under a new name.
  const known = transformed ? stringCount(transformed.from.strings) : Number.POSITIVE_INFINITY;
  const calledByItself = (r: number) => edges.callee.subarray(edges.from[r], edges.from[r + 1]).includes(r);
  // Levels can be asked for by name: then a routine without any may call itself.
  const everywhere = !members.some((r) => !last.has(nameOf(r)[0]) && calledByItself(r));
  for (const r of members) {
    const [base, level] = nameOf(r);
    const highest = last.get(base);
    once[r] = Number(highest === undefined ? everywhere && routines.name[r] < known : level < highest);
  }
  return once;
}

const QUOTE = 0x27;

function mayHaveLevel(bytes: Uint8Array, from: number, to: number): boolean {
  const at = bytes.subarray(from, to).indexOf(QUOTE);
  return at > 0 && bytes[from + at + 1] >= 0x31 && bytes[from + at + 1] <= 0x39;
}
