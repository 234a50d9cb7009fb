// A row of the screen: a line that is ready. Ink, which takes every character of a text apart and puts it together again, gets `~7` for
// it, and only says where the row goes; ink-frames.ts puts the line there. That is half of what a frame costs.
import { Text } from 'ink';
import { createContext, memo, type ReactElement, useContext } from 'react';

/** Lines by their place on the screen; undefined where Ink's own output is looked at. */
export const Lines = createContext<string[] | undefined>(undefined);

/** A row that did not change is not drawn again. `place`: its number on the screen, if it takes the whole width. */
export const Row = memo(function Row({ text, place }: { readonly text: string; readonly place?: number }): ReactElement {
  const lines = useContext(Lines);
  if (lines && place !== undefined) {
    lines[place] = text;
    return <Text>{`~${place}`}</Text>;
  }
  // An empty <Text> has no height: the rows below would move up.
  return <Text wrap="truncate-end">{text === '' ? ' ' : text}</Text>;
});

/** What Ink has drawn, with the lines in their places. What stands for one is alone in its line, at the start: nothing else is. */
export function withLines(drawn: readonly string[], lines: readonly string[]): string[] {
  return drawn.map((line) => {
    const place = /^~(\d+) *$/.exec(line)?.[1];
    return place === undefined ? line : (lines[Number(place)] ?? '');
  });
}
