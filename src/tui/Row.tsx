// A row of the screen. Ink parses and rebuilds every text, so it gets only a placeholder such as `~7`; ink-frames.ts substitutes
// the finished line. That halves the cost of a frame.
import { Box, Text } from 'ink';
import { createContext, memo, type ReactElement, useContext } from 'react';

/** The finished lines by screen row; undefined if Ink writes the text itself. */
export const Lines = createContext<string[] | undefined>(undefined);

/** Redrawn only if it changed. `place`: the row number on the screen, if the row takes the whole width. */
export const Row = memo(function Row({ text, place }: { readonly text: string; readonly place?: number }): ReactElement {
  const lines = useContext(Lines);
  if (lines && place !== undefined) {
    lines[place] = text;
    return <Text>{`~${place}`}</Text>;
  }
  // An empty <Text> has no height, so the rows below would move up.
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

/** Replaces the placeholders in Ink's output by their lines. A placeholder is a line of only `~` and a number, or `~*`. */
export function withLines(drawn: readonly string[], lines: readonly string[]): string[] {
  if (drawn.length === 1 && drawn[0].trimEnd() === '~*') return [...lines];
  return drawn.map((line) => {
    const row = /^~(\d+) *$/.exec(line)?.[1];
    return row === undefined ? line : (lines[Number(row)] ?? '');
  });
}
