// perf.data is read by way of perf script: after a yes for this very file, as a whole or not at all.
import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import test from 'node:test';

import { FormatError } from '../../src/base/problem.ts';
import { loadProfile } from '../../src/io/load.ts';
import { perfStamp } from '../../src/io/perf-data.ts';
import type { Profile } from '../../src/model/profile.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';

const SAMPLE = `prog 7/8 1.500000: 250000 cpu-clock: \n\t  401136 leaf (/b/prog)\n\t  401180 main (/b/prog)\n\n`;

const totalsOf = (profile: Profile) => analysisOf(profileOf(profile, 'stacks'), 'stacks').totals.total.map((column) => column[0]);

/** A folder with a perf.data and a program `perf` that does what this script of the shell says; it is the first of PATH. */
function withPerf(script: string): { readonly data: string; readonly said: string } {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-perf-'));
  const [data, said] = [join(folder, 'perf.data'), join(folder, 'said')];
  writeFileSync(data, 'PERFILE2 and more');
  writeFileSync(join(folder, 'perf'), `#!/bin/sh\necho "$@" >> '${said}'\n${script}`);
  chmodSync(join(folder, 'perf'), 0o755);
  process.env['PATH'] = `${folder}${delimiter}${process.env['PATH']}`;
  return { data, said };
}

test('with a yes, the text of perf script is the profile', async () => {
  const { data, said } = withPerf(
    `[ -z "$DEBUGINFOD_URLS" ] && [ "$PERF_CONFIG" = /dev/null ] && ! read -r _ && printf '${SAMPLE}'`,
  );
  process.env['DEBUGINFOD_URLS'] = 'https://nowhere.invalid';
  const profile = await loadProfile([data], { perf: 'any' });
  assert.equal(profile.format, 'perf-script');
  assert.deepEqual(profile.paths, [data]);
  assert.deepEqual(totalsOf(profile), [1, 250000]);
  assert.equal(
    readFileSync(said, 'utf8'),
    `--no-pager script --header -i ${data} -F comm,pid,tid,time,period,event,ip,sym,dso,trace --no-inline\n`,
  );
});

test('without a yes for the file as it is, perf does not run', async () => {
  const { data, said } = withPerf(`printf '${SAMPLE}'`);
  const stamp = perfStamp(data);
  assert.ok(stamp);
  await loadProfile([data], { perf: [stamp] });
  await assert.rejects(loadProfile([data]), /found perf\.data of Linux perf/);
  appendFileSync(data, 'changed');
  await assert.rejects(loadProfile([data], { perf: [stamp] }), FormatError);
  assert.equal(readFileSync(said, 'utf8').trim().split('\n').length, 1);
  assert.equal(perfStamp(said), undefined);
});

test('fields that a recording does not have are left out', async () => {
  const { data, said } = withPerf(
    `case "$*" in *period*) echo "Samples for 'x' event do not have PERIOD attribute set. Cannot print 'period' field." >&2; exit 255;; esac\nprintf '${SAMPLE.replace(' 250000', '')}'`,
  );
  assert.deepEqual(totalsOf(await loadProfile([data], { perf: 'any' })), [1, 1]);
  assert.match(readFileSync(said, 'utf8'), /period[^\n]*\n[^\n]*-F comm,pid,tid,time,event,ip,sym,dso,trace /);
});

test('what perf says beside the samples is a warning, unless it is about fields that an event does not have', async () => {
  const { data } = withPerf(
    `echo "'trace' not valid for hardware events. Ignoring." >&2; printf '${SAMPLE}'; echo "Failed to open /tmp/perf-7.map" >&2; printf 'Warning:\nProcessed 8 samples and lost 50.00%%!\n\n' >&2`,
  );
  const { warnings } = await loadProfile([data], { perf: 'any' });
  assert.deepEqual(
    warnings.map((w) => w.found),
    ['50.00% of the records were lost', '"Failed to open /tmp/perf-7.map", and 1 more line like it; left out'],
  );
  const quiet = withPerf(`echo "'trace' not valid for hardware events. Ignoring." >&2; printf '${SAMPLE}'`);
  assert.deepEqual((await loadProfile([quiet.data], { perf: 'any' })).warnings, []);
  const none = withPerf(`printf '# nothing\nPERF_RECORD_LOST_SAMPLES lost 9\n'`);
  await assert.rejects(loadProfile([none.data], { perf: 'any' }), /expected a sample, found none: all 9 were lost/);
});

test('what perf did not finish is no profile', async () => {
  const { data } = withPerf(`printf '${SAMPLE}'\necho 'the file is damaged' >&2\nexit 3`);
  await assert.rejects(
    loadProfile([data], { perf: 'any' }),
    /expected a file that perf script can read, found the file is damaged/,
  );
  const killed = withPerf(`printf '${SAMPLE}'\nkill -9 $$`);
  await assert.rejects(loadProfile([killed.data], { perf: 'any' }), /perf script ended with SIGKILL/);
});

test('perf ends when loading is cancelled', async () => {
  const { data } = withPerf('exec sleep 1000');
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 200);
  await assert.rejects(loadProfile([data], { perf: 'any', signal: abort.signal }));
});
