// The byte loop in WebAssembly against its reference, the scanner: the same profile, or the same error, of every file.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { FormatError } from '../../src/base/problem.ts';
import { digestPiece, type FilePiece } from '../../src/formats/callgrind/digest.ts';
import { load } from '../../src/formats/callgrind/index.ts';
import type { LineReaderOptions } from '../../src/formats/callgrind/line-reader.ts';
import type { Threads } from '../../src/formats/loader.ts';
import type { Profile } from '../../src/model/profile.ts';
import { Sink } from '../../src/model/sink.ts';
import { FIXTURES, namesIn, readMaybeGz } from '../support/fixtures.ts';
import { long, most, some } from '../support/long.ts';

/** Threads that are none: what goes over is copied, and what was handed over is gone. */
const threads: Threads = {
  count: 2,
  async run(input, transfer) {
    const over = structuredClone(input, { transfer: [...transfer] });
    await new Promise((resolve) => setImmediate(resolve));
    const { result, transfer: back } = digestPiece(over as FilePiece);
    return structuredClone(result, { transfer: [...back] });
  },
};

interface Way extends LineReaderOptions {
  readonly chunk?: number;
  readonly threads?: Threads;
}

async function read(bytes: Uint8Array, { chunk = bytes.length, ...reading }: Way): Promise<Profile | FormatError> {
  const sink = new Sink();
  try {
    const source = {
      path: 'test',
      size: bytes.length,
      ...(reading.threads ? { threads: reading.threads } : {}),
      async *chunks() {
        for (let at = 0; at < bytes.length; at += chunk) yield bytes.slice(at, at + chunk);
      },
    };
    await load(source, sink, new AbortController().signal, reading);
    return sink.finish('callgrind');
  } catch (error) {
    assert.ok(error instanceof FormatError, String(error instanceof Error ? error.stack : error));
    return error;
  }
}

async function agrees(bytes: Uint8Array, what: string, readings: readonly Way[]): Promise<void> {
  const reference = await read(bytes, { scannerOnly: true });
  for (const reading of readings) {
    const other = await read(bytes, reading);
    if (reference instanceof FormatError) assert.deepEqual((other as FormatError).problem, reference.problem, what);
    else {
      assert.ok(!(other instanceof FormatError), `${what}: ${(other as FormatError).message}`);
      for (const key of Object.keys(reference) as (keyof Profile)[])
        assert.deepEqual(numbers(other[key]), numbers(reference[key]), `${what}: ${key}`);
    }
  }
}

/**
 * The tables as plain numbers. Rows behind `rcalls=`, which nobody writes, are digested, discarded and scanned: a large number among them
 * may have made its column one of doubles, with the same values.
 */
function numbers(value: unknown): unknown {
  if (value instanceof Float64Array || value instanceof Uint32Array) return Array.from(value);
  if (Array.isArray(value)) return value.map(numbers);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, numbers(inner)]));
}

const EVERYWHERE: readonly Way[] = [
  { scannedBytes: 1 },
  { scannedBytes: 1, mostBytes: 300 },
  { scannedBytes: 1, threadsFromBytes: 0, chunk: 2000, threads },
  { scannedBytes: 1, threadsFromBytes: 0, chunk: 100_000, threads },
];

for (const folder of ['callgrind', 'callgrind/edge', 'cachegrind']) {
  long(`every file of ${folder} is read as the reference reads it`, async () => {
    const names = namesIn(join(FIXTURES, folder), /\.out([.-]\d+)*(\.gz)?$/);
    assert.ok(names.length > 5);
    for (const name of some(names)) await agrees(readMaybeGz(join(FIXTURES, folder, name)), name, EVERYWHERE);
  });
}

/** Lines of all kinds, most of them right: what is wrong must be wrong in the same way. */
const blank = fc.constantFrom(' ', ' ', ' ', '  ', '\t');
const number = fc.oneof(
  fc.nat(9).map(String),
  fc.nat(100_000).map(String),
  fc.constantFrom('4294967295', '4294967296', '123456789012', '9007199254740993', '0x1f', '0xfffffffff', '007', '-3', '.', '1x'),
);
const position = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('*', '+1', '+3', '-1', '+12') },
  { weight: 3, arbitrary: fc.nat(5000).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('0x10', '0xffffffff80001000', '+0x7', '-9000', '4294967296', '++1', '*2', '') },
);
const id = (name: string) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.nat(4).map((n) => `(${n})`) },
    { weight: 4, arbitrary: fc.nat(4).map((n) => `(${n}) ${name}${n}`) },
    { weight: 1, arbitrary: fc.constantFrom(name, `(9)`, '(1) other', '(x)', '') },
  );
const row = (instr: boolean, events: number) =>
  fc
    .tuple(
      position,
      position,
      fc.array(number, { minLength: 0, maxLength: events }),
      blank,
      fc.constantFrom('', '', '', ' ', '\r'),
    )
    .map(([a, b, counts, gap, end]) => [...(instr ? [a] : []), b, ...counts].join(gap) + end);
const body = (instr: boolean, events: number) => {
  const target = fc.tuple(position, position).map(([a, b]) => (instr ? `${a} ${b}` : b));
  const line = row(instr, events);
  const common = [
    { weight: 12, arbitrary: line },
    { weight: 3, arbitrary: id('f').map((i) => `fn=${i}`) },
    { weight: 1, arbitrary: id('a.c').map((i) => `fl=${i}`) },
    { weight: 1, arbitrary: id('a.c').map((i) => `fi=${i}`) },
    { weight: 1, arbitrary: id('lib').map((i) => `ob=${i}`) },
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.option(id('lib')), fc.option(id('a.c')), id('f'), number, target, line)
        .map(
          ([ob, fl, fn, n, t, l]) =>
            `${ob === null ? '' : `cob=${ob}\n`}${fl === null ? '' : `cfi=${fl}\n`}cfn=${fn}\ncalls=${n} ${t}\n${l}`,
        ),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom('jump=3 ', 'jcnd=2/7 ', 'jcnd=7 2 '), target, fc.option(id('f')), position, position)
        .map(([word, t, fn, a, b]) => `${fn === null ? '' : `jfi=(1)\njfn=${fn}\n`}${word}${t}\n${instr ? `${a} ` : ''}${b}`),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '# a comment',
        '\r',
        'cfn=(1)',
        'calls=1 2',
        'jump=1 2',
        'what=3',
        'rcalls=1 1',
        'part: 2',
        'totals: 5',
        'events: Ir',
        'positions: line',
        '  7 1',
      ),
    },
  ];
  return fc.array(fc.oneof(...common), { minLength: 1, maxLength: 40 }).map((lines) => lines.join('\n'));
};
const profileText = fc
  .tuple(fc.boolean(), fc.integer({ min: 1, max: 3 }))
  .chain(([instr, events]) =>
    body(instr, events).map(
      (text) =>
        `positions: ${instr ? 'instr line' : 'line'}\nevents: ${['Ir', 'Dr', 'Dw'].slice(0, events).join(' ')}\n` +
        `fl=(0) a.c0\nob=(0) lib0\nfn=(0) f0\n${instr ? '0x1000 ' : ''}7 1\n${text}\n`,
    ),
  );

/** Checks so many generated files; how many of them were right. */
async function agreeing(texts: fc.Arbitrary<string>, runs: number, readings: readonly Way[]): Promise<number> {
  let right = 0;
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const bytes = Buffer.from(text);
      await agrees(bytes, text, readings);
      if (!((await read(bytes, { scannerOnly: true })) instanceof FormatError)) right++;
    }),
    { numRuns: runs },
  );
  return right;
}

long('generated files are read as the reference reads them', async () => {
  const right = await agreeing(profileText, most(2000), [
    { scannedBytes: 1 },
    { scannedBytes: 1, mostBytes: 64 },
    { scannedBytes: 1, threadsFromBytes: 0, chunk: 90, threads },
  ]);
  assert.ok(right > most(60), `${right} of the files were right`);
});

/** Lines as Valgrind writes them, nothing wrong among them, with numbers of all lengths that the fast ways must tell apart. */
const digits = (most: number) =>
  fc.integer({ min: 1, max: most }).chain((n) => fc.integer({ min: n === 1 ? 0 : 10 ** (n - 1), max: 10 ** n - 1 }).map(String));
const step = fc.oneof(
  { weight: 6, arbitrary: digits(5).map((d) => `+${d}`) },
  { weight: 2, arbitrary: fc.constantFrom('*', '-1', '-12', '+99999999', '+123456789') },
  { weight: 2, arbitrary: fc.constantFrom('0x5000', '0xfffffff0', '0x100000000', '0xffffffff80001000', '8192') },
);
const lineStep = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('*', '*', '+1', '+9999', '+10000', '-1', '-12') },
  { weight: 2, arbitrary: digits(4).map((d) => `+${d}`) },
  { weight: 2, arbitrary: fc.constantFrom('700', '9999', '123456', '4000000000') },
);
const plainBody = (instr: boolean, events: number) => {
  const at = fc.tuple(step, lineStep).map(([a, l]) => (instr ? `${a} ${l}` : l));
  const counts = fc.array(digits(14), { minLength: 0, maxLength: events }).map((c) => c.join(' '));
  const cost = fc.tuple(at, counts).map(([a, c]) => (c === '' ? a : `${a} ${c}`));
  const end = fc.constantFrom(' ', ' ', '');
  const called = fc.constantFrom('cfn=(1)', 'cfn=(2) g', 'cfn=(0)', 'cob=(0)\ncfi=(0)\ncfn=(3) h', 'cfi=(1) b.c\ncfn=(1)');
  return fc
    .array(
      fc.oneof(
        { weight: 10, arbitrary: cost },
        {
          weight: 3,
          arbitrary: fc.tuple(called, digits(11), at, end, cost).map(([ids, n, t, e, c]) => `${ids}\ncalls=${n} ${t}${e}\n${c}`),
        },
        { weight: 3, arbitrary: fc.tuple(digits(11), at, end, at, end).map(([n, t, e, a, f]) => `jump=${n} ${t}${e}\n${a}${f}`) },
        {
          weight: 3,
          arbitrary: fc
            .tuple(digits(9), digits(11), at, end, at, end)
            .map(([n, m, t, e, a, f]) => `jcnd=${n}/${m} ${t}${e}\n${a}${f}`),
        },
        { weight: 1, arbitrary: fc.constantFrom('fn=(0)', 'fn=(1)', 'fn=(4) k', 'fi=(1)', 'fe=(0)', 'ob=(0)', '', '# note') },
      ),
      { minLength: 20, maxLength: 120 },
    )
    .map((lines) => lines.join('\n'));
};
const plainText = fc
  .tuple(fc.boolean(), fc.integer({ min: 1, max: 3 }))
  .chain(([instr, events]) =>
    plainBody(instr, events).map(
      (text) =>
        `positions: ${instr ? 'instr line' : 'line'}\nevents: ${['Ir', 'Dr', 'Dw'].slice(0, events).join(' ')}\n` +
        `ob=(0) lib\nfl=(0) a.c\nfi=(1) b.c\nfe=(0)\nfn=(1) e\n1${instr ? ' 1' : ''} 1\nfn=(2) g\nfn=(3) h\nfn=(0) f\n` +
        `${instr ? '0x100000 ' : ''}1000000 1\n${text}\n`,
    ),
  );

long('numbers of every length, as Valgrind writes them, are read as the reference reads them', async () => {
  const right = await agreeing(plainText, most(1000), [
    { scannedBytes: 1 },
    { scannedBytes: 1, mostBytes: 200 },
    { scannedBytes: 1, threadsFromBytes: 0, chunk: 400, threads },
  ]);
  assert.ok(right > most(500), `${right} of the files were right`);
});

test('real files are read by digests nearly to the end', async () => {
  const bytes = readMaybeGz(join(FIXTURES, 'callgrind/instr-jumps.callgrind.out.gz'));
  const { Scanner } = await import('../../src/formats/callgrind/scan.ts');
  const { LineReader } = await import('../../src/formats/callgrind/line-reader.ts');
  const reader = new LineReader(new Scanner(new Sink(), 'test'));
  reader.read(bytes, 0, bytes.lastIndexOf(10) + 1);
  assert.ok(reader.digested > bytes.length - 10_000, `${reader.digested} of ${bytes.length} bytes`);
});

test('a position that has a character too many, too few or another one is read as the reference reads it', async () => {
  const head = 'positions: instr line\nevents: Ir\nfl=a.c\nfn=f\n0x100000 5 1\n';
  const plain = '+2 +1 3\n'.repeat(20);
  const rows = [
    '+ 12 5',
    '+1234567 1 2',
    '+12345 1 2',
    '+1 + 5',
    '+1 - 5',
    '+1 +12345 6',
    '++1 2 3',
    '+1 *1 2',
    '+1 2',
    '+ + 5',
    '* * 7',
  ];
  for (const row of rows)
    await agrees(Buffer.from(`${head}${plain}${row}\n${plain}`), row, [
      { scannedBytes: 1 },
      { scannedBytes: 1, threadsFromBytes: 0, chunk: 100, threads },
    ]);
  const lines = '5 1\n'.repeat(20);
  for (const row of ['+ 5', '- 5', '+', '+12345 5', '*1 5', '12345 123456789', '-99 1'])
    await agrees(Buffer.from(`events: Ir\nfl=a.c\nfn=f\n${lines}${row}\n${lines}`), row, [{ scannedBytes: 1 }]);
});
