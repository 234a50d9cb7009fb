// The screen while a profile is loaded: the progress, and a preview of the costliest routines so far.

import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import { UNKNOWN_NAME } from '../analysis/names/names.ts';
import { baseName } from '../base/paths.ts';
import { barText, cutEnd, visible } from '../base/text.ts';
import { formatBytes, formatCount, formatPercent } from '../base/units.ts';
import type { LoadProgress } from '../io/load.ts';
import type { Preview } from '../model/sink.ts';
import { cellText, fittingColumnWidths, PlainTable, type ScreenProps } from './PlainTable.tsx';

export interface LoadingState {
  readonly paths: readonly string[];
  readonly progress: LoadProgress | undefined;
  readonly startedMs: number;
  readonly nowMs: number;
}

export function Loading({ state, width, height, ascii }: ScreenProps<LoadingState>): ReactElement {
  const { progress } = state;
  const seconds = Math.max(0.001, (state.nowMs - state.startedMs) / 1000);
  const share = progress?.size ? progress.bytes / progress.size : undefined;
  const ofSize = progress?.size ? ` of ${formatBytes(progress.size)}` : '';
  const barWidth = Math.max(4, Math.min(50, width - 10));
  const lines = [
    ` ${state.paths.map(baseName).join(' ')}`,
    '',
    share === undefined ? ' loading …' : ` ${barText(share, barWidth)} ${(share * 100).toFixed(0)}%`,
    progress ? ` ${formatBytes(progress.bytes)}${ofSize}, ${formatBytes(progress.bytes / seconds)}/s` : '',
    progress ? ` ${formatCount(progress.routines)} routines, ${formatCount(progress.rows)} cost lines` : '',
    '',
    ' q cancels',
  ];
  return (
    <Box flexDirection="column">
      {lines.map((line, i) => (
        <Text key={i} wrap="truncate-end">
          {cellText(line, width, ascii)}
        </Text>
      ))}
      {progress?.preview && height > lines.length + 3 && (
        <RoutinePreview state={progress.preview} width={width} height={height - lines.length} ascii={ascii} />
      )}
    </Box>
  );
}

/** Maximum rows of the preview: more would slow down loading. */
const MAX_PREVIEW_ROWS = 15;

/** The hottest routines read so far. */
function RoutinePreview({ state, width, height, ascii }: ScreenProps<Preview>): ReactElement {
  const { event, total, routines } = state;
  const name = 'routine (so far)';
  const cost = `self ${cutEnd(visible(event), 16)}`;
  const rows = routines.slice(0, Math.min(MAX_PREVIEW_ROWS, height - 2)).map((r) => ({
    [cost]: formatCount(r.self),
    '%': formatPercent(r.self, total),
    [name]: r.name || UNKNOWN_NAME,
  }));
  return (
    <Box flexDirection="column">
      <Text> </Text>
      <PlainTable
        rows={rows}
        widths={fittingColumnWidths(rows, [cost, '%', name], name, width)}
        right={[cost, '%']}
        cut="middle"
        ascii={ascii}
      />
    </Box>
  );
}
