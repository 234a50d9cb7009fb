// What a format is to the rest of the program.
import type { Question } from '../model/head.ts';
import type { Sink } from '../model/sink.ts';

/** Bytes in order, gunzipped. A chunk belongs to the loader until it asks for the next one, and it may not write to it. */
export interface Source {
  readonly path: string;
  /** How many bytes chunks() will give, as far as one can tell (a gzip file's own word); unknown for pipes. */
  readonly size: number | undefined;
  /** The folder that the file lies in; absent for pipes. */
  readonly folder?: Folder;
  chunks(): AsyncIterable<Uint8Array>;
  /** Threads that do the loader's task; absent where there are none. */
  readonly threads?: Threads;
}

/** Work for another thread: what goes in and comes out is plain data. `transfer`: buffers of the result that may go over as they are. */
export type Task<In, Out> = (input: In) => { readonly result: Out; readonly transfer: readonly ArrayBuffer[] };

export interface Threads {
  /** How many tasks run at the same time. */
  readonly count: number;
  /** Does the loader's task with the input, whose buffers in `transfer` go over. */
  run(input: unknown, transfer: readonly ArrayBuffer[]): Promise<unknown>;
}

/** A folder, for formats that are many files. Paths are relative to it; `..` leads up. */
export interface Folder {
  readonly path: string;
  /** Names in a folder of it, sorted; empty where there is none. */
  list(relative: string): readonly { readonly name: string; readonly folder: boolean; readonly bytes: number }[];
  /** A file, gunzipped; undefined where it is not there or cannot be read. */
  read(relative: string): Uint8Array | undefined;
}

/** The names of the files that one run writes. */
export interface RunNames {
  /** What the names of all files of the run start with; undefined for names of another form. */
  stem(name: string): string | undefined;
  /** Which part and thread of the run a file is by what follows the stem; undefined where it is none of the run. */
  place(rest: string): { readonly part: number; readonly thread: number } | undefined;
  /** A folder that holds the files of one run and nothing else is that run. */
  readonly together?: boolean;
}

/** The part of a file whose name has no part: what is written when the program ends. */
export const LAST_PART = Number.MAX_SAFE_INTEGER;

export type Detection = 'yes' | 'maybe' | 'no';

export interface Loader {
  readonly name: string;
  readonly title: string;
  readonly provides: readonly Question[];
  /** Options of the tool that record what it leaves out by itself. */
  readonly options?: Readonly<Partial<Record<Question, string>>>;
  /** How such a file is made; shown where there is none. */
  readonly make: string;
  /** The names its files usually have, for finding the profiles of a folder. */
  readonly fileNames: RegExp;
  /** Looks at the start of a file; path may be 'unknown'. Pure. */
  detect(head: Uint8Array, path: string): Detection;
  /** Whether a folder as a whole is a profile of this format. */
  ownsFolder?(folder: Folder): boolean;
  /** Writes a folder into the sink. Throws FormatError. */
  loadFolder?(folder: Folder, sink: Sink, signal: AbortSignal): Promise<void>;
  /** Folder of a build tree where builds are kept; the newest is the one that is meant. */
  readonly keeps?: string;
  /** How the files of one run are named; absent where a run is one file. */
  readonly run?: RunNames;
  /** What a file of the same tools is that this loader does not read; undefined where it knows no such file. */
  knows?(head: Uint8Array): string | undefined;
  /** What source.threads do for load(). */
  readonly task?: Task<never, unknown>;
  /** Writes one file into the sink. Throws FormatError; what does not stop it goes to sink.warn. */
  load(source: Source, sink: Sink, signal: AbortSignal): Promise<void>;
}
