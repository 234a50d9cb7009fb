// The text of a saved view: all its rows. The ending of the file name selects another format.
import { visible } from '../base/text.ts';
import { costFormat } from '../columns/times.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import { plainText } from './draw.ts';
import { type AppState, activeView, contextOf, eventOf, openView } from './state.ts';

export type SaveFormat = 'text' | 'json' | 'csv' | 'tsv' | 'svg';

export function saveFormatOf(path: string): SaveFormat {
  const ending = /\.(json|csv|tsv|svg)$/i.exec(path)?.[1].toLowerCase();
  return ending === 'json' || ending === 'csv' || ending === 'tsv' || ending === 'svg' ? ending : 'text';
}

/** Columns of a saved view: more than most screens have, because a file does not scroll. */
const WIDTH = 160;
/** Rows of a saved text file, which people read; CSV has no limit. */
const MOST_ROWS = 10_000;

/** The whole view as text. */
export function viewText(state: AppState): string {
  const { profile, totals } = state.analysis;
  const context = { ...contextOf(state), width: WIDTH, fills: false };
  const view = openView(state);
  const rows = view.rowCount(context);
  const event = eventOf(state);
  const total = event.per ? eventValue(event, totals.total, 0) : exactValue(event, totals.total, 0);
  const mode = view.mode(context, WIDTH);
  const head = [
    `${profile.format}: ${profile.paths.join(' ')}`,
    ...(profile.command === null ? [] : [`command: ${profile.command}`]),
    `event: ${event.name}, total ${costFormat(profile)(total, event.unit)}`,
    `${activeView(state).title}${mode ? `: ${mode}` : ''}`,
    ...(state.filter === '' ? [] : [`filter: ${state.filter}`]),
  ];
  const body = plainText(view.drawAll(context, MOST_ROWS)).trimEnd();
  const more = rows > MOST_ROWS ? `\n… ${rows - MOST_ROWS} more rows; a file named .csv gets all` : '';
  return `${head.map(visible).join('\n')}\n\n${body}${more}\n`;
}
