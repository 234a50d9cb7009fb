// Exports that are cut short, and files that are replaced.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FIXTURES, ROOT } from '../support/fixtures.ts';
import { long } from '../support/long.ts';

const PROGRAM = join(ROOT, 'bin/proftui.js');

long(
  'a signal while a file is written leaves none; what is replaced keeps its mode; long names of wide characters can be written',
  async () => {
    const here = mkdtempSync(join(tmpdir(), 'proftui-export-'));
    const big = join(here, 'big.folded');
    writeFileSync(big, Array.from({ length: 300_000 }, (_, i) => `main;f${i % 5000};g${i} 1\n`).join(''));
    const child = spawn(process.execPath, [PROGRAM, big, '--export', 'speedscope', '-o', join(here, 'out.json')]);
    const isWriting = () => readdirSync(here).some((name) => name.endsWith('.tmp'));
    while (!isWriting() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(isWriting());
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    assert.equal(code, 130);
    assert.deepEqual(readdirSync(here), ['big.folded']);
    const kept = join(here, 'kept.folded');
    writeFileSync(kept, '', { mode: 0o600 });
    const small = join(FIXTURES, 'folded/edge.folded');
    execFileSync(process.execPath, [PROGRAM, small, '--export', 'folded', '-o', kept]);
    assert.equal(statSync(kept).mode & 0o777, 0o600);
    execFileSync(process.execPath, [PROGRAM, small, '--export', 'folded', '-o', join(here, `${'漢'.repeat(80)}.folded`)]);
    rmSync(here, { recursive: true });
  },
);
