// Compares two builds: steps are matched by role, target, output, source and configuration, the rest by fewer of these: in another
// folder the sources differ, and another configuration may have the same outputs.
import { memo } from '../../base/memo.ts';
import { stringAt } from '../../model/strings.ts';
import type { Analysis } from '../analysis.ts';
import { activeSteps, isJob, recordedName, stepName, stepText, type TextColumn } from './steps.ts';

export type ChangeKind = 'slower' | 'faster' | 'same' | 'new' | 'gone';

export interface Change {
  readonly kind: ChangeKind;
  /** Step of this build; -1 where it is gone. */
  readonly step: number;
  /** Step of the build before; -1 where it is new. */
  readonly before: number;
  /** Microseconds; NaN where there is none. */
  readonly beforeUs: number;
  readonly afterUs: number;
  /** How much longer it takes: for a new step all of its time, for one that is gone minus all of it. */
  readonly changeUs: number;
}

const jobsOf = (analysis: Analysis<'steps'>) => Array.from(activeSteps(analysis)).filter((i) => isJob(analysis.profile.steps, i));

/** What steps are matched by, pass by pass. */
const PASSES = [['source', 'config'], ['config'], []] as const;
type Pass = (typeof PASSES)[number];

function keyOf(analysis: Analysis<'steps'>, i: number, pass: Pass): string {
  const { profile } = analysis;
  const steps = profile.steps;
  const text = (column: TextColumn) => stepText(profile, column, i) ?? '';
  const output =
    steps.outputStart[i + 1] > steps.outputStart[i] ? stringAt(profile.strings, steps.outputPath[steps.outputStart[i]]) : '';
  // Without an output or a target, the name is all there is.
  const name = output === '' && text('target') === '' ? recordedName(profile, i) : '';
  return [text('role'), text('target'), output, name, ...pass.map(text)].join('\n');
}

/** Pairs steps of the same key in order of time: a library's three commands with its three of the build before. */
function match(
  analysis: Analysis<'steps'>,
  base: Analysis<'steps'>,
  now: readonly number[],
  then: readonly number[],
  pass: Pass,
): [number, number][] {
  const waiting = new Map<string, number[]>();
  for (const i of then) {
    const key = keyOf(base, i, pass);
    const list = waiting.get(key);
    if (list) list.push(i);
    else waiting.set(key, [i]);
  }
  for (const list of waiting.values()) list.reverse();
  return now.flatMap((i): [number, number][] => {
    const before = waiting.get(keyOf(analysis, i, pass))?.pop();
    return before === undefined ? [] : [[i, before]];
  });
}

/** The largest changes first. */
export const changesOf = memo((analysis: Analysis<'steps'>, base: Analysis<'steps'>): Change[] => {
  const now = jobsOf(analysis);
  const then = jobsOf(base);
  const pairs: [number, number][] = [];
  const matched = [new Set<number>(), new Set<number>()] as const;
  for (const pass of PASSES) {
    const left = now.filter((i) => !matched[0].has(i));
    const leftThen = then.filter((i) => !matched[1].has(i));
    for (const [i, b] of match(analysis, base, left, leftThen, pass)) {
      pairs.push([i, b]);
      matched[0].add(i);
      matched[1].add(b);
    }
  }
  const us = (a: Analysis<'steps'>, i: number) => a.profile.steps.durationUs[i];
  const out: Change[] = pairs.map(([step, before]) => {
    const [beforeUs, afterUs] = [us(base, before), us(analysis, step)];
    const changeUs = afterUs - beforeUs;
    return { kind: changeUs > 0 ? 'slower' : changeUs < 0 ? 'faster' : 'same', step, before, beforeUs, afterUs, changeUs };
  });
  for (const i of now)
    if (!matched[0].has(i))
      out.push({ kind: 'new', step: i, before: -1, beforeUs: Number.NaN, afterUs: us(analysis, i), changeUs: us(analysis, i) });
  for (const i of then)
    if (!matched[1].has(i))
      out.push({ kind: 'gone', step: -1, before: i, beforeUs: us(base, i), afterUs: Number.NaN, changeUs: -us(base, i) });
  return out.sort((a, b) => Math.abs(b.changeUs) - Math.abs(a.changeUs) || a.step - b.step);
}, 2);

/** The step's name, in the build that has it. */
export function changeName(analysis: Analysis<'steps'>, base: Analysis<'steps'>, change: Change, name = stepName): string {
  return change.step >= 0 ? name(analysis.profile, change.step) : name(base.profile, change.before);
}
