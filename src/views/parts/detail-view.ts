// A view of a single step or process: rows of a label and a text. Long texts are wrapped; very long ones are cut.
import type { Background } from '../../base/background.ts';
import type { Style } from '../../base/style.ts';
import { ends, fit, visible, wrapped } from '../../base/text.ts';
import type { Question } from '../../model/head.ts';
import type { Kind } from '../../model/profile.ts';
import { entry } from '../open-view.ts';
import { type Binding, key, type ViewContext } from '../view.ts';
import { drawLines, fieldText, type TextRow } from './lines.ts';
import { type List, listView, START } from './list.ts';
import { remembered } from './remembered.ts';

interface DetailState {
  readonly list: List;
  /** Row of the table; -1 if none was chosen. */
  readonly step: number;
}

interface DetailAction {
  readonly type: 'inner';
}

/** Adds one field; empty ones are left out. */
export type Say = (label: string, value: string | null | undefined, style?: Style) => void;

export interface DetailSpec<Id extends string, K extends Kind> {
  readonly id: Id;
  readonly title: string;
  readonly digit: string;
  readonly asks: readonly Question[];
  readonly of: (context: ViewContext) => ViewContext<K>;
  readonly report: string;
  /** The text shown when nothing is chosen. */
  readonly none: string;
  readonly count: (c: ViewContext<K>) => number;
  readonly name: (step: number, c: ViewContext<K>) => string;
  readonly say: (step: number, c: ViewContext<K>, say: Say) => void;
  /** Worked out between keys; until it is ready, nothing is said of it. */
  readonly waitsFor?: (c: ViewContext<K>) => Background<unknown>;
  /** A profile of the item itself, which a key opens. */
  readonly inner?: {
    readonly help: string;
    readonly path: (step: number, c: ViewContext<K>) => string | null;
    /** Why there is none. */
    readonly none: string;
    /** Whether any item has one: else its key is left out. */
    readonly any: (c: ViewContext<K>) => boolean;
  };
  /** The item's file, for $EDITOR. */
  readonly file: (step: number, c: ViewContext<K>) => string | null;
}

/** A label, and a text on as many lines as it needs. */
export function fieldRows(label: string, value: string, style: Style, width: number): TextRow[] {
  const room = Math.max(10, width - 14);
  return wrapped(fieldText(value), room, room, 1 / 2).map((piece, i) => ({
    text: `  ${fit(i === 0 ? label : '', 10)} ${piece}`,
    style,
  }));
}

export function detailView<const Id extends string, K extends Kind>(spec: DetailSpec<Id, K>) {
  type Context = ViewContext<K>;
  const { id, title, digit, asks, of, inner } = spec;
  const chosen = (step: number, c: Context) => step >= 0 && step < spec.count(c);
  const rowsOf = (step: number, c: Context): readonly TextRow[] => madeRows({ ...c, ready: spec.waitsFor?.(c).ready }, step);
  const madeRows = remembered((c: Context & { readonly ready: unknown }, step: number): readonly TextRow[] => {
    if (!chosen(step, c)) return [{ text: `  ${spec.none}`, style: 'dim' }];
    const rows: TextRow[] = [{ text: ` ${visible(ends(spec.name(step, c), c.width))}`, style: 'bold' }];
    spec.say(step, c, (label, value, style = 'plain') => {
      if (value) rows.push(...fieldRows(label, value, style, c.width));
    });
    return rows;
  });
  const innerPath = (step: number, c: Context) => (inner && chosen(step, c) ? inner.path(step, c) : null);
  const keys: readonly Binding<DetailState, DetailAction, K>[] = inner
    ? [
        key('enter', { type: 'inner' }, 'view', inner.help, {
          footer: 'trace',
          usable: inner.any,
          off: (state, c) => (innerPath(state.step, c) === null ? inner.none : undefined),
        }),
      ]
    : [];
  return entry(
    listView({
      ...{ id, title, digit, asks, of, keys },
      report: { name: spec.report, ofFocus: false },
      above: 0,
      unfiltered: true,
      init: (c: Context): DetailState => ({ list: START, step: c.step }),
      findStep: (_, step) => ({ list: START, step }),
      draw: (state, c) => drawLines(rowsOf(state.step, c), state.list, c),
      rows: (state, c) => rowsOf(state.step, c).length,
      work: (_, c, ms) => spec.waitsFor?.(c).run(ms) ?? true,
      rowText: (state, row, c) => rowsOf(state.step, c)[row].text,
      stepAt: (state) => state.step,
      request(state, _, c) {
        const path = innerPath(state.step, c);
        return path === null ? undefined : { type: 'open-profile', path };
      },
      detail: (state, c) => rowsOf(state.step, c)[state.list.cursor]?.text.trim() ?? '',
      place(state, c) {
        const file = chosen(state.step, c) ? spec.file(state.step, c) : null;
        return file === null ? undefined : { file, line: 1 };
      },
      printed: () => ({ unsaid: `one ${id} alone` }),
      mode: (state, c) => (chosen(state.step, c) ? spec.name(state.step, c) : ''),
    }),
  );
}
