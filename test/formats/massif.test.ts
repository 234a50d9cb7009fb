// Massif: every node that ms_print prints for the same files, a program whose allocations are known, and files that are wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { eventInMeasure } from '../../src/analysis/answers/compared/measure.ts';
import { olderParts } from '../../src/analysis/answers/parts.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { FormatError } from '../../src/base/problem.ts';
import { totalBytesOf } from '../../src/columns/snapshots.ts';
import { massif } from '../../src/formats/massif.ts';
import { checkProfile } from '../../src/model/check.ts';
import { eventValue, exactValue } from '../../src/model/head.ts';
import type { ProfileOf } from '../../src/model/profile.ts';
import { stringAt } from '../../src/model/strings.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadBytes, loadText } from '../support/load.ts';
import { PLAINLY } from '../support/versus.ts';

const FOLDER = join(FIXTURES, 'massif');

const textOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

async function load(name: string): Promise<ProfileOf<'stacks'>> {
  const profile = profileOf(await loadBytes(massif, readFileSync(join(FOLDER, name))), 'stacks');
  assert.deepEqual(checkProfile(profile), []);
  return profile;
}

/** Bytes by path of frames, the innermost first, with a line break between them; '' is the whole tree. Paths of the same frames are one. */
type Tree = ReadonlyMap<string, number>;

interface Detailed {
  /** Number, time, bytes of the heap, extra bytes, bytes of stacks. */
  readonly row: readonly number[];
  readonly tree: Map<string, number>;
}

const numberIn = (text: string) => Number(text.replaceAll(',', ''));

/** `0x1091F0: block (stages.c:9)` as the profile names it: the name, and its place. */
function frameIn(text: string): string {
  if (/^in \d+ places?, /.test(text)) return "(below massif's threshold) ";
  const [, body = ''] = /^0x[0-9A-F]+: (.*)$/.exec(text) ?? [];
  const [, name = body, inside = ''] = /^(.*) \((in \/.*|[^ ]+:\d+)\)$/.exec(body) ?? [];
  const place = inside.replace(/^in /, '');
  return `${name === '???' ? `0x...${place === '' ? '' : ` [${place.replace(/.*\//, '')}]`}` : name} ${place}`;
}

/** The detailed snapshots in a text of ms_print, and how many nodes they have. */
function printed(text: string): { snapshots: readonly Detailed[]; nodes: number } {
  const snapshots: Detailed[] = [];
  const path: string[] = [];
  let nodes = 0;
  let row: readonly number[] = [];
  for (const line of text.split('\n')) {
    if (/^ *\d+( +[\d,]+){5}$/.test(line)) row = line.trim().split(/ +/).map(numberIn);
    const node = /^([| ]*->)?\d\d\d?\.\d\d% \(([\d,]+)B\) (.*)$/.exec(line);
    if (!node) continue;
    nodes++;
    const depth = (node[1] ?? '').length / 2;
    const [number, time, , heap, extra, stacks] = row;
    if (depth === 0) snapshots.push({ row: [number, time, heap, extra, stacks], tree: new Map() });
    else path[depth - 1] = frameIn(node[3]);
    path.length = depth;
    const { tree } = snapshots.at(-1)!;
    const key = path.join('\n');
    if (numberIn(node[2]) > 0) tree.set(key, (tree.get(key) ?? 0) + numberIn(node[2]));
  }
  return { snapshots, nodes };
}

/** The tree of a part that its stacks make. */
function treeOf(profile: ProfileOf<'stacks'>, part: number, event = profile.events[0]): Tree {
  const { stacks, frames, files, objects, routines, strings } = profile;
  const tree = new Map<string, number>();
  for (let s = 0; s < stacks.part.length; s++) {
    const cost = stacks.part[s] === part ? eventValue(event, stacks.costs, s) : 0;
    if (cost === 0) continue;
    const path: string[] = [];
    tree.set('', (tree.get('') ?? 0) + cost);
    for (let k = stacks.start[s]; k < stacks.start[s + 1]; k++) {
      const frame = stacks.frame[k];
      const routine = frames.routine[frame];
      const file = frames.file[frame] < 0 ? '' : `${stringAt(strings, files.name[frames.file[frame]])}:${frames.line[frame]}`;
      const object = routines.object[routine] < 0 ? '' : stringAt(strings, objects.name[routines.object[routine]]);
      path.push(`${routineName(profile, routine)} ${file}${object}`);
      if (path[0] === '(no stack) ') break;
      const key = path.join('\n');
      tree.set(key, (tree.get(key) ?? 0) + cost);
    }
  }
  return tree;
}

const REAL = ['stages', 'stages-bytes', 'stages-stacks', 'pages', 'words', 'words-stripped', 'ends', 'deep'];

for (const name of REAL)
  test(`${name}: every node of every tree is that of ms_print, and the sums are mem_heap_B`, async () => {
    const profile = await load(`${name}.massif.out`);
    const { snapshots, nodes } = printed(textOf(`${name}.ms_print.txt`));
    const file = textOf(`${name}.massif.out`);
    assert.equal(nodes, file.match(/^ *n\d+: /gm)?.length);
    assert.equal(profile.parts.length, snapshots.length);
    snapshots.forEach(({ row, tree }, part) => {
      assert.deepEqual(treeOf(profile, part), tree, `snapshot ${row[0]}`);
      const { totals, notes } = profile.parts[part];
      assert.deepEqual(totals, [row[2]]);
      assert.equal(tree.get('') ?? 0, row[2]);
      // Number, time, extra bytes and stacks; the event has the heap.
      const said = notes[0].match(/\d[\d,]*/g)?.map(numberIn);
      assert.deepEqual(said, [row[0], row[1], row[3], row[4]]);
    });
    assert.equal(profile.warnings.length, 0);
    const all = file.match(/^snapshot=/gm)?.length;
    assert.ok(profile.notes?.some((note) => note.startsWith(`${all} snapshots, ${snapshots.length} of them detailed`)));
  });

for (const name of REAL)
  test(`${name}: the peak alone is on`, async () => {
    const profile = await load(`${name}.massif.out`);
    const trees = [...textOf(`${name}.massif.out`).matchAll(/^mem_heap_B=(\d+)\n.*\n.*\nheap_tree=(peak|detailed)$/gm)];
    const off = olderParts(profile);
    assert.deepEqual(
      trees.flatMap(([, , kind], part) => (kind === 'peak' ? [part] : [])),
      profile.parts.flatMap((_, part) => (off.has(part) ? [] : [part])),
    );
    const { totals } = analysisOf(profile, 'stacks', off);
    assert.equal(exactValue(profile.events[0], totals.total, 0), Number(trees.find(([, , kind]) => kind === 'peak')?.[1]));
  });

test('the snapshots of an xtree file are sums of one moment: each is an event, as ms_print has it', async () => {
  const profile = await load('xtmemory.ms');
  const { snapshots } = printed(textOf('xtmemory.ms_print.txt'));
  assert.equal(profile.parts.length, 1);
  assert.deepEqual(
    profile.events.map((e) => `${e.name} ${e.unit}`),
    ['curB bytes', 'curBk count', 'totB bytes', 'totBk count', 'totFdB bytes', 'totFdBk count'],
  );
  snapshots.forEach(({ tree }, n) => {
    assert.deepEqual(treeOf(profile, 0, profile.events[n]), tree, profile.events[n].name);
  });
});

/** Self and inclusive bytes of a routine in the parts that are on at first. */
function costsOf(profile: ProfileOf<'stacks'>) {
  const { totals } = analysisOf(profile, 'stacks', olderParts(profile));
  const [event] = profile.events;
  return (name: string) => {
    const rows = Array.from(profile.routines.name.keys()).filter((r) => routineName(profile, r) === name);
    assert.equal(rows.length, 1, name);
    return [eventValue(event, totals.self, rows[0]), eventValue(event, totals.inclusive, rows[0])];
  };
}

test('a program whose allocations are known', async () => {
  const stages = costsOf(await load('stages.massif.out'));
  // At the peak: 20 blocks of 1,000 and one of churn; 13 levels of 400; a list of 160 and the small blocks are below 1%.
  assert.deepEqual(stages('block'), [20_100, 20_100]);
  assert.deepEqual(stages('nest'), [13 * 400, 13 * 400]);
  const small = 11 + 12 + 13 + 14 + 15;
  assert.deepEqual(stages("(below massif's threshold)"), [160 + small, 160 + small + 100]);
  assert.deepEqual(stages('main'), [0, 20_000 + 13 * 400]);
  const all = await load('stages-bytes.massif.out');
  assert.deepEqual(costsOf(all)('load'), [160, 20_160], '--threshold=0 leaves nothing out');
  const ends = await load('ends.massif.out');
  assert.deepEqual(costsOf(ends)('main'), [6000, 6000]);
  assert.equal(ends.command, './ends two\nlines b');
});

test('names, numbers and places of all forms; Windows line ends; no peak', async () => {
  const profile = await load('edge.massif.out');
  assert.deepEqual([...olderParts(profile)], [1], 'without a peak, the largest is on');
  assert.deepEqual([...treeOf(profile, 0)], [['', 2 ** 53 - 1]]);
  assert.deepEqual(Object.fromEntries(treeOf(profile, 1)), {
    '': 900,
    '0x... ': 100,
    '0x... [x (deleted).so] /opt/x (deleted).so': 200,
    'operator()(int) const (a b (1).cpp:4294967295) ': 300,
    'operator()(int) const (a b (1).cpp:4294967295) \n(below main) libc-start.c:308': 300,
    'f a function': 50,
    "f a function\n(below massif's threshold) ": 40,
    "(below massif's threshold) ": 250,
  });
  const { totals } = analysisOf(profile, 'stacks');
  assert.equal(exactValue(profile.events[0], totals.total, 0), 2n ** 53n - 1n + 900n);
  assert.deepEqual(
    profile.warnings.map((w) => [w.line, w.found]),
    [[21, 'a tree of 900 bytes, while mem_heap_B is 1000']],
  );
});

const HEAD = 'desc: (none)\ncmd: ./a\ntime_unit: i\n';
const ROOT = '(heap allocation functions) malloc/new/new[], --alloc-fns, etc.';

const snapshot = (n: number, heap: number | string, tree: string, kind = 'detailed') =>
  `snapshot=${n}\ntime=${n}\nmem_heap_B=${heap}\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=${kind}\n${tree}`;

test('a tree of many levels is read without recursion', async () => {
  const levels = 3000;
  const chain = Array.from(
    { length: levels },
    (_, k) => `${' '.repeat(k + 1)}n${k < levels - 1 ? 1 : 0}: ${levels - k} 0x1: f${k} (a.c:1)\n`,
  );
  const profile = profileOf(
    await loadText(massif, HEAD + snapshot(0, levels, `n1: ${levels} ${ROOT}\n${chain.join('')}`)),
    'stacks',
  );
  assert.deepEqual(checkProfile(profile), []);
  const costs = costsOf(profile);
  assert.deepEqual(costs('f0'), [levels, levels]);
  assert.deepEqual(costs(`f${levels - 1}`), [0, 1]);
});

test('a file that was cut off has its whole snapshots', async () => {
  const text = textOf('stages.massif.out');
  const cut = text.slice(0, text.indexOf('heap_tree=peak') + 200);
  const profile = profileOf(await loadText(massif, cut), 'stacks');
  assert.deepEqual(checkProfile(profile), []);
  assert.equal(profile.cut?.line, cut.split('\n').length);
  assert.deepEqual(
    profile.parts.map((p) => [p.totals, p.older]),
    [
      [[165], true],
      [[11_225], true],
      [[20_625], undefined],
    ],
  );
});

test('two runs are compared at their peaks, wherever these are; parts that were chosen are those of both', async () => {
  const run = (...kinds: readonly string[]) =>
    loadText(
      massif,
      HEAD +
        kinds.map((kind, n) => snapshot(n, 10 ** n, `n1: ${10 ** n} ${ROOT}\n n0: ${10 ** n} 0x1: f (a.c:1)\n`, kind)).join(''),
    );
  const profile = compareProfiles(await run('detailed', 'peak', 'detailed'), await run('peak', 'detailed', 'detailed'), PLAINLY);
  const totals = (off: ReadonlySet<number>) => {
    const analysis = analyse(profile, profile.events, off);
    const [event] = analysis.events;
    return (['now', 'before'] as const).map((run) => eventValue(eventInMeasure(analysis, event, run), analysis.totals.total, 0));
  };
  assert.deepEqual(totals(olderParts(profile)), [10, 1]);
  assert.deepEqual(totals(new Set([0, 1])), [100, 100]);
});

/** Files that are wrong, in the line after the head from 4 on. */
const WRONG: readonly (readonly [text: string, line: number, expected: RegExp])[] = [
  ['desc: x\ncmd: y\n', 3, /time_unit/],
  ['desc: x\nfoo: y\n', 2, /"cmd: "/],
  [HEAD, 3, /a snapshot/],
  [`${HEAD}snapshot=0\nmem_heap_B=1\n`, 5, /time=/],
  [HEAD + snapshot(0, -5, ''), 6, /mem_heap_B= with a whole number/],
  [HEAD + snapshot(0, '9007199254740993', ''), 6, /below 2\^53/],
  [HEAD + snapshot(0, 5, '', 'half'), 9, /empty, detailed or peak/],
  [HEAD + snapshot(0, 5, `n0: 9007199254740993 ${ROOT}\n`), 10, /a node/],
  [HEAD + snapshot(0, 5, `n1: 5 ${ROOT}\nn0: 5 0x1: f\n`), 11, /behind 1 blank/],
  [HEAD + snapshot(0, 5, `n1: 5 ${ROOT}\n   n0: 5 0x1: f\n`), 11, /behind 1 blank/],
  [HEAD + snapshot(0, 5, `n1: 5 ${ROOT}\n n0: 6 0x1: f\n`), 11, /at most 5 bytes/],
  [HEAD + snapshot(0, 5, `n2: 5 ${ROOT}\n n0: 5 0x1: f\n#-----------\n`), 12, /a node/],
  [HEAD + snapshot(0, 5, `n0: 5 ${ROOT}\n`) + snapshot(1, 5, 'n0: 5 curB : Bytes\n'), 17, /one of|only trees/],
  [HEAD + snapshot(0, 5, 'n0: 5 curB : Bytes\n') + snapshot(1, 5, 'n0: 5 curB : Bytes\n'), 17, /once/],
];

for (const [text, line, expected] of WRONG)
  test(`refused with its line: ${expected.source}, line ${line}`, async () => {
    await assert.rejects(loadText(massif, text), (error) => {
      assert.ok(error instanceof FormatError, String(error));
      assert.match(error.problem.expected, expected);
      assert.equal(error.problem.line, line);
      return true;
    });
  });

test('Memory lists every snapshot as ms_print does, with its peak, and draws the most of them', async () => {
  const names = ['deep', 'ends', 'pages', 'stages', 'stages-bytes', 'stages-stacks', 'words', 'words-stripped'];
  for (const name of names) {
    const { snapshots } = await load(`${name}.massif.out`);
    assert.ok(snapshots, name);
    const text = textOf(`${name}.ms_print.txt`);
    // Number, time, total, heap, extra, stacks.
    const rows = text.split('\n').filter((line) => /^ *\d+( +[\d,]+){5}$/.test(line));
    const expected = rows.map((line) => line.trim().split(/ +/).map(numberIn));
    const { number, time, heap, extra, stacks, part, peak } = snapshots;
    const totals = totalBytesOf(snapshots);
    assert.deepEqual(
      expected,
      Array.from(number, (n, i) => [n, time[i], totals[i], heap[i], extra[i], stacks[i]]),
      name,
    );
    const [, detailed = ''] = /Detailed snapshots: \[([^\]]*)\]/.exec(text) ?? [];
    assert.deepEqual(
      detailed.split(', '),
      Array.from(number.keys())
        .filter((i) => part[i] >= 0)
        .map((i) => `${number[i]}${i === peak ? ' (peak)' : ''}`),
      name,
    );
  }
});

test('a peak in Memory is drawn however short it was', async () => {
  const times = Array.from({ length: 2000 }, (_, k) => k);
  const snapshot = (k: number) =>
    `#-----------\nsnapshot=${k}\n#-----------\ntime=${k}\nmem_heap_B=${k === 777 ? 80 : 1}\nmem_heap_extra_B=0\nmem_stacks_B=0\n` +
    (k === 777
      ? 'heap_tree=peak\nn1: 80 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n n0: 80 0x1: f (a.c:1)\n'
      : 'heap_tree=empty\n');
  const profile = await loadText(massif, `desc: (none)\ncmd: x\ntime_unit: i\n${times.map(snapshot).join('')}`);
  const p = play(profile, { width: 80, height: 24 });
  p.press('snapshots');
  const lines = toPlainText(drawScreen(p.state)).split('\n').slice(2);
  const plot = lines.slice(
    0,
    lines.findIndex((line) => line.includes('instructions')),
  );
  // One column alone reaches the top.
  assert.equal(plot[0].replace(/[^█]/g, ''), '█');
  assert.match(plot[0], /^ *80 B/);
});

test('without a detailed snapshot, the curve is there, and the largest snapshot is one frame without stacks', async () => {
  const profile = await load('nodetail.massif.out');
  const { snapshots } = profile;
  assert.ok(snapshots);
  assert.deepEqual([...snapshots.heap], [0, 100]);
  assert.deepEqual([...snapshots.extra], [0, 20]);
  assert.deepEqual([...snapshots.part], [-1, -1]);
  const { totals } = analyse(profile, profile.events);
  assert.equal(totals.total[0][0], 100);
  assert.deepEqual(
    Array.from(totals.calls, (_, r) => routineName(profile, r)),
    ['(stacks not recorded)'],
  );
  assert.match(profile.warnings[0].found, /^2 snapshots, none of them detailed: sizes only/);
});
