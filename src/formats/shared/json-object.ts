// Reads a file that is one JSON object with a long list, piece by piece. An incomplete object is an error.
import type { Sink } from '../../model/sink.ts';
import type { Loader, Source } from '../loader.ts';
import { isObject, type JsonObject, type JsonResult, jsonExcerpt } from './json.ts';
import { ListSplitter, type ValueReader } from './json-list.ts';
import { FileReader, readPieces } from './stream.ts';

/** Base class that reads the elements of the list and the other members of the object. */
export abstract class ObjectReader extends FileReader implements ValueReader {
  readPlainElement?(bytes: Uint8Array, at: number, end: number, offset: number): number;
  readPlainMember?(key: string, bytes: Uint8Array, from: number, to: number): boolean;
  abstract readElement(json: JsonResult, offset: number): void;
  abstract readMember(key: string, value: unknown): void;
  abstract finish(end: number, source: Source): void;
  /** True if other members had what the list would have had. */
  readonly needsNoList?: boolean;

  refuse(offset: number, found: string, list: string): never {
    throw this.errorAt(offset, `an object with ${list}`, found);
  }

  /** The element as an object. Throws FormatError if it is none. */
  protected objectAt(offset: number, json: JsonResult, expected: string): JsonObject {
    if (isObject(json.value)) return json.value;
    throw this.errorAt(offset, expected, json.wrong ?? jsonExcerpt(json.value));
  }
}

/** Makes the load function for a file that is one JSON object with the list `list`. */
export function makeObjectLoader(list: string, ReaderClass: new (sink: Sink, path: string) => ObjectReader): Loader['load'] {
  return async (source, sink, signal) => {
    const reader = new ReaderClass(sink, source.path);
    const splitter = new ListSplitter(list, reader);
    const { rest } = await readPieces(source, sink.limits, signal, (bytes) => splitter.take(bytes), 'value');
    const open = splitter.end(rest);
    if (open) throw reader.errorAt(open.offset, 'the end of the object', 'the end of the file');
    if (!splitter.found && !reader.needsNoList) reader.refuse(splitter.offset, 'an object without them', list);
    reader.finish(splitter.offset, source);
  };
}
