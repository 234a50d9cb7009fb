// Writes profiles with a planted problem (or none): node generate.mjs DIR SEED
// DIR/<name>/ is one profile, or has base/ and new/. What is planted has fixed names; the rest varies with the seed.
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [dir, seedText = '1'] = process.argv.slice(2);
if (!dir) {
  console.error('usage: node generate.mjs DIR SEED');
  process.exit(2);
}

// ---- random numbers, the same for the same seed and profile ----
function random(text) {
  let h = 2166136261;
  for (const c of text) h = Math.imul(h ^ c.codePointAt(0), 16777619);
  const next = () => {
    h = (h + 0x6d2b79f5) | 0;
    let t = Math.imul(h ^ (h >>> 15), 1 | h);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const r = {
    next,
    real: (a, b) => a + (b - a) * next(),
    int: (a, b) => a + Math.floor((b - a + 1) * next()),
    near: (x, part = 0.05) => Math.max(1, Math.round(x * (1 + part * (2 * next() - 1)))),
    pick: (list) => list[Math.floor(next() * list.length)],
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    poisson: (mean) => Math.max(0, Math.round(mean + Math.sqrt(mean) * r.normal())),
    shuffle: (list) => {
      const out = [...list];
      for (let i = out.length - 1; i > 0; i--) {
        const j = Math.floor(next() * (i + 1));
        [out[i], out[j]] = [out[j], out[i]];
      }
      return out;
    },
  };
  return r;
}

const VERBS = 'load store scan pack emit fold trim split shift clip tint mark join knit wrap seal open poll feed drain'.split(
  ' ',
);
const NOUNS =
  'page chunk glyph track frame packet region cursor bucket layer margin ticket ledger socket banner vertex shard column_set'.split(
    ' ',
  );
const FILES = 'page.c chunk.c glyph.c track.c frame.c region.c ledger.c layer.c vertex.c shard.c'.split(' ');
function names(r, n, verbs = VERBS, nouns = NOUNS) {
  const all = r.shuffle(verbs.flatMap((v) => nouns.map((m) => `${v}_${m}`)));
  return all.slice(0, n);
}

function write(path, text, time) {
  const full = join(dir, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  if (time) utimesSync(full, time, time);
}

// ---- Callgrind ----
const EXE = '/home/u/atlas/bin/atlas';
const LIBC = '/usr/lib/x86_64-linux-gnu/libc.so.6';
const LD = '/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2';

/** Adds a list of costs to another. */
function addTo(sum, costs) {
  for (const [i, x] of costs.entries()) sum[i] += x;
}

class Callgrind {
  constructor(events = ['Ir']) {
    this.events = events;
    this.routines = new Map();
  }
  add(name, file, { object = EXE, line = 10, self = null, at = line + 2 } = {}) {
    if (!this.routines.has(name)) this.routines.set(name, { name, file, object, line, lines: new Map(), calls: [] });
    if (self !== null) this.self(name, at, self);
    return this;
  }
  self(name, line, cost) {
    const r = this.routines.get(name);
    const v = Array.isArray(cost) ? cost : [cost];
    const old = r.lines.get(line) ?? this.events.map(() => 0);
    r.lines.set(
      line,
      old.map((x, i) => x + Math.round(v[i] ?? 0)),
    );
    return this;
  }
  /** A call; without `cost`, the callee's inclusive cost is shared out by counts. */
  call(from, line, to, count, cost = null) {
    this.routines.get(from).calls.push({ line, to, count, cost });
    return this;
  }
  finish() {
    const state = new Map();
    const callers = new Map();
    for (const r of this.routines.values())
      for (const c of r.calls) if (c.cost === null) callers.set(c.to, (callers.get(c.to) ?? 0) + c.count);
    const inclusive = (name) => {
      if (state.get(name) === 'open') throw new Error(`cycle without costs at ${name}`);
      if (state.has(name)) return state.get(name);
      state.set(name, 'open');
      const r = this.routines.get(name);
      const sum = this.events.map(() => 0);
      for (const v of r.lines.values()) addTo(sum, v);
      for (const c of r.calls) {
        if (c.cost !== null) {
          if (!c.inner) addTo(sum, c.cost);
          continue;
        }
        const whole = inclusive(c.to);
        const calls = callers.get(c.to);
        c.share = whole.map((x) => Math.round((x * c.count) / calls));
        addTo(sum, c.share);
      }
      state.set(name, sum);
      return sum;
    };
    for (const name of this.routines.keys()) inclusive(name);
    return state;
  }
  text({ cmd = './bin/atlas input.dat', pid = 4711 } = {}) {
    this.finish();
    const total = this.events.map(() => 0);
    const out = [];
    for (const r of this.routines.values()) {
      out.push('', `ob=${r.object}`, `fl=${r.file}`, `fn=${r.name}`);
      for (const [line, v] of [...r.lines].sort((a, b) => a[0] - b[0])) {
        out.push(`${line} ${v.join(' ')}`);
        addTo(total, v);
      }
      for (const c of r.calls) {
        const to = this.routines.get(c.to);
        out.push(
          `cob=${to.object}`,
          `cfi=${to.file}`,
          `cfn=${to.name}`,
          `calls=${c.count} ${to.line}`,
          `${c.line} ${(c.cost ?? c.share).join(' ')}`,
        );
      }
    }
    const head = [
      '# callgrind format',
      'version: 1',
      'creator: callgrind-3.19.0',
      `pid: ${pid}`,
      `cmd:  ${cmd}`,
      'part: 1',
      '',
      '',
      'desc: I1 cache: ',
      'desc: D1 cache: ',
      'desc: LL cache: ',
      '',
      'desc: Timerange: Basic block 0 - 5000000',
      'desc: Trigger: Program termination',
      '',
      'positions: line',
      `events: ${this.events.join(' ')}`,
      `summary: ${total.join(' ')}`,
      '',
    ];
    return `${head.join('\n')}${out.join('\n')}\n\ntotals: ${total.join(' ')}\n`;
  }
}

/** The frame every C program has: start-up of the loader, main, and libc. `vec` turns instructions into all events. */
function skeleton(r, events, vec, startup = 160000) {
  const c = new Callgrind(events);
  c.add('0x000000000001ab70', '???', { object: LD, line: 0, self: vec(15), at: 0 });
  c.add('_dl_start', 'elf/rtld.c', { object: LD, line: 500, self: vec(640) });
  c.add('dl_main', 'elf/rtld.c', { object: LD, line: 1300, self: vec(2000) });
  c.add('_dl_relocate_object', 'elf/dl-reloc.c', { object: LD, line: 200, self: vec(startup * 0.22) });
  c.add('_dl_lookup_symbol_x', 'elf/dl-lookup.c', { object: LD, line: 750, self: vec(startup * 0.4) });
  c.add('do_lookup_x', 'elf/dl-lookup.c', { object: LD, line: 350, self: vec(startup * 0.3) });
  c.add('strcmp', 'string/strcmp-sse2.S', { object: LD, line: 60, self: vec(startup * 0.08) });
  c.call('0x000000000001ab70', 0, '_dl_start', 1)
    .call('_dl_start', 510, 'dl_main', 1)
    .call('dl_main', 1400, '_dl_relocate_object', 7);
  const lookups = Math.round(startup / 720);
  c.call('_dl_relocate_object', 210, '_dl_lookup_symbol_x', lookups)
    .call('_dl_lookup_symbol_x', 760, 'do_lookup_x', lookups)
    .call('do_lookup_x', 360, 'strcmp', lookups);
  c.add('(below main)', 'csu/libc-start.c', { object: LIBC, line: 100, self: vec(74) });
  c.call('0x000000000001ab70', 0, '(below main)', 1);
  c.add('main', 'main.c', { line: 12, self: vec(r.int(400, 4000)), at: 14 });
  c.call('(below main)', 110, 'main', 1);
  return c;
}

/** Random routines of about `total` instructions, none of which stands out, in two levels below main. */
function crowd(r, c, vec, { count, total, spread = 0.4, under = 'main', calls = [40, 900] }) {
  const list = names(r, count);
  const weights = list.map(() => r.real(1 - spread, 1 + spread));
  const sum = weights.reduce((a, b) => a + b, 0);
  const groups = Math.max(3, Math.round(count / 6));
  list.forEach((name, i) => {
    const file = r.pick(FILES);
    const line = r.int(20, 400);
    c.add(name, file, { line });
    const cost = (total * weights[i]) / sum;
    const rows = r.int(4, 8);
    const parts = Array.from({ length: rows }, () => r.real(0.6, 1.4));
    const all = parts.reduce((a, b) => a + b, 0);
    for (const [k, p] of parts.entries()) c.self(name, line + 1 + k, vec((cost * p) / all));
  });
  list.forEach((name, i) => {
    const from = i < groups ? under : list[r.int(0, groups - 1)];
    const n = i < groups ? r.int(2, 20) : r.int(...calls);
    c.call(from, c.routines.get(from).line + r.int(2, 9), name, n);
  });
  return { list, groups: list.slice(0, groups) };
}

const ir = (x) => [Math.round(x)];
const one = (name, c, options) => write(`${name}/${name}.callgrind.out`, c.text(options));

function mallocChurn(r, name) {
  const c = skeleton(r, ['Ir'], ir);
  const { groups } = crowd(r, c, ir, { count: r.int(22, 30), total: 150e6 });
  const calls = r.int(390000, 420000);
  const rest = 3000;
  c.add('format_record', 'report.c', { line: 61, self: ir(calls * 95), at: 66 });
  c.add('malloc', 'malloc/malloc.c', { object: LIBC, line: 3200, self: ir((calls + rest) * 62) });
  c.add('_int_malloc', 'malloc/malloc.c', { object: LIBC, line: 3700, self: ir((calls + rest) * 205) });
  c.add('free', 'malloc/malloc.c', { object: LIBC, line: 3300, self: ir((calls + rest) * 38) });
  c.add('_int_free', 'malloc/malloc.c', { object: LIBC, line: 4400, self: ir((calls + rest) * 125) });
  c.call('malloc', 3210, '_int_malloc', calls + rest).call('free', 3320, '_int_free', calls + rest);
  c.call('main', 20, 'format_record', 4000);
  c.call('format_record', 68, 'malloc', calls).call('format_record', 74, 'free', calls);
  c.call(groups[0], c.routines.get(groups[0]).line + 4, 'malloc', rest).call(
    groups[1],
    c.routines.get(groups[1]).line + 5,
    'free',
    rest,
  );
  one(name, c);
}

function oneLine(r, name) {
  const c = skeleton(r, ['Ir'], ir);
  const other = r.near(80e6, 0.1);
  crowd(r, c, ir, { count: r.int(20, 30), total: other });
  c.add('blend_pixels', 'blend.c', { line: 71 });
  const hot = other * 1.6;
  c.self('blend_pixels', 71, ir(120000))
    .self('blend_pixels', 84, ir(hot * 0.03))
    .self('blend_pixels', 86, ir(hot * 0.035));
  c.self('blend_pixels', 87, ir(hot * 0.92))
    .self('blend_pixels', 88, ir(hot * 0.014))
    .self('blend_pixels', 91, ir(90000));
  c.call('main', 25, 'blend_pixels', 60);
  one(name, c);
}

function millionCalls(r, name) {
  const c = skeleton(r, ['Ir'], ir);
  crowd(r, c, ir, { count: r.int(18, 26), total: r.near(11e6, 0.1) });
  c.add('sum_table', 'table.c', { line: 36, self: ir(7.1e6), at: 41 }).self('sum_table', 42, ir(2.2e6));
  c.add('get_cell', 'table.c', { line: 12 })
    .self('get_cell', 12, ir(3e6))
    .self('get_cell', 13, ir(4e6))
    .self('get_cell', 14, ir(5e6))
    .self('get_cell', 15, ir(3e6));
  c.call('main', 22, 'sum_table', 1).call('sum_table', 42, 'get_cell', 1000000);
  one(name, c);
}

function cycle(r, name) {
  const c = skeleton(r, ['Ir'], ir);
  crowd(r, c, ir, { count: r.int(18, 24), total: r.near(26e6, 0.08) });
  const [node, call, args] = [r.near(29e6, 0.04), r.near(21e6, 0.04), r.near(14e6, 0.04)];
  const whole = node + call + args;
  c.add('run_script', 'script.c', { line: 30, self: ir(40000) });
  c.add('eval_node', 'eval.c', { line: 100 })
    .self('eval_node', 104, ir(node * 0.4))
    .self('eval_node', 108, ir(node - Math.round(node * 0.4)));
  c.add('eval_call', 'eval.c', { line: 150 })
    .self('eval_call', 153, ir(call * 0.5))
    .self('eval_call', 158, ir(call - Math.round(call * 0.5)));
  c.add('eval_args', 'eval.c', { line: 200 }).self('eval_args', 204, ir(args));
  c.call('main', 20, 'run_script', 1).call('run_script', 33, 'eval_node', 240, [whole]);
  const inner = (from, line, to, n, cost) => {
    c.call(from, line, to, n, [Math.round(cost)]);
    c.routines.get(from).calls.at(-1).inner = true;
  };
  inner('eval_node', 110, 'eval_call', 180000, whole * 0.9);
  inner('eval_call', 160, 'eval_args', 180000, whole * 0.85);
  inner('eval_args', 206, 'eval_node', 390000, whole * 0.8);
  one(name, c);
}

function startup(r, name) {
  const c = skeleton(r, ['Ir'], ir, r.near(1.6e6, 0.04));
  crowd(r, c, ir, { count: r.int(26, 34), total: r.near(0.55e6, 0.04), calls: [2, 20] });
  one(name, c, { cmd: './bin/atlas --version' });
}

function cacheMisses(r, name) {
  const events = 'Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw'.split(' ');
  const vec = (x) =>
    [x, x * 0.24, x * 0.09, x * 0.00001, x * 0.0035, x * 0.0008, x * 0.000002, x * 0.0007, x * 0.0003].map(Math.round);
  const c = skeleton(r, events, vec);
  const total = r.near(300e6, 0.05);
  crowd(r, c, vec, { count: r.int(22, 28), total });
  const own = total * 0.062;
  c.add('gather_column', 'matrix.c', { line: 28 });
  c.self('gather_column', 31, vec(own * 0.3));
  const loads = own * 0.3;
  c.self('gather_column', 33, [own * 0.62, loads, own * 0.05, 2, loads * 0.96, 40, 1, loads * 0.42, 12].map(Math.round));
  c.self('gather_column', 35, vec(own * 0.08));
  c.call('main', 24, 'gather_column', 800);
  one(name, c);
}

function branches(r, name) {
  const events = 'Ir Bc Bcm Bi Bim'.split(' ');
  const vec = (x) => [x, x * 0.14, x * 0.0016, x * 0.006, x * 0.0002].map(Math.round);
  const c = skeleton(r, events, vec);
  const total = r.near(160e6, 0.05);
  crowd(r, c, vec, { count: r.int(20, 26), total });
  const own = total * 0.05;
  c.add('classify_token', 'lexer.c', { line: 50 });
  c.self('classify_token', 52, vec(own * 0.3));
  c.self('classify_token', 57, [own * 0.6, own * 0.28, own * 0.12, 0, 0].map(Math.round));
  c.self('classify_token', 60, vec(own * 0.1));
  c.call('main', 26, 'classify_token', 210000);
  one(name, c);
}

function flatCallgrind(r, name) {
  const c = skeleton(r, ['Ir'], ir);
  crowd(r, c, ir, { count: r.int(70, 90), total: 240e6, spread: 0.3, calls: [3, 90] });
  one(name, c);
}

/** Two versions of one program: `change(c, version, r, crowd)` adds what differs. Both versions have the same crowd. */
function versions(name, seed, change, { total = 120e6, count = [20, 28] } = {}) {
  for (const version of ['base', 'new']) {
    const r = random(seed);
    const c = skeleton(r, ['Ir'], ir);
    const list = crowd(r, c, ir, { count: r.int(...count), total: r.near(total, 0.08) });
    change(c, version, r, list);
    write(`${name}/${version}/atlas.callgrind.out`, c.text({ pid: version === 'base' ? 4100 : 5200 }));
  }
}

function twice(_, name, seed) {
  versions(name, seed, (c, version, r) => {
    const cost = r.near(38e6, 0.05) * (version === 'new' ? 2 : 1);
    c.add('hash_key', 'hash.c', { line: 20 })
      .self('hash_key', 23, ir(cost * 0.7))
      .self('hash_key', 24, ir(cost * 0.3));
    c.call('main', 28, 'hash_key', 50000);
  });
}

function newRoutine(_, name, seed) {
  versions(name, seed, (c, version, r) => {
    c.add('read_field', 'reader.c', { line: 40, self: ir(r.near(14e6)), at: 44 });
    c.call('main', 28, 'read_field', 200000);
    const cost = r.near(42e6);
    if (version === 'new') {
      c.add('validate_utf8', 'reader.c', { line: 12 })
        .self('validate_utf8', 15, ir(cost * 0.8))
        .self('validate_utf8', 17, ir(cost * 0.2));
      c.call('read_field', 46, 'validate_utf8', 200000);
    }
  });
}

function callsTenfold(_, name, seed) {
  versions(name, seed, (c, version, r) => {
    const calls = version === 'new' ? 200000 : 20000;
    c.add('resolve_all', 'resolve.c', { line: 70, self: ir(r.near(3e6)), at: 75 });
    c.add('lookup_symbol', 'symbols.c', { line: 30 })
      .self('lookup_symbol', 33, ir(calls * 190))
      .self('lookup_symbol', 36, ir(calls * 60));
    c.call('main', 28, 'resolve_all', 1).call('resolve_all', 78, 'lookup_symbol', calls);
  });
}

function moved(_, name, seed) {
  versions(name, seed, (c, version, r) => {
    const [most, few] = [r.near(33e6, 0.03), r.near(5e6, 0.03)];
    c.add('copy_range', 'copy.c', { line: 15, self: ir(version === 'base' ? most : few), at: 18 });
    c.add('copy_words', 'copy.c', { line: 40, self: ir(version === 'base' ? few : most), at: 44 });
    c.call('main', 28, 'copy_range', 9000).call('main', 29, 'copy_words', 9000);
  });
}

function rename(_, name, seed) {
  versions(name, seed, (c, version, r) => {
    const cost = r.near(24e6);
    const routine = version === 'base' ? 'parse_header' : 'parse_preamble';
    c.add(routine, 'header.c', { line: 15 })
      .self(routine, 18, ir(cost * 0.5))
      .self(routine, 21, ir(cost * 0.3))
      .self(routine, 22, ir(cost * 0.2));
    c.add('read_be32', 'header.c', { line: 5, self: ir(6e6), at: 6 });
    c.call('main', 28, routine, 7000).call(routine, 19, 'read_be32', 56000);
  });
}

// ---- folded stacks ----
function recursion(r, name) {
  const stacks = new Map();
  const add = (frames, n) => n > 0 && stacks.set(frames.join(';'), (stacks.get(frames.join(';')) ?? 0) + n);
  const top = ['_start', '__libc_start_main', 'main'];
  const total = 20000;
  for (let depth = 1; depth <= 18; depth++) {
    const weight = Math.exp(-((depth - 11) ** 2) / 18);
    const frames = [...top, 'solve_puzzle', ...Array(depth).fill('solve_board')];
    add(frames, r.poisson(total * 0.025 * weight));
    add([...frames, 'place_queen'], r.poisson(total * 0.022 * weight));
    add([...frames, 'check_column'], r.poisson(total * 0.048 * weight));
    add([...frames, 'undo_move'], r.poisson(total * 0.017 * weight));
  }
  for (const leaf of names(r, r.int(14, 20))) add([...top, leaf], r.poisson(total * 0.006));
  write(`${name}/${name}.folded`, [...stacks].map(([s, n]) => `${s} ${n}\n`).join(''));
}

function flatFolded(r, name) {
  const list = names(r, r.int(60, 80));
  const mid = list.slice(0, 8);
  const out = [];
  for (const leaf of list.slice(8))
    for (const m of r.shuffle(mid).slice(0, 2)) out.push(`_start;__libc_start_main;main;${m};${leaf} ${r.poisson(160)}\n`);
  write(`${name}/${name}.folded`, out.join(''));
}

// ---- perf script ----
function perfText(samples) {
  const out = [];
  for (const s of samples.sort((a, b) => a.time - b.time)) {
    out.push(`${s.comm} ${s.pid}/${s.tid} ${s.time.toFixed(6)}:    1002004 cpu-clock: `);
    for (const [name, address] of s.stack) out.push(`\t${address.toString(16).padStart(16)} ${name} (/home/u/atlas/bin/tiler)`);
    out.push('');
  }
  return `${out.join('\n')}\n`;
}
function addresses() {
  const at = new Map();
  return (name) => {
    if (!at.has(name)) at.set(name, 0x555500001000 + 0x400 * at.size);
    return [name, at.get(name)];
  };
}

function threadsIdle(r, name) {
  const place = addresses();
  const leaves = names(r, 12);
  const samples = [];
  const start = r.real(8000, 9000);
  const run = (tid, from, to, hot) => {
    for (let t = from; t < to; t += 0.004 * r.real(0.98, 1.02)) {
      const leaf = r.next() < hot ? 'raster_span' : r.pick(leaves);
      samples.push({
        comm: 'tiler',
        pid: 4000,
        tid,
        time: start + t,
        stack: [place(leaf), place('render_tile'), place('worker_loop'), place('start_thread')],
      });
    }
  };
  run(4001, 0.02, 10, 0.55);
  for (const tid of [4002, 4003, 4004]) run(tid, 0.02, r.real(0.8, 1.1), 0.55);
  for (let t = 0; t < 0.04; t += 0.004)
    samples.push({
      comm: 'tiler',
      pid: 4000,
      tid: 4000,
      time: start + t,
      stack: [place('read_scene'), place('main'), place('__libc_start_main')],
    });
  write(`${name}/${name}.perf`, perfText(samples));
}

function slowerAll(r, name, seed) {
  const place = addresses();
  const list = names(random(seed), 46);
  const weights = list.map(() => r.real(0.6, 1.8));
  const sum = weights.reduce((a, b) => a + b, 0);
  for (const [version, total] of [
    ['base', 12000],
    ['new', 15600],
  ]) {
    const samples = [];
    list.forEach((leaf, i) => {
      const mid = list[i % 6];
      const n = r.poisson((total * weights[i]) / sum);
      for (let k = 0; k < n; k++) {
        const stack = leaf === mid ? [place(leaf)] : [place(leaf), place(mid)];
        samples.push({
          comm: 'tiler',
          pid: 4000,
          tid: 4000,
          time: 0,
          stack: [...stack, place('main'), place('__libc_start_main')],
        });
      }
    });
    for (const [i, s] of r.shuffle(samples).entries()) s.time = 7000 + i * 0.001;
    write(`${name}/${version}/tiler.perf`, perfText(samples));
  }
}

// ---- aprof ----
class Aprof {
  constructor() {
    this.routines = [];
  }
  /** points: [size, [cost of each call], [self cost of each call]?] */
  add(name, points, object = '/home/u/atlas/bin/atlas') {
    this.routines.push({ name, object, points });
    return this;
  }
  text(total) {
    const out = [
      'c -------------------------------------',
      'c report generated by aprof (valgrind) ',
      'c -------------------------------------',
      'v 6',
      `k ${total}`,
      'e 1795225944',
      'm bb-count',
      'i rms',
      't 4',
      'a ./atlas',
      'f ./atlas data',
    ];
    const sq = (v) => v.reduce((a, x) => a + x * x, 0);
    const sum = (v) => v.reduce((a, x) => a + x, 0);
    this.routines.forEach(({ name, object, points }, id) => {
      out.push(`r "${name}" "${object}" ${id}`);
      for (const [size, costs, selves = costs] of points)
        out.push(
          `p ${[id, size, Math.min(...costs), Math.max(...costs), sum(costs), sq(costs), costs.length, sum(costs), sum(selves), Math.min(...selves), Math.max(...selves), sq(selves)].join(' ')}`,
        );
    });
    return `${out.join('\n')}\n`;
  }
}
/** Points of a routine with cost f(n) and some noise; sizes from `from` to `to`. */
function points(r, f, { from, to, count, calls = 2, noise = 0.01 }) {
  return Array.from({ length: count }, (_, i) => {
    const n = Math.round(from + ((to - from) * i) / (count - 1));
    return [n, Array.from({ length: calls }, () => Math.max(1, Math.round(f(n) * (1 + noise * r.normal()))))];
  });
}
const costOf = (list) => list.reduce((a, [, c]) => a + c.reduce((x, y) => x + y, 0), 0);

function aprofProgram(name, r, planted, others) {
  const a = new Aprof();
  let total = 0;
  for (const [routine, list] of r.shuffle([...planted, ...others])) {
    a.add(routine, list);
    total += costOf(list);
  }
  const own = r.int(300, 900);
  a.add('main', [[4000, [total + own], [own]]]);
  a.add('__libc_start_main', [[4100, [total + own + 30], [30]]], LIBC);
  a.add('_start', [[4110, [total + own + 31], [1]]]);
  write(`${name}/atlas_${r.int(2000, 30000)}_0_4.aprof`, a.text(total + own + 31));
}

function quadratic(r, name) {
  const k = r.real(0.9, 1.1);
  const planted = [
    ['dedup_rows', points(r, (n) => 60 + 1.2 * k * n * n, { from: 20, to: 800, count: 40 })],
    ['checksum_block', points(r, (n) => 200 + 95 * k * n, { from: 50, to: 4000, count: 60, calls: 4 })],
  ];
  const others = names(r, 10).map((n) => [
    n,
    points(r, (x) => 40 + 5 * x, { from: 10, to: r.int(300, 900), count: r.int(12, 30) }),
  ]);
  aprofProgram(name, r, planted, others);
}

function flatAprof(r, name) {
  const others = names(r, r.int(30, 38)).map((n) => {
    const slope = r.real(8, 10);
    return [n, points(r, (x) => 50 + slope * x, { from: 20, to: 1000, count: 25, calls: 3 })];
  });
  aprofProgram(name, r, [], others);
}

// ---- builds: a scheduler, ninja logs, CMake's snippets ----
/** Runs tasks { name, ms, needs: [names] } in order with `jobs` places: adds start and end. */
function schedule(tasks, jobs, { at = 0, between = 4 } = {}) {
  const done = new Map();
  const waiting = [...tasks];
  let running = [];
  let now = at;
  while (waiting.length || running.length) {
    while (running.length < jobs) {
      const i = waiting.findIndex((t) => t.needs.every((n) => done.has(n) && done.get(n) <= now));
      if (i < 0) break;
      const [t] = waiting.splice(i, 1);
      t.start = now + (running.length < jobs ? between : 0);
      t.end = t.start + t.ms;
      running.push(t);
    }
    if (!running.length) throw new Error('nothing can run');
    now = Math.min(...running.map((t) => t.end));
    for (const t of running) if (t.end <= now) done.set(t.name, t.end);
    running = running.filter((t) => t.end > now);
  }
  return tasks;
}

const SOURCES = names(random('sources'), 300).map((n) => n.replace('_', '/'));
function compiles(r, target, n, ms, spread = 0.35) {
  return r
    .shuffle(SOURCES)
    .slice(0, n)
    .map((s) => ({
      role: 'compile',
      target,
      source: `/home/u/atlas/src/${s}.cpp`,
      name: `CMakeFiles/${target}.dir/src/${s}.cpp.o`,
      ms: r.near(ms, spread),
      needs: [],
    }));
}
const link = (target, ms, needs, out = `bin/${target}`) => ({ role: 'link', target, name: out, ms, needs });

const WHEN = Date.UTC(2026, 9, 14, 9, 30) / 1000;
function hex(r, digits) {
  return Array.from({ length: digits }, () => r.int(0, 15).toString(16)).join('');
}
function ninja(path, tasks, r, version = 5) {
  const rules = new Set();
  const builds = [];
  for (const t of tasks) {
    const rule = t.role === 'compile' ? `CXX_COMPILER__${t.target}_` : `CXX_EXECUTABLE_LINKER__${t.target}_`;
    rules.add(rule);
    builds.push(
      t.role === 'compile'
        ? `build ${t.name}: ${rule} ${t.source}\n  FLAGS = -O2\n`
        : `build ${t.name}: ${rule} ${t.needs.join(' ')}\n`,
    );
  }
  const text = ['ninja_required_version = 1.5', ''];
  for (const rule of rules)
    text.push(
      `rule ${rule}`,
      `  command = /usr/bin/c++ $FLAGS -o $out ${rule.startsWith('CXX_COMPILER') ? '-c $in' : '$in'}`,
      '',
    );
  write(`${path}/build.ninja`, `${text.join('\n')}\n${builds.join('\n')}`, WHEN - 60);
  const log = [`# ninja log v${version}`];
  for (const t of [...tasks].sort((a, b) => a.end - b.end))
    log.push(
      `${Math.round(t.start)}\t${Math.round(t.end)}\t${BigInt(Math.round(WHEN * 1000 + t.end)) * 1000000n}\t${t.name}\t${hex(r, 16)}`,
    );
  write(`${path}/.ninja_log`, `${log.join('\n')}\n`, WHEN + Math.max(...tasks.map((t) => t.end)) / 1000);
}

function longLink(r, name) {
  const objects = compiles(r, 'atlas', r.int(52, 60), 2100);
  ninja(
    name,
    schedule(
      [
        ...objects,
        link(
          'atlas',
          r.near(45000, 0.04),
          objects.map((t) => t.name),
        ),
      ],
      4,
    ),
    r,
  );
}

function lateStart(r, name) {
  const objects = compiles(r, 'atlas', r.int(90, 100), 1600);
  const slow = {
    role: 'compile',
    target: 'atlas',
    source: '/home/u/atlas/src/grammar.cpp',
    name: 'CMakeFiles/atlas.dir/src/grammar.cpp.o',
    ms: r.near(26000, 0.05),
    needs: [],
  };
  ninja(
    name,
    schedule(
      [
        ...objects,
        slow,
        link(
          'atlas',
          r.near(700),
          [...objects, slow].map((t) => t.name),
        ),
      ],
      8,
    ),
    r,
    6,
  );
}

function jHalved(r, name, seed) {
  for (const [version, jobs] of [
    ['base', 8],
    ['new', 4],
  ]) {
    const same = random(seed);
    const objects = compiles(same, 'atlas', 160, 1500);
    const last = link(
      'atlas',
      same.near(600),
      objects.map((t) => t.name),
    );
    const tasks = [...objects, last];
    for (const t of tasks) t.ms = r.near(t.ms, 0.03);
    ninja(`${name}/${version}`, schedule(tasks, jobs), r);
  }
}

function healthyNinja(r, name) {
  const all = [];
  for (let k = 0; k < 12; k++) {
    const target = `part${String.fromCharCode(97 + k)}`;
    const objects = compiles(r, target, 18, 1500, 0.25).map((t) => ({
      ...t,
      name: t.name.replace('src/', `src/${target}/`),
      source: t.source.replace('src/', `src/${target}/`),
    }));
    all.push(
      ...objects,
      link(
        target,
        r.near(350, 0.2),
        objects.map((t) => t.name),
      ),
    );
  }
  ninja(name, schedule(all, 8), r, 6);
}

function stamp(ms) {
  const d = new Date(ms);
  const two = (x) => String(x).padStart(2, '0');
  return `${d.getUTCFullYear()}-${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())}T${two(d.getUTCHours())}-${two(d.getUTCMinutes())}-${two(d.getUTCSeconds())}-${String(d.getUTCMilliseconds()).padStart(4, '0')}`;
}
/** CMake's instrumentation of one build: snippets, an index, and the content file. */
function cmake(path, tasks, r, { cpus = 4, host = 'bluefin' } = {}) {
  const v1 = `${path}/.cmake/instrumentation/v1`;
  const zero = WHEN * 1000;
  const build = '/home/u/atlas/build';
  const content = `content/cmake-${stamp(zero)}.json`;
  const snippets = [];
  for (const t of tasks) {
    const start = Math.round(zero + t.start);
    const ms = Math.round(t.ms);
    const o = {
      cmakeContent: content,
      command: t.command,
      duration: ms,
      result: t.result ?? 0,
      role: t.role,
      timeStart: start,
      version: 1,
      workingDir: build,
    };
    if (t.role === 'compile')
      Object.assign(o, {
        command: `/usr/bin/c++ -O2 -o ${t.name} -c ${t.source}`,
        config: 'Release',
        language: 'C++',
        outputSizes: [t.result ? 0 : r.int(20000, 400000)],
        outputs: [t.name],
        source: t.source,
        target: t.target,
      });
    if (t.role === 'link')
      Object.assign(o, {
        command: `/usr/bin/c++ -O2 ${t.needs.join(' ')} -o ${t.name}`,
        config: 'Release',
        language: 'C++',
        outputSizes: [r.int(400000, 4000000)],
        outputs: [t.name],
        target: t.target,
        targetLabels: [],
      });
    if (t.role === 'test') Object.assign(o, { command: `${build}/bin/tests ${t.testName}`, config: '', testName: t.testName });
    if (t.role === 'ctest') o.showOnly = false;
    const file = `${t.role}-${hex(r, 20)}-${stamp(start + ms)}.json`;
    const keys = Object.keys(o).sort();
    write(`${v1}/data/${file}`, `${JSON.stringify(Object.fromEntries(keys.map((k) => [k, o[k]])), null, '\t')}\n`);
    snippets.push(file);
  }
  const targets = Object.fromEntries(
    [...new Set(tasks.map((t) => t.target).filter(Boolean))].map((t) => [t, { labels: [], type: 'EXECUTABLE' }]),
  );
  write(`${v1}/data/${content}`, `${JSON.stringify({ custom: {}, project: 'atlas', targets }, null, '\t')}\n`);
  const end = Math.max(...tasks.map((t) => t.start + t.ms)) + zero;
  const index = {
    buildDir: build,
    dataDir: `${build}/.cmake/instrumentation/v1/data`,
    hook: 'postCMakeBuild',
    snippets,
    staticSystemInformation: {
      OSName: 'Linux',
      OSPlatform: 'x86_64',
      OSRelease: '6.1.0',
      OSVersion: '#1 SMP',
      familyId: '6',
      hostname: host,
      is64Bits: true,
      modelId: '85',
      modelName: 'Intel(R) Xeon(R) Processor',
      numberOfLogicalCPU: cpus,
      numberOfPhysicalCPU: cpus,
      processorAPICID: null,
      processorCacheSize: 33792,
      processorClockFrequency: 2400.0,
      processorName: 'Unknown P6 family',
      totalPhysicalMemory: 64000,
      totalVirtualMemory: null,
      vendorID: 'Intel Corporation',
      vendorString: 'GenuineIntel',
    },
    version: 1,
  };
  write(`${v1}/data/index/index-${stamp(end + 5)}.json`, `${JSON.stringify(index, null, '\t')}\n`);
  write(
    `${v1}/query/profile.json`,
    `${JSON.stringify({ version: 1, hooks: ['postCMakeBuild'], options: ['staticSystemInformation'] })}\n`,
  );
}
const whole = (role, command, start, ms, result = 0) => ({ role, command, start, ms, result });
function configured(r, ms = 2600) {
  const command = 'cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release';
  const first = r.near(ms);
  const second = r.near(260);
  return [whole('configure', command, 0, first), whole('generate', command, first, second)];
}
/** cmakeBuild around its steps, which begin `after` ms after the start. */
function built(tasks, jobs, after, result = 0) {
  schedule(tasks, jobs, { at: after + 30, between: 3 });
  const end = Math.max(...tasks.map((t) => t.end));
  return [whole('cmakeBuild', `cmake --build build -j${jobs}`, after, end - after + 25, result), ...tasks];
}
const endOf = (list) => Math.max(...list.map((t) => t.start + t.ms));

function jLow(r, name) {
  const start = configured(r);
  const objects = compiles(r, 'atlas', r.int(112, 124), 1500);
  const tasks = [
    ...objects,
    link(
      'atlas',
      r.near(900),
      objects.map((t) => t.name),
    ),
  ];
  cmake(name, [...start, ...built(tasks, 2, endOf(start) + 400)], r, { cpus: 16 });
}

function idleGap(r, name) {
  const start = configured(r);
  const objects = compiles(r, 'atlas', r.int(44, 52), 1500);
  const tasks = [
    ...objects,
    link(
      'atlas',
      r.near(700),
      objects.map((t) => t.name),
    ),
  ];
  cmake(name, [...start, ...built(tasks, 4, endOf(start) + 40000)], r);
}

function failed(r, name) {
  const start = configured(r);
  const before = compiles(r, 'atlas', r.int(14, 18), 1300);
  const broken = {
    role: 'compile',
    target: 'atlas',
    source: '/home/u/atlas/src/codec.cpp',
    name: 'CMakeFiles/atlas.dir/src/codec.cpp.o',
    ms: r.near(900),
    needs: [],
    result: 1,
  };
  const at = endOf(start) + 400;
  const tasks = schedule([...before, broken], 4, { at: at + 30, between: 3 });
  const stop = broken.start + broken.ms;
  const end = Math.max(stop, ...tasks.map((t) => t.end));
  cmake(name, [...start, whole('cmakeBuild', 'cmake --build build -j4', at, end - at + 20, 1), ...tasks], r);
}

function hostFactor(r, name, seed) {
  for (const [version, factor, host] of [
    ['base', 1, 'bluefin'],
    ['new', 1.5, 'tern'],
  ]) {
    const same = random(seed);
    const all = [];
    for (const target of ['core', 'net', 'store', 'atlas']) {
      const objects = compiles(same, target, 16, 1800);
      all.push(
        ...objects,
        link(
          target,
          same.near(600),
          objects.map((t) => t.name),
        ),
      );
    }
    for (const t of all) t.ms = r.near(t.ms * factor, 0.03);
    const start = configured(same).map((t) => ({ ...t, start: t.start * factor, ms: Math.round(t.ms * factor) }));
    cmake(`${name}/${version}`, [...start, ...built(all, 4, endOf(start) + 300)], r, { host });
  }
}

function testsDominate(r, name) {
  const start = configured(r);
  const objects = compiles(r, 'atlas', r.int(44, 52), 1500);
  const build = built(
    [
      ...objects,
      link(
        'atlas',
        r.near(700),
        objects.map((t) => t.name),
      ),
    ],
    4,
    endOf(start) + 300,
  );
  const at = endOf(build) + 500;
  const tests = ['stress_store', ...names(r, r.int(18, 24))].map((t) => ({
    role: 'test',
    testName: t,
    name: `test ${t}`,
    ms: t === 'stress_store' ? r.near(150000, 0.05) : r.near(1800, 0.5),
    needs: [],
  }));
  schedule(tests, 4, { at: at + 20, between: 2 });
  cmake(name, [...start, ...build, whole('ctest', 'ctest -j4', at, Math.max(...tests.map((t) => t.end)) - at + 10), ...tests], r);
}

function healthyCmake(r, name) {
  const start = configured(r, 1100);
  const all = [];
  for (const target of ['core', 'net', 'store', 'view', 'tool', 'atlas']) {
    const objects = compiles(r, target, 16, 1800, 0.2);
    all.push(
      ...objects,
      link(
        target,
        r.near(300),
        objects.map((t) => t.name),
      ),
    );
  }
  cmake(name, [...start, ...built(all, 4, endOf(start) + 150)], r);
}

// ---- GCC's -ftime-report: a log of ninja ----
const PHASES = [
  ['phase setup', 0.01],
  ['phase parsing', 0.46],
  ['phase lang. deferred', 0.07],
  ['phase opt and generate', 0.46],
];
const INNER = [
  ['|name lookup', 0.05],
  ['callgraph functions expansion', 0.31],
  ['callgraph ipa passes', 0.1],
  ['preprocessing', 0.09],
  ['parser (global)', 0.1],
  ['parser struct body', 0.06],
  ['parser function body', 0.05],
  ['template instantiation', 0.11],
  ['integration', 0.02],
  ['tree VRP', 0.02],
  ['expand', 0.02],
  ['CSE', 0.02],
  ['integrated RA', 0.03],
  ['scheduling 2', 0.02],
  ['final', 0.01],
];
function gccUnit(r, seconds) {
  const row = (name, share) => {
    const s = seconds * share;
    return ` ${name.padEnd(35)}: ${(s * 0.85).toFixed(2).padStart(6)} (${String(Math.round(share * 100)).padStart(3)}%) ${(s * 0.1).toFixed(2).padStart(6)} (${String(Math.round(share * 100)).padStart(3)}%) ${s.toFixed(2).padStart(6)} (${String(Math.round(share * 100)).padStart(3)}%) ${String(Math.round(90000 * share)).padStart(6)}k (${String(Math.round(share * 100)).padStart(3)}%)`;
  };
  const vary = (list) => list.map(([n, s]) => [n, s * r.real(0.97, 1.03)]);
  const phases = vary(PHASES);
  const sum = phases.reduce((a, [, s]) => a + s, 0);
  return [
    '',
    'Time variable                                   usr           sys          wall           GGC',
    ...phases.map(([n, s]) => row(n, s / sum)),
    ...vary(INNER).map(([n, s]) => row(n, s)),
    ` ${'TOTAL'.padEnd(35)}: ${(seconds * 0.85).toFixed(2).padStart(6)}        ${(seconds * 0.1).toFixed(2).padStart(6)}        ${seconds.toFixed(2).padStart(6)}          90000k`,
  ].join('\n');
}
function stepsAdded(r, name, seed) {
  const same = random(seed);
  const units = same
    .shuffle(SOURCES)
    .slice(0, 30)
    .map((s) => [`CMakeFiles/atlas.dir/src/${s}.cpp.o`, same.real(2, 6)]);
  const added = ['opcode_load', 'opcode_store', 'opcode_branch', 'opcode_call', 'opcode_vector'].map((s) => [
    `CMakeFiles/atlas.dir/src/plugins/${s}.cpp.o`,
    same.real(5.2, 6.8),
  ]);
  for (const version of ['base', 'new']) {
    const list = version === 'base' ? units : [...units.slice(0, 12), ...added, ...units.slice(12)];
    const out = ["ninja: Entering directory `build'"];
    for (const [i, [object, s]] of list.entries())
      out.push(`[${i + 1}/${list.length + 1}] Building CXX object ${object}`, gccUnit(r, s * r.real(0.98, 1.02)));
    out.push(`[${list.length + 1}/${list.length + 1}] Linking CXX executable bin/atlas`);
    write(`${name}/${version}/build.log`, `${out.join('\n')}\n`);
  }
}

// ---- clang's -ftime-trace ----
function clangUnit(r, pid, at, { header, headerMs, own, backend }) {
  const events = [];
  const us = (ms) => Math.round(ms * 1000);
  const x = (name, ts, dur, detail) =>
    events.push({ pid, tid: pid, ph: 'X', ts: us(ts), dur: us(dur), name, ...(detail ? { args: { detail } } : {}) });
  let t = 2;
  if (header) {
    let inner = t + 1;
    const part = headerMs / (header.below.length + 1);
    for (const h of header.below) {
      const ms = part * r.real(0.85, 1.1);
      x('Source', inner, ms, h);
      inner += ms;
    }
    x('Source', t, Math.max(headerMs, inner - t + 1), header.path);
    t += Math.max(headerMs, inner - t + 1);
  }
  for (const [h, ms] of own) {
    x('Source', t, ms, h);
    t += ms;
  }
  const body = r.real(40, 90);
  x('ParseClass', t, body * 0.4, `atlas::${r.pick(NOUNS)}`);
  t += body;
  x('PerformPendingInstantiations', t, 12);
  t += 13;
  x('Frontend', 1, t - 1);
  const opt = backend * 0.6;
  x('Optimizer', t + 1, opt);
  x('CodeGenPasses', t + 1 + opt, backend * 0.35);
  x('Backend', t, backend + 2);
  const total = t + backend + 3;
  x('ExecuteCompiler', 0, total);
  events.push({
    pid,
    tid: pid + 1,
    ph: 'X',
    ts: 0,
    dur: us(total),
    name: 'Total ExecuteCompiler',
    args: { count: 1, 'avg ms': Math.round(total) },
  });
  events.push({ cat: '', pid, tid: pid, ts: 0, ph: 'M', name: 'process_name', args: { name: 'clang' } });
  return [JSON.stringify({ traceEvents: events, beginningOfTime: (WHEN * 1000 + Math.round(at)) * 1000 }), total];
}
function heavyHeader(r, name) {
  const header = {
    path: '/home/u/atlas/src/core/everything.hpp',
    below: [
      '/usr/include/c++/12/regex',
      '/usr/include/c++/12/map',
      '/home/u/atlas/src/core/types.hpp',
      '/usr/include/c++/12/functional',
    ],
  };
  const lanes = [0, 0];
  r.shuffle(SOURCES)
    .slice(0, r.int(24, 28))
    .forEach((s, i, all) => {
      const with_ = i < all.length - 2;
      const own = [['/home/u/atlas/src/' + s.split('/')[0] + '/local.hpp', r.real(8, 20)]];
      const lane = lanes[0] <= lanes[1] ? 0 : 1;
      const [text, ms] = clangUnit(r, 3000 + 7 * i, lanes[lane], {
        header: with_ ? header : null,
        headerMs: r.real(660, 740),
        own,
        backend: r.real(150, 260),
      });
      write(`${name}/CMakeFiles/atlas.dir/src/${s}.cpp.json`, text);
      lanes[lane] += ms + 4;
    });
}

export const KINDS = {
  'quadratic-aprof': quadratic,
  'malloc-churn': mallocChurn,
  'one-line': oneLine,
  'million-calls': millionCalls,
  recursion,
  cycle,
  startup,
  'cache-misses': cacheMisses,
  'branch-misses': branches,
  'threads-idle': threadsIdle,
  twice,
  'new-routine': newRoutine,
  'calls-tenfold': callsTenfold,
  moved,
  'slower-all': slowerAll,
  rename,
  'long-link': longLink,
  'heavy-header': heavyHeader,
  'late-start': lateStart,
  'j-low': jLow,
  'idle-gap': idleGap,
  'failed-step': failed,
  'j-halved': jHalved,
  'host-factor': hostFactor,
  'steps-added': stepsAdded,
  'tests-dominate': testsDominate,
  'healthy-callgrind': flatCallgrind,
  'healthy-folded': flatFolded,
  'healthy-aprof': flatAprof,
  'healthy-ninja': healthyNinja,
  'healthy-cmake': healthyCmake,
};
for (const [name, make] of Object.entries(KINDS)) make(random(`${seedText}/${name}`), name, `${seedText}/${name}/same`);
