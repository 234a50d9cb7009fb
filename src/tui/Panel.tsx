// Help, events and the palette: an input line, and the rows that match it.
import { Box, Text } from 'ink';
import { Table } from 'ink-table';
import type { ReactElement, ReactNode } from 'react';
import type { PanelKind } from '../app/action.ts';
import { inputLine } from '../app/draw.ts';
import { type PanelRow, panelRows } from '../app/panels.ts';
import type { AppState } from '../app/state.ts';
import { toAscii } from '../base/ascii.ts';
import { fit, visible } from '../base/text.ts';
import { Row } from './Row.tsx';
import { styledLine, type Theme } from './theme.ts';

const TITLES: Record<PanelKind, string> = {
  help: 'Help (type to narrow, q or Esc closes) ',
  events: 'Event (Enter selects, Space adds a column) ',
  palette: ': ',
};

// The table's own frame would take two lines per row; a panel has none to spare.
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
      <Row
        text={styledLine(inputLine(label, state.ascii ? toAscii(panel.text) : panel.text, panel.cursor, state.width), theme)}
      />
      {window.length === 0 ? (
        <Text>{cellText(`  nothing matches ${panel.text}`, state.width, state.ascii)}</Text>
      ) : (
        <Table data={cellsOf(window, rows, top, state)} padding={0} skeleton={Bare} header={Heading} cell={Value} />
      )}
    </Box>
  );
}

function cellText(text: string, width: number, ascii: boolean): string {
  const shown = fit(visible(text), width);
  return ascii ? toAscii(shown) : shown;
}

/** Rows of the table, cut to fit: the last column takes the remaining width. */
function cellsOf(window: readonly PanelRow[], all: readonly PanelRow[], top: number, state: AppState): Record<string, string>[] {
  const keys = Object.keys(all[0].cells);
  // Widths take all rows into account, so that they stay the same while scrolling.
  const widths = keys.map((k) => Math.max(k.length, ...all.map((r) => r.cells[k].length)));
  // The table puts a blank on both sides of each cell and a bar between cells and at both ends; one column is for the marker.
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
    const cells = keys.map((key, i): [string, string] => [key, cellText(row.cells[key], Math.max(1, cut[i]), state.ascii)]);
    return Object.fromEntries([[' ', marker], ...cells]);
  });
}
