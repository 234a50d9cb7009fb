// The screen of an open profile: one <Text> per row, with an open panel drawn over the body or its last rows.
import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import type { PanelKind } from '../app/action.ts';
import { drawScreen, inputLine } from '../app/draw.ts';
import { type PanelRow, panelRows, visiblePanelRows } from '../app/panels.ts';
import { type AppState, panelPlace } from '../app/state.ts';
import { toAscii } from '../base/ascii.ts';
import { fit } from '../base/text.ts';
import { cellText, PlainTable, tableFrameWidth } from './PlainTable.tsx';
import { ScreenRow, ScreenRows } from './Row.tsx';
import { styledLine, type Theme } from './theme.ts';

export function Screen({ state, theme }: { readonly state: AppState; readonly theme: Theme }): ReactElement {
  const rows = drawScreen(state).map((line) => styledLine(line, theme));
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

const PANEL_TITLES: Record<PanelKind, string> = {
  help: 'Help: keys, columns, marks (type to narrow) ',
  events: 'Event (Enter selects, Space adds a column) ',
  sort: 'Sort by ',
  options: 'Options (type to narrow) ',
  save: 'Save or copy ',
  palette: ': ',
  transforms: 'Focus (Enter sets it, or type an expression) ',
  bases: 'Compare with (Enter chooses, a path may be typed) ',
};

type PanelProps = { readonly state: AppState; readonly theme: Theme; readonly height: number };

function Panel({ state, theme, height }: PanelProps): ReactElement {
  const panel = state.panel!;
  const rows = panelRows(state);
  const { top, shown } = visiblePanelRows(panel.row, rows.length, height);
  const window = rows.slice(top, top + shown);
  const part = rows.length > window.length ? `${top + 1}-${top + window.length} of ${rows.length}  ` : '';
  const title = PANEL_TITLES[panel.kind] + part;
  const label = fit(title, Math.min(title.length, Math.max(2, state.width - 12)));
  const numbers = rows.length > 0 ? numericHeadings(rows) : [];
  return (
    <Box flexDirection="column">
      <ScreenRow
        text={styledLine(inputLine(label, state.ascii ? toAscii(panel.text) : panel.text, panel.cursor, state.width), theme)}
      />
      {window.length === 0 ? (
        <Text>{cellText(`  ${emptyText(state, panel.text)}`, state.width, state.ascii)}</Text>
      ) : (
        <PlainTable
          rows={window.map((row) => row.cells)}
          cursor={panel.row - top}
          widths={columnWidths(rows, numbers, state.width)}
          right={numbers}
          ascii={state.ascii}
        />
      )}
    </Box>
  );
}

function emptyText({ panel, offers }: AppState, text: string): string {
  if (panel?.kind !== 'bases' || text !== '') return `nothing matches ${text}`;
  return offers ? 'No other profile of this format in this folder; type a path' : 'looking for profiles ...';
}

/** The headings of columns that contain only numbers. */
const numericHeadings = (rows: readonly PanelRow[]): readonly string[] =>
  Object.keys(rows[0].cells).filter(
    (key) =>
      rows.some(({ cells }) => cells[key] !== '') &&
      rows.every(({ cells }) => /^$|^[≈~−-]?\d[\d.,]*( ?[%A-Za-zµ]+)?$/.test(cells[key])),
  );

/**
 * Column widths by heading, from all rows, so that they do not change while scrolling. Numbers are never cut. Texts share the
 * remaining width; short texts leave their unused share to longer ones.
 */
function columnWidths(rows: readonly PanelRow[], numbers: readonly string[], width: number): Record<string, number> {
  const keys = Object.keys(rows[0].cells);
  const widest = (key: string) => Math.max(key.length, ...rows.map(({ cells }) => cells[key].length));
  const widths = Object.fromEntries(keys.map((key) => [key, widest(key)]));
  const texts = keys.filter((key) => !numbers.includes(key)).sort((a, b) => widths[a] - widths[b]);
  let availableWidth = width - tableFrameWidth(keys.length) - numbers.reduce((sum, key) => sum + widths[key], 0);
  for (const [k, key] of texts.entries()) {
    widths[key] = Math.max(MIN_TEXT_WIDTH, Math.min(widths[key], Math.floor(availableWidth / (texts.length - k))));
    availableWidth -= widths[key];
  }
  return widths;
}

const MIN_TEXT_WIDTH = 6;
