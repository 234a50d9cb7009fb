// Builds and traces of any size, as ratios in one run: a CMake build tree against reading and parsing the same files by plain Node, the
// same build kept as one file, the collecting of it, keys in Gantt, and a trace against JSON.parse of the same bytes.
// Usage: npm run bench:builds -- [STEPS] [MEGABYTES OF TRACE]   (after npm run build)
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createElement } from 'react';
import { initialState } from '../src/app/first-state.ts';
import { actionForKey } from '../src/app/keymap.ts';
import { update } from '../src/app/update.ts';
import { loadProfile } from '../src/io/load.ts';
import { FrameWriter } from '../src/tui/frame-writer.ts';
import { openFrameRenderer } from '../src/tui/ink-frames.ts';
import { Screen } from '../src/tui/Screen.tsx';

const STEPS = Number(process.argv[2] ?? 100_000);
const TRACE_MB = Number(process.argv[3] ?? 135);
const FRAMES = 300;
const [WIDTH, HEIGHT] = [200, 60];
const PROGRAM = join(import.meta.dirname, '../bin/proftui.js');

const root = mkdtempSync(join(tmpdir(), 'proftui-bench-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

function seconds<T>(work: () => T): [T, number] {
  const before = performance.now();
  return [work(), (performance.now() - before) / 1000];
}

/** The program itself, with its threads. */
const run = (...args: string[]): number =>
  seconds(() => execFileSync(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'ignore', 'inherit'] }))[1];

/** Snippets as CMake writes them, of a build with 16 jobs at a time. */
function writeBuild(build: string): string {
  const data = join(build, '.cmake/instrumentation/v1/data');
  mkdirSync(join(data, 'index'), { recursive: true });
  writeFileSync(join(build, 'CMakeCache.txt'), `CMAKE_CACHEFILE_DIR:INTERNAL=${build}\n`);
  const free = new Float64Array(16).fill(1.8e12);
  const snippets: string[] = [];
  for (let i = 0; i < STEPS; i++) {
    const lane = free.indexOf(Math.min(...free));
    const isLink = i % 50 === 49;
    const [target, ms] = [`library${Math.floor(i / 50)}`, 20 + ((i * 7919) % 1500)];
    const object = `CMakeFiles/${target}.dir/src/file${i}.cpp.o`;
    const objects = Array.from({ length: 49 }, (_, k) => `CMakeFiles/${target}.dir/src/file${i - 49 + k}.cpp.o`);
    const command = isLink
      ? `ar qc lib${target}.a ${objects.join(' ')}`
      : `c++ -O2 -std=c++20 -o ${object} -c ${build}/src/file${i}.cpp`;
    const name = `${isLink ? 'link' : 'compile'}-${(i + 2 ** 40).toString(16).padStart(20, '0')}-2026-11-22T08-00-00-0000.json`;
    const snippet = {
      version: 1,
      ...{ command, role: isLink ? 'link' : 'compile', target, language: 'C++', config: 'Release', result: 0, workingDir: build },
      ...{ timeStart: free[lane], duration: ms, outputs: [isLink ? `lib${target}.a` : object], outputSizes: [1000 + i] },
      ...(isLink ? {} : { source: `${build}/src/file${i}.cpp` }),
      dynamicSystemInformation: {
        beforeHostMemoryUsed: 5e6 + i,
        afterHostMemoryUsed: 5e6,
        beforeCPULoadAverage: 12.5,
        afterCPULoadAverage: 13,
      },
    };
    writeFileSync(join(data, name), JSON.stringify(snippet, null, '\t'));
    snippets.push(name);
    free[lane] += ms;
  }
  const index = join(data, 'index/index-2026-11-22T08-00-00-0000.json');
  writeFileSync(index, JSON.stringify({ version: 1, hook: 'postBuild', snippets }));
  return index;
}

/** Nested slices with details, as clang writes them. */
function writeTrace(path: string): void {
  const fd = openSync(path, 'w');
  writeSync(fd, '{"traceEvents":[');
  let us = 0;
  for (let bytes = 0, i = 0; bytes < TRACE_MB * 1e6; ) {
    const lines: string[] = [];
    for (let k = 0; k < 1000; k++, i++) {
      const detail = `std::vector<ns::type${i % 997}, std::allocator<ns::type${i % 997}>>::emplace_back<ns::type${i % 31}>(ns::type${i % 31} &&)`;
      lines.push(
        `{"pid":7,"tid":7,"ph":"X","ts":${us},"dur":${i % 10 === 0 ? 90 : 8},"name":"InstantiateFunction","args":{"detail":"${detail}"}}`,
      );
      us += 10;
    }
    bytes += writeSync(fd, `${i > 1000 ? ',' : ''}${lines.join(',\n')}`);
  }
  writeSync(fd, ']}');
  closeSync(fd);
}

/** Reads and parses all files into one buffer: nothing that reads them can take less time on one core. */
function plainly(data: string): void {
  const buffer = Buffer.alloc(1 << 20);
  for (const entry of readdirSync(data, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const fd = openSync(join(data, entry.name), 'r');
    JSON.parse(buffer.toString('latin1', 0, readSync(fd, buffer, 0, buffer.length, null)));
    closeSync(fd);
  }
}

const build = join(root, 'build');
const index = writeBuild(build);
const data = join(build, '.cmake/instrumentation/v1/data');
plainly(data); // into the cache
const [, plain] = seconds(() => plainly(data));
const printed = run(build, '--print', 'summary');
const collected = run('cmake', 'collect', index);
const keptFile = join(build, '.proftui', readdirSync(join(build, '.proftui'))[0]);
const kept = run(keptFile, '--print', 'summary');

const profile = await loadProfile([keptFile]);
let lines: string[] = [];
const frames = openFrameRenderer(WIDTH, HEIGHT, (drawn) => {
  lines = drawn;
});
const writer = new FrameWriter();
const theme = { palette: 'either' } as const;
let [state] = update(initialState(profile, { width: WIDTH, height: HEIGHT }), { type: 'none' });
const show = () => {
  frames.draw(createElement(Screen, { state, theme }), true);
  return writer.renderFrame(lines, WIDTH, HEIGHT).length;
};
const [, firstFrame] = seconds(show);
while (state.unfinished) [state] = update(state, { type: 'work' });
const keys: Record<string, { medianMs: number; at99Ms: number }> = {};
for (const key of ['l', 'j', 'k', '+', 'ctrl-d', 'space']) {
  const cpu: number[] = [];
  for (let i = 0; i < FRAMES; i++) {
    const before = process.cpuUsage();
    [state] = update(state, actionForKey(state, key, key));
    show();
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1000);
  }
  cpu.sort((a, b) => a - b);
  keys[key] = { medianMs: cpu[FRAMES / 2], at99Ms: cpu[Math.floor(FRAMES * 0.99)] };
  [state] = update(state, actionForKey(state, '0', '0'));
}

const trace = join(root, 'trace.json');
writeTrace(trace);
const parse = () => JSON.parse(readFileSync(trace, 'utf8')) as unknown;
parse();
const [, parsed] = seconds(parse);
await loadProfile([trace]);
const before = performance.now();
await loadProfile([trace]);
const loaded = (performance.now() - before) / 1000;
console.log(
  JSON.stringify(
    {
      steps: STEPS,
      plainReadAndParseSeconds: plain,
      printSummary: { seconds: printed, ofPlain: printed / plain },
      collect: { seconds: collected, ofPlain: collected / plain },
      printSummaryOfKept: { seconds: kept, ofPlain: kept / plain },
      firstFrameAfterLoadingSeconds: firstFrame,
      keys,
      trace: { megabytes: TRACE_MB, jsonParseSeconds: parsed, seconds: loaded, ofJsonParse: loaded / parsed },
    },
    null,
    2,
  ),
);
