// The small tables of panels, chooser and loading screen, by ink-table. A screen of its rows takes 55 ms: Routines and the other views
// draw lines instead (views/parts/table.ts).
import { Text } from 'ink';
import { Table } from 'ink-table';
import type { ReactElement, ReactNode } from 'react';
import { toAscii } from '../base/ascii.ts';
import { type Cut, cellWidth, fit, visible } from '../base/text.ts';

// The table's own frame would take two lines per row; there are none to spare.
function Bare({ children }: { readonly children?: ReactNode }): ReactElement | null {
  return children === '│' ? <Text> </Text> : null;
}

function Heading({ children }: { readonly children?: ReactNode }): ReactElement {
  return (
    <Text underline wrap="truncate-end">
      {children}
    </Text>
  );
}

/** The table counts code units where the screen has cells: a wide character gets a blank too many after the text. */
function Value({ children }: { readonly children?: ReactNode }): ReactElement {
  const text = typeof children === 'string' ? children : '';
  const wide = cellWidth(text) - text.length;
  return <Text wrap="truncate-end">{wide > 0 ? text.slice(0, -wide) : text}</Text>;
}

export interface PlainTableProps {
  /** Cells by heading. */
  readonly rows: readonly Readonly<Record<string, string>>[];
  /** The row with the marker. */
  readonly cursor?: number;
  /** Widths by heading, in the order of the columns. */
  readonly widths: Readonly<Record<string, number>>;
  /** Headings of numbers. */
  readonly right?: readonly string[];
  /** Where the other cells are cut. */
  readonly cut?: Cut;
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
  return <Table data={data} columns={[' ', ...keys.map(heading)]} padding={0} skeleton={Bare} header={Heading} cell={Value} />;
}

export function cellText(
  text: string,
  width: number,
  ascii: boolean,
  align: 'left' | 'right' = 'left',
  cut: Cut = 'end',
): string {
  const shown = fit(visible(text), Math.max(1, width), align, cut);
  // Combined characters have more code units than cells, which the table would make room for.
  return ascii || shown.length > Math.max(1, width) ? toAscii(shown) : shown;
}

const LEAST = 8;
/** Cells that the table itself takes for columns, the marker's among them: blanks and bars around each cell, and the marker. */
export const frameOf = (columns: number) => (columns + 1) * 2 + columns + 2 + 1;

/**
 * Widths that fit the screen, by heading: `flex` gives way to the others, which are as wide as their cells. If even that does not fit, the last
 * columns are left out.
 */
export function widthsFor(
  rows: readonly Readonly<Record<string, string>>[],
  headings: readonly string[],
  flex: string,
  width: number,
): Record<string, number> {
  const widest = (key: string) => Math.max(key.length, ...rows.map((row) => cellWidth(visible(row[key]))));
  const kept = [...headings];
  const room = () => width - frameOf(kept.length) - kept.reduce((sum, key) => sum + (key === flex ? 0 : widest(key)), 0);
  while (room() < (kept.includes(flex) ? LEAST : 0) && kept.some((key) => key !== flex))
    kept.splice(kept.at(-1) === flex ? -2 : -1, 1);
  return Object.fromEntries(kept.map((key) => [key, key === flex ? Math.max(1, Math.min(widest(key), room())) : widest(key)]));
}
