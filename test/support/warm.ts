// Runs the built program as a script does, all commands of a test process in one process that stays warm: each takes a tenth of the time.
// Tests of the process itself (standard input, signals, memory, how it starts and ends) use run().
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Outcome } from './run.ts';

/** No command takes a tenth of it. */
const HUNG_MS = 180_000;

/** A thread that passes commands on and rings the bell when there is an answer. */
function startRelay() {
  const { port1: port, port2 } = new MessageChannel();
  const bell = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('warm-relay.mjs', import.meta.url), {
    workerData: { port: port2, bell, hungMs: HUNG_MS },
    transferList: [port2],
    execArgv: [],
  });
  worker.unref();
  return { port, bell };
}

let relay: ReturnType<typeof startRelay> | undefined;

/** The outcome of one command; `code` is null if the process hung or died. */
export function runWarm(
  args: readonly string[],
  { cwd = process.cwd(), env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Outcome {
  relay ??= startRelay();
  const { port, bell } = relay;
  Atomics.store(bell, 0, 0);
  port.postMessage({ args, cwd, env: { ...process.env, ...env } });
  Atomics.wait(bell, 0, 0);
  const answer: Outcome | undefined = receiveMessageOnPort(port)?.message;
  return answer ?? { code: null, out: '', err: 'no answer' };
}
