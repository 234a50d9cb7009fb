// A base that fits the profile no more: by another granularity, or after the file was reloaded. The screen says so, and goes on.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { parseRename } from '../../src/analysis/profiles/compare/renames.ts';
import { applyAnswer } from '../../src/app/update.ts';
import { loadProfile } from '../../src/io/load.ts';
import { play } from '../support/keys.ts';
import { versus } from '../support/versus.ts';

const dir = mkdtempSync(join(tmpdir(), 'proftui-base-lost-'));
after(() => rmSync(dir, { recursive: true }));

const trace = (name: string, slices: readonly object[]) => {
  const path = join(dir, `${name}.json`);
  writeFileSync(path, JSON.stringify({ traceEvents: slices.map((s) => ({ ph: 'X', ts: 1, dur: 10, pid: 1, tid: 1, ...s })) }));
  return loadProfile([path]);
};
const counted = (name: string, event: string) => {
  const path = join(dir, `${name}.out`);
  writeFileSync(path, `# callgrind format\nevents: ${event}\nfl=a.c\nfn=main\n1 10\n`);
  return loadProfile([path]);
};

test('slices by detail where the base has none: the key says so', async () => {
  const now = await trace('detailed', [{ name: 'a', args: { detail: ']' } }]);
  const player = play(now, { width: 80, height: 24, versus: versus(await trace('plain', [{ name: 'a' }])) }).press('u');
  assert.match(player.state.message?.text ?? '', /expected a profile by detail, found one by routine/);
  assert.equal(player.state.granularity.name, 'routine');
  assert.ok(player.state.analysis.before);
});

test('a rename that fits nothing at another granularity: the key says so', async () => {
  const now = await trace('new', [{ name: 'new', args: { detail: ']' } }]);
  const old = await trace('old', [{ name: 'old', args: { detail: ']' } }]);
  const renames = [parseRename('/^old$/=new')];
  const player = play(now, { width: 80, height: 24, versus: versus(old, { renames }) }).press('u');
  assert.match(player.state.message?.text ?? '', /--rename .*no routine/);
  assert.equal(player.state.granularity.name, 'routine');
});

test('a reloaded profile that cannot be compared with its base any more is shown alone', async () => {
  const player = play(await counted('now', 'Ir'), { width: 80, height: 24, versus: versus(await counted('base', 'Ir')) });
  const profile = await counted('again', 'Cy');
  const [state] = applyAnswer(player.state, { type: 'loaded', profile, derive: [], siblings: [], why: 'reloaded', again: true });
  assert.equal(state.versus, undefined);
  assert.equal(state.analysis.before, undefined);
  assert.match(state.message?.text ?? '', /^Comparison off: .*expected an event that this run has: Cy, found Ir/);
});
