// proftui as a library: no screen, no command line. What programs see of it is in types.ts alone.
import { analyse as analyseProfile } from '../analysis/answers/analyse.ts';
import { type Analysis as Inner, openingEvent } from '../analysis/answers/analysis.ts';
import { measured } from '../analysis/answers/compared/measure.ts';
import { allEvents } from '../analysis/answers/events.ts';
import { olderParts } from '../analysis/answers/parts.ts';
import { childrenOf, openTree } from '../analysis/answers/tree.ts';
import { fileName, objectName, routineName } from '../analysis/names/names.ts';
import { compareProfiles } from '../analysis/profiles/compare/compare.ts';
import { transformProfile } from '../analysis/profiles/transforms/apply.ts';
import { NOTHING_OWN } from '../analysis/profiles/transforms/own-code.ts';
import { parseTransform } from '../analysis/profiles/transforms/transform.ts';
import { compileFilter } from '../base/match.ts';
import { safeJson } from '../base/safe-text.ts';
import { exporters as writers } from '../exports/index.ts';
import { compressed } from '../io/disk/pieces.ts';
import { resolveWithoutScreen } from '../io/find.ts';
import { loaderNamed, loadProfile } from '../io/load.ts';
import { type CostTable, eventValue, exactValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import type { Profile as Loaded } from '../model/profile.ts';
import { reports as specs } from '../reports/index.ts';
import { type Extra, matchesIn, type ReportContext } from '../reports/report.ts';
import type { AnalyseOptions, Analysis, Costs, Library, Line, Profile, Routine, RowOptions, TreeNode } from './types.ts';

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

const load: Library['load'] = async (from, { format, name = 'bytes', binary, symbolPath = [], signal } = {}) => {
  if (format !== undefined && !loaderNamed(format)) throw new RangeError(`no format is called ${format}`);
  const paths = typeof from === 'string' ? resolveWithoutScreen([from]) : from instanceof Uint8Array ? [name] : [...from];
  const profile = await loadProfile(paths, {
    ...(format === undefined ? {} : { format }),
    ...(signal ? { signal } : {}),
    ...(from instanceof Uint8Array ? { bytes: from } : {}),
    symbols: { binaries: binary === undefined ? [] : [[null, binary]], dirs: symbolPath, maps: [] },
  });
  loaded.set(profile, profile);
  return profile;
};

const analyse: Library['analyse'] = (profile, { parts, apply = [], derive = [], base }: AnalyseOptions = {}) => {
  const left = (given: Profile) => transformProfile(loadedOf(given), apply.map(parseTransform), NOTHING_OWN);
  const now = left(profile);
  const shown = base ? compareProfiles(now, left(base), { pathMaps: [], renames: [], normalize: false }) : now;
  const off = new Set(parts === 'all' ? [] : parts ? now.parts.keys() : olderParts(shown));
  for (const part of parts === 'all' ? [] : (parts ?? []))
    if (!off.delete(part)) throw new RangeError(`there is no part ${part}: there are ${now.parts.length}`);
  const analysis = analyseProfile(shown, allEvents(shown.events, derive), off);
  const made = answersOf(profile, analysis);
  inner.set(made, analysis);
  return made;
};

/** The costs of a row, by event. */
function costsIn(events: readonly Event[], costs: CostTable, row: number): Costs {
  return Object.fromEntries(events.map((event) => [event.name, exactValue(event, costs, row)]));
}

function answersOf(profile: Profile, analysis: Inner): Analysis {
  const { costing, events } = analysis;
  const counted = costing.can.has('counts');
  return {
    profile,
    events: events.map((e) => e.name),
    totals: () => costsIn(events, analysis.totals.total, 0),
    routines: () => routinesOf(analysis),
    *edges() {
      const { edges } = analysis;
      for (let e = 0; e < edges.caller.length; e++)
        yield {
          caller: edges.caller[e],
          callee: edges.callee[e],
          calls: counted ? edges.count[e] : null,
          cost: costsIn(events, edges.costs, e),
        };
    },
    lines: (routine) => linesOf(analysis, routineIn(analysis, routine)),
    tree: (options) => treeOf(analysis, options ?? {}),
  };
}

function* routinesOf({ profile, costing, totals, events }: Inner): Generator<Routine> {
  const [inclusive, counts] = [costing.can.has('inclusive'), costing.can.has('counts')];
  for (let id = 0; id < profile.routines.name.length; id++)
    yield {
      id,
      name: routineName(profile, id),
      file: fileName(profile, profile.routines.file[id]),
      object: objectName(profile, profile.routines.object[id]),
      self: costsIn(events, totals.self, id),
      inclusive: inclusive ? costsIn(events, totals.inclusive, id) : null,
      calls: counts ? totals.calls[id] : null,
    };
}

function* linesOf({ profile, costing, events }: Inner, routine: number | undefined): Generator<Line> {
  const wanted = routine === undefined ? profile.routines.name.keys() : [routine];
  for (const of of wanted) {
    const { file, line, costs } = costing.lines({ routine: of });
    for (let i = 0; i < line.length; i++)
      yield { routine: of, file: fileName(profile, file[i]), line: line[i], self: costsIn(events, costs, i) };
  }
}

/** Depth first, without recursion: a tree may be a thousand deep. */
function* treeOf(
  analysis: Inner,
  { event: name, inverted = false, threshold = 0 }: NonNullable<Parameters<Analysis['tree']>[0]>,
): Generator<TreeNode> {
  const { events, costing, totals } = analysis;
  const event = eventNamed(analysis, name);
  const tree = openTree(costing.tree(inverted), inverted, event);
  const least = (Math.abs(eventValue(event, totals.total, 0)) * threshold) / 100;
  const open = [...tree.roots].reverse();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = tree.nodes[id];
    const costs = Array.from(node.inclusive, (value) => Float64Array.of(value));
    if (Math.abs(eventValue(event, costs, 0)) < least) continue;
    const { routine, depth, estimated } = node;
    yield { routine, depth, inclusive: costsIn(events, costs, 0), estimated };
    open.push(...[...childrenOf(tree, id, event)].reverse());
  }
}

/** A routine's id as it was given. Throws RangeError if there is none. */
function routineIn({ profile }: Inner, id: number | undefined): number | undefined {
  if (id === undefined || (Number.isInteger(id) && id >= 0 && id < profile.routines.name.length)) return id;
  throw new RangeError(`there is no routine ${id}: there are ${profile.routines.name.length}`);
}

function eventNamed(analysis: Inner, name: string | undefined): Event {
  const { events } = analysis;
  const found = name === undefined ? openingEvent(analysis) : events.find((e) => e.name === name);
  if (found) return found;
  throw new RangeError(`no event is called ${name}; there are ${events.map((e) => e.name).join(', ')}`);
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
    routine: routineIn(analysis, options.routine),
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
    return Array.from(records(contextOf(analysis, options)), plainRecord);
  },
}));

const exporters: Library['exporters'] = writers.map(({ name, title, gzip, refusal, write }) => ({
  name,
  title,
  async write(of, options = {}) {
    const context = contextOf(innerOf(of), options);
    const why = refusal(context);
    if (why !== undefined) throw new RangeError(`${name}: ${why}`);
    const pieces: Uint8Array[] = [];
    const keep = async (piece: string | Uint8Array): Promise<void> => {
      pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
    };
    const run = (put: typeof keep) => write(context, PROFTUI_VERSION, put);
    await (gzip ? compressed(run, keep) : run(keep));
    return Buffer.concat(pieces);
  },
}));

const library: Library = { version: PROFTUI_VERSION, load, analyse, reports, exporters };
const { version } = library;

export { analyse, exporters, load, reports, version };
