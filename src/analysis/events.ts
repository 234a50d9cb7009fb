// Events beyond the file's own: the sums that KCachegrind shows for cache and branch simulations, and the user's formulas.
import { FormatError, type Problem } from '../base/problem.ts';
import { resolveFormulas } from '../model/formula.ts';
import type { Event } from '../model/head.ts';

// KCachegrind's predefined derived events (libcore/eventtype.cpp): cycle estimation counts 10 cycles for a first-level miss
// or a mispredicted branch, 100 for a last-level miss, 20 for a bus event.
const STANDARD: readonly (readonly [name: string, formula: string, longName: string])[] = [
  ['L1m', 'I1mr + D1mr + D1mw', 'L1 Miss Sum'],
  ['LLm', 'ILmr + DLmr + DLmw', 'Last-level Miss Sum'],
  ['Bm', 'Bim + Bcm', 'Mispredicted Branch'],
];
const CYCLES: readonly (readonly [event: string, factor: number])[] = [
  ['Ir', 1],
  ['Bm', 10],
  ['L1m', 10],
  ['Ge', 20],
  ['LLm', 100],
];

/** A profile's events plus the standard ones it has the parts for. CEst needs L1m or Bm: from Ir alone it would just equal Ir. */
export function withStandardEvents(events: readonly Event[]): Event[] {
  const out = [...events];
  const has = (name: string) => out.some((e) => e.name === name);
  const add = (name: string, formula: string, longName: string) => {
    if (!has(name)) out.push(...resolveFormulas([{ name, formula, longName, path: '' }], out, () => {}));
  };
  for (const [name, formula, longName] of STANDARD) if (formula.split(' + ').every(has)) add(name, formula, longName);
  if (has('Ir') && (has('L1m') || has('Bm'))) {
    const terms = CYCLES.filter(([event]) => has(event)).map(([event, factor]) => (factor === 1 ? event : `${factor} ${event}`));
    add('CEst', terms.join(' + '), 'Cycle Estimation');
  }
  return out;
}

/** A user's `NAME=FORMULA`; throws FormatError (path `--derive`) if it cannot be computed from the available events. */
export function deriveEvent(text: string, events: readonly Event[]): Event {
  const eq = text.indexOf('=');
  const name = text.slice(0, eq).trim();
  if (eq < 1 || !/^\S+$/.test(name)) {
    throw new FormatError({
      path: '--derive',
      expected: 'NAME=FORMULA',
      found: `"${text}"`,
      hint: "as in --derive 'Misses=L1m + 10 LLm'",
    });
  }
  if (events.some((e) => e.name === name)) {
    throw new FormatError({ path: '--derive', expected: 'a new event name', found: `"${name}", which the profile already has` });
  }
  const formula = text.slice(eq + 1).trim();
  const ratio = /^(\S+)\s*\/\s*(\S+)$/.exec(formula);
  if (ratio) {
    const [numerator, denominator] = [ratio[1], ratio[2]].map((n) => events.find((e) => e.name === n));
    const missing = numerator ? (denominator ? undefined : ratio[2]) : ratio[1];
    if (missing)
      throw new FormatError({
        path: '--derive',
        expected: `recorded events in the formula of ${name}`,
        found: `event ${missing} is not recorded`,
      });
    return { name, unit: 'count', formula, terms: numerator!.terms, per: denominator!.terms };
  }
  const problems: Problem[] = [];
  const [event] = resolveFormulas([{ name, formula, path: '--derive' }], events, (p) => problems.push(p));
  if (!event) throw new FormatError(problems[0] ?? { path: '--derive', expected: 'a formula', found: `"${formula}"` });
  return event;
}

/** All events of a profile: its own, the standard ones, the user's. Throws FormatError for a formula that fails. */
export function allEvents(events: readonly Event[], derive: readonly string[]): Event[] {
  const out = withStandardEvents(events);
  for (const text of derive) out.push(deriveEvent(text, out));
  return out;
}
