// One routine for each function of a Cachegrind profile. Cachegrind counts by file, function and line, so code inlined from a header is under the
// header's fl= and again under the function's name: a function has as many entries as its lines have files. Callgrind's fi= and fe= keep
// such lines in the function, and cg_annotate since 3.21 sums up functions over files.
import type { StringId } from '../../model/column.ts';
import type { Routines } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { stringAt } from '../../model/strings.ts';

/** Files that are compiled on their own. Static functions of the same name in two of them are two functions. */
const COMPILED = /\.(c|cc|cp|cpp|cxx|c\+\+|m|mm|s|asm|f|for|f\d\d|ada|adb|d|go|pas|rs|cu)$/i; // bounded: each dot is tried once

const UNKNOWN = 0;
const INCLUDED = 1;
const IS_COMPILED = 2;

/**
 * Merges the entries of each function name into one routine, in the compiled (else the included) file with most of its cost.
 * Unscoped names in several compiled files remain separate, and so do entries without a file: they lack debug information.
 */
export function mergeEntriesOfFunction(profile: Profile): Profile {
  if (profile.kind !== 'callgraph') return profile;
  const { routines, strings, files } = profile;
  const kinds = Uint8Array.from(files.name, (name) => kindOf(stringAt(strings, name)));
  const costs = selfCostsOf(profile);
  const into = Uint32Array.from(routines.name, (_, r) => r);
  for (const [name, entries] of entriesByName(routines, kinds)) {
    const compiled = entries.filter((r) => kinds[routines.file[r]] === IS_COMPILED);
    const text = stringAt(strings, name);
    if (isUnknown(text) || (compiled.length > 1 && !hasScope(text))) continue;
    const candidates = compiled.length > 0 ? compiled : entries;
    const home = candidates.reduce((most, r) => (costs[r] > costs[most] ? r : most));
    for (const r of entries) into[r] = home;
  }
  // New index of each remaining routine. Merged routines disappear; the order of the others is unchanged.
  const newIndex = new Uint32Array(into.length);
  let count = 0;
  for (let r = 0; r < into.length; r++) if (into[r] === r) newIndex[r] = count++;
  if (count === into.length) return profile;
  const isKept = (_: number, r: number) => into[r] === r;
  return {
    ...profile,
    routines: {
      name: routines.name.filter(isKept),
      file: routines.file.filter(isKept),
      object: routines.object.filter(isKept),
    },
    spans: { ...profile.spans, routine: profile.spans.routine.map((r) => newIndex[into[r]]) },
  };
}

const isUnknown = (text: string) => text === '' || text === '???';

const kindOf = (file: string) => (isUnknown(file) ? UNKNOWN : COMPILED.test(file) ? IS_COMPILED : INCLUDED);

/** The entries of each name that has at least two, without entries that have no file. */
function entriesByName({ name, file }: Routines, kinds: Uint8Array): ReadonlyMap<StringId, number[]> {
  const first = new Map<StringId, number>();
  const several = new Map<StringId, number[]>();
  for (let r = 0; r < name.length; r++) {
    if (file[r] < 0 || kinds[file[r]] === UNKNOWN) continue;
    const before = first.get(name[r]);
    if (before === undefined) {
      first.set(name[r], r);
      continue;
    }
    const entries = several.get(name[r]);
    if (entries) entries.push(r);
    else several.set(name[r], [before, r]);
  }
  return several;
}

/** Absolute self cost of each routine in the first event. Costs of differences may be negative. */
function selfCostsOf({ spans, lines, routines }: Extract<Profile, { kind: 'callgraph' }>): Float64Array {
  const out = new Float64Array(routines.name.length);
  const [column] = lines.costs;
  for (let s = 0; s < spans.routine.length; s++)
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) out[spans.routine[s]] += Math.abs(column?.[i] ?? 0);
  return out;
}

/** True for a member of a named namespace or class: `a::b(c)`, `T<d>::e`; false for `b(a::c)` and anonymous namespaces. */
function hasScope(name: string): boolean {
  if (name.includes('(anonymous namespace)')) return false;
  let depth = 0;
  for (let at = 0; at < name.length; at++) {
    const c = name[at];
    if (c === '<' || c === '(') depth++;
    else if (c === '>' || c === ')') depth--;
    else if (c === ':' && depth === 0 && name[at + 1] === ':') return true;
  }
  return false;
}
