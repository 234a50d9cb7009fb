// The JSON of every view of every fixture, alone, with flags and in comparisons: the schemas are made from it, and tested with it.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withSourceTexts } from '../src/analysis/answers/analyse.ts';
import { eventInMeasure } from '../src/analysis/answers/compared/measure.ts';
import { loadBase } from '../src/analysis/answers/compared/runs.ts';
import { keyOfRoutine, namedRoutine } from '../src/analysis/answers/notes.ts';
import { textsOfBothRuns } from '../src/analysis/profiles/compare/texts.ts';
import { granularitiesOf, ROUTINE_GRANULARITY } from '../src/analysis/profiles/granularity/stacks.ts';
import { buildShownProfile, type ShapingOptions } from '../src/analysis/profiles/shown.ts';
import { ChoiceError } from '../src/base/errors.ts';
import { FormatError } from '../src/base/problem.ts';
import { loadProfile } from '../src/io/load.ts';
import { type Profile, questionsOf } from '../src/model/profile.ts';
import { reports } from '../src/reports/index.ts';
import type { Report } from '../src/reports/print.ts';
import { type ReportContext, ReportError } from '../src/reports/report.ts';
import { unpack } from '../test/support/bundle.ts';
import { existing, FIXTURES } from '../test/support/fixtures.ts';
import { contextOf } from '../test/support/reports.ts';
import { versus } from '../test/support/versus.ts';

/** What one view of one profile writes. */
export interface ViewOutput {
  readonly view: string;
  /** The fixture and the flags. */
  readonly about: string;
  /** The names of the profile's events, which are keys of its costs. */
  readonly events: ReadonlySet<string>;
  readonly json: unknown;
}

/** A change of the context, and the views that use it; without `views` all do. */
interface Variant {
  readonly context: Partial<ReportContext>;
  readonly views?: readonly string[];
}

/** A profile and the contexts in which its views are written. */
interface Shown {
  readonly about: string;
  readonly profile: Profile;
  readonly variants: readonly Variant[];
}

/** The views whose JSON is ours: not text, and not an array in the format of another tool. */
export const schemaViews: readonly Report[] = reports.filter((report) => report.forms.has('json') && !report.isArray);

/** Files beside the fixtures: sources, truths and reports of other tools. */
const NO_PROFILES =
  /\.(md|tsv|py|sh|c|cc|cpp|h|hpp|go|mjs|cjs|ninja)(\.gz)?$|truth|expected|kcachegrind|\.plan\.json|Makefile|\/bin\//;
const BUNDLES = /^(cmake\/[^/]+|ninja-log\/ferry)\.json(\.gz)?$/;
const FOLDERS = ['clang-traces/whole-build', 'ctest/fates', 'trace-events/clang-time-trace'];

/** Every fixture by its name: files, folders and bundles of files. Some are made to be refused. */
export const fixtureNames: readonly string[] = [
  ...FOLDERS,
  ...readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter(
      (name) =>
        !NO_PROFILES.test(name) &&
        !FOLDERS.some((folder) => name.startsWith(`${folder}/`)) &&
        statSync(join(FIXTURES, name)).isFile(),
    ),
].sort();

const unpacked = new Map<string, string>();

/** The folder of an unpacked bundle. */
function folderOf(name: string): string {
  const folder = unpacked.get(name) ?? unpack(existing(join(FIXTURES, name)));
  unpacked.set(name, folder);
  return folder;
}

export function removeUnpacked(): void {
  for (const folder of unpacked.values()) rmSync(folder, { recursive: true, force: true });
  unpacked.clear();
}

/** The profiles in a fixture: of a bundle, the build tree and the builds that were kept. */
function pathsOf(name: string): string[] {
  if (!BUNDLES.test(name)) return [join(FIXTURES, name)];
  const folder = folderOf(name);
  return [folder, join(folder, 'build'), ...kept(join(folder, 'kept'))].filter((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
}

const kept = (folder: string) =>
  statSync(folder, { throwIfNoEntry: false })
    ? readdirSync(folder)
        .sort()
        .map((build) => join(folder, build))
    : [];

/** The result, or undefined for what the program refuses to a user. */
async function unlessRefused<T>(work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FormatError || error instanceof ChoiceError || error instanceof ReportError) return undefined;
    throw error;
  }
}

/** Views that take half of the time, and whose rows do not depend on flags. */
const SLOW = new Set(['summary', 'findings']);
const OF_ROUTINES = ['routine', 'source', 'instrs', 'graph', 'curve', 'calls', 'lines', 'inputs', 'curves'];

const PLAIN: Variant = { context: { routine: undefined } };
/** Views of a single routine. */
const OF_ROUTINE: Variant = { context: { routine: 0 }, views: OF_ROUTINES };
const QUICK: Variant = { ...PLAIN, views: schemaViews.map(({ name }) => name).filter((name) => !SLOW.has(name)) };

async function* plainProfiles(names: readonly string[]): AsyncGenerator<Shown> {
  for (const name of names)
    for (const path of pathsOf(name)) {
      const profile = await unlessRefused(() => loadProfile([path]));
      if (profile) yield { about: name, profile, variants: [PLAIN, { ...OF_ROUTINE, views: ['curve', 'routine'] }] };
    }
}

/** One profile of each kind, whose views are written with flags. */
const WITH_FLAGS = [
  'callgrind/default.callgrind.out',
  'callgrind/instr-jumps.callgrind.out.gz',
  'callgrind/combined-threads-parts.callgrind.out.gz',
  'gperftools/pie-g.prof.gz',
  'pprof/heap.pb.gz',
  'perf-script/inlined.perf.gz',
  'aprof/sorts-cct/sorts_29653_0_4.aprof.gz',
  'trace-events/hand/complete-object.json',
  'trace-events/clang-time-trace/regexes.json.gz',
  'build-trace/harbor.trace.gz',
];

const SOURCE_LINES = Array.from({ length: 60 }, (_, i) => `line ${i + 1}`);

/** Any file has a text. */
const source = (path: string) => ({ path, lines: SOURCE_LINES, newer: false });
/** The text of any file in the base, where its lines are in another order, and one of them is another. */
const baseSource = (path: string) => ({ ...source(path), lines: [...SOURCE_LINES.slice(20), ...SOURCE_LINES.slice(1, 20)] });

/** Views of one routine after the other. */
const eachRoutine = (profile: Profile): Variant[] =>
  [...profile.routines.name.keys()]
    .slice(0, profile.kind === 'inputs' ? 12 : 2)
    .map((routine) => ({ context: { routine, predictedSize: 1000, source }, views: OF_ROUTINES }));

function variantsWithFlags(profile: Profile): Variant[] {
  const routines = [...profile.routines.name.keys()];
  const named = routines.length > 0 ? namedRoutine(profile, 0) : undefined;
  const notes = new Map(named ? [[keyOfRoutine(named), { ...named, note: 'a note' }]] : []);
  const limit = {
    expr: 'total > 1',
    exceeded: true,
    base: null,
    now: 2,
    where: 'main',
    estimated: true,
    doubt: 'cut off',
  } as const;
  return [
    PLAIN,
    { context: { routine: undefined, routines: routines.slice(0, 3) }, views: ['source', 'instrs', 'calls', 'lines'] },
    { context: { routine: undefined, threshold: 5 }, views: QUICK.views ?? [] },
    { context: { routine: undefined, inverted: true }, views: ['tree', 'flame'] },
    { context: { routine: undefined, grouping: 'object,class,routine' }, views: ['groups'] },
    { context: { routine: undefined, byContext: true }, views: ['inputs'] },
    { context: { routine: undefined, notes }, views: ['routines'] },
    { context: { routine: undefined, source }, views: ['source'] },
    { context: { routine: undefined, filtered: true, matches: () => false, limits: [limit] }, views: QUICK.views ?? [] },
    ...eachRoutine(profile),
  ];
}

/** The profile as flags such as --focus and --by shape it. */
function shapesOf(loaded: Profile): Partial<ShapingOptions>[] {
  return [
    { transforms: [{ word: 'focus', pattern: 'a' }] },
    { transforms: [{ word: 'collapse', what: 'recursion' }] },
    { transforms: [{ word: 'time', fromUs: 0, toUs: 5000 }] },
    ...granularitiesOf(loaded)
      .slice(0, 3)
      .map((name) => ({ granularity: { name, unknowns: 'address' as const } })),
  ];
}

const UNSHAPED: ShapingOptions = { granularity: ROUTINE_GRANULARITY, transforms: [], own: undefined, versus: undefined };

async function* profilesWithFlags(names: readonly string[]): AsyncGenerator<Shown> {
  for (const name of names) {
    const loaded = await loadProfile([existing(join(FIXTURES, name))]);
    yield { about: `${name} with flags`, profile: loaded, variants: variantsWithFlags(loaded) };
    for (const shape of shapesOf(loaded)) {
      const profile = await unlessRefused(() => buildShownProfile(loaded, { ...UNSHAPED, ...shape }));
      if (profile) yield { about: `${name} ${JSON.stringify(shape)}`, profile, variants: [QUICK, OF_ROUTINE] };
    }
  }
}

/** The files of one run. */
const MERGED: readonly (readonly string[])[] = [
  ['callgrind/threads.callgrind.out-01', 'callgrind/threads.callgrind.out-02', 'callgrind/threads.callgrind.out-03'],
  ['callgrind/parts.callgrind.out', 'callgrind/parts.callgrind.out.1'],
  ['aprof/readlog-merged/inputs/readlog_29669_0_4.aprof.gz', 'aprof/readlog-merged/inputs/readlog_29672_0_4.aprof.gz'],
];

/** This run and its base, or several runs of the base; `BUNDLE::PATH` is a path in a bundle. */
const COMPARED: readonly (readonly [now: string, ...bases: string[]])[] = [
  ['compare/v2/shop.callgrind.out.gz', 'compare/v1/shop.callgrind.out.gz'],
  ['compare/v2/shop.cachegrind.out.gz', 'compare/v1/shop.cachegrind.out.gz'],
  ['callgrind/heat.callgrind.out.gz', 'callgrind/heat32.callgrind.out.gz', 'callgrind/heat.callgrind.out.gz'],
  ['callgrind/edge/v15-jumps-as-callgrind-writes-them.callgrind.out', 'callgrind/edge/v32-instr-bb-line.callgrind.out'],
  ['gperftools/pie-g.prof.gz', 'gperftools/nopie-g.prof.gz'],
  ['pprof/cpu.pb.gz', 'pprof/cpu.pb.gz'],
  ['perf-script/phases.perf.gz', 'perf-script/levels.perf.gz'],
  ['gprof/parse.gprof', 'gprof/sort.gprof'],
  ['massif/stages.massif.out', 'massif/words.massif.out'],
  ['aprof/sorts-cct/sorts_29653_0_4.aprof.gz', 'aprof/matrix-cct/matrix_29657_0_4.aprof.gz'],
  ['aprof/sorts/sorts_29651_0_4.aprof.gz', 'aprof/sorts-cct/sorts_29653_0_4.aprof.gz'],
  ['cmake/tidepool-ninja-incremental.json::build', 'cmake/tidepool-ninja-ccache.json::build'],
  ['cmake/tidepool-ninja-accumulated.json::build', 'cmake/tidepool-ninja-unity.json::build'],
  ['cmake/kept/build-2026-11-01T09-00-00-0000.json.gz', 'cmake/kept/build-2026-11-01T08-00-00-0000.json.gz'],
  ['cmake/ferry-make.json', 'cmake/ferry-make.json'],
  ['ninja-log/tidepool-ninja-incremental/.ninja_log', 'ninja-log/tidepool-ninja-unity/.ninja_log'],
  ['clang-traces/whole-build', 'clang-traces/whole-build/util'],
  ['trace-events/clang-time-trace/regexes.json.gz', 'trace-events/clang-time-trace/regexes-coarse.json'],
  ['gcc-time-report/two.txt', 'gcc-time-report/one.txt'],
  ['ctest/gtest.junit.xml', 'ctest/ctest.junit.xml'],
  ['build-trace/harbor.trace.gz', 'build-trace/harbor-j2-pids.trace.gz'],
];

export function placeOf(name: string): string {
  const [path = '', inside] = name.split('::');
  if (inside !== undefined) return join(folderOf(path), inside);
  return BUNDLES.test(path) ? folderOf(path) : existing(join(FIXTURES, path));
}

async function* mergedProfiles(runs: typeof MERGED): AsyncGenerator<Shown> {
  for (const names of runs)
    yield { about: names.join(' '), profile: await loadProfile(names.map(placeOf)), variants: [PLAIN, OF_ROUTINE] };
}

/** With the sources of both runs; and the curves of several routines. */
function variantsOfBoth(profile: Profile): Variant[] {
  const { analysis } = contextOf(profile);
  const withTexts = withSourceTexts(analysis, textsOfBothRuns(analysis, source, baseSource, true));
  const texts: Partial<ReportContext> = { analysis: withTexts, source, baseSource: (file) => baseSource(`${file}`) };
  const inSource = [{ context: { ...texts, routine: undefined }, views: ['source'] }];
  return profile.kind === 'inputs' ? eachRoutine(profile) : inSource;
}

async function* comparedProfiles(pairs: typeof COMPARED): AsyncGenerator<Shown> {
  for (const [now, ...bases] of pairs) {
    const before = await loadBase(
      bases.map((base) => [placeOf(base)]),
      'median',
      loadProfile,
    );
    const base = versus(before.profile, { runs: before.runs });
    const profile = buildShownProfile(await loadProfile([placeOf(now)]), { ...UNSHAPED, versus: base });
    const withThreshold: Variant = { context: { routine: undefined, threshold: 1 }, views: QUICK.views ?? [] };
    yield {
      about: `${now} --base ${bases.join(' ')}`,
      profile,
      variants: [PLAIN, OF_ROUTINE, withThreshold, ...variantsOfBoth(profile)],
    };
  }
}

/** The context of all events, which for two runs is that of their difference. Its analysis serves all variants: each takes seconds. */
function contextOfAll(profile: Profile, limit: number): ReportContext {
  const plain = contextOf(profile);
  const { analysis, event } = plain;
  const compared = analysis.before ? { base: analysis.before, event: eventInMeasure(analysis, event, 'delta') } : {};
  return { ...plain, ...compared, limit };
}

async function* outputsOf({ about, profile, variants }: Shown, limit: number): AsyncGenerator<ViewOutput> {
  const answers = questionsOf(profile);
  const common = contextOfAll(profile, limit);
  for (const { context: more, views } of variants) {
    const context = { ...common, ...more };
    const events = new Set(context.analysis.events.map(({ name }) => name));
    for (const report of schemaViews) {
      if (!report.requires.every((question) => answers.has(question)) || views?.includes(report.name) === false) continue;
      if (context.analysis.before && !report.compares) continue;
      const text = await unlessRefused(() => writtenJson(report, context));
      if (text !== undefined) yield { view: report.name, about, events, json: JSON.parse(text) };
    }
  }
}

async function writtenJson(report: Report, context: ReportContext): Promise<string> {
  const pieces: string[] = [];
  await report.write('json', context, '0', async (piece) => {
    pieces.push(piece);
  });
  return pieces.join('');
}

/** The output of all views. `part`: one case of so many, of fixtures, flags and comparisons; `limit`: the most rows of a view. */
export async function* viewOutputs(part = 1, limit = Number.POSITIVE_INFINITY): AsyncGenerator<ViewOutput> {
  const some = <T>(cases: readonly T[]) => cases.filter((_, i) => i % part === 0);
  const sources = [
    plainProfiles(some(fixtureNames)),
    profilesWithFlags(some(WITH_FLAGS)),
    mergedProfiles(some(MERGED)),
    comparedProfiles(some(COMPARED)),
  ];
  for (const source of sources) for await (const shown of source) yield* outputsOf(shown, limit);
}
