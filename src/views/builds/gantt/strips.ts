// The strips below the bars of the Gantt view: the number of running jobs, and measurements of the host over time.

import { integralOf, jobConcurrency } from '../../../analysis/answers/steps/steps.ts';
import { heldLevel } from '../../../analysis/builds/stages.ts';
import { groupByKey, memo } from '../../../base/lists.ts';
import type { Style } from '../../../base/style.ts';
import { cellWidth, fit, keepEnds, visible } from '../../../base/text.ts';
import { formatBytes, formatShort } from '../../../base/units.ts';
import type { Gauge } from '../../../model/steps/tables.ts';
import { chartLines, drawBlockChart, type TimeWindow } from '../../parts/timeline.ts';
import type { ScreenLine, ViewContext } from '../../view.ts';

type ValueRange = readonly [least: number, most: number];

/** The first gauges of different names, each with its range. */
const gaugeSeriesOf = memo((gauges: readonly Gauge[]) =>
  Array.from(groupByKey(gauges, ({ name }) => name).values(), ([gauge]): Gauge & { readonly range: ValueRange } => ({
    ...gauge,
    range: [0, gauge.value.reduce((most, v) => Math.max(most, v), 0)],
  })),
);

export interface ChartStrip {
  /** The parts of the label: the name, the range of values, and a text such as ` of 8`. */
  readonly name: string;
  readonly ends: readonly [least: string, most: string];
  readonly more: string;
  readonly style: Style;
  readonly range: ValueRange;
  readonly us: ArrayLike<number>;
  readonly value: ArrayLike<number>;
}

/** The label of the first row: the name with the maximum, or with the range if the strip has only one row. */
const topStripLabel = ({ name, ends: [least, most], more }: ChartStrip, rows: number): string =>
  rows > 1 ? `${name} ${most}` : `${name} ${least}-${most}${more}`;

export const maxLabelWidth = (strips: readonly ChartStrip[], rows: number): number =>
  strips.reduce((width, strip) => Math.max(width, cellWidth(topStripLabel(strip, rows))), 0);

const MIN_NAME_LENGTH = 3;

/** The label of each row of a strip, exactly `width` cells wide. Numbers are never cut. */
function stripLabels(strip: ChartStrip, rows: number, width: number): readonly string[] {
  const { name, more } = strip;
  const [least, most] = strip.ends;
  if (rows === 1) {
    const texts = [topStripLabel(strip, 1), `${name} ${least}-${most}`, `${name} ${most}`, name];
    return [fit(texts.find((text) => cellWidth(text) <= width) ?? '', width)];
  }
  /** A line with a name and a number. Only the name is cut, in its middle. */
  const line = (before: string, text: string) => {
    const left = width - 1 - cellWidth(text);
    const least = before === name ? MIN_NAME_LENGTH : cellWidth(before);
    return left < least ? fit(text, width, 'right') : `${fit(before, left, 'left', 'middle')} ${text}`;
  };
  return Array.from({ length: rows }, (_, row) =>
    row === 0
      ? line(name, most)
      : row === rows - 1
        ? line(rows > 2 ? '' : more, least)
        : row === 1
          ? fit(more, width)
          : ' '.repeat(width),
  );
}

/** The strip of running jobs, up to the most that ran for a while. Areas begin at 0. */
export function jobStrip({ analysis }: Pick<ViewContext<'steps'>, 'analysis'>): ChartStrip {
  const { us, running, atLevel, most: peak } = jobConcurrency(analysis);
  const { cores } = analysis.profile.steps;
  const most = heldLevel(atLevel) || peak;
  return {
    name: 'jobs',
    ends: ['0', String(most)],
    more: cores === null ? '' : ` of ${cores}`,
    style: cores !== null && most > cores ? 'bar' : 'plain',
    range: [0, most],
    us,
    value: running,
  };
}

function gaugeStrips(gauges: readonly Gauge[]): ChartStrip[] {
  /** The name of a counter with a single series, without the series. */
  const shortGaugeName = (name: string) => {
    const counter = name.slice(0, name.lastIndexOf('.') + 1);
    return counter !== '' && !gauges.some((g) => g.name !== name && g.name.startsWith(counter)) ? counter.slice(0, -1) : name;
  };
  return gaugeSeriesOf(gauges)
    .slice(0, 3)
    .map(({ name, us, value, range, unit }) => {
      const text = (v: number) => (unit === 'KiB' ? formatBytes(v * 1024).replace(' ', '') : formatShort(v));
      const shown = visible(keepEnds(shortGaugeName(name), 14))
        .replace('host memory', 'mem')
        .replace('host load', 'load');
      return { name: shown, ends: [text(range[0]), text(range[1])], more: '', style: 'dim', range, us, value };
    });
}

/** The strips that fit on a screen of this height. */
export function stripsOf(c: ViewContext<'steps'>): readonly ChartStrip[] {
  const { gauges, sampled, cores } = c.analysis.profile.steps;
  if (c.height < 7) return [];
  if (sampled) return gaugeStrips(gauges);
  // The bars show that one job ran at a time.
  const jobs = cores !== null || jobConcurrency(c.analysis).most > 1 ? [jobStrip(c)] : [];
  return [...jobs, ...(c.height < 12 ? [] : gaugeStrips(gauges))];
}

/** Memoized, because every key draws a frame. */
const integralOfValues = memo(
  (us: ArrayLike<number>, value: ArrayLike<number>) => integralOf(us, (k, spanUs) => value[k] * spanUs),
  8,
);

/** The mean of a step function in each cell. value[k] holds from us[k] until us[k + 1]. */
export function meanByCell(us: ArrayLike<number>, value: ArrayLike<number>, window: TimeWindow, width: number): number[] {
  const cell = (window.to - window.from) / width;
  const integralTo = integralOfValues(us, value);
  let before = integralTo(window.from);
  return Array.from({ length: width }, (_, c) => {
    const end = integralTo(window.from + (c + 1) * cell);
    // Rounding errors must not give a negative mean.
    const mean = Math.max(0, end - before) / cell;
    before = end;
    return mean;
  });
}

export function drawStrip(strip: ChartStrip, gutter: number, width: number, window: TimeWindow, rows: number): ScreenLine[] {
  const values = meanByCell(strip.us, strip.value, window, width);
  const labels = gutter > 0 ? stripLabels(strip, rows, gutter - 1).map((label) => `${label} `) : [];
  return chartLines(labels, drawBlockChart(values, strip.range, rows), strip.style);
}
