// Files made to break the reader: every loader reads them in time and memory that grow with their size, or refuses them by name.
import assert from 'node:assert/strict';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { partColumns } from '../../src/analysis/answers/part-columns.ts';
import { DEFAULT_LIMITS, type Limits } from '../../src/base/limits.ts';
import { FormatError } from '../../src/base/problem.ts';
import { longPhaseRule } from '../../src/findings/builds/long-phase.ts';
import { loaders } from '../../src/formats/index.ts';
import { type Folder, finishProfile, type Loader } from '../../src/formats/loader.ts';
import { checkProfile } from '../../src/model/check.ts';
import type { Profile } from '../../src/model/profile.ts';
import { Sink } from '../../src/model/sink.ts';
import { evidence, saidBy } from '../findings/cases.ts';
import { long, some } from '../support/long.ts';

/** What takes longer than this is not linear: all of it takes a fraction of a second otherwise. */
const WATCHDOG = { timeout: 30_000 };

function loaderOf(name: string): Loader {
  const loader = loaders.find((l) => l.name === name);
  assert.ok(loader, name);
  return loader;
}

interface Given {
  readonly limits?: Partial<Limits>;
  readonly chunk?: number;
  readonly folder?: Folder;
}

/** Loads bytes that come in chunks, as from a pipe; a profile must be sound. */
async function load(name: string, bytes: Iterable<Uint8Array> | string, given: Given = {}): Promise<Profile> {
  const sink = new Sink({ ...DEFAULT_LIMITS, ...given.limits });
  sink.paths.push('hostile');
  const loader = loaderOf(name);
  const { chunk = 1 << 16, folder } = given;
  const all = typeof bytes === 'string' ? [Buffer.from(bytes)] : bytes;
  async function* chunks() {
    for (const piece of all) for (let at = 0; at < piece.length; at += chunk) yield piece.subarray(at, at + chunk);
  }
  const source = { path: 'hostile', size: undefined, chunks, ...(folder ? { folder } : {}) };
  await loader.load(source, sink, new AbortController().signal);
  const profile = finishProfile(loader, sink);
  assert.deepEqual(checkProfile(profile), []);
  return profile;
}

/** The problem for which a file is refused. */
async function refusal(name: string, bytes: Iterable<Uint8Array> | string, given: Given = {}): Promise<FormatError['problem']> {
  try {
    await load(name, bytes, given);
  } catch (error) {
    assert.ok(error instanceof FormatError, `${name}: ${error}`);
    return error.problem;
  }
  assert.fail(`${name} was not refused`);
}

/** What stands before and after a line in a file of each format. */
const TEXTS: Record<string, readonly [before: string, after: string]> = {
  callgrind: ['version: 1\nevents: Ir\nfn=', '\n1 1\n'],
  cachegrind: ['desc: x\ncmd: y\nevents: Ir\nfl=a\nfn=', '\n1 1\n'],
  aprof: ['v 6\nm bb-count\nr "', '" "image" 1\n'],
  gprof: [' time   seconds   seconds    calls\n 99.00      0.01     0.01                             ', '\n'],
  'ninja-log': ['# ninja log v5\n1\t2\t3\t', '\t5\n'],
  gperftools: ['--- symbol\n0x0000000000000001 ', '\n'],
};

/** `size` bytes of one letter, a piece at a time. */
function* letters(before: string, size: number, after: string): Generator<Uint8Array> {
  yield Buffer.from(before);
  const piece = Buffer.alloc(1 << 16, 'a');
  for (let left = size; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length));
  yield Buffer.from(after);
}

for (const [name, [before, after]] of Object.entries(TEXTS)) {
  test(`${name}: a line of 100 MB is refused while it is read`, WATCHDOG, async () => {
    let read = 0;
    function* counted() {
      for (const piece of letters(before, 100 << 20, after)) {
        read += piece.length;
        yield piece;
      }
    }
    const problem = await refusal(name, counted());
    assert.match(problem.expected, /^at most \d+ bytes in a (line of text|name)$/);
    assert.match(problem.hint ?? '', /^--max (line|name)=/);
    assert.ok(problem.line !== undefined || problem.offset !== undefined);
    assert.ok(read < 20 << 20, `${read} bytes were read`);
  });

  test(`${name}: a name longer than the limit is refused, wherever the chunks end`, WATCHDOG, async () => {
    for (const chunk of [7, 4096, 1 << 20]) {
      const problem = await refusal(name, letters(before, 5000, after), { limits: { name: 4096 }, chunk });
      assert.match(problem.expected, /^at most 4096 bytes in a name$/);
    }
    if (name !== 'gperftools') await load(name, letters(before, 5000, after), { limits: { name: 6000 } });
  });
}

test('a JSON value longer than the limit is refused while it is read', WATCHDOG, async () => {
  const limits = { value: 1 << 20 };
  for (const [name, before] of [
    ['trace-events', '{"traceEvents":[{"ph":"X","name":"'],
    ['build-trace', '{"version":"101"}\n{"id":1,"executable":"'],
    ['cmake', '{"role":"compile","source":"'],
  ] as const) {
    const problem = await refusal(name, letters(before, 30 << 20, ''), { limits });
    assert.equal(problem.expected, 'at most 1048576 bytes of one JSON value', name);
    assert.match(problem.hint ?? '', /^--max value=/);
  }
});

long('an unfinished JSON value of 100 MB is looked at a few times only', WATCHDOG, async () => {
  for (const [name, before] of [
    ['trace-events', '{"traceEvents":[{"ph":"X","ts":1,"dur":1,"name":"a"},{"ph":"X","args":"'],
    ['build-trace', '{"version":"101"}\n{"id":1,"executable":"a","args":["'],
  ] as const) {
    const profile = await load(name, letters(before, 100 << 20, ''), { limits: { name: 256 << 20 } });
    assert.match(profile.cut?.expected ?? '', /the end of an event/, name);
  }
});

const deep = (brackets: string, depth = 100_000) =>
  brackets === '[' ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Values where something else is expected. */
const ODD = [
  '{"toString":1}',
  '{"__proto__":{"toString":1}}',
  'null',
  '1e999',
  '[[]]',
  '"x"',
  deep('['),
  deep('{'),
  deep('{', 500),
];

const EVENT_KEYS = ['ph', 'ts', 'dur', 'name', 'cat', 'pid', 'tid', 'id', 'id2', 'args', 'tdur'];

long('trace events may have any value anywhere', WATCHDOG, async () => {
  for (const odd of ODD) {
    const kinds = ['X', 'B', 'E', 'b', 'e', 'C', 's', 'f', 'i', 'M', 'Q'];
    for (const [ph, key] of some(kinds.flatMap((kind) => EVENT_KEYS.map((of) => [kind, of] as const)))) {
      const whole = new Map([
        ['ph', `"${ph}"`],
        ['ts', '1'],
        ['name', '"thread_name"'],
        ['args', '{"name":"a","role":"compile","timeStart":1,"duration":1}'],
      ]);
      const event = `{${[...whole.set(key, odd)].map(([k, v]) => `"${k}":${v}`).join(',')}}`;
      const good = '{"ph":"X","ts":1,"dur":1,"name":"good"}';
      await load('trace-events', `{"beginningOfTime":${odd},"traceEvents":[${event},${good}],"x":${odd}}`);
    }
    for (const key of ['name', 'labels', 'sort_index', 'number', 'count', 'detail'])
      for (const name of ['process_name', 'process_labels', 'thread_sort_index', 'num_cpus', 'Total a'])
        await load(
          'trace-events',
          `[{"ph":"M","name":"${name}","args":{"${key}":${odd}}}, {"ph":"B","ts":1,"name":"a","args":{"${key}":${odd}}},{"ph":"E","ts":2,"name":"a","args":{"${key}":1}}]`,
        );
  }
});

test('a build trace may have any value anywhere', WATCHDOG, async () => {
  for (const odd of ODD)
    for (const key of ['id', 'parent_id', 'work_dir', 'executable', 'args', 'env-diff', 'version', 'creator', 'env']) {
      const good = '{"id":1,"executable":"a","args":["a"],"work_dir":"/"}';
      await load('build-trace', `{"${key}":${odd}}\n${good}\n`);
      await load('build-trace', `{"id":2,"executable":"b","args":[${odd}],"${key}":${odd}} ${good}\n${good}\n`);
    }
});

/** A build tree in memory. */
function tree(files: Record<string, string>): Folder {
  return {
    path: 'tree',
    list: (relative) => {
      const prefix = relative === '' ? '' : `${relative}/`;
      const names = new Map<string, boolean>();
      for (const file of Object.keys(files)) {
        if (!file.startsWith(prefix)) continue;
        const [name, ...more] = file.slice(prefix.length).split('/');
        names.set(name, more.length > 0);
      }
      return [...names].map(([name, folder]) => ({ name, folder, regular: !folder }));
    },
    read: (relative) => (relative in files ? Buffer.from(files[relative]) : undefined),
  };
}

const snippetName = (k: number) => `compile-0123456789abcdef0123-2026-01-01T00-00-0${k}-0000.json`;
const GOOD = '{"version":{"major":1},"role":"compile","timeStart":1000,"duration":5,"target":"good"}';

async function loadTree(files: Record<string, string>): Promise<Profile> {
  const sink = new Sink();
  sink.paths.push('tree');
  const prefixed = Object.entries(files).map(([name, text]) => [`.cmake/instrumentation/v1/data/${name}`, text] as const);
  await loaderOf('cmake').loadFolder?.(tree(Object.fromEntries(prefixed)), sink, new AbortController().signal);
  const profile = sink.finish('cmake');
  assert.deepEqual(checkProfile(profile), []);
  return profile;
}

const stepsOf = (profile: Profile) => (profile.kind === 'steps' ? profile.steps.name.length : 0);

test('one bad snippet of a build tree is left out with a warning that names it', WATCHDOG, async () => {
  const bad = [
    ...ODD,
    '{"version":{"major":2},"role":"compile","timeStart":1000,"duration":5}',
    '{"role":{"toString":1},"timeStart":1000,"duration":5}',
    '{"role":"compile","timeStart":1e999,"duration":5}',
    '{',
    '',
  ];
  for (const text of bad) {
    const profile = await loadTree({ [snippetName(1)]: text, [snippetName(2)]: GOOD });
    assert.equal(stepsOf(profile), 1, text.slice(0, 60));
    assert.ok(
      profile.warnings.some((w) => w.path.endsWith(snippetName(1))),
      text.slice(0, 60),
    );
  }
});

test('the files of a build tree may have any value anywhere', WATCHDOG, async () => {
  for (const odd of ODD) {
    for (const key of ['version', 'hook', 'snippets', 'staticSystemInformation']) {
      const index = new Map([
        ['snippets', `["${snippetName(1)}"]`],
        ['staticSystemInformation', `{"OSName":${odd},"numberOfLogicalCPU":${odd}}`],
        [key, odd],
      ]);
      const text = `{${[...index].map(([k, v]) => `"${k}":${v}`).join(',')}}`;
      const loading = loadTree({ [snippetName(1)]: GOOD, 'index/index-2026-01-01T00-00-00-0000.json': text });
      await loading.catch((error: unknown) => assert.ok(error instanceof FormatError, String(error)));
    }
    for (const key of [
      'role',
      'result',
      'target',
      'source',
      'outputs',
      'outputSizes',
      'command',
      'workingDir',
      'cmakeContent',
      'traceFile',
      'config',
      'dynamicSystemInformation',
      'more',
    ])
      assert.ok(
        stepsOf(
          await loadTree({
            [snippetName(1)]: `{"timeStart":5,"duration":5,"role":"link","${key}":${odd}}`,
            [snippetName(2)]: GOOD,
          }),
        ) > 0,
      );
    const content = `{"project":${odd},"targets":{"__proto__":{"type":${odd},"labels":[${odd}]},"a":${odd}},"custom":${odd}}`;
    const snippet = '{"timeStart":5,"duration":5,"role":"configure","cmakeContent":"content/cmake-1.json"}';
    assert.equal(stepsOf(await loadTree({ [snippetName(1)]: snippet, 'content/cmake-1.json': content })), 1);
  }
});

long('a kept build may have any line: the others are read', WATCHDOG, async () => {
  const line = (file: string, text: string) => JSON.stringify({ file, text });
  const index = line('index/index-2026-01-01T00-00-00-0000.json', `{"snippets":["${snippetName(1)}"]}`);
  for (const odd of ODD) {
    const text = `{"proftuiBuild":1,"about":${odd}}\n${odd}\n{"file":${odd},"text":${odd}}\n${index}\n${line(snippetName(1), GOOD)}`;
    for (const chunk of [11, 1 << 20]) assert.equal(stepsOf(await load('cmake', text, { chunk })), 1, odd.slice(0, 40));
    loaderOf('cmake').readBuildInfo?.(Buffer.from(text.slice(0, 4096)));
  }
  const hook = '{"proftuiBuild":1}\n{"file":"index/x","text":"{\\"hook\\":\\"constructor\\"}"}';
  assert.deepEqual(loaderOf('cmake').readBuildInfo?.(Buffer.from(hook)), { what: 'build', hook: 'constructor' });
});

const BLANKS = ' '.repeat(200_000);
const GPROF = ' time   seconds   seconds    calls\n';
const GCC = 'Time variable    usr   sys   wall\n a : ';

/** Lines that a backtracking expression would go over again and again. */
const SLOW: readonly (readonly [name: string, text: string])[] = [
  [
    'callgrind',
    `version: 1\nevents: Ir\nevent: A${BLANKS}= Ir\nevent: B${BLANKS}x y\nevent: C${'=a'.repeat(100_000)} : x\nfn=a\n1 1\n`,
  ],
  [
    'callgrind',
    `version: 1\nevents: Ir\nevent: D =${'+'.repeat(200_000)}\nevent: H = 0x${'a'.repeat(200_000)} b c\nevent: N = ${'1'.repeat(200_000)} b c\nevent: E = Ir${BLANKS}+${BLANKS}Ir x\nfn=a\n1 1\n`,
  ],
  ['callgrind', `version: 1\nevents: Ir\nfn=(1) a\nfn=(2) (1)${"'(1".repeat(60_000)}\n1 1\n`],
  ['callgrind', `version: 1\nevents: Ir\nfn=a\n1${BLANKS}1${BLANKS}\n`],
  [
    'aprof',
    `v 6\nm bb-count\nr "a" "b" 1\nr a 0x1 ${'1 '.repeat(100_000)}\nd 1${BLANKS}x\nt ${BLANKS}x\np 1 1 ${BLANKS}${'1'.repeat(200_000)}\n`,
  ],
  [
    'ninja-log',
    `# ninja log v5${BLANKS}\n1\t2\t3\t${'.so.1'.repeat(50_000)}x\t4\n1\t2\t3\tCMakeFiles/${'a'.repeat(200_000)}\t4\n${'\t'.repeat(200_000)}\n`,
  ],
  [
    'build-trace',
    `{"version":"101"}\n${'{'.repeat(100_000)}\n${'{"a'.repeat(50_000)}\n{"id":1,"executable":"a","args":["a"]}\n${'['.repeat(100_000)}`,
  ],
  ['gcc-time-report', `${GCC}0.1${BLANKS}\n${GCC}0.1${BLANKS}0.1${BLANKS}x\n${GCC}${BLANKS}\n${GCC}0.1 (  2%)${BLANKS}(\n`],
  ['gprof', `${GPROF} 1.00      1.00     1.00${BLANKS}x\n`],
  ['gprof', `${GPROF} 1.00      1.00     1.00        1     0.00     0.00  ${'a <b'.repeat(50_000)}\n`],
  [
    'gprof',
    `[1] 1.0 0.00 0.00 1 ${'a <b> (a:1 @ 1) <'.repeat(10_000)} [1]\n${BLANKS}0.00 0.00 1/1 a [1]\n${'-'.repeat(200_000)}\n`,
  ],
  ['gprof', `[1] 1.0 0.00 0.00${BLANKS}a [1]\n`],
  ['gcc-time-report', `${GCC}0.${'1'.repeat(400_000)}\n${GCC}0.1 0.${'1'.repeat(400_000)}x\n${GCC}${'1'.repeat(400_000)}\n`],
];

for (const [name, text] of SLOW)
  test(
    `${name}: lines of 200,000 odd characters take no time: ${text.slice(20, 60).replaceAll('\n', ' ')}`,
    WATCHDOG,
    async () => {
      await load(name, text).catch((error: unknown) => assert.ok(error instanceof FormatError, String(error)));
    },
  );

/** A symbolized profile of one stack, with lines of text before and after. */
function cpuProfile(symbols: string, maps: string): Uint8Array[] {
  const words = [0, 3, 0, 10_000, 0, 1, 2, 0x1000, 0x2000, 0, 1, 0];
  return [
    Buffer.from(symbols === '' ? '' : `--- symbol\n${symbols}\n---\n--- profile\n`),
    Buffer.from(BigUint64Array.from(words, BigInt).buffer),
    Buffer.from(maps),
  ];
}

test('gperftools: lines of 200,000 odd characters take no time', WATCHDOG, async () => {
  const odd = [
    BLANKS,
    'a b '.repeat(50_000),
    '$build'.repeat(30_000),
    '\u2028'.repeat(60_000),
    '<'.repeat(200_000),
    '-'.repeat(200_000),
  ];
  for (const o of odd) {
    const maps = `build=${o}x\n00001000-00003000 r-xp 00000000 00:00 0 ${o}x\n00001000-00003000 r-xp 00000000 00:00 1${o}\n1${BLANKS}-2\n`;
    await load('gperftools', cpuProfile('', maps));
    const symbols = `binary=${o}x\n0x0000000000001000 ${o}x\n0x1${BLANKS}\n${o}`;
    await load('gperftools', cpuProfile(symbols, maps)).catch((error: unknown) =>
      assert.ok(error instanceof FormatError, String(error)),
    );
  }
});

test('more events than the limit are refused', WATCHDOG, async () => {
  const names = Array.from({ length: 40_000 }, (_, k) => `E${k}`).join(' ');
  const problem = await refusal('callgrind', `version: 1\nevents: ${names}\nfn=a\n1 1\n`);
  assert.deepEqual([problem.line, problem.expected, problem.found], [2, 'at most 1000 events of a profile', '40000']);
  assert.equal(problem.hint, '--max events=40000 reads it anyway');
  const lines = Array.from({ length: 40_000 }, (_, k) => `event: D${k} = Ir`).join('\n');
  assert.equal((await refusal('callgrind', `version: 1\nevents: Ir\n${lines}\nfn=a\n1 1\n`)).line, 1003);
});

test('formulas that lead to each other a thousand times are resolved at once', WATCHDOG, async () => {
  const chain = Array.from({ length: 990 }, (_, k) => `event: D${k} = 2 D${k + 1} + Ir`).join('\n');
  const profile = await load('callgrind', `version: 1\nevents: Ir\n${chain}\nevent: D990 = Ir\nfn=a\n1 1\n`);
  assert.ok(profile.events.every((e) => e.terms.every(([factor]) => Number.isFinite(factor))));
  const wide = Array.from(
    { length: 900 },
    (_, k) => `event: W${k} =${Array.from({ length: k }, (_, j) => ` + W${j}`).join('')} + Ir`,
  );
  await load('callgrind', `version: 1\nevents: Ir\n${wide.join('\n')}\nfn=a\n1 1\n`);
});

test('names that are made of names do not grow without end', WATCHDOG, async () => {
  const doubling = Array.from({ length: 60 }, (_, k) => `fn=(${k + 2}) (${k + 1})'(${k + 1})`).join('\n1 1\n');
  const problem = await refusal('callgrind', `version: 1\nevents: Ir\nfn=(1) a\n1 1\n${doubling}\n1 1\n`);
  assert.match(problem.expected, /bytes in a name/);
});

long('many namesakes take no time: each in a file of its own, and as callees', WATCHDOG, async () => {
  const n = 60_000;
  const self = Array.from({ length: n }, (_, k) => `fl=${k}.c\nfn=main\n1 1\n`).join('');
  const calls = Array.from({ length: n }, (_, k) => `cfi=${k}.c\ncfn=(1) f\ncalls=1 1\n1 1\n`).join('');
  const profile = await load('callgrind', `version: 1\nevents: Ir\n${self}${calls}`);
  assert.equal(profile.routines.name.length, n + 1);
  const routines = Array.from({ length: n }, (_, k) => `r "static" "image" ${k}\np ${k} 1 1 1 1 1 1 1 1 1 1 1\n`).join('');
  assert.equal((await load('aprof', `v 6\nm bb-count\nr "first" "image" ${n}\n${routines}`)).routines.name.length, n + 1);
});

test('times that are no numbers are left out, with a warning', WATCHDOG, async () => {
  for (const time of ['1e999', 'nan', 'Infinity', '1e300', '-5', '0x10', '', '9'.repeat(400)]) {
    const log = await load('ninja-log', `# ninja log v5\n0\t${time}\t0\ta.o\tx\n${time}\t9\t0\tb.o\tx\n1\t2\t3\tc.o\t4\n`);
    assert.equal(stepsOf(log), 1, time);
    assert.equal(log.warnings.length, 2, time);
  }
  for (const time of ['1e999', '1e300', '"nan"', '-1e308', '"1e308"']) {
    const event = (ts: string, dur: string) => `{"ph":"X","name":"a","ts":${ts},"dur":${dur}}`;
    const trace = await load('trace-events', `[${event(time, '1')},${event('1', time)},${event('1', '1')}]`);
    assert.equal(stepsOf(trace), 1, time);
    assert.ok(trace.warnings.length > 0, time);
  }
});

long('a flow of 40,000 events takes no time', WATCHDOG, async () => {
  const n = 40_000;
  const events = Array.from({ length: n }, (_, k) => [
    `{"ph":"X","name":"a","ts":${k * 10},"dur":5,"pid":1,"tid":${k % 3}}`,
    `{"ph":"${k === 0 ? 's' : k === n - 1 ? 'f' : 't'}","id":1,"name":"f","ts":${k * 10 + 1},"pid":1,"tid":${k % 3}}`,
    `{"ph":"s","id":"o${k}","name":"g","ts":${k * 10 + 1},"pid":1,"tid":${k % 3}}`,
    `{"ph":"f","id":"o${n - k}","name":"g","ts":${k * 10 + 2},"pid":1,"tid":${k % 3}}`,
  ]);
  assert.equal(stepsOf(await load('trace-events', `[${events.flat().join(',')}]`)), n);
});

long('contexts 100,000 deep, in circles and without end are put in order', WATCHDOG, async () => {
  const n = 100_000;
  const chain = Array.from({ length: n }, (_, k) => `x 1 ${k} ${k - 1}\nq ${k} 1 1 1 1 1 1 1 1 1 1 1`).join('\n');
  const report = await load('aprof', `v 6\nm bb-count\nr "a" "b" 1\n${chain}\n`);
  assert.ok(report.kind === 'inputs' && report.contexts?.id.length === n);
  const circle = Array.from({ length: n }, (_, k) => `x 1 ${k} ${(k + 1) % n}`).join('\n');
  await load('aprof', `v 6\nm bb-count\nr "a" "b" 1\np 1 1 1 1 1 1 1 1 1 1 1 1\n${circle}\n`);
  const processes = Array.from(
    { length: n },
    (_, k) => `{"id":${k},"parent_id":${(k + 1) % n},"executable":"a","args":["a"],"work_dir":"/"}`,
  );
  await load('build-trace', `{"version":"101"}\n${processes.join('\n')}\n`);
});

test('counts beyond 2^53 break no invariant of stacks', WATCHDOG, async () => {
  let random = 1n;
  const next = () => {
    random = (random * 6364136223846793005n + 1442695040888963407n) & (2n ** 64n - 1n);
    return random;
  };
  for (let size = 5; size < 40; size++) {
    const records = Array.from({ length: size }, (_, k) => [
      next() >> BigInt(size % 14),
      2n,
      BigInt(0x1000 + (k % 3)),
      BigInt(0x2000 + k),
    ]);
    const words = [0n, 3n, 0n, 10_000n, 0n, ...records.flat(), 0n, 1n, 0n];
    await load('gperftools', [Buffer.from(BigUint64Array.from(words).buffer)]);
  }
});

test('a header without a body is cut off, unless it says that nothing was counted', async () => {
  for (const name of ['callgrind', 'cachegrind']) {
    const header = 'version: 1\ncreator: x\ncmd: y\nevents: Ir Dr\n';
    assert.ok((await load(name, header)).cut, name);
    assert.ok((await load(name, `${header}\nfl=a\nfn=b\n`)).cut, name);
    const ends = name === 'callgrind' ? ['totals: 0 0\n', 'fl=a\nfn=b\n1 1 1\n'] : ['fl=a\nfn=b\n1 1 1\nsummary: 1 1\n'];
    for (const end of ['summary: 0 0\n', ...ends])
      assert.equal((await load(name, header + end)).cut, undefined, `${name} ${end}`);
  }
});

test('slices that overlap or lie in each other 40,000 deep take no time', WATCHDOG, async () => {
  const n = 40_000;
  const slice = (k: number, dur: number) => `{"ph":"X","name":"a${k % 7}","ts":${k * 10},"dur":${dur},"pid":1,"tid":1}`;
  const overlapping = Array.from({ length: n }, (_, k) => slice(k, n * 10));
  const nested = Array.from({ length: n }, (_, k) => slice(k, 20 * n - 20 * k));
  for (const slices of [overlapping, nested]) {
    const profile = await load('trace-events', `[${slices.join(',')}]`);
    assert.ok(analyse(profile, profile.events).totals.inclusive[0].every((us) => us > 0));
  }
});

test('a warning does not hold a whole line of the file', async () => {
  const profile = await load('callgrind', `version: 1\n${'k'.repeat(100_000)}: x\nevents: Ir\nfn=a\n1 1\n`);
  assert.ok(profile.warnings.length === 1 && profile.warnings[0].found.length < 1000);
});

test('a build.ninja beside a log takes no time, whatever it says', WATCHDOG, async () => {
  const dollars = '$'.repeat(200_000);
  const doubling = Array.from({ length: 60 }, (_, k) => `v${k + 1} = $v${k}$v${k}`).join('\n');
  const lines = [
    dollars,
    `build ${dollars}1: r`,
    `a${BLANKS}x\u2028`,
    `a =${BLANKS}\u2028`,
    `build ${'${'.repeat(100_000)}: r`,
    `build a.o: r\n  OBJECT_DIR = ${'a'.repeat(200_000)}`,
    `v0 = aaaa\n${doubling}\nbuild $v60: r`,
  ];
  const log = '# ninja log v5\n1\t2\t3\ta.o\t4\n';
  await load('ninja-log', log, { folder: tree({ 'build.ninja': `${lines.join('\n')}\nbuild a.o: cc a.c\n` }) });
});

/** A chain of nodes, each below the one before. */
const chainOfNodes = (n: number) => {
  const callFrame = (i: number) => ({ functionName: `f${i}`, scriptId: '1', url: 'a.js', lineNumber: 1, columnNumber: 1 });
  const nodes = Array.from({ length: n }, (_, i) => ({
    ...{ id: i + 1, callFrame: callFrame(i), hitCount: 1 },
    children: i < n - 1 ? [i + 2] : [],
  }));
  const samples = nodes.map(({ id }) => id);
  return JSON.stringify({ nodes, startTime: 0, endTime: n, samples, timeDeltas: samples.map(() => 1) });
};
/** The same, each inside the one before. */
const nestedNodes = (n: number) => {
  const node = (i: number) => `{"callFrame":{"functionName":"f${i}","url":"a.js"},"selfSize":8,"id":${i},"children":[`;
  return `{"head":${Array.from({ length: n }, (_, i) => node(i)).join('')}${']}'.repeat(n)},"samples":[]}`;
};
const nestedFrames = (n: number) => {
  const frames = Array.from({ length: n }, (_, i) => ({ name: `f${i}` }));
  const events = [
    ...frames.map((_, i) => ({ type: 'O', frame: i, at: i })),
    ...frames.map((_, i) => ({ type: 'C', frame: n - 1 - i, at: n + i })),
  ];
  const profile = { type: 'evented', name: 'x', unit: 'none', startValue: 0, endValue: 2 * n, events };
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    shared: { frames },
    profiles: [profile],
  });
};

for (const [name, make] of [
  ['cpuprofile', chainOfNodes],
  ['heapprofile', nestedNodes],
  ['speedscope', nestedFrames],
] as const)
  test(
    `${name}: stacks of far more frames than the file has are read up to the limit, which can be raised`,
    WATCHDOG,
    async () => {
      const frames = (100 * 101) / 2;
      const profile = await load(name, make(100), { limits: { frames } });
      assert.ok(profile.kind === 'stacks');
      assert.equal(profile.stacks.frame.length, frames);
      await assert.rejects(load(name, make(100), { limits: { frames: frames - 1 } }), (error: unknown) => {
        assert.ok(error instanceof FormatError);
        assert.match(error.message, /expected at most 5049 frames of all stacks together/);
        assert.equal(error.problem.hint, '--max frames=N reads it anyway');
        return true;
      });
      await assert.rejects(load(name, make(40_000)), FormatError);
    },
  );

test('perf script and callgrind: as many threads as samples are told apart in time that grows with them', WATCHDOG, async () => {
  const threads = 20_000;
  const text = Array.from(
    { length: threads },
    (_, t) => `prog ${t + 1}/${t + 1} [000] ${t}.0: 1 cycles: \n\t 401000 main+0x10 (/bin/prog)\n`,
  );
  const profile = await load('perf-script', `${text.join('\n')}\n`);
  const columns = partColumns(profile);
  assert.equal(columns.filter(({ name }) => name.startsWith('thread ')).length, threads);
  const parts = Array.from({ length: 8000 }, (_, t) => `thread: ${t}\nevents: Ir\nfn=main\n1 5\n\n`);
  assert.equal(partColumns(await load('callgrind', `events: Ir\n${parts.join('')}`)).length, 16_000);
});

long(
  'a profile of Bazel whose actions, phases and parts of the critical path are all alike takes no time',
  WATCHDOG,
  async () => {
    const n = 100_000;
    const event = (cat: string, k: number, more: string) => `{"cat":"${cat}","name":"a","pid":1,"ts":${k * 2e6},${more}}`;
    const kinds = (k: number) => [
      event('action processing', k, '"ph":"X","dur":1,"tid":2'),
      event('critical path component', k, '"ph":"X","dur":1,"tid":0'),
      event('build phase marker', k, '"ph":"i","tid":1'),
    ];
    const events = Array.from({ length: n }, (_, k) => kinds(k));
    const profile = await load(
      'trace-events',
      `[${[event('build phase marker', -1, '"ph":"X","dur":1,"tid":1'), ...events.flat()].join()}]`,
    );
    assert.ok(profile.kind === 'steps' && profile.steps.critical?.length === n);
    assert.deepEqual(saidBy(longPhaseRule, evidence({ profile })), []);
  },
);
