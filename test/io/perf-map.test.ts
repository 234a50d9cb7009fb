// Maps of code that was made at run time, /tmp/perf-PID.map: which file is taken, and what it names.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { loadProfile } from '../../src/io/load.ts';
import { namesInPerfMap } from '../../src/io/symbols/perf-map.ts';

/** No process has this id. */
const PID = 999_999_999;
const OWN_PLACE = `/tmp/perf-${PID}.map`;

function folderWithSamples(): string {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-map-'));
  const frames = ['7f3c10', '7f4100', '7fffff'].map((at) => `\t    ${at} [unknown] (${OWN_PLACE})\n`).join('');
  writeFileSync(join(folder, 'jit.perf'), `java 77 [001] 1.1: 1000 cycles:\n${frames}\n`);
  return folder;
}

const MAP = '7f3000 2000 LInterp::run->LFoo::bar\n7f3c00 40 gone\nnot a line\n7f3c00 80 LHot::loop\n';

/** The inclusive costs of a profile's routines. */
async function costsOf(path: string, dirs: readonly string[] = []): Promise<Record<string, number>> {
  const profile = await loadProfile([path], { symbols: { binaries: [], dirs, maps: [] } });
  const { totals } = analyse(profile, profile.events);
  return Object.fromEntries(Array.from(totals.calls, (_, r) => [routineName(profile, r), totals.inclusive[0][r]]));
}

const UNNAMED = { [`0x... [perf-${PID}.map]`]: 1 };
const NAMED = { ...UNNAMED, 'LHot::loop': 1, 'LFoo::bar': 1, 'LInterp::run': 1 };

test('a map beside the profile, or under --symbol-path, names code; later lines replace earlier ones', async () => {
  const folder = folderWithSamples();
  const path = join(folder, 'jit.perf');
  assert.deepEqual(await costsOf(path), UNNAMED);
  mkdirSync(join(folder, 'maps'));
  writeFileSync(join(folder, 'maps', `perf-${PID}.map`), MAP);
  assert.deepEqual(await costsOf(path, [join(folder, 'maps')]), NAMED);
  writeFileSync(join(folder, `perf-${PID}.map`), MAP);
  assert.deepEqual(await costsOf(path), NAMED);
});

test('a map at its own place is used only if it is no newer than the profile', async (t) => {
  const folder = folderWithSamples();
  t.after(() => rmSync(OWN_PLACE, { force: true }));
  writeFileSync(OWN_PLACE, MAP);
  const later = new Date(Date.now() + 60_000);
  utimesSync(OWN_PLACE, later, later);
  assert.deepEqual(await costsOf(join(folder, 'jit.perf')), UNNAMED);
  const earlier = new Date(Date.now() - 60_000);
  utimesSync(OWN_PLACE, earlier, earlier);
  assert.deepEqual(await costsOf(join(folder, 'jit.perf')), NAMED);
});

test('code without a mapping is named by the map of its process, of its thread if perf printed no process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-map-'));
  const stack = '\t    7f3c10 [unknown] ([unknown])\n\t    7f4100 [unknown] ([unknown])\n\t    401000 main (/opt/java)\n';
  const path = join(folder, 'jit.perf');
  writeFileSync(path, `java 77/78 [001] 1.1: 1000 cycles:\n${stack}\njava 79 [001] 1.2: 1000 cycles:\n${stack}\n`);
  assert.deepEqual(await costsOf(path), { '0x...': 2, main: 2 });
  writeFileSync(join(folder, 'perf-77.map'), MAP);
  assert.deepEqual(await costsOf(path), { '0x...': 1, 'LFoo::bar': 1, 'LHot::loop': 1, 'LInterp::run': 1, main: 2 });
  writeFileSync(join(folder, 'perf-79.map'), '7f3000 4000 other\n');
  const both = await costsOf(path);
  assert.deepEqual([both['LHot::loop'], both['other'], both['main'], both['0x...']], [1, 1, 2, undefined]);
});

test('names of many addresses are those of a slow search', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-map-'));
  const entries = Array.from({ length: 300 }, (_, i) => ({ start: (i * 7919) % 5000, size: 1 + ((i * 31) % 90), name: `f${i}` }));
  const file = join(folder, 'perf-1.map');
  writeFileSync(file, entries.map(({ start, size, name }) => `${start.toString(16)} ${size.toString(16)} ${name}`).join('\n'));
  const addresses = Array.from({ length: 700 }, (_, i) => BigInt(i * 8));
  const slow = addresses.map((at) => entries.findLast(({ start, size }) => at >= start && at < start + size)?.name);
  assert.deepEqual(namesInPerfMap(file, addresses), slow);
  assert.equal(namesInPerfMap(folder, addresses), 'a file that cannot be read');
});
