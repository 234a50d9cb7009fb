// The trial of a number: its input and what is done with it.
import { makeInput } from './mutate.ts';
import type { Trial } from './oracle.ts';
import { makePlan } from './plan.ts';
import { Random } from './random.ts';
import { type Seeds, seedsOf } from './seeds.ts';

const read = new Map<string, Seeds>();

export function makeTrial(target: string, seed: string, input: number): Trial {
  let seeds = read.get(target);
  if (!seeds) read.set(target, (seeds = seedsOf(target)));
  const name = `${seed} ${target} ${input}`;
  return { target, input: makeInput(seeds, new Random(name)), plan: makePlan(name, new Random(`plan ${name}`)) };
}
