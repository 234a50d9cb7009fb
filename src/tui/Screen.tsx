// The screen of an open profile: one <Text> per row, with an open panel drawn over the body or its last rows.
import { Box } from 'ink';
import type { ReactElement } from 'react';
import { drawScreen } from '../app/draw.ts';
import { type AppState, panelPlace } from '../app/state.ts';
import { Panel } from './Panel.tsx';
import { ScreenRow, ScreenRows } from './Row.tsx';
import { styledLine, type Theme } from './theme.ts';

export function Screen({ state, theme }: { readonly state: AppState; readonly theme: Theme }): ReactElement {
  const lines = drawScreen(state);
  const rows = lines.map((line) => styledLine(line, theme));
  if (!state.panel) return <ScreenRows texts={rows} />;
  const { top, height } = panelPlace(state);
  return (
    <Box flexDirection="column" width={state.width}>
      {rows.slice(0, top).map((text, i) => (
        <ScreenRow key={i} text={text} place={i} />
      ))}
      <Box height={height} flexDirection="column" overflow="hidden">
        <Panel state={state} theme={theme} height={height} />
      </Box>
      {rows.slice(top + height).map((text, i) => (
        <ScreenRow key={`below ${i}`} text={text} place={top + height + i} />
      ))}
    </Box>
  );
}
