// Inputs that grow in one dimension, for every format: lines, routines, nesting, siblings, threads, parts, ids, labels, files, long lines.
// A reader or an analysis that looks at all of them for each of them shows in the time that four times as many take.

import { join } from 'node:path';
import { ROOT } from './fixtures.ts';
import { addMore, type Made } from './growing-more.ts';

export interface Growing {
  readonly format: string;
  readonly dimension: string;
  readonly make: (n: number) => Made;
  /** Why it may be refused at this size. */
  readonly refused?: RegExp;
}

const all: Growing[] = [];
const add = (format: string, dimension: string, make: Growing['make'], refused?: RegExp) =>
  all.push({ format, dimension, make, ...(refused ? { refused } : {}) });
const list = <T>(n: number, of: (i: number) => T): T[] => Array.from({ length: Math.floor(n) }, (_, i) => of(i));
const times = (n: number, piece: (i: number) => string): string => list(n, piece).join('');

/** The classes of characters that long names and lines are made of. */
const CLASSES: Readonly<Record<string, string>> = {
  blanks: ' ',
  digits: '7',
  letters: 'a',
  colons: ':',
  brackets: '(',
  quotes: '"',
  wide: '世',
  angles: 'a<',
  slashes: '/',
};

/** A name or line of ten characters for each of n, of every class. */
function long(format: string, make: (text: string) => string): void {
  for (const [name, piece] of Object.entries(CLASSES))
    add(format, `one long text of ${name}`, (n) => make(`x${piece.repeat((10 * n) / piece.length)}x`));
}

const CALLGRIND = '# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\ncmd: ./a\npositions: line\nevents: Ir\n';
const callgrind = (dimension: string, body: (n: number) => string) => add('callgrind', dimension, (n) => CALLGRIND + body(n));
callgrind('cost lines', (n) => `fn=a\n${times(n, (i) => `${i + 1} 1\n`)}`);
callgrind('routines', (n) => times(n, (i) => `fn=f${i}\n1 1\n`));
callgrind('sparse ids', (n) => times(n, (i) => `fn=(${i * 50_000}) f${i}\n1 1\n`));
callgrind('files', (n) => times(n, (i) => `fl=d/f${i}.c\nfn=f\n1 1\n`));
callgrind('parts with totals', (n) => times(n, (i) => `part: ${i + 1}\nfn=f\n1 1\ntotals: 1\n`));
callgrind('parts with costs of 64 bits', (n) =>
  times(n, (i) => `part: ${i + 1}\nfn=f\n${i + 1} 18446744073709551615\ntotals: 18446744073709551615\n`),
);
callgrind('threads', (n) => times(n, (i) => `thread: ${i + 1}\nfn=f${i}\n1 1\n`));
callgrind('callers of one routine', (n) => `${times(n, (i) => `fn=f${i}\ncfn=m\ncalls=1 1\n1 1\n`)}fn=m\n1 1\n`);
callgrind(
  'a chain of calls',
  (n) => `${times(n, (i) => `fn=f${i}\n1 1\ncfn=f${i + 1}\ncalls=1 1\n1 ${n - i}\n`)}fn=f${n}\n1 1\n`,
);
callgrind('a ring of calls', (n) => times(n, (i) => `fn=f${i}\n1 1\ncfn=f${(i + 1) % n}\ncalls=1 1\n1 ${n}\n`));
callgrind('cycles of two', (n) =>
  times(n, (i) => `fn=a${i}\n1 1\ncfn=b${i}\ncalls=1 1\n1 1\nfn=b${i}\n1 1\ncfn=a${i}\ncalls=1 1\n1 1\n`),
);
callgrind('jumps', (n) => `fn=m\n1 1\n${times(n, (i) => `jump=1 ${i + 1}\n${i + 1}\n`)}`);
callgrind('templates in a name', (n) => `fn=${'a<'.repeat(n)}${'>'.repeat(n)}\n1 1\n`);
long('callgrind', (text) => `${CALLGRIND.replace('./a', text)}desc: ${text}\nfl=${text}\nfn=${text}\n1 1\n`);

const CACHEGRIND = 'desc: I1 cache: 1\ncmd: ./a\nevents: Ir\n';
add('cachegrind', 'routines', (n) => `${CACHEGRIND}fl=a.c\n${times(n, (i) => `fn=f${i}\n1 1\n`)}summary: ${n}\n`);
add('cachegrind', 'files', (n) => `${CACHEGRIND}${times(n, (i) => `fl=f${i}.c\nfn=f\n1 1\n`)}summary: ${n}\n`);

const sample = (i: number, { comm = 'a', pid = 1, tid = 1, event = 'cpu-clock' } = {}) =>
  `${comm} ${pid}/${tid} ${(i / 1e6 + 1).toFixed(6)}: 1 ${event}: \n`;
const frame = (name: string, object = '/nowhere/o', address = '400000') => `\t${address} ${name} (${object})\n`;
const perf = (dimension: string, make: (n: number) => string) => add('perf-script', dimension, make);
perf('samples', (n) => times(n, (i) => `${sample(i)}${frame('f')}\n`));
perf('threads', (n) => times(n, (i) => `${sample(i, { tid: i + 1 })}${frame('f')}\n`));
perf('addresses', (n) => times(n, (i) => `${sample(i)}${frame(`f${i}`, '/nowhere/o', (0x400000 + i).toString(16))}\n`));
/** An object that is at hand: its addresses are kept, and looked for in each process. */
const LEVELS = join(ROOT, 'fixtures/perf-script/bin/levels');
perf('addresses of code', (n) => times(n, (i) => `${sample(i)}${frame('spin', LEVELS, (0x400000 + i).toString(16))}\n`));
perf('processes with code', (n) =>
  times(n, (i) => `${sample(i, { pid: i + 1 })}${frame('spin', LEVELS, (0x11c2 + i * 4096).toString(16))}\n`),
);
perf('depth', (n) => `${sample(0)}${times(n, (i) => frame(`f${i}`))}\n`);
perf('inlined functions', (n) => `${sample(0)}${times(n, (i) => frame(`f${i}`, 'inlined'))}${frame('main')}\n`);
perf('recursion', (n) => `${sample(0)}${times(n, (i) => frame(`f${i % 2}`))}\n`);
add(
  'perf-script',
  'words of a command',
  (n) => `${'1 '.repeat(n)}${sample(0)}${frame('f')}\n`,
  /expected the first line of a sample/,
);
long('perf-script', (text) => `${sample(0, { comm: text })}${frame(text, text)}\n${sample(1)}${frame('f')}\t${text}\n`);

add('folded', 'stacks', (n) => times(n, (i) => `a;b;f${i} 1\n`));
add('folded', 'depth', (n) => `${list(n, (i) => `f${i}`).join(';')} 1\n`);
add('folded', 'recursion', (n) => `a;${list(n, (i) => 'fg'[i % 2]).join(';')} 1\n`);
long('folded', (text) => `a;${text} (${text}.py:1);b 1\n`);

const heap = (n: number, sites: string) => `heap profile: ${n}: ${10 * n} [${n}: ${10 * n}] @ heapprofile\n${sites}`;
add('heap-text', 'sites', (n) =>
  heap(
    n,
    times(n, (i) => `1: 10 [1: 10] @ 0x${(4096 + i).toString(16)} 0x100\n`),
  ),
);
add('heap-text', 'depth', (n) => heap(1, `1: 10 [1: 10] @ ${list(n, (i) => `0x${(4096 + i).toString(16)}`).join(' ')}\n`));
add(
  'heap-text',
  'mapped objects',
  (n) =>
    `${heap(1, '1: 10 [1: 10] @ 0x1000\n')}MAPPED_LIBRARIES:\n${times(n, (i) => `${(4096 * (i + 1)).toString(16)}-${(4096 * (i + 2)).toString(16)} r-xp 00000000 00:00 0 /nowhere/o${i}\n`)}`,
);

/** Detailed snapshots of one heap. */
const snapshots = (n: number, tree: string) =>
  `desc: (none)\ncmd: ./a\ntime_unit: i\n${times(n, (i) => `snapshot=${i}\ntime=${i}\nmem_heap_B=100000\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=detailed\n${tree}`)}`;
add('massif', 'snapshots', (n) => snapshots(n, 'n1: 100000 heap\n n0: 100000 0x1: f (a.c:1)\n'));
add('massif', 'nodes', (n) => snapshots(1, `n${n}: 100000 heap\n${times(n, (i) => ` n0: 1 0x1: f${i} (a.c:1)\n`)}`));
const GPROF = ' time   seconds   seconds    calls  ms/call  ms/call  name\n';
const flatRow = (name: string) => ` 10.00      0.01     0.01        1     0.00     0.00  ${name}\n`;
const gprofEntry = (i: number, name: string, callees: string) =>
  `[${i}]    100.0    0.01    0.01       1         ${name} [${i}]\n${callees}${'-'.repeat(47)}\n`;
const callee = (i: number, name: string) => `                0.01    0.01       1/1           ${name} [${i}]\n`;
const inCycle = (i: number, name: string) => `                                   1             ${name} [${i}]\n`;
add('gprof', 'rows of a flat profile', (n) => `${GPROF}${times(n, (i) => flatRow(`f${i}`))}`);
add('gprof', 'namesakes', (n) => `${GPROF}${times(n, () => flatRow('f'))}`);
add('gprof', 'callees of one routine', (n) =>
  gprofEntry(
    1,
    'f',
    times(n, (i) => callee(i + 2, `f${i}`)),
  ),
);
add('gprof', 'a chain of calls', (n) => times(n, (i) => gprofEntry(i + 1, `f${i}`, callee(i + 2, `f${i + 1}`))));
add(
  'gprof',
  'a ring of calls',
  (n) =>
    gprofEntry(n + 1, 'main', callee(1, 'f0 <cycle 1>')) +
    times(n, (i) => gprofEntry(i + 1, `f${i} <cycle 1>`, inCycle(((i + n - 1) % n) + 1, `f${(i + n - 1) % n} <cycle 1>`))),
);
long('gprof', (text) => `${text}\n${GPROF}${flatRow(text)}\n${gprofEntry(1, text, callee(2, text))}`);

const v8Node = (id: number, children: readonly number[]) =>
  `{"id":${id},"callFrame":{"functionName":"f${id}","url":"file:///a.js","lineNumber":${id}},"hitCount":1,"children":[${children.join()}]}`;
const v8 = (nodes: readonly string[], samples: readonly number[]) =>
  `{"nodes":[${nodes.join()}],"startTime":1,"endTime":${samples.length + 10},"samples":[${samples.join()}],"timeDeltas":[${samples.map(() => 1).join()}]}`;
const ids = (n: number) => list(n, (i) => i + 1);
// A stack is kept as the frames in it: the limit of frames stops what has more frames than bytes.
const FRAMES = /frames of all stacks together/;
add('cpuprofile', 'siblings', (n) =>
  v8(
    [
      v8Node(
        1,
        ids(n).map((i) => i + 1),
      ),
      ...list(n, (i) => v8Node(i + 2, [])),
    ],
    ids(n),
  ),
);
add('cpuprofile', 'samples', (n) =>
  v8(
    [v8Node(1, [2]), v8Node(2, [])],
    list(n, () => 2),
  ),
);
add(
  'cpuprofile',
  'a chain, sampled at its end',
  (n) =>
    v8(
      list(n, (i) => v8Node(i + 1, i + 1 < n ? [i + 2] : [])),
      [n],
    ),
  FRAMES,
);
add(
  'cpuprofile',
  'a chain, sampled at each node',
  (n) =>
    v8(
      list(n, (i) => v8Node(i + 1, i + 1 < n ? [i + 2] : [])),
      ids(n),
    ),
  FRAMES,
);

const v8Tree = (node: string, n: number) => `{"head":${node.repeat(n)}${']}'.repeat(n)},"samples":[]}`;
const v8Open = (size: number) => `{"callFrame":{"functionName":"f"},"selfSize":${size},"id":1,"children":[`;
add('heapprofile', 'depth', (n) => v8Tree(v8Open(0), n));
add('heapprofile', 'a chain with bytes everywhere', (n) => v8Tree(v8Open(8), n), FRAMES);
add('heapprofile', 'siblings', (n) => `{"head":${v8Open(0)}${list(n, (i) => `${v8Open(i)}]}`).join()}]}}`);
add('heapprofile', 'samples', (n) => `{"head":${v8Open(8)}]},"samples":[${list(n, () => '{"size":8,"nodeId":1}').join()}]}`);

const scope = (frames: number, profile: string) =>
  `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[${list(frames, (i) => `{"name":"f${i}"}`).join()}]},"profiles":[${profile}]}`;
const sampled = (samples: readonly string[]) =>
  `{"type":"sampled","name":"p","unit":"none","startValue":0,"endValue":${samples.length},"samples":[${samples.join()}],"weights":[${samples.map(() => 1).join()}]}`;
add('speedscope', 'samples', (n) => scope(2, sampled(list(n, () => '[0,1]'))));
add('speedscope', 'frames', (n) => scope(n, sampled(list(n, (i) => `[0,${i}]`))));
add(
  'speedscope',
  'calls inside each other',
  (n) => {
    const event = (type: string, frame: number, at: number) => `{"type":"${type}","frame":${frame},"at":${at}}`;
    const events = [...list(n, (i) => event('O', i, i)), ...list(n, (i) => event('C', n - 1 - i, n + i))];
    return scope(n, `{"type":"evented","name":"p","unit":"none","startValue":0,"endValue":${2 * n},"events":[${events.join()}]}`);
  },
  FRAMES,
);
const gecko = (n: number, prefix: (i: number) => number | null, stacks: string, names = 2) =>
  `{"meta":{"sampleUnits":{}},"libs":[],"threads":[{"name":"t","pid":"1","tid":1,"samples":{"length":${n},"stack":[${stacks}]},"stackTable":{"length":${n},"frame":[${list(n, (i) => i % names).join()}],"prefix":[${list(n, (i) => `${prefix(i)}`).join()}]},"frameTable":{"length":${names},"func":[${list(names, (i) => i).join()}]},"funcTable":{"length":${names},"name":[${list(names, (i) => i).join()}]},"stringArray":[${list(names, (i) => `"f${i}"`).join()}]}]}`;
add('firefox', 'depth', (n) => gecko(n, (i) => (i === 0 ? null : i - 1), `${n - 1}`));
add('firefox', 'stacks', (n) => gecko(n, () => null, list(n, (i) => i).join()));
add('firefox', 'names', (n) => gecko(n, () => null, list(n, (i) => i).join(), n));
add(
  'firefox',
  'a chain with samples everywhere',
  (n) => gecko(n, (i) => (i === 0 ? null : i - 1), list(n, (i) => i).join()),
  FRAMES,
);
add('speedscope', 'depth', (n) => scope(n, sampled([`[${list(n, (i) => i).join()}]`])));

const APROF = 'c ---\nv 6\nk 1000000000\ne 1795225944\nm bb-count\ni rms\nt 4\na ./a\nf ./a\n';
const point = (of: number, size: number, tag = 'p') => `${tag} ${of} ${size} 5 5 5 25 1 5 5 5 5 25\n`;
add('aprof', 'routines', (n) => APROF + times(n, (i) => `r "f${i}" "o" ${i + 1}\n${point(i + 1, 1)}`));
add('aprof', 'sizes', (n) => `${APROF}r "f" "o" 1\n${times(n, (i) => point(1, i + 1))}`);
add(
  'aprof',
  'a chain of contexts',
  (n) =>
    APROF +
    times(n, (i) => `r "f${i}" "o" ${i + 1}\n${point(i + 1, 1, 'q')}`) +
    times(n, (i) => `x ${i + 1} ${i + 1} ${i === 0 ? -1 : i}\n`),
);

const event = (ph: string, name: string, ts: number, more = '', tid: number | string = 1) =>
  `{"ph":"${ph}","name":"${name}","pid":1,"tid":${tid},"ts":${ts}${more}}`;
const trace = (dimension: string, make: (n: number) => readonly string[]) =>
  add('trace-events', dimension, (n) => `{"traceEvents":[${make(n).join()}]}`);
trace('slices', (n) => list(n, (i) => event('X', `f${i}`, 10 * i, ',"dur":5')));
trace('nesting', (n) => list(n, (i) => event('X', `f${i}`, i, `,"dur":${2 * n - 2 * i}`)));
trace('a stair', (n) => list(n, (i) => event('X', `f${i}`, i, `,"dur":${n}`)));
trace('threads', (n) => list(n, (i) => event('X', 'a', i, ',"dur":5', i)));
trace('begins without ends', (n) => list(n, (i) => event('B', `f${i}`, i)));
trace('flows', (n) =>
  list(n, (i) =>
    [
      event('X', 'a', 10 * i, ',"dur":9'),
      event('s', 'f', 10 * i + 1, `,"id":${i},"cat":"c"`),
      event('f', 'f', 10 * i + 11, `,"id":${i},"cat":"c"`),
    ].join(),
  ),
);

const NINJA = 'cmake_ninja_workdir = /b/\nrule C\n  command = x\n';
const logged = (from: number, to: number, output: string) => `${from}\t${to}\t0\t${output}\t${output.length}${from}\n`;
const ninja = (dimension: string, log: (n: number) => string, build?: (n: number) => string) =>
  add('ninja-log', dimension, (n) => ({
    '.ninja_log': `# ninja log v5\n${log(n)}`,
    ...(build ? { 'build.ninja': NINJA + build(n) } : {}),
  }));
const inTurn = (n: number) => times(n, (i) => logged(10 * i, 10 * i + 10, `o${i}.o`));
ninja('commands in turn', inTurn);
ninja('commands inside each other', (n) => times(n, (i) => logged(n - i, n + i, `o${i}.o`)));
ninja('runs', (n) => times(n, (i) => logged(0, 5 + (i % 2 ? 0 : 5), `o${i}.o`) + logged(1, 3, `p${i}.o`)));
ninja('a chain of needs', inTurn, (n) => times(n, (i) => `build o${i}.o: C ${i ? `o${i - 1}.o` : 'a'}\n`));
ninja(
  'needs by way of a chain of phonies',
  inTurn,
  (n) => `${times(n, (i) => `build p${i}: phony p${i + 1}\n`)}${times(n, (i) => `build o${i}.o: C p0\n`)}`,
);
ninja('a ring of needs', inTurn, (n) => times(n, (i) => `build o${i}.o: C o${(i + 1) % n}.o\n`));

const process = (id: number, parent: number, more: object = {}) =>
  `${JSON.stringify({ id, parent_id: parent, work_dir: '/d', executable: '/usr/bin/gcc', args: ['gcc', '-c', 'a.c'], ...more })}\n`;
const klocwork = (dimension: string, make: (n: number) => string) =>
  add('build-trace', dimension, (n) => `{"version":101}\n${make(n)}`);
klocwork('siblings', (n) => times(n, (i) => process(i + 2, 1)));
klocwork('a chain', (n) => times(n, (i) => process(i + 1, i || -1)));
klocwork('one id', (n) => times(n, () => process(1, 1)));
klocwork('programs', (n) => times(n, (i) => process(i + 1, -1, { executable: `/bin/p${i}`, args: [`p${i}`] })));
klocwork('open braces', (n) => `${process(1, -1)}${'{"a":\n'.repeat(n)}`);
long('build-trace', (text) => `{"version":101}\n${process(1, -1, { work_dir: `/${text}`, args: ['gcc', text, `@${text}`] })}`);

const HEADING = 'Time variable                                   usr           sys          wall           GGC\n';
const row = (name: string) => ` ${name.padEnd(35)}:   0.01 (  0%)   0.01 (  0%)   0.01 (  1%)  1576k (  3%)\n`;
add('gcc-time-report', 'units', (n) =>
  times(n, (i) => `[1/4] Building C object a${i}.c\n\n${HEADING}${row('phase parsing')}${row('TOTAL')}`),
);
add('gcc-time-report', 'rows', (n) => `${HEADING}${times(n, (i) => row(`phase ${i}`))}${row('TOTAL')}`);
long('gcc-time-report', (text) => `${text}\n${HEADING} ${text}\n x :${text}\n${row('phase parsing')}${row('TOTAL')}`);

addMore(add);

export const growing: readonly Growing[] = all;
