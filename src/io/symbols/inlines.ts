// The functions inlined at the instructions of a Callgrind profile, from the debug information of its objects. Callgrind records addresses as
// the object's own symbol table has them, whatever it was loaded at, and no build ID: so an object is the one that ran if the lines
// recorded at its addresses are those that its debug information has there.
import { existsSync } from 'node:fs';
import { plural } from '../../base/units.ts';
import { type CodeFrames, FrameRows, type Inlines } from '../../model/code-frames.ts';
import { distrust, instructionsAt } from '../code-text.ts';
import { objectFile, type SourcePlaces } from '../sources/source-text.ts';
import { blockingFile, findDebugFile, hasLines } from './debug-files.ts';
import { demangleAll } from './demangle.ts';
import { type Elf, fileBytes, readElf } from './elf.ts';
import type { SymbolPlaces } from './find-object.ts';
import { type LineTool, lineTools } from './line-tool.ts';
import { linesOf } from './symbolize.ts';

/** The instructions of an object; src/analysis makes it. */
export interface ObjectAddresses {
  /** Its number in the profile, and its recorded path. */
  readonly object: number;
  readonly path: string;
  /** It is the profiled program itself. */
  readonly isMain: boolean;
  /** Ascending, with the line recorded at each; 0 is unknown. */
  readonly address: Float64Array;
  readonly line: Uint32Array;
}

export interface FoundInlines {
  readonly inlines: Inlines;
  /** Why objects stay as they were recorded. */
  readonly why: readonly string[];
}

/** At most one line in this many may differ: of equal places in a table of lines, tools choose differently. */
const DIFFERENT = 20;
/** Fewer lines say nothing. */
const ENOUGH = 8;
/** From so many addresses on, the faster tool is asked first. */
const MANY = 100_000;
/** Addresses that are disassembled where no lines were recorded. */
const MOST_LOOKED_AT = 2000;

/**
 * Asks for the functions at the addresses of all objects. `asked`: of any object; otherwise only of trusted ones. `progress` gets how many
 * addresses are known. Rejects with AbortError only.
 */
export async function readInlines(
  objects: readonly ObjectAddresses[],
  places: SourcePlaces,
  symbols: Omit<SymbolPlaces, 'profiles'>,
  asked: boolean,
  signal: AbortSignal,
  progress: (known: number, all: number) => void = () => {},
): Promise<FoundInlines> {
  const tools = lineTools();
  if (tools.length === 0)
    return { inlines: new Map(), why: ['install llvm-symbolizer (llvm) or addr2line (binutils): they read debug information'] };
  const inlines = new Map<number, CodeFrames>();
  const why: string[] = [];
  const all = objects.reduce((sum, { address }) => sum + address.length, 0);
  let before = 0;
  for (const wanted of objects) {
    signal.throwIfAborted();
    if (/^(\?\?\?)?$/.test(wanted.path)) continue;
    const path = objectFile(wanted.path, wanted.isMain, places, symbols);
    const from = before;
    before += wanted.address.length;
    const found = await framesOf(tools, path, wanted, symbols, asked, signal, (known) => progress(from + known, all));
    if (typeof found === 'object') inlines.set(wanted.object, found);
    else if (found !== '') why.push(`${path}: ${found}`);
  }
  if (inlines.size === 0 && why.length === 0) why.push('no object has debug information: compile with -g');
  return { inlines, why };
}

/** The functions at an object's addresses; or why it has none, '' where that is usual: a library without debug information. */
async function framesOf(
  tools: readonly LineTool[],
  path: string,
  wanted: ObjectAddresses,
  symbols: Omit<SymbolPlaces, 'profiles'>,
  asked: boolean,
  signal: AbortSignal,
  heard: (known: number) => void,
): Promise<CodeFrames | string> {
  if (!existsSync(path)) return wanted.isMain ? 'not found (--binary PATH, --symbol-path DIR or --path-map FROM=TO)' : '';
  const doubted = asked ? undefined : distrust(path, wanted.path, symbols);
  if (doubted !== undefined) return `it ${doubted}`;
  const open: Elf[] = [];
  try {
    const bytes = fileBytes(path);
    const elf = readElf(bytes);
    if (typeof elf === 'string') {
      bytes.close();
      return elf;
    }
    open.push(elf);
    const debug = findDebugFile(elf, path, symbols.dirs);
    if (typeof debug === 'object') open.push(debug.elf);
    const lined = hasLines(elf) ? path : typeof debug === 'object' && hasLines(debug.elf) ? debug.path : undefined;
    if (lined === undefined)
      return typeof debug === 'string' ? debug : wanted.isMain ? 'no debug information: compile with -g' : '';
    const blocking = blockingFile(elf, path, symbols.dirs) ?? blockingFile(elf, lined, symbols.dirs);
    if (blocking !== undefined) return `${blocking} is no regular file`;
    const { frames, wrong } = await askTools(tools, lined, elf.buildId, Array.from(wanted.address), signal, heard);
    const why = wrong ?? (await misfit(path, wanted, frames));
    if (why !== undefined) return why;
    const names = await demangleAll(frames.texts, signal);
    return frames.done((name) => names.get(name) ?? name);
  } catch (error) {
    if (signal.aborted) throw error;
    return error instanceof Error ? error.message : String(error);
  } finally {
    for (const elf of open) elf.bytes.close();
  }
}

/** The answer of the first tool that finds inlined functions, else of the last: addr2line does not read debug information in a file of its own. */
async function askTools(
  tools: readonly LineTool[],
  path: string,
  buildId: string | null,
  addresses: readonly number[],
  signal: AbortSignal,
  heard: (known: number) => void,
) {
  let answer: Awaited<ReturnType<typeof linesOf>> = { frames: new FrameRows(), wrong: 'no tool can read it' };
  // The two differ at the first instructions of some ranges. People compare with addr2line; of many addresses, llvm-symbolizer takes a third of the time.
  for (const tool of addresses.length > MANY ? tools : tools.toReversed()) {
    answer = await linesOf(tool, path, buildId, addresses, signal, heard);
    if (answer.frames.parent.done().some((parent) => parent >= 0)) break;
  }
  return answer;
}

/** Why the object is not the one that ran; undefined if it seems to be. */
async function misfit(path: string, { address, line }: ObjectAddresses, frames: FrameRows): Promise<string | undefined> {
  let [compared, different] = [0, 0];
  for (let k = 0; k < address.length; k++) {
    const leaf = frames.leafOf.get(address[k]);
    const here = leaf === undefined ? 0 : frames.line.data[leaf];
    if (line[k] === 0 || here === 0) continue;
    compared++;
    if (line[k] !== here) different++;
  }
  if (compared >= ENOUGH)
    return different * DIFFERENT > compared
      ? `rebuilt since: ${((100 * different) / compared).toFixed(1)}% of ${plural(compared, 'recorded line')} differ from its debug information`
      : undefined;
  const found = await instructionsAt(path, Array.from(address.subarray(0, MOST_LOOKED_AT), BigInt));
  return typeof found === 'string' ? found : undefined;
}
