// The worker as seen by the runner: started when needed, watched, killed when an input takes too long.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Failure } from './failure.ts';
import type { Reply, Request } from './messages.ts';
import { readBeacon } from './steps.ts';

const WORKER = new URL('worker.ts', import.meta.url);
const HEAP_MB = 1024;
const LOOK_MS = 200;

/** A worker that waits for what never comes uses no processor: it has so many times as long. */
const WAIT = 6;

/** Processor time of a process in milliseconds, as Linux says it: on a machine with others, an input has less than the clock shows. */
function processorMs(pid: number | undefined): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
    // utime and stime, in ticks of 10 ms.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    // Another system, or it has just ended.
    return undefined;
  }
}

/** How a worker ended that did not answer. */
export interface Ended {
  readonly type: 'ended';
  readonly input: number;
  readonly failure: Failure;
}

export class Child {
  private readonly worker: string;
  private readonly folder = mkdtempSync(join(tmpdir(), 'proftui-fuzz-'));
  private readonly beacon = join(this.folder, 'beacon');
  private process: ChildProcess | undefined;
  private errors = '';

  constructor(worker: URL = WORKER) {
    this.worker = fileURLToPath(worker);
  }

  private start(): ChildProcess {
    writeFileSync(this.beacon, '');
    this.errors = '';
    const made = fork(this.worker, [this.beacon, join(this.folder, 'packed')], {
      serialization: 'advanced',
      execArgv: ['--import', 'tsx', '--expose-gc', '--max-semi-space-size=64', `--max-old-space-size=${HEAP_MB}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    made.stderr?.on('data', (text: Buffer) => {
      this.errors = (this.errors + text.toString('latin1')).slice(-4000);
    });
    return made;
  }

  /** Sends a request and passes on the replies up to the last; how the worker ended, if it hung for `timeBudgetMs` or died. */
  ask(request: Request, timeBudgetMs: number, take: (reply: Reply) => void): Promise<Ended | undefined> {
    this.process ??= this.start();
    const child = this.process;
    return new Promise((resolve, reject) => {
      let count = -1;
      let since = { clock: 0, processor: 0 };
      let hung = false;
      const look = setInterval(() => {
        const seen = readBeacon(readFileSync(this.beacon, 'latin1'));
        const clock = Date.now();
        const processor = processorMs(child.pid) ?? clock;
        // Starting takes a second or two on a busy machine; nothing runs yet.
        if (seen.count !== count || seen.count === 0) [count, since] = [seen.count, { clock, processor }];
        else if (processor - since.processor > timeBudgetMs || clock - since.clock > WAIT * timeBudgetMs) {
          hung = true;
          child.kill('SIGKILL');
        }
      }, LOOK_MS);
      const finish = (end: Ended | undefined) => {
        clearInterval(look);
        child.removeAllListeners('message').removeAllListeners('exit');
        resolve(end);
      };
      child.on('message', (reply: Reply) => {
        if (reply.type === 'broken') reject(new Error(`the fuzzer is wrong: ${reply.stack}`));
        else take(reply);
        if (reply.type !== 'find') finish(undefined);
      });
      child.on('exit', (code, signal) => {
        this.process = undefined;
        const { input, step } = readBeacon(readFileSync(this.beacon, 'latin1'));
        const how = hung
          ? `no end after ${timeBudgetMs} ms`
          : `the process ended (${signal ?? code}): ${this.errors.slice(-1500)}`;
        const cause = hung ? 'no end' : (/FATAL ERROR: [^\n]*|[A-Z]\w*Error[^\n]*/.exec(this.errors)?.[0] ?? `${signal ?? code}`);
        finish({
          type: 'ended',
          input,
          failure: { kind: hung ? 'hang' : 'abort', step, cause: cause.slice(0, 120), detail: how },
        });
      });
      child.send(request);
    });
  }

  close(): void {
    this.process?.removeAllListeners('exit');
    this.process?.kill('SIGKILL');
    this.process = undefined;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
