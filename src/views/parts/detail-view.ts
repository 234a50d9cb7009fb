// A view of one step or process: rows with a label and a text. Long texts are wrapped, very long ones are also cut.
import type { Background } from '../../base/slices.ts';
import type { Style } from '../../base/style.ts';
import { fit, keepEnds, visible, wrapText } from '../../base/text.ts';

import type { Kind } from '../../model/profile.ts';
import { type Binding, key, type ViewContext } from '../view.ts';
import { drawTextRows, printableFieldText, type TextRow } from './lines.ts';
import { listView, START, type StateWithList } from './list.ts';
import { cacheLast, contentWithoutHeight } from './remembered.ts';

interface DetailState extends StateWithList {
  /** The step or process; -1 if none is selected. */
  readonly step: number;
}

/** Adds a field with a label and a text, unless the text is empty. `opens`: the step or process that Enter opens on its rows. */
export type AddField = (label: string, value: string | null | undefined, style?: Style, opens?: number) => void;

interface DetailRow extends TextRow {
  readonly opens?: number | undefined;
}

type DetailAction = { readonly type: 'open' } | { readonly type: 'neighbour'; readonly by: 1 | -1 };

export interface DetailSpec<Id extends string, K extends Kind> {
  readonly id: Id;
  readonly title: string;
  readonly partOf: string;
  /** The kind of profile, and the name of the report that lists all its steps or processes. */
  readonly kind: K;
  /** The message if no step or process is selected. */
  readonly none: string;
  readonly count: (c: ViewContext<K>) => number;
  readonly name: (step: number, c: ViewContext<K>) => string;
  readonly say: (step: number, c: ViewContext<K>, say: AddField) => void;
  /** All steps in the order of `h` and `l`. Absent: by number. */
  readonly order?: (c: ViewContext<K>) => readonly number[];
  /** A background job whose result is shown when it is ready. */
  readonly waitsFor?: (c: ViewContext<K>) => Background<unknown>;
  /** The separate profile of the step or process, which Enter opens. */
  readonly inner?: {
    readonly help: string;
    readonly path: (step: number, c: ViewContext<K>) => string | null;
    /** The message if the step or process has no separate profile. */
    readonly none: string;
    /** Whether any step or process has a separate profile; if not, the key is not offered. */
    readonly any: (c: ViewContext<K>) => boolean;
  };
  /** The source file of the step or process, for $EDITOR. */
  readonly file: (step: number, c: ViewContext<K>) => string | null;
}

export function fieldRows(label: string, value: string, style: Style, width: number): TextRow[] {
  const textWidth = Math.max(10, width - 14);
  return wrapText(printableFieldText(value), textWidth, textWidth, 1 / 2).map((piece, i) => ({
    text: `  ${fit(i === 0 ? label : '', 10)} ${piece}`,
    style,
  }));
}

/** In fewer cells, a path would be only its end. */
const MIN_PATH_CELLS = 30;

const nameInCells = (name: string, width: number): string =>
  width < MIN_PATH_CELLS ? name : fit(name, width, 'left', 'path').trimEnd();

export function detailView<const Id extends string, K extends 'steps' | 'processes'>(spec: DetailSpec<Id, K>) {
  type Context = ViewContext<K>;
  const { id, title, partOf, kind, inner } = spec;
  const isChosen = (step: number, c: Context) => step >= 0 && step < spec.count(c);
  const rowsOf = (step: number, c: Context) => madeRows({ ...c, step, ready: spec.waitsFor?.(c).ready });
  const madeRows = cacheLast((c: Context & { readonly ready: unknown }): readonly DetailRow[] => {
    const { step } = c;
    if (!isChosen(step, c)) return [{ text: `  ${spec.none}`, style: 'dim' }];
    const rows: DetailRow[] = [{ text: ` ${visible(keepEnds(spec.name(step, c), c.width))}`, style: 'bold' }];
    spec.say(step, c, (label, value, style = 'plain', opens = undefined) => {
      if (value) rows.push(...fieldRows(label, value, style, c.width).map((row) => ({ ...row, opens })));
    });
    return rows;
  }, contentWithoutHeight);
  const innerPath = (step: number, c: Context) => (inner && isChosen(step, c) ? inner.path(step, c) : null);
  const opensAt = ({ step, list }: DetailState, c: Context) => rowsOf(step, c)[list.cursor]?.opens;
  const neighbour = (step: number, by: 1 | -1, c: Context): number | undefined => {
    const order = spec.order?.(c);
    const at = order ? order.indexOf(step) : step;
    const next = order ? order[at + by] : at + by;
    return at >= 0 && isChosen(next, c) ? next : undefined;
  };
  const beside = (keyNames: string, by: 1 | -1, word: string, none: string) =>
    key<DetailState, DetailAction, K>(keyNames, { type: 'neighbour', by }, 'move', `show the ${word} ${id}`, {
      off: ({ step }, c) => (neighbour(step, by, c) === undefined ? `no ${id} ${none}` : undefined),
    });
  const keys: readonly Binding<DetailState, DetailAction, K>[] = [
    key('enter', { type: 'open' }, 'view', `open the ${id} that the row names${inner ? `, else ${inner.help}` : ''}`, {
      footer: 'open',
      off(state, c) {
        if (opensAt(state, c) !== undefined || innerPath(state.step, c) !== null) return undefined;
        return inner?.any(c) ? inner.none : `this row names no other ${id}`;
      },
    }),
    beside('right l', 1, 'next', 'after this one'),
    beside('left h', -1, 'previous', 'before this one'),
  ];
  return listView({
    ...{ id, title, kind, partOf, keys },
    requires: [kind],
    report: { name: kind, ofFocus: false },
    linesAbove: 0,
    unfiltered: true,
    init: (c: Context): DetailState => ({ list: START, step: c.step }),
    findStep: (_, step) => ({ list: START, step }),
    draw: (state, c) => drawTextRows(rowsOf(state.step, c), state.list, c),
    rowCount: (state, c) => rowsOf(state.step, c).length,
    work: (_, c, ms) => spec.waitsFor?.(c).run(ms) ?? true,
    rowText: (state, row, c) => rowsOf(state.step, c)[row].text,
    stepAt: (state) => state.step,
    change(state, action, c): DetailState {
      const step = action.type === 'neighbour' ? neighbour(state.step, action.by, c) : undefined;
      return step === undefined ? state : { list: START, step };
    },
    request(state, action, c) {
      if (action.type !== 'open') return undefined;
      const step = opensAt(state, c);
      if (step !== undefined) return { type: 'show', view: id, step };
      const path = innerPath(state.step, c);
      return path === null ? undefined : { type: 'open-profile', path };
    },
    detail: (state, c) => rowsOf(state.step, c)[state.list.cursor]?.text.trim() ?? '',
    sourcePosition(state, c) {
      const file = isChosen(state.step, c) ? spec.file(state.step, c) : null;
      return file === null ? undefined : { file, line: 1 };
    },
    printed: () => ({ notInReport: `only one ${id}` }),
    mode: (state, c, width) => (isChosen(state.step, c) ? nameInCells(spec.name(state.step, c), width) : ''),
  });
}
