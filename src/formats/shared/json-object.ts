// A file that is one object of JSON with a long list in it, read piece by piece: the whole object, or an error.
import { FormatError } from '../../base/problem.ts';
import type { Sink } from '../../model/sink.ts';
import type { Source } from '../loader.ts';
import { ListSplitter, type ValueHandler } from './json-list.ts';
import { readValue } from './stream.ts';

/** Hands the elements of the list and the other members to the handler; returns where the file ends. Throws FormatError. */
export async function readObject(
  source: Source,
  sink: Sink,
  signal: AbortSignal,
  list: string,
  handler: Pick<ValueHandler, 'element' | 'member'>,
): Promise<number> {
  const { path } = source;
  const wrong = (offset: number, expected: string, found: string) => new FormatError({ path, offset, expected, found });
  const splitter = new ListSplitter(list, {
    ...handler,
    wrong: (offset, found) => {
      throw wrong(offset, `an object with ${list}`, found);
    },
  });
  const rest = await readValue(source, sink.limits, signal, (bytes) => splitter.take(bytes));
  const open = splitter.end(rest);
  if (open) throw wrong(open.offset, 'the end of the object', 'the end of the file');
  if (!splitter.found) throw wrong(splitter.offset, `an object with ${list}`, 'an object without them');
  return splitter.offset;
}
