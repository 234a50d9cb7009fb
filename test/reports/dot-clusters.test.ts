// Frames around the routines of a file or object in the graph for Graphviz.
import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import test from 'node:test';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { runWarm } from '../support/warm.ts';

const FILE = existing(join(FIXTURES, 'callgrind/default.callgrind.out'));
const dotOf = (...args: string[]) => runWarm([FILE, '--print', 'dot', ...args]).out;

test('each routine stands once, in the frame of its object or file, and edges are the same', () => {
  const plain = dotOf('--threshold', '1');
  const nodesIn = (text: string) => text.split('\n').filter((line) => /^ {2}n\d+ \[/.test(line));
  for (const key of ['object', 'file']) {
    const framed = dotOf('--threshold', '1', '--cluster', key);
    assert.deepEqual(nodesIn(framed).sort(), nodesIn(plain).sort());
    assert.deepEqual(
      framed.split('\n').filter((l) => l.includes('->')),
      plain.split('\n').filter((l) => l.includes('->')),
    );
    const frames = framed
      .split('  subgraph cluster_')
      .slice(1)
      .map((text) => text.split('\n  }')[0]);
    assert.ok(frames.length > 1);
    for (const frame of frames) {
      const name = /label="([^"]*)"/.exec(frame)?.[1] ?? '';
      for (const node of nodesIn(frame)) {
        const [, file, object] = /tooltip="[^"]* {2}(\S+) {2}\[(\S+)\]"/.exec(node) ?? [];
        // Tooltips have short forms of recorded paths.
        if (file !== undefined) assert.ok(name.endsWith(key === 'object' ? object : basename(file)), node);
      }
    }
  }
});

test('a frame is for graphs only, and a depth there for a routine only', () => {
  const { code, err } = runWarm([FILE, '--print', 'routines', '--cluster', 'file']);
  assert.equal(code, 2);
  assert.match(err, /--cluster: routines does not use it; views that do: graph, dot/);
  const whole = runWarm([FILE, '--print', 'dot', '--depth', '3']);
  assert.equal(whole.code, 2);
  assert.match(whole.err, /--depth goes with --routine in dot/);
  assert.match(dotOf('--depth', '3', '--routine', 'main'), /^digraph/);
});
