// The trial of a number: its input and what is done with it.
import { makeInput } from './mutate.ts';
import type { Trial } from './oracle.ts';
import { makePlan } from './plan.ts';
import { Random } from './random.ts';
import { seedsOf } from './seeds.ts';

export function makeTrial(target: string, seed: string, input: number): Trial {
  const name = `${seed} ${target} ${input}`;
  return { target, input: makeInput(seedsOf(target), new Random(name)), plan: makePlan(name, new Random(`plan ${name}`)) };
}
