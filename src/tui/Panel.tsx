// Help, events and the palette: a line to type in, and what it leaves of the list.
import { Box, Text } from 'ink';
import { Table } from 'ink-table';
import type { ReactElement, ReactNode } from 'react';
import type { PanelKind } from '../app/action.ts';
import { inputLine } from '../app/draw.ts';
import { type PanelRow, panelRows } from '../app/panels.ts';
import type { AppState } from '../app/state.ts';
import { fit, visible } from '../base/text.ts';
import { Row } from './Row.tsx';
import { styledLine, type Theme } from './theme.ts';

const TITLES: Record<PanelKind, string> = {
  help: 'Help (type to narrow, Esc closes) ',
  events: 'Event (Enter chooses, Space: a column for it) ',
  palette: ': ',
};

// The frame that the table would draw takes two lines a row; a panel has none to spare.
function Bare({ children }: { readonly children?: ReactNode }): ReactElement | null {
  return children === '│' ? <Text> </Text> : null;
}

function Heading({ children }: { readonly children?: ReactNode }): ReactElement {
  return <Text underline>{children}</Text>;
}

function Value({ children }: { readonly children?: ReactNode }): ReactElement {
  return <Text wrap="truncate-end">{children}</Text>;
}

export function Panel({
  state,
  theme,
  height,
}: {
  readonly state: AppState;
  readonly theme: Theme;
  readonly height: number;
}): ReactElement {
  const panel = state.panel!;
  const rows = panelRows(state);
  const shown = Math.max(1, height - 2);
  const top = Math.max(0, Math.min(panel.row - (shown >> 1), rows.length - shown));
  const label = fit(TITLES[panel.kind], Math.min(TITLES[panel.kind].length, Math.max(2, state.width - 12)));
  const window = rows.slice(top, top + shown);
  return (
    <Box flexDirection="column">
      <Row text={styledLine(inputLine(label, panel.text, panel.cursor, state.width), theme)} />
      {window.length === 0 ? (
        <Text>{`  nothing matches ${visible(panel.text)}`}</Text>
      ) : (
        <Table data={cellsOf(window, rows, top, state)} padding={0} skeleton={Bare} header={Heading} cell={Value} />
      )}
    </Box>
  );
}

/** Rows of the table, cut so that they fit: the last column takes what is left. */
function cellsOf(window: readonly PanelRow[], all: readonly PanelRow[], top: number, state: AppState): Record<string, string>[] {
  const keys = Object.keys(all[0].cells);
  // The widths are of all rows, so that they stay while one scrolls.
  const widths = keys.map((k) => Math.max(k.length, ...all.map((r) => r.cells[k].length)));
  // The table puts a blank on both sides of a cell, a bar between cells and at both ends, and has a column for the marker.
  const columns = keys.length + 1;
  let room = state.width - 1 - columns * 2 - (columns + 1);
  const cut = keys.map((_, i) => {
    const least = i === 0 ? 6 : 8;
    const others = keys.length - 1 - i;
    const w = Math.max(least, Math.min(widths[i], room - others * 8));
    room -= w;
    return w;
  });
  return window.map((row, k) => {
    const marker = top + k === state.panel!.row ? (state.ascii ? '>' : '▶') : ' ';
    const cells = keys.map((key, i): [string, string] => [key, fit(visible(row.cells[key]), Math.max(1, cut[i]))]);
    return Object.fromEntries([[' ', marker], ...cells]);
  });
}
