// npm run bench:formats [-- NAME ...]: what reading each format costs, in files made here from a seed, at two sizes, so that growth can be seen:
// CPU of `--print summary`, or of another view that has much to write, and memory at the peak, less those of an empty profile, and the CPU as a
// ratio to a limit that is measured in the same run: JSON.parse of the file, or splitting its lines. Files are made in .cache/bench.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);
const folder = '.cache/bench';
mkdirSync(folder, { recursive: true });

/** Numbers from 0 to 1, the same in every run. */
function seeded(seed = 88172645) {
  let x = seed;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) / 2 ** 32;
  };
}

const name = (k) => `lib${k % 40}::Component${k % 97}<std::basic_string<char>, ${k}>::operation_${k}(unsigned long, char const*)`;
const below = (random, n) => Math.floor(random() * n);

/** A stack of some 36 frames that has much in common with the one before, as real ones have. */
function walk(random, names, depth) {
  const stack = Array.from({ length: depth }, () => below(random, names));
  return () => {
    const keep = Math.floor(stack.length * (0.3 + 0.7 * random()));
    stack.length = Math.max(3, keep);
    while (stack.length < depth / 2 + below(random, depth)) stack.push(below(random, names));
    return stack;
  };
}

/**
 * By name: the sizes, what the numbers count, the limit, and the pieces of the text. `goal`: CPU of the larger file, as a multiple of the
 * limit; at twice the goal the bench fails.
 */
const FORMATS = {
  perf: {
    goal: 2.2,
    sizes: [6400, 25_600],
    unit: 'samples',
    limit: 'lines',
    *pieces(n) {
      const random = seeded();
      const next = walk(random, 3000, 36);
      for (let i = 0; i < n; i++) {
        let text = `server ${100 + (i % 8)}/${100 + (i % 8)} ${(1000 + i / 1000).toFixed(6)}:    1003009 cycles:u: \n`;
        const stack = next();
        // A function calls from some places, and is interrupted anywhere.
        stack.forEach((_, j) => {
          const of = stack[stack.length - 1 - j];
          const offset = 4 * (j === 0 ? below(random, 1000) : (of + below(random, 9)) % 1000);
          text += `\t    ${(0x7f0000000000 + of * 4096 + offset).toString(16)} ${name(of)}+0x${offset.toString(16)} (/usr/lib/x86_64-linux-gnu/lib${of % 20}.so)\n`;
        });
        yield `${text}\n`;
      }
    },
  },
  'ninja-one': { goal: 8, sizes: [250_000, 1_000_000], unit: 'lines', limit: 'lines', pieces: (n) => ninja(n, 1, false) },
  'ninja-runs': { goal: 8, sizes: [250_000, 1_000_000], unit: 'lines', limit: 'lines', pieces: (n) => ninja(n, 20, false) },
  'ninja-rewritten': { goal: 8, sizes: [250_000, 1_000_000], unit: 'lines', limit: 'lines', pieces: (n) => ninja(n, 1, true) },
  cpuprofile: {
    goal: 2.3,
    sizes: [50_000, 200_000],
    unit: 'nodes',
    limit: 'json',
    *pieces(n) {
      const random = seeded();
      const parent = [];
      const depth = [];
      const children = Array.from({ length: n }, () => []);
      for (let i = 0; i < n; i++) {
        parent[i] = i === 0 ? -1 : depth[i - 1] < 100 && random() < 0.9 ? i - 1 : below(random, i);
        depth[i] = i === 0 ? 0 : depth[parent[i]] + 1;
        if (i > 0) children[parent[i]].push(i + 1);
      }
      yield '{"nodes":[';
      for (let i = 0; i < n; i++) {
        const f = i === 0 ? '(root)' : `operation${i % 5000}`;
        const frame = {
          functionName: f,
          scriptId: `${i % 50}`,
          url: `file:///srv/app/lib/module${i % 500}.js`,
          lineNumber: i % 900,
          columnNumber: 4,
        };
        const ticks = [{ line: (i % 900) + 2, ticks: 10 }];
        yield `${i > 0 ? ',\n' : ''}${JSON.stringify({ id: i + 1, callFrame: frame, hitCount: 10, children: children[i], positionTicks: ticks })}`;
      }
      yield '],"startTime":1000,"endTime":99000000000,"samples":[';
      for (let i = 0; i < 10 * n; i++) yield `${i > 0 ? ',' : ''}${(i % n) + 1}`;
      yield '],"timeDeltas":[';
      for (let i = 0; i < 10 * n; i++) yield `${i > 0 ? ',' : ''}${100 + (i % 7)}`;
      yield ']}';
    },
  },
  speedscope: {
    goal: 1.3,
    sizes: [80_000, 320_000],
    unit: 'samples',
    limit: 'json',
    *pieces(n) {
      const random = seeded();
      const frames = Array.from({ length: 4000 }, (_, k) => ({
        name: name(k),
        file: `/src/f${k % 300}.cpp`,
        line: (k % 2000) + 1,
      }));
      yield `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":${JSON.stringify({ frames })},\n"profiles":[{"type":"sampled","name":"a","unit":"microseconds","startValue":0,"endValue":${n},"samples":[`;
      const next = walk(random, 4000, 70);
      for (let i = 0; i < n; i++) yield `${i > 0 ? ',' : ''}[${next().join(',')}]`;
      yield '],"weights":[';
      for (let i = 0; i < n; i++) yield `${i > 0 ? ',' : ''}${1 + (i % 9)}`;
      yield ']}]}';
    },
  },
  folded: { goal: 1.3, sizes: [11_000, 45_000], unit: 'lines', limit: 'lines', pieces: (n) => folded(n, 36) },
  'folded-short': { goal: 3, sizes: [250_000, 1_000_000], unit: 'lines', limit: 'lines', pieces: (n) => folded(n, 4, true) },
  klocwork: { goal: 5, sizes: [250_000, 1_000_000], unit: 'events', limit: 'lines', pieces: klocwork },
  'compile-commands': {
    ...{ goal: 12, sizes: [125_000, 500_000], unit: 'events', limit: 'lines', pieces: klocwork, view: 'compile-commands' },
  },
  aprof: {
    goal: 1.4,
    sizes: [50_000, 200_000],
    unit: 'routines',
    limit: 'lines',
    *pieces(n) {
      yield 'v 6\nm bb-count\ni rms\nt 1\na ./server\nf ./server\n';
      for (let i = 1; i <= n; i++) {
        yield `r "${name(i)}" "/usr/lib/x86_64-linux-gnu/lib${i % 20}.so" ${i}\n`;
        for (let size = 1; size <= 4; size++) {
          const cost = size * (i % 1000) + 3;
          yield `p ${i} ${size * 40} ${cost} ${cost} ${9 * cost} ${9 * cost * cost} 9 ${9 * cost} ${9 * cost} ${cost} ${cost} ${9 * cost * cost}\n`;
        }
      }
    },
  },
  trace: {
    goal: 1,
    sizes: [225_000, 900_000],
    unit: 'events',
    limit: 'json',
    *pieces(n) {
      yield '{"traceEvents":[\n';
      for (let i = 0; i < n; i++) {
        const event = {
          ph: 'X',
          pid: 1,
          tid: i % 8,
          ts: Math.floor(i / 8) * 100,
          dur: 90,
          name: `step${i % 3000}`,
          cat: 'build',
          args: { detail: `/src/file${i}.cpp`, n: i },
        };
        yield `${i > 0 ? ',\n' : ''}${JSON.stringify(event)}`;
      }
      yield ']}';
    },
  },
};

function shuffle(random, list) {
  for (let k = list.length - 1; k > 0; k--) {
    const other = below(random, k + 1);
    [list[k], list[other]] = [list[other], list[k]];
  }
}

function* ninja(n, runs, rewritten) {
  const random = seeded();
  yield '# ninja log v5\n';
  const lanes = new Array(8).fill(0);
  const held = [];
  const each = Math.ceil(n / runs);
  for (let i = 0; i < n; i++) {
    if (i % each === 0) lanes.fill(0);
    const lane = lanes.indexOf(Math.min(...lanes));
    const start = lanes[lane];
    lanes[lane] = start + 50 + below(random, 3000);
    const line = `${start}\t${lanes[lane]}\t${1700000000 + i}\tCMakeFiles/target${i % 700}.dir/src/component/module${i}/implementation_file.cpp.o\t${(0x1000000000 + i * 7919).toString(16)}\n`;
    held.push([lanes[lane], line]);
    if (i % each === each - 1 || i === n - 1) {
      // Ninja writes lines in the order of ends, and a log that it has rewritten in the order of a hash table.
      if (rewritten) shuffle(random, held);
      else held.sort((a, b) => a[0] - b[0]);
      for (const [, text] of held) yield text;
      held.length = 0;
    }
  }
}

function* klocwork(n) {
  yield '{"version":101}\n{"creator":"kwinject, version 10.1.1"}\n{"env":{"PATH":"/usr/bin"}}\n';
  for (let i = 0; i < n; i++) {
    const options = ['-O2', '-Wall', `-I/src/include/${i % 30}`];
    const args = ['gcc', ...options, '-c', `/src/part${i % 400}/file${i}.c`, '-o', `file${i}.o`];
    yield `${JSON.stringify({ id: i + 2, parent_id: i % 50 === 0 ? -1 : i + 2 - (i % 50), work_dir: `/build/${i % 400}`, executable: '/usr/bin/gcc', args })}\n`;
  }
}

function* folded(n, depth, short = false) {
  const random = seeded();
  const next = walk(random, 3000, depth);
  for (let i = 0; i < n; i++)
    yield `${next()
      .map((k) => (short ? `f${k}` : name(k)))
      .join(';')} ${1 + below(random, 50)}\n`;
}

function made(format, size) {
  const path = `${folder}/${format}.${size}${FORMATS[format].ending ?? '.txt'}`;
  if (existsSync(path)) return path;
  const fd = openSync(path, 'w');
  let text = '';
  for (const piece of FORMATS[format].pieces(size)) {
    text += piece;
    if (text.length < 1 << 20) continue;
    writeSync(fd, text);
    text = '';
  }
  writeSync(fd, text);
  closeSync(fd);
  return path;
}

/** CPU in seconds, memory at the peak in MB, and the words on stderr of a process. */
function cost(args) {
  const command = ['-f', '%U %S %M', process.execPath, ...args];
  const { stderr } = spawnSync('/usr/bin/time', command, { encoding: 'utf8', timeout: 180_000, maxBuffer: 1 << 28 });
  const lines = stderr.trim().split('\n');
  const [user, system, kb] = (lines.at(-1) ?? '').split(' ').map(Number);
  return { cpu: user + system, mb: kb / 1024, said: lines.slice(0, -1).join(' ') };
}

const LIMITS = {
  json: 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))',
  lines:
    'const b=require("fs").readFileSync(process.argv[1]);let n=0;for(let t=b.indexOf(10,0),f=0;t>=0;f=t+1,t=b.indexOf(10,f))n+=b.latin1Slice(f,t).split(" ").length',
};

const chosen = process.argv.slice(2).filter((a) => !a.startsWith('-'));
const empty = cost(['bin/proftui.js', 'fixtures/perf-script/flat.perf', '--print', 'summary']);
console.log(`empty: ${empty.cpu.toFixed(2)} s, ${Math.round(empty.mb)} MB`);
console.log(
  '| format | size | file | CPU | of the limit | goal | memory | growth of CPU |\n| --- | --- | --- | --- | --- | --- | --- | --- |',
);
for (const [format, { sizes, unit, limit, goal, view = 'summary' }] of Object.entries(FORMATS)) {
  if (chosen.length > 0 && !chosen.includes(format)) continue;
  let before;
  for (const size of sizes) {
    const path = made(format, size);
    // The middle one of three: a single one is off by up to a half.
    const [, least] = [1, 2, 3].map(() => cost(['-e', LIMITS[limit], path])).sort((a, b) => a.cpu - b.cpu);
    const flags = format.startsWith('ninja') ? ['--format', 'ninja-log'] : [];
    const { cpu, mb, said } = cost(['bin/proftui.js', path, '--print', view, ...flags]);
    const own = cpu - empty.cpu;
    const grown = before === undefined ? '' : `${(own / before).toFixed(1)} for ${(sizes[1] / sizes[0]).toFixed(1)}`;
    const mbFile = statSync(path).size / 2 ** 20;
    const isLarge = size === sizes.at(-1);
    if (isLarge && cpu > 2 * goal * least.cpu) process.exitCode = 1;
    console.log(
      `| ${format} | ${size.toLocaleString('en')} ${unit} | ${mbFile.toFixed(0)} MB | ${cpu.toFixed(2)} s | ${(cpu / least.cpu).toFixed(1)} (${least.cpu.toFixed(2)} s) | ${isLarge ? goal : ''} | ${Math.round(mb)} MB | ${grown} | ${said}`.trimEnd(),
    );
    before = own;
  }
}
