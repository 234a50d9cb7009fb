// Disassembles a routine from its object file, if that file is probably the one that ran, since Callgrind records no build ID.
// The recorded addresses must be starts of instructions, and the symbol there must have the routine's name.
// objdump is not safe for hostile files, so it reads only trusted objects, or what the user asks for.
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isPathBelow } from '../base/paths.ts';
import type { CodeRequest, CodeText, Syntax } from '../base/source-text.ts';
import { endOf, findProgram, startProgram } from './programs.ts';
import { findObjectFile, isNewerThanProfile, type SourcePaths } from './sources/source-text.ts';
import { statOf } from './stat.ts';
import type { SymbolOptions } from './symbols/find-object.ts';
import { findDifferingName } from './symbols/names-at.ts';

/** Parts of a routine that are further apart are disassembled separately, since compilers move cold code far away. */
const MAX_GAP_BYTES = 4096n;
const MAX_PIECES = 16;
/** At most one in this many recorded addresses may be inside an instruction: code jumps over prefixes such as `lock`. */
const MISFIT_RATIO = 20;
/** If at least this many instructions fit, the object is accepted even if its symbol has another name. */
const ENOUGH_INSTRUCTIONS = 16;

/** The disassembly, or why there is none. `asked`: the user asked for it; otherwise only trusted objects are read. */
export async function readCode(
  wanted: CodeRequest,
  places: SourcePaths,
  symbols: SymbolOptions,
  asked: boolean,
  syntax: Syntax,
): Promise<CodeText | string> {
  if (/^(\?\?\?)?$/.test(wanted.object)) return 'the profile does not say which object the code is in';
  const path = findObjectFile(wanted.object, wanted.isMain, places, symbols);
  try {
    if (!existsSync(path)) return `object ${path} not found (--binary PATH, --symbol-path DIR or --path-map FROM=TO)`;
    const distrusted = asked ? undefined : distrustReason(path, wanted.object, symbols);
    if (distrusted !== undefined) return `${path} ${distrusted}; o has 'disassemble'`;
    const differs = wanted.symbol === undefined ? undefined : await findDifferingName(path, wanted.symbol, wanted.addresses[0]);
    const found = await instructionsAt(path, wanted.addresses, syntax);
    if (typeof found === 'string') return found;
    const { instructions, bytes, said, among } = found;
    // The profile may use another name for the code, one that the object's symbol table lacks.
    if (differs !== undefined && among < ENOUGH_INSTRUCTIONS)
      return `${path} has ${differs} at these addresses: it may have been rebuilt`;
    const newer = isNewerThanProfile(statOf(path)?.mtimeMs ?? 0, places.profiles);
    const doubt = newer ? `${path} is newer than the profile: code may differ` : undefined;
    return { instructions, bytes, doubt: doubt ?? (differs === undefined ? said : `the symbol here is ${differs}`) };
  } catch (error) {
    return `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The instructions around ascending addresses, what objdump said, and the count compared; or why this object did not run. */
export async function instructionsAt(path: string, addresses: readonly bigint[], syntax: Syntax = 'att') {
  const ranges = groupIntoRanges(addresses);
  const found = await disassemble(path, ranges.slice(0, MAX_PIECES), syntax);
  if (typeof found === 'string') return found;
  const { instructions, bytes, said } = found;
  const end = ranges[Math.min(ranges.length, MAX_PIECES) - 1][1];
  const compared = addresses.filter((a) => a <= end);
  const misfits = compared.filter((a) => !instructions.has(`0x${a.toString(16)}`)).length;
  if (misfits * MISFIT_RATIO > compared.length)
    return `${path} was rebuilt since: ${misfits} of ${compared.length} recorded addresses do not start an instruction there`;
  return { instructions, bytes, said, among: compared.length };
}

function groupIntoRanges(addresses: readonly bigint[]): AddressRange[] {
  const out: [bigint, bigint][] = [];
  for (const a of addresses) {
    const last = out.at(-1);
    if (last && a - last[1] <= MAX_GAP_BYTES) last[1] = a;
    else out.push([a, a]);
  }
  return out;
}

/**
 * The reason why an object is not trusted, as the end of a sentence; undefined if it is. A profile may name any file.
 * Trusted are paths given by --binary, --symbol-path or --path-map. Also trusted: the recorded path itself, if it belongs
 * to the user or root and not everyone can write to it.
 */
export function distrustReason(path: string, object: string, symbols: SymbolOptions): string | undefined {
  const inside = (folder: string) => isPathBelow(folder, path);
  if (symbols.binaries.some(([, to]) => to === path)) return undefined;
  if (symbols.dirs.some(inside) || symbols.maps.some(([, to]) => inside(to))) return undefined;
  if (path !== object || !isAbsolute(path)) return 'is not where the profile says';
  const stat = statOf(path);
  if (!stat) return 'cannot be read';
  const { uid, mode } = stat;
  if (uid !== 0 && uid !== process.getuid?.()) return 'belongs to another user';
  return (mode & 0o002) === 0 ? undefined : 'can be written by all users';
}

/** First and last address of a range of code, both inclusive. */
type AddressRange = readonly [from: bigint, to: bigint];

const TIMEOUT_MS = 20_000;
/** Maximum address space of objdump, which reads whole sections of large objects into memory. */
const MAX_MEMORY_BYTES = 4 * 2 ** 30;
/** Maximum length of an instruction, because objdump needs the end of the last instruction. */
const MAX_INSTRUCTION_BYTES = 16n;

/**
 * Disassembles ranges of an object file, one after the other: instruction texts and bytes by address, and the first line of what objdump
 * complained of meanwhile. Returns why there are no instructions. Never throws.
 */
async function disassemble(object: string, ranges: readonly AddressRange[], syntax: Syntax) {
  const dumped = { instructions: new Map<string, string>(), bytes: new Map<string, string>() };
  let said: string | undefined;
  for (const range of ranges) {
    const ended = await disassembleRange(object, range, syntax, dumped);
    if (ended.failed) return ended.said;
    said ??= ended.said || undefined;
  }
  return dumped.instructions.size > 0 ? { ...dumped, said } : `${object} has no code at these addresses`;
}

/** Adds the instructions of a range to `out`, and their bytes to `bytes`, by address (`0x…`). Returns whether it failed, and what objdump said, '' for nothing. */
async function disassembleRange(
  object: string,
  [from, to]: AddressRange,
  syntax: Syntax,
  { instructions: out, bytes }: Readonly<Record<'instructions' | 'bytes', Map<string, string>>>,
): Promise<{ readonly failed: boolean; readonly said: string }> {
  const range = [`--start-address=0x${from.toString(16)}`, `--stop-address=0x${(to + MAX_INSTRUCTION_BYTES).toString(16)}`];
  const style = syntax === 'intel' ? ['-M', 'intel'] : [];
  // All bytes of an instruction stay on its line.
  const args = ['-d', '-C', `--insn-width=${MAX_INSTRUCTION_BYTES}`, ...style, ...range, '--', object];
  const objdump = findProgram('objdump');
  if (objdump === undefined) return { failed: true, said: 'objdump is not installed' };
  const child = startProgram(objdump, args, { timeout: TIMEOUT_MS, memoryBytes: MAX_MEMORY_BYTES });
  child.stdin.end();
  let rest = '';
  child.stdout.on('data', (d: Buffer) => {
    const lines = (rest + d.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [place, code = '', ...texts] = line.split('\t');
      const text = texts.join(' ').replace(/\s+/g, ' ').trim();
      const m = /^\s*([0-9a-f]+):$/.exec(place);
      if (!m || text === '') continue;
      const address = '0x' + m[1].replace(/^0+(?=.)/, '');
      bytes.set(address, code.trim());
      out.set(address, text);
    }
  });
  const { code, said } = await endOf(child);
  const failed = code === undefined || (code !== 0 && out.size === 0);
  const [first = ''] = said.trim().split('\n');
  return { failed, said: failed || first !== '' ? `objdump: ${first || `exit ${code}`}` : '' };
}
