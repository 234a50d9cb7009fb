// How time and memory grow with the size of an input, by the built program: four times as much of one thing takes at most six times the CPU and
// five times the memory, where that is more than a moment. A quadratic step shows as sixteen times. `npm run test:long`; times are CPU, so that a
// busy machine changes little, and what seems too slow is measured again.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { ROOT } from './support/fixtures.ts';
import { type Growing, growing } from './support/growing.ts';
import { longest } from './support/long.ts';

const SMALL = 10_000;
const TIMES = 4;
const MOST_CPU = 6;
const MOST_MEMORY = 5;
/** Less than this is a moment: seconds, and megabytes. */
const MOMENT = 0.5;
const LITTLE = 100;
const TIMEOUT_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const figures = join(folder, 'figures.json');
const preload = join(folder, 'preload.cjs');
writeFileSync(
  preload,
  `process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  require('node:fs').writeFileSync(${JSON.stringify(figures)}, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, mb: maxRSS / 1024 })); });`,
);

interface Figures {
  readonly cpu: number;
  readonly mb: number;
}

/** CPU in seconds and memory of `--print summary`; `slow` where it did not end. */
function measured({ make, format, refused }: Growing, n: number): Figures | 'slow' | 'refused' {
  const made = make(n);
  const files = typeof made === 'string' || made instanceof Uint8Array ? { 'profile.txt': made } : made;
  const input = join(folder, 'input');
  for (const [name, data] of Object.entries(files)) {
    const path = join(input, name);
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(path, data);
  }
  const first = join('input', Object.keys(files)[0]);
  rmSync(figures, { force: true });
  const args = [
    '--require',
    preload,
    join(ROOT, 'bin/proftui.js'),
    join(folder, first),
    '--print',
    'summary',
    '--format',
    format,
  ];
  const { status, signal, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    maxBuffer: 1 << 28,
  });
  rmSync(input, { recursive: true });
  if (signal !== null) return 'slow';
  if (status !== 0 && refused?.test(stderr)) return 'refused';
  assert.equal(status, 0, stderr.slice(0, 300));
  return JSON.parse(readFileSync(figures, 'utf8')) as Figures;
}

const EMPTY: Growing = { format: 'folded', dimension: 'nothing', make: () => 'a;b 1\n' };

for (const input of growing)
  longest(`${input.format}, ${input.dimension}: linear`, () => {
    const empty = measured(EMPTY, 1);
    assert.ok(typeof empty === 'object');
    const fault = (): string | undefined => {
      const large = measured(input, TIMES * SMALL);
      if (large === 'refused') return undefined;
      if (large === 'slow') return `more than ${TIMEOUT_MS / 1000} s`;
      const [cpu, mb] = [large.cpu - empty.cpu, large.mb - empty.mb];
      if (cpu < MOMENT && mb < LITTLE) return undefined;
      const small = measured(input, SMALL);
      assert.ok(typeof small === 'object', `${small} at the smaller size`);
      const ratios = [cpu / Math.max(0.01, small.cpu - empty.cpu), mb / Math.max(5, small.mb - empty.mb)];
      if ((cpu >= MOMENT && ratios[0] > MOST_CPU) || (mb >= LITTLE && ratios[1] > MOST_MEMORY))
        return `${TIMES} times as large: ${ratios[0].toFixed(1)} times the CPU (${cpu.toFixed(2)} s), ${ratios[1].toFixed(1)} times the memory (${mb.toFixed(0)} MB)`;
      return undefined;
    };
    const found = fault();
    // Measured again, since one run may have been unlucky.
    assert.equal(found && fault(), undefined);
  });
