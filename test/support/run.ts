// Runs the built program as a script does: no terminal.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './fixtures.ts';

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** No run takes a tenth of it. */
const HUNG_MS = 180_000;

export function run(
  args: readonly string[],
  options: { input?: string | Uint8Array; cwd?: string; env?: Record<string, string> } = {},
): Outcome {
  const result = spawnSync(process.execPath, [join(ROOT, 'bin/proftui.js'), ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    // A program that hangs fails its test, with what it wrote until then.
    ...{ timeout: HUNG_MS, killSignal: 'SIGKILL' },
    ...(options.input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] as const } : { input: options.input }),
    ...(options.cwd ? { cwd: options.cwd } : {}),
    env: { ...process.env, ...options.env },
  });
  return { code: result.status, out: result.stdout, err: result.stderr };
}
