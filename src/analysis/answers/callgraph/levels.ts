// Levels of recursion: Callgrind gives the second call of `f` on a stack the name `f'2`, and so on up to --separate-recs (2 by default); the
// last of them stands for all deeper calls, too. So a routine with a lower level than the last is on a stack at most once.
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
  const levelAt = (r: number) => levelOf(stringAt(strings, routines.name[r]));
  /** The last level of each name, and of all. */
  const last = new Map<string, number>();
  let highest = 1;
  for (let r = 0; r < cycleOf.length; r++) {
    if (!mayHaveLevel(strings.bytes, strings.start[routines.name[r]], strings.start[routines.name[r] + 1])) continue;
    const [base, level] = levelAt(r);
    if (level > 1) last.set(base, Math.max(last.get(base) ?? 1, level));
    highest = Math.max(highest, level);
  }
  if (highest === 1) return once;
  // A transform may have joined several routines under a new name.
  const known = transformed ? stringCount(transformed.from.strings) : Number.POSITIVE_INFINITY;
  const callsItself = (r: number) => edges.callee.subarray(edges.from[r], edges.from[r + 1]).includes(r);
  const members = Array.from(cycleOf.keys()).filter((r) => cycleOf[r] > 0);
  // Levels can be asked for by name: then a routine with fewer of them may call itself.
  const everywhere = !members.some((r) => levelAt(r)[1] < highest && callsItself(r));
  for (const r of members) {
    const [base, level] = levelAt(r);
    once[r] = Number(level < (last.get(base) ?? 1) || (everywhere && level < highest && routines.name[r] < known));
  }
  return once;
}

const QUOTE = 0x27;

function mayHaveLevel(bytes: Uint8Array, from: number, to: number): boolean {
  const at = bytes.subarray(from, to).indexOf(QUOTE);
  return at > 0 && bytes[from + at + 1] >= 0x31 && bytes[from + at + 1] <= 0x39;
}
