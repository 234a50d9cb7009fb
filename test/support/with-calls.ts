// Every fixture that knows which routine calls which.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from './fixtures.ts';

/** Analyses of all fixtures with calls, and the files' names. Files that are broken on purpose are left out. */
export async function* fixturesWithCalls(): AsyncGenerator<{ name: string; a: Analysis }> {
  for (const name of readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })) {
    if (!/^(callgrind|gperftools|aprof)\/.*\.(out|prof|aprof)(\.\d+|-\d+)?(\.gz)?$/.test(name)) continue;
    const profile = await loadProfile([join(FIXTURES, name)]).catch(() => undefined);
    if (!profile) continue;
    const a = analyse(profile, profile.events, new Set());
    if (a.costing.can.has('calls')) yield { name, a };
  }
}
