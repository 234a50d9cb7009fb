// Parses the callFrame of V8's profiles (devtools-protocol/tot/Runtime/#type-CallFrame). Lines count from 0.
import { attempt } from '../../base/attempt.ts';
import type { FrameNames } from '../../model/stacks/writer.ts';
import { type JsonObject, numberOf, textOf } from './json.ts';

export type V8Names = Required<Pick<FrameNames, 'name' | 'file' | 'start'>>;

const ANONYMOUS_NAME = '(anonymous)';

/** True for the root of the call tree, which is not a function. */
export const isRootFrame = ({ name }: V8Names): boolean => name === '(root)';

export function v8Names(frame: JsonObject): V8Names {
  const name = textOf(frame['functionName']) || ANONYMOUS_NAME;
  const url = textOf(frame['url']) ?? '';
  const line = (numberOf(frame['lineNumber']) ?? -1) + 1;
  // Addresses other than `file://` stay as they are.
  const path = url.startsWith('file://') ? attempt(() => decodeURIComponent(new URL(url).pathname), url) : url;
  const file = path || null;
  // Anonymous functions are distinguished by their start line.
  return { name, file, start: name === ANONYMOUS_NAME && file !== null && line > 0 && line < 2 ** 31 ? line : 0 };
}
