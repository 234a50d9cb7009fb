// speedscope's JSON: a sampled profile of the event that is shown, in order of time where that is known.
import { fileName, objectName, routineName } from '../analysis/names/names.ts';
import { safeJson, safeText } from '../base/safe-text.ts';
import type { Unit } from '../base/units.ts';
import { eventValue } from '../model/event-value.ts';
import { Pieces } from '../reports/pieces.ts';
import type { ReportContext } from '../reports/report.ts';
import { type Run, runsOf, samplesInTime, shownStacks, stacksRefused, WholeValues } from './as-stacks.ts';
import type { Exporter, Put } from './exporter.ts';

const UNITS: Readonly<Record<Unit, string>> = {
  ns: 'nanoseconds',
  us: 'microseconds',
  bytes: 'bytes',
  count: 'none',
  samples: 'none',
};

function framesOf({ profile }: Run): object[] {
  const { frames } = profile;
  return Array.from(frames.routine, (r, f) => {
    const file = fileName(profile, frames.file[f]) ?? fileName(profile, profile.routines.file[r]);
    const object = objectName(profile, profile.routines.object[r]);
    return {
      name: routineName(profile, r),
      ...(file === null ? (object === null ? {} : { file: object }) : { file }),
      ...(frames.line[f] > 0 ? { line: frames.line[f] } : {}),
    };
  });
}

async function write(context: ReportContext, version: string, put: Put): Promise<void> {
  const pieces = new Pieces(put);
  const [run] = runsOf(context);
  const { profile, events, estimated } = run;
  const { start, frame } = profile.stacks;
  const title = [profile.command ?? profile.paths[0] ?? profile.format, ...(estimated ? [estimated] : [])].join(' ');
  const head = {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: `proftui@${version}`,
    name: title,
    activeProfileIndex: 0,
  };
  await pieces.add(safeText`${safeJson(head).slice(0, -1)},\n"shared":{"frames":[`);
  for (const [i, of] of framesOf(run).entries()) {
    if (i > 0) await pieces.add(safeText`,\n`);
    await pieces.add(safeJson(of));
  }
  await pieces.add(safeText`]},\n"profiles":[`);
  // Profiles of one file are taken together by those who read them, so it has one event.
  const [event] = events;
  const values = new WholeValues(run);
  function* sums(): Generator<readonly [stack: number, weight: number | bigint]> {
    for (const s of shownStacks(run)) {
      const weight = values.of(0, s);
      if (Number(weight) !== 0) yield [s, weight];
    }
  }
  const weights: (number | bigint)[] = [];
  const total = eventValue(context.event, context.analysis.totals.total, 0);
  const about = { type: 'sampled', name: `${title}: ${event.name}`, unit: UNITS[event.unit], startValue: 0, endValue: total };
  await pieces.add(safeText`${safeJson(about).slice(0, -1)},"samples":[`);
  for (const [s, weight] of samplesInTime(run) ?? sums()) {
    if (weights.length > 0) await pieces.add(safeText`,\n`);
    weights.push(weight);
    const list = Array.from(frame.subarray(start[s], start[s + 1])).reverse();
    await pieces.add(safeText`[${list.join(',')}]`);
  }
  await pieces.add(safeText`],\n"weights":[`);
  for (let i = 0; i < weights.length; i += SLICE)
    await pieces.add(safeText`${i > 0 ? ',' : ''}${weights.slice(i, i + SLICE).join(',')}`);
  await pieces.add(safeText`]}`);
  await pieces.add(safeText`\n]}\n`);
  await pieces.flush();
}

/** Weights of a piece. */
const SLICE = 1000;

export const speedscope: Exporter = {
  name: 'speedscope',
  title: "speedscope's JSON, of the event that is shown",
  endings: ['.speedscope.json'],
  refusal: (context) => stacksRefused(context, false),
  write,
};
