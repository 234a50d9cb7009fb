// Derived events: `L1m = I1mr + D1mr + D1mw`, `CEst = Ir + 10 L1m + 100 LLm`. A formula sums factors times events.
// Events in a formula may be derived, too. A formula is resolved to factors of recorded cost columns.
import { addToList } from '../base/lists.ts';
import type { Problem } from '../base/problem.ts';
import type { Event, Term } from './head.ts';

export interface Formula {
  readonly name: string;
  readonly formula?: string;
  readonly longName?: string;
  readonly path: string;
  readonly line?: number;
}

/**
 * The sign and the factor of a term; the name of an event follows. A hexadecimal number is taken whole or not at all: otherwise each of its
 * digits could begin the name.
 */
const TERM_FACTOR = /^([+-]?)\s*(?:((?=(0x[0-9a-f]+))\3|(?!0x)\d+(?:\.\d+)?)(?:\s*\*\s*|\s+|(?=[^\d.*\s])))?/i;

/** The terms of a formula, one per event; undefined if the text is not a formula. */
export function parseFormula(text: string): [factor: number, event: string][] | undefined {
  const parts = text.split(/(?=[+-]\s|[+])/).flatMap((part) => part.trim() || []);
  const out = new Map<string, number>();
  for (const part of parts) {
    const m = TERM_FACTOR.exec(part);
    const event = part.slice(m?.[0].length);
    if (!m || event === '' || /\s/.test(event)) return undefined;
    const factor = (m[2] === undefined ? 1 : Number(m[2])) * (m[1] === '-' ? -1 : 1);
    out.set(event, (out.get(event) ?? 0) + factor);
  }
  return out.size > 0 ? [...out].map(([event, factor]) => [factor, event]) : undefined;
}

/** The largest factor. Larger ones are rounded, and sums of their terms may be infinite. */
const MAX_FACTOR = 2 ** 53;
/** The maximum number of terms in all formulas together, counted after resolving them to recorded events. */
const MAX_TERMS = 1e6;

/**
 * The derived events that can be computed, in the order of the notes. One that needs a missing event or
 * depends on itself is left out with a warning that names it.
 */
export function resolveFormulas(notes: readonly Formula[], known: readonly Event[], warn: (p: Problem) => void): Event[] {
  const parsed = new Map(notes.map((n) => [n.name, parseFormula(n.formula ?? '')]));
  const done = new Map<string, Event>(known.map((e) => [e.name, e]));
  const failed = new Set<string>();
  const complain = (note: Formula, expected: string, found: string) => {
    failed.add(note.name);
    warn({ path: note.path, ...(note.line === undefined ? {} : { line: note.line }), expected, found });
  };
  /** By event name: the formulas that need this event, which comes later. */
  const waiting = new Map<string, Formula[]>();
  /** By formula: the number of its terms that are known. */
  const ready = new Map<string, number>();
  let total = 0;
  const queue = [...notes];
  for (const note of queue) {
    if (done.has(note.name) || failed.has(note.name)) continue;
    const terms = parsed.get(note.name);
    let at = ready.get(note.name) ?? 0;
    while (terms && at < terms.length && done.has(terms[at][1])) at++;
    ready.set(note.name, at);
    const next = terms?.[at]?.[1];
    if (!terms) complain(note, `a formula for event ${note.name}, like 2 Ir + Dr`, note.formula ?? '');
    else if (next !== undefined && (!parsed.has(next) || failed.has(next)))
      complain(note, `recorded events in the formula of ${note.name}`, `event ${next} is not recorded`);
    else if (next !== undefined) {
      addToList(waiting, next, note);
      continue;
    } else {
      const parts = terms.flatMap(([factor, name]) => {
        const event = done.get(name);
        return event ? [[factor, event] as const] : [];
      });
      total += parts.reduce((sum, [, { terms }]) => sum + terms.length, 0);
      const event = total > MAX_TERMS ? undefined : combineTerms(note, parts);
      const other = parts.find(([, { onlyIn }]) => onlyIn !== parts[0][1].onlyIn)?.[1];
      if (other)
        complain(
          note,
          `events of the same parts in the formula of ${note.name}`,
          `${parts[0][1].name} and ${other.name} of others`,
        );
      else if (!event) complain(note, `formulas of at most ${MAX_TERMS} terms`, `more, with that of ${note.name}`);
      else if (event.terms.every(([factor]) => Math.abs(factor) <= MAX_FACTOR)) done.set(note.name, event);
      else complain(note, `factors up to 2^53 in the formula of ${note.name}`, 'a larger one');
    }
    for (const other of waiting.get(note.name) ?? []) queue.push(other);
  }
  const circular = notes.filter((n) => !done.has(n.name) && !failed.has(n.name));
  if (circular.length > 0) {
    const names = circular.map((n) => n.name).join(' and ');
    const found = circular.length === 1 ? `${names} depends on itself` : `${names} depend on each other`;
    complain(circular[0], 'a formula that leads back to recorded events', found);
  }
  return notes.flatMap((n) => (known.some((e) => e.name === n.name) ? [] : (done.get(n.name) ?? [])));
}

function combineTerms(note: Formula, parts: readonly (readonly [factor: number, event: Event])[]): Event {
  const sum = (pick: (event: Event) => readonly Term[]): Term[] => {
    const by = new Map<number, number>();
    for (const [factor, event] of parts)
      for (const [f, column] of pick(event)) by.set(column, (by.get(column) ?? 0) + factor * f);
    return [...by].map(([column, factor]) => [factor, column]);
  };
  const wide = parts.some(([, e]) => e.exact) && parts.every(([f]) => Number.isInteger(f));
  return {
    name: note.name,
    unit: parts[0][1].unit,
    ...(note.longName ? { longName: note.longName } : {}),
    formula: note.formula ?? '',
    terms: sum((e) => e.terms),
    ...(parts[0][1].onlyIn === undefined ? {} : { onlyIn: parts[0][1].onlyIn }),
    ...(wide ? { exact: { high: sum((e) => e.exact?.high ?? []), low: sum((e) => e.exact?.low ?? e.terms) } } : {}),
  };
}
