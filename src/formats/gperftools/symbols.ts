// The text at the start of a symbolized raw profile (`pprof --raw`): a name for each address, so that no binaries are needed.
//   --- symbol
//   binary=./program
//   0x00005563bed942c4 crunch(unsigned long, int)<000000000000129d>--weigh
//   ---
//   --- profile
// Inlined functions follow their callers, separated by `--`. google-pprof tells namesakes apart by the start address of their
// code in angle brackets. 1 has already been subtracted from callers' addresses, here and in the records that follow, which
// have neither a trailer nor a map list.
import type { NamedFrame } from '../../model/stacks/samples.ts';

export interface SymbolText {
  readonly binary: string | null;
  /** By address, as `high * 2^32 + low` in a bigint. */
  readonly names: ReadonlyMap<bigint, readonly NamedFrame[]>;
}

export function parseSymbols(text: string): SymbolText {
  const names = new Map<bigint, readonly NamedFrame[]>();
  let binary: string | null = null;
  for (const line of text.split('\n')) {
    const b = /^\s*binary=(.*?)\s*$/.exec(line);
    if (b) binary = b[1];
    const m = /^\s*(0x[0-9a-f]{1,16})\s+(\S.*?)\s*$/i.exec(line);
    if (!m) continue;
    // `--` is a separator, except in `operator--`.
    const frames = m[2].split(/(?<!operator)--/).map((name) => ({
      name: name.replace(/<(?:[0-9a-f]{8}|[0-9a-f]{16})>$/, '') || m[1],
      file: null,
      line: 0,
    }));
    names.set(BigInt(m[1]), frames.reverse());
  }
  return { binary, names };
}
