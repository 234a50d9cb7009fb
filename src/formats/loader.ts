// The interface between a file format and the rest of the program.
import { FormatError } from '../base/problem.ts';
import type { Question } from '../model/head.ts';
import type { Profile } from '../model/profile.ts';
import type { Sink } from '../model/sink.ts';
import type { About } from '../model/steps/history.ts';

/** Bytes in order, gunzipped. A chunk is valid, and read-only, until the loader asks for the next one. */
export interface Source {
  readonly path: string;
  /** How many bytes chunks() will yield, an estimate for gzip files (from their trailer); undefined for pipes. */
  readonly size: number | undefined;
  /** The folder that contains the file; absent for pipes. */
  readonly folder?: Folder;
  chunks(): AsyncIterable<Uint8Array>;
  /** Whether the file of an object is at hand, which says more of its addresses than their names. Absent: of none. */
  hasCode?(object: string): boolean;
  /** Threads that run the loader's task; absent if there are none. */
  readonly threads?: Threads;
}

/** Work for another thread; input and result are plain data. `transfer`: buffers of the result to transfer instead of copying. */
export type Task<In, Out> = (input: In) => { readonly result: Out; readonly transfer: readonly ArrayBuffer[] };

export interface Threads {
  /** How many tasks run at the same time. */
  readonly count: number;
  /** Runs the loader's task on the input; the buffers in `transfer` are transferred, not copied. */
  run(input: unknown, transfer: readonly ArrayBuffer[]): Promise<unknown>;
}

/** A name in a folder. */
export interface Entry {
  readonly name: string;
  readonly folder: boolean;
  /** A regular file, rather than a link or something else. */
  readonly regular: boolean;
}

/** A command of a build that runs now, and since when, in milliseconds since 1970. */
export interface RunningCommand {
  readonly command: string;
  readonly startMs: number;
}

/** A folder, for formats that consist of many files. Paths are relative to it; `..` goes up. */
export interface Folder {
  readonly path: string;
  /** Names in one of its subfolders, sorted; empty if there is no such folder. */
  list(relative: string): readonly Entry[];
  /** Whether one of these names is as wanted. Looks no further than that. Absent: list() is as fast. */
  some?(relative: string, wanted: (entry: Entry) => boolean): boolean;
  /** A file, gunzipped; undefined if it is missing or unreadable. */
  read(relative: string): Uint8Array | undefined;
  /** The first bytes of a file, unpacked from as many as given; undefined if it is missing or unreadable. */
  readStart?(relative: string, most: number): Uint8Array | undefined;
  /**
   * Reads files of a subfolder, of which there may be very many, in order, some at a time; undefined for what is missing or unreadable.
   * The bytes are valid until more are asked for. Absent: read() is as fast.
   */
  readAll?(relative: string, entries: readonly Entry[]): AsyncIterable<readonly (Uint8Array | undefined)[]>;
  /**
   * The running steps of the build in this folder; undefined where unknown. Absent unless the folder is followed while it is being written: what
   * is there in part will be there in whole.
   */
  running?(): readonly RunningCommand[] | undefined;
  /** When a regular file was last written, in milliseconds since 1970; undefined if there is none. Absent where there are no such times. */
  modifiedMs?(relative: string): number | undefined;
}

/** The names of the files that one run writes. */
export interface RunNames {
  /** The common start of the names of a run's files; undefined for names of another form. */
  stem(name: string): string | undefined;
  /** The part and thread of a file, from what follows the stem; undefined if it does not belong to the run. */
  place(rest: string): { readonly part: number; readonly thread: number } | undefined;
  /** A folder with only the files of one run is opened as that run. */
  readonly together?: boolean;
}

/** The part of a file without a part in its name: it is written when the program ends. */
export const LAST_PART = Number.MAX_SAFE_INTEGER;

export type { About } from '../model/steps/history.ts';

export type Detection = 'yes' | 'maybe' | 'no';

export interface Loader {
  readonly name: string;
  readonly title: string;
  readonly provides: readonly Question[];
  /** Options that make the tool record what it omits by default. */
  readonly options?: Readonly<Partial<Record<Question, string>>>;
  /** The creators of files that have these options; absent: all. */
  readonly optionsOf?: RegExp;
  /** For those who have no profile yet: the subject of such a file, in a few words. Absent: only --formats names the format. */
  readonly purpose?: string;
  /** How to make such a file. */
  readonly make: string;
  /** Usual file names, for finding the profiles in a folder. */
  readonly fileNames: RegExp;
  /** Looks at the start of a file; path may be 'unknown'. Pure. */
  detect(head: Uint8Array, path: string): Detection;
  /** Whether a folder as a whole is a profile of this format. */
  ownsFolder?(folder: Folder): boolean;
  /** Writes a folder into the sink. Throws FormatError. */
  loadFolder?(folder: Folder, sink: Sink, signal: AbortSignal, threads?: Threads): Promise<void>;
  /** Whether a folder has what is not kept yet: a build that runs, or one that nothing has kept. */
  isLive?(folder: Folder): boolean;
  /** The changes in a folder while it is being written. */
  readonly watches?: readonly string[];
  /** The folder of a build tree where builds are kept; the newest one is opened. */
  readonly keeps?: string;
  /** The kind of a kept build, by its first bytes; undefined if unclear. */
  about?(head: Uint8Array): About | undefined;
  /** How the files of one run are named; absent if a run is a single file. */
  readonly run?: RunNames;
  /** Names a file of the same tools that this loader cannot read; undefined if it does not recognize it. */
  knows?(head: Uint8Array): string | undefined;
  /** A file of this format is all that is read: no neighbours, and no programs for their symbols. */
  readonly alone?: boolean;
  /** A function from profile to profile, for facts that only all files of a run together show. */
  readonly settle?: (profile: Profile) => Profile;
  /** The task that source.threads run for load(). */
  readonly task?: Task<never, unknown>;
  /** Writes one file into the sink. Throws FormatError; problems that do not stop it go to sink.warn. */
  load(source: Source, sink: Sink, signal: AbortSignal): Promise<void>;
}

/** The answer of a loader of folders about files: none is of its format. `expected`: what it reads. */
export function readsFolders(expected: string): Pick<Loader, 'fileNames' | 'detect' | 'load'> {
  return {
    fileNames: /(?!)/,
    detect: () => 'no',
    load: ({ path }) => Promise.reject(new FormatError({ path, expected, found: 'a file' })),
  };
}

/** The profile of what a loader wrote into the sink. */
export function finished(loader: Loader, sink: Sink): Profile {
  const profile = sink.finish(loader.name);
  return loader.settle?.(profile) ?? profile;
}
