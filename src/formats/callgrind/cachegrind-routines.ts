// One routine for each function of a Cachegrind profile. Cachegrind counts by file, function and line, so code inlined from a header is under the
// header's fl= and again under the function's name: a function has as many entries as its lines have files. Callgrind's fi= and fe= keep
// such lines in the function, and cg_annotate since 3.21 sums up functions over files.
import type { StringId } from '../../model/column.ts';
import type { Routines } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { stringAt } from '../../model/strings.ts';

/** Files that are compiled: a function that is static in two of them is two functions. All others are included. */
const COMPILED = /\.(c|cc|cp|cpp|cxx|c\+\+|m|mm|s|asm|f|for|f\d\d|ada|adb|d|go|pas|rs|cu)$/i; // bounded: each dot is tried once

const UNKNOWN = 0;
const INCLUDED = 1;
const IS_COMPILED = 2;

/**
 * Entries of a name are one routine if at most one of their files is compiled, or if the name has a scope: only one function of a program
 * can have it. It is in the compiled file that has most of its cost, else in the header that has. An entry without a file stays alone: its code
 * has no debug information, so it is of another object.
 */
export function oneRoutineEach(profile: Profile): Profile {
  if (profile.kind !== 'callgraph') return profile;
  const { routines, strings, files } = profile;
  const kinds = Uint8Array.from(files.name, (name) => kindOf(stringAt(strings, name)));
  const costs = costOfEach(profile);
  const into = Uint32Array.from(routines.name, (_, r) => r);
  for (const [name, entries] of namesakes(routines, kinds)) {
    const compiled = entries.filter((r) => kinds[routines.file[r]] === IS_COMPILED);
    const text = stringAt(strings, name);
    if (isUnknown(text) || (compiled.length > 1 && !hasScope(text))) continue;
    const of = compiled.length > 0 ? compiled : entries;
    const home = of.reduce((most, r) => (costs[r] > costs[most] ? r : most));
    for (const r of entries) into[r] = home;
  }
  // A routine that is part of another has no place any more; the others keep their order.
  const place = new Uint32Array(into.length);
  let count = 0;
  for (let r = 0; r < into.length; r++) if (into[r] === r) place[r] = count++;
  if (count === into.length) return profile;
  const isKept = (_: number, r: number) => into[r] === r;
  return {
    ...profile,
    routines: {
      name: routines.name.filter(isKept),
      file: routines.file.filter(isKept),
      object: routines.object.filter(isKept),
    },
    spans: { ...profile.spans, routine: profile.spans.routine.map((r) => place[into[r]]) },
  };
}

const isUnknown = (text: string) => text === '' || text === '???';

const kindOf = (file: string) => (isUnknown(file) ? UNKNOWN : COMPILED.test(file) ? IS_COMPILED : INCLUDED);

/** The entries of each name that has several, those without a file left out. */
function namesakes({ name, file }: Routines, kinds: Uint8Array): ReadonlyMap<StringId, number[]> {
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

/** The self cost of each routine in the first event, without signs: differences have both. */
function costOfEach({ spans, lines, routines }: Extract<Profile, { kind: 'callgraph' }>): Float64Array {
  const out = new Float64Array(routines.name.length);
  const [column] = lines.costs;
  for (let s = 0; s < spans.routine.length; s++)
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) out[spans.routine[s]] += Math.abs(column?.[i] ?? 0);
  return out;
}

/** Whether a name is one of a namespace or class, as `a::b(c)` and `T<d>::e` are; `b(a::c)` and what is in no named namespace are not. */
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
