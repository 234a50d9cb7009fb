// Derived events: `L1m = I1mr + D1mr + D1mw`, `CEst = Ir + 10 L1m + 100 LLm`. A formula is a sum of factors times events,
// which may be derived themselves; it is resolved to factors of the recorded cost columns.
import type { Problem } from '../base/problem.ts';
import type { Event, Term } from './head.ts';

export interface Formula {
  readonly name: string;
  readonly formula?: string;
  readonly longName?: string;
  readonly path: string;
  readonly line?: number;
}

/** The sign and the factor of a term; the name of an event follows. */
const FACTOR = /^([+-]?)\s*(?:(0x[0-9a-f]+|\d+(?:\.\d+)?)(?:\s*\*\s*|\s+|(?=[^\d.*\s])))?/i;

/** The terms of a formula by event name; undefined if the text is not a formula. */
export function parseFormula(text: string): [factor: number, event: string][] | undefined {
  const parts = text
    .trim()
    .split(/(?=[+-]\s|[+])/)
    .map((p) => p.trim())
    .filter((p) => p !== '');
  const out: [number, string][] = [];
  for (const part of parts) {
    const m = FACTOR.exec(part);
    const event = part.slice(m?.[0].length);
    if (!m || event === '' || /\s/.test(event)) return undefined;
    const factor = (m[2] === undefined ? 1 : Number(m[2])) * (m[1] === '-' ? -1 : 1);
    out.push([factor, event]);
  }
  return out.length > 0 ? out : undefined;
}

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
  // Notes may refer to later ones: repeat until nothing more resolves. What is left is circular.
  for (let progress = true; progress; ) {
    progress = false;
    for (const note of notes) {
      if (done.has(note.name) || failed.has(note.name)) continue;
      const terms = parsed.get(note.name);
      if (!terms) {
        complain(note, `a formula for event ${note.name}, like 2 Ir + Dr`, note.formula ?? '');
        progress = true;
        continue;
      }
      const missing = terms.find(([, name]) => !done.has(name) && (!parsed.has(name) || failed.has(name)));
      if (missing) {
        complain(note, `recorded events in the formula of ${note.name}`, `event ${missing[1]} is not recorded`);
        progress = true;
      } else if (terms.every(([, name]) => done.has(name))) {
        done.set(
          note.name,
          combine(
            note,
            terms.map(([factor, name]) => [factor, done.get(name)!]),
          ),
        );
        progress = true;
      }
    }
  }
  const circular = notes.filter((n) => !done.has(n.name) && !failed.has(n.name));
  if (circular.length > 0) {
    const names = circular.map((n) => n.name);
    complain(
      circular[0],
      'a formula that leads back to recorded events',
      names.length === 1 ? `${names[0]} depends on itself` : `${names.join(' and ')} depend on each other`,
    );
  }
  return notes.flatMap((n) => (known.some((e) => e.name === n.name) ? [] : (done.get(n.name) ?? [])));
}

function combine(note: Formula, parts: readonly (readonly [factor: number, event: Event])[]): Event {
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
    ...(wide ? { exact: { high: sum((e) => e.exact?.high ?? []), low: sum((e) => e.exact?.low ?? e.terms) } } : {}),
  };
}
