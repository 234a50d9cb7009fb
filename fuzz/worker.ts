// Runs inputs in a process of its own, which may hang or die. Arguments: the file of the beacon, and one for packed inputs.
import { openSync } from 'node:fs';
import { type Failure, keyOf } from './failure.ts';
import { judge } from './judge.ts';
import type { Reply, Request } from './messages.ts';
import { Beacon } from './steps.ts';
import { makeTrial } from './trial.ts';

const MOST_LOOKS = 5;

const [beaconFile, packedFile] = process.argv.slice(2);
const beacon = new Beacon(openSync(beaconFile, 'r+'));
const room = { file: packedFile };
const reply = (message: Reply) => process.send?.(message);

/** Failures of promises that nobody waits for belong to the input that runs. */
const stray: Failure[] = [];
process.on('unhandledRejection', (error) => {
  const detail = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  stray.push({ kind: 'exception', step: 'unhandled rejection', cause: detail.split('\n')[0].slice(0, 100), detail });
});

async function run({ target, seed, from, to, known, until }: Extract<Request, { type: 'run' }>): Promise<void> {
  const seen = new Set(known);
  const looks = new Map<string, number>();
  // Measuring takes seconds: the same step is not measured for every input.
  const again = (what: string) => {
    const count = (looks.get(what) ?? 0) + 1;
    looks.set(what, count);
    return count <= MOST_LOOKS;
  };
  let input = from;
  let read = 0;
  for (; input < to && Date.now() < until; input++) {
    beacon.begin(input);
    const { failures, loaded } = await judge(makeTrial(target, seed, input), room, (step) => beacon.step(step), again);
    if (loaded) read++;
    for (const failure of [...failures, ...stray.splice(0)]) {
      const key = keyOf(failure);
      if (!seen.has(key)) reply({ type: 'find', input, failure });
      seen.add(key);
    }
  }
  reply({ type: 'done', next: input, loaded: read });
}

async function answer(request: Request): Promise<void> {
  if (request.type === 'run') return run(request);
  beacon.begin(-1);
  const { failures } = await judge(request.trial, room, (step) => beacon.step(step));
  reply({ type: 'judged', failures: [...failures, ...stray.splice(0)] });
}

process.on('message', (request: Request) => {
  answer(request).catch((error: Error) => reply({ type: 'broken', stack: String(error.stack) }));
});
process.on('disconnect', () => process.exit(0));
