// Events beyond the file's own: the sums that KCachegrind shows for cache and branch simulations, and the user's formulas.
import { FormatError, type Problem } from '../../base/problem.ts';
import { plural } from '../../base/units.ts';
import { resolveFormulas } from '../../model/formula.ts';
import type { Event } from '../../model/head.ts';
import type { Analysis } from './analysis.ts';

// KCachegrind's predefined derived events (libcore/eventtype.cpp): cycle estimation counts 10 cycles for a first-level miss
// or a mispredicted branch, 100 for a last-level miss, 20 for a bus event.
const STANDARD_EVENTS: readonly (readonly [name: string, formula: string, longName: string])[] = [
  ['L1m', 'I1mr + D1mr + D1mw', 'L1 Miss Sum'],
  ['LLm', 'ILmr + DLmr + DLmw', 'Last-level Miss Sum'],
  ['Bm', 'Bim + Bcm', 'Mispredicted Branch'],
];
/** The number of cycles that CEst counts for one occurrence of an event. */
export const CYCLES_PER_EVENT: ReadonlyMap<string, number> = new Map(
  Object.entries({ Ir: 1, Bm: 10, L1m: 10, Ge: 20, LLm: 100 }),
);

/** Descriptions of the events of Valgrind's simulations; files describe only a few. */
const LONG_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Ir: 'instructions executed',
    Dr: 'data reads',
    Dw: 'data writes',
    I1mr: 'first-level cache misses of instructions',
    D1mr: 'first-level cache misses of data reads',
    D1mw: 'first-level cache misses of data writes',
    ILmr: 'last-level cache misses of instructions',
    DLmr: 'last-level cache misses of data reads',
    DLmw: 'last-level cache misses of data writes',
    I2mr: 'second-level cache misses of instructions',
    D2mr: 'second-level cache misses of data reads',
    D2mw: 'second-level cache misses of data writes',
    Bc: 'conditional branches',
    Bcm: 'conditional branches mispredicted',
    Bi: 'indirect branches',
    Bim: 'indirect branches mispredicted',
    Ge: 'global bus events',
    sysCount: 'system calls',
    sysTime: 'time in system calls',
    sysCpuTime: 'processor time in system calls',
  }),
);

/** A profile's events plus the standard ones it has the parts for. CEst needs L1m or Bm: from Ir alone it would just equal Ir. */
export function withStandardEvents(events: readonly Event[]): Event[] {
  const out = events.map((e) => {
    const where = e.onlyIn === undefined ? [] : [`in ${plural(e.onlyIn.split(',').length, 'part')} only`];
    const longName = [e.longName ?? LONG_NAMES.get(e.name) ?? [], ...where].flat().join(', ');
    return longName === '' ? e : { ...e, longName };
  });
  const has = (name: string) => out.some((e) => e.name === name);
  const add = (name: string, formula: string, longName: string) => {
    if (!has(name)) out.push(...resolveFormulas([{ name, formula, longName, path: '' }], out, () => {}));
  };
  for (const [name, formula, longName] of STANDARD_EVENTS) if (formula.split(' + ').every(has)) add(name, formula, longName);
  if (has('Ir') && (has('L1m') || has('Bm'))) {
    const terms = [...CYCLES_PER_EVENT]
      .filter(([event]) => has(event))
      .map(([event, factor]) => (factor === 1 ? event : `${factor} ${event}`));
    add('CEst', terms.join(' + '), 'Cycle Estimation');
  }
  return out;
}

/** A user's `NAME=FORMULA`; throws FormatError (path `--derive`) if it cannot be computed from the available events. */
export function deriveEvent(text: string, events: readonly Event[]): Event {
  const eq = text.indexOf('=');
  const name = text.slice(0, eq).trim();
  if (eq < 1 || !/^\S+$/.test(name))
    throw deriveError('NAME=FORMULA', `"${text}"`, { hint: "as in --derive 'Misses=L1m + 10 LLm'" });
  if (events.some((e) => e.name === name)) throw deriveError('a new event name', `"${name}", which the profile already has`);
  const formula = text.slice(eq + 1).trim();
  const formulaError = (expected: string) => deriveError(expected, `"${formula}"`);
  const [upper, lower, ...more] = formula.split('/').map((side) => side.trim());
  if (more.length > 0) throw formulaError('at most one / in a formula');
  if (lower === undefined) return resolveFormulaSide(name, upper, formula, events);
  // Sums beside / need brackets: `A + B / C` would be ambiguous.
  const sideOf = (side: string) => {
    if (/^\(.*\)$/.test(side)) return resolveFormulaSide(name, side.slice(1, -1), formula, events);
    if (/.[+-]/.test(side) && !events.some((e) => e.name === side))
      throw formulaError('sums in brackets beside /, as in (Dr + Dw) / Ir');
    return resolveFormulaSide(name, side, formula, events);
  };
  const above = sideOf(upper);
  const { exact: _, ...plain } = above;
  if (above.per) throw formulaError('events that are no ratios beside /');
  const scale = Number(lower);
  if (lower !== '' && scale > 0) return { ...plain, terms: above.terms.map(([factor, column]) => [factor / scale, column]) };
  if (lower === 'calls' && !events.some((e) => e.name === 'calls'))
    return { name, unit: above.unit, formula, terms: above.terms, per: 'calls' };
  const below = sideOf(lower);
  if (below.per) throw formulaError('events that are no ratios beside /');
  if (below.onlyIn !== above.onlyIn) throw formulaError('events beside / that the same parts record');
  return { name, unit: 'count', formula, terms: above.terms, per: below.terms };
}

const deriveError = (expected: string, found: string, more: Pick<Problem, 'hint'> = {}) =>
  new FormatError({ path: '--derive', expected, found, ...more });

function resolveFormulaSide(name: string, side: string, formula: string, events: readonly Event[]): Event {
  const problems: Problem[] = [];
  const [event] = resolveFormulas([{ name, formula: side, path: '--derive' }], events, (p) => problems.push(p));
  const hint =
    problems[0]?.found === 'event calls is not recorded' ? { hint: 'calls can only be the divisor, as in Ir/calls' } : {};
  if (!event) throw problems[0] ? new FormatError({ ...problems[0], ...hint }) : deriveError('a formula', `"${formula}"`);
  return { ...event, formula };
}

/** Events that the user defined, as --derive takes them. */
export function userFormulas({ profile, events }: Pick<Analysis, 'profile' | 'events'>): string[] {
  const known = new Set(withStandardEvents(profile.events).map((e) => e.name));
  return events.flatMap((e) => (known.has(e.name) ? [] : [`${e.name}=${e.formula ?? ''}`]));
}

/** All events of a profile: its own, the standard ones, the user's. Throws FormatError for a formula that fails. */
export function allEvents(events: readonly Event[], derive: readonly string[]): Event[] {
  const out = withStandardEvents(events);
  for (const text of derive) out.push(deriveEvent(text, out));
  return out;
}

/** Describes an event by its long name and formula. Multiples of samples show only the long name. */
export const describeEvent = ({ longName, formula, each }: Event): readonly string[] => [
  ...(longName ? [longName] : []),
  ...(formula && each === undefined ? [`= ${formula}`] : []),
];
