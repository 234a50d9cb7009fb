// A view of one thing, a label and a text a row: steps, processes. Texts are broken over rows, and cut where nobody reads on.
import { cutEnd, fit, visible } from '../../base/text.ts';
import { formatCount } from '../../base/units.ts';
import type { TableName } from '../../model/profile.ts';
import type { Binding, ScreenLine, Style, View, ViewContext } from '../view.ts';
import { at, LIST_KEYS, type List, moveList, START } from './list.ts';

export interface DetailState {
  readonly list: List;
  /** Row of the table; -1 where none was chosen. */
  readonly step: number;
}

interface Row {
  readonly text: string;
  readonly style: Style;
}

/** Text beyond this of one field is cut: a link command may have 200,000 characters. */
const LONGEST = 20_000;

/** Says one field; empty ones are left out. */
export type Say = (label: string, value: string | null | undefined, style?: Style) => void;

export interface DetailSpec {
  readonly id: string;
  readonly title: string;
  readonly digit: string;
  readonly requires: readonly TableName[];
  readonly report: string;
  /** What stands there where nothing is chosen. */
  readonly none: string;
  readonly count: (c: ViewContext) => number;
  readonly name: (step: number, c: ViewContext) => string;
  readonly say: (step: number, c: ViewContext, say: Say) => void;
  /** A profile of it, which a key opens. */
  readonly inner?: {
    readonly help: string;
    readonly path: (step: number, c: ViewContext) => string | null;
    /** Why there is none. */
    readonly none: string;
  };
  /** A file of it, for $EDITOR. */
  readonly file: (step: number, c: ViewContext) => string | null;
}

export function detailView(spec: DetailSpec): View<DetailState> {
  const chosen = (step: number, c: ViewContext) => step >= 0 && step < spec.count(c);
  function rowsOf(step: number, c: ViewContext): Row[] {
    if (!chosen(step, c)) return [{ text: `  ${spec.none}`, style: 'dim' }];
    const rows: Row[] = [{ text: ` ${visible(spec.name(step, c))}`, style: 'bold' }];
    spec.say(step, c, (label, value, style = 'plain') => {
      if (value === null || value === undefined || value === '') return;
      const long = value.length > LONGEST ? ` … (${formatCount(value.length)} characters)` : '';
      const room = Math.max(10, c.width - 14);
      for (let rest = visible(value.slice(0, LONGEST)) + long, first = true; rest !== ''; first = false) {
        let piece = cutEnd(rest, room);
        const blank = piece.length < rest.length ? piece.lastIndexOf(' ') : -1;
        if (blank > room / 2) piece = piece.slice(0, blank + 1);
        if (piece === '') break;
        rows.push({ text: `  ${fit(first ? label : '', 10)} ${piece}`, style });
        rest = rest.slice(piece.length);
      }
    });
    return rows;
  }
  const { inner } = spec;
  const open: readonly Binding<DetailState>[] = inner
    ? [
        {
          keys: ['t'],
          action: { type: 'inner' },
          help: inner.help,
          group: 'view',
          footer: 'trace',
          off: (state, c) => (chosen(state.step, c) && inner.path(state.step, c) !== null ? undefined : inner.none),
        },
      ]
    : [];
  return {
    id: spec.id,
    title: spec.title,
    digit: spec.digit,
    requires: spec.requires,
    report: spec.report,
    keys: [...(LIST_KEYS as readonly Binding<DetailState>[]), ...open],
    asks(state, action, c) {
      const path = action.type === 'inner' && chosen(state.step, c) ? spec.inner?.path(state.step, c) : null;
      return path ? { type: 'open-profile', path } : undefined;
    },
    init: (c) => ({ list: START, step: c.step }),
    update(state, action, c) {
      if (action.type === 'find-step') return { list: START, step: action['step'] as number };
      return { ...state, list: moveList(state.list, action, rowsOf(state.step, c).length, c.height) };
    },
    draw(state, c) {
      const rows = rowsOf(state.step, c);
      const out: ScreenLine[] = [];
      for (let i = state.list.top; i < rows.length && out.length < c.height; i++) {
        const cursor = i === state.list.cursor;
        out.push({
          spans: [
            [cursor ? (c.ascii ? '>' : '▶') : ' ', 'plain'],
            [fit(rows[i].text, c.width - 1), rows[i].style, cursor],
          ],
          ...(cursor ? { cursor } : {}),
        });
      }
      while (out.length < c.height) out.push({ spans: [] });
      return out;
    },
    rows: (state, c) => rowsOf(state.step, c).length,
    cursor: (state) => state.list.cursor,
    moveTo: (state, row, c) => ({ ...state, list: at(state.list, row, rowsOf(state.step, c).length, c.height) }),
    rowText: (state, row, c) => rowsOf(state.step, c)[row].text,
    routineAt: () => -1,
    stepAt: (state) => state.step,
    detail: (state, c) => rowsOf(state.step, c)[state.list.cursor]?.text.trim() ?? '',
    place(state, c) {
      const file = chosen(state.step, c) ? spec.file(state.step, c) : null;
      return file === null ? undefined : { file, line: 1 };
    },
    mode: (state, c) => (chosen(state.step, c) ? spec.name(state.step, c) : ''),
  };
}
