// Screens before a profile is loaded: progress, or a choice of the profiles in a folder.
import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import { baseName, UNKNOWN } from '../analysis/names.ts';
import { bar, fit, visible } from '../base/text.ts';
import { formatBytes, formatCount, formatPercent, plural } from '../base/units.ts';
import { timeText } from '../columns/times.ts';
import type { Found } from '../io/find.ts';
import type { Progress } from '../io/load.ts';
import type { Preview } from '../model/sink.ts';

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
      <Text wrap="truncate-end">{` ${visible(state.paths.map(baseName).join(' '))}`}</Text>
      <Text> </Text>
      <Text wrap="truncate-end">
        {share === undefined ? ' loading …' : ` ${bar(share, barWidth, ascii)} ${(share * 100).toFixed(0)}%`}
      </Text>
      <Text wrap="truncate-end">
        {progress ? ` ${formatBytes(progress.bytes)}${of}, ${formatBytes(progress.bytes / seconds)}/s` : ' '}
      </Text>
      <Text wrap="truncate-end">
        {progress ? ` ${formatCount(progress.routines)} routines, ${formatCount(progress.rows)} cost lines` : ' '}
      </Text>
      <Text> </Text>
      <Text wrap="truncate-end"> q cancels</Text>
      {progress?.preview && height > HEADING + 3 && <SoFar preview={progress.preview} width={width} height={height - HEADING} />}
    </Box>
  );
}

/** Lines above the table. */
const HEADING = 7;

/** The routines read so far: the hot ones show up long before the end. */
function SoFar({
  preview,
  width,
  height,
}: {
  readonly preview: Preview;
  readonly width: number;
  readonly height: number;
}): ReactElement {
  const { event, total, routines } = preview;
  const cost = Math.max(12, event.length + 1);
  return (
    <Box flexDirection="column">
      <Text> </Text>
      <Text dimColor wrap="truncate-end">{`${visible(event).padStart(cost)}        %  routine, of what is read so far`}</Text>
      {routines.slice(0, height - 2).map(({ name, self }, i) => (
        <Text key={i} wrap="truncate-end">
          {fit(formatCount(self), cost, 'right') +
            ` ${formatPercent(self, total).padStart(8)}  ` +
            fit(visible(name || UNKNOWN), Math.max(1, width - cost - 12), 'left', 'middle')}
        </Text>
      ))}
    </Box>
  );
}

export interface ChooserState {
  readonly folder: string;
  readonly found: readonly Found[];
  readonly row: number;
  readonly nowMs: number;
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
  const shown = Math.max(1, height - 3);
  const top = Math.max(0, Math.min(state.row - (shown >> 1), state.found.length - shown));
  return (
    <Box flexDirection="column">
      <Text bold wrap="truncate-end">{` Profiles in ${visible(state.folder)}, newest first`}</Text>
      {state.found.slice(top, top + shown).map((f, i) => {
        const here = top + i === state.row;
        const what = f.about ? aboutText(f.about, width) : `${f.format}  ${formatBytes(f.bytes)}`;
        const right = `  ${what}  ${age(state.nowMs - f.modifiedMs)} `;
        return (
          <Text key={f.path} inverse={here} wrap="truncate-end">
            {(here ? (ascii ? '>' : '▶') : ' ') +
              fit(visible(baseName(f.path)), Math.max(8, width - right.length - 1), 'left', 'middle') +
              right}
          </Text>
        );
      })}
      <Text> </Text>
      <Text wrap="truncate-end"> Enter opens j k move q quit</Text>
    </Box>
  );
}

/** `build     postBuild           12 steps   1.81s  ok    `; narrow screens have no room for the first two. */
export function aboutText(about: NonNullable<Found['about']>, width: number): string {
  const { what, hook, steps, durationMs, failed } = about;
  const ran = steps === undefined ? '' : plural(steps, 'step');
  const took = durationMs === undefined ? '' : timeText(durationMs * 1000);
  const result = failed === undefined ? '' : failed ? 'failed' : 'ok';
  const last = [ran.padStart(9), took.padStart(6), result.padEnd(6)].join(' ');
  return width < 70 ? last : `${(what === 'nothing' ? 'no step' : what).padEnd(9)} ${fit(visible(hook), 16)} ${last}`;
}

function age(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 60) return `${s} s ago`;
  if (s < 3600) return `${Math.round(s / 60)} min ago`;
  if (s < 86400 * 2) return `${Math.round(s / 3600)} h ago`;
  return `${Math.round(s / 86400)} days ago`;
}
