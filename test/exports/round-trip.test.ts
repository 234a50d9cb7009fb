// Every fixture through every export that has routines, and back: each routine has the self cost that Routines shows.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { fileName, nameInData, objectName } from '../../src/analysis/names/names.ts';
import { ChoiceError } from '../../src/base/errors.ts';
import type { Exporter } from '../../src/exports/exporter.ts';
import { exporters } from '../../src/exports/index.ts';
import { loaders } from '../../src/formats/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { type Event, eventValue } from '../../src/model/head.ts';
import type { Profile } from '../../src/model/profile.ts';
import { FIXTURES, namesIn } from '../support/fixtures.ts';
import { loadBytes } from '../support/load.ts';
import { long, most, some } from '../support/long.ts';
import { contextOf } from '../support/reports.ts';

/** What a format keeps of a routine's identity. */
const KEYS: Readonly<Record<string, (profile: Profile, routine: number) => string>> = {
  pprof: (p, r) => `${nameInData(p, r)}\n${fileName(p, p.routines.file[r]) ?? ''}`,
  speedscope: (p, r) => nameInData(p, r),
  folded: (p, r) => nameInData(p, r).replaceAll(';', ':').replaceAll('\u00a0', ' '),
  callgrind: (p, r) =>
    `${nameInData(p, r)}\n${fileName(p, p.routines.file[r]) || '???'}\n${objectName(p, p.routines.object[r]) || '???'}`,
};

/** Self cost by routine, to the format's unit: what costs less than half of one is nothing. */
function selves(profile: Profile, event: Event, key: (profile: Profile, routine: number) => string): Map<string, number> {
  const { totals } = analyse(profile, profile.events);
  const out = new Map<string, number>();
  for (let r = 0; r < profile.routines.name.length; r++) {
    const name = key(profile, r);
    out.set(name, (out.get(name) ?? 0) + eventValue(event, totals.self, r));
  }
  return new Map([...out].filter(([, cost]) => Math.round(cost) !== 0).sort());
}

async function exported(exporter: Exporter, profile: Profile, threshold: number | undefined): Promise<Uint8Array | undefined> {
  const context = { ...contextOf(profile), threshold };
  if (exporter.refusal(context) !== undefined) return undefined;
  const pieces: Buffer[] = [];
  try {
    await exporter.write(context, '1.0', async (piece) => void pieces.push(Buffer.from(piece)));
  } catch (error) {
    // Costs that the format cannot hold are refused.
    if (error instanceof ChoiceError) return undefined;
    throw error;
  }
  return new Uint8Array(Buffer.concat(pieces));
}

const FILES = [
  'callgrind',
  'callgrind/edge',
  'gperftools',
  'gprof',
  'pprof',
  'perf-script',
  'folded',
  'cpuprofile',
  'heapprofile',
  'speedscope',
  'aprof',
].flatMap((folder) =>
  namesIn(
    join(FIXTURES, folder),
    /\.(out([.-]\d+)*|prof(\.\d+)?|pb|perf|folded|cpuprofile|heapprofile|json|aprof|heap|gprof)(\.gz)?$/,
  ).map((name) => join(folder, name)),
);

for (const name of ['pprof', 'speedscope', 'folded', 'callgrind'])
  long(`${name}: every fixture has its self costs after the way there and back`, async () => {
    const exporter = exporters.find((e) => e.name === name);
    const loader = loaders.find((l) => l.name === name);
    assert.ok(exporter && loader);
    let checked = 0;
    const wrong: string[] = [];
    // Four exporters of a third each.
    for (const file of some(some(FILES))) {
      const profile = await loadProfile([join(FIXTURES, file)]).catch(() => undefined);
      if (!profile) continue;
      for (const threshold of profile.kind === 'callgraph' && name !== 'callgrind' ? [0.05, 5] : [undefined]) {
        const bytes = await exported(exporter, profile, threshold);
        if (!bytes || selves(profile, profile.events[0], KEYS[name]).size === 0) continue;
        const back = await loadBytes(loader, bytes).catch((error: Error) => error);
        if (back instanceof Error) {
          wrong.push(`${file}: ${back.message}`);
          continue;
        }
        const [event] = profile.events;
        // A routine without a file gets that of its lines.
        const hasFiles = profile.routines.file.every((of) => of >= 0);
        const key = name === 'pprof' && !hasFiles ? KEYS['speedscope'] : KEYS[name];
        const [ours, theirs] = [selves(profile, event, key), selves(back, back.events[0], key)];
        for (const row of new Set([...ours.keys(), ...theirs.keys()])) {
          const [a, b] = [ours.get(row) ?? 0, theirs.get(row) ?? 0];
          if (Number.isInteger(a) ? a !== b : Math.abs(a - b) > 1)
            wrong.push(`${file} ${threshold}: ${row.replaceAll('\n', ' ')} ${a} ${b}`);
        }
        checked++;
      }
    }
    assert.ok(checked > most(20) / 2, `${checked} files`);
    assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} of ${checked}`);
  });
