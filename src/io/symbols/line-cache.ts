// Caches the line tool's answers in the user's cache folder, by build ID: a build never changes.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { NamedFrame } from '../../model/stacks/samples.ts';

const LARGEST = 32 << 20;
const VERSION = 1;

function folder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'proftui', 'lines');
}

function fileOf(buildId: string, tool: string): string {
  return join(folder(), `${buildId}.${tool}.${VERSION}.json.gz`);
}

/** A build's frames by address, as cached from the tool; empty if nothing is cached. */
export function readLineCache(buildId: string, tool: string): Map<bigint, NamedFrame[]> {
  try {
    const path = fileOf(buildId, tool);
    if (statSync(path).size > LARGEST) return new Map();
    const data = JSON.parse(gunzipSync(readFileSync(path), { maxOutputLength: 16 * LARGEST }).toString('utf8')) as unknown;
    return new Map(
      Object.entries(data as Record<string, [string, string | null, number][]>).map(([a, list]) => [
        BigInt(a),
        list.map(([name, file, line]) => ({ name: String(name), file: file === null ? null : String(file), line: Number(line) })),
      ]),
    );
  } catch {
    // Missing or unreadable cache: the tool is asked again.
    return new Map();
  }
}

export function writeLineCache(buildId: string, tool: string, frames: ReadonlyMap<bigint, readonly NamedFrame[]>): void {
  try {
    mkdirSync(folder(), { recursive: true });
    const data = Object.fromEntries(
      [...frames].map(([address, list]) => [`0x${address.toString(16)}`, list.map((f) => [f.name, f.file, f.line])]),
    );
    const packed = gzipSync(JSON.stringify(data));
    if (packed.length > LARGEST) return;
    const path = fileOf(buildId, tool);
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, packed);
    renameSync(draft, path);
  } catch {
    // If the cache cannot be written, the next start is slower, nothing more.
  }
}
