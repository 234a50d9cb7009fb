// Compares text with a file under test/goldens. UPDATE_GOLDENS=1 writes it; the difference is then read in git.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPatch } from 'diff';
import { ROOT } from './fixtures.ts';

export function matchesGolden(name: string, text: string): void {
  const path = join(ROOT, 'test/goldens', name);
  if (process.env['UPDATE_GOLDENS']) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  assert.ok(existsSync(path), `there is no golden ${name}: UPDATE_GOLDENS=1 writes it`);
  const golden = readFileSync(path, 'utf8');
  // The changed lines, not two texts of ten thousand characters.
  if (text !== golden) assert.fail(createPatch(`test/goldens/${name}`, golden, text, 'golden', 'now', { context: 1 }));
}
