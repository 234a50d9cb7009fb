// The choice of a profile in a folder, or of the recently opened ones: its keys, and its screen.
import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import { baseName } from '../analysis/names/names.ts';
import { keyLabel } from '../app/keymap.ts';
import { fit, visible } from '../base/text.ts';
import { formatBytes, formatCount } from '../base/units.ts';
import { timeText } from '../columns/times.ts';
import type { Found } from '../io/find.ts';
import { cellText, PlainTable, widthsFor } from './PlainTable.tsx';

/** The state of a choice. */
export interface Choice {
  /** undefined for the recently opened ones. */
  readonly folder: string | undefined;
  readonly all: readonly Found[];
  /** Into the profiles that match. */
  readonly row: number;
  /** The text that narrows the list. */
  readonly text: string;
  readonly isTyping: boolean;
  /** A line above the keys. */
  readonly said: string;
}

export const newChoice = (folder: string | undefined, all: readonly Found[], row: number): Choice => ({
  ...{ folder, all, row, text: '', isTyping: false, said: '' },
});

/** The profiles that match what was typed. */
export function matching({ all, text }: Choice): readonly Found[] {
  const wanted = text.toLowerCase();
  return all.filter(({ path, format }) => `${baseName(path)} ${format}`.toLowerCase().includes(wanted));
}

const atRow = (choice: Choice, row: number): Choice => ({
  ...choice,
  row: Math.max(0, Math.min(matching(choice).length - 1, row)),
});

const MOVES = new Map(
  Object.entries({ j: 1, down: 1, k: -1, up: -1, pagedown: 10, space: 10, 'ctrl-f': 10, pageup: -10, b: -10, 'ctrl-b': -10 }),
);
const HELP = 'j k ↑ ↓ Space b g G move · Enter open · / narrow by name or format · Esc all · q ^C quit';

/** The choice after a key; a path where the key opens one. `typed`: its text. */
export function chooserKey(choice: Choice, name: string, typed: string): Choice | { readonly open: string } {
  const quiet: Choice = { ...choice, said: '' };
  if (name === 'enter') {
    const chosen = matching(choice)[choice.row];
    return chosen ? { open: chosen.path } : { ...choice, said: `No profile matches ${choice.text}; Esc shows all` };
  }
  if (name === 'esc') return { ...quiet, text: '', isTyping: false, row: 0 };
  if (choice.isTyping) {
    if (name === 'backspace') return { ...quiet, text: choice.text.slice(0, -1), row: 0 };
    if (name === 'ctrl-u') return { ...quiet, text: '', row: 0 };
    if (typed !== '' && !name.startsWith('ctrl-')) return { ...quiet, text: choice.text + typed, row: 0 };
  }
  const by = MOVES.get(name);
  if (by !== undefined) return atRow(quiet, choice.row + by);
  if (name === 'g' || name === 'home') return atRow(quiet, 0);
  if (name === 'G' || name === 'end') return atRow(quiet, choice.all.length);
  if (name === '/') return { ...quiet, isTyping: true };
  return { ...choice, said: name === '?' ? HELP : `${keyLabel(name)} does nothing here; ? lists the keys` };
}

/** The choice after a click on a line, counted from 0, or the wheel. */
export function chooserPointed(
  choice: Choice,
  height: number,
  action: { readonly type: string; readonly y: number; readonly by?: number },
): Choice | { readonly open: string } {
  if (action.type === 'wheel') return atRow(choice, choice.row + (action.by ?? 0) * 3);
  const { top, shown } = chooserWindow(choice, height);
  const line = action.y - CHOOSER_HEAD;
  const row = line >= 0 && line < shown && top + line < matching(choice).length ? top + line : undefined;
  if (row === undefined) return choice;
  return row === choice.row ? chooserKey(choice, 'enter', '') : atRow(choice, row);
}

/** Lines of the chooser above its rows. */
const CHOOSER_HEAD = 2;

/** The rows that the chooser shows. */
function chooserWindow(choice: Choice, height: number) {
  const shown = Math.max(1, height - CHOOSER_HEAD - 2);
  return { top: Math.max(0, Math.min(choice.row - (shown >> 1), matching(choice).length - shown)), shown };
}

export function Chooser({
  state,
  width,
  height,
  ascii,
}: {
  readonly state: Choice & { readonly nowMs: number };
  readonly width: number;
  readonly height: number;
  readonly ascii: boolean;
}): ReactElement {
  const { top, shown } = chooserWindow(state, height);
  const found = matching(state);
  const { rows, headings, right, shared } = choiceTable(state, found.slice(top, top + shown), width);
  const title = state.folder === undefined ? 'No profile here. Recently opened:' : `Profiles in ${state.folder}, newest first`;
  const asked = state.isTyping || state.text !== '' ? ` / ${state.text}${state.isTyping ? '▏' : ''}` : '';
  const said = asked || ` ${state.said}`;
  return (
    <Box flexDirection="column">
      <Text bold wrap="truncate-end">
        {cellText(` ${title}`, width, ascii)}
      </Text>
      {rows.length > 0 ? (
        <PlainTable
          rows={rows}
          cursor={state.row - top}
          widths={widthsFor(rows, headings, 'profile', width)}
          right={right}
          cut={shared > 0 ? 'end' : 'middle'}
          ascii={ascii}
        />
      ) : (
        <Text>{cellText(` No profile matches ${state.text}; Esc shows all`, width, ascii)}</Text>
      )}
      <Text wrap="truncate-end">{cellText(said, width, ascii)}</Text>
      <Text wrap="truncate-end">{cellText(' Enter open · j/k move · / narrow · ? keys · q quit', width, ascii)}</Text>
    </Box>
  );
}

/** The facts that distinguish the profiles: for kept builds their subject, of which a narrow screen has no room for all. */
function choiceTable({ all: found, nowMs }: Choice & { readonly nowMs: number }, shown: readonly Found[], width: number) {
  const builds = found.some((f) => f.about);
  // The start that all names share says nothing, and would leave no room for the rest.
  const shared = builds && width < WIDE ? sharedStart(found.map((f) => baseName(f.path))) : 0;
  const rows = shown.map(({ path, format, bytes, modifiedMs, about }) => ({
    profile: baseName(path).slice(shared),
    format,
    size: formatBytes(bytes),
    written: writtenText(modifiedMs),
    age: age(nowMs - modifiedMs),
    ...(builds ? aboutCells(about) : {}),
  }));
  // Where not all have room, the last are left out.
  const about = width < 70 ? ['result', 'time', 'what', 'steps'] : ['what', 'hook', 'steps', 'time', 'result'];
  const wide = width >= WIDE;
  const headings = [
    'profile',
    ...(builds ? about : []),
    ...(builds && !wide ? [] : ['format', 'size']),
    ...(width < DATED ? [] : ['written']),
    'age',
  ];
  return { rows, headings, shared, right: ['size', 'steps', 'time', 'age'] };
}

const LONGEST_HOOK = 16;
/** Columns that have room for when a file was written, beside its age. */
const DATED = 100;
/** Columns that have room for whole names of kept builds. */
const WIDE = 110;

/** How much of the start the names share, up to the last mark between words. */
function sharedStart(names: readonly string[]): number {
  const [first = ''] = names;
  let same = 0;
  while (same < first.length && names.every((name) => name[same] === first[same])) same++;
  while (same > 0 && /[A-Z0-9]/i.test(first[same - 1])) same--;
  return names.length > 1 ? same : 0;
}

function aboutCells(about: Found['about']): Record<'what' | 'hook' | 'steps' | 'time' | 'result', string> {
  const { what, hook = '', steps, durationMs, failed } = about ?? {};
  return {
    what: what === 'nothing' ? 'no step' : (what ?? ''),
    hook: fit(visible(hook), LONGEST_HOOK).trimEnd(),
    steps: steps === undefined ? '' : formatCount(steps),
    time: durationMs === undefined ? '' : timeText(durationMs * 1000),
    result: failed === undefined ? '' : failed ? 'failed' : 'ok',
  };
}

function age(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 60) return `${s} s ago`;
  if (s < 3600) return `${Math.round(s / 60)} min ago`;
  if (s < 86400 * 2) return `${Math.round(s / 3600)} h ago`;
  return `${Math.round(s / 86400)} days ago`;
}

/** The time at which a file was written, in the user's own zone. */
function writtenText(ms: number): string {
  const date = new Date(ms);
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
