// Whose code a routine is: by its object, its file, the files of its lines, and its name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routineFile, routineName } from '../../src/analysis/names/names.ts';
import { originOf } from '../../src/analysis/names/origin.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { dhat } from '../../src/formats/dhat.ts';
import { speedscope } from '../../src/formats/speedscope.ts';
import type { OwnPaths } from '../../src/model/head.ts';
import { loadText } from '../support/load.ts';

/** `origin: object | file | name`, as a table by hand. */
type Case = readonly [origin: string, object: string, file: string, name: string];

async function originsIn(cases: readonly Case[], own?: OwnPaths): Promise<string[]> {
  const rows = cases.map(([, object, file, name]) => `${object === '' ? '' : `ob=${object}\n`}fl=${file}\nfn=${name}\n1 5\n`);
  const profile = await loadText(callgrind, `events: Ir\ncmd: ./app 3\n${rows.join('')}`);
  const byName = new Map(Array.from(profile.routines.name, (_, r) => [routineName(profile, r), r]));
  return cases.map(([, , , name]) => originOf({ ...profile, own }, byName.get(name) ?? -1));
}

const IN_OBJECTS: readonly Case[] = [
  ['own', '/srv/app', 'src/a.cpp', 'demo::split(std::string const&)'],
  ['own', '/srv/app', '???', '0x0000000000012340'],
  ['own', '/srv/app', '/home/ci/build/b.cpp', 'Row::operator<(Row const&) const'],
  ['own', '/usr/lib/git-core/git', '???', 'cmd_log'],
  ['std', '/srv/app', '/usr/include/c++/12/bits/stl_algo.h', 'void std::__introsort_loop<int*>(int*, int*)'],
  ['own', '/srv/app', '/usr/include/c++/12/bits/basic_string.h', 'demo::run_words()'],
  ['boost', '/srv/app', '/usr/include/boost/regex/v4/perl.hpp', 'boost::re_detail::match()'],
  ['libc', '/usr/lib/x86_64-linux-gnu/libc.so.6', './malloc/./malloc/malloc.c', '_int_malloc'],
  ['libc', '/lib/x86_64-linux-gnu/libm-2.31.so', '???', 'exp@@GLIBC_2.29'],
  ['loader', '/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2', './elf/./elf/dl-lookup.c', 'strcmp'],
  ['libstdc++', '/usr/lib/libstdc++.so.6.0.30', '/build/gcc-12/src/c++/x.cc', 'std::locale::locale()'],
  ['libz', '/usr/lib/x86_64-linux-gnu/libz.so.1.2.13', '???', 'inflate'],
  ['kernel', '[kernel.kallsyms]', '???', 'touch_page'],
  ['valgrind', '/usr/libexec/valgrind/vgpreload_core-amd64-linux.so', '???', '_vgnU_freeres'],
  ['own', '/srv/plugins/libmine.so', '/srv/plugins/mine.c', 'mine_init'],
  ['libother', '/srv/plugins/libother.so', '???', 'other_init'],
  ['runtime', '/srv/app', '/usr/local/go/src/runtime/malloc.go', 'runtime.mallocgc'],
  ['own', '/srv/app', '/home/me/go/src/github.com/me/x/a.go', 'x.Run'],
  ['mux', '/srv/app', '/home/me/go/pkg/mod/github.com/gorilla/mux@v1.8.0/mux.go', 'mux.Serve'],
  ['serde', '/srv/app', '/root/.cargo/registry/src/index.crates.io-6f17d22bba15001f/serde-1.0.1/src/de.rs', 'serde::de::go'],
  ['std', '/srv/app', '/rustc/90c541806f23a127002de5b4038be731ba1458ca/library/core/src/fmt/mod.rs', 'core::fmt::write'],
];

const WITHOUT_OBJECTS: readonly Case[] = [
  ['runtime', '', 'php:internal', 'php::implode'],
  ['own', '', '/srv/a.php', '{main}'],
  ['own', '', 'C:\\app\\src\\Repo.php', 'App\\Repo->find'],
  ['express', '', '/srv/app/node_modules/express/lib/router.js', 'next'],
  ['@babel/core', '', '/srv/app/node_modules/@babel/core/lib/index.js', 'transform'],
  ['numpy', '', '/usr/lib/python3/dist-packages/numpy/core/numeric.py', 'dot'],
  ['runtime', '', '/usr/lib/python3.11/json/decoder.py', 'decode'],
  ['loader', '', '???', '_dl_relocate_object'],
  ['libc', '', '???', '__libc_start_main'],
  ['libc', '', '???', 'malloc'],
  ['libc', '', '???', 'memcpy_avx_unaligned_erms'],
  ['libc', '', '???', 'msort_with_tmp'],
  ['libc', '', '???', 'isalnum'],
  ['libc', '', '???', 'exp'],
  ['own', '', '???', 'isalnum_fast'],
  ['own', '', '???', 'tolower_all'],
  ['runtime', '', '???', 'runtime.gcBgMarkWorker'],
  ['std', '', '???', 'std::vector<Row, std::allocator<Row> >::push_back(Row&&)'],
  ['kernel', '', '???', 'vfs_read_[k]'],
  ['unknown', '', '???', '0x7ffe12'],
  ['own', '', '???', 'hash_join_rows'],
  ['own', '', '???', 'memory_pool_take'],
];

test('in stacks with names of files only, headers of the library are not own', async () => {
  const frames = [
    ['std', 'allocate (new_allocator.h:137)'],
    ['std', '_M_create (basic_string.tcc:153)'],
    ['std', 'push_back (stl_vector.h:12)'],
    ['loader', 'call_init (dl-init.c:70)'],
    ['loader', 'calloc (rtld-malloc.h:44)'],
    ['std', 'pair<int, 0> (tuple:44)'],
    ['libc', 'allocate_stack (allocatestack.c:9)'],
    ['own', 'run (words.cpp:12)'],
    ['own', 'allocate (pool_allocator.h:9)'],
    ['own', 'start (engine.c:9)'],
    ['libc', '(below main) (libc-start.c:389)'],
  ] as const;
  const file = {
    dhatFileVersion: 2,
    pps: frames.map((_, i) => ({ tb: 1, tbk: 1, fs: [i + 1] })),
    ftbl: ['[root]', ...frames.map(([, frame], i) => `0x${i + 1}00: ${frame}`)],
  };
  const profile = await loadText(dhat, JSON.stringify(file));
  const found = new Map(
    Array.from(profile.routines.name.keys(), (r) => [
      `${routineName(profile, r)} ${routineFile(profile, r)}`,
      originOf(profile, r),
    ]),
  );
  for (const [origin, frame] of frames) {
    const [, name, path] = /^(.*) \((.*):\d+\)$/.exec(frame) ?? [];
    assert.equal(found.get(`${name} ${path}`), origin, frame);
  }
});

test('in other stacks, the header of an own routine may be of code that was inlined into it', async () => {
  const frame = { name: 'demo::split', file: '/usr/include/c++/12/bits/basic_string.h' };
  const profiles = [{ type: 'sampled', unit: 'none', samples: [[0]], weights: [1] }];
  const profile = await loadText(speedscope, JSON.stringify({ shared: { frames: [frame] }, profiles }));
  assert.equal(originOf(profile, 0), 'own');
});

test('whose code a routine is, with and without objects', async () => {
  for (const cases of [IN_OBJECTS, WITHOUT_OBJECTS])
    assert.deepEqual(
      (await originsIn(cases)).map((origin, i) => [origin, ...cases[i].slice(1)]),
      cases.map((row) => [...row]),
    );
});

test('the user’s folders make code own, but neither that of packages nor that of the system', async () => {
  const own: OwnPaths = { folders: ['/usr/local/app'], maps: [], hasFile: (path) => path === 'elf/dl-lookup.c' };
  const cases: readonly Case[] = [
    ['own', '', '/usr/local/app/src/a.c', 'a'],
    ['lodash', '', '/usr/local/app/node_modules/lodash/index.js', 'chunk'],
    ['system', '', '/usr/local/other/b.c', 'b'],
    ['loader', '/usr/lib/ld-linux-x86-64.so.2', './elf/./elf/dl-lookup.c', 'do_lookup_x'],
  ];
  assert.deepEqual(
    await originsIn(cases, own),
    cases.map(([origin]) => origin),
  );
});
