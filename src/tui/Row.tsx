// A row of the screen: a finished line. Ink, which takes every text apart and reassembles it, only lays out a placeholder such
// as `~7`; ink-frames.ts substitutes the line. That halves the cost of a frame.
import { Box, Text } from 'ink';
import { createContext, memo, type ReactElement, useContext } from 'react';

/** Lines by row on the screen; undefined where Ink's own output is wanted. */
export const Lines = createContext<string[] | undefined>(undefined);

/** Unchanged rows are not redrawn. `place`: the row number on the screen, if it takes the whole width. */
export const Row = memo(function Row({ text, place }: { readonly text: string; readonly place?: number }): ReactElement {
  const lines = useContext(Lines);
  if (lines && place !== undefined) {
    lines[place] = text;
    return <Text>{`~${place}`}</Text>;
  }
  // An empty <Text> has no height: the rows below would move up.
  return <Text wrap="truncate-end">{text === '' ? ' ' : text}</Text>;
});

/** All lines of the screen, as one placeholder. */
export function AllRows({ texts }: { readonly texts: readonly string[] }): ReactElement {
  const lines = useContext(Lines);
  if (!lines)
    return (
      <Box flexDirection="column">
        {texts.map((text, i) => (
          <Row key={i} text={text} />
        ))}
      </Box>
    );
  for (const [i, text] of texts.entries()) lines[i] = text;
  lines.length = texts.length;
  return <Text>~*</Text>;
}

/** Ink's output with the placeholders replaced by their lines. Only a placeholder is alone on its line, at the start. */
export function withLines(drawn: readonly string[], lines: readonly string[]): string[] {
  if (drawn.length === 1 && drawn[0].trimEnd() === '~*') return [...lines];
  return drawn.map((line) => {
    const place = /^~(\d+) *$/.exec(line)?.[1];
    return place === undefined ? line : (lines[Number(place)] ?? '');
  });
}
