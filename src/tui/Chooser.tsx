// The screen that lists the profiles of a folder, or the recently opened profiles, to select one.

import { relative } from 'node:path';
import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import { keyLabel } from '../app/keymap.ts';
import { PANEL_HEAD_LINES, visiblePanelRows } from '../app/panels.ts';
import { baseName } from '../base/paths.ts';
import { cellWidth, cutEnd, visible } from '../base/text.ts';
import { formatBytes, formatCount } from '../base/units.ts';
import { shortPaths } from '../columns/routine-groups.ts';
import { newestBuild, type ProfileChoice, type ProfileFile } from '../io/find.ts';
import { buildInfoCells, dateText, formatAge, startTimeText } from './found-cells.ts';
import type { PointerAction } from './mouse.ts';
import { cellText, fittingColumnWidths, PlainTable, type ScreenProps } from './PlainTable.tsx';

export interface ChooserState {
  /** The listed folder; undefined for the list of recently opened profiles. */
  readonly folder: string | undefined;
  readonly all: readonly ProfileFile[];
  /** Index into the matching profiles. */
  readonly row: number;
  readonly text: string;
  readonly isTyping: boolean;
  /** The message above the key help. */
  readonly message: string;
}

type ShownChooser = ChooserState & { readonly nowMs: number };

export const newChooserState = ({ folder, found: all, newest, more }: ProfileChoice): ChooserState => ({
  ...{ folder, all, row: newest ? all.indexOf(newestBuild(all)) : 0, text: '', isTyping: false },
  message: more ? 'There may be more: not all folders were searched' : '',
});

function matchingProfiles({ all, text }: ChooserState): readonly ProfileFile[] {
  const searched = text.toLowerCase();
  return all.filter((found) => {
    const facts = found.about
      ? [startTimeText(found), ...Object.values(buildInfoCells(found.about))]
      : Object.values(found.run ?? {});
    return [baseName(found.path), found.format, ...facts].join(' ').toLowerCase().includes(searched);
  });
}

const moveToRow = (choice: ChooserState, row: number): ChooserState => ({
  ...choice,
  row: Math.max(0, Math.min(matchingProfiles(choice).length - 1, row)),
});

const CURSOR_MOVES = new Map(
  Object.entries({ j: 1, down: 1, k: -1, up: -1, pagedown: 10, space: 10, 'ctrl-f': 10, pageup: -10, b: -10, 'ctrl-b': -10 }),
);
const CHOOSER_KEY_HELP = 'j k Space b g G move · Enter open · / narrow · Esc shows all · q quit';

/** The new state after a key, or the path of the profile to open. `typed`: the characters that the key produces. */
export function handleChooserKey(choice: ChooserState, name: string, typed: string): ChooserState | { readonly open: string } {
  const withoutMessage: ChooserState = { ...choice, message: '' };
  if (name === 'enter') {
    const chosen = matchingProfiles(choice)[choice.row];
    return chosen ? { open: chosen.path } : { ...choice, message: `No profile matches ${choice.text}; Esc shows all` };
  }
  if (name === 'esc') return { ...withoutMessage, text: '', isTyping: false, row: 0 };
  if (choice.isTyping) {
    if (name === 'backspace') return { ...withoutMessage, text: choice.text.slice(0, -1), row: 0 };
    if (name === 'ctrl-u') return { ...withoutMessage, text: '', row: 0 };
    if (typed !== '' && !name.startsWith('ctrl-')) return { ...withoutMessage, text: choice.text + typed, row: 0 };
  }
  const rowDelta = CURSOR_MOVES.get(name);
  if (rowDelta !== undefined) return moveToRow(withoutMessage, choice.row + rowDelta);
  if (name === 'g' || name === 'home') return moveToRow(withoutMessage, 0);
  if (name === 'G' || name === 'end') return moveToRow(withoutMessage, choice.all.length);
  if (name === '/') return { ...withoutMessage, isTyping: true };
  return { ...choice, message: name === '?' ? CHOOSER_KEY_HELP : `${keyLabel(name)} does nothing here; ? lists the keys` };
}

/** The new state after a click or the wheel, or the path of the profile to open. Lines count from 0. */
export function handleChooserPointer(choice: ChooserState, height: number, action: PointerAction) {
  if (action.type === 'wheel') return moveToRow(choice, choice.row + action.by * 3);
  const { length } = matchingProfiles(choice);
  const { top, shown } = visiblePanelRows(choice.row, length, height - FOOT_LINES);
  const line = action.y - PANEL_HEAD_LINES;
  const row = top + line;
  if (line < 0 || line >= shown || row >= length) return choice;
  return row === choice.row ? handleChooserKey(choice, 'enter', '') : moveToRow(choice, row);
}

/** Lines below the rows of the profile list. */
const FOOT_LINES = 2;

export function Chooser({ state, width, height, ascii }: ScreenProps<ShownChooser>): ReactElement {
  const found = matchingProfiles(state);
  const { top, shown } = visiblePanelRows(state.row, found.length, height - FOOT_LINES);
  const { rows, headings, right } = chooserTable(state, found.slice(top, top + shown), width);
  const only = onlyFormat(state);
  const kind = (hasFiles(state) ? 'Profiles' : 'Folders with profiles') + (only === undefined ? '' : ` of ${only}`);
  const place = state.folder === '.' ? 'this folder' : state.folder;
  const count = (found.length < state.all.length ? `${found.length} of ` : '') + formatCount(state.all.length);
  const title = place === undefined ? 'No profile here. Recently opened:' : `${kind} in ${place}: ${count}, newest first`;
  const filterLine = state.isTyping || state.text !== '' ? ` / ${state.text}${state.isTyping ? '▏' : ''}` : '';
  const chosen = found[state.row];
  const whole = chosen && visible(`${chosen.path}  ${chosen.format}  ${chosen.run?.command ?? ''}`);
  const statusLine = state.message !== '' ? ` ${state.message}` : filterLine || (whole ? ` ${whole}` : '');
  return (
    <Box flexDirection="column">
      <Text bold wrap="truncate-end">
        {cellText(` ${title}`, width, ascii)}
      </Text>
      {rows.length > 0 ? (
        <PlainTable
          rows={rows}
          cursor={state.row - top}
          widths={fittingColumnWidths(rows, headings, 'profile', width)}
          right={right}
          cut="middle"
          ascii={ascii}
        />
      ) : (
        <Text>{cellText(` No profile matches ${state.text}; Esc shows all`, width, ascii)}</Text>
      )}
      <Text wrap="truncate-end">{cellText(statusLine, width, ascii)}</Text>
      <Text wrap="truncate-end">{cellText(' Enter open · j/k move · / narrow · ? keys · q quit', width, ascii)}</Text>
    </Box>
  );
}

/** Whether not all of the list are folders. */
const hasFiles = ({ all }: ChooserState): boolean => all.some(({ bytes }) => bytes > 0);

/** The format that all profiles of a folder have: the title says it, and names take the room of its column. */
const onlyFormat = ({ all, folder }: ChooserState): string | undefined =>
  folder !== undefined && all.length > 1 && all.every(({ format }) => format === all[0].format) ? all[0].format : undefined;

/** The table of profiles. A kept build is identified by its start time, other profiles by name. */
function chooserTable(state: ShownChooser, shown: readonly ProfileFile[], width: number) {
  const { all: found, folder, nowMs } = state;
  const hasBuilds = found.some((f) => f.about);
  // Names win space: a command has what they and the other columns leave.
  const paths = shown.map(({ path }) => path);
  const labels =
    folder === undefined ? shortPaths(paths) : hasBuilds ? paths.map(baseName) : paths.map((path) => relative(folder, path));
  const nameWidth = labels.reduce((most, label) => Math.max(most, cellWidth(visible(label))), 0);
  const others = width < MIN_WIDTH_WITH_DATES ? NARROW_COLUMNS_WIDTH : OTHER_COLUMNS_WIDTH;
  const commandWidth = Math.min(60, width - nameWidth - others);
  const rows = shown.map((found, i) => ({
    profile: labels[i],
    started: startTimeText(found),
    format: found.format,
    total: found.run?.total ?? '',
    command: cutEnd(visible(found.run?.command ?? ''), commandWidth),
    size: found.bytes > 0 ? formatBytes(found.bytes) : '',
    written: dateText(found.modifiedMs),
    age: formatAge(nowMs - (found.about?.startMs ?? found.modifiedMs)),
    ...(hasBuilds ? buildInfoCells(found.about) : {}),
  }));
  const runFacts = (['total', 'command'] as const).filter(
    (fact) => (fact === 'total' || commandWidth >= MIN_COMMAND_WIDTH) && found.some(({ run }) => run && run[fact] !== ''),
  );
  // Narrow screens omit the last columns.
  const commit = found.some((f) => f.about?.git) ? ['commit'] : [];
  const origin = width < MIN_WIDTH_WITH_DATES ? [] : ['hook', ...commit];
  const headings = hasBuilds
    ? ['started', 'result', 'time', 'what', 'steps', 'age', ...origin, ...(width < MIN_WIDTH_WITH_NAMES ? [] : ['profile'])]
    : [
        'profile',
        ...runFacts,
        ...(onlyFormat(state) || (width < MIN_WIDTH_WITH_DATES && hasFiles(state)) ? [] : ['format']),
        ...(hasFiles(state) ? ['size'] : []),
        ...(width < MIN_WIDTH_WITH_AGE_AND_DATE ? [] : ['written']),
        'age',
      ];
  return { rows, headings, right: ['total', 'size', 'steps', 'time', 'age'] };
}

/** Width of the columns beside name and command, and the least of a command. */
const [OTHER_COLUMNS_WIDTH, NARROW_COLUMNS_WIDTH, MIN_COMMAND_WIDTH] = [62, 42, 10];
/** Minimum screen width for the format of a file, or for hook and commit of a build. */
const MIN_WIDTH_WITH_DATES = 100;
const MIN_WIDTH_WITH_NAMES = 130;
/** The age of a file says nearly what its date does. */
const MIN_WIDTH_WITH_AGE_AND_DATE = 160;
