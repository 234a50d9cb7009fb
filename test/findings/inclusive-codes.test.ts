// Categories of code whose cost includes what they call: made profiles whose shares are known.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { runToEnd } from '../../src/base/slices.ts';
import { gatherFindings } from '../../src/findings/gather.ts';
import { phraseText } from '../../src/findings/say.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { folded } from '../../src/formats/folded.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { evidence } from './cases.ts';

const said = (profile: Profile) =>
  new Map(
    runToEnd(gatherFindings(evidence({ profile }))).map((found) => [found.rule, { text: phraseText(found), share: found.share }]),
  );

const stacks = async (lines: Record<string, number>) =>
  said(
    await loadText(
      folded,
      Object.entries(lines)
        .map(([stack, count]) => `${stack} ${count}\n`)
        .join(''),
    ),
  );

test('the share of allocation is that of its topmost frames with all below them', async () => {
  const go = await stacks({
    'main;main.ins;runtime.newobject;runtime.mallocgc;runtime.mProf_Malloc;runtime.callers': 56,
    'main;main.ins;runtime.newobject;runtime.mallocgc': 7,
    'main;main.ins': 37,
  });
  assert.equal(go.get('allocation')?.share, 0.63);
  assert.match(
    go.get('allocation')?.text ?? '',
    /takes 63\.00% of samples including callees \(56\.00% in runtime\.callers itself\); main\.ins causes 63\.00%/,
  );
  const nested = await stacks({
    'main;f;operator new(unsigned long);malloc;_int_malloc': 30,
    'main;g;malloc;sysmalloc;brk': 20,
    'main;f': 50,
  });
  assert.equal(nested.get('allocation')?.share, 0.5);
});

test('sorting counts its helpers, names what it calls back, and leaves nothing of itself to std::', async () => {
  const found = await stacks({
    'main;work;std::sort<Row*>(Row*, Row*);std::__introsort_loop<Row*>(Row*, Row*);__gnu_cxx::__normal_iterator<Row*>::operator++()': 40,
    'main;work;std::sort<Row*>(Row*, Row*);std::__introsort_loop<Row*>(Row*, Row*);Row::operator<(Row const&) const': 25,
    'main;work': 35,
  });
  assert.equal(found.get('sorting')?.share, 0.65);
  assert.match(found.get('sorting')?.text ?? '', /25\.00% in Row::operator<\(Row const&\) const of the program/);
  assert.equal(found.has('library'), false);
});

test('a routine of the program that is named like one of a library is none', async () => {
  const text = (file: string) =>
    `events: Ir\nfl=/srv/app/main.c\nfn=main\n1 10\ncfl=${file}\ncfn=qsort\ncalls=1 1\n2 90\n\nfl=${file}\nfn=qsort\n1 10\ncfl=/srv/app/x.c\ncfn=join_rows\ncalls=1 1\n2 80\n\nfl=/srv/app/x.c\nfn=join_rows\n5 80\n`;
  const library = said(await loadText(callgrind, text('/usr/src/glibc/stdlib/msort.c')));
  assert.equal(library.get('sorting')?.share, 0.9);
  assert.match(library.get('sorting')?.text ?? '', /80\.00% in join_rows of the program/);
  assert.equal(said(await loadText(callgrind, text('/srv/app/sort.c'))).get('sorting'), undefined);
  const stacks =
    'main (/srv/app/main.py:5);read (/srv/app/main.py:9) 30\nmain (/srv/app/main.py:6);free (/srv/app/pool.py:2) 70\n';
  assert.deepEqual(
    [...said(await loadText(folded, stacks)).keys()].filter((id) => id === 'io' || id === 'allocation'),
    [],
  );
});

test('what is called back through other code is caused once, by who entered it first', async () => {
  const found = await stacks({
    'main;read;entry_SYSCALL_64;do_syscall_64;ksys_read;vfs_read;schedule': 30,
    'other;do_syscall_64;__x64_sys_times': 50,
    'main;work': 20,
  });
  assert.equal(found.get('io')?.share, 0.3);
  assert.match(
    found.get('io')?.text ?? '',
    /^Reading and writing takes 30\.00% of samples including callees.*; main causes 30\.00%/,
  );
});

test('where a thread waits, the wait is named, not the scheduler', async () => {
  const profile = await loadProfile([join(FIXTURES, 'perf-script', 'waits.perf.gz')]);
  const found = said(profile);
  assert.equal(found.has('high-self-cost'), false);
  assert.match(found.get('sleeping')?.text ?? '', /^Sleeping and waiting for others takes 38\.43%/);
  assert.match(found.get('io')?.text ?? '', /takes 15\.56% of offcpu-time including callees; main causes 15\.56%/);
});

test('unnamed code below exceptions is theirs', async () => {
  const lines = (from: string, object: string, calls: string) => `ob=${object}\nfl=???\nfn=${from}\n${calls}\n`;
  const profile = await loadText(
    callgrind,
    `events: Ir\n${lines('main', '/app', '0 100\ncob=/usr/lib/libstdc++.so.6\ncfn=__cxa_throw\ncalls=1 0\n0 900')}` +
      lines(
        '__cxa_throw',
        '/usr/lib/libstdc++.so.6',
        '0 50\ncob=/usr/lib/libgcc_s.so.1\ncfn=_Unwind_RaiseException\ncalls=1 0\n0 850',
      ) +
      lines('_Unwind_RaiseException', '/usr/lib/libgcc_s.so.1', '0 50\ncfn=0x14c40\ncalls=1 0\n0 800') +
      lines('0x14c40', '/usr/lib/libgcc_s.so.1', '0 800'),
  );
  const found = said(profile);
  assert.equal(found.get('exceptions')?.share, 0.9);
  assert.equal(found.has('names-missing'), false);
});
