// Files that no loader reads: each is named for what it is, with the command that makes something of it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { FormatError } from '../../src/base/problem.ts';
import { chooseLoader } from '../../src/io/load.ts';

/** Beginnings as the tools write them, under names that promise something else. */
const FILES: readonly (readonly [name: string, start: string, what: RegExp, hint: RegExp])[] = [
  ['gmon.out', 'gmon\x01\0\0\0', /gmon\.out/, /gprof \.\/program gmon\.out > out\.gprof/],
  ['trace.out', 'go 1.21 trace\0\0\0', /execution trace/, /go tool trace -pprof/],
  [
    'perf.txt',
    '# To display the perf.data header info, please use --header/--header-only options.\n#\n',
    /perf report/,
    /perf script/,
  ],
  ['heap.txt', 'File: app\nType: inuse_space\nShowing nodes accounting for 5kB, 100% of 5kB total\n', /text of pprof/, /-proto/],
  ['cpu.prof', 'Showing nodes accounting for 5s, 100% of 5s total\n', /text of pprof/, /-proto/],
  ['s.txt', 'Analysis of sampling app (pid 7) every 1 millisecond\n', /macOS's sample/, /inferno-collapse-sample/],
  ['d.txt', 'CPU     ID                    FUNCTION:NAME\n', /DTrace/, /inferno-collapse-dtrace/],
  ['p.prof', '\tMon Jan  1 10:00 2024 Time and Allocation Profiling Report  (Final)\n', /GHC/, /inferno-collapse-ghcprof/],
  ['v.csv', 'Function Stack,CPU Time,Module\n', /VTune/, /inferno-collapse-vtune/],
  ['o.json', '{"resourceProfiles":[]}', /OTLP/, /pprof/],
  ['a.mojo', 'MOJ\x03', /Austin/, /mojo2austin/],
  ['n.sqlite', 'SQLite format 3\0', /nsys/, /nsys export/],
  ['c.prof', '--- contentionz 1 ---\nformat = java\n', /contention profile/, /-proto/],
  [
    'kwinject.out',
    'version;108\ncompile;/p/zlib;/usr/bin/gcc;/p/zlib/a.o;a.c;-DX\n',
    /build specification/,
    /kwinject --trace-out/,
  ],
  ['t.prof', '--- threadz 1 ---\n', /older pprof/, /-proto/],
  ['massif.txt', `${'-'.repeat(80)}\nCommand:            ./a\nMassif arguments:   (none)\n`, /text of ms_print/, /massif\.out/],
  ['perf.data', 'PERFILE2', /perf\.data/, /perf script/],
];

for (const [name, start, what, hint] of FILES)
  test(`${name} that is ${what.source} is refused by name`, () => {
    assert.throws(
      () => chooseLoader(Buffer.from(start, 'latin1'), name),
      (e) => e instanceof FormatError && what.test(e.problem.found) && hint.test(e.problem.hint ?? ''),
    );
  });

test('plain text of unknown kind is refused, whatever numbers are in it', () => {
  for (const text of [
    'Nov 23 19:10:26 host sshd[1234]: Accepted publickey for me from 10.0.0.1 port 1 ssh2\n',
    'worker 12 3.500: [5: started\nworker 12 3.600: [6: done\n',
    'heap of 13: 1595680 [47130736: 25] and more\n',
    '1,2,3\n4,5,6\n',
    'int main() { return 0; }\n',
  ])
    assert.throws(() => chooseLoader(Buffer.from(text), 'unknown'), FormatError, text);
});

test("Chrome's traces are traces, though trees of V8's profiler are in their events", () => {
  const profile = '"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}}]}';
  const text = `{"traceEvents":[{"ph":"P","name":"ProfileChunk","args":{"data":{${profile}}}}]}`;
  assert.equal(chooseLoader(Buffer.from(text), 'unknown').name, 'trace-events');
  assert.equal(
    chooseLoader(Buffer.from(text.replace('"traceEvents"', '"other"').replace('"ph"', '"p"')), 'x').name,
    'cpuprofile',
  );
});
