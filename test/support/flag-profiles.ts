// Small profiles on which flags are tried with all reports: of every kind, and pairs to compare. What a flag can change is in them.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unpack } from './bundle.ts';
import { compile, treeOf } from './cmake-tree.ts';
import { FIXTURES } from './fixtures.ts';

/** A profile as it is opened, and values of flags that make a difference in it. */
export interface Subject {
  readonly name: string;
  readonly paths: readonly string[];
  /** A profile to compare with. */
  readonly other: string;
  /** Whether it is compared already. */
  readonly compared: boolean;
  readonly routine: string;
  /** Matches some routines, and not `routine`. */
  readonly pattern: string;
  readonly event: string;
  /** Another event; one that there is not if the profile has only one. */
  readonly second: string;
  readonly time: string;
  /** A part that is not shown without --parts; of a profile with one part, none. */
  readonly part: string;
  readonly label: string;
  readonly tag: string;
  readonly by: string;
}

const USUAL = {
  routine: 'main',
  pattern: 'leaf',
  event: 'time',
  second: 'none',
  time: '1ms..2ms',
  part: '2',
  label: 'thread',
  tag: 'x',
};

/** Two parts, two events, three files, two objects, a recursive routine, a chain, and a name that a spreadsheet would run. */
const callgrindText = (leaf: number, name = 'leaf') => {
  const part = (k: number) => `part: ${k}
desc: Trigger: Program termination
positions: instr line
events: Ir Dr
ob=/bin/app
fl=app.c
fn=main
0x10 3 10 2
0x14 4 5 1
cfn=work
calls=2 0x20
0x18 5 ${200 + leaf} 44
cfi=lib.c
cob=/lib/lib.so
cfn==run
calls=1 0x50
0x1c 6 60 9
fn=work
0x20 12 40 9
cfn=work
calls=1 0x20
0x24 13 70 8
cfn=${name}
calls=3 0x40
0x28 14 ${150 + leaf} 31
fn=${name}
0x40 20 ${100 + leaf} 21
0x44 21 50 10
ob=/lib/lib.so
fl=lib.c
fn==run
0x50 2 20 3
cfi=one.c
cfn=only_once
calls=1 0x60
0x54 3 40 6
fl=one.c
fn=only_once
0x60 1 40 6
`;
  return `# callgrind format\nversion: 1\ncreator: hand\ncmd: ./app\n\n${part(1)}\n${part(2).replaceAll(' 50 10', ' 55 11')}`;
};

/** Two events, three threads of two commands, times, objects and a call by way of an inlined function. */
function perfText(last: string): string {
  const sample = (comm: string, ids: string, at: number, event: string, frames: readonly string[]) =>
    `${comm} ${ids} [00${at % 2}] 12.${String(345_000 + at * 1000).padStart(6, '0')}:  250000 ${event}: \n${frames.map((frame) => `\t    7f12000${frame}\n`).join('')}\n`;
  const main = '01200 main+0x10 (/bin/app)';
  const [work, leaf] = ['02200 work+0x20 (/bin/app)', '03200 leaf+0x8 (/lib/lib.so)'];
  return [
    sample('app', '20/20', 1, 'cycles', [leaf, work, main]),
    sample('app', '20/20', 2, 'cycles', [leaf, work, work, main]),
    sample('app', '20/21', 3, 'cycles', [work, main]),
    sample('app', '20/21', 4, 'faults', [main]),
    sample('tool', '30/30', 5, 'cycles', ['05200 only_once+0x4 (/bin/tool)', '06200 =run+0x4 (/bin/tool)', main]),
    sample('tool', '30/30', 6, 'faults', ['07200 [unknown] (/lib/lib.so)', main]),
    sample('tool', '30/30', 7, 'cycles', ['08200 [unknown] (/lib/lib.so)', main]),
    sample('tool', '30/30', 9, 'cycles', [last, main]),
  ].join('');
}

function clangText(scale: number): string {
  const slice = (name: string, ts: number, dur: number, detail = name) => ({
    ...{ pid: 1, tid: 1, ph: 'X', ts, dur: dur * scale, name, args: { detail } },
  });
  const traceEvents = [
    slice('Source', 0, 4000, '/p/a.h'),
    slice('Source', 500, 2000, '/p/b.h'),
    slice('Source', 5000, 900, '/p/c.h'),
    slice('InstantiateClass', 10_000, 900, 'std::vector<int>'),
    slice('InstantiateClass', 12_000, 700, 'std::vector<char>'),
    slice('InstantiateFunction', 14_000, 300, 'std::map<int, int>::find'),
    slice('OptFunction', 20_000, 500, '=leaf()'),
    slice('OptFunction', 22_000, 200, 'std::vector<int>::push_back(int)'),
    slice('OptFunction', 23_000, 300, 'std::vector<char>::push_back(char)'),
    slice('Frontend', 0, 18_000),
    slice('Backend', 18_000, 9000),
    slice('ExecuteCompiler', 0, 30_000),
  ];
  return JSON.stringify({ traceEvents, beginningOfTime: 1_795_226_608_094_000 });
}

const testLog = (ms: number) =>
  `Start testing: Nov 21 02:03 UTC\n${'-'.repeat(58)}\n${['plain', 'slow', '=odd']
    .map(
      (name, i) =>
        `${i + 1}/3 Testing: ${name}\n${i + 1}/3 Test: ${name}\nCommand: "/b/${name}"\nOutput:\n${'-'.repeat(10)}\n<end of output>\nTest time =   ${((i + 1) * ms) / 1000} sec\n${'-'.repeat(10)}\nTest ${i === 1 ? 'Failed' : 'Passed'}.\n"${name}" end time: Nov 21 02:03 UTC\n\n`,
    )
    .join('')}End testing: Nov 21 02:03 UTC\n`;

const traceText = (dur: number) =>
  JSON.stringify([
    { ph: 'X', name: 'main', ts: 0, dur: 9000, pid: 1, tid: 1 },
    { ph: 'X', name: 'work', ts: 100, dur: 4000, pid: 1, tid: 1, args: { size: 'big' } },
    { ph: 'X', name: 'leaf', ts: 200, dur, pid: 1, tid: 1, args: { size: 'small' } },
    { ph: 'X', name: 'work', ts: 5000, dur: 3000, pid: 1, tid: 1 },
    { ph: 'X', name: '=run', ts: 2000, dur: 2500, pid: 1, tid: 2 },
  ]);

const aprofText = (slope: number, name = 'leaf') => {
  const points = (routine: number, k: number) =>
    [10, 20, 40, 80, 160].map((n) => `p ${routine} ${n} ${10 * n} ${n * k} ${n * k} ${n * k} 1 ${n} ${n} ${n} ${n} ${n}\n`);
  return `v 6\nk 100\nm bb-count\nr "main" "/bin/app" 0\nr "${name}" "/bin/app" 1\nr "=run" "/lib/lib.so" 2\n${[points(0, 9), points(1, slope), points(2, 1)].flat().join('')}`;
};

const buildTree = (slow: number) =>
  treeOf([
    compile(0, 400, 'a.cpp', { language: 'C++' }),
    compile(10, slow, 'b.cpp', { language: 'C++' }),
    compile(420, 100, '=c.cpp', { target: 'lib' }),
    { role: 'link', timeStart: 2000, duration: 300, target: 'app', result: 0, outputs: ['app'], command: 'ld a.cpp.o b.cpp.o' },
  ]).tree;

/** Writes the profiles into `folder`, in which the commands run. */
export function makeSubjects(folder: string): readonly Subject[] {
  const write = (path: string, text: string): string => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return join(folder, path);
  };
  for (const file of ['app.c', 'lib.c', 'one.c'])
    write(file, Array.from({ length: 40 }, (_, k) => `int line${k + 1};\n`).join(''));
  write(
    'ninja.txt',
    '[1/4] Building CXX object a.cpp.o\na.cpp:3:1: warning: unused variable\n[2/4] Building CXX object b.cpp.o\nFAILED: [code=2] b.cpp.o\nb.cpp:1:1: error: no\n',
  );
  const clang = (path: string, scale: number): string => {
    for (const unit of ['a', 'b']) write(`${path}/${unit}.cpp.json`, clangText(unit === 'a' ? scale : 1));
    return join(folder, path);
  };
  const tests = (path: string, ms: number): string => {
    write(`${path}/Testing/Temporary/LastTest.log`, testLog(ms));
    return join(folder, path);
  };
  const fixture = (path: string) => join(FIXTURES, path);
  const kept = (k: number) => fixture(`cmake/kept/build-2026-11-01T0${k}-00-00-0000.json.gz`);
  const ferry = () => join(unpack(fixture('ninja-log/ferry.json')), '.ninja_log');
  const folded = (n: number, name = 'leaf') =>
    `main;work;${name} ${n}\nmain;work;work;${name} 7\nmain;work 9\nmain;=run;only_once 11\nmain 2\n`;
  const one = (name: string, path: string, other: string, more: Partial<Subject> = {}): Subject => ({
    ...{ ...USUAL, name, paths: [path], other, compared: false, by: 'class', ...more },
  });
  const single = [
    one('calls', write('callgrind.out.2', callgrindText(60)), write('base/callgrind.out.1', callgrindText(9, 'old_leaf')), {
      ...{ event: 'Ir', second: 'Dr', label: 'part', by: 'object' },
    }),
    one(
      'samples',
      write('perf.txt', perfText('09200 leaf+0x4 (/lib/lib.so)')),
      write('base/perf.txt', perfText('05200 x (/bin/x)')),
      {
        ...{ event: 'cycles', second: 'faults', label: 'comm', tag: 'comm=tool', by: 'object' },
      },
    ),
    one('folded', write('now.folded', folded(30)), write('base/base.folded', folded(5, 'old_leaf')), {
      ...{ event: 'samples' },
    }),
    one('massif', fixture('massif/stages.massif.out'), fixture('massif/words.massif.out'), {
      ...{ pattern: 'churn', event: 'inuse_space', label: 'part', by: 'object' },
    }),
    one('inputs', write('app.aprof', aprofText(30)), write('base/app.aprof', aprofText(3, 'old_leaf')), {
      ...{ event: 'bb-count', by: 'object' },
    }),
    one('build', buildTree(1500), buildTree(900), { time: '450ms..1s' }),
    one('ninja', fixture('ninja-log/tidepool-ninja-ccache/.ninja_log'), fixture('ninja-log/tidepool-ninja-failing/.ninja_log'), {
      time: '1s..2s',
    }),
    one('deps', ferry(), ferry(), { time: '100ms..900ms', part: '1' }),
    one('kept', kept(9), kept(4)),
    one('tests', tests('t', 20), tests('base/t', 10), { time: '10ms..20ms' }),
    one('clang', clang('u', 2), clang('base/u', 1)),
    one('gcc', fixture('gcc-time-report/two-units.log'), fixture('gcc-time-report/make.log')),
    one('trace', write('trace.json', traceText(3000)), write('base/trace.json', traceText(1000)), { label: 'size' }),
    one('processes', fixture('build-trace/edge/compilers.trace'), fixture('build-trace/edge/wrappers.trace'), {
      ...{ routine: 'gcc', event: 'events' },
    }),
  ];
  return [...single, ...single.map((of) => ({ ...of, name: `${of.name} with base`, compared: true }))];
}

/** A new folder for the profiles, and the user's folders in it. */
export function makeFolder(): { readonly cwd: string; readonly env: Record<string, string> } {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-flags-'));
  const cwd = join(folder, 'here');
  mkdirSync(cwd);
  const utf8 = { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
  return { cwd, env: { ...utf8, XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache') } };
}
