// The text of a routine's instructions from its object, if that object is the one that ran as far as the profile lets one know:
// the recorded addresses begin instructions, and the symbol there has the routine's name. Callgrind records no build ID.
import { existsSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { CodeText } from '../base/code-text.ts';
import { isBelow } from '../base/paths.ts';
import { disassemble, type Range } from './objdump.ts';
import { isNewer, objectFile, type SourcePlaces } from './sources/source-text.ts';
import type { SymbolPlaces } from './symbols/find-object.ts';
import { nameDiffers } from './symbols/names-at.ts';

/** The wanted code; src/analysis makes it. */
export interface CodeRequest {
  readonly object: string;
  readonly isMain: boolean;
  readonly symbol: string | undefined;
  readonly addresses: readonly bigint[];
}

type Symbols = Omit<SymbolPlaces, 'profiles'>;

/** Pieces of a routine further apart than this are disassembled one by one: compilers move cold code far away. */
const APART = 4096n;
const MOST_PIECES = 16;
/** Among the recorded addresses, at most one in this many may be no instruction: code jumps over prefixes such as `lock`. */
const MISFITS = 20;
/** This many instructions fit other code by chance less than once in a million times, whatever a symbol is called there. */
const ENOUGH = 16;

/** The text, or why there is none. `asked`: the user asked for it; otherwise only trusted objects are read. */
export async function readCode(
  wanted: CodeRequest,
  places: SourcePlaces,
  symbols: Symbols,
  asked: boolean,
): Promise<CodeText | string> {
  if (/^(\?\?\?)?$/.test(wanted.object)) return 'the profile does not say which object the code is in';
  const path = objectFile(wanted.object, wanted.isMain, places, symbols);
  try {
    return await readFrom(path, wanted, places, symbols, asked);
  } catch (error) {
    return `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function readFrom(
  path: string,
  wanted: CodeRequest,
  places: SourcePlaces,
  symbols: Symbols,
  asked: boolean,
): Promise<CodeText | string> {
  if (!existsSync(path)) return `object ${path} not found (--binary PATH, --symbol-path DIR or --path-map FROM=TO)`;
  const doubted = asked ? undefined : distrust(path, wanted.object, symbols);
  if (doubted !== undefined) return `${path} ${doubted}; d disassembles it`;
  const differs = wanted.symbol === undefined ? undefined : await nameDiffers(path, wanted.symbol, wanted.addresses[0]);
  const found = await instructionsAt(path, wanted.addresses);
  if (typeof found === 'string') return found;
  const { instructions, among } = found;
  // The name may be one of several for the same code, of which the object's own table lacks some.
  if (differs !== undefined && among < ENOUGH) return `${path} has ${differs} at these addresses: it may have been rebuilt`;
  const newer = isNewer(statSync(path).mtimeMs, places.profiles);
  const doubt = newer ? `${path} is newer than the profile: code may differ` : undefined;
  return { path, instructions, doubt: doubt ?? (differs === undefined ? undefined : `the symbol here is ${differs}`) };
}

/** The instructions around addresses (ascending) and how many of these were looked for; or why they cannot be those that ran. */
export async function instructionsAt(path: string, addresses: readonly bigint[]) {
  const ranges = rangesOf(addresses);
  const instructions = await disassemble(path, ranges.slice(0, MOST_PIECES));
  if (typeof instructions === 'string') return instructions;
  const end = ranges[Math.min(ranges.length, MOST_PIECES) - 1][1];
  const among = addresses.filter((a) => a <= end);
  const misfits = among.filter((a) => !instructions.has(`0x${a.toString(16)}`)).length;
  if (misfits * MISFITS > among.length)
    return `${path} was rebuilt since: ${misfits} of ${among.length} recorded addresses do not start an instruction there`;
  return { instructions, among: among.length };
}

function rangesOf(addresses: readonly bigint[]): Range[] {
  const out: [bigint, bigint][] = [];
  for (const a of addresses) {
    const last = out.at(-1);
    if (last && a - last[1] <= APART) last[1] = a;
    else out.push([a, a]);
  }
  return out;
}

/**
 * A profile may come from anyone and name any file. Trusted is what the user named by --binary, --symbol-path or --path-map, and
 * what lies exactly where the profile says, belongs to the user or to root, and cannot be written by everyone. Why an object is not, as the
 * rest of a sentence about it; undefined if it is.
 */
export function distrust(path: string, object: string, symbols: Symbols): string | undefined {
  const inside = (folder: string) => isBelow(folder, path);
  if (symbols.binaries.some(([, to]) => to === path)) return undefined;
  if (symbols.dirs.some(inside) || symbols.maps.some(([, to]) => inside(to))) return undefined;
  if (path !== object || !isAbsolute(path)) return 'is not where the profile says';
  const { uid, mode } = statSync(path);
  if (uid !== 0 && uid !== process.getuid?.()) return 'belongs to another user';
  return (mode & 0o002) === 0 ? undefined : 'can be written by all users';
}
