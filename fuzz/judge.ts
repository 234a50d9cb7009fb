// Runs an input, and says what is wrong with it. What took too long or too much memory is done again twice, measured alone.
import { Session } from 'node:inspector';
import type { Failure } from './failure.ts';
import { sizeOf } from './input.ts';
import type { Room } from './load.ts';
import { check, type Trial } from './oracle.ts';
import { pace, Steps } from './steps.ts';

const AGAIN = 2;

/** `again`: whether what took so long, or so much memory, is worth another look. */
export async function judge(
  trial: Trial,
  room: Room,
  tell: (step: string) => void,
  again: (what: string) => boolean = () => true,
): Promise<{ readonly failures: readonly Failure[]; readonly loaded: boolean }> {
  const bytes = sizeOf(trial.input);
  const first = new Steps(bytes, false, tell);
  await check(trial, room, first);
  const { failures, slow } = first;
  if (slow.length > 0 && again(slow[0].step)) failures.push(...(await slowAlone(trial, room, first, tell)));
  if (first.memoryExceeded && again('memory')) failures.push(...(await largeAlone(trial, room, tell)));
  return { failures, loaded: first.loaded };
}

async function slowAlone(trial: Trial, room: Room, { slow }: Steps, tell: (step: string) => void): Promise<Failure[]> {
  let left = slow;
  let hot = '';
  for (let n = 0; n < AGAIN && left.length > 0; n++) {
    const steps = new Steps(sizeOf(trial.input), true, tell);
    const before = pace();
    hot = await hottest(() => check(trial, room, steps));
    steps.forgive(Math.max(before, pace()));
    left = left.filter((s) => steps.slow.some((again) => again.step === s.step));
  }
  return left.slice(0, 1).map(({ step, ms }) => ({
    kind: 'slow',
    step,
    cause: hot,
    detail: `${step} took ${Math.round(ms)} ms, most of it in ${hot}`,
  }));
}

async function largeAlone(trial: Trial, room: Room, tell: (step: string) => void): Promise<Failure[]> {
  let grown = 0;
  for (let n = 0; n < AGAIN; n++) {
    globalThis.gc?.();
    const steps = new Steps(sizeOf(trial.input), true, tell);
    await check(trial, room, steps);
    if (!steps.memoryExceeded) return [];
    grown = steps.grown;
  }
  return [
    { kind: 'memory', step: 'all together', cause: trial.target, detail: `${Math.round(grown / 2 ** 20)} MB more than before` },
  ];
}

/** The function of the program in which most of the time went, natives counted to who called them. */
async function hottest(work: () => Promise<void>): Promise<string> {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.start');
  await work();
  let out = 'unknown';
  // The callback is called before post() returns.
  session.post('Profiler.stop', (error, said) => {
    if (error) return;
    const { nodes } = said.profile;
    const parent = new Map(nodes.flatMap((n) => (n.children ?? []).map((c) => [c, n] as const)));
    const byId = new Map(nodes.map((n) => [n.id, n]));
    const times = new Map<string, number>();
    for (const node of nodes) {
      let at = byId.get(node.id);
      while (at && !/\/src\//.test(at.callFrame.url)) at = parent.get(at.id);
      const url = at?.callFrame.url ?? '';
      const name = at ? `${at.callFrame.functionName || 'a function'} (${url.slice(url.indexOf('/src/') + 1)})` : 'unknown';
      times.set(name, (times.get(name) ?? 0) + (node.hitCount ?? 0));
    }
    out = [...times].filter(([name]) => name !== 'unknown').sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'unknown';
  });
  session.disconnect();
  return out;
}
