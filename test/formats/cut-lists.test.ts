// Files that end inside a line: samples of perf script, and mapped objects of gperftools' profiles.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { objectName } from '../../src/analysis/names/names.ts';
import { gperftools } from '../../src/formats/gperftools/index.ts';
import { perfScript } from '../../src/formats/perf-script/index.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { loadBytes, loadText } from '../support/load.ts';

test('perf script: no end inside a line or after a first line is sound', async () => {
  const text = readMaybeGz(join(FIXTURES, 'perf-script', 'levels.perf.gz')).toString();
  const samples = text.split('\n\n').length - 1;
  const second = text.lastIndexOf('\n\n', text.lastIndexOf('\n\n', text.length - 3) - 1) + 2;
  for (let to = second + 1; to < text.length - 1; to++) {
    const cut = text.slice(0, to);
    const profile = await loadText(perfScript, cut);
    const isWhole = /\n\n$/.test(cut);
    // Without the empty line below a stack, nothing tells whether it goes on.
    if (!isWhole && (!cut.endsWith('\n') || /: *\n$/.test(cut))) assert.ok(profile.cut, JSON.stringify(cut.slice(-60)));
    if (isWhole) assert.equal(profile.cut, undefined);
    const shown = profile.notes?.find((note) => note.startsWith('perf script:'));
    const started = (text.slice(0, to).match(/^levels .*: *\n./gm) ?? []).length;
    assert.ok(started <= samples && shown !== undefined);
  }
});

test('perf script: samples without a period among others are counted', async () => {
  const sample = (period: string) => `a 1 1.0: ${period} cycles: \n\t10 f (/bin/a)\n\n`;
  const { warnings } = await loadText(perfScript, sample('1000') + sample('1000') + sample(''));
  assert.deepEqual(
    warnings.map((w) => `${w.expected}: ${w.found}`),
    ['the period of each sample of cycles: 1 sample without a period, counted as 1'],
  );
});

test('gperftools: a mapped object whose path has no end is no object', async () => {
  const bytes = readMaybeGz(join(FIXTURES, 'gperftools', 'nopie-g.prof'));
  const whole = await loadBytes(gperftools, bytes);
  const objectsOf = (profile: typeof whole) => Array.from(profile.objects.name, (_, object) => objectName(profile, object));
  const known = new Set(objectsOf(whole));
  const code = bytes.indexOf('r-xp');
  for (let to = code; to < bytes.indexOf('\n', code); to++) {
    const profile = await loadBytes(gperftools, bytes.subarray(0, to));
    for (const object of objectsOf(profile)) assert.ok(known.has(object), `${object} after ${to} of ${bytes.length} bytes`);
  }
});
