// A row of the screen.
import { Text } from 'ink';
import { memo, type ReactElement } from 'react';

/** A row that did not change is not drawn again. */
export const Row = memo(function Row({ text }: { readonly text: string }): ReactElement {
  // An empty <Text> has no height: the rows below would move up.
  return <Text wrap="truncate-end">{text === '' ? ' ' : text}</Text>;
});
