// The interface between a file format and the rest of the program.
import type { Question } from '../model/head.ts';
import type { Profile } from '../model/profile.ts';
import type { Sink } from '../model/sink.ts';
import type { KeptBuildInfo } from '../model/steps/history.ts';

/** The input of a loader: bytes in order, gunzipped. A chunk is read-only, and valid until the loader asks for the next one. */
export interface Source {
  readonly path: string;
  /** Number of bytes that chunks() will yield: an estimate for gzip files, undefined for pipes. */
  readonly size: number | undefined;
  /** The folder that contains the file; absent for pipes. */
  readonly folder?: Folder;
  chunks(): AsyncIterable<Uint8Array>;
  /** True if the file of an object is available, so that addresses can be resolved to lines. Absent: no file is available. */
  hasCode?(object: string): boolean;
  /** The field of tracepoints that the user chose as weight of their samples (--weight). */
  readonly weight?: string | undefined;
  /** Threads that run the loader's task; absent if there are none. */
  readonly threads?: Threads;
}

/** Work for another thread; input and result are plain data. `transfer`: buffers that are transferred instead of copied. */
export type LoaderTask<In, Out> = (input: In) => { readonly result: Out; readonly transfer: readonly ArrayBuffer[] };

export interface Threads {
  /** Maximum number of tasks that run at the same time. */
  readonly count: number;
  /** Runs the loader's task on the input; the buffers in `transfer` are transferred, not copied. */
  run(input: unknown, transfer: readonly ArrayBuffer[]): Promise<unknown>;
}

export interface FolderEntry {
  readonly name: string;
  readonly folder: boolean;
  /** True for a regular file, false for a link or another kind of file. */
  readonly regular: boolean;
}

/** A command of a build that is running, and its start in milliseconds since 1970. */
export interface RunningCommand {
  readonly command: string;
  readonly startMs: number;
}

/** A folder, for formats that consist of many files. Paths are relative to it; `..` leads to its parent. */
export interface Folder {
  readonly path: string;
  /** The entries of a subfolder, sorted by name; empty if there is no such folder. */
  list(relative: string): readonly FolderEntry[];
  /** True if an entry satisfies `wanted`; stops at the first match. Absent: list() is as fast. */
  some?(relative: string, wanted: (entry: FolderEntry) => boolean): boolean;
  /** The contents of a file, gunzipped; undefined if it is missing or unreadable. */
  read(relative: string): Uint8Array | undefined;
  /** The start of a file, gunzipped from its first `most` bytes; undefined if it is missing or unreadable. */
  readStart?(relative: string, most: number): Uint8Array | undefined;
  /** Reads very many files in order, in batches valid until the next; undefined if unreadable. Absent: read() is as fast. */
  readAll?(relative: string, entries: readonly FolderEntry[]): AsyncIterable<readonly (Uint8Array | undefined)[]>;
  /** Running commands of a build in this folder; undefined if unknown. Absent unless the folder is followed during a build. */
  running?(): readonly RunningCommand[] | undefined;
  /** Modification time of a regular file in milliseconds since 1970; undefined if there is none. Absent: times are unknown. */
  modifiedMs?(relative: string): number | undefined;
}

/** The naming of the files that one run writes. */
export interface RunFileNames {
  /** The common start of the names of a run's files; undefined for names of another form. */
  stem(name: string): string | undefined;
  /** Part and thread of a file, from the text after the stem in its name; undefined if the file does not belong to the run. */
  partAndThread(rest: string): { readonly part: number; readonly thread: number } | undefined;
  /** If true, a folder that contains only the files of one run is opened as that run. */
  readonly opensAsRun?: boolean;
}

/** Part number of a file without a part in its name: the program writes that file at exit. */
export const LAST_PART = Number.MAX_SAFE_INTEGER;

export type { KeptBuildInfo as About } from '../model/steps/history.ts';

export type Detection = 'yes' | 'maybe' | 'no';

/** The facts that tell a run from others in a list of files; '' if the file does not record it. */
export type RunFacts = Readonly<Record<'command' | 'total', string>>;

export interface Loader {
  readonly name: string;
  readonly title: string;
  readonly provides: readonly Question[];
  /** Options that make the tool record additional data, by the question that the data answers. */
  readonly options?: Readonly<Partial<Record<Question, string>>>;
  /** Matches the creators whose files have these options; absent: all creators have them. */
  readonly optionsOf?: RegExp;
  /** Subject of a file, shown to users without a profile. Absent: only --formats lists the format. */
  readonly purpose?: string;
  /** The command that makes such a file. */
  readonly make: string;
  /** Usual file names, to find the profiles in a folder. */
  readonly fileNames: RegExp;
  /** Judges a file by its first bytes and its path, which may be 'unknown'. Has no side effects. */
  detect(head: Uint8Array, path: string): Detection;
  /** True if a folder as a whole is a profile of this format. */
  ownsFolder?(folder: Folder): boolean;
  /** Loads a folder into the sink. Throws FormatError. */
  loadFolder?(folder: Folder, sink: Sink, signal: AbortSignal, threads?: Threads): Promise<void>;
  /** True if a folder has data of a running build, or of a build that has not been kept yet. */
  isLive?(folder: Folder): boolean;
  /** Subfolders to watch while a build is running. */
  readonly watchedFolders?: readonly string[];
  /** The subfolder of a build tree with its kept builds, of which the newest is opened. */
  readonly keptBuildsFolder?: string;
  /** Reads the summary of a kept build from its first bytes; undefined if it is unknown. */
  readBuildInfo?(head: Uint8Array): KeptBuildInfo | undefined;
  /** Reads command and total of a run from the first and last bytes of its file. */
  readRunFacts?(head: Uint8Array, tail: Uint8Array): RunFacts;
  /** The names of the files of one run; absent if a run is a single file. */
  readonly run?: RunFileNames;
  /** True if the loader reads more than the file itself: neighbouring files, or programs for symbols. */
  readonly readsOtherFiles?: boolean;
  /** True if source.weight chooses what samples count. */
  readonly takesWeight?: boolean;
  /** Post-processes the profile, once all files of a run are read. */
  readonly postProcess?: (profile: Profile) => Profile;
  /** The task that source.threads run for load(). */
  readonly task?: LoaderTask<never, unknown>;
  /** Loads a file into the sink. Throws FormatError; problems that do not stop loading go to sink.warn. */
  load(source: Source, sink: Sink, signal: AbortSignal): Promise<void>;
}

export function finishProfile(loader: Loader, sink: Sink): Profile {
  const profile = sink.finish(loader.name);
  return loader.postProcess?.(profile) ?? profile;
}
