// Screens before a profile is loaded: progress, or a choice of the profiles in a folder.
import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import { baseName, UNKNOWN } from '../analysis/names/names.ts';
import { bar, cutEnd, fit, visible } from '../base/text.ts';
import { formatBytes, formatCount, formatPercent } from '../base/units.ts';
import { timeText } from '../columns/times.ts';
import type { Found } from '../io/find.ts';
import type { Progress } from '../io/load.ts';
import type { Preview } from '../model/sink.ts';
import { cellText, PlainTable, widthsFor } from './PlainTable.tsx';

export interface LoadingState {
  readonly paths: readonly string[];
  readonly progress: Progress | undefined;
  readonly startedMs: number;
  readonly nowMs: number;
}

export function Loading({
  state,
  width,
  height,
  ascii,
}: {
  readonly state: LoadingState;
  readonly width: number;
  readonly height: number;
  readonly ascii: boolean;
}): ReactElement {
  const { progress } = state;
  const seconds = Math.max(0.001, (state.nowMs - state.startedMs) / 1000);
  const share = progress?.size ? progress.bytes / progress.size : undefined;
  const of = progress?.size ? ` of ${formatBytes(progress.size)}` : '';
  const barWidth = Math.max(4, Math.min(50, width - 10));
  return (
    <Box flexDirection="column">
      <Text wrap="truncate-end">{cellText(` ${state.paths.map(baseName).join(' ')}`, width, ascii)}</Text>
      <Text> </Text>
      <Text wrap="truncate-end">
        {cellText(share === undefined ? ' loading …' : ` ${bar(share, barWidth)} ${(share * 100).toFixed(0)}%`, width, ascii)}
      </Text>
      <Text wrap="truncate-end">
        {progress ? ` ${formatBytes(progress.bytes)}${of}, ${formatBytes(progress.bytes / seconds)}/s` : ' '}
      </Text>
      <Text wrap="truncate-end">
        {progress ? ` ${formatCount(progress.routines)} routines, ${formatCount(progress.rows)} cost lines` : ' '}
      </Text>
      <Text> </Text>
      <Text wrap="truncate-end"> q cancels</Text>
      {progress?.preview && height > HEADING + 3 && (
        <SoFar preview={progress.preview} width={width} height={height - HEADING} ascii={ascii} />
      )}
    </Box>
  );
}

/** Lines above the table. */
const HEADING = 7;

/** Rows of the preview: more would take the time in which the file could be loaded. */
const MOST_ROWS = 15;

/** The routines read so far: the hot ones show up long before the end. */
function SoFar({
  preview,
  width,
  height,
  ascii,
}: {
  readonly preview: Preview;
  readonly width: number;
  readonly height: number;
  readonly ascii: boolean;
}): ReactElement {
  const { event, total, routines } = preview;
  const name = 'routine, of what is read so far';
  const cost = `self ${cutEnd(visible(event), 16)}`;
  const rows = routines.slice(0, Math.min(MOST_ROWS, height - 2)).map((r) => ({
    [cost]: formatCount(r.self),
    '%': formatPercent(r.self, total),
    [name]: r.name || UNKNOWN,
  }));
  return (
    <Box flexDirection="column">
      <Text> </Text>
      <PlainTable
        rows={rows}
        widths={widthsFor(rows, [cost, '%', name], name, width)}
        right={[cost, '%']}
        cut="middle"
        ascii={ascii}
      />
    </Box>
  );
}

export interface ChooserState {
  /** undefined for the recently opened ones. */
  readonly folder: string | undefined;
  readonly found: readonly Found[];
  readonly row: number;
  readonly nowMs: number;
}

/** Lines of the chooser above its rows. */
const CHOOSER_HEAD = 2;

/** The rows that the chooser shows. */
function chooserWindow({ row, found }: Pick<ChooserState, 'row' | 'found'>, height: number) {
  const shown = Math.max(1, height - CHOOSER_HEAD - 2);
  return { top: Math.max(0, Math.min(row - (shown >> 1), found.length - shown)), shown };
}

/** How far a key moves in the chooser's rows; undefined for other keys. */
export function chooserMove(name: string, rows: number): number | undefined {
  const all = rows - 1;
  const ways: Readonly<Record<string, number>> = { j: 1, down: 1, k: -1, up: -1, pagedown: 10, space: 10, pageup: -10, b: -10 };
  return ways[name] ?? { g: -all, home: -all, G: all, end: all }[name];
}

/** The row at a line of the chooser, counted from 0; undefined if none is there. */
export function chooserRowAt(state: Pick<ChooserState, 'row' | 'found'>, height: number, y: number): number | undefined {
  const { top, shown } = chooserWindow(state, height);
  const line = y - CHOOSER_HEAD;
  return line >= 0 && line < shown && top + line < state.found.length ? top + line : undefined;
}

export function Chooser({
  state,
  width,
  height,
  ascii,
}: {
  readonly state: ChooserState;
  readonly width: number;
  readonly height: number;
  readonly ascii: boolean;
}): ReactElement {
  const { top, shown } = chooserWindow(state, height);
  const { rows, headings, right, shared } = choiceTable(state, state.found.slice(top, top + shown), width);
  const widths = widthsFor(rows, headings, 'profile', width);
  return (
    <Box flexDirection="column">
      <Text bold wrap="truncate-end">
        {cellText(
          state.folder === undefined ? ' No profile here. Recently opened:' : ` Profiles in ${state.folder}, newest first`,
          width,
          ascii,
        )}
      </Text>
      <PlainTable
        rows={rows}
        cursor={state.row - top}
        widths={widths}
        right={right}
        cut={shared > 0 ? 'end' : 'middle'}
        ascii={ascii}
      />
      <Text> </Text>
      <Text wrap="truncate-end"> Enter open · j/k move · q quit</Text>
    </Box>
  );
}

/** The facts that distinguish the profiles: for kept builds their subject, of which a narrow screen has no room for all. */
function choiceTable({ found, nowMs }: ChooserState, shown: readonly Found[], width: number) {
  const builds = found.some((f) => f.about);
  // The start that all names share says nothing, and would leave no room for the rest.
  const shared = builds && width < WIDE ? sharedStart(found.map((f) => baseName(f.path))) : 0;
  const rows = shown.map(({ path, format, bytes, modifiedMs, about }) => ({
    profile: baseName(path).slice(shared),
    format,
    size: formatBytes(bytes),
    age: age(nowMs - modifiedMs),
    ...(builds ? aboutCells(about) : {}),
  }));
  // Where not all have room, the last are left out.
  const about = width < 70 ? ['result', 'time', 'what', 'steps'] : ['what', 'hook', 'steps', 'time', 'result'];
  const headings = ['profile', ...(builds ? about : ['format', 'size']), 'age'];
  return { rows, headings, shared, right: ['size', 'steps', 'time', 'age'] };
}

const LONGEST_HOOK = 16;
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
