// Fixtures of many files: a bundle holds them by path, and is unpacked for a test.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readJson } from './fixtures.ts';

/** Unpacks a bundle into a new folder: the folder. Empty folders that git would lose are made too. */
export function unpack(path: string): string {
  const files = readJson<Record<string, string>>(path);
  const folder = mkdtempSync(join(tmpdir(), 'proftui-bundle-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), Buffer.from(text, 'latin1'));
  }
  return folder;
}
