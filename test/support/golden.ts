// Compares text with a file under test/goldens. UPDATE_GOLDENS=1 writes it and prints the difference.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPatch } from 'diff';
import { ROOT } from './fixtures.ts';

export function matchesGolden(name: string, text: string): void {
  const path = join(ROOT, 'test/goldens', name);
  // The changed lines, not two texts of ten thousand characters.
  const difference = (golden: string) => createPatch(`test/goldens/${name}`, golden, text, 'golden', 'now', { context: 1 });
  if (process.env['UPDATE_GOLDENS']) {
    const golden = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (text !== golden) console.error(difference(golden));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  assert.ok(existsSync(path), `there is no golden ${name}: UPDATE_GOLDENS=1 writes it`);
  const golden = readFileSync(path, 'utf8');
  if (text !== golden) assert.fail(difference(golden));
}
