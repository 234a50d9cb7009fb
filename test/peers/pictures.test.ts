// Pictures beside those of flamegraph.pl and of `pprof -dot` of Go 1.19: the numbers of every frame, node and edge.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { print, rowsOf, wordsFor } from '../support/coming-from.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';

const FILES = { 'perf.txt': 'folded/perf.folded' };
const FRAME_HEIGHT = 16;
const withoutEntities = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const toNumber = (text: string) => Number(text.replaceAll(',', ''));

test('flamegraph.pl: the cost of every frame, and its share', () => {
  interface Row {
    readonly depth: number;
    readonly routine: string;
    readonly inclusive: { readonly samples: number };
  }
  const svg = readMaybeGz(join(FIXTURES, 'folded/perf.flamegraph.svg')).toString();
  const frames = [...svg.matchAll(/<title>(.*) \(([\d,]+) samples, ([\d.]+)%\)<\/title><rect x="\S+" y="(\d+)"/g)];
  const lowest = Math.max(...frames.map(([, , , , y]) => Number(y)));
  const expected = frames
    .filter(([, name]) => name !== 'all')
    .map(([, name, samples, , y]) => [(lowest - Number(y)) / FRAME_HEIGHT - 1, withoutEntities(name), toNumber(samples)]);
  const words = wordsFor('perf', 'flamegraph.pl');
  const rows = rowsOf<Row>(
    words.filter((word) => word !== '--svg'),
    FILES,
  );
  assert.deepEqual(rows.map(({ depth, routine, inclusive }) => [depth, routine, inclusive.samples]).sort(), expected.sort());
  assert.equal(expected.length, 101);
  // Shares have two places there, and those of wide frames one here.
  const drawn = print(words, FILES).matchAll(/<title>(.*?)&#10;([\d,]+) samples, ([\d.]+)%/g);
  const shares = new Map(frames.map(([, , samples, share]) => [toNumber(samples), Number(share)]));
  let compared = 0;
  for (const [, name, samples, share] of drawn) {
    const places = share.split('.')[1].length;
    assert.equal(Number(share), Number(shares.get(toNumber(samples))?.toFixed(places)), name);
    compared++;
  }
  assert.equal(compared, 101);
});

const WHOLE = 735;
/** The share of all samples, as proftui writes it in the graph. pprof prints times: 10 ms each sample. */
const shareOf = (seconds: string) => `${((Number.parseFloat(seconds) * 10_000) / WHOLE).toFixed(2)}%`;
const withoutMark = (name: string) => name.replace(/ \((?:partial-)?inline\)$/, '');

test('pprof -dot: self and inclusive cost of every node, cost of every edge', () => {
  const theirs = readMaybeGz(join(FIXTURES, 'pprof/printed/dot.txt')).toString();
  const nodes = [...theirs.matchAll(/^N\d+ \[label="(.*?)" id=.* tooltip="(.*) \(\S+s\)" color/gm)].map(([, label, name]) => {
    const [, flat, cum = flat] = /\\n([\d.]+)s?(?: \([\d.]+%\))?(?:(?:\\n| )of ([\d.]+)s(?: \([\d.]+%\)))?$/.exec(label) ?? [];
    return `${withoutMark(name)} ${shareOf(flat)} ${shareOf(cum)}`;
  });
  const edges = [...theirs.matchAll(/^N\d+ -> N\d+ \[label=" ([\d.]+)s.*? tooltip="(.*?) -> (.*?) \(\S+s\)"/gm)];
  const ours = print([...wordsFor('pprof', '`pprof -dot`'), '--threshold', '0'], { 'cpu.pb.gz': 'pprof/cpu.pb.gz' });
  const nameOf = new Map<string, string>();
  const found = [...ours.matchAll(/^ *(n\d+) \[label="(.*)\\nself (\S+), incl\. (\S+)", tooltip="(\S+) /gm)].map(
    ([, id, , self, inclusive, name]) => {
      nameOf.set(id, name);
      return `${name} ${self} ${inclusive}`;
    },
  );
  assert.deepEqual(found.sort(), nodes.sort());
  // proftui also draws calls of a function to itself.
  const calls = [...ours.matchAll(/^ *(n\d+) -> (n\d+) \[label="(\S+)"/gm)].filter(([, from, to]) => from !== to);
  assert.deepEqual(
    calls.map(([, from, to, share]) => `${nameOf.get(from)} → ${nameOf.get(to)} ${share}`).sort(),
    edges.map(([, time, from, to]) => `${withoutMark(from)} → ${withoutMark(to)} ${shareOf(time)}`).sort(),
  );
  assert.deepEqual([nodes.length, edges.length], [228, 290]);
});
