// A row of the screen. Ink parses and rebuilds every text, so it gets only a placeholder such as `~7`; ink-frames.ts substitutes
// the finished line. That halves the cost of a frame.
import { Box, Text } from 'ink';
import { createContext, memo, type ReactElement, useContext } from 'react';

/** The finished lines by screen row; undefined if Ink writes the text itself. */
export const LinesContext = createContext<string[] | undefined>(undefined);

/** A screen row, redrawn only if it changed. `place`: its row number on the screen, if it takes the full width. */
export const ScreenRow = memo(function Row({ text, place }: { readonly text: string; readonly place?: number }): ReactElement {
  const lines = useContext(LinesContext);
  if (lines && place !== undefined) {
    lines[place] = text;
    return <Text>{`~${place}`}</Text>;
  }
  // Ink gives an empty <Text> no height, so the rows below would move up.
  return <Text wrap="truncate-end">{text === '' ? ' ' : text}</Text>;
});

/** All lines of the screen, as one placeholder. */
export function ScreenRows({ texts }: { readonly texts: readonly string[] }): ReactElement {
  const lines = useContext(LinesContext);
  if (!lines)
    return (
      <Box flexDirection="column">
        {texts.map((text, i) => (
          <ScreenRow key={i} text={text} />
        ))}
      </Box>
    );
  for (const [i, text] of texts.entries()) lines[i] = text;
  lines.length = texts.length;
  return <Text>~*</Text>;
}

/** Replaces the placeholders in Ink's output by their lines. A placeholder is a line of only `~` and a number, or `~*`. */
export function replacePlaceholders(drawn: readonly string[], lines: readonly string[]): string[] {
  if (drawn.length === 1 && drawn[0].trimEnd() === '~*') return [...lines];
  return drawn.map((line) => {
    const row = /^~(\d+) *$/.exec(line)?.[1];
    return row === undefined ? line : (lines[Number(row)] ?? '');
  });
}
