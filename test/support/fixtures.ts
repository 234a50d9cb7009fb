// Where the fixtures are, and how the tests read them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export const ROOT = new URL('../..', import.meta.url).pathname;
export const FIXTURES = join(ROOT, 'fixtures');

/** The bytes of a file, or of the same with .gz. */
export function readMaybeGz(path: string): Buffer {
  if (existsSync(path)) {
    const bytes = readFileSync(path);
    return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
  }
  return gunzipSync(readFileSync(`${path}.gz`));
}

export function readJson<T>(path: string): T {
  return JSON.parse(readMaybeGz(path).toString('utf8')) as T;
}

export function existing(path: string): string {
  return existsSync(path) ? path : `${path}.gz`;
}

export function namesIn(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort();
}
