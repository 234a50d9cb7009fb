// What a format is to the rest of the program.
import type { TableName } from '../model/profile.ts';
import type { Sink } from '../model/sink.ts';

/** Bytes in order, gunzipped. A chunk belongs to the loader until it asks for the next one, and it may not write to it. */
export interface Source {
  readonly path: string;
  /** Size of the whole in bytes, before it is unpacked; unknown for pipes. */
  readonly size: number | undefined;
  chunks(): AsyncIterable<Uint8Array>;
}

export type Detection = 'yes' | 'maybe' | 'no';

export interface Loader {
  readonly name: string;
  readonly title: string;
  readonly provides: readonly TableName[];
  /** Options of the tool that record what it leaves out by itself. */
  readonly options?: Readonly<Partial<Record<TableName, string>>>;
  /** How such a file is made; shown where there is none. */
  readonly make: string;
  /** The names its files usually have, for finding the profiles of a folder. */
  readonly fileNames: RegExp;
  /** Looks at the start of a file; path may be 'unknown'. Pure. */
  detect(head: Uint8Array, path: string): Detection;
  /** What a file of the same tools is that this loader does not read; undefined where it knows no such file. */
  knows?(head: Uint8Array): string | undefined;
  /** Writes one file into the sink. Throws FormatError; what does not stop it goes to sink.warn. */
  load(source: Source, sink: Sink, signal: AbortSignal): Promise<void>;
}
