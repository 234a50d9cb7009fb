// The command line: turns flags into a printed view, a check, or the screen. Ink is imported only when a screen opens.

import { addressRange } from '../analysis/address-range.ts';
import { analyse } from '../analysis/analyse.ts';
import type { Analysis } from '../analysis/analysis.ts';
import { allEvents } from '../analysis/events.ts';
import { findRoutines, routineFile, routineName, routineObject } from '../analysis/names.ts';
import { regrain } from '../analysis/stacks/granularity.ts';
import { compileFilter, PatternError } from '../base/match.ts';
import { FormatError, formatProblem, problemLine } from '../base/problem.ts';
import { SessionError } from '../base/session-error.ts';
import { useAsciiEllipsis, visible } from '../base/text.ts';
import { formatCount } from '../base/units.ts';
import { loaders } from '../formats/index.ts';
import { filesOfRun, resolveBase, resolveWithoutScreen, splitPrograms } from '../io/find.ts';
import { loaderNamed, loadOptions, loadProfile } from '../io/load.ts';
import { disassemble } from '../io/objdump.ts';
import { joinProject, readProject, rememberProject } from '../io/project.ts';
import { objectFile, readSource } from '../io/source-text.ts';
import { checkProfile } from '../model/check.ts';
import { questionsOf } from '../model/kinds.ts';
import type { Profile } from '../model/profile.ts';
import { reports } from '../reports/index.ts';
import type { Write } from '../reports/print.ts';
import { matchesIn, type ReportContext, ReportError } from '../reports/report.ts';
import { cmakeCommand, isCmakeCommand } from './cmake.ts';
import { helpText, type Options, parseFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

const TEXT_LIMIT = 40;
const TEXT_WIDTH = 80;

/** Runs the program and returns the exit code. */
export async function main(argv: readonly string[], version: string): Promise<number> {
  try {
    if (isCmakeCommand(argv)) {
      const text = await cmakeCommand(argv, [process.execPath, process.argv[1]]);
      return text === '' ? 0 : say(text);
    }
    const given = parseFlags(argv, process.env);
    if (given.help) return say(helpText());
    if (given.version) return say(version);
    const places = joinProject(readProject(), given);
    if (given.remember) rememberProject({ ...readProject(), sourceDirs: places.sourceDirs, pathMaps: places.pathMaps });
    const { programs, others } = splitPrograms(given.paths);
    const { symbols } = given;
    const binaries = [...symbols.binaries, ...programs.map((p) => [null, p] as const)];
    const options: Options = { ...given, ...places, paths: others, symbols: { ...symbols, binaries, maps: places.pathMaps } };
    if (options.formats) return say(formatList());
    if (options.format !== undefined && !loaderNamed(options.format)) {
      throw new UsageError(`--format ${options.format}: no such format; there are ${loaders.map((l) => l.name).join(', ')}`);
    }
    if (options.ascii) useAsciiEllipsis();
    if (options.check) return await check(options);
    if (options.print !== undefined || !process.stdout.isTTY) return await print(options, version);
    const { openScreen } = await import('../tui/run.tsx');
    const base =
      options.base === undefined ? undefined : await loadProfile(resolveBase(options.base, options.paths), loadOptions(options));
    return await openScreen({ ...options, basis: base }, version);
  } catch (error) {
    return complain(error);
  }
}

function complain(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`proftui: ${visible(error.message)}\n`);
    return 2;
  }
  if (error instanceof FormatError) {
    process.stderr.write(formatProblem(error.problem) + '\n');
    return error.problem.path === '--derive' ? 2 : 1;
  }
  if (error instanceof ReportError || error instanceof PatternError || error instanceof SessionError) {
    process.stderr.write(`proftui: ${error.message.split('\n').map(visible).join('\n')}\n`);
    return 2;
  }
  throw error;
}

async function say(text: string): Promise<number> {
  await write(text + '\n');
  return 0;
}

function formatList(): string {
  return loaders.map((l) => `${l.name}\n  ${l.title}\n  gives: ${l.provides.join(', ')}\n  made by: ${l.make}`).join('\n');
}

/** Waits for a slow reader; if the reader has gone (head, less), the program ends quietly. */
const write: Write = (text) =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve();
      else if ('code' in error && error.code === 'EPIPE') process.exit(0);
      else reject(error);
    });
  });

async function check(options: Options): Promise<number> {
  const profile = await loadProfile(resolveWithoutScreen(options.paths), loadOptions(options));
  const broken = checkProfile(profile);
  const lines = [...(profile.cut ? [profile.cut] : []), ...profile.warnings].map((w) => `warning: ${problemLine(w)}`);
  const rows = 'lines' in profile ? profile.lines.line.length : 0;
  lines.push(...broken.map((b) => `broken: ${b}`));
  lines.push(
    `${visible(profile.paths.join(' '))}: ${profile.format}, ${formatCount(profile.routines.name.length)} routines, ${formatCount(rows)} cost lines: ` +
      (broken.length > 0 ? `${broken.length} invariants broken` : profile.cut ? 'cut off' : 'sound'),
  );
  await say(lines.join('\n'));
  return broken.length > 0 || profile.cut ? 1 : 0;
}

async function print(options: Options, version: string): Promise<number> {
  const name = options.print ?? 'summary';
  const report = reports.find((r) => r.name === name);
  if (!report) throw new UsageError(`--print ${name}: no such view; there are ${reports.map((r) => r.name).join(', ')}`);
  const matcher = compileFilter(options.filter);
  const paths = resolveWithoutScreen(options.paths);
  const profile = regrain(await loadProfile(paths, loadOptions(options)), options.granularity);
  const answers = questionsOf(profile);
  const missing = report.asks.find((t) => !answers.has(t));
  if (missing) {
    throw new FormatError({
      path: paths[0],
      expected: `a profile with ${missing} for --print ${name}`,
      found: `a ${profile.format} profile, which has none`,
    });
  }
  const analysis = analyse(profile, allEvents(profile.events, options.derive), partsOff(profile, options.parts));
  const context = await contextOf(options, analysis, matchesIn(profile, matcher));
  if (options.form === 'svg') await write(svgOf(report, context));
  else if (options.form === 'json' || (options.form === 'text' && report.array)) await report.json(context, version, write);
  else if (options.form === 'text') await report.text(context, options.ascii ? (text) => write(asciiMarks(text)) : write);
  else await report.separated(context, options.form, write);
  if (paths.length === 1 && process.stdout.isTTY === undefined && options.form === 'text') hintSiblings(paths[0]);
  if (!profile.cut) return 0;
  process.stderr.write(formatProblem(profile.cut) + '\n');
  return 1;
}

function svgOf(report: (typeof reports)[number], context: ReportContext): string {
  if (!report.svg)
    throw new UsageError(
      `--svg: ${report.name} cannot be drawn; views that can: ${reports
        .filter((r) => r.svg)
        .map((r) => r.name)
        .join(', ')}`,
    );
  return report.svg(context);
}

const ASCII_MARKS = new Map(Object.entries({ '≈': '~', '…': '~', '→': '>', '↻': '@' }));

/** Replaces our own non-ASCII marks; other characters in names stay as they are. */
function asciiMarks(text: string): string {
  return text.replace(/[≈…→↻]/g, (c) => ASCII_MARKS.get(c) ?? c);
}

function hintSiblings(path: string): void {
  const run = filesOfRun(path);
  if (run.length > 1)
    process.stderr.write(`hint: this run has ${run.length} files; to merge them, name them all: ${run.map(visible).join(' ')}\n`);
}

async function contextOf(options: Options, analysis: Analysis, matches: ReportContext['matches']): Promise<ReportContext> {
  const event = options.event === undefined ? analysis.events[0] : analysis.events.find((e) => e.name === options.event);
  if (!event)
    throw new UsageError(`--event ${options.event}: no such event; there are ${analysis.events.map((e) => e.name).join(', ')}`);
  const routine = options.routine === undefined ? undefined : oneRoutine(analysis.profile, options.routine);
  const places = { dirs: options.sourceDirs, maps: options.pathMaps, profiles: analysis.profile.paths };
  const sources = new Map<string, ReturnType<typeof readSource>>();
  let text: ReadonlyMap<string, string> | undefined;
  if (options.disassemble && routine !== undefined && analysis.costing.can.has('instrs')) {
    const range = addressRange(analysis, routine);
    const found = range
      ? await disassemble(
          objectFile(range.object, range.object === analysis.profile.command, places, options.symbols),
          range.from,
          range.to,
        )
      : 'the profile has no instructions of this routine';
    if (typeof found === 'string') process.stderr.write(`proftui: ${visible(found)}\n`);
    else text = found;
  }
  return {
    analysis,
    event,
    extraEvents: [],
    percent: 'total',
    width: Math.max(40, process.stdout.columns ?? TEXT_WIDTH),
    favourites: new Set(),
    medium: 'text',
    sort: options.sort,
    limit:
      options.limit ??
      (options.form === 'text' && !reports.find((r) => r.name === options.print)?.array ? TEXT_LIMIT : Number.POSITIVE_INFINITY),
    matches,
    filtered: options.filter.trim() !== '',
    routine,
    inverted: options.inverted,
    byContext: options.contexts,
    at: options.at,
    ascii: options.ascii,
    base: options.base === undefined ? undefined : await baseOf(options, resolveBase(options.base, analysis.profile.paths)),
    instrText: () => text,
    source: (file) => {
      let found = sources.get(file);
      if (found === undefined) sources.set(file, (found = readSource(file, places)));
      return found;
    },
  };
}

/** The run to compare with. */
async function baseOf(options: Options, paths: readonly string[]): Promise<Analysis> {
  const profile = await loadProfile(paths, loadOptions(options));
  return analyse(profile, allEvents(profile.events, options.derive));
}

function oneRoutine(profile: Profile, wanted: string): number {
  const found = findRoutines(profile, wanted);
  if (found.length === 1) return found[0];
  if (found.length === 0) throw new UsageError(`--routine ${wanted}: the profile has no such routine`);
  const list = found
    .slice(0, 20)
    .map((r) => `  ${routineName(profile, r)}  ${routineFile(profile, r) ?? '???'} [${routineObject(profile, r) ?? '???'}]`);
  // Names that differ in nothing but their place are told apart by it: `NAME file:…`.
  const placed = found.filter((r) =>
    `${routineName(profile, r)} ${routineFile(profile, r)} ${routineObject(profile, r)}`.includes(wanted),
  );
  if (placed.length === 1) return placed[0];
  throw new ReportError(`--routine ${wanted} fits ${found.length} routines:\n${list.map(visible).join('\n')}`);
}

/** The parts that --parts excludes. Numbers start at 1, as in Info. */
export function partsOff(profile: Profile, list: string | undefined): Set<number> {
  if (list === undefined) return new Set();
  const on = new Set<number>();
  for (const item of list.split(',')) {
    const m = /^(\d+)(?:-(\d+))?$/.exec(item.trim());
    const from = Number(m?.[1]);
    const to = Number(m?.[2] ?? m?.[1]);
    if (!m || from < 1 || to > profile.parts.length || from > to) {
      throw new UsageError(`--parts ${list}: expected numbers from 1 to ${profile.parts.length}, such as 1,3-5`);
    }
    for (let p = from; p <= to; p++) on.add(p - 1);
  }
  return new Set(profile.parts.map((_, p) => p).filter((p) => !on.has(p)));
}
