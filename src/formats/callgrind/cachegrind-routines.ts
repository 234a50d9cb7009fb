// Makes one routine of each function of a Cachegrind profile, which counts costs by file, function and line.
// Cachegrind lists code inlined from a header under the header's fl= again, so a function has one entry per file of its lines.
// Callgrind keeps inlined lines in the function by fi= and fe=. cg_annotate since 3.21 also sums up a function's files.
import { groupByKey } from '../../base/lists.ts';
import { invertRows, pickRows } from '../../model/column.ts';
import type { Profile } from '../../model/profile.ts';
import { numberNamesakes, recordedNameId } from '../../model/routine-table.ts';
import { stringAt } from '../../model/strings.ts';

/** Names of files that are compiled separately. Static functions of the same name in two such files are two functions. */
const COMPILED_FILE_NAME = /\.(c|cc|cp|cpp|cxx|c\+\+|m|mm|s|asm|f|for|f\d\d|ada|adb|d|go|pas|rs|cu)$/i; // bounded: each dot is tried once

const UNKNOWN_FILE = 0;
const INCLUDED_FILE = 1;
const COMPILED_FILE = 2;

/**
 * Merges the entries of each function name into one routine, in the compiled (else the included) file with most of its cost.
 * Unscoped names in several compiled files remain separate, and so do entries without a file: they lack debug information.
 */
export function mergeEntriesOfFunction(profile: Profile): Profile {
  if (profile.kind !== 'callgraph') return profile;
  const { routines, strings, files } = profile;
  const kinds = Uint8Array.from(files.name, (name) => fileKindOf(stringAt(strings, name)));
  const costs = selfCostsOf(profile);
  const into = Uint32Array.from(routines.name, (_, r) => r);
  const withFile = [...routines.name.keys()].filter((r) => routines.file[r] >= 0 && kinds[routines.file[r]] !== UNKNOWN_FILE);
  // Clones share a displayed name.
  for (const [name, entries] of groupByKey(withFile, (r) => recordedNameId(routines, r))) {
    if (entries.length === 1) continue;
    const compiled = entries.filter((r) => kinds[routines.file[r]] === COMPILED_FILE);
    const text = stringAt(strings, name);
    if (isUnknownName(text) || (compiled.length > 1 && !hasScope(text))) continue;
    const candidates = compiled.length > 0 ? compiled : entries;
    const home = candidates.reduce((most, r) => (costs[r] > costs[most] ? r : most));
    for (const r of entries) into[r] = home;
  }
  // Merged routines disappear; the order of the others is unchanged.
  const kept = into.filter((home, r) => home === r);
  if (kept.length === into.length) return profile;
  const newIndex = invertRows(new Uint32Array(into.length), kept);
  return {
    ...profile,
    routines: numberNamesakes(pickRows(routines, kept)),
    spans: { ...profile.spans, routine: profile.spans.routine.map((r) => newIndex[into[r]]) },
  };
}

const isUnknownName = (text: string) => text === '' || text === '???';

const fileKindOf = (file: string) =>
  isUnknownName(file) ? UNKNOWN_FILE : COMPILED_FILE_NAME.test(file) ? COMPILED_FILE : INCLUDED_FILE;

/** Absolute self cost of each routine in the first event. Difference profiles may have negative costs. */
function selfCostsOf({ spans, lines, routines }: Extract<Profile, { kind: 'callgraph' }>): Float64Array {
  const out = new Float64Array(routines.name.length);
  const [column] = lines.costs;
  for (let s = 0; s < spans.routine.length; s++)
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) out[spans.routine[s]] += Math.abs(column?.[i] ?? 0);
  return out;
}

/** True for a member of a named namespace or class, such as `a::b(c)`; false for `b(a::c)` and for anonymous namespaces. */
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
