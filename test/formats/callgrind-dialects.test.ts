// Callgrind files as other programs write them.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { findRoutines, recordedNameOf, routineFile, routineName, routineObject } from '../../src/analysis/names/names.ts';
import { readRunFacts } from '../../src/formats/callgrind/index.ts';
import { loaders } from '../../src/formats/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { dumpProfile } from '../support/dump.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';

const found = loaders.find((l) => l.name === 'callgrind');
assert.ok(found);
const callgrind = found;

/** `routine file object calls inclusive` of each routine. */
async function routinesOf(text: string): Promise<string[]> {
  const profile = await loadText(callgrind, text);
  assert.deepEqual(checkProfile(profile), []);
  const { totals } = analyse(profile, profile.events, new Set());
  return totals.calls.length === 0
    ? []
    : Array.from(totals.calls, (calls, r) =>
        [routineName(profile, r), routineFile(profile, r), routineObject(profile, r), calls, totals.inclusive[0][r]].join(' '),
      ).sort();
}

/** All orders of three lines. */
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

test('the lines before calls= hold for it in any order, by name and by id', async () => {
  for (const [names, ids] of [
    [
      ['cfn=work', 'cfi=b.py', 'cob=lib'],
      ['cfn=work', 'cfi=b.py', 'cob=lib'],
    ],
    [
      ['cfn=(2) work', 'cfi=(2) b.py', 'cob=(2) lib'],
      ['cfn=(2)', 'cfi=(2)', 'cob=(2)'],
    ],
  ]) {
    const [fn, fl, ob] = names.map((n) => n.slice(1).replace(/^fi/, 'fl'));
    const dumps = [];
    for (const order of ORDERS) {
      const first = order.map((k) => names[k]).join('\n');
      const again = order.map((k) => ids[k]).join('\n');
      const text = `events: t\nob=(1) prog\nfl=(1) a.py\nfn=(1) main\n1 10\n${first}\ncalls=3 5\n2 300\n${again}\ncalls=1 5\n3 100\n\n${ob}\n${fl}\n${fn}\n5 400\n`;
      assert.deepEqual(await routinesOf(text), ['main a.py prog 0 410', 'work b.py lib 4 400'], text);
      dumps.push(
        [...dumpProfile(await loadText(callgrind, text))].filter((line) => !/^(files|objects|strings)/.test(line)).length,
      );
    }
    assert.equal(new Set(dumps).size, 1);
  }
});

test('without any fl=, fi= names the file of the next function', async () => {
  const text = `events: Ticks
fi=a.py
fn=main
1 10
cfn=work
cfi=b.py
calls=3 5
2 300

fi=b.py
fn=work
5 300
`;
  assert.deepEqual(await routinesOf(text), ['main a.py  0 310', 'work b.py  3 300']);
});

test('an object or file that was never named is unknown, with one warning for all its uses', async () => {
  const text = `events: t
fl=a.c
fn=main
1 10
cob=(8)
cfn=other
calls=1 0
3 30
cob=(8)
cfi=(9)
cfn=other
calls=1 0
4 30
ob=(8)
fl=(9)
fn=other
5 60
`;
  const profile = await loadText(callgrind, text);
  assert.deepEqual(
    profile.warnings.map((w) => `${w.line} ${w.found}`),
    [
      '5 object id 8 without a definition, 3 times; shown as unknown',
      '10 file id 9 without a definition, 2 times; shown as unknown',
    ],
  );
  // The first call does not say which file. The caller's has no such routine, so it means the only one there is.
  assert.deepEqual(await routinesOf(text), ['main a.c  0 70', 'other   2 60']);
});

test('options of valgrind --tool=callgrind are named for its own files alone', async () => {
  const lacks = async (name: string) => (await loadProfile([join(FIXTURES, name)])).lacks;
  assert.deepEqual(await lacks('callgrind/default.callgrind.out'), [
    { table: 'instrs', option: '--dump-instr=yes' },
    { table: 'jumps', option: '--collect-jumps=yes' },
  ]);
  assert.deepEqual(await lacks('callgrind/xtree-leak.callgrind.out'), [{ table: 'instrs' }, { table: 'jumps' }]);
});

test('a time or an amount of memory is known by the name of its event, by its long name, or in parentheses', async () => {
  const unit = async (name: string, longName = '') => {
    const line = longName === '' ? '' : `event: ${name} : ${longName}\n`;
    const profile = await loadText(callgrind, `${line}events: ${name}\nfn=main\n1 10\n`);
    return profile.events.find((e) => e.name === name)?.unit;
  };
  const known = {
    ...{ 'Time_(10ns)': '10ns', 'Time_(µs)': 'us', 'Time_(us)': 'us', 'cpu(ms)': 'ms', 'wall_(s)': 's', ns: 'ns' },
    ...{ 'alloc_space/bytes': 'bytes', 'Memory_(bytes)': 'bytes' },
  };
  for (const [name, wanted] of Object.entries(known)) assert.equal(await unit(name), wanted, name);
  for (const [name, wanted] of Object.entries({
    'inuse_space(MB)': 'MB',
    'mem(KiB)': 'KB',
    wall_time: 'us',
    process_time: 'us',
    'alloc/GB': 'GB',
  }))
    assert.equal(await unit(name), wanted, name);
  assert.equal(await unit('sysTime', 'sysTime (elapsed us)'), 'us');
  assert.equal(await unit('ns', 'Nanoseconds'), 'ns');
  assert.equal(await unit('curB', 'currently allocated Bytes'), 'bytes');
  for (const name of ['Ir', 'Time', 'calls(n)', 'missed_seconds_of(x)', 'rs']) assert.notEqual(await unit(name), 's', name);
  assert.equal(await unit('Ir', 'instructions'), 'count');
});

test('a file of another process behind a first one is a run of its own, with its own ids', async () => {
  const file = (pid: number, name: string) => `version: 1\ncreator: other\npid: ${pid}\nevents: Ir\nfn=(1) ${name}\n1 10\n`;
  assert.deepEqual(await routinesOf(file(1, 'f') + file(2, 'g')), ['f   0 10', 'g   0 10']);
});

test('names that a writer left mangled are demangled, and functions that differ by a hash of Rust alone stay two routines', async () => {
  const names = {
    _ZN3sta5Power4evalEP6DdNode: 'sta::Power::eval(DdNode*)',
    _RNCNvCs1234_7mycrate4main0B3_: 'mycrate::main::{closure#0}',
    _ZN2ab2cd17h7b6e470314c3c592E: 'ab::cd#1',
    _ZN2ab2cd17hd69396997e117d33E: 'ab::cd#2',
    '_$LT$alloc..Vec$LT$T$GT$$u20$as$u20$Iter$GT$::next::h0123456789abcdef': '<alloc::Vec<T> as Iter>::next',
    'plain::path::hot': 'plain::path::hot',
    _Z: '_Z',
    _ZZZ: '_ZZZ',
    _Reverse: '_Reverse',
  };
  const text = `events: Ir\n${Object.keys(names)
    .map((name, i) => `fn=(${i + 1}) ${name}\n1 ${i + 1}\n`)
    .join('')}`;
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const path = join(folder, 'callgrind.out.1');
  writeFileSync(path, text);
  const profile = await loadProfile([path]);
  assert.deepEqual(checkProfile(profile), []);
  const { totals } = analyse(profile, profile.events, new Set());
  assert.deepEqual(
    Array.from(profile.routines.name, (_, r) => [routineName(profile, r), totals.self[0][r]]),
    Object.values(names).map((name, i) => [name, i + 1]),
  );
});

test('a demangled routine keeps the name of the file, and is found by either', async () => {
  // By c++filt and rustfilt, without the hash and the number that LLVM gives.
  const names = {
    _Z3addii: 'add(int, int)',
    _ZN7mycrate4main17h0123456789abcdefE: 'mycrate::main',
    _RNvMs0_NtCs1234_7mycrate3fooNtB5_3Bar3baz: '<mycrate::foo::Bar>::baz',
    'mycrate::foo.llvm.1234567890123456789': 'mycrate::foo',
    '_Z3subii.llvm.77': 'sub(int, int)',
    'plain.llvm.x': 'plain.llvm.x',
    'llvm.12': 'llvm.12',
    plain: 'plain',
  };
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const path = join(folder, 'callgrind.out.1');
  const recorded = Object.keys(names);
  writeFileSync(path, `events: Ir\n${recorded.map((name, i) => `fn=${name}\n${i + 1} 10\n`).join('')}`);
  const profile = await loadProfile([path]);
  assert.deepEqual(checkProfile(profile), []);
  assert.deepEqual(
    recorded.map((_, r) => routineName(profile, r)),
    Object.values(names),
  );
  recorded.forEach((name, r) => {
    assert.equal(recordedNameOf(profile, r) ?? routineName(profile, r), name);
    for (const wanted of [name, routineName(profile, r)]) assert.deepEqual(findRoutines(profile, wanted), [r], wanted);
  });
});

test('command and total of a file are known from its first and last bytes', () => {
  const facts = (head: string, tail = '') => readRunFacts(Buffer.from(head), Buffer.from(tail));
  assert.deepEqual(facts('cmd: ./demo 3\nevents: Ir Dr\n', '1 5\n\ntotals: 2178024 7\n'), {
    command: './demo 3',
    total: '2,178,024 Ir',
  });
  assert.deepEqual(
    facts('version: 1\ncmd: /a.php\nevents: Time_(10ns) Memory_(bytes)\n', 'summary: 250048300 8\n').total,
    '2.50 s',
  );
  // Of two appended runs, the last bytes have only one.
  assert.deepEqual(facts('cmd: a\nevents: Ir\n', '==== NEW PROFILING FILE\nevents: Ir\nsummary: 5\n').total, '');
  assert.deepEqual(facts('events: Ir\nfn=a\n1 5\n'), { command: '', total: '' });
  assert.deepEqual(facts('cmd: a\nevents: Ir\n', 'summary: 12x\n').total, '');
});
