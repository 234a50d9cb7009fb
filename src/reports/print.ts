// Writes a report as text, JSON, CSV or TSV.

import { cellWidth, fit, visible } from '../base/text.ts';
import { formatCost, formatCount } from '../base/units.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import type { Json, Report, ReportColumn, ReportContext, Row } from './report.ts';

/** Takes text; waits where the reader is slow. */
export type Write = (text: string) => Promise<void>;

/** What JSON.stringify leaves as it is and a terminal acts on: DEL, C1 controls, bidirectional and zero-width characters. */
const ACTIVE = /[\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

export function toJson(value: unknown): string {
  const text = JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? v.toString() : v));
  return text.replace(ACTIVE, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
}

export async function printJson(report: Report, context: ReportContext, version: string, write: Write): Promise<void> {
  const { analysis } = context;
  const { profile, totals } = analysis;
  const head = {
    proftui: version,
    view: report.name,
    format: profile.format,
    paths: profile.paths,
    event: context.event.name,
    events: analysis.events.map((e) => ({
      name: e.name,
      unit: e.unit,
      ...(e.longName ? { longName: e.longName } : {}),
      ...(e.formula ? { formula: e.formula } : {}),
    })),
    totals: Object.fromEntries(analysis.events.map((e) => [e.name, exactValue(e, totals.total, 0)])),
    percentagesOf: Object.fromEntries(analysis.events.filter((e) => !e.per).map((e) => [e.name, eventValue(e, totals.whole, 0)])),
    warnings: [...(profile.cut ? [profile.cut] : []), ...profile.warnings].map(
      ({ path, line, offset, expected, found, hint }) => ({
        path,
        ...(line === undefined ? {} : { line }),
        ...(offset === undefined ? {} : { offset }),
        expected,
        found,
        ...(hint === undefined ? {} : { hint }),
      }),
    ),
    ...(report.extra?.(context) ?? {}),
  };
  const { array = false } = report;
  const rows = report.rows(context)[Symbol.iterator]();
  // The first row is made before anything is written: a report that cannot be made writes nothing.
  let next = rows.next();
  let held = array ? '[' : toJson(head).slice(0, -1) + ',"rows":[';
  for (let first = true; !next.done; next = rows.next(), first = false) {
    held += (first ? '\n' : ',\n') + toJson(next.value);
    if (held.length > 1 << 16) {
      await write(held);
      held = '';
    }
  }
  await write(held + (array ? '\n]\n' : '\n]}\n'));
}

/** Every value of a row under a name of its own: objects as `self.Ir`, lists as JSON. */
function flatten(row: Row, prefix = '', into: Record<string, string> = {}): Record<string, string> {
  for (const [key, value] of Object.entries(row)) {
    if (value === undefined) continue;
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) flatten(value as Row, `${prefix}${key}.`, into);
    else into[prefix + key] = plain(value);
  }
  return into;
}

function plain(value: Json): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.length === 0 ? '' : toJson(value);
  return visible(String(value));
}

export async function printSeparated(report: Report, context: ReportContext, form: 'csv' | 'tsv', write: Write): Promise<void> {
  const quote = (cell: string) =>
    form === 'csv' ? (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell) : cell.replaceAll('\t', ' ');
  const separator = form === 'csv' ? ',' : '\t';
  const end = form === 'csv' ? '\r\n' : '\n';
  let keys: string[] | undefined;
  let held = '';
  for (const row of report.rows(context)) {
    const cells = flatten(row);
    if (!keys) {
      keys = [...new Set([...Object.keys(cells), ...(report.optional ?? [])])];
      held += keys.map(quote).join(separator) + end;
    }
    held += keys.map((k) => quote(cells[k] ?? '')).join(separator) + end;
    if (held.length > 1 << 16) {
      await write(held);
      held = '';
    }
  }
  await write(held);
}

const GAP = 1;
const LEAST_FLEX = 12;

export async function printText(report: Report, context: ReportContext, width: number, write: Write): Promise<void> {
  const { profile, totals } = context.analysis;
  const columns = report.columns(context).filter((c) => width >= (c.from ?? 0));
  const cells: (string[] | string)[] = [columns.map((c) => c.title)];
  let group: string | undefined;
  let count = 0;
  let more = false;
  // One row more than is shown tells whether there are any.
  for (const row of columns.length === 0 ? [] : report.rows({ ...context, limit: context.limit + 1 })) {
    if (count === context.limit) {
      more = true;
      break;
    }
    const g = report.group?.(row);
    if (g !== undefined && g !== group) cells.push((group = g));
    cells.push(columns.map((c) => visible(c.cell(row))));
    for (const under of report.under?.(row) ?? []) cells.push(columns.map((c) => visible(c.cell(under))));
    count++;
  }
  const out: string[] = [];
  out.push(`${profile.format}: ${visible(profile.paths.join(' '))}`);
  if (profile.command !== null) out.push(`command: ${visible(profile.command)}`);
  if (profile.cut) out.push(`warning: the file was cut off; this is what was whole (line ${profile.cut.line ?? '?'})`);
  for (const w of profile.warnings.slice(0, 5)) out.push(`warning: ${w.line ? `line ${w.line}: ` : ''}${visible(w.found)}`);
  if (profile.warnings.length > 5) out.push(`warning: and ${profile.warnings.length - 5} more`);
  const total = exactValue(context.event, totals.total, 0);
  if (report.name !== 'summary')
    out.push(
      `event: ${context.event.name}${context.event.longName ? ` (${context.event.longName})` : ''}, total ${formatCost(total, context.event.unit)}`,
    );
  for (const line of report.head?.(context) ?? []) out.push(visible(line));
  // Reasons are for reading whole; only rows are cut.
  out.splice(0, out.length, ...out.flatMap((line) => wrap(line, width)));
  if (columns.length > 0) out.push('', ...alignText(columns, cells, width));
  const rows = report.name === 'routines' && !context.filtered ? profile.routines.name.length : undefined;
  if (more) out.push(rows === undefined ? '… more rows (--limit N)' : `… ${formatCount(rows - count)} more (--limit N)`);
  for (const line of report.foot?.(context) ?? []) out.push(visible(line));
  await write(out.map((line) => cutLine(line, width)).join('\n') + '\n');
}

function cutLine(line: string, width: number): string {
  const trimmed = line.trimEnd();
  return cellWidth(trimmed) > width ? fit(trimmed, width) : trimmed;
}

/** Lines of at most `width` cells, broken at blanks, the second and later ones indented. */
function wrap(text: string, width: number): string[] {
  const out: string[] = [];
  for (const word of text.split(' ')) {
    const last = out.at(-1);
    if (last !== undefined && cellWidth(last) + 1 + cellWidth(word) <= width) out[out.length - 1] = `${last} ${word}`;
    else out.push(out.length === 0 ? word : `  ${word}`);
  }
  return out;
}

/** Aligned lines of at most `width` cells: fixed columns as wide as they need, the rest shared by the flexible ones. */
function alignText(columns: readonly ReportColumn[], cells: readonly (string[] | string)[], width: number): string[] {
  const need = columns.map((_, c) =>
    Math.max(
      ...cells.map((row) => (typeof row === 'string' ? 0 : cellWidth(row[c].length > 4096 ? row[c].slice(0, 4096) : row[c]))),
    ),
  );
  const widths = [...need];
  const flexible = columns.flatMap((c, i) => (c.flex ? [i] : []));
  const fixed = columns.reduce((n, c, i) => n + (c.flex ? 0 : need[i]), 0) + GAP * (columns.length - 1);
  let left = Math.max(width - fixed, LEAST_FLEX * flexible.length);
  // The first flexible column (the name) matters most: it gets half of what is left before the others share.
  flexible.forEach((i, k) => {
    const after = flexible.length - k - 1;
    const share = after === 0 ? left : Math.max(Math.floor(left / 2), left - after * 24);
    widths[i] = Math.min(need[i], Math.max(LEAST_FLEX, share));
    left -= widths[i];
  });
  return cells.map((row) =>
    typeof row === 'string'
      ? row
      : row
          .map((cell, c) =>
            c === row.length - 1 && cellWidth(cell) <= widths[c] && columns[c].align === 'left'
              ? cell
              : fit(cell, widths[c], columns[c].align, columns[c].flex ?? 'end'),
          )
          .join(' '.repeat(GAP)),
  );
}
