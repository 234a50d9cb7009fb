// Conditions on routines with laws, as they are typed: `sizes>5 r2>=0.9 law=n2 share>1 calls>100 object=libc`.

import { COMPARISONS } from '../../base/conditions.ts';
import { type Analysis, isOfKind, percentageBase } from '../answers/analysis.ts';
import { routineObject } from '../names/names.ts';
import { lawBefore, lawChange, type RoutineLaw } from './laws.ts';

export type LawCondition = (law: RoutineLaw) => boolean;

const WHERE_HELP =
  'sizes calls share (%) worst r2 slope with > < >= <= =; law=n2 (constant logN n nLogN n2 n3 nN2 nLogNN2 n2N3 power exponential none); change=worse (better same) with --base; object=TEXT';

/** The condition, or a message saying why the text is not one. */
export function parseWhere(text: string, analysis: Analysis<'inputs'>, base?: Analysis): LawCondition | string {
  const all: LawCondition[] = [];
  for (const word of text.match(/\S+/g) ?? []) {
    const condition = parseCondition(word, analysis, base);
    if (typeof condition === 'string') return condition;
    all.push(condition);
  }
  return (l) => all.every((c) => c(l));
}

function parseCondition(word: string, analysis: Analysis<'inputs'>, base: Analysis | undefined): LawCondition | string {
  const { profile, totals } = analysis;
  const wrong = `"${word}" is no condition: ${WHERE_HELP}`;
  const m = /^([a-z0-9]+)(>=|<=|>|<|=)(.+)$/i.exec(word); // bounded: only > and < are tried twice
  if (!m) return wrong;
  const [, name, operator, given] = m;
  const wanted = given.toLowerCase();
  if (name === 'law' || name === 'class') return (l) => (l.fit?.best ?? '').toLowerCase() === wanted;
  if (name === 'object') return (l) => (routineObject(profile, l.routine) ?? '').includes(given);
  if (name === 'change') {
    if (!base || !isOfKind(base, 'inputs')) return `"${word}" needs another run to compare with: --base FILE`;
    if (!/^(worse|better|same)$/.test(wanted)) return wrong;
    return (l) => lawChange(l.fit, lawBefore(l, base)?.fit) === wanted;
  }
  const whole = percentageBase(analysis, profile.events[0]);
  const values = new Map<string, (l: RoutineLaw) => number>([
    ['sizes', (l) => l.sizes],
    ['calls', (l) => l.calls],
    ['worst', (l) => l.worst],
    ['share', (l) => (100 * totals.inclusive[0][l.routine]) / whole],
    ['r2', (l) => l.fit?.r2 ?? Number.NaN],
    ['slope', (l) => l.fit?.slope ?? Number.NaN],
  ]);
  const value = values.get(name);
  const number = Number(given);
  const compare = COMPARISONS[operator];
  return value && !Number.isNaN(number) ? (l) => compare(value(l), number) : wrong;
}
