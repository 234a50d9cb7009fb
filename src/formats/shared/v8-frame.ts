// The callFrame of V8's profiles: https://chromedevtools.github.io/devtools-protocol/tot/Runtime/#type-CallFrame. Lines count from 0.
import { attempt } from '../../base/attempt.ts';
import type { FrameNames } from '../../model/stacks/writer.ts';
import { type JsonObject, numberOf, textOf } from './json.ts';

export type V8Names = Required<Pick<FrameNames, 'name' | 'file' | 'start'>>;

const ANONYMOUS = '(anonymous)';

/** True for the root of the tree, which is not a function. */
export const isRoot = ({ name }: V8Names): boolean => name === '(root)';

export function v8Names(frame: JsonObject): V8Names {
  const name = textOf(frame['functionName']) || ANONYMOUS;
  const url = textOf(frame['url']) ?? '';
  const line = (numberOf(frame['lineNumber']) ?? -1) + 1;
  const file = url === '' ? null : pathOf(url);
  // Anonymous functions are distinguished by their start line.
  return { name, file, start: name === ANONYMOUS && file !== null && line > 0 && line < 2 ** 31 ? line : 0 };
}

/** The path of `file://` addresses; others as they are. */
function pathOf(url: string): string {
  if (!url.startsWith('file://')) return url;
  return attempt(() => decodeURIComponent(new URL(url).pathname), url);
}
