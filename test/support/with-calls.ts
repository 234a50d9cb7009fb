// Every fixture that knows which routine calls which.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from './fixtures.ts';
import { some } from './long.ts';

/** Analyses of fixtures with calls, of all in `npm run test:long`, and the files' names. Files that are broken on purpose are left out. */
export async function* fixturesWithCalls(): AsyncGenerator<{ name: string; a: Analysis }> {
  const inputs = /^(callgrind|gperftools|aprof)\/.*\.(out|prof|aprof)(\.\d+|-\d+)?(\.gz)?$/;
  const names = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter((name) => inputs.test(name));
  for (const name of some(names)) {
    const profile = await loadProfile([join(FIXTURES, name)]).catch(() => undefined);
    if (!profile) continue;
    const a = analyse(profile, profile.events, new Set());
    if (a.costing.can.has('calls')) yield { name, a };
  }
}
