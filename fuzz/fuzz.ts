// Fuzzes a target: runs its inputs in a worker, goes on where one hung or died, and makes what was found small.
import type { Child } from './child.ts';
import { type Failure, keyOf } from './failure.ts';
import type { Trial } from './oracle.ts';
import { shrink } from './shrink.ts';
import { makeTrial } from './trial.ts';

export interface Options {
  readonly seed: string;
  /** Ends after so many inputs, or seconds, whichever comes first. */
  readonly inputs: number;
  readonly seconds: number;
  /** Milliseconds that an input may take before its worker is killed. */
  readonly watchdogMs: number;
  /** Seconds for making each find small, and for all of them four times as many; 0: finds stay as they are. */
  readonly shrinkSeconds: number;
  readonly onFind?: (find: Find) => void;
}

export interface Find {
  readonly target: string;
  /** The number of the input. */
  readonly input: number;
  readonly failure: Failure;
  readonly trial: Trial;
}

export interface Result {
  readonly target: string;
  readonly inputs: number;
  /** How many of them could be read; without those of workers that ended. */
  readonly loaded: number;
  readonly finds: readonly Find[];
  readonly seconds: number;
}

/** After so many hangs and deaths of one cause, there is no point in going on. */
const MOST_ENDS = 25;

export async function fuzz(target: string, child: Child, options: Options): Promise<Result> {
  const start = Date.now();
  const until = start + options.seconds * 1000;
  const found = new Map<string, { input: number; failure: Failure }>();
  const keep = (input: number, failure: Failure) => {
    if (!found.has(keyOf(failure))) found.set(keyOf(failure), { input, failure });
  };
  let next = 0;
  let loaded = 0;
  for (let ends = 0; next < options.inputs && Date.now() < until && ends < MOST_ENDS; ) {
    const request = {
      type: 'run',
      target,
      seed: options.seed,
      from: next,
      to: options.inputs,
      known: [...found.keys()],
      until,
    } as const;
    const ended = await child.ask(request, options.watchdogMs, (reply) => {
      if (reply.type === 'find') keep(reply.input, reply.failure);
      else if (reply.type === 'done') [next, loaded] = [reply.next, loaded + reply.loaded];
    });
    if (!ended) break;
    keep(ended.input, ended.failure);
    next = ended.input + 1;
    ends++;
  }
  const seconds = (Date.now() - start) / 1000;
  const finds: Find[] = [];
  const shrunk = Date.now() + 4000 * options.shrinkSeconds;
  for (const { input, failure } of found.values()) {
    const trial = await smallest(makeTrial(target, options.seed, input), failure, child, options, shrunk);
    const find = { target, input, failure, trial };
    finds.push(find);
    options.onFind?.(find);
  }
  return { target, inputs: next, loaded, finds, seconds };
}

async function smallest(
  trial: Trial,
  failure: Failure,
  child: Child,
  { shrinkSeconds, watchdogMs }: Options,
  end: number,
): Promise<Trial> {
  if (shrinkSeconds === 0) return trial;
  const key = keyOf(failure);
  // A hang that has become much shorter is another one.
  const patience = failure.kind === 'hang' ? Math.min(watchdogMs, 3000) : watchdogMs;
  const fails = async (next: Trial) => (await judged(child, next, patience)).some((f) => keyOf(f) === key);
  return shrink(trial, fails, Math.min(end, Date.now() + shrinkSeconds * 1000));
}

/** What is wrong with a trial, a hang and a death of the worker included. */
export async function judged(child: Child, trial: Trial, timeBudgetMs: number): Promise<readonly Failure[]> {
  let failures: readonly Failure[] = [];
  const ended = await child.ask({ type: 'judge', trial }, timeBudgetMs, (reply) => {
    if (reply.type === 'judged') failures = reply.failures;
  });
  return ended ? [ended.failure] : failures;
}
