// Symbolizes sampled addresses: finds the object mapped there, its symbols and, with a tool, its lines and inlined functions.
// Objects or symbols that cannot be found are reported in notes; they never stop loading.

import { statSync } from 'node:fs';
import { attempt } from '../../base/attempt.ts';
import { addToList, getOrMake, joinFirstFew } from '../../base/lists.ts';
import { systemReason } from '../../base/problem.ts';
import { plural } from '../../base/units.ts';
import { withoutCloneSuffix, withoutVersion } from '../../model/canonical-name.ts';
import { FrameRows } from '../../model/code-frames.ts';
import type { Sink } from '../../model/sink.ts';
import {
  isPerfMap,
  type Mapping,
  type NamedFrame,
  namesOfJitFrame,
  programOfMappings,
  type Samples,
  SHARED_NAME,
} from '../../model/stacks/samples.ts';
import { demangle } from './demangle.ts';
import { addressOfOffset, type Elf, openElf } from './elf.ts';
import { findBlockingFile, findDebugFile, findObject, hasDebugInfo, type SymbolPaths } from './find-object.ts';
import { readLineCache, writeLineCache } from './line-cache.ts';
import { findLineTool, type LineTool, readAddressLines } from './line-tool.ts';
import { type NamelessReason, namelessWarning } from './nameless.ts';
import { identifierOf } from './names-at.ts';
import { findPerfMap, namesInPerfMap } from './perf-map.ts';
import { findLoadBiases, type RecordedName } from './placing.ts';
import { findStubs } from './plt-stubs.ts';
import { type FoundSymbol, findSymbols, symbolTablesOf } from './symbol-table.ts';
import { type CodeRange, findFunctionRanges } from './unwind-ranges.ts';

/** Receives messages: warnings stay on screen, notes appear in Info. */
type MessageSink = Pick<Sink, 'notes' | 'warn'>;

/** By mapping of an object: the sampled addresses in it. */
type MappedAddresses = ReadonlyMap<Mapping, readonly number[]>;

const PAGE = 4096n;
const MAX_NAMED_OBJECTS = 6;
/** Tolerance in milliseconds, because clocks of machines and file systems differ by seconds. */
const TOLERANCE_MS = 5000;

/** True if the profile names an address, but its object may add a line and inlined functions. */
const canRefine = (samples: Samples, address: number): boolean =>
  samples.mappingOf(address)?.from === 'unknown' &&
  (samples.addresses.low.data[address] !== 0 || samples.addresses.high.data[address] !== 0);

/** Names all addresses of the samples that have no name yet, and adds lines to those that have only a name. */
export async function symbolize(samples: Samples, where: SymbolPaths, messages: MessageSink, signal: AbortSignal): Promise<void> {
  const byObject = new Map<string, { mappings: Map<Mapping, number[]>; main: boolean }>();
  const main = new Set(samples.mappings.map(programOfMappings));
  for (let address = 0; address < samples.addresses.size; address++) {
    if (samples.names[address] && !canRefine(samples, address)) continue;
    const mapping = samples.mappingOf(address);
    if (!mapping?.path || /^\[|^\/\/anon|^\/dev\//.test(mapping.path)) continue;
    const object = getOrMake(byObject, mapping.path, (path) => ({ mappings: new Map(), main: main.has(path) }));
    addToList(object.mappings, mapping, address);
  }
  const tool = findLineTool();
  const missing: string[] = [];
  const lacks = new Map<string, NamelessReason>();
  let wanted = 0;
  for (const [path, { mappings, main: isMain }] of byObject) {
    signal.throwIfAborted();
    const [{ buildId }] = mappings.keys();
    const found = isPerfMap(path) ? findPerfMap(path, where) : findObject(path, isMain, where, buildId);
    if (found === undefined) {
      missing.push(path);
      lacks.set(path, 'missing');
      continue;
    }
    if (isPerfMap(path)) {
      lacks.set(path, nameByMap(samples, found, [...mappings.values()].flat(), messages));
      continue;
    }
    const { lack, needsTool } = await nameObject(samples, path, found, mappings, where, tool, messages, signal);
    lacks.set(path, lack);
    if (needsTool) wanted++;
  }
  const warning = namelessWarning(samples, lacks, where.profiles[0] ?? '');
  if (warning) messages.warn(warning);
  if (missing.length > 0)
    messages.notes.push(
      `not on this machine, so without names: ${joinFirstFew(missing, MAX_NAMED_OBJECTS)} (--binary PATH, --binary OBJECT=PATH, --symbol-path DIR)`,
    );
  if (wanted > 0)
    messages.notes.push('files, lines and inlined functions are missing: install llvm-symbolizer (llvm) or addr2line (binutils)');
}

/** Names the addresses that have no name from a map of code that was made at run time. */
function nameByMap(samples: Samples, file: string, places: readonly number[], messages: MessageSink): NamelessReason {
  const nameless = places.filter((place) => !samples.names[place]).map((place) => ({ place, at: samples.address(place) }));
  nameless.sort((a, b) => (a.at < b.at ? -1 : 1));
  const addresses = nameless.map(({ at }) => at);
  const names = namesInPerfMap(file, addresses);
  if (typeof names === 'string') {
    messages.warn({ path: file, expected: 'a map of functions', found: names });
    return 'unreadable';
  }
  nameless.forEach(({ place }, i) => {
    const name = names[i];
    if (name !== undefined) samples.names[place] = namesOfJitFrame(name).map((own) => ({ name: own, file: null, line: 0 }));
  });
  messages.notes.push(
    `${file} names ${plural(names.filter((name) => name !== undefined).length, 'address')} of ${nameless.length}`,
  );
  return 'stripped';
}

/** Names one object's addresses. Returns why some have no names, and if no installed tool reads its debug information. */
async function nameObject(
  samples: Samples,
  path: string,
  file: string,
  mappings: MappedAddresses,
  where: SymbolPaths,
  tool: LineTool | undefined,
  messages: MessageSink,
  signal: AbortSignal,
): Promise<{ readonly lack: NamelessReason; readonly needsTool: boolean }> {
  const open: Elf[] = [];
  try {
    const elf = openElf(file);
    if (typeof elf === 'string') {
      messages.warn({ path: file, expected: `the object ${path}`, found: `${elf}; its addresses have no names` });
      return { lack: 'unreadable', needsTool: false };
    }
    open.push(elf);
    const doubt = warnIfChanged(elf, file, mappings, where, messages);
    if (doubt === 'no names') return { lack: 'changed', needsTool: false };
    const debug = findDebugFile(elf, file, where.dirs);
    if (typeof debug === 'string') messages.warn({ path: file, expected: 'its debug file', found: debug });
    const separate = typeof debug === 'object' ? debug : undefined;
    if (separate) open.push(separate.elf);
    const biases = await findProcessBiases(samples, separate ? [elf, separate.elf] : [elf], mappings);
    const own = objectAddresses(samples, elf, mappings, biases);
    if (own.size === 0 && [...mappings.keys()].every((m) => m.from === 'unknown')) {
      if (biases.size === 0) return { lack: hasWholeTable(elf) ? 'unplaced' : 'stripped', needsTool: false };
      messages.notes.push(
        `${path}: its functions are not where the profile has them: their names are the profile's, their lines are unknown`,
      );
      return { lack: 'changed', needsTool: false };
    }
    const addresses = Float64Array.from(new Set(own.values())).sort();
    const rangeOf = findUnnamedRanges(samples, elf, own);
    const symbols = await findAddressSymbols(elf, separate?.elf, addresses, rangeOf);
    const withLines = hasDebugInfo(elf) ? { elf, path: file } : separate && hasDebugInfo(separate.elf) ? separate : undefined;
    const blocking =
      findBlockingFile(elf, file, where.dirs) ?? (separate && findBlockingFile(separate.elf, separate.path, where.dirs));
    if (blocking !== undefined)
      messages.warn({ path: file, expected: 'a debug file', found: `${blocking}, which is no regular file: lines are not read` });
    const { frames, wrong, said } =
      withLines && tool && blocking === undefined
        ? await lookUpFrames(tool, withLines.path, elf.buildId, [...symbols.keys()], signal)
        : { frames: new FrameRows() };
    if (withLines && wrong !== undefined) messages.warn({ path: withLines.path, expected: 'files and lines', found: wrong });
    if (said !== undefined) messages.notes.push(`${path}: ${said}`);
    for (const [index, address] of own) {
      samples.ownAddress.set(index, BigInt(address));
      const recordedName = samples.names[index]?.at(-1)?.name;
      const names = combineFrames(symbolIfNamed(symbols.get(address), recordedName), frames.framesAt(address));
      const range = rangeOf.get(address);
      if (range?.isTrampoline) samples.trampolines.add(index);
      if (names) samples.names[index] = names;
      else if (range) samples.starts.set(index, BigInt(range.start));
    }
    const named = [...symbols.values()].filter((s) => s !== undefined).length;
    const bounded = [...symbols].filter(([address, s]) => s === undefined && rangeOf.has(address)).length;
    const lines = !withLines ? ', no debug information' : tool && frames.leafOf.size > 0 ? `, lines by ${tool.name}` : '';
    messages.notes.push(
      `${path}: ${named} of ${plural(symbols.size, 'address')} named${file === path ? '' : ` from ${file}`}` +
        `${bounded > 0 ? `, ${bounded} more by function, from .eh_frame` : ''}${separate ? `, debug file ${separate.path}` : ''}${lines}`,
    );
    return { lack: doubt ? 'changed' : 'stripped', needsTool: withLines !== undefined && tool === undefined };
  } catch (error) {
    if (signal.aborted) throw error;
    messages.warn({ path: file, expected: `the object ${path}`, found: `${systemReason(error)}; its addresses have no names` });
    return { lack: 'unreadable', needsTool: false };
  } finally {
    for (const elf of open) elf.bytes.close();
  }
}

/** Warns if the object is not the one that ran. Of another build, it gives no names, unless the user wants them. */
function warnIfChanged(elf: Elf, file: string, mappings: MappedAddresses, where: SymbolPaths, messages: MessageSink) {
  const otherBuild = otherBuildReason(elf, mappings);
  const reason = otherBuild ?? changeReason(elf, file, mappings, where);
  if (!reason) return undefined;
  const expected = 'the object that was profiled';
  if (!otherBuild || where.anyway) {
    messages.warn({ path: file, expected, found: `${reason}: names and lines may be wrong`, sign: 'OBJECT CHANGED' });
    return 'doubtful';
  }
  const help = '--symbol-path DIR or --binary PATH gives the right one, --symbols-anyway takes this';
  messages.warn({ path: file, expected, found: `${reason}: it gives no names (${help})` });
  return 'no names';
}

const hasWholeTable = (elf: Elf): boolean => symbolTablesOf(elf).some(({ isWhole }) => isWhole);

/** The extent of the function at each address that the profile does not name. */
function findUnnamedRanges(samples: Samples, elf: Elf, own: ReadonlyMap<number, number>): ReadonlyMap<number, CodeRange> {
  const nameless = Float64Array.from(new Set([...own].flatMap(([place, a]) => (samples.names[place] ? [] : [a])))).sort();
  return new Map(findFunctionRanges(elf, nameless).flatMap((range, i) => (range ? [[nameless[i], range] as const] : [])));
}

/** Symbols of addresses (ascending), from the object or its debug file; for a PLT stub, the function that it calls. */
async function findAddressSymbols(
  elf: Elf,
  debug: Elf | undefined,
  addresses: Float64Array,
  rangeOf: ReadonlyMap<number, CodeRange>,
): Promise<ReadonlyMap<number, FoundSymbol | undefined>> {
  const first = await findSymbols(elf, addresses);
  const second = debug ? await findSymbols(debug, addresses) : [];
  // A symbol without a size does not extend into a function that starts after it.
  const fits = (symbol: FoundSymbol | undefined, i: number) =>
    symbol && (symbol.sized || symbol.start >= (rangeOf.get(addresses[i])?.start ?? 0)) ? symbol : undefined;
  const out = new Map(Array.from(addresses, (a, i) => [a, fits(first[i], i) ?? fits(second[i], i)]));
  const nameless = [...out].flatMap(([address, symbol]) => (symbol ? [] : [address]));
  for (const [address, { name, start }] of await findStubs(elf, nameless))
    out.set(address, { name, names: [name], start, sized: true });
  return out;
}

/** The object's own addresses by index of sampled addresses. Addresses outside of every segment are omitted. */
function objectAddresses(samples: Samples, elf: Elf, mappings: MappedAddresses, biases: ReadonlyMap<Mapping, number>) {
  const out = new Map<number, number>();
  for (const [mapping, places] of mappings) {
    const bias = mapping.from === 'begin' ? -lowestAddress(elf) : biases.get(mapping);
    if (mapping.from === 'unknown' && !Number.isFinite(bias)) continue;
    for (const index of places) {
      const address =
        bias === undefined
          ? addressOfOffset(elf, Number(samples.address(index) - mapping.start + mapping.offset))
          : codeAddress(elf, Number(samples.address(index)) - bias);
      if (address !== undefined && address < Number.MAX_SAFE_INTEGER) out.set(index, address);
    }
  }
  return out;
}

/** The object's lowest segment address, rounded down to a page. */
const lowestAddress = ({ segments }: Elf): number =>
  Math.floor(segments.reduce((least, s) => Math.min(least, s.address), Number.MAX_SAFE_INTEGER) / Number(PAGE)) * Number(PAGE);

const codeAddress = (elf: Elf, address: number): number | undefined =>
  elf.segments.some((s) => s.executable && address >= s.address && address < s.address + s.bytes) ? address : undefined;

/** The load bias of the object in each process that does not record it. */
function findProcessBiases(samples: Samples, elfs: readonly Elf[], mappings: MappedAddresses) {
  const recordedNames = new Map<Mapping, RecordedName[]>();
  for (const [mapping, places] of mappings) {
    if (mapping.from !== 'unknown') continue;
    const names = places.flatMap((index): RecordedName[] => {
      const name = samples.names[index]?.at(-1)?.name;
      return name === undefined ? [] : [{ address: Number(samples.address(index)), name }];
    });
    recordedNames.set(mapping, names);
  }
  return recordedNames.size > 0 ? findLoadBiases(elfs, recordedNames) : new Map<Mapping, number>();
}

/** The symbol, unless its name differs from the recorded one: tables without local functions have neighbours' names there. */
function symbolIfNamed(symbol: FoundSymbol | undefined, recordedName: string | undefined): FoundSymbol | undefined {
  const identifier = recordedName === undefined || !symbol ? undefined : identifierOf(recordedName);
  return identifier === undefined || symbol?.names.some((name) => name.includes(identifier)) ? symbol : undefined;
}

/** The tool's frames. The outermost function gets the symbol's name, whose parameters distinguish overloads. */
function combineFrames(symbol: FoundSymbol | undefined, toolFrames: readonly NamedFrame[] | undefined): NamedFrame[] | undefined {
  const name = symbol === undefined ? undefined : demangle(symbol.name);
  const useful = toolFrames?.filter((f, i) => f.file !== null || (f.name !== '' && i < toolFrames.length - 1)) ?? [];
  if (useful.length === 0) return name === undefined ? undefined : [{ name, file: null, line: 0 }];
  const last = useful.length - 1;
  const frames = useful.map((f, i) => {
    const shown = (i === last ? outermostName(f.name, symbol) : demangle(f.name)) || name || '';
    const home = symbol && SHARED_NAME.test(shown) ? { home: symbol.start } : {};
    return { ...f, name: shown, ...home };
  });
  return frames.some((f) => f.name === '') ? undefined : frames;
}

/**
 * The name of the function that was not inlined. Debug information without a linkage name lacks the arguments, so the
 * symbol's name is preferred then. Compiler clones of a C function (name.part.0, name.cold) count as the function. Among
 * aliases, the plainest name wins (free, not cfree).
 */
function outermostName(toolName: string, symbol: FoundSymbol | undefined): string {
  if (toolName === '') return symbol === undefined ? '' : demangle(symbol.name);
  if (symbol !== undefined && /^_Z/.test(symbol.name) && !/^_Z/.test(toolName)) return demangle(symbol.name);
  // Some releases of llvm-symbolizer keep the version: name@GLIBC_2.2.5.
  const plain = withoutVersion(toolName);
  const best = symbol?.names.includes(plain) && !/^_Z/.test(plain) ? symbol.name : plain;
  return demangle(withoutCloneSuffix(best));
}

/** Frames of addresses, cached or from the tool, and why some are missing. `heard`: progress. Rejects only with AbortError. */
export async function lookUpFrames(
  tool: LineTool,
  path: string,
  buildId: string | null,
  addresses: readonly number[],
  signal: AbortSignal,
  onProgress?: (known: number) => void,
): Promise<{ readonly frames: FrameRows; readonly wrong?: string | undefined; readonly said?: string | undefined }> {
  const asked = { path, buildId, tool: tool.name };
  const frames = readLineCache(asked);
  const wanted = addresses.filter((a) => !frames.leafOf.has(a));
  if (wanted.length === 0) return { frames };
  const cached = frames.leafOf.size;
  const { wrong, said } = await readAddressLines(tool, path, wanted, frames, signal, () => onProgress?.(frames.leafOf.size));
  if (wrong === undefined) writeLineCache(asked, frames);
  return { frames, wrong: cached > 0 ? undefined : wrong, said };
}

/** Undefined if the build IDs are equal, or one of them is unknown. */
function otherBuildReason({ buildId }: Elf, mappings: MappedAddresses): string | undefined {
  const ran = [...mappings.keys()].find((mapping) => mapping.buildId !== undefined)?.buildId?.toLowerCase();
  return buildId === null || ran === undefined || ran === buildId ? undefined : `its build ID is ${buildId}, not ${ran}`;
}

/** Why the file is not the one that ran; undefined if it may be. Without build IDs, sizes and times are compared. */
function changeReason(elf: Elf, file: string, mappings: MappedAddresses, where: SymbolPaths): string | undefined {
  for (const mapping of mappings.keys()) {
    if (mapping.buildId !== undefined && elf.buildId !== null) return undefined;
    if (mapping.from) continue;
    if (mapping.offset >= BigInt(elf.bytes.size)) return 'it is smaller than what was mapped';
    if (!mapping.executable) continue;
    const down = (n: number) => (BigInt(n) / PAGE) * PAGE;
    const fits = elf.segments.some(
      (s) => s.executable && mapping.offset >= down(s.offset) && mapping.offset < BigInt(s.offset + s.bytes),
    );
    if (!fits) return 'its code is elsewhere in the file';
    const home = elf.segments.find((s) => s.executable && down(s.offset) === mapping.offset);
    const pages = home && down(home.offset + home.bytes + Number(PAGE) - 1) - mapping.offset;
    // Larger pages round up further; a smaller mapping may cover only part of the segment.
    if (pages !== undefined && mapping.end - mapping.start > pages + 0x1ffff0n) return 'its code is smaller than what was mapped';
  }
  // A profile read from a pipe has no modification time.
  const isNewer = attempt(() => {
    const made = statSync(file).mtimeMs;
    return where.profiles.some((p) => p !== '-' && made > statSync(p).mtimeMs + TOLERANCE_MS);
  }, false);
  return isNewer ? 'it is newer than the profile' : undefined;
}
