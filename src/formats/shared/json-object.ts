// A file that is one object of JSON with a long list in it, read piece by piece: the whole object, or an error.
import { FormatError } from '../../base/problem.ts';
import type { Sink } from '../../model/sink.ts';
import { NamedStackWriter } from '../../model/stacks/writer.ts';
import type { Loader, Source } from '../loader.ts';
import type { Json } from './json.ts';
import { ListSplitter, type ValueHandler } from './json-list.ts';
import { readValue } from './stream.ts';

/** Reads a file of stacks with names. */
export abstract class StackReader {
  protected readonly writer: NamedStackWriter;
  protected readonly sink: Sink;
  protected readonly path: string;

  constructor(sink: Sink, path: string) {
    this.sink = sink;
    this.path = path;
    this.writer = sink.tables(NamedStackWriter);
  }

  protected wrong(offset: number, expected: string, found: string): FormatError {
    return new FormatError({ path: this.path, offset, expected, found });
  }

  abstract element(json: Json, offset: number): void;
  abstract member(key: string, json: Json): void;
  abstract finish(end: number): void;
}

/** Loads a file that is one object with a list. */
export function loadsObject(list: string, Reader: new (sink: Sink, path: string) => StackReader): Loader['load'] {
  return async (source, sink, signal) => {
    const reader = new Reader(sink, source.path);
    reader.finish(await readObject(source, sink, signal, list, reader));
  };
}

/** Hands the elements of the list and the other members to the handler; returns where the file ends. Throws FormatError. */
async function readObject(
  source: Source,
  sink: Sink,
  signal: AbortSignal,
  list: string,
  handler: Pick<ValueHandler, 'element' | 'member'>,
): Promise<number> {
  const { path } = source;
  const wrong = (offset: number, expected: string, found: string) => new FormatError({ path, offset, expected, found });
  const splitter = new ListSplitter(list, {
    element: (json, offset) => handler.element(json, offset),
    member: (key, json) => handler.member(key, json),
    wrong: (offset, found) => {
      throw wrong(offset, `an object with ${list}`, found);
    },
  });
  const { rest } = await readValue(source, sink.limits, signal, (bytes) => splitter.take(bytes));
  const open = splitter.end(rest);
  if (open) throw wrong(open.offset, 'the end of the object', 'the end of the file');
  if (!splitter.found) throw wrong(splitter.offset, `an object with ${list}`, 'an object without them');
  return splitter.offset;
}
