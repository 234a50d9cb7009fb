// Call sites by line: on every fixture with calls, one row a caller, callee, file and line, and nothing lost.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { mergeAddresses } from '../../src/analysis/answers/line-calls.ts';
import { FormatError } from '../../src/base/problem.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadAnalysis } from '../support/load.ts';
import { longest } from '../support/long.ts';

const isAnalysis = (it: unknown): it is Analysis => typeof it === 'object' && it !== null && 'costing' in it;

for (const format of ['callgrind', 'gperftools', 'aprof']) {
  const folder = join(FIXTURES, format);
  for (const name of readdirSync(folder).filter((n) => /^callgrind\.out|\.out(\.gz)?$|\.prof|\.aprof/.test(n)))
    test(`${format}/${name}: a row per caller, callee and line`, async () => {
      const loaded = await loadAnalysis(join(folder, name)).catch((error: unknown) => error);
      // Some fixtures are broken on purpose.
      if (loaded instanceof FormatError) return;
      assert.ok(isAnalysis(loaded));
      const { costing, events } = loaded;
      const sites = costing.callSites('all');
      if (!sites) return;
      const merged = mergeAddresses(sites);
      const key = (s: typeof sites, i: number) => `${s.caller[i]} ${s.callee[i]} ${s.file[i]} ${s.line[i]}`;
      const keys = Array.from(merged.caller, (_, i) => key(merged, i));
      assert.equal(new Set(keys).size, keys.length);
      const wanted = new Map<string, { count: number; costs: number[]; at: Set<string>; spread: boolean }>();
      for (let i = 0; i < sites.caller.length; i++) {
        const k = key(sites, i);
        const sum = wanted.get(k) ?? { count: 0, costs: sites.costs.map(() => 0), at: new Set(), spread: false };
        wanted.set(k, sum);
        sum.count += sites.count[i];
        sites.costs.forEach((column, c) => {
          sum.costs[c] += column[i];
        });
        sum.at.add(`${sites.high?.[i]} ${sites.low?.[i]}`);
        if (sites.spread?.[i]) sum.spread = true;
      }
      assert.ok(events.length > 0);
      keys.forEach((k, i) => {
        const sum = wanted.get(k);
        assert.deepEqual([merged.count[i], ...merged.costs.map((column) => column[i])], [sum?.count, ...(sum?.costs ?? [])], k);
        assert.equal(merged.spread?.[i] === 1, (sum?.at.size ?? 0) > 1 || sum?.spread, k);
      });
      assert.equal(keys.length, wanted.size);
    });
}

// 2^21 lines with two calls each: numbers of lines and callees no longer fit into the bits of one double side by side.
longest('calls from millions of lines stay apart', () => {
  const n = 2 ** 22 + 8;
  const none = new Uint32Array(n);
  const count = new Float64Array(n).fill(1);
  const sites = {
    caller: none,
    callee: Uint32Array.from({ length: n }, (_, i) => i & 1),
    file: new Int32Array(n),
    line: Uint32Array.from({ length: n }, (_, i) => i >> 1),
    high: none,
    low: none,
    count,
    costs: [count],
  };
  assert.equal(mergeAddresses(sites).caller.length, n);
});
