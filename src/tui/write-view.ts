// Writes a view to a new file as text or data, or exports the profile.

import { toPlainText } from '../app/draw.ts';
import { printedViewOf } from '../app/print-command.ts';
import { type AppState, activeView, appliesFilter, contextOf, eventOf, openView } from '../app/state.ts';
import { baseName } from '../base/paths.ts';
import { safeLines, visible } from '../base/safe-text.ts';
import { costFormat } from '../columns/times.ts';
import { exporterForPath, exporters } from '../exports/index.ts';
import { writePieces } from '../io/disk/pieces.ts';
import { expandHome } from '../io/disk/private-folder.ts';
import { exactValue } from '../model/head.ts';
import { reports } from '../reports/index.ts';
import type { WriteText } from '../reports/pieces.ts';
import { filterFields, type ReportContext } from '../reports/report.ts';

type Sources = Pick<ReportContext, 'source' | 'baseSource'>;

/** Writes the view to a file that must not exist yet. Returns the path of the file. */
export async function writeView(wanted: string, state: AppState, version: string, sources: Sources): Promise<string> {
  const path = expandHome(wanted);
  await writePieces(path, { replace: false, gzip: false }, (put) => writeViewPieces(path, state, version, sources, put));
  return path;
}

/** Exports the shown profile to a file that must not exist yet. The file name ending selects the format. Returns the path. */
export async function exportProfile(wanted: string, state: AppState, version: string): Promise<string> {
  const path = expandHome(wanted);
  const exporter = exporterForPath(path);
  if (!exporter)
    throw new Error(`the file ending selects the format: ${exporters.map((e) => `${e.endings[0]} (${e.name})`).join(', ')}`);
  const noSource = () => 'exports contain no sources';
  const context = { ...reportContextOf(state, { source: noSource }), matches: () => true, filtered: false };
  const why = exporter.refusal(context);
  if (why !== undefined) throw new Error(`${exporter.name}: ${why}`);
  const gzip = exporter.gzip === true || path.endsWith('.gz');
  await writePieces(path, { replace: false, gzip }, (put) => exporter.write(context, version, put));
  return path;
}

/** The forms of data, by the endings of file names; any other ending means text. */
const DATA_FORMS = ['json', 'csv', 'tsv', 'svg'] as const;

/** Writes the view in pieces. The file name ending selects the format. */
export async function writeViewPieces(path: string, state: AppState, version: string, sources: Sources, write: WriteText) {
  const form = DATA_FORMS.find((one) => path.toLowerCase().endsWith(`.${one}`));
  if (form === undefined) return write(safeLines(wholeViewText(state)));
  const { report: head, title } = activeView(state);
  const { notInReport, shownRows, report: name = head.name } = printedViewOf(state);
  const report = reports.find((r) => r.name === name);
  if (!report || (notInReport !== undefined && !shownRows))
    throw new Error(`${notInReport ?? title} can only be written as text; end the name with .txt`);
  const context = reportContextOf(state, sources);
  if (form === 'svg' && !report.forms.has(form))
    throw new Error(`${title} cannot be drawn; end the name with .txt, .json, .csv or .tsv`);
  return report.write(form, context, version, write);
}

/** The report context that `--print` would use for this state. */
function reportContextOf(state: AppState, sources: Sources): ReportContext {
  const context = contextOf(state);
  const { sort, inverted = false, routine, shownRows } = printedViewOf(state);
  const code = state.disassembly.get(state.focus);
  return {
    ...context,
    ...sources,
    medium: 'text',
    ascii: state.ascii,
    sort,
    limit: Number.POSITIVE_INFINITY,
    ...filterFields(state.analysis.profile, appliesFilter(state) ? state.filter : ''),
    routine: activeView(state).report.ofFocus ? state.focus : routine,
    inverted,
    chosen: shownRows,
    run: baseName(state.analysis.profile.paths[0] ?? ''),
    code: typeof code === 'object' ? code : undefined,
  };
}

/** Width of a saved view in columns. Files do not scroll, so it is wider than most screens. */
const SAVED_WIDTH = 160;
/** Maximum rows of a view saved as text, which people read; CSV is unlimited. */
const MAX_SAVED_ROWS = 10_000;

export function wholeViewText(state: AppState): string {
  const { profile, totals } = state.analysis;
  const context = { ...contextOf(state), width: SAVED_WIDTH, fills: false };
  const view = openView(state);
  const rows = view.rowCount(context);
  const event = eventOf(state);
  const mode = view.mode(context, SAVED_WIDTH);
  const head = [
    `${profile.format}: ${profile.paths.join(' ')}`,
    ...(profile.command === null ? [] : [`command: ${profile.command}`]),
    `event: ${event.name}, total ${costFormat(profile)(exactValue(event, totals.total, 0), event.unit)}`,
    `${activeView(state).title}${mode ? `: ${mode}` : ''}`,
    ...(state.filter === '' ? [] : [`filter: ${state.filter}`]),
  ];
  const body = toPlainText(view.drawAll(context, MAX_SAVED_ROWS)).trimEnd();
  const more = rows > MAX_SAVED_ROWS ? `\n… ${rows - MAX_SAVED_ROWS} more rows; a file named .csv gets all` : '';
  return `${head.map(visible).join('\n')}\n\n${body}${more}\n`;
}
