// Loads an input as the program loads files.
import { closeSync, openSync, writeSync } from 'node:fs';
import { FormatError } from '../src/base/problem.ts';
import { load as loadCallgrind } from '../src/formats/callgrind/index.ts';
import type { LineReaderOptions } from '../src/formats/callgrind/line-reader.ts';
import { finishProfile, type Loader } from '../src/formats/loader.ts';
import { openSource } from '../src/io/sources/source.ts';
import type { Profile } from '../src/model/profile.ts';
import { Sink } from '../src/model/sink.ts';
import { folderOf, type Input, isGzip, sourceOf } from './input.ts';

/** Where packed inputs are written: the program reads those from a disk only. */
export interface Room {
  readonly file: string;
}

/** As io/load.ts does it, but without symbols, which are of this machine. */
export async function load(
  loader: Loader,
  input: Input,
  room: Room,
  chunkSeed: string | undefined,
  reading?: LineReaderOptions,
): Promise<Profile | FormatError> {
  const sink = new Sink();
  const { signal } = new AbortController();
  const lastKey = loader.name === 'cachegrind' ? 'summary' : 'totals';
  try {
    if (input.opened === 0) {
      if (!loader.loadFolder) throw new Error(`${loader.name} reads no folders`);
      sink.paths.push('fuzzed');
      await loader.loadFolder(folderOf(input), sink, signal);
    }
    for (const file of input.files.slice(0, input.opened)) {
      sink.paths.push(file.path);
      if (isGzip(file.bytes)) await loadPacked(loader, file.bytes, room, sink);
      else if (reading) await loadCallgrind(sourceOf(input, file, chunkSeed), sink, signal, { lastKey, ...reading });
      else await loader.load(sourceOf(input, file, chunkSeed), sink, signal);
    }
    return finishProfile(loader, sink);
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
}

async function loadPacked(loader: Loader, bytes: Uint8Array, { file }: Room, sink: Sink): Promise<void> {
  const fd = openSync(file, 'w');
  writeSync(fd, bytes);
  closeSync(fd);
  const source = await openSource(file);
  await loader.load(source, sink, new AbortController().signal);
  const cut = source.cutProblem?.();
  if (cut) sink.cut ??= cut;
}
