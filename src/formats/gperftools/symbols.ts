// Reads the text at the start of a symbolized raw profile (`pprof --raw`), which names each address without any binaries:
//   --- symbol
//   binary=./program
//   0x00005563bed942c4 crunch(unsigned long, int)<000000000000129d>--weigh
//   ---
//   --- profile
// Inlined functions follow their callers, separated by `--`. Functions of one name have their start in angle brackets.
// In this text and in the records after it, 1 has already been subtracted from the addresses of callers.
// These profiles have neither a trailer nor a map list.
import type { NamedFrame } from '../../model/stacks/samples.ts';

/** Reads the symbol text line by line. */
export class SymbolLines {
  binary: string | null = null;
  /** By address, as `high * 2^32 + low` in a bigint: its functions. */
  readonly names = new Map<bigint, readonly NamedFrame[]>();

  /** Reads a line and returns the number of functions that it names; stops after `most` + 1. */
  read(text: string, most: number): number {
    const line = text.trim();
    if (line.startsWith(BINARY_LINE_START)) this.binary = line.slice(BINARY_LINE_START.length).trimStart();
    const m = /^(0x[0-9a-f]{1,16})\s+([\s\S]+)$/i.exec(line); // bounded: the last part takes whatever follows
    if (!m) return 0;
    // `--` is a separator, except in `operator--`.
    const frames = m[2]
      .split(/(?<!operator)--/, most + 1)
      .map((name) => ({ name: name.replace(/<(?:[0-9a-f]{8}|[0-9a-f]{16})>$/, '') || m[1], file: null, line: 0 }));
    this.names.set(BigInt(m[1]), frames.reverse());
    return frames.length;
  }
}

const BINARY_LINE_START = 'binary=';
