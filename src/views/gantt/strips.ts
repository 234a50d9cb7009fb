// The strips below the bars of the Gantt view: the number of running jobs, and what the host reported over the same time.
import { heldLevel } from '../../analysis/answers/steps/stages.ts';
import { jobConcurrency } from '../../analysis/answers/steps/steps.ts';
import { memo } from '../../base/memo.ts';
import { firstWhere } from '../../base/search.ts';
import type { Style } from '../../base/style.ts';
import { cellWidth, ends, fit, visible } from '../../base/text.ts';
import { formatShort } from '../../base/units.ts';
import type { Gauge } from '../../model/steps/tables.ts';
import { stripText, type Window } from '../parts/timeline.ts';
import type { ScreenLine, Span, ViewContext } from '../view.ts';
import { ganttRows } from './rows.ts';

interface Series {
  readonly us: Float64Array;
  readonly value: Float64Array;
  readonly most: number;
  readonly unit: string;
}

const gaugesOf = memo((gauges: readonly Gauge[]): Map<string, Series> => {
  const series = new Map<string, Series>();
  for (const { name, unit, us, value } of gauges)
    if (!series.has(name)) series.set(name, { us, value, unit, most: value.reduce((most, v) => Math.max(most, v), 0) });
  return series;
}, 2);

/** The names of threads; narrower screens have only the strips' labels. */
const GUTTER = 14;
const WIDE = 60;
/** Narrower screens have no room for labels. */
const NARROW = 40;

export interface Layout {
  /** Cells before the bars and the strips: both begin at the same time. */
  readonly gutter: number;
  readonly width: number;
  readonly lanes: number;
  readonly strips: readonly Strip[];
}

interface Strip {
  readonly label: string;
  readonly style: Style;
  readonly most: number;
  readonly us: ArrayLike<number>;
  readonly value: ArrayLike<number>;
  /** The strip of running jobs. */
  readonly jobs: boolean;
}

function jobStrip({ analysis }: ViewContext<'steps'>): Strip {
  const { us, running, atLevel, most: peak } = jobConcurrency(analysis);
  const { cores } = analysis.profile.steps;
  const most = heldLevel(atLevel) || peak;
  const over = cores !== null && most > cores;
  const label = cores === null ? `jobs to ${most}` : over ? `jobs ${most} of ${cores}` : `jobs of ${cores}`;
  return { label, style: over ? 'warm' : 'dim', most: Math.max(most, cores ?? 0), us, value: running, jobs: true };
}

function gaugeStrips(gauges: readonly Gauge[]): Strip[] {
  return [...gaugesOf(gauges)].slice(0, 3).map(([name, { us, value, most, unit }]) => {
    const top = unit === 'KiB' ? `${formatShort(most * 1024)}B` : formatShort(most);
    const shown = visible(ends(name, GUTTER)).replace('host memory', 'mem').replace('host load', 'load');
    const label = `${shown} ${top}`;
    return { label, style: 'dim', most, us, value, jobs: false };
  });
}

export function layoutOf(c: ViewContext<'steps'>): Layout {
  const { titles } = ganttRows(c).lanes;
  const strips = c.height < 7 ? [] : [jobStrip(c), ...(c.height < 12 ? [] : gaugeStrips(c.analysis.profile.steps.gauges))];
  const labels = strips.reduce((most, s) => Math.max(most, cellWidth(s.label) + 1), 0);
  const titled = c.width >= WIDE && titles.some((t) => t !== '');
  const gutter = titled ? GUTTER : c.width >= NARROW ? Math.min(labels, GUTTER) : 0;
  return { gutter, width: Math.max(4, c.width - gutter), lanes: Math.max(1, c.height - 1 - strips.length), strips };
}

/** By row: the integral of a step function up to us[row]. There may be hundreds of thousands of values, and a frame for every key. */
const integralOf = memo((us: ArrayLike<number>, value: ArrayLike<number>): Float64Array => {
  const sum = new Float64Array(us.length);
  for (let k = 1; k < sum.length; k++) sum[k] = sum[k - 1] + value[k - 1] * (us[k] - us[k - 1]);
  return sum;
}, 8);

/** The mean of a step function per cell: value[k] holds from us[k] to us[k + 1]. */
function meanByCell(us: ArrayLike<number>, value: ArrayLike<number>, window: Window, width: number): number[] {
  const cell = (window.to - window.from) / width;
  const sum = integralOf(us, value);
  const upTo = (t: number) => {
    const k = firstWhere(us.length, (i) => us[i] > t) - 1;
    return k < 0 ? 0 : sum[k] + value[k] * (t - us[k]);
  };
  let before = upTo(window.from);
  return Array.from({ length: width }, (_, c) => {
    const end = upTo(window.from + (c + 1) * cell);
    // A rounded value is not below zero.
    const mean = Math.max(0, end - before) / cell;
    before = end;
    return mean;
  });
}

export function drawStrip(strip: Strip, layout: Layout, window: Window): ScreenLine {
  const values = meanByCell(strip.us, strip.value, window, layout.width);
  const bars: Span = [stripText(values, strip.most), strip.jobs ? 'accent' : 'dim'];
  return { spans: layout.gutter > 0 ? [[`${fit(strip.label, layout.gutter - 1)} `, strip.style], bars] : [bars] };
}
