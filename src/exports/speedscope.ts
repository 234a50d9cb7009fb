// Writes speedscope's JSON: a sampled profile of the shown event, in time order if times are known.
import { exportedName, fileName, objectName } from '../analysis/names/names.ts';
import { type SafeText, safeJson, safeText } from '../base/safe-text.ts';
import { eventValue } from '../model/head.ts';
import type { ReportContext } from '../reports/report.ts';
import { type ExportedRun, exportedRuns, samplesOf, stackRefusal, UNIT_WORDS } from './as-stacks.ts';
import { type Exporter, writerOf } from './exporter.ts';

/** The units of speedscope; values of other units have the unit "none". */
const SPEEDSCOPE_UNITS: ReadonlySet<string> = new Set(['nanoseconds', 'microseconds', 'milliseconds', 'seconds', 'bytes']);

function framesOf({ profile }: ExportedRun): object[] {
  const { frames } = profile;
  return Array.from(frames.routine, (r, f) => {
    const file = fileName(profile, frames.file[f]) ?? fileName(profile, profile.routines.file[r]);
    const object = objectName(profile, profile.routines.object[r]);
    const line = frames.line[f] > 0 ? frames.line[f] : undefined;
    // JSON omits fields that are undefined.
    return { name: exportedName(profile, r), file: file ?? object ?? undefined, line };
  });
}

function* speedscopePieces(context: ReportContext, version: string): Generator<SafeText> {
  const [run] = exportedRuns(context);
  const { profile, events, estimated } = run;
  const { start, frame } = profile.stacks;
  const title = [profile.command ?? profile.paths[0] ?? profile.format, ...(estimated ? [estimated] : [])].join(' ');
  const head = {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: `proftui@${version}`,
    name: title,
    activeProfileIndex: 0,
  };
  yield safeText`${safeJson(head).slice(0, -1)},\n"shared":{"frames":[`;
  for (const [i, frameObject] of framesOf(run).entries()) {
    if (i > 0) yield safeText`,\n`;
    yield safeJson(frameObject);
  }
  yield safeText`]},\n"profiles":[`;
  // Readers combine all profiles of a file, so the file has only one event.
  const [event] = events;
  const weights: (number | bigint)[] = [];
  const unit = UNIT_WORDS[event.unit];
  const profileHead = {
    type: 'sampled',
    name: `${title}: ${event.name}`,
    unit: SPEEDSCOPE_UNITS.has(unit) ? unit : 'none',
    startValue: 0,
    endValue: eventValue(context.event, context.analysis.totals.total, 0),
  };
  yield safeText`${safeJson(profileHead).slice(0, -1)},"samples":[`;
  for (const [s, weight] of samplesOf(run)) {
    if (weights.length > 0) yield safeText`,\n`;
    weights.push(weight);
    yield safeText`[${Array.from(frame.subarray(start[s], start[s + 1]))
      .reverse()
      .join(',')}]`;
  }
  yield safeText`],\n"weights":[`;
  for (let i = 0; i < weights.length; i += WEIGHTS_PER_PIECE)
    yield safeText`${i > 0 ? ',' : ''}${weights.slice(i, i + WEIGHTS_PER_PIECE).join(',')}`;
  yield safeText`]}\n]}\n`;
}

/** Number of weights that are written at once. */
const WEIGHTS_PER_PIECE = 1000;

export const speedscope: Exporter = {
  name: 'speedscope',
  title: "speedscope's JSON, of the event that is shown",
  endings: ['.speedscope.json'],
  refusal: (context) => stackRefusal(context, false),
  write: writerOf(speedscopePieces),
};
