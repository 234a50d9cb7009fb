// The file that `P` writes: text as on the screen, with all its rows; or the report of the view, by the ending of the file's name.
import { visible } from '../base/text.ts';
import { costFormat } from '../columns/times.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import { plainText } from './draw.ts';
import { type AppState, activeView, contextOf, eventOf, openView } from './state.ts';

export type Form = 'text' | 'json' | 'csv' | 'tsv' | 'svg';

export function formOf(path: string): Form {
  const ending = /\.(json|csv|tsv|svg)$/i.exec(path)?.[1].toLowerCase();
  return ending === 'json' || ending === 'csv' || ending === 'tsv' || ending === 'svg' ? ending : 'text';
}

/** Columns of a written view: more than most screens have, since nobody has to scroll it. */
const WIDTH = 160;
/** A file is for reading: a million routines are written as CSV. */
const MOST_ROWS = 10_000;

/** The whole view as text. */
export function viewText(state: AppState): string {
  const { profile, totals } = state.analysis;
  const context = { ...contextOf(state), width: WIDTH, fills: false };
  const view = openView(state);
  const rows = view.rows(context);
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
  const body = plainText(view.whole(context, MOST_ROWS)).trimEnd();
  const more = rows > MOST_ROWS ? `\n… ${rows - MOST_ROWS} more rows; a file named .csv gets all` : '';
  return `${head.map(visible).join('\n')}\n\n${body}${more}\n`;
}
