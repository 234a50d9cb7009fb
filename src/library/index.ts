// proftui as a library, without screen and command line. The public interface is in types.ts.
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { analyse as analyseProfile } from '../analysis/answers/analyse.ts';
import type { Analysis as Inner } from '../analysis/answers/analysis.ts';
import { allEvents } from '../analysis/answers/events.ts';
import { olderParts } from '../analysis/answers/parts.ts';
import { chooseGrouping } from '../analysis/profiles/choices.ts';
import { compareRuns } from '../analysis/profiles/compare/offered.ts';
import { ROUTINE_GRANULARITY } from '../analysis/profiles/granularity/stacks.ts';
import { transformProfile } from '../analysis/profiles/transforms/apply.ts';
import { parseTransform } from '../analysis/profiles/transforms/transform.ts';
import { FormatError } from '../base/problem.ts';
import { safeJson } from '../base/safe-text.ts';
import { exporters as writers } from '../exports/index.ts';
import { loaders } from '../formats/index.ts';
import { compressPieces } from '../io/disk/pieces.ts';
import { resolveWithoutScreen } from '../io/find.ts';
import { loaderNamed, loadProfile } from '../io/load.ts';
import { readSource, sourceOrReason } from '../io/sources/source-text.ts';
import type { Profile as Loaded } from '../model/profile.ts';
import { reports as specs } from '../reports/index.ts';
import { chooseContext, chooseUnit, refuseUnusedOptions } from '../reports/options.ts';
import type { JsonFields, ReportContext } from '../reports/report.ts';
import { edgesOf, findingsOf, labelsOf, linesOf, routinesOf, rowCosts, stacksOf, stepsOf, treeOf } from './answers.ts';
import { checkInput, checkOptions, withRangeError } from './arguments.ts';
import type { AnalyseOptions, Analysis, ExportOptions, Library, Profile, RowOptions } from './types.ts';

declare const PROFTUI_VERSION: string;

/** The internal analyses of the objects that the library returned. */
const internalAnalyses = new WeakMap<Analysis, Inner>();

function internalProfileOf(profile: Profile): Loaded {
  // By its members, because a profile from another thread is a structured clone.
  if (isLoaded(profile)) return profile;
  throw new TypeError('expected a profile that load() made');
}

const isLoaded = (profile: Profile): profile is Profile & Loaded =>
  typeof profile === 'object' && profile !== null && 'kind' in profile && 'strings' in profile && 'routines' in profile;

function internalAnalysisOf(analysis: Analysis): Inner {
  const known = internalAnalyses.get(analysis);
  if (known) return known;
  throw new TypeError('expected an analysis that analyse() made');
}

type LoadInput = Parameters<Library['load']>[0];

const isPaths = (from: LoadInput): from is string | readonly string[] => typeof from === 'string' || Array.isArray(from);

const load: Library['load'] = async (from, options = {}) => {
  checkInput(from);
  checkOptions('load', options);
  const { format, name = 'bytes', binary, symbolPath = [], compilers, log, signal } = options;
  if (format !== undefined && !loaderNamed(format)) throw new RangeError(`no format is called ${format}`);
  const bytes = isPaths(from) ? undefined : from instanceof Uint8Array ? from : await buffer(from);
  const paths = !isPaths(from) ? [name] : typeof from === 'string' ? resolveWithoutScreen([from]) : [...from];
  return loadProfile(paths, {
    ...{ format, bytes, compilers, log, signal },
    symbols: { binaries: binary === undefined ? [] : [[null, binary]], dirs: symbolPath, maps: [] },
  });
};

const analyse: Library['analyse'] = (profile, options: AnalyseOptions = {}) => {
  checkOptions('analyse', options);
  const { parts, apply = [], derive = [], base } = options;
  const transforms = withRangeError(() => apply.map(parseTransform));
  const transformed = (given: Profile) => transformProfile(internalProfileOf(given), transforms);
  const now = transformed(profile);
  const comparedProfile = base ? compareRuns(now, transformed(base), { pathMaps: [], renames: [], normalize: false }) : now;
  const partsOff = new Set(parts === 'all' ? [] : parts ? now.parts.keys() : olderParts(comparedProfile));
  for (const part of parts === 'all' ? [] : (parts ?? []))
    if (!partsOff.delete(part)) throw new RangeError(`there is no part ${part}: there are ${now.parts.length}`);
  const events = withRangeError(() => allEvents(comparedProfile.events, derive));
  const analysis = analyseProfile(comparedProfile, events, partsOff);
  const answers = answersOf(profile, analysis);
  internalAnalyses.set(answers, analysis);
  return answers;
};

function answersOf(profile: Profile, analysis: Inner): Analysis {
  const { events, totals } = analysis;
  return {
    profile,
    events: events.map((e) => e.name),
    totals: () => rowCosts(events, totals.total, 0),
    routines: () => routinesOf(analysis),
    edges: () => edgesOf(analysis),
    lines: (routine) =>
      linesOf(analysis, routine === undefined ? analysis.profile.routines.name.keys() : [checkRoutineId(analysis, routine)]),
    stacks: () => stacksOf(analysis),
    steps: () => stepsOf(analysis),
    labels: () => labelsOf(analysis),
    findings: (options) => findingsOf(analysis, options?.event),
    tree: (options = {}) => {
      checkOptions('tree', options);
      return treeOf(analysis, options);
    },
  };
}

/** Returns `id` if there is such a routine. Throws RangeError if not. */
function checkRoutineId({ profile }: Inner, id: number): number {
  if (Number.isInteger(id) && id >= 0 && id < profile.routines.name.length) return id;
  throw new RangeError(`there is no routine ${id}: there are ${profile.routines.name.length}`);
}

/** The context that --print would use for these options. Throws the errors of the command line. */
function reportContextOf(given: Inner, view: string, options: RowOptions): ReportContext {
  const { by, routine, limit = Number.POSITIVE_INFINITY, sourceDir: dirs } = options;
  const names = checkOptions(view, options);
  const report = specs.find((spec) => spec.name === view);
  if (report) refuseUnusedOptions(report, names, options.filter, given.before !== undefined);
  const unused = [...names].find((n) => (report ? n === 'by' && view !== 'groups' : n !== 'event' && n !== 'threshold'));
  if (unused) throw new RangeError(`${unused}: ${view} does not use it`);
  const { analysis, timeUnit } = chooseUnit(given, view, options.unit);
  const { profile } = analysis;
  if (typeof routine === 'number') checkRoutineId(analysis, routine);
  const grouping = by === undefined ? by : chooseGrouping(profile, { ...ROUTINE_GRANULARITY, name: `${by}` }, true).grouping;
  const source = (file: string) =>
    dirs ? sourceOrReason(readSource(file, { dirs, maps: [], profiles: profile.paths })) : 'no source is opened';
  return { ...chooseContext(analysis, view, options), limit, timeUnit, grouping, source };
}

/** The row as its JSON has it: large counts as text, unknown numbers as null. */
const plainRecord = (row: JsonFields): Readonly<Record<string, unknown>> => JSON.parse(safeJson(row));

const reports: Library['reports'] = specs.map(({ name, title, requires, records }) => ({
  name,
  title,
  async rows(of: Analysis, options: RowOptions = {}) {
    const analysis = internalAnalysisOf(of);
    const missing = requires.find((question) => !analysis.costing.can.has(question));
    if (missing) throw new RangeError(`${name}: it needs ${missing}, which the profile does not have`);
    return withRangeError(() => Array.from(records(reportContextOf(analysis, name, options)), plainRecord));
  },
}));

const report: Library['report'] = (name) => {
  const found = reports.find((one) => one.name === name);
  if (found) return found;
  throw new RangeError(`no report is called ${name}`);
};

const exporters: Library['exporters'] = writers.map(({ name, title, gzip, refusal, write }) => {
  async function* stream(of: Analysis, options: ExportOptions = {}): AsyncGenerator<Uint8Array> {
    const context = withRangeError(() => reportContextOf(internalAnalysisOf(of), name, options));
    const why = refusal(context);
    if (why !== undefined) throw new RangeError(`${name}: ${why}`);
    const closed = new AbortController();
    const passThrough = new PassThrough().once('close', () => closed.abort());
    const writePiece = async (piece: string | Uint8Array): Promise<void> => {
      if (passThrough.destroyed) throw new Error('nobody reads on');
      if (!passThrough.write(piece)) await once(passThrough, 'drain', { signal: closed.signal });
    };
    const writeTo = (put: typeof writePiece) => write(context, PROFTUI_VERSION, put);
    const finished = (gzip ? compressPieces(writeTo, writePiece) : writeTo(writePiece)).then(
      () => void passThrough.end(),
      (error: unknown) => void passThrough.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    yield* passThrough;
    await finished;
  }
  return { name, title, stream, write: async (of, options) => buffer(stream(of, options)) };
});

const formats: Library['formats'] = loaders.map(({ name, title }) => ({ name, title }));
const number: Library['number'] = Number;

const library: Library = { version: PROFTUI_VERSION, load, number, FormatError, analyse, formats, reports, report, exporters };
const { version } = library;

export { analyse, exporters, FormatError, formats, load, number, report, reports, version };
