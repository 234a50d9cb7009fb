// The flame graph as text, as a picture, and as rows.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { runInNewContext } from 'node:vm';
import { eventInMeasure } from '../../src/analysis/answers/compared/measure.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { cellWidth } from '../../src/base/text.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { folded } from '../../src/formats/folded.ts';
import { loadProfile } from '../../src/io/load.ts';
import { flame } from '../../src/reports/flame.ts';
import type { ReportContext } from '../../src/reports/report.ts';
import { tree } from '../../src/reports/tree.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { contextOf } from '../support/reports.ts';
import { fullStacks } from '../support/stacks.ts';
import { PLAINLY } from '../support/versus.ts';

async function written(write: (out: (text: string) => Promise<void>) => Promise<void>): Promise<string> {
  let all = '';
  await write(async (text) => {
    all += text;
  });
  return all;
}

const demo = async (): Promise<ReportContext> => ({
  ...contextOf(await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')])),
  routine: undefined,
});
const svgOf = (context: ReportContext): Promise<string> => written((write) => flame.write('svg', context, '0', write));

test('text is the picture, as wide as asked for and as deep as --limit says', async () => {
  const context = await demo();
  for (const width of [20, 80, 200]) {
    const text = await written((write) => flame.write('text', { ...context, width, limit: 5 }, '0', write));
    const rows = text.split('\n').filter((line) => /^│/.test(line));
    assert.equal(rows.length, 5);
    for (const line of text.split('\n')) assert.ok(cellWidth(line) <= width, line);
    assert.match(text.replace(/\n +/g, ' '), /deeper than 5 rows: left out/);
  }
  const whole = await written((write) => flame.write('text', { ...context, width: 80, threshold: 50 }, '0', write));
  assert.doesNotMatch(whole, /__libc_start_main/);
  const inverted = await written((write) => flame.write('text', { ...context, width: 80, inverted: true }, '0', write));
  assert.match(inverted, /│_dl_loo/);
});

test('of two runs, text and SVG are as wide as this run, as the view is, and say what changed', async () => {
  const text = (a: number, b: number) =>
    `events: Ir\nfn=main\n1 10\ncfn=quicker_now\ncalls=1 1\n1 ${a}\ncfn=slower_now\ncalls=1 1\n1 ${b}\nfn=quicker_now\n1 ${a}\nfn=slower_now\n1 ${b}\n`;
  const now = await loadText(callgrind, text(400, 700));
  const before = await loadText(callgrind, text(600, 500));
  const plain = contextOf(compareProfiles(now, before, PLAINLY));
  for (const measure of ['delta', 'percent', 'now'] as const) {
    const context = { ...plain, event: eventInMeasure(plain.analysis, plain.event, measure), routine: undefined, width: 80 };
    const drawn = await written((write) => flame.write('text', context, '0', write));
    assert.match(drawn, /^│main *\n│\+ slower_now {37,}│- quicker_now/m, measure);
    const svg = await svgOf(context);
    assert.match(svg, /<title>slower_now&#10;700 Ir, 63\.06%, self 63\.06%, \+18\.02% since/, measure);
    assert.match(svg, /width="756\.76"/, measure);
  }
});

/** main calls a and b, both of them mid, and mid calls leaf. `a`, `b`, `leaf`: what their calls cost; mid costs nothing by itself. */
const shared = (a: number, b: number, leaf = a + b) =>
  [
    `events: Ir\nfn=main\n1 10\ncfn=a\ncalls=1 1\n1 ${a}\ncfn=b\ncalls=1 1\n1 ${b}`,
    `fn=a\n1 0\ncfn=mid\ncalls=1 1\n1 ${a}\nfn=b\n1 0\ncfn=mid\ncalls=1 1\n1 ${b}`,
    `fn=mid\n1 ${a + b - leaf}\ncfn=leaf\ncalls=2 1\n1 ${leaf}\nfn=leaf\n1 ${leaf}\n`,
  ].join('\n');

async function comparedContext(now: string, before: string, more: Partial<ReportContext> = {}): Promise<ReportContext> {
  const profile = compareProfiles(await loadText(callgrind, now), await loadText(callgrind, before), PLAINLY);
  const plain = contextOf(profile);
  return { ...plain, event: eventInMeasure(plain.analysis, plain.event, 'delta'), routine: undefined, width: 80, ...more };
}

test('percentages of a change are of the base', async () => {
  // 1010 before, 1371 now: +361 of 1010 is +35.74 %, and of 1371 +26.33 %.
  const context = await comparedContext(shared(861, 500), shared(500, 500));
  assert.match(await svgOf(context), /<title>main&#10;1,371 Ir, 100\.0%, self 0\.73%, \+35\.74% since/);
  assert.match(await written((write) => tree.write('text', context, '0', write)), /\+361 +\+35\.74% +0 .* main$/m);
  // a costs 361 more than the 500 of the base, and main 361 more than 1010: shares of the parent are of what it was, too.
  const ofParent = await written((write) => tree.write('text', { ...context, percent: 'parent' }, '0', write));
  assert.match(ofParent, /\+361 +\+35\.74% .* {2}a$/m);
  assert.match(ofParent, /\+361 +\+72\.20% .* {4}mid$/m);
});

test('where a routine cost exactly the same, small differences of estimates have no sign', async () => {
  for (const [now, before] of [
    [shared(503, 497), shared(500, 500)],
    [shared(497, 503), shared(500, 500)],
  ]) {
    const context = await comparedContext(now, before);
    const drawn = await written((write) => flame.write('text', context, '0', write));
    const [, , mids, leaves] = drawn.split('\n').filter((line) => line.startsWith('│'));
    // Calls from a and b are exact, and differ by 3 each; how much of leaf is below which of them is an estimate.
    assert.match(mids, /^│\+ mid +│- mid|^│- mid +│\+ mid/);
    assert.match(leaves, /^│≈leaf +│≈leaf/);
    const rows = await written((write) => tree.write('text', context, '0', write));
    assert.match(rows, /^ *\+3 +\+0\.30% .* {4}mid$/m);
    assert.equal(rows.match(/^ *≈0 +0\.00% .* leaf$/gm)?.length, 2);
    const svg = await svgOf(context);
    assert.equal(svg.match(/<title>leaf&#10;≈\d+ Ir, [^<]*, 0\.00% since[^<]*<\/title><rect [^>]* fill="#e9e6dd"/g)?.length, 2);
    const inverted = await written((write) => flame.write('text', { ...context, inverted: true }, '0', write));
    assert.match(inverted, /\n│leaf .*\n│mid\n│≈[ab] +│≈[ab]\n/);
  }
});

test('estimates that differ by more than drift, or of a routine that costs more, keep their sign', async () => {
  for (const [now, before] of [
    [shared(600, 400), shared(500, 500)],
    [shared(500, 500, 900), shared(500, 500, 880)],
  ]) {
    const drawn = await written(async (write) => flame.write('text', await comparedContext(now, before), '0', write));
    assert.match(drawn, /^│[+-] ≈leaf +│[+-] ≈leaf/m);
  }
});

test('a run against itself has no sign', async () => {
  const v1 = await loadProfile([join(FIXTURES, 'compare/v1/shop.callgrind.out.gz')]);
  const again = await loadProfile([join(FIXTURES, 'compare/v1/shop.callgrind.out.gz')]);
  const plain = contextOf(compareProfiles(v1, again, PLAINLY));
  const context = {
    ...plain,
    event: eventInMeasure(plain.analysis, plain.event, 'delta'),
    routine: undefined,
    width: 300,
    threshold: 0.01,
  };
  for (const inverted of [false, true]) {
    const drawn = await written((write) => flame.write('text', { ...context, inverted, threshold: 0 }, '0', write));
    assert.doesNotMatch(drawn, /│[+-]/);
    const svg = await svgOf({ ...context, inverted });
    assert.doesNotMatch(svg, /[+-][\d.]+% since|#a9cdec|#f0806a|#f7bd7c/);
    const rows = await written((write) => tree.write('text', { ...context, inverted }, '0', write));
    assert.doesNotMatch(rows, /^ *≈?[+-][1-9]/m);
  }
});

test('data are the rows of the tree', async () => {
  const context = { ...(await demo()), limit: 50 };
  for (const inverted of [false, true]) {
    const of = (report: typeof flame) =>
      written((write) => report.write('json', { ...context, inverted }, '0', write)).then((t) => t.replace(/"view":"\w+"/, ''));
    assert.equal(await of(flame), await of(tree));
    const csv = (report: typeof flame) => written((write) => report.write('csv', { ...context, inverted }, '0', write));
    assert.equal(await csv(flame), await csv(tree));
  }
});

/** Elements are closed in their order, and what stands between has no bare mark. */
function checkXml(svg: string): void {
  const open: string[] = [];
  const text = svg.replace(/<!\[CDATA\[.*?\]\]>/gs, '');
  for (const [, close, name, , empty] of text.matchAll(/<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)(\/?)>/g)) {
    if (close) assert.equal(open.pop(), name);
    else if (!empty) open.push(name);
  }
  assert.deepEqual(open, []);
  const bare = text.replace(/<\/?[a-z]+(?: [\w:-]+="[^"<]*")*\/?>/g, '').replace(/&(?:amp|lt|gt|quot|#10);/g, '');
  assert.doesNotMatch(bare, /[<&]/);
  assert.doesNotMatch(svg, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\ufffe\uffff]/);
}

test('the SVG is well-formed, and has a tooltip for each box', async () => {
  const svg = await svgOf(await demo());
  checkXml(svg);
  assert.equal(svg.match(/<g\b/g)?.length, svg.match(/<title>/g)?.length);
  assert.match(svg, /<title>_dl_start&#10;1,726,080 Ir, 55\.37%, self 0\.02%&#10;/);
  assert.match(svg, /<script><!\[CDATA\[/);
  assert.doesNotMatch(svg, /href|http:\/\/(?!www\.w3\.org\/2000\/svg)/);
});

/** The script of an SVG with as much of a browser as it needs; returns what a search for the text says, and how many boxes it marks. */
function searchIn(svg: string, text: string): { readonly said: string; readonly marked: number; search(): void } {
  const element = (attributes: Readonly<Record<string, string>> = {}, textContent = '') => {
    const listeners = new Map<string, () => void>();
    return {
      style: { fill: '', display: '' },
      textContent,
      listeners,
      getAttribute: (name: string) => attributes[name] ?? null,
      addEventListener: (name: string, run: () => void) => listeners.set(name, run),
    };
  };
  const attributesOf = (tag: string) => Object.fromEntries(Array.from(tag.matchAll(/([\w-]+)="([^"]*)"/g), ([, k, v]) => [k, v]));
  const groups = Array.from(
    svg.matchAll(/<g( class="f")?><title>([^<]*)<\/title><rect ([^>]*)\/>/g),
    ([, frame, title, rect]) => {
      const inside = new Map([
        [
          'title',
          element({}, title.replaceAll('&#10;', '\n').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')),
        ],
        ['rect', element(attributesOf(rect))],
      ]);
      return { ...element(frame ? { class: 'f' } : {}), querySelector: (name: string) => inside.get(name) ?? null };
    },
  );
  const byId = new Map(['info', 'reset', 'search'].map((id) => [id, element()]));
  const root = { ...element(attributesOf(/<svg [^>]*>/.exec(svg)?.[0] ?? '')), querySelectorAll: () => groups };
  const script = /<!\[CDATA\[(.*)\]\]>/s.exec(svg)?.[1] ?? '';
  const window = { prompt: () => text, addEventListener: () => {} };
  runInNewContext(script, { document: { documentElement: root, getElementById: (id: string) => byId.get(id) }, window });
  const search = () => byId.get('search')?.listeners.get('click')?.();
  search();
  const marked = () => groups.filter((g) => g.querySelector('rect')?.style.fill !== '').length;
  return {
    search,
    get said() {
      return byId.get('info')?.textContent ?? '';
    },
    get marked() {
      return marked();
    },
  };
}

test('the SVG has a size, and its search by expression says the share of what matches, nested frames once', async () => {
  // 1000 in all: a costs 600, of which 200 are in b and 100 in a::c; the other b costs 300, and main itself 100.
  const stacks = 'main;a 300\nmain;a;b 200\nmain;a;a::c 100\nmain;b 300\nmain 100\n';
  const svg = await svgOf({ ...contextOf(await loadText(folded, stacks)), routine: undefined });
  const [, width, height] = /^<svg [^>]*\bwidth="(\d+)" height="(\d+)" viewBox="0 0 \1 \2"/.exec(svg) ?? [];
  assert.ok(Number(width) === 1200 && Number(height) > 3 * 17, `${width} x ${height}`);
  const a = searchIn(svg, '^A');
  assert.deepEqual([a.said, a.marked], ['2 frames match, 60.00% of the total', 2]);
  a.search();
  assert.deepEqual([a.said, a.marked], ['', 0]);
  assert.equal(searchIn(svg, '^(a|b)$').said, '3 frames match, 90.00% of the total');
  assert.equal(searchIn(svg, '::').said, '1 frame matches, 10.00% of the total');
  assert.equal(searchIn(svg, 'nothing').said, '0 frames match, 0.00% of the total');
  assert.equal(searchIn(svg, '(').said, 'not a regular expression');
});

test('names cannot get out of the SVG, whatever they are', async () => {
  const hostile = [
    '</title><script>alert(1)</script>',
    ']]>',
    '"onload="x',
    '&lt;b&amp;',
    'e\u202e\u0007\u001b[31m',
    "a'b",
    'long'.repeat(5000),
    '\ud800',
  ];
  const lines = hostile.map((name, i) => `cfn=${name}\ncalls=1 1\n1 ${100 + i}\n`).join('');
  const own = hostile.map((name, i) => `ob=${name}\nfl=${name}\nfn=${name}\n1 ${100 + i}\n`).join('');
  const profile = await loadText(callgrind, `cmd: ${hostile[0]}\nevents: Ir\nfn=main\n1 10\n${lines}${own}`);
  const svg = await svgOf({ ...contextOf(profile), routine: undefined });
  checkXml(svg);
  assert.equal(svg.match(/<script>/g)?.length, 1);
  assert.equal(svg.match(/\]\]>/g)?.length, 1);
  assert.doesNotMatch(svg, /"onload/);
  assert.ok(svg.length < 200_000);
});

test('a picture has at most about 20,000 boxes, and says what it leaves out', async () => {
  const context = { ...contextOf(fullStacks(6, 6)), routine: undefined, limit: Number.POSITIVE_INFINITY };
  const svg = await svgOf(context);
  const boxes = svg.match(/<g\b/g)?.length ?? 0;
  assert.ok(boxes > 5000 && boxes <= 21_000, `${boxes} boxes`);
  const cut = await svgOf({ ...context, limit: 3 });
  assert.match(cut, /deeper than 3 rows: left out/);
});
