// Inlined functions as the program reads them: from an object, refused for another build, and on the screen.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { collectAddresses } from '../../src/analysis/profiles/inlined/addresses.ts';
import { drawScreen } from '../../src/app/draw.ts';
import { initialState } from '../../src/app/first-state.ts';
import type { AppState, UpdateResult } from '../../src/app/state.ts';
import { applyAnswer, update } from '../../src/app/update.ts';
import { loadProfile } from '../../src/io/load.ts';
import { readInlines } from '../../src/io/symbols/inlines.ts';
import { installedLineTools } from '../../src/io/symbols/line-tool.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { shop } from '../support/inlined.ts';
import { play } from '../support/keys.ts';
import { long } from '../support/long.ts';
import { PLAINLY } from '../support/versus.ts';
import { runWarm } from '../support/warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-inlines-'));
test.after(() => rmSync(folder, { recursive: true }));
process.env['XDG_CACHE_HOME'] = folder;
const binary = join(folder, 'shop');
writeFileSync(binary, readMaybeGz(join(FIXTURES, 'compare/v1/shop')), { mode: 0o755 });
const skip = installedLineTools().some(({ name }) => name === 'addr2line') ? false : 'addr2line is not installed';

const NEVER = new AbortController().signal;
async function read(version: 'v1' | 'v2') {
  const path = join(FIXTURES, 'compare', version, 'shop.callgrind.out.gz');
  const objects = collectAddresses(await loadProfile([path])).filter(({ isMain }) => isMain);
  return readInlines(
    objects,
    { dirs: [], maps: [], profiles: [path] },
    { binaries: [[null, binary]], dirs: [], maps: [] },
    true,
    NEVER,
  );
}

test('the functions at the addresses of an object are what addr2line says of each', { skip }, async () => {
  const { inlines, why } = await read('v1');
  assert.deepEqual(why, []);
  const [known] = [...(await shop('v1')).inlines!.values()];
  const [found] = [...inlines.values()];
  assert.equal(found.leafOf.size, known.leafOf.size);
  const names = ({ parent, name, line, texts, leafOf }: typeof known, address: number) => {
    const out: string[] = [];
    for (let f = leafOf.get(address) ?? -1; f >= 0; f = parent[f]) out.push(`${texts[name[f]]}:${line[f]}`);
    return out;
  };
  // An outermost function without debug information has no name for addr2line.
  for (const address of known.leafOf.keys()) assert.deepEqual(names(found, address), names(known, address), address.toString(16));
});

test('an object of another build is refused, with the share of recorded lines that differ', { skip }, async () => {
  const { inlines, why } = await read('v2');
  assert.equal(inlines.size, 0);
  assert.match(why.join(), /^\S+\/shop: rebuilt since: 9\d\.\d% of 1,\d\d\d recorded lines differ from its debug information$/);
});

test('an object that others can write, or that lies elsewhere, is read only if it was asked for', { skip }, async () => {
  const path = join(FIXTURES, 'compare/v1/shop.callgrind.out.gz');
  const objects = collectAddresses(await loadProfile([path])).filter(({ isMain }) => isMain);
  const beside = join(folder, 'profile');
  const { inlines, why } = await readInlines(
    objects,
    { dirs: [], maps: [], profiles: [beside] },
    { binaries: [], dirs: [], maps: [] },
    false,
    NEVER,
  );
  assert.equal(inlines.size, 0);
  assert.match(why.join(), /it is not where the profile says/);
});

const SHOP = (version: string) => join(FIXTURES, 'compare', version, 'shop.callgrind.out.gz');

long('--inlined prints costs by function, and names in JSON what is inlined', { skip }, () => {
  const { code, out, err } = runWarm([SHOP('v1'), '--inlined', '--binary', binary, '--print', 'routines', '--json']);
  assert.equal(code, 0, err);
  const said = JSON.parse(out);
  assert.deepEqual(said.applied, ['inlined']);
  const row = said.rows.find((r: { routine: string }) => r.routine === 'document');
  // Its own instructions by addr2line; how often it runs is not recorded.
  assert.deepEqual([row.self.Ir, row.calls, row.inlined], [108_120, null, true]);
  assert.equal(said.totals.Ir, 12_756_763);
  const text = runWarm([SHOP('v1'), '--inlined', '--binary', binary, '--print', 'routines']).out;
  assert.match(text, /^counts: with inlined functions$/m);
});

test('--inlined says why it cannot, and exits 1', { skip }, () => {
  const rebuilt = runWarm([SHOP('v2'), '--inlined', '--binary', binary, '--print', 'routines']);
  assert.equal(rebuilt.code, 1);
  assert.match(rebuilt.err, /rebuilt since: .* recorded lines differ/);
  const bare = runWarm([join(FIXTURES, 'callgrind/default.callgrind.out'), '--inlined', '--print', 'routines']);
  assert.equal(bare.code, 1);
  assert.match(bare.err, /no instruction addresses were recorded: with valgrind --dump-instr=yes/);
  const stacks = runWarm([join(FIXTURES, 'folded/perf.folded'), '--inlined', '--print', 'routines']);
  assert.equal(stacks.code, 1);
});

test('two runs are shown with the functions of both', async () => {
  const [now, base] = [await shop('v2'), await shop('v1')];
  const [{ inlines: _, ...bare }, { inlines: __, ...bareBase }] = [now, base];
  const versus = { loaded: bareBase, options: { ...PLAINLY, noRenames: true }, flags: [], trusted: false };
  const [asked] = update(initialState(bare, { width: 150, height: 24, view: 'routines', versus }), { type: 'grain' });
  const read = { loaded: now, versus: { ...versus, loaded: base }, why: undefined };
  const [shown] = applyAnswer(asked, { type: 'inlines-read', ...read });
  assert.match(screen(shown), /with inlined functions/);
  // 41,444 of weight's instructions by addr2line; the compiler inlined it, and v1 has none.
  assert.match(screen(shown), /-525,303 .*gone\? .* normalize /, 'it was recorded in v1, and is inlined nowhere');
  assert.match(screen(update(shown, { type: 'command', name: 'filter', argument: 'weight' })[0]), /\+41,444 .*weight/);
});

test('u asks for the functions once, shows them, and goes back to what was recorded', async () => {
  const loaded = await shop('v1');
  const { inlines: _, ...bare } = loaded;
  const start = initialState(bare, { width: 100, height: 30 });
  const press = (state: AppState): UpdateResult => update(state, { type: 'grain' });
  const [asked, effects] = press(start);
  assert.deepEqual(effects, [{ type: 'read-inlines' }]);
  assert.equal(asked.analysis.profile.routines.name.length, loaded.routines.name.length, 'as recorded until they are there');
  const [shown] = applyAnswer(asked, { type: 'inlines-read', loaded, versus: undefined, why: undefined });
  assert.ok(shown.analysis.profile.routines.name.length > loaded.routines.name.length);
  assert.match(screen(shown), /with inlined functions/);
  const [back, more] = press(shown);
  assert.deepEqual(more, []);
  assert.equal(back.analysis.profile.routines.name.length, loaded.routines.name.length);
  const [none] = applyAnswer(asked, {
    type: 'inlines-read',
    loaded: bare,
    versus: undefined,
    why: 'no debug information: compile with -g',
  });
  assert.match(screen(none), /no debug information: compile with -g/);
  const plain = play(await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]), { width: 110, height: 30 });
  assert.match(screen(plain.press('u').state), /--dump-instr=yes/);
});

const screen = (state: AppState) =>
  drawScreen(state)
    .map((line) => line.spans.map(([text]) => text).join(''))
    .join('\n');
