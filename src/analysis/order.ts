// Row orders. Numbers by radix sort (a million rows in some 30 ms, where a comparing sort takes a second), text by its bytes.
import type { Strings } from '../model/strings.ts';

/** The sizes of the values where some are negative: in the difference of two runs, what changed most comes first. */
export function magnitudes(values: ArrayLike<number>): ArrayLike<number> {
  for (let i = 0; i < values.length; i++) if (values[i]! < 0) return Float64Array.from(values, Math.abs);
  return values;
}

/** Rows 0 .. n-1 by the value of `key`, equal ones in the order of `among` (all rows if absent); stable. */
export function orderByNumber(key: ArrayLike<number>, descending: boolean, among?: Uint32Array): Uint32Array {
  const n = among ? among.length : key.length;
  const rows = new Uint32Array(n);
  const low = new Uint32Array(n);
  let whole = true;
  for (let i = 0; i < n; i++) {
    const row = among ? among[i]! : i;
    const value = key[row]!;
    rows[i] = row;
    low[i] = value;
    if (low[i] !== value) {
      whole = false;
      break;
    }
  }
  if (whole) return radix(rows, flipped(low, descending));
  // Doubles: as two halves that compare as unsigned numbers, the lower half first.
  const values = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    rows[i] = among ? among[i]! : i;
    values[i] = key[rows[i]!]! + 0;
  }
  const halves = new Uint32Array(values.buffer);
  const high = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    const h = halves[2 * i + 1]!;
    // All bits of negative values are flipped, the sign of the others.
    low[i] = h & 0x80000000 ? ~halves[2 * i]! : halves[2 * i]!;
    high[i] = h & 0x80000000 ? ~h : h | 0x80000000;
  }
  const places = Uint32Array.from(rows.keys());
  const byLow = radix(places, flipped(low, descending));
  const order = radix(
    byLow,
    flipped(
      byLow.map((i) => high[i]!),
      descending,
    ),
  );
  return order.map((i) => rows[i]!);
}

function flipped(keys: Uint32Array, descending: boolean): Uint32Array {
  if (descending) for (let i = 0; i < keys.length; i++) keys[i] = ~keys[i]!;
  return keys;
}

/** Rows by their keys, which lie beside them and are moved with them: reading both in order is what makes it fast. */
function radix(rows: Uint32Array, keys: Uint32Array): Uint32Array {
  const n = rows.length;
  let spareRows: Uint32Array = new Uint32Array(n);
  let spareKeys: Uint32Array = new Uint32Array(n);
  const count = new Uint32Array(65537);
  for (const shift of [0, 16]) {
    count.fill(0);
    for (let i = 0; i < n; i++) count[((keys[i]! >>> shift) & 0xffff) + 1]!++;
    if (n > 0 && count[((keys[0]! >>> shift) & 0xffff) + 1] === n) continue;
    for (let d = 0; d < 65536; d++) count[d + 1]! += count[d]!;
    for (let i = 0; i < n; i++) {
      const key = keys[i]!;
      const to = count[(key >>> shift) & 0xffff]!++;
      spareRows[to] = rows[i]!;
      spareKeys[to] = key;
    }
    [rows, spareRows] = [spareRows, rows];
    [keys, spareKeys] = [spareKeys, keys];
  }
  return rows;
}

/** Rows by the string of each (-1: none, which comes first), by bytes; equal ones in the order of `among`; stable both ways. */
export function orderByString(
  strings: Strings,
  idOf: (row: number) => number,
  rows: number,
  descending: boolean,
  among?: Uint32Array,
): Uint32Array {
  const used = new Uint8Array(strings.start.length);
  for (let row = 0; row < rows; row++) used[idOf(row) + 1] = 1;
  const ids: number[] = [];
  for (let i = 1; i < used.length; i++) if (used[i]) ids.push(i - 1);
  const place = new Uint32Array(used.length);
  sortStrings(strings, Uint32Array.from(ids)).forEach((id, i) => {
    place[id + 1] = i + 1;
  });
  const keys = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) keys[row] = place[idOf(row) + 1]!;
  return orderByNumber(keys, descending, among);
}

/** Runs shorter than this are sorted by comparing. */
const SHORT = 12;
/** Words of 27 bits and places below this fit the 53 bits of a double. */
const INDEX = 2 ** 26;

/**
 * Ids of different strings by their bytes. Runs of strings that begin alike are split by their next three bytes, packed with
 * their place into doubles, which the engine sorts fast; what a whole run has in common is skipped at once.
 */
export function sortStrings({ bytes, start }: Strings, ids: Uint32Array): Uint32Array {
  const runs: [from: number, to: number, depth: number][] = [[0, ids.length, 0]];
  const packed = new Float64Array(ids.length);
  const spare = new Uint32Array(packed.length);
  const word = (id: number, depth: number) => {
    const at = start[id]! + depth;
    const left = start[id + 1]! - at;
    // One more than the byte, so that the end of a string comes before all bytes: three bytes and the end fit 32 bits.
    const [a, b, c] = [left > 0 ? bytes[at]! + 1 : 0, left > 1 ? bytes[at + 1]! + 1 : 0, left > 2 ? bytes[at + 2]! + 1 : 0];
    return (a * 512 + b) * 512 + c;
  };
  const common = (from: number, to: number, depth: number) => {
    const first = start[ids[from]!]! + depth;
    let most = start[ids[from]! + 1]! - first;
    for (let i = from + 1; i < to && most > 0; i++) {
      const at = start[ids[i]!]! + depth;
      const end = Math.min(most, start[ids[i]! + 1]! - at);
      let k = 0;
      while (k < end && bytes[first + k] === bytes[at + k]) k++;
      most = k;
    }
    return depth + most;
  };
  const before = (a: number, b: number, depth: number) => {
    const length = Math.min(start[a + 1]! - start[a]!, start[b + 1]! - start[b]!);
    for (let k = depth; k < length; k++) {
      const d = bytes[start[a]! + k]! - bytes[start[b]! + k]!;
      if (d !== 0) return d < 0;
    }
    return start[a + 1]! - start[a]! < start[b + 1]! - start[b]!;
  };
  for (let run = runs.pop(); run; run = runs.pop()) {
    const [from, to] = run;
    if (to - from < SHORT) {
      for (let i = from + 1; i < to; i++) {
        const id = ids[i]!;
        let k = i;
        while (k > from && before(id, ids[k - 1]!, run[2])) {
          ids[k] = ids[k - 1]!;
          k--;
        }
        ids[k] = id;
      }
      continue;
    }
    const depth = common(from, to, run[2]);
    const n = to - from;
    for (let i = 0; i < n; i++) {
      spare[i] = ids[from + i]!;
      packed[i] = word(spare[i]!, depth) * INDEX + i;
    }
    packed.subarray(0, n).sort();
    let begin = 0;
    let key = -1;
    for (let i = 0; i <= n; i++) {
      const k = i < n ? Math.floor(packed[i]! / INDEX) : -2;
      if (k !== key) {
        // A word that ends is a whole string: there is only one of it.
        if (i - begin > 1) runs.push([from + begin, from + i, depth + 3]);
        begin = i;
        key = k;
      }
      if (i < n) ids[from + i] = spare[packed[i]! - k * INDEX]!;
    }
  }
  return ids;
}
