// proftui as a library: no screen, no command line. What programs see of it is in types.ts alone.
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { analyse as analyseProfile } from '../analysis/answers/analyse.ts';
import type { Analysis as Inner } from '../analysis/answers/analysis.ts';
import { measured } from '../analysis/answers/compared/measure.ts';
import { allEvents } from '../analysis/answers/events.ts';
import { olderParts } from '../analysis/answers/parts.ts';
import { compareProfiles } from '../analysis/profiles/compare/compare.ts';
import { transformProfile } from '../analysis/profiles/transforms/apply.ts';
import { NOTHING_OWN } from '../analysis/profiles/transforms/own-code.ts';
import { parseTransform } from '../analysis/profiles/transforms/transform.ts';
import { compileFilter } from '../base/match.ts';
import { FormatError } from '../base/problem.ts';
import { safeJson } from '../base/safe-text.ts';
import { exporters as writers } from '../exports/index.ts';
import { loaders } from '../formats/index.ts';
import { compressed } from '../io/disk/pieces.ts';
import { resolveWithoutScreen } from '../io/find.ts';
import { loaderNamed, loadProfile } from '../io/load.ts';
import type { Profile as Loaded } from '../model/profile.ts';
import { reports as specs } from '../reports/index.ts';
import { type Extra, matchesIn, type ReportContext } from '../reports/report.ts';
import { costsIn, edgesOf, eventNamed, findingsOf, labelsOf, linesOf, routinesOf, stacksOf, stepsOf, treeOf } from './answers.ts';
import type { AnalyseOptions, Analysis, ExportOptions, Library, Profile, RowOptions } from './types.ts';

declare const PROFTUI_VERSION: string;

/** The profiles and analyses behind the objects that were handed out. */
const loaded = new WeakMap<Profile, Loaded>();
const inner = new WeakMap<Analysis, Inner>();

function loadedOf(profile: Profile): Loaded {
  const known = loaded.get(profile);
  if (known) return known;
  // One that came from another thread is a copy.
  if (isLoaded(profile)) return profile;
  throw new TypeError('expected a profile that load() made');
}

const isLoaded = (profile: Profile): profile is Profile & Loaded =>
  'kind' in profile && 'strings' in profile && 'routines' in profile;

function innerOf(analysis: Analysis): Inner {
  const known = inner.get(analysis);
  if (known) return known;
  throw new TypeError('expected an analysis that analyse() made');
}

type From = Parameters<Library['load']>[0];

const isPaths = (from: From): from is string | readonly string[] => typeof from === 'string' || Array.isArray(from);

const load: Library['load'] = async (from, { format, name = 'bytes', binary, symbolPath = [], compilers, signal } = {}) => {
  if (format !== undefined && !loaderNamed(format)) throw new RangeError(`no format is called ${format}`);
  const bytes = isPaths(from) ? undefined : from instanceof Uint8Array ? from : await buffer(from);
  const paths = !isPaths(from) ? [name] : typeof from === 'string' ? resolveWithoutScreen([from]) : [...from];
  const profile = await loadProfile(paths, {
    ...(format === undefined ? {} : { format }),
    ...(signal ? { signal } : {}),
    ...(bytes ? { bytes } : {}),
    compilers,
    symbols: { binaries: binary === undefined ? [] : [[null, binary]], dirs: symbolPath, maps: [] },
  });
  loaded.set(profile, profile);
  return profile;
};

/** Makes a choice. Its error is as on the command line, without the dashes of flags. */
function choosing<T>(choose: () => T): T {
  try {
    return choose();
  } catch (error) {
    throw error instanceof Error ? new RangeError(error.message.replace(/--(?=[a-z])/g, ''), { cause: error }) : error;
  }
}

const analyse: Library['analyse'] = (profile, { parts, apply = [], derive = [], base }: AnalyseOptions = {}) => {
  const transforms = choosing(() => apply.map(parseTransform));
  const left = (given: Profile) => transformProfile(loadedOf(given), transforms, NOTHING_OWN);
  const now = left(profile);
  const shown = base ? compareProfiles(now, left(base), { pathMaps: [], renames: [], normalize: false }) : now;
  const off = new Set(parts === 'all' ? [] : parts ? now.parts.keys() : olderParts(shown));
  for (const part of parts === 'all' ? [] : (parts ?? []))
    if (!off.delete(part)) throw new RangeError(`there is no part ${part}: there are ${now.parts.length}`);
  const events = choosing(() => allEvents(shown.events, derive));
  const analysis = analyseProfile(shown, events, off);
  const made = answersOf(profile, analysis);
  inner.set(made, analysis);
  return made;
};

function answersOf(profile: Profile, analysis: Inner): Analysis {
  const { events, totals } = analysis;
  return {
    profile,
    events: events.map((e) => e.name),
    totals: () => costsIn(events, totals.total, 0),
    routines: () => routinesOf(analysis),
    edges: () => edgesOf(analysis),
    lines: (routine) =>
      linesOf(analysis, routine === undefined ? analysis.profile.routines.name.keys() : [routineIn(analysis, routine)]),
    stacks: () => stacksOf(analysis),
    steps: () => stepsOf(analysis),
    labels: () => labelsOf(analysis),
    findings: (options) => findingsOf(analysis, options?.event),
    tree: (options) => treeOf(analysis, options ?? {}),
  };
}

/** A routine's id as it was given. Throws RangeError if there is none. */
function routineIn({ profile }: Inner, id: number): number {
  if (Number.isInteger(id) && id >= 0 && id < profile.routines.name.length) return id;
  throw new RangeError(`there is no routine ${id}: there are ${profile.routines.name.length}`);
}

/** The context that --print would use. */
function contextOf(analysis: Inner, options: RowOptions): ReportContext {
  const event = measured(analysis, eventNamed(analysis, options.event), 'delta');
  const filter = options.filter ?? '';
  return {
    analysis,
    event,
    extraEvents: [],
    extraParts: [],
    percent: 'total',
    names: 'whole',
    width: 200,
    ascii: false,
    base: analysis.before,
    favourites: new Set(),
    medium: 'text',
    sort: options.sort && { column: options.sort.column, descending: options.sort.descending },
    limit: options.limit ?? Number.POSITIVE_INFINITY,
    matches: matchesIn(analysis.profile, compileFilter(filter)),
    filtered: filter.trim() !== '',
    routine: options.routine === undefined ? undefined : routineIn(analysis, options.routine),
    source: () => 'a library opens no sources',
    instrText: () => undefined,
    inverted: options.inverted ?? false,
    threshold: options.threshold,
    byContext: false,
    at: undefined,
    csvSafe: false,
    run: analysis.profile.paths[0] ?? '',
  };
}

/** Large counts as text, and unknown numbers as null, as JSON has them. */
const plainRecord = (row: Extra): Readonly<Record<string, unknown>> => JSON.parse(safeJson(row));

const reports: Library['reports'] = specs.map(({ name, title, asks, records }) => ({
  name,
  title,
  async rows(of, options = {}) {
    const analysis = innerOf(of);
    const missing = asks.find((question) => !analysis.costing.can.has(question));
    if (missing) throw new RangeError(`${name}: it needs ${missing}, which the profile does not have`);
    return choosing(() => Array.from(records(contextOf(analysis, options)), plainRecord));
  },
}));

/** Until there is room again, or nobody reads on. */
const drained = (stream: PassThrough) =>
  new Promise<void>((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });

const exporters: Library['exporters'] = writers.map(({ name, title, gzip, refusal, write }) => {
  async function* stream(of: Analysis, options: ExportOptions = {}): AsyncGenerator<Uint8Array> {
    const context = contextOf(innerOf(of), options);
    const why = refusal(context);
    if (why !== undefined) throw new RangeError(`${name}: ${why}`);
    const through = new PassThrough();
    const keep = async (piece: string | Uint8Array): Promise<void> => {
      if (through.destroyed) throw new Error('nobody reads on');
      if (!through.write(piece)) await drained(through);
    };
    const run = (put: typeof keep) => write(context, PROFTUI_VERSION, put);
    const written = (gzip ? compressed(run, keep) : run(keep)).then(
      () => void through.end(),
      (error: unknown) => void through.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    yield* through;
    await written;
  }
  return {
    name,
    title,
    stream,
    write: async (of, options) => buffer(stream(of, options)),
  };
});

const formats: Library['formats'] = loaders.map(({ name, title }) => ({ name, title }));
const number: Library['number'] = Number;

const library: Library = { version: PROFTUI_VERSION, load, number, FormatError, analyse, formats, reports, exporters };
const { version } = library;

export { analyse, exporters, FormatError, formats, load, number, reports, version };
