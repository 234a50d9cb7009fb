// Every timeline of the fixtures: builds, logs and traces.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError } from '../../src/base/problem.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { ProfileOf } from '../../src/model/profile.ts';
import { unpack } from './bundle.ts';
import { FIXTURES, namesIn } from './fixtures.ts';

/** By path; those with steps. */
export async function timelines(): Promise<Map<string, ProfileOf<'steps'>>> {
  const builds = namesIn(join(FIXTURES, 'cmake'), /^(tidepool|mbedtls|re2)-.*\.json\.gz$/).flatMap((name) => {
    const root = unpack(join(FIXTURES, 'cmake', name.replace(/\.gz$/, '')));
    const kept = join(root, 'kept');
    return [join(root, 'build'), ...(existsSync(kept) ? readdirSync(kept).map((set) => join(kept, set)) : [])];
  });
  const files = (folder: string, pattern: RegExp) =>
    readdirSync(join(FIXTURES, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => pattern.test(name))
      .map((name) => join(FIXTURES, folder, name));
  const paths = [
    ...builds.filter((path) => existsSync(path)),
    ...files('ninja-log', /\.ninja_log(\.gz)?$/),
    ...files('trace-events', /(bazel|hand|time-trace)\/(?!truth|expected).*\.json(\.gz)?$/),
  ];
  const found = new Map<string, ProfileOf<'steps'>>();
  for (const path of paths) {
    try {
      const profile = await loadProfile([path]);
      if (profile.kind === 'steps') found.set(path, profile);
    } catch (error) {
      // Some are made to be refused, and some trees hold no build.
      assert.ok(error instanceof FormatError, `${path}: ${error}`);
    }
  }
  return found;
}
