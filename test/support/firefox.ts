// A reader of processed profiles of the Firefox Profiler for tests, by the published description alone: slow, and strict.
import assert from 'node:assert/strict';

export interface Tally {
  total: number;
  readonly self: Map<string, number>;
  readonly inclusive: Map<string, number>;
}

type Column = readonly (number | null)[];
interface Tables {
  readonly stackTable: { length: number; frame: Column; prefix?: Column; prefixOffset?: Column };
  readonly frameTable: { length: number; func: Column; inlineDepth: Column; line: Column };
  readonly funcTable: { length: number; name: Column; resource: Column };
  readonly resourceTable: { length: number };
  readonly stringArray: readonly string[];
}
interface Thread extends Partial<Tables> {
  readonly name: string;
  readonly samples: { length: number; stack: Column; time?: Column; timeDeltas?: Column; weight: Column | null };
}
export interface Processed {
  readonly meta: { readonly preprocessedProfileVersion: number };
  readonly shared?: Tables;
  readonly threads: readonly Thread[];
}

const add = (sums: Map<string, number>, key: string, value: number) => sums.set(key, (sums.get(key) ?? 0) + value);

/** Weights by function. Fails where a column has not the length of its table, or an index is not in its table. */
export function tallied({ threads, shared }: Processed): Tally {
  const out: Tally = { total: 0, self: new Map(), inclusive: new Map() };
  for (const thread of threads) {
    const tables = (thread.stackTable ? thread : shared) as Tables;
    for (const name of ['stackTable', 'frameTable', 'funcTable', 'resourceTable'] as const)
      for (const [column, values] of Object.entries(tables[name]))
        if (Array.isArray(values)) assert.equal(values.length, tables[name].length, `${name}.${column}`);
    const { stackTable, frameTable, funcTable, stringArray } = tables;
    const { samples } = thread;
    let before = Number.NEGATIVE_INFINITY;
    for (let s = 0; s < samples.length; s++) {
      const time = samples.time?.[s];
      if (typeof time === 'number') {
        assert.ok(time >= before, 'samples are in order of time');
        before = time;
      }
      let stack = samples.stack[s];
      if (stack === null) continue;
      const weight = samples.weight?.[s] ?? 1;
      out.total += weight;
      const seen = new Set<string>();
      for (let isLeaf = true; stack !== null; isLeaf = false) {
        const frame: number | null = stackTable.frame[stack] ?? null;
        assert.ok(frame !== null && frame < frameTable.length);
        const func: number | null = frameTable.func[frame];
        assert.ok(func !== null && func < funcTable.length);
        const name: string = stringArray[funcTable.name[func] ?? -1];
        assert.equal(typeof name, 'string');
        if (isLeaf) add(out.self, name, weight);
        if (!seen.has(name)) add(out.inclusive, name, weight);
        seen.add(name);
        const distance: number | null | undefined = stackTable.prefixOffset?.[stack];
        const prefix: number | null =
          distance === undefined ? (stackTable.prefix?.[stack] ?? null) : distance ? stack - distance : null;
        assert.ok(prefix === null || prefix < stack, 'a prefix comes before its stack');
        stack = prefix;
      }
    }
  }
  return out;
}
