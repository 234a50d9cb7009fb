// The call graph in DOT beside that of `go tool pprof` of Go 1.19: the numbers of every node and of every edge.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { print, wordsFor } from '../support/coming-from.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';

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
