// Writes a view to a new file: as it looks, or as data.
import { homedir } from 'node:os';
import { baseName } from '../analysis/names/names.ts';
import { printedOf } from '../app/print-command.ts';
import { formOf, viewText } from '../app/save-name.ts';
import { type AppState, activeView, contextOf } from '../app/state.ts';
import { compileFilter } from '../base/match.ts';
import { safeLines } from '../base/safe-text.ts';
import { exporterOf, exporters } from '../exports/index.ts';
import { writePieces } from '../io/disk/pieces.ts';
import { NewFile } from '../io/disk/writing.ts';
import { reports } from '../reports/index.ts';
import type { Write } from '../reports/pieces.ts';
import { matchesIn, type ReportContext } from '../reports/report.ts';

/** Returns the path of the file, which must not exist yet. */
export async function writeView(
  wanted: string,
  state: AppState,
  version: string,
  places: Pick<ReportContext, 'source' | 'baseSource'>,
): Promise<string> {
  const path = wanted.replace(/^~(?=\/|$)/, homedir());
  let file: NewFile | undefined;
  try {
    await viewPieces(path, state, version, places, async (piece) => {
      // None for a view that cannot be written.
      file ??= new NewFile(path);
      file.write(Buffer.from(piece));
    });
  } catch (error) {
    file?.abandon();
    throw error;
  }
  file?.finish();
  return path;
}

/** Writes the profile as it is shown, in the format that the ending of the file's name says; the file must not exist yet. Returns its path. */
export async function exportProfile(wanted: string, state: AppState, version: string): Promise<string> {
  const path = wanted.replace(/^~(?=\/|$)/, homedir());
  const exporter = exporterOf(path);
  if (!exporter)
    throw new Error(`the file ending selects the format: ${exporters.map((e) => `${e.endings[0]} (${e.name})`).join(', ')}`);
  const none = () => 'exports contain no sources';
  const context = { ...reportContext(state, { source: none }), matches: () => true, filtered: false };
  const why = exporter.refusal(context);
  if (why !== undefined) throw new Error(`${exporter.name}: ${why}`);
  const gzip = exporter.gzip === true || path.endsWith('.gz');
  await writePieces(path, { replace: false, gzip }, (put) => exporter.write(context, version, put));
  return path;
}

/** The contents of the file, by the ending of its name. */
export async function viewPieces(
  path: string,
  state: AppState,
  version: string,
  places: Pick<ReportContext, 'source' | 'baseSource'>,
  write: Write,
): Promise<void> {
  const form = formOf(path);
  if (form === 'text') return write(safeLines(viewText(state)));
  const { report: head, title } = activeView(state);
  const { unsaid, chosen, report: name = head.name } = printedOf(state);
  const report = reports.find((r) => r.name === name);
  if (!report || (unsaid !== undefined && !chosen))
    throw new Error(`${unsaid ?? title} can only be written as text; end the name with .txt`);
  const context = reportContext(state, places);
  if (form === 'svg' && !report.forms.has(form))
    throw new Error(`${title} cannot be drawn; end the name with .txt, .json, .csv or .tsv`);
  return report.write(form, context, version, write);
}

/** The context that `--print` would use. */
function reportContext(state: AppState, places: Pick<ReportContext, 'source' | 'baseSource'>): ReportContext {
  const context = contextOf(state);
  const { sort, inverted = false, routine, chosen } = printedOf(state);
  const filter = activeView(state).unfiltered ? '' : state.filter;
  return {
    ...context,
    ...places,
    medium: 'text',
    ascii: state.ascii,
    sort,
    limit: Number.POSITIVE_INFINITY,
    matches: matchesIn(state.analysis.profile, compileFilter(filter)),
    filtered: filter !== '',
    routine: activeView(state).report.ofFocus ? state.focus : routine,
    inverted,
    chosen,
    threshold: undefined,
    csvSafe: false,
    run: baseName(state.analysis.profile.paths[0] ?? ''),
    byContext: false,
    at: undefined,
    instrText: () => {
      const known = state.disassembly.get(state.focus);
      return typeof known === 'object' ? known : undefined;
    },
  };
}
