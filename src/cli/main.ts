// The command line: turns flags into a printed view, a check, or the screen. Ink is imported only when a screen opens.

import { ChoiceError, CRASHED, SessionError, UsageError } from '../base/errors.ts';
import { compileFilter, PatternError } from '../base/match.ts';
import { memoryProblem } from '../base/memory.ts';
import { FormatError, formatProblem, problemLine } from '../base/problem.ts';
import { safeLines, visible } from '../base/safe-text.ts';
import { formatCount } from '../base/units.ts';
import { loaders } from '../formats/index.ts';
import { resolveWithoutScreen } from '../io/find.ts';
import { loaderNamed, loadOptions } from '../io/load.ts';
import { ownCommand } from '../io/own-files.ts';
import { loadWithoutKeys } from '../io/start-loading.ts';
import { checkProfile } from '../model/check.ts';
import { questionsOf } from '../model/kinds.ts';
import { ReportError } from '../reports/report.ts';
import type { ScreenOptions } from '../tui/options.ts';
import { cmakeCommand, isCmakeCommand } from './cmake.ts';
import { basePlacesOf, loadVersus } from './comparing.ts';
import { completionText } from './completion.ts';
import { settingsOf, shownConfig } from './config.ts';
import { crashText } from './crash.ts';
import { flagSpecs } from './flag-table.ts';
import { parseSort } from './flag-values.ts';
import { type Options, parseFlags } from './flags.ts';
import { survivesHangUp } from './hang-up.ts';
import { HELP_SUBJECTS, helpOn, shortHelp } from './help.ts';
import { broughtBack, type Opened, optionsHere, wantsScreen } from './input-options.ts';
import { complainOf, hearOutputErrors, OutputError, tell, write } from './output.ts';
import { print, printExport } from './print.ts';

/** Runs the program and returns the exit code. */
export async function main(argv: readonly string[], version: string): Promise<number> {
  survivesHangUp();
  hearOutputErrors();
  process.on('uncaughtException', (error) => {
    // The screen gives the terminal back when the process exits, and what is said comes after that.
    process.on('exit', () => {
      process.exitCode = complain(error, argv, version);
    });
    process.exit(CRASHED);
  });
  try {
    if (isCmakeCommand(argv)) {
      const text = await cmakeCommand(argv, ownCommand());
      return text === '' ? 0 : say(text);
    }
    const given = await parseFlags(argv, process.env, settingsOf(), complainOf);
    if (given.help) return say(helpFor(given.paths));
    if (given.version) return say(version);
    if (given.given.has('show-config')) return say(shownConfig());
    if (given.completion === 'events') return await sayEvents(given);
    if (given.completion) return say(completionText(given.completion));
    const options = await optionsHere(broughtBack(given));
    if (options.formats) return say(formatList());
    if (options.format !== undefined && !loaderNamed(options.format)) {
      throw new UsageError(`--format ${options.format}: no such format; there are ${loaders.map((l) => l.name).join(', ')}`);
    }
    if (!wantsScreen(options)) refuseScreen(options);
    if (options.export !== undefined || options.output !== undefined) return await printExport(options, version);
    if (options.check) {
      if (options.failIf.length > 0) throw new UsageError('--check and --fail-if: one of them at a time');
      if (options.base.length > 0) throw new UsageError('--check and --base: one of them at a time');
      return await check(options);
    }
    if (!wantsScreen(options)) {
      if (options.print === undefined && options.failIf.length > 0) refusePrinted(options);
      return await print(options, version);
    }
    return await explore(options, version);
  } catch (error) {
    return complain(error, argv, version);
  }
}

/** Throws UsageError for a subject that there is not. */
function helpFor([subject]: readonly string[]): string {
  if (subject === undefined) return shortHelp();
  const text = helpOn(subject);
  if (text !== undefined) return text;
  throw new UsageError(`--help ${subject}: no such subject; there are ${Object.keys(HELP_SUBJECTS).join(', ')}`);
}

/** Throws UsageError for flags that only --print can follow. */
function refusePrinted({ given }: Options): void {
  const printed = flagSpecs.find((f) => f.printed && given.has(f.name));
  if (printed) throw new UsageError(`--${printed.name} is for --print VIEW: name the view to write`);
}

/** Throws UsageError for flags that are about the screen. */
function refuseScreen({ given }: Options): void {
  const screen = flagSpecs.find((f) => f.screen && given.has(f.name));
  if (screen) throw new UsageError(`--${screen.name} needs a terminal, and does not go with --print`);
}

/** Opens the screen. Throws UsageError for flags that only --print can follow. */
async function explore(options: Opened, version: string): Promise<number> {
  refusePrinted(options);
  if (options.follow && (options.paths.length > 1 || options.paths[0] === '-'))
    throw new UsageError('--follow: give one file or one folder');
  // A pattern that is wrong is refused before anything is read.
  compileFilter(options.filter);
  const { openScreen } = await import('../tui/run.tsx');
  const { sort, inverted, contexts, disassemble, at, wished } = options;
  const versus: ScreenOptions['versus'] = (bases, opened, load) => loadVersus({ ...options, base: bases }, opened, load);
  const basePlaces: ScreenOptions['basePlaces'] = (now, base) => basePlacesOf(options, now, base);
  return openScreen(
    {
      ...options,
      basePlaces,
      versus,
      choices: { sort, inverted, contexts, disassemble, at },
      wishes: { ...wished, sort: parseSort(wished.sort) },
    },
    version,
  );
}

/** Says what is wrong, and returns the exit code. */
function complain(error: unknown, argv: readonly string[], version: string): number {
  if (error instanceof UsageError) {
    complainOf(error.message);
    return 2;
  }
  if (error instanceof FormatError) {
    tell(formatProblem(error.problem));
    return error.problem.path === '--derive' ? 2 : 1;
  }
  if (
    error instanceof ReportError ||
    error instanceof ChoiceError ||
    error instanceof PatternError ||
    error instanceof SessionError
  ) {
    tell(safeLines(`proftui: ${error.message}`));
    return 2;
  }
  if (error instanceof OutputError) {
    complainOf(error.message);
    return 1;
  }
  const memory = memoryProblem(error, 'proftui');
  tell(memory ? formatProblem(memory) : crashText(error, argv, version));
  return memory ? 1 : CRASHED;
}

async function say(text: string): Promise<number> {
  await write(safeLines(`${text}\n`));
  return 0;
}

/** The events of a file, a line each. */
async function sayEvents(options: Options): Promise<number> {
  const { events } = await loadWithoutKeys(resolveWithoutScreen(options.paths), loadOptions(options));
  return say(events.map((e) => e.name).join('\n'));
}

function formatList(): string {
  return loaders.map((l) => `${l.name}\n  ${l.title}\n  gives: ${l.provides.join(', ')}\n  made by: ${l.make}`).join('\n');
}

async function check(options: Options): Promise<number> {
  const profile = await loadWithoutKeys(resolveWithoutScreen(options.paths), loadOptions(options));
  const broken = checkProfile(profile);
  const lines = [...(profile.cut ? [profile.cut] : []), ...profile.warnings].map((w) => `warning: ${problemLine(w)}`);
  const rows = 'lines' in profile ? profile.lines.line.length : 0;
  const routines = questionsOf(profile).has('routines') ? profile.routines.name.length : 0;
  lines.push(...broken.map((b) => `broken: ${b}`));
  lines.push(
    `${visible(profile.paths.join(' '))}: ${profile.format}, ${formatCount(routines)} routines, ${formatCount(rows)} cost lines: ` +
      (broken.length > 0 ? `${broken.length} invariants broken` : profile.cut ? 'cut off' : 'sound'),
  );
  await say(lines.join('\n'));
  return broken.length > 0 || profile.cut ? 1 : 0;
}
