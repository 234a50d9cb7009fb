// Runs that a later run has replaced are left out everywhere, unless --parts asks for them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { long } from '../support/long.ts';
import { runWarm } from '../support/warm.ts';

/** Two runs, as ninja appends them: 10 s, and then 2 s, whose ends are smaller. */
const LOG = `# ninja log v5
0\t6000\t0\ta.o\t1
0\t10000\t0\tapp\t2
0\t1500\t0\tb.o\t3
100\t2000\t0\tlib\t4
`;

long('print, limits and the screen agree on the last run of a log; --parts all has every run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-older-'));
  const path = join(folder, '.ninja_log');
  writeFileSync(path, LOG);
  try {
    const rows = (text: string) => JSON.parse(text).rows.map((row: { name: string }) => row.name);
    const last = await runWarm([path, '--print', 'steps', '--json']);
    assert.deepEqual(rows(last.out).sort(), ['b.o', 'lib']);
    const all = await runWarm([path, '--print', 'steps', '--json', '--parts', 'all']);
    assert.deepEqual(rows(all.out).sort(), ['a.o', 'app', 'b.o', 'lib']);
    assert.equal((await runWarm([path, '--fail-if', 'build duration > 3s'])).code, 0);
    assert.equal((await runWarm([path, '--fail-if', 'build duration > 3s', '--parts', 'all'])).code, 3);
    assert.match((await runWarm([path, '--print', 'steps'])).out, /1 of 2 parts; --parts N or all shows others/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
