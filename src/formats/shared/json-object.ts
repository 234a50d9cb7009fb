// A file that is one object of JSON with a long list in it, read piece by piece: the whole object, or an error.
import { FormatError } from '../../base/problem.ts';
import type { Sink } from '../../model/sink.ts';
import type { Loader } from '../loader.ts';
import { FileReader } from './file-reader.ts';
import type { Json } from './json.ts';
import { ListSplitter } from './json-list.ts';
import { readPieces } from './stream.ts';

/** Reads the elements of the list and the other members of the object. */
export abstract class ObjectReader extends FileReader {
  protected wrong(offset: number, expected: string, found: string): FormatError {
    return this.error({ offset }, expected, found);
  }

  /** As in ValueHandler. */
  quick?(bytes: Uint8Array, at: number, end: number, offset: number): number;
  quickMember?(key: string, bytes: Uint8Array, from: number, to: number): boolean;
  abstract element(json: Json, offset: number): void;
  abstract member(key: string, json: Json): void;
  abstract finish(end: number): void;
}

/** Loads a file that is one object with a list. */
export function loadsObject(list: string, Reader: new (sink: Sink, path: string) => ObjectReader): Loader['load'] {
  return async (source, sink, signal) => {
    const { path } = source;
    const reader = new Reader(sink, path);
    const wrong = (offset: number, expected: string, found: string) => new FormatError({ path, offset, expected, found });
    const splitter = new ListSplitter(list, {
      quick: (bytes, at, end, offset) => reader.quick?.(bytes, at, end, offset) ?? -1,
      element: (json, offset) => reader.element(json, offset),
      quickMember: (key, bytes, from, to) => reader.quickMember?.(key, bytes, from, to) ?? false,
      member: (key, json) => reader.member(key, json),
      wrong: (offset, found) => {
        throw wrong(offset, `an object with ${list}`, found);
      },
    });
    const { rest } = await readPieces(source, sink.limits, signal, (bytes) => splitter.take(bytes), 'value');
    const open = splitter.end(rest);
    if (open) throw wrong(open.offset, 'the end of the object', 'the end of the file');
    if (!splitter.found) throw wrong(splitter.offset, `an object with ${list}`, 'an object without them');
    reader.finish(splitter.offset);
  };
}
