// Names of code that a program made while it ran (Java, Node, .NET, LuaJIT): /tmp/perf-PID.map, one function per line,
// `START SIZE name` in hexadecimal. Source: tools/perf/Documentation/jit-interface.txt of Linux. A later line replaces an earlier one
// at the same addresses, since code is moved and thrown away.
import { dirname } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { firstIndexWhere } from '../../base/lists.ts';
import { lineEnd, nextLineStart } from '../../formats/shared/stream.ts';
import { readRegular } from '../disk/regular.ts';
import { statOf } from '../stat.ts';
import { findObject, type SymbolPaths } from './find-object.ts';

/** Clocks of file systems differ. */
const TOLERANCE_MS = 1000;
const MAX_MAP_BYTES = 512 << 20;
const LINE = /^([0-9a-f]{1,16}) ([0-9a-f]{1,16}) (.+)$/i; // bounded: a line of a file of at most MAX_MAP_BYTES

/**
 * The file of a map: beside the profile, where the user says, or at its own place if it belongs to this user or root and is no newer than
 * the profile, because process ids are used again. undefined: there is none.
 */
export function findPerfMap(path: string, where: SymbolPaths): string | undefined {
  const beside = where.profiles.filter((profile) => profile !== '-').map((profile) => dirname(profile));
  const found = findObject(path, false, { ...where, dirs: [...where.dirs, ...beside] });
  if (found !== path) return found;
  const stat = statOf(path);
  const isOwn = stat !== undefined && (stat.uid === 0 || stat.uid === process.getuid?.());
  const writtenMs = Math.min(...where.profiles.map((profile) => statOf(profile)?.mtimeMs ?? Number.POSITIVE_INFINITY));
  return isOwn && stat.mtimeMs <= writtenMs + TOLERANCE_MS ? found : undefined;
}

/** The names at addresses (ascending); undefined for addresses outside of all functions. A string: why the file cannot be read. */
export function namesInPerfMap(file: string, addresses: readonly bigint[]): (string | undefined)[] | string {
  const bytes = attempt(() => readRegular(file, MAX_MAP_BYTES).bytes);
  if (!bytes) return 'a file that cannot be read';
  const names: (string | undefined)[] = Array.from(addresses, () => undefined);
  for (let from = 0; from < bytes.length; from = nextLineStart(bytes, from)) {
    const [, start, size, name] = LINE.exec(bytes.toString('utf8', from, lineEnd(bytes, from)).trimEnd()) ?? [];
    if (name === undefined) continue;
    const [first, behind] = [BigInt(`0x${start}`), BigInt(`0x${start}`) + BigInt(`0x${size}`)];
    let k = firstIndexWhere(addresses.length, (i) => addresses[i] >= first);
    for (; k < addresses.length && addresses[k] < behind; k++) names[k] = name;
  }
  return names;
}
