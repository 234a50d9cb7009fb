// Names that stand for something else than a function of the program: names of threads, parts of a function, states of a sampler.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { originOf } from '../../src/analysis/names/origin.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { folded } from '../../src/formats/folded.ts';
import { perfScript } from '../../src/formats/perf-script/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { MATCH_KINDS, type Profile } from '../../src/model/profile.ts';
import { stringAt } from '../../src/model/strings.ts';
import { loadText } from '../support/load.ts';
import { PLAINLY } from '../support/versus.ts';
import { saidText } from './cases.ts';

const compared = (now: Profile, before: Profile) => compareProfiles(now, before, PLAINLY);

/** Samples of perf script: threads by name, with a number of samples each. */
const perf = (threads: Readonly<Record<string, number>>) => {
  let ms = 0;
  const sample = (name: string) =>
    `${name} 77/77 ${(10 + ms++ / 1000).toFixed(6)}: 1000000 cpu-clock:u: \n\t401136 work+0x6 (/srv/app)\n\n`;
  return loadText(
    perfScript,
    Object.entries(threads)
      .map(([name, count]) => Array.from({ length: count }, () => sample(name)).join(''))
      .join(''),
  );
};

test('threads of several names name no program', async () => {
  const server = await perf({ server: 40 });
  assert.equal(server.command, 'server');
  assert.equal((await perf({ 'perf-exec': 1, server: 40 })).command, 'server');
  const named = await perf({ swapper: 1, server: 40 });
  assert.equal(named.command, null);
  assert.doesNotMatch(saidText(compared(server, named)), /another program/);
  assert.match(saidText(compared(server, await perf({ client: 40 }))), /another program: client instead of server/);
});

const scratch = mkdtempSync(join(tmpdir(), 'proftui-names-'));
after(() => rmSync(scratch, { recursive: true }));

/** main calls `run`, by its parts: own cost, and calls of it by main or by `run`. */
const program = (parts: Readonly<Record<string, { readonly self: number; readonly calls: number }>>) => {
  const [first, ...rest] = Object.entries(parts);
  const total = Object.values(parts).reduce((sum, { self }) => sum + self, 0);
  const call = (name: string, calls: number, cost: number, line: number) =>
    `cfi=foo.c\ncfn=${name}\ncalls=${calls} 1\n${line} ${cost}\n`;
  const body = ([name, { self }]: [string, { self: number }], calls: string) => `fl=foo.c\nfn=${name}\n10 ${self}\n${calls}\n`;
  const path = join(scratch, 'callgrind.out.1');
  writeFileSync(
    path,
    `events: Ir\n\nob=/home/u/app\nfl=m.c\nfn=main\n1 600\n${call(first[0], first[1].calls, total, 2)}\n` +
      body(first, rest.map(([name, { self, calls }], k) => call(name, calls, self, 20 + k)).join('')) +
      rest.map((part) => body(part, '')).join(''),
  );
  return loadProfile([path]);
};

test('a function is one row of both runs, whatever parts and clones the compiler made', async () => {
  const forms = {
    whole: { run: { self: 1000, calls: 10 } },
    clone: { 'run.isra.0': { self: 1000, calls: 10 } },
    cold: { run: { self: 900, calls: 10 }, 'run.cold': { self: 100, calls: 1 } },
    coldClone: { 'run.isra.0': { self: 900, calls: 10 }, 'run.isra.0.cold': { self: 100, calls: 1 } },
    parts: { run: { self: 400, calls: 10 }, 'run.part.0': { self: 500, calls: 8 }, 'run.cold': { self: 100, calls: 1 } },
    llvm: { 'run.llvm.123': { self: 700, calls: 10 }, 'run.part.1': { self: 300, calls: 3 } },
  };
  for (const [a, now] of Object.entries(forms))
    for (const [b, before] of Object.entries(forms)) {
      const both = compared(await program(now), await program(before));
      const rows = Array.from(both.routines.name, (id, r) => [stringAt(both.strings, id), both.compared?.match[r]] as const);
      const runs = rows.filter(([name]) => name === 'run');
      // Parts of the same names in both runs stay apart.
      const none = MATCH_KINDS.indexOf('none');
      assert.ok(runs.length > 0 && runs.every(([, match]) => match !== none), `${a} against ${b}`);
      assert.equal(runs.length, a === b ? runs.length : 1, `${a} against ${b}`);
      assert.doesNotMatch(
        saidText(both),
        /run#?\d* \(foo\.c\) is new|run is new|run is gone|times instead of/,
        `${a} against ${b}`,
      );
    }
});

test('calls of the parts of a function are none of its calls', async () => {
  const whole = await program({ run: { self: 1000, calls: 10 } });
  const split = await program({ run: { self: 1000, calls: 10 }, 'run.part.0': { self: 800, calls: 8 } });
  assert.match(
    saidText(compared(split, whole)),
    /costlier-calls: The self cost of run rose from 1.00k to 1.80k.* 180 per call instead of 100, in the same 10 calls/,
  );
  // Only the part is left: the function is inlined, and how often it ran is unknown.
  const inlined = saidText(compared(await program({ 'run.part.0': { self: 500, calls: 5 } }), whole));
  assert.match(inlined, /self cost of run fell from 1.00k to 500/);
  assert.doesNotMatch(inlined, /times instead of|per call/);
});

test('states of a sampler are no code without names, and not one’s own', async () => {
  const states = [
    '[GC_active]',
    '[idle]',
    '[deoptimization]',
    '[main tid=101]',
    '[tid=7]',
    '[not_walkable_Java]',
    '[no_Java_frame]',
    '[Missed User Stack]',
  ];
  const text = states.map((s) => `com/acme/App.main;${s} 10`).join('\n');
  const profile = await loadText(folded, `${text}\ncom/acme/App.main;[libz.so.1] 30\ncom/acme/App.main;work 100\n`);
  const origins = Object.fromEntries(
    Array.from(profile.routines.name, (id, r) => [stringAt(profile.strings, id), originOf(profile, r)]),
  );
  for (const state of states) assert.match(origins[state], /^(?:runtime|unknown)$/, state);
  assert.equal(origins['[libz.so.1]'], 'libz');
  assert.equal(origins['work'], 'own');
  // Only the code of libz has no name: 30 of 210 samples.
  assert.match(saidText(profile), /names-missing: Code without symbol names takes 14\.29% of samples/);
});

test('code behind the delimiter of bcc’s tools is the kernel’s, and each cost has one cause', async () => {
  const profile = await loadText(
    folded,
    'app;main;read_all;read;-;entry_SYSCALL_64;ksys_read;vfs_read;schedule 500\napp;main;lock;pthread_mutex_lock;-;futex_wait;schedule 300\napp;main;work 200\n',
  );
  const names = Array.from(profile.routines.name, (id) => stringAt(profile.strings, id));
  assert.ok(!names.includes('-'));
  for (const name of ['ksys_read', 'schedule', 'futex_wait'])
    assert.equal(originOf(profile, names.indexOf(name)), 'kernel', name);
  assert.match(saidText(profile), /Reading and writing takes 50\.00% of samples .*; read_all causes 50\.00%/);
  assert.match(saidText(profile), /Locking takes 30\.00% of samples .*; lock causes 30\.00%/);
});

test('lambdas whose numbers may have shifted are not said to have changed, appeared or gone', async () => {
  for (const name of [
    'work()::{lambda(int)#N}::operator()(int) const',
    'app::run::{closure#N}',
    'work()::$_N::operator()(int) const',
  ]) {
    const program = (...costs: readonly number[]) => {
      const path = join(scratch, 'callgrind.out.2');
      const body = costs.map((cost, k) => `fn=${name.replace('N', String(k + 1))}\n${k + 1} ${cost}\n`).join('');
      writeFileSync(path, `events: Ir\nfl=a.c\nfn=main\n1 100\n${body}`);
      return loadProfile([path]);
    };
    const two = await program(1000, 200);
    for (const [now, before] of [
      [await program(60, 1000, 200), two],
      [two, await program(60, 1000, 200)],
    ] as const) {
      const text = saidText(compared(now, before));
      assert.match(
        text,
        /renumbered: .* their numbers shift when one is added, so which is which is unknown; together they cost from/,
        name,
      );
      assert.doesNotMatch(
        text,
        /\d\}?(?:::operator\(\)\(int\) const)? (?:is new|is gone|rose|fell)|self cost of .*(?:rose|fell)|work moved/,
        name,
      );
    }
    // As many as before: what changed is told.
    assert.match(saidText(compared(await program(1500, 200), two)), /self cost of .*1.* rose from 1\.00k to 1\.50k/, name);
  }
});
