// Recursion levels: Callgrind names the second call of `f` on a stack `f'2`, and so on up to --separate-recs (default 2).
// The last level also covers all deeper calls. So a routine below the last level is on a stack at most once.
import type { Routines } from '../../../model/head.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { recordedNameId } from '../../../model/routine-table.ts';
import { stringAt, stringCount } from '../../../model/strings.ts';
import type { Edges } from '../costing.ts';

/** The level (2 or more) in a name like `f'2`, or `f'2'caller` if callers are recorded. */
const LEVEL_SUFFIX = /'(\d{1,5})(?='|$)/; // bounded: one match of a fixed length

export function splitLevel(name: string): readonly [base: string, level: number] {
  const found = LEVEL_SUFFIX.exec(name);
  const level = Number(found?.[1]);
  if (!found || level < 2) return [name, 1];
  return [name.slice(0, found.index) + name.slice(found.index + found[0].length), level];
}

/** By routine: 1 if its name proves that it is on a stack at most once. Routines outside of cycles stay 0. */
export function onStackOnceByName(
  { routines, strings, transformed, wholes }: ProfileOf<'callgraph'>,
  edges: Pick<Edges, 'from' | 'callee'>,
  cycleOf: Uint32Array,
): Uint8Array {
  const once = new Uint8Array(cycleOf.length);
  /** By name without level: its last level. */
  const last = new Map<string, number>();
  const named = new Map<number, ReturnType<typeof splitLevel>>();
  let highest = 1;
  for (let r = 0; r < cycleOf.length; r++) {
    const id = levelledName(routines, r);
    const levelled = mayHaveLevel(strings.bytes, strings.start[id], strings.start[id + 1]);
    if (!levelled && cycleOf[r] === 0) continue;
    const text = stringAt(strings, id);
    const name = levelled ? splitLevel(text) : ([text, 1] as const);
    if (cycleOf[r] > 0) named.set(r, name);
    const [base, level] = name;
    if (level > 1) last.set(base, Math.max(last.get(base) ?? 1, level));
    highest = Math.max(highest, level);
  }
  if (highest === 1) return once;
  // A transform may have merged several routines under a new name.
  const known = transformed ? stringCount(transformed.from.strings) : Number.POSITIVE_INFINITY;
  const callsItself = (r: number) => edges.callee.subarray(edges.from[r], edges.from[r + 1]).includes(wholes?.[r] ?? r);
  // Users can request levels for single names. Then a routine with fewer levels may call itself.
  const everywhere = ![...named].some(([r, [, level]]) => level < highest && callsItself(r));
  for (const [r, [base, level]] of named)
    once[r] = Number(level < (last.get(base) ?? 1) || (everywhere && level < highest && levelledName(routines, r) < known));
  return once;
}

/** The name id that contains the level. For an inlined function, it is that of the recorded routine around it. */
export function levelledName(routines: Routines, routine: number): number {
  const { within } = routines;
  return within && within[routine] >= 0 ? within[routine] : recordedNameId(routines, routine);
}

const QUOTE_BYTE = 0x27;

function mayHaveLevel(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from + 1; i + 1 < to; i++)
    if (bytes[i] === QUOTE_BYTE && bytes[i + 1] >= 0x31 && bytes[i + 1] <= 0x39) return true;
  return false;
}
