// Finds inlined functions at the instructions of a Callgrind profile, from debug information.
// Callgrind records symbol-table addresses but no build ID, so an object is accepted if its line numbers match the recorded ones.
import { existsSync } from 'node:fs';
import { plural } from '../../base/units.ts';
import { type CodeFrames, FrameRows, type ObjectAddresses } from '../../model/code-frames.ts';
import { distrustReason, instructionsAt } from '../code-text.ts';
import { findObjectFile, type SourcePaths } from '../sources/source-text.ts';
import { demangleAll } from './demangle.ts';
import { type Elf, openElf } from './elf.ts';
import { findBlockingFile, findDebugFile, hasDebugInfo, type SymbolOptions } from './find-object.ts';
import { installedLineTools, type LineTool } from './line-tool.ts';
import { lookUpFrames } from './symbolize.ts';

/** At most one in this many lines may differ, since tools choose differently among equal entries of a line table. */
const MISMATCH_RATIO = 20;
const MIN_COMPARED_LINES = 8;
/** With at least this many addresses, the faster tool is tried first. */
const MANY_ADDRESSES = 100_000;
const MAX_DISASSEMBLED = 2000;

/**
 * Reads the functions at the addresses of all objects; `why`: why some have none. `asked`: from any object; otherwise only from trusted ones.
 * `progress` is called with the number of known addresses. Rejects only with AbortError.
 */
export async function readInlines(
  objects: readonly ObjectAddresses[],
  places: SourcePaths,
  symbols: SymbolOptions,
  asked: boolean,
  signal: AbortSignal,
  progress: (known: number, all: number) => void = () => {},
) {
  const tools = installedLineTools();
  const inlines = new Map<number, CodeFrames>();
  const why: string[] = [];
  if (tools.length === 0)
    return { inlines, why: ['install llvm-symbolizer (llvm) or addr2line (binutils): they read debug information'] };
  const all = objects.reduce((sum, { address }) => sum + address.length, 0);
  let before = 0;
  for (const wanted of objects) {
    signal.throwIfAborted();
    if (/^(\?\?\?)?$/.test(wanted.path)) continue;
    const path = findObjectFile(wanted.path, wanted.isMain, places, symbols);
    const from = before;
    before += wanted.address.length;
    const found = await readObjectFrames(tools, path, wanted, symbols, asked, signal, (known) => progress(from + known, all));
    if (typeof found === 'object') inlines.set(wanted.object, found);
    else if (found !== '') why.push(`${path}: ${found}`);
  }
  if (inlines.size === 0 && why.length === 0) why.push('no object has debug information: compile with -g');
  return { inlines, why };
}

/** The functions at an object's addresses, or why there are none; '' if that is usual (a library without debug information). */
async function readObjectFrames(
  tools: readonly LineTool[],
  path: string,
  wanted: ObjectAddresses,
  symbols: SymbolOptions,
  asked: boolean,
  signal: AbortSignal,
  onProgress: (known: number) => void,
): Promise<CodeFrames | string> {
  if (!existsSync(path)) return wanted.isMain ? 'not found (--binary PATH, --symbol-path DIR or --path-map FROM=TO)' : '';
  const distrusted = asked ? undefined : distrustReason(path, wanted.path, symbols);
  if (distrusted !== undefined) return `it ${distrusted}`;
  const open: Elf[] = [];
  try {
    const elf = openElf(path);
    if (typeof elf === 'string') return elf;
    open.push(elf);
    const debug = findDebugFile(elf, path, symbols.dirs);
    if (typeof debug === 'object') open.push(debug.elf);
    const linesPath = hasDebugInfo(elf) ? path : typeof debug === 'object' && hasDebugInfo(debug.elf) ? debug.path : undefined;
    if (linesPath === undefined)
      return typeof debug === 'string' ? debug : wanted.isMain ? 'no debug information: compile with -g' : '';
    const blocking = findBlockingFile(elf, path, symbols.dirs) ?? findBlockingFile(elf, linesPath, symbols.dirs);
    if (blocking !== undefined) return `${blocking} is no regular file`;
    const ask = (tool: LineTool) => lookUpFrames(tool, linesPath, elf.buildId, Array.from(wanted.address), signal, onProgress);
    // Tools differ at the start of some ranges. People compare with addr2line; llvm-symbolizer takes a third of its time.
    const { frames, wrong } = await askLineTools(wanted.address.length > MANY_ADDRESSES ? tools : tools.toReversed(), ask);
    const why = wrong ?? (await mismatchReason(path, wanted, frames));
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

/** The answer of the first tool that finds inlined functions, else of the last. addr2line cannot read separate debug files. */
async function askLineTools(tools: readonly LineTool[], ask: (tool: LineTool) => ReturnType<typeof lookUpFrames>) {
  let answer: Awaited<ReturnType<typeof lookUpFrames>> = { frames: new FrameRows(), wrong: 'no tool can read it' };
  for (const tool of tools) {
    answer = await ask(tool);
    if (answer.frames.parent.done().some((parent) => parent >= 0)) break;
  }
  return answer;
}

/** Why the object is not the one that ran; undefined if it probably is. */
async function mismatchReason(path: string, { address, line }: ObjectAddresses, frames: FrameRows): Promise<string | undefined> {
  let [compared, different] = [0, 0];
  for (let k = 0; k < address.length; k++) {
    const leaf = frames.leafOf.get(address[k]);
    const here = leaf === undefined ? 0 : frames.line.data[leaf];
    if (line[k] === 0 || here === 0) continue;
    compared++;
    if (line[k] !== here) different++;
  }
  if (compared >= MIN_COMPARED_LINES)
    return different * MISMATCH_RATIO > compared
      ? `rebuilt since: ${((100 * different) / compared).toFixed(1)}% of ${plural(compared, 'recorded line')} differ from its debug information`
      : undefined;
  const found = await instructionsAt(path, Array.from(address.subarray(0, MAX_DISASSEMBLED), BigInt));
  return typeof found === 'string' ? found : undefined;
}
