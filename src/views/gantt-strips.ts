// The strips below the bars of the Gantt view: the number of running jobs, and what the host reported over the same time.
import { lanesOf } from '../analysis/steps/lanes.ts';
import { jobConcurrency } from '../analysis/steps/steps.ts';
import { memo } from '../base/memo.ts';
import { firstWhere } from '../base/search.ts';
import { fit } from '../base/text.ts';
import { formatShort } from '../base/units.ts';
import type { Gauge } from '../model/steps/tables.ts';
import { stripText, type Window } from './parts/timeline.ts';
import type { ScreenLine, ViewContext } from './view.ts';

interface Series {
  readonly us: Float64Array;
  readonly value: Float64Array;
  readonly most: number;
  readonly unit: string;
}

const gaugesOf = memo((gauges: readonly Gauge[]): Map<string, Series> => {
  const lists = new Map<string, Gauge[]>();
  for (const g of [...gauges].sort((a, b) => a.us - b.us)) {
    const list = lists.get(g.name);
    if (list) list.push(g);
    else lists.set(g.name, [g]);
  }
  return new Map(
    [...lists].map(([name, list]) => [
      name,
      {
        us: Float64Array.from(list, (g) => g.us),
        value: Float64Array.from(list, (g) => g.value),
        most: list.reduce((m, g) => Math.max(m, g.value), 0),
        unit: list[0].unit,
      },
    ]),
  );
}, 2);

const NO_GAUGE: Series = { us: new Float64Array(0), value: new Float64Array(0), most: 0, unit: '' };

const GUTTER = 14;

export interface Layout {
  readonly gutter: number;
  readonly width: number;
  readonly lanes: number;
  readonly strips: readonly ('jobs' | string)[];
}

export function layoutOf(c: ViewContext<'steps'>): Layout {
  const { titles } = lanesOf(c.analysis);
  const gutter = c.width >= 60 && titles.some((t) => t !== '') ? GUTTER : 0;
  const gauges = [...gaugesOf(c.analysis.profile.steps.gauges).keys()].slice(0, 3);
  const strips = c.height >= 12 ? ['jobs', ...gauges] : c.height >= 7 ? ['jobs'] : [];
  return { gutter, width: Math.max(4, c.width - gutter), lanes: Math.max(1, c.height - 1 - strips.length), strips };
}

/** The mean of a step function per cell: value[k] holds from us[k] to us[k + 1]. */
function meanByCell(us: ArrayLike<number>, value: ArrayLike<number>, window: Window, width: number): number[] {
  const cell = (window.to - window.from) / width;
  let k = Math.max(0, firstWhere(us.length, (i) => us[i] > window.from) - 1);
  return Array.from({ length: width }, (_, c) => {
    const from = window.from + c * cell;
    const to = from + cell;
    let sum = 0;
    while (k + 1 < us.length && us[k + 1] <= from) k++;
    for (let j = k; j < us.length && us[j] < to; j++) {
      const a = Math.max(from, us[j]);
      const b = Math.min(to, us[j + 1] ?? to);
      if (b > a) sum += (b - a) * value[j];
    }
    return sum / cell;
  });
}

export function drawStrip(name: string, layout: Layout, window: Window, c: ViewContext<'steps'>): ScreenLine {
  const room = Math.max(4, c.width - GUTTER);
  // The strip's cells line up with the lanes': without a gutter, the label covers the first of them.
  const width = layout.gutter > 0 ? layout.width : room;
  const scaled: Window =
    layout.gutter > 0 ? window : { from: window.from + ((window.to - window.from) * GUTTER) / c.width, to: window.to };
  let values: number[];
  let most: number;
  let label: string;
  if (name === 'jobs') {
    const { us, running, most: peak } = jobConcurrency(c.analysis);
    const { cores } = c.analysis.profile.steps;
    most = Math.max(peak, cores ?? 0);
    values = meanByCell(us, running, scaled, width);
    label = `jobs ${cores === null ? `to ${peak}` : `of ${cores}`}`;
  } else {
    const list = gaugesOf(c.analysis.profile.steps.gauges).get(name) ?? NO_GAUGE;
    const unit = list.unit === 'KiB' ? 1024 : 1;
    most = list.most;
    values = meanByCell(list.us, list.value, scaled, width);
    label = `${name.replace('host memory', 'mem').replace('host load', 'load')} ${formatShort(most * unit)}${unit === 1024 ? 'B' : ''}`;
  }
  return {
    spans: [
      [fit(label, GUTTER - 1), 'dim'],
      [' ', 'dim'],
      [stripText(values, most, c.ascii), name === 'jobs' ? 'accent' : 'dim'],
    ],
  };
}
