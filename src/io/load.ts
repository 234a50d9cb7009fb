// Loads files into a profile: detection, loader and checks. Runs in the worker or on the main thread.

import { dirname } from 'node:path';
import { attempt } from '../base/attempt.ts';
import type { Limits } from '../base/limits.ts';
import { FormatError } from '../base/problem.ts';
import { loaders } from '../formats/index.ts';
import { finishProfile, type Loader } from '../formats/loader.ts';
import { addBuildOutput, readBuildOutput } from '../formats/shared/build-output.ts';
import { recognizeUnsupported } from '../formats/unsupported.ts';
import { type Profile, questionsOf } from '../model/profile.ts';
import { type Preview, Sink } from '../model/sink.ts';
import { isPerfMap } from '../model/stacks/samples.ts';
import { AddressStackWriter } from '../model/stacks/writer.ts';
import { StepWriter } from '../model/steps/writer.ts';
import { readRegular, readStart } from './disk/regular.ts';
import { folderLoader, openFolder } from './folder.ts';
import { isPerfData, mayRunPerf, type PerfConsent, readPerfScript } from './perf-data.ts';
import { runningCommandsIn } from './running.ts';
import { UnpackBudget } from './sources/gunzip.ts';
import { type OpenSource, openBytes, openSource, openStream, orUnreadable } from './sources/source.ts';
import { findObject, type SymbolOptions } from './symbols/find-object.ts';
import { findPerfMap } from './symbols/perf-map.ts';
import { findShownNames } from './symbols/shown-names.ts';
import { withThreads } from './threads.ts';

export interface LoadProgress {
  readonly bytes: number;
  readonly size: number | undefined;
  readonly routines: number;
  readonly rows: number;
  /** A preview of the tables read so far; not included in every update. */
  readonly preview?: Preview;
}

export interface ProfileLoadOptions {
  readonly format?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** The locations of binaries and debug files, for profiles with addresses. */
  readonly symbols?: SymbolOptions | undefined;
  /** The bytes that were already read from standard input. */
  readonly input?: Uint8Array | undefined;
  readonly limits?: Limits | undefined;
  /** Names of additional programs that are compilers. */
  readonly compilers?: readonly string[] | undefined;
  /** The contents of the only file, instead of the file at its path. */
  readonly bytes?: Uint8Array | undefined;
  /** The perf.data files that perf may read; absent: none. */
  readonly perf?: PerfConsent | undefined;
  /** The field of tracepoints that weighs their samples. */
  readonly weight?: string | undefined;
  /** The file with what ninja printed: the messages of the steps. */
  readonly log?: string | undefined;
  /** True if the file is still being written. */
  readonly live?: boolean | undefined;
}

/** The command-line options that loading needs. */
export function toLoadOptions(
  options: Pick<ProfileLoadOptions, 'symbols' | 'input' | 'format' | 'limits' | 'perf' | 'weight' | 'log'> & {
    readonly compiler: readonly string[];
  },
): ProfileLoadOptions {
  const { symbols, input, format, limits, compiler, perf, weight, log } = options;
  return { symbols, input, format, limits, compilers: compiler, perf, weight, log };
}

/** The loader that detects its format with certainty, else the first loader that detects it as possible. */
export function detectLoader(head: Uint8Array, path: string): Loader | undefined {
  const answers = loaders.map((loader) => [loader, loader.detect(head, path)] as const);
  return (answers.find(([, a]) => a === 'yes') ?? answers.find(([, a]) => a === 'maybe'))?.[0];
}

/** The loader for a file, by its contents. Throws FormatError if there is none. */
export function chooseLoader(head: Uint8Array, path: string): Loader {
  const found = head.length > 0 ? detectLoader(head, path) : undefined;
  if (found) return found;
  const unsupported = recognizeUnsupported(head);
  throw new FormatError({
    path,
    line: head.length === 0 ? 0 : 1,
    offset: 0,
    expected: 'a profile',
    found: unsupported?.what ?? (head.length === 0 ? 'an empty file' : firstLine(head)),
    hint:
      unsupported?.hint ??
      'proftui --formats lists the supported formats; --format NAME reads it as one of them, or says why not',
  });
}

function firstLine(head: Uint8Array): string {
  if (head.subarray(0, 512).includes(0)) return 'unknown binary data';
  const text = Buffer.from(head.subarray(0, 512)).toString('latin1');
  const line = text.split(/\r?\n/).find((l) => l.trim() !== '') ?? '';
  return `"${line.trim().slice(0, 50)}"`;
}

export const loaderNamed = (name: string): Loader | undefined => loaders.find((l) => l.name === name);

const PROGRESS_INTERVAL_MS = 60;
const PREVIEW_INTERVAL_MS = 300;
/** Number of routines in a preview: as many as the tallest screens show. */
const MAX_PREVIEW_ROUTINES = 100;

/** Loads the files of one run into one profile. Throws FormatError, or AbortError if the signal aborts. */
export async function loadProfile(paths: readonly string[], given: ProfileLoadOptions = {}): Promise<Profile> {
  const { signal = new AbortController().signal } = given;
  const options = { ...given, signal };
  const sink = new Sink(options.limits, options.compilers);
  const forced = options.format ? loaderNamed(options.format) : undefined;
  let loader = forced;
  const budget = new UnpackBudget(sink.limits);
  const where = { binaries: [], dirs: [], maps: [], ...options.symbols, profiles: sink.paths };
  const hasCode = (object: string) =>
    isPerfMap(object) ? findPerfMap(object, where) !== undefined : isProgram(findObject(object, false, where));
  for (const path of paths) {
    const folder = options.bytes ? undefined : folderLoader(path);
    if (folder?.loadFolder) {
      loader = checkSameFormat(folder, loader, path, sink, 'folder');
      checkWeight(loader, path, options);
      sink.paths.push(path);
      const opened = openFolder(path, budget);
      const input = options.live ? { ...opened, running: () => runningCommandsIn(path) } : opened;
      await withThreads(folder, (threads) => folder.loadFolder?.(input, sink, signal, threads));
      continue;
    }
    const source = await openInput(path, options, budget);
    if (paths.length > 1 && source.head.length === 0) {
      sink.warn({ path, expected: 'a profile', found: 'an empty file; left out' });
      await closeSource(source);
      continue;
    }
    loader = checkSameFormat(forced ?? chooseLoader(source.head, path), loader, path, sink, 'profile');
    checkWeight(loader, path, options);
    sink.paths.push(path);
    await loadFile(loader, { ...source, hasCode, weight: options.weight }, sink, options);
    // A file that is followed changes all the time, and is read again.
    const problem = source.cutProblem?.() ?? (options.live ? undefined : source.changeProblem?.());
    if (problem) sink.cut ??= problem;
    const trailing = source.trailingProblem?.();
    if (trailing) sink.warn(trailing);
  }
  if (!loader || sink.paths.length === 0)
    throw new FormatError({ path: paths[0] ?? '', line: 0, expected: 'a profile', found: 'only empty files' });
  const { currentWriter } = sink;
  if (options.log !== undefined) addMessages(currentWriter, options.log, loader);
  if (currentWriter instanceof AddressStackWriter) {
    const { symbolize } = await import('./symbols/symbolize.ts');
    await symbolize(currentWriter.samples, where, sink, signal);
  }
  if (currentWriter instanceof StepWriter && currentWriter.compiles)
    currentWriter.demangle = (await import('./symbols/demangle.ts')).demangle;
  const addressed =
    currentWriter instanceof AddressStackWriter ? currentWriter.samples.names.flat().flatMap((f) => f?.name ?? []) : [];
  sink.shown = await findShownNames(sink, addressed, signal);
  return addMissingTables(finishProfile(loader, sink), loader);
}

const MAX_LOG_BYTES = 1 << 28;

function addMessages(writer: Sink['currentWriter'], path: string, { name }: Loader): void {
  if (!(writer instanceof StepWriter))
    throw new FormatError({
      path,
      expected: 'a build, to whose steps the messages of the log belong',
      found: `a ${name} profile`,
    });
  const text = orUnreadable(path, () => readRegular(path, MAX_LOG_BYTES).bytes.toString('utf8'));
  addBuildOutput(writer, path, readBuildOutput(path, text));
}

const ELF_MAGIC = '\x7fELF';
const isProgram = (path: string | undefined): boolean =>
  path !== undefined && attempt(() => Buffer.from(readStart(path, ELF_MAGIC.length)).toString('latin1')) === ELF_MAGIC;

type AbortableOptions = ProfileLoadOptions & { readonly signal: AbortSignal };

/** Opens a file; a perf.data file is opened as the output of `perf script`. */
async function openInput(path: string, { bytes, input, perf = [], signal }: AbortableOptions, budget: UnpackBudget) {
  if (bytes) return openBytes(bytes, path, budget);
  const source = await openSource(path, input, budget);
  if (path === '-' || !isPerfData(source.head) || !mayRunPerf(path, perf)) return source;
  await closeSource(source);
  return openStream(readPerfScript(path, signal), { path, budget: new UnpackBudget() });
}

/** The loader of the next file. Throws FormatError if its format differs from that of the earlier files. */
function checkSameFormat(own: Loader, before: Loader | undefined, path: string, sink: Sink, what: string): Loader {
  if (!before || own === before) return own;
  const [first = path] = sink.paths;
  const hint = 'only files of one run can be opened together';
  throw new FormatError({ path, expected: `a ${before.name} profile like ${first}`, found: `a ${own.name} ${what}`, hint });
}

function checkWeight({ name, takesWeight }: Loader, path: string, { weight }: ProfileLoadOptions): void {
  if (weight === undefined || takesWeight) return;
  const expected = 'text of perf script, whose fields --weight chooses';
  throw new FormatError({ path, expected, found: `a ${name} profile` });
}

async function loadFile(loader: Loader, source: OpenSource, sink: Sink, { onProgress, bytes, signal }: AbortableOptions) {
  const { path } = source;
  const before = sink.parts.length;
  const placed = path === '-' || bytes ? source : { ...source, folder: openFolder(dirname(path)) };
  const input = reportProgress(placed, sink, onProgress);
  await withThreads(loader, (threads) => loader.load({ ...input, ...(threads ? { threads } : {}) }, sink, signal));
  const [first, added] = [sink.parts[0], sink.parts[before]];
  if (first && added && before > 0 && first.command !== added.command) {
    const found = `one of ${added.command ?? '???'}; merged anyway`;
    sink.warn({ path, expected: `a profile of ${first.command ?? '???'} like ${sink.paths[0]}`, found });
  }
}

/** Adds tables that the format supports but that this file lacks. */
function addMissingTables(profile: Profile, loader: Loader): Profile {
  const answers = questionsOf(profile);
  const records = loader.optionsOf?.test(profile.creator ?? '') === false ? undefined : loader.options;
  const lacks = loader.provides
    .filter((table) => !answers.has(table))
    .map((table) => ({ table, ...(records?.[table] ? { option: records[table] } : {}) }));
  return { ...profile, lacks };
}

async function closeSource(source: OpenSource): Promise<void> {
  // Leaving the loop ends the generator, which closes the file.
  for await (const _ of source.chunks()) return;
}

function reportProgress(source: OpenSource, sink: Sink, onProgress?: (p: LoadProgress) => void): OpenSource {
  if (!onProgress) return source;
  return {
    ...source,
    async *chunks() {
      let last = 0;
      let shown = Date.now();
      for await (const chunk of source.chunks()) {
        yield chunk;
        const now = Date.now();
        if (now - last < PROGRESS_INTERVAL_MS) continue;
        last = now;
        const preview = now - shown >= PREVIEW_INTERVAL_MS ? sink.currentWriter?.preview?.(MAX_PREVIEW_ROUTINES) : undefined;
        if (preview) shown = now;
        onProgress({
          ...(preview ? { preview } : {}),
          bytes: source.bytesRead(),
          size: source.fileSize,
          routines: sink.routines.count,
          rows: sink.currentWriter?.rows ?? 0,
        });
      }
    },
  };
}
