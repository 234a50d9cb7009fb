// The choice of a profile in a folder, or of the recently opened ones: its keys, and its screen.
import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import { baseName } from '../analysis/names/names.ts';
import { keyLabel } from '../app/keymap.ts';
import { formatBytes } from '../base/units.ts';
import type { Found } from '../io/find.ts';
import { aboutCells, age, dateText, startedText } from './found-cells.ts';
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
  return all.filter((found) => {
    const facts = found.about ? [startedText(found), ...Object.values(aboutCells(found.about))] : [];
    return [baseName(found.path), found.format, ...facts].join(' ').toLowerCase().includes(wanted);
  });
}

const atRow = (choice: Choice, row: number): Choice => ({
  ...choice,
  row: Math.max(0, Math.min(matching(choice).length - 1, row)),
});

const MOVES = new Map(
  Object.entries({ j: 1, down: 1, k: -1, up: -1, pagedown: 10, space: 10, 'ctrl-f': 10, pageup: -10, b: -10, 'ctrl-b': -10 }),
);
const HELP = 'j k Space b g G move · Enter open · / narrow by what is shown · Esc all · q quit';

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
  const { rows, headings, right } = choiceTable(state, found.slice(top, top + shown), width);
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
          cut="middle"
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

/** The facts that distinguish the profiles: kept builds by when they started, others by their names. */
function choiceTable({ all: found, nowMs }: Choice & { readonly nowMs: number }, shown: readonly Found[], width: number) {
  const builds = found.some((f) => f.about);
  const rows = shown.map((found) => ({
    profile: baseName(found.path),
    started: startedText(found),
    format: found.format,
    size: formatBytes(found.bytes),
    written: dateText(found.modifiedMs),
    age: age(nowMs - (found.about?.startMs ?? found.modifiedMs)),
    ...(builds ? aboutCells(found.about) : {}),
  }));
  // Where not all have room, the last are left out.
  const commit = found.some((f) => f.about?.git) ? ['commit'] : [];
  const headings = builds
    ? [
        'started',
        'result',
        'time',
        'what',
        'steps',
        'age',
        ...(width < DATED ? [] : ['hook', ...commit]),
        ...(width < WIDE ? [] : ['profile']),
      ]
    : ['profile', 'format', 'size', ...(width < DATED ? [] : ['written']), 'age'];
  return { rows, headings, right: ['size', 'steps', 'time', 'age'] };
}

/** Columns that have room for when a file was written, beside its age, or for a build's hook and commit. */
const DATED = 100;
/** Columns that have room for the file names of kept builds. */
const WIDE = 130;
