// Symbols of an object file: whatever the file says, its readers throw nothing, take no time, and what they say makes sense.
import { demangle } from '../src/io/symbols/demangle.ts';
import { addressOfOffset, type Elf, type FileBytes, readElf, segmentAt } from '../src/io/symbols/elf.ts';
import { findLoadBiases } from '../src/io/symbols/placing.ts';
import { findStubs } from '../src/io/symbols/plt-stubs.ts';
import { findSymbols } from '../src/io/symbols/symbol-table.ts';
import { findFunctionRanges } from '../src/io/symbols/unwind-ranges.ts';
import type { Plan } from './plan.ts';
import { Random } from './random.ts';
import type { Steps } from './steps.ts';

/** As strict as reading a file is: no negative length, no place that is not a whole number. */
function strictBytes(data: Uint8Array): FileBytes {
  return {
    size: data.length,
    read(offset, length) {
      if (!(offset >= 0) || offset >= data.length) return new Uint8Array(0);
      const out = new Uint8Array(Math.min(length, data.length - offset));
      if (!Number.isSafeInteger(offset)) throw new RangeError(`read from ${offset}`);
      out.set(data.subarray(offset, offset + out.length));
      return out;
    },
    close() {},
  };
}

/** Addresses where something may be: ascending, each once. */
function addressesIn(elf: Elf, random: Random): Float64Array {
  const out = new Set<number>([0, 0x10000, 0x10040, 0x10041, 0x100c4, 0x10100, 2 ** 32, 2 ** 48]);
  for (const { address, bytes } of [...elf.sections.slice(0, 60), ...elf.segments.slice(0, 20)])
    for (const at of [0, 1, random.below(bytes), random.below(bytes), bytes - 1]) out.add(address + at);
  return Float64Array.from(out)
    .filter((a) => a >= 0 && a < Number.MAX_SAFE_INTEGER)
    .sort();
}

export async function checkElf(data: Uint8Array, plan: Plan, steps: Steps): Promise<void> {
  const elf = await steps.run('headers', () => readElf(strictBytes(data)));
  if (typeof elf !== 'object') return;
  steps.loaded = true;
  const addresses = addressesIn(elf, new Random(plan.seed));
  const wrong = (step: string, cause: string, detail: unknown) =>
    steps.fail({ kind: 'invariant', step, cause, detail: JSON.stringify(detail)?.slice(0, 500) ?? '' });
  const symbols = await steps.run('symbols', () => findSymbols(elf, addresses));
  symbols?.forEach((symbol, i) => {
    if (symbol && !(symbol.start <= addresses[i])) wrong('symbols', 'a symbol that starts after the address', symbol);
    if (symbol && symbol.name === '') wrong('symbols', 'a symbol without a name', symbol);
  });
  const ranges = await steps.run('ranges', () => findFunctionRanges(elf, addresses));
  ranges?.forEach((range, i) => {
    if (range && !(range.start <= addresses[i] && addresses[i] < range.end))
      wrong('ranges', 'a range beside its address', [range, addresses[i]]);
  });
  await steps.run('stubs', () => findStubs(elf, addresses));
  await steps.run('names', () => {
    for (const symbol of new Set(symbols)) if (symbol) demangle(symbol.name);
  });
  const base = plan.seed.length * 0x1000;
  const said = Array.from(addresses.subarray(0, 200), (address, i) => ({
    address: address + base,
    name: demangle(symbols?.[i]?.name ?? 'function_of_nobody'),
  }));
  const biases = await steps.run('placing', () => findLoadBiases([elf], new Map([[0, said]])));
  for (const bias of biases?.values() ?? [])
    if (bias % 0x1000 !== 0) wrong('placing', 'an object that begins within a page', bias);
  await steps.run('offsets', () => {
    for (const address of addresses) {
      const home = segmentAt(elf, address);
      if (home) addressOfOffset(elf, address - home.address + home.offset);
    }
  });
}
