// --tag-root of threads and parts. Expected costs are the totals: lines of the files, read line by line, and what a file of a
// thread says alone.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../../src/analysis/answers/analysis.ts';
import { childrenOf, openTree } from '../../../src/analysis/answers/tree.ts';
import { routineName } from '../../../src/analysis/names/names.ts';
import { transformProfile } from '../../../src/analysis/profiles/transforms/apply.ts';
import { parseTransform } from '../../../src/analysis/profiles/transforms/transform.ts';
import { callgrind } from '../../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../../src/io/load.ts';
import { checkProfile } from '../../../src/model/check.ts';
import { exactValue } from '../../../src/model/head.ts';
import type { Profile } from '../../../src/model/profile.ts';
import { existing, FIXTURES, readMaybeGz } from '../../support/fixtures.ts';
import { shop } from '../../support/inlined.ts';
import { loadText } from '../../support/load.ts';

const at = (name: string) => existing(join(FIXTURES, 'callgrind', name));

function applied(profile: Profile, ...texts: string[]): Analysis {
  const now = transformProfile(profile, texts.map(parseTransform));
  assert.deepEqual(checkProfile(now), []);
  return analyse(now, now.events);
}

interface Total {
  readonly thread: string;
  readonly costs: ReadonlyMap<string, bigint>;
}

/** The parts of files, by their lines thread:, events: and totals:. */
function totalsIn(paths: readonly string[]): Total[] {
  const out: Total[] = [];
  for (const path of paths) {
    let [thread, events] = ['?', [''] as string[]];
    for (const line of readMaybeGz(path).toString('latin1').split('\n')) {
      const [, key, value] = /^(thread|events|totals|part): (.*)$/.exec(line) ?? [];
      if (key === 'part') thread = '?';
      if (key === 'thread') thread = value;
      if (key === 'events') events = value.split(' ');
      if (key !== 'totals') continue;
      const costs = value.split(' ').map(BigInt);
      out.push({ thread, costs: new Map(events.map((event, i) => [event, costs[i] ?? 0n])) });
    }
  }
  return out;
}

/** By name of the root and event. */
function sumsBy(totals: readonly Total[], nameOf: (total: Total, at: number) => string): Map<string, bigint> {
  const out = new Map<string, bigint>();
  totals.forEach((total, i) => {
    for (const [event, cost] of total.costs) {
      const key = `${nameOf(total, i)} ${event}`;
      out.set(key, (out.get(key) ?? 0n) + cost);
    }
  });
  return new Map([...out].filter(([, cost]) => cost !== 0n).sort());
}

/** What the routines of that name cost with their callees; none of them has a cost of its own, and nothing of it is an estimate. */
function inclusives({ profile, totals }: Analysis, name: RegExp): Map<string, bigint> {
  const out = new Map<string, bigint>();
  profile.routines.name.forEach((_, r) => {
    const shown = routineName(profile, r);
    if (!name.test(shown)) return;
    assert.notEqual(totals.estimated?.inclusive[r], 1, shown);
    for (const event of profile.events.filter((e) => e.formula === undefined)) {
      assert.equal(BigInt(exactValue(event, totals.self, r)), 0n);
      const cost = BigInt(exactValue(event, totals.inclusive, r));
      if (cost !== 0n) out.set(`${shown} ${event.name}`, cost);
    }
  });
  return new Map([...out].sort());
}

/** The roots of the tree, which Tree, Flame and exports are made of. */
function roots(analysis: Analysis): Map<string, bigint> {
  const out = new Map<string, bigint>();
  for (const event of analysis.profile.events.filter((e) => e.formula === undefined)) {
    const tree = openTree(analysis.costing.tree(false), false, event);
    for (const id of tree.roots) {
      const node = tree.nodes[id];
      const sum = exactValue(
        event,
        Array.from(node.inclusive, (cost) => [cost]),
        0,
      );
      if (BigInt(sum) === 0n) continue;
      assert.equal(node.estimated, false);
      out.set(`${routineName(analysis.profile, node.routine)} ${event.name}`, BigInt(sum));
      const below = childrenOf(tree, id, event).map((child) => tree.nodes[child].inclusive);
      assert.equal(
        below.reduce(
          (all, costs) =>
            all +
            BigInt(
              exactValue(
                event,
                Array.from(costs, (cost) => [cost]),
                0,
              ),
            ),
          0n,
        ),
        BigInt(sum),
      );
    }
  }
  return new Map([...out].sort());
}

const FILES: readonly (readonly string[])[] = [
  ['combined-threads.callgrind.out'],
  ['combined-threads-parts.callgrind.out'],
  ['many-parts.callgrind.out'],
  ['partial-calls.callgrind.out'],
  ['threads.callgrind.out-01', 'threads.callgrind.out-02', 'threads.callgrind.out-03'],
  ['edge/v18-parts.callgrind.out'],
  ['edge/v19-parts-of-threads-share-ids.callgrind.out'],
];

for (const names of FILES)
  test(`threads and parts as roots: ${names[0]}`, async () => {
    const paths = names.map(at);
    const profile = await loadProfile(paths);
    const totals = totalsIn(paths);
    assert.equal(totals.length, profile.parts.length);
    assert.ok(totals.length > 1);
    const byPart = sumsBy(totals, (_, i) => `part ${i + 1}`);
    const parts = applied(profile, 'tag-root=part');
    assert.deepEqual(inclusives(parts, /^part \d+$/), byPart);
    assert.deepEqual(roots(parts), byPart);
    if (totals.every(({ thread }) => thread === '?')) {
      assert.throws(() => applied(profile, 'tag-root=thread'), /thread; the profile has part$/);
      return;
    }
    const byThread = sumsBy(totals, ({ thread }) => `thread ${thread}`);
    const threads = applied(profile, 'tag-root=thread');
    assert.deepEqual(inclusives(threads, /^thread /), byThread);
    assert.deepEqual(roots(threads), byThread);
    const both = applied(profile, 'tag-root=thread,part');
    assert.deepEqual(roots(both), byThread, 'the first key is outermost');
    assert.deepEqual(inclusives(both, /^(thread|part) [\d?]+$/), new Map([...byPart, ...byThread].sort()));
  });

/** Self costs by routine. */
function selves({ profile, totals }: Analysis): Map<string, number> {
  const out = new Map<string, number>();
  profile.routines.name.forEach((_, r) => {
    const cost = totals.self[0][r];
    if (cost === 0) return;
    assert.notEqual(totals.estimated?.self[r], 1);
    const name = routineName(profile, r);
    out.set(name, (out.get(name) ?? 0) + cost);
  });
  return new Map([...out].sort());
}

test('a focus on a thread is what its own file says', async () => {
  const names = ['-01', '-02', '-03'].map((end) => at(`threads.callgrind.out${end}`));
  const all = await loadProfile(names);
  const own = await Promise.all(names.map((name) => loadProfile([name])));
  for (const [i, profile] of own.entries()) {
    const alone = selves(analyse(profile, profile.events));
    assert.deepEqual(selves(applied(all, 'tag-root=thread', `focus=^thread ${i + 1}$`)), alone);
    assert.deepEqual(selves(applied(all, 'tag-root=thread', `show-from=^thread ${i + 1}$`)), alone);
    const others = [1, 2, 3].filter((n) => n !== i + 1).join('');
    assert.deepEqual(selves(applied(all, 'tag-root=thread', `ignore=^thread [${others}]$`)), alone);
    assert.deepEqual(selves(applied(all, 'tag-root=thread,part', `focus=^part ${i + 1}$`)), alone);
  }
});

test('threads above inlined functions, in parts that do not balance', async () => {
  const profile = await shop('v1');
  const { parts, spans, lines } = profile;
  // Every other span is of another thread: calls of the one are made by routines of the other.
  const part = spans.part.map((_, s) => s % 2);
  const threads = parts.flatMap((p) => [1, 2].map((thread) => ({ ...p, thread })));
  const split = { ...profile, parts: threads, spans: { ...spans, part } };
  const own = [0, 0];
  for (let s = 0; s < part.length; s++)
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) own[part[s]] += lines.costs[0][i];
  for (const first of [[], ['inlined']]) {
    const { profile: now, totals } = applied(split, ...first, 'tag-root=thread');
    assert.equal(now.kind === 'callgraph' && now.nodes !== undefined, first.length > 0);
    const cost = (name: string) => totals.inclusive[0][now.routines.name.findIndex((_, r) => routineName(now, r) === name)];
    assert.deepEqual([cost('thread 1'), cost('thread 2')], own);
    assert.equal(totals.total[0][0], own[0] + own[1]);
  }
});

test('threads of perf script are roots of its stacks', async () => {
  const path = join(FIXTURES, 'perf-script/header.perf.gz');
  const byThread = new Map<string, bigint>();
  for (const line of readMaybeGz(path).toString().split('\n')) {
    const [, tid, period, event] = /^\S+\s+\d+\/(\d+)\s+[\d.]+:\s+(\d+)\s+(\S+):/.exec(line) ?? [];
    const key = `thread ${tid} ${event}`;
    if (tid) byThread.set(key, (byThread.get(key) ?? 0n) + BigInt(period));
  }
  const threads = transformProfile(await loadProfile([path]), [parseTransform('tag-root=thread')]);
  assert.deepEqual(checkProfile(threads), []);
  const found = roots(analyse(threads, threads.events));
  const recorded = [...found].filter(([key]) => byThread.has(key));
  assert.ok(byThread.size > 4);
  assert.deepEqual(new Map(recorded), new Map([...byThread].sort()));
});

test('tag-root says why it cannot be: one part, no calls, tag-leaf', async () => {
  const one = await loadProfile([at('default.callgrind.out')]);
  assert.throws(() => applied(one, 'tag-root=thread'), /tag-root needs several threads or parts with calls/);
  const flat = await loadText(callgrind, 'events: Ir\npart: 1\nfn=a\n1 5\n\npart: 2\nfn=a\n1 7\n');
  assert.throws(() => applied(flat, 'tag-root=part'), /tag-root needs several threads or parts with calls/);
  const threads = await loadProfile([at('combined-threads.callgrind.out')]);
  assert.throws(() => applied(threads, 'tag-leaf=thread'), /tag-leaf needs samples with labels/);
});
