// The interface between a file format and the rest of the program.
import { FormatError } from '../base/problem.ts';
import type { Question } from '../model/head.ts';
import type { Profile } from '../model/profile.ts';
import type { Sink } from '../model/sink.ts';
import type { KeptBuildInfo } from '../model/steps/history.ts';

/** Bytes in order, gunzipped. A chunk is valid, and read-only, until the loader asks for the next one. */
export interface Source {
  readonly path: string;
  /** Number of bytes that chunks() will yield: an estimate for gzip files (from the trailer), undefined for pipes. */
  readonly size: number | undefined;
  /** The folder that contains the file; absent for pipes. */
  readonly folder?: Folder;
  chunks(): AsyncIterable<Uint8Array>;
  /** True if an object's file is available, so addresses can be resolved to lines. Absent: no file is available. */
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
export interface FolderEntry {
  readonly name: string;
  readonly folder: boolean;
  /** A regular file, rather than a link or something else. */
  readonly regular: boolean;
}

/** A command of a build that is running, and its start in milliseconds since 1970. */
export interface RunningCommand {
  readonly command: string;
  readonly startMs: number;
}

/** A folder, for formats that consist of many files. Paths are relative to it; `..` goes up. */
export interface Folder {
  readonly path: string;
  /** Names in one of its subfolders, sorted; empty if there is no such folder. */
  list(relative: string): readonly FolderEntry[];
  /** True if a name satisfies `wanted`; stops at the first match. Absent: list() is as fast. */
  some?(relative: string, wanted: (entry: FolderEntry) => boolean): boolean;
  /** A file, gunzipped; undefined if it is missing or unreadable. */
  read(relative: string): Uint8Array | undefined;
  /** The start of a file, gunzipped from its first `most` bytes; undefined if it is missing or unreadable. */
  readStart?(relative: string, most: number): Uint8Array | undefined;
  /**
   * Reads files of a subfolder, of which there may be very many, in order, some at a time; undefined for what is missing or unreadable.
   * The bytes are valid until more are asked for. Absent: read() is as fast.
   */
  readAll?(relative: string, entries: readonly FolderEntry[]): AsyncIterable<readonly (Uint8Array | undefined)[]>;
  /**
   * The running steps of the build in this folder; undefined where unknown. Absent unless the folder is followed while it is being written: what
   * is there in part will be there in whole.
   */
  running?(): readonly RunningCommand[] | undefined;
  /** Modification time of a regular file in milliseconds since 1970; undefined if there is none. Absent: times are unknown. */
  modifiedMs?(relative: string): number | undefined;
}

/** The names of the files that one run writes. */
export interface RunNames {
  /** The common start of the names of a run's files; undefined for names of another form. */
  stem(name: string): string | undefined;
  /** The part and thread of a file, from what follows the stem; undefined if it does not belong to the run. */
  partAndThread(rest: string): { readonly part: number; readonly thread: number } | undefined;
  /** If true, a folder that contains only the files of one run is opened as that run. */
  readonly opensAsRun?: boolean;
}

/** Part number of a file without one in its name: the program writes it at exit. */
export const LAST_PART = Number.MAX_SAFE_INTEGER;

export type { KeptBuildInfo as About } from '../model/steps/history.ts';

export type Detection = 'yes' | 'maybe' | 'no';

export interface Loader {
  readonly name: string;
  readonly title: string;
  readonly provides: readonly Question[];
  /** Options that make the tool record what it omits by default. */
  readonly options?: Readonly<Partial<Record<Question, string>>>;
  /** The creators of files that have these options; absent: all. */
  readonly optionsOf?: RegExp;
  /** Subject of such a file, for users without a profile. Absent: only --formats lists the format. */
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
  /** True if a folder has data of a running build, or of one that has not been kept yet. */
  isLive?(folder: Folder): boolean;
  /** Subfolders to watch while a build is running. */
  readonly watchedFolders?: readonly string[];
  /** The folder of a build tree where builds are kept; the newest one is opened. */
  readonly keptBuildsFolder?: string;
  /** Summary of a kept build, from its first bytes; undefined if unknown. */
  readBuildInfo?(head: Uint8Array): KeptBuildInfo | undefined;
  /** How the files of one run are named; absent if a run is a single file. */
  readonly run?: RunNames;
  /** Names a file of the same tools that this loader cannot read; undefined if it does not recognize it. */
  describeUnsupported?(head: Uint8Array): string | undefined;
  /** True if only the file itself is read: no neighbouring files, and no programs for symbols. */
  readonly isSelfContained?: boolean;
  /** Post-processes the profile, once all files of a run are read. */
  readonly postProcess?: (profile: Profile) => Profile;
  /** The task that source.threads run for load(). */
  readonly task?: Task<never, unknown>;
  /** Writes one file into the sink. Throws FormatError; problems that do not stop it go to sink.warn. */
  load(source: Source, sink: Sink, signal: AbortSignal): Promise<void>;
}

/** The file members of a loader that reads only folders. `expected`: what it reads, for the error message. */
export function folderOnly(expected: string): Pick<Loader, 'fileNames' | 'detect' | 'load'> {
  return {
    fileNames: /(?!)/,
    detect: () => 'no',
    load: ({ path }) => Promise.reject(new FormatError({ path, expected, found: 'a file' })),
  };
}

/** Finishes the sink's profile and post-processes it. */
export function finishProfile(loader: Loader, sink: Sink): Profile {
  const profile = sink.finish(loader.name);
  return loader.postProcess?.(profile) ?? profile;
}
