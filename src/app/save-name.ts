// The text of a saved view, with all rows. The file name ending selects the format.
import { visible } from '../base/text.ts';
import { costFormat } from '../columns/times.ts';
import { exactValue } from '../model/head.ts';
import { toPlainText } from './draw.ts';
import { type AppState, activeView, contextOf, eventOf, openView } from './state.ts';

export type SaveFormat = 'text' | 'json' | 'csv' | 'tsv' | 'svg';

export function saveFormatOf(path: string): SaveFormat {
  const ending = /\.(json|csv|tsv|svg)$/i.exec(path)?.[1].toLowerCase();
  return ending === 'json' || ending === 'csv' || ending === 'tsv' || ending === 'svg' ? ending : 'text';
}

/** Width of a saved view in columns. Files do not scroll, so it is wider than most screens. */
const SAVED_WIDTH = 160;
/** Maximum rows of a view saved as text, which people read; CSV is unlimited. */
const MAX_SAVED_ROWS = 10_000;

/** The view as text, with all rows. */
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
