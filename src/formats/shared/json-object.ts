// Reads a file that is one JSON object with a long list, piece by piece. An incomplete object is an error.
import { FormatError } from '../../base/problem.ts';
import type { Sink } from '../../model/sink.ts';
import type { Loader } from '../loader.ts';
import { FileReader } from './file-reader.ts';
import type { JsonResult } from './json.ts';
import { ListSplitter } from './json-list.ts';
import { readPieces } from './stream.ts';

/** Base class that reads the elements of the list and the other members of the object. */
export abstract class ObjectReader extends FileReader {
  /** See ValueHandler. */
  readPlainElement?(bytes: Uint8Array, at: number, end: number, offset: number): number;
  readPlainMember?(key: string, bytes: Uint8Array, from: number, to: number): boolean;
  abstract readElement(json: JsonResult, offset: number): void;
  abstract readMember(key: string, json: JsonResult): void;
  abstract finish(end: number): void;
  /** True if other members had what the list would have had. */
  readonly needsNoList?: boolean;
}

/** Makes the load function for a file that is one JSON object with the list `list`. */
export function makeObjectLoader(list: string, ReaderClass: new (sink: Sink, path: string) => ObjectReader): Loader['load'] {
  return async (source, sink, signal) => {
    const { path } = source;
    const reader = new ReaderClass(sink, path);
    const wrong = (offset: number, expected: string, found: string) => new FormatError({ path, offset, expected, found });
    const splitter = new ListSplitter(list, {
      takePlainElement: (bytes, at, end, offset) => reader.readPlainElement?.(bytes, at, end, offset) ?? -1,
      onElement: (json, offset) => reader.readElement(json, offset),
      takePlainMember: (key, bytes, from, to) => reader.readPlainMember?.(key, bytes, from, to) ?? false,
      onMember: (key, json) => reader.readMember(key, json),
      onInvalid: (offset, found) => {
        throw wrong(offset, `an object with ${list}`, found);
      },
    });
    const { rest } = await readPieces(source, sink.limits, signal, (bytes) => splitter.take(bytes), 'value');
    const open = splitter.end(rest);
    if (open) throw wrong(open.offset, 'the end of the object', 'the end of the file');
    if (!splitter.found && !reader.needsNoList) throw wrong(splitter.offset, `an object with ${list}`, 'an object without them');
    reader.finish(splitter.offset);
  };
}
