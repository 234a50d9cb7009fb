// Conditions on routines with laws, as they are typed: `sizes>5 r2>=0.9 law=n2 share>1 calls>100 object=libc`.

import { type Analysis, isOfKind, percentageBase } from '../answers/analysis.ts';
import { routineObject } from '../names/names.ts';
import { lawBefore, lawChange, type RoutineLaw } from './laws.ts';

export type LawCondition = (law: RoutineLaw) => boolean;

const WHERE_HELP =
  'sizes calls share (%) worst r2 slope with > < >= <= =; law=n2 (constant logN n nLogN n2 n3 nN2 nLogNN2 n2N3 power exponential none); change=worse (better same) with --base; object=TEXT';

/** The condition, or a message saying why the text is not one. */
export function parseWhere(text: string, analysis: Analysis<'inputs'>, base?: Analysis): LawCondition | string {
  const all: LawCondition[] = [];
  const whole = percentageBase(analysis, analysis.profile.events[0]);
  const values = new Map<string, (l: RoutineLaw) => number>([
    ['sizes', (l) => l.sizes],
    ['calls', (l) => l.calls],
    ['worst', (l) => l.worst],
    ['share', (l) => (100 * analysis.totals.inclusive[0][l.routine]) / whole],
    ['r2', (l) => l.fit?.r2 ?? Number.NaN],
    ['slope', (l) => l.fit?.slope ?? Number.NaN],
  ]);
  for (const word of text.trim().split(/\s+/)) {
    if (word === '') continue;
    const m = /^([a-z0-9]+)(>=|<=|>|<|=)(.+)$/i.exec(word); // bounded: only > and < are tried twice
    if (!m) return `"${word}" is no condition: ${WHERE_HELP}`;
    const [, name, operator, given] = m;
    if (name === 'law' || name === 'class') {
      const wanted = given.toLowerCase();
      all.push((l) => (l.fit?.best ?? '').toLowerCase() === wanted);
      continue;
    }
    if (name === 'change') {
      if (!base || !isOfKind(base, 'inputs')) return `"${word}" needs another run to compare with: --base FILE`;
      if (!/^(worse|better|same)$/i.test(given)) return `"${word}" is no condition: ${WHERE_HELP}`;
      all.push((l) => lawChange(l.fit, lawBefore(l, base)?.fit) === given.toLowerCase());
      continue;
    }
    if (name === 'object') {
      all.push((l) => (routineObject(analysis.profile, l.routine) ?? '').includes(given));
      continue;
    }
    const value = values.get(name);
    const number = Number(given);
    if (!value || Number.isNaN(number)) return `"${word}" is no condition: ${WHERE_HELP}`;
    const test: Record<string, (v: number) => boolean> = {
      '>': (v) => v > number,
      '<': (v) => v < number,
      '>=': (v) => v >= number,
      '<=': (v) => v <= number,
      '=': (v) => v === number,
    };
    all.push((l) => test[operator](value(l)));
  }
  return (l) => all.every((c) => c(l));
}
