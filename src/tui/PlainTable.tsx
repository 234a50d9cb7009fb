// The small tables of panels, profile list and loading screen, drawn by ink-table. It would take 55 ms for a full screen of rows,
// so views draw their own tables (views/parts/table.ts).
import { Text } from 'ink';
import { Table } from 'ink-table';
import type { ReactElement, ReactNode } from 'react';
import { toAscii } from '../base/ascii.ts';
import { type CutPosition, cellWidth, fit, visible } from '../base/text.ts';

// Replaces the frame of ink-table, which would take two lines per row.
const NoFrame = ({ children }: { readonly children?: ReactNode }): ReactElement | null =>
  children === '│' ? <Text> </Text> : null;

function HeadingCell({ children }: { readonly children?: ReactNode }): ReactElement {
  return (
    <Text underline wrap="truncate-end">
      {children}
    </Text>
  );
}

/** A table cell. ink-table pads by code units, so wide characters get too many blanks, which are cut off here. */
function ValueCell({ children }: { readonly children?: ReactNode }): ReactElement {
  const text = typeof children === 'string' ? children : '';
  const wide = cellWidth(text) - text.length;
  return <Text wrap="truncate-end">{wide > 0 ? text.slice(0, -wide) : text}</Text>;
}

/** The properties of a screen that has such a table. */
export interface ScreenProps<S> {
  readonly state: S;
  readonly width: number;
  readonly height: number;
  readonly ascii: boolean;
}

export interface PlainTableProps {
  /** Cells by heading. */
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly cursor?: number;
  /** Widths by heading, in the order of the columns. */
  readonly widths: Readonly<Record<string, number>>;
  /** Headings of right-aligned columns (numbers). */
  readonly right?: readonly string[];
  /** Where to cut the cells of left-aligned columns. */
  readonly cut?: CutPosition;
  readonly ascii: boolean;
}

export function PlainTable({ rows, cursor, widths, right = [], cut = 'end', ascii }: PlainTableProps): ReactElement {
  const keys = Object.keys(widths);
  const align = (key: string) => (right.includes(key) ? 'right' : 'left');
  const heading = (key: string) => cellText(key, widths[key], ascii, align(key));
  const data = rows.map((row, i) => {
    const marker = cellText(i === cursor ? '▶' : ' ', 1, ascii);
    const cells = keys.map((key): [string, string] => [heading(key), cellText(row[key], widths[key], ascii, align(key), cut)]);
    return Object.fromEntries([[' ', marker], ...cells]);
  });
  return (
    <Table
      data={data}
      columns={[' ', ...keys.map(heading)]}
      padding={0}
      skeleton={NoFrame}
      header={HeadingCell}
      cell={ValueCell}
    />
  );
}

export function cellText(
  text: string,
  width: number,
  ascii: boolean,
  align: 'left' | 'right' = 'left',
  cut: CutPosition = 'end',
): string {
  const fitted = fit(visible(text), Math.max(1, width), align, cut);
  // Text with combined characters has more code units than cells, and ink-table would widen its column.
  return ascii || fitted.length > Math.max(1, width) ? toAscii(fitted) : fitted;
}

const MIN_FLEX_WIDTH = 8;
/** Cells that the table adds to its columns: blanks and bars around each cell, and the marker column. */
export const tableFrameWidth = (columns: number) => (columns + 1) * 2 + columns + 2 + 1;

/**
 * Column widths that fit the screen, by heading. `flex` takes the remaining width; the others are as wide as their cells.
 * If that does not fit, the last columns are left out.
 */
export function fittingColumnWidths(
  rows: readonly Readonly<Record<string, string>>[],
  headings: readonly string[],
  flex: string,
  width: number,
): Record<string, number> {
  const widest = (key: string) => Math.max(key.length, ...rows.map((row) => cellWidth(visible(row[key]))));
  const shownHeadings = [...headings];
  const flexWidth = () =>
    width - tableFrameWidth(shownHeadings.length) - shownHeadings.reduce((sum, key) => sum + (key === flex ? 0 : widest(key)), 0);
  while (flexWidth() < (shownHeadings.includes(flex) ? MIN_FLEX_WIDTH : 0) && shownHeadings.some((key) => key !== flex))
    shownHeadings.splice(shownHeadings.at(-1) === flex ? -2 : -1, 1);
  return Object.fromEntries(
    shownHeadings.map((key) => [key, key === flex ? Math.max(1, Math.min(widest(key), flexWidth())) : widest(key)]),
  );
}
