// The steps of a run over an input: each is timed, its name is known outside while it runs, and what it throws is kept.
import { writeSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { exceptionOf, type Failure } from './failure.ts';

/** A single step may take so long, and all of them together; for larger inputs in proportion. */
export const STEP_MS = 500;
export const INPUT_MS = 2000;
/** Bytes of input that the limits are for. */
export const INPUT_BYTES = 64 << 10;
export const MEMORY = 300 << 20;

export interface Slow {
  readonly step: string;
  readonly ms: number;
  readonly limit: number;
}

const inUse = (): number => {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
};

/** Milliseconds of this process: those that others took of the machine do not count. */
const processMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Milliseconds of a processor for the work of `pace()` on the machine for which the limits were set. */
const PACE_MS = 60;

/**
 * How many times slower this machine is now than the one for which the limits were set, at least 1: neighbours on the same
 * cores make each millisecond of a process do less.
 */
export function pace(): number {
  const from = processMs();
  const seen = new Map<string, number>();
  for (let i = 0; i < 60_000; i++) {
    const name = `name ${i % 7000} ${i}`.replace(/ /g, '_');
    seen.set(name, (seen.get(name.slice(0, 9)) ?? 0) + name.length);
  }
  return Math.max(1, (processMs() - from) / PACE_MS);
}

export class Steps {
  readonly failures: Failure[] = [];
  readonly slow: Slow[] = [];
  /** The input was read as a profile, or as an object. */
  loaded = false;
  /** Bytes beyond those at the start, at most. */
  grown = 0;
  private readonly start = inUse();
  private readonly began: number;
  private readonly clock: () => number;
  private readonly limit: number;
  private readonly tell: (step: string) => void;

  /** `alone`: measured by the time of this process; `bytes`: of the input. */
  constructor(bytes: number, alone: boolean, tell: (step: string) => void) {
    this.clock = alone ? processMs : () => performance.now();
    this.limit = Math.max(1, bytes / INPUT_BYTES);
    this.tell = tell;
    this.began = this.clock();
  }

  /** Other work on the machine made the steps so many times slower. */
  forgive(times: number): void {
    this.slow.splice(0, this.slow.length, ...this.slow.filter(({ ms, limit }) => ms > limit * times));
  }

  fail(failure: Failure): void {
    this.failures.push(failure);
  }

  /** Runs a step; undefined if it threw. */
  async run<T>(step: string, work: () => T | Promise<T>): Promise<T | undefined> {
    this.tell(step);
    const from = this.clock();
    try {
      return await work();
    } catch (error) {
      this.fail(exceptionOf(step, error));
      return undefined;
    } finally {
      this.took(step, this.clock() - from);
    }
  }

  took(step: string, ms: number): void {
    const limit = STEP_MS * this.limit;
    if (ms > limit) this.slow.push({ step, ms, limit });
    this.grown = Math.max(this.grown, inUse() - this.start);
  }

  get memoryExceeded(): boolean {
    return this.grown > MEMORY * this.limit;
  }

  /** After the last step. */
  done(): void {
    const ms = this.clock() - this.began;
    const limit = INPUT_MS * this.limit;
    if (ms > limit && this.slow.length === 0) this.slow.push({ step: 'all together', ms, limit });
  }
}

/** What the process is at, in a file that another process reads when this one does not answer any more. */
export class Beacon {
  private readonly fd: number;
  private input = 0;
  private count = 0;

  constructor(fd: number) {
    this.fd = fd;
  }

  begin(input: number): void {
    this.input = input;
    this.count++;
    this.step('making it');
  }

  step(name: string): void {
    writeSync(this.fd, `${this.count} ${this.input} ${name.slice(0, 60)}`.padEnd(120), 0);
  }
}

export interface Seen {
  /** Changes with every input. */
  readonly count: number;
  readonly input: number;
  readonly step: string;
}

export function readBeacon(text: string): Seen {
  const m = /^(\d+) (-?\d+) (.*)$/.exec(text.trim());
  return { count: Number(m?.[1] ?? 0), input: Number(m?.[2] ?? -1), step: m?.[3] ?? '' };
}
