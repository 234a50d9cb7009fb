// The command line: turns flags into a printed view, a check, or the screen. Ink is imported only when a screen opens.

import { analyse } from '../analysis/answers/analyse.ts';
import { AnswerError, ChoiceError, EXIT_CRASHED, SessionError, UsageError } from '../base/errors.ts';
import { compileFilter, noSuchText, PatternError } from '../base/match.ts';
import { FormatError, formatProblem, isSystemError, memoryProblem, problemLine, systemErrorText } from '../base/problem.ts';
import { safeLines, visible } from '../base/safe-text.ts';
import { formatCount } from '../base/units.ts';
import { unrecordedText } from '../columns/unrecorded.ts';
import { loaders } from '../formats/index.ts';
import { resolveWithoutScreen } from '../io/find.ts';
import { loaderNamed, toLoadOptions } from '../io/load.ts';
import { memoryWarning } from '../io/memory-limit.ts';
import { ownCommand } from '../io/own-files.ts';
import { loadWithoutScreen } from '../io/start-loading.ts';
import { checkProfile } from '../model/check.ts';
import { questionsOf } from '../model/profile.ts';
import { ReportError } from '../reports/report.ts';
import { isCmakeCommand, runCmakeCommand } from './cmake.ts';
import { baseSourcePathsOf, loadBaseRun } from './comparing.ts';
import { completionText } from './completion.ts';
import { configText, readSettings } from './config.ts';
import { crashText } from './crash.ts';
import { flagSpecs } from './flag-table.ts';
import { parseSort } from './flag-values.ts';
import { type FlagOptions, parseFlags } from './flags.ts';
import { HELP_SUBJECTS, helpOnSubject, shortHelp } from './help.ts';
import { type InputOptions, resolveInputOptions, resolveResumeAndTour, wantsScreen } from './input-options.ts';
import { ignoreOutputErrors, OutputError, writeError, writeNotice, writeOutput } from './output.ts';
import { printExport, printView } from './print.ts';
import { replaceLostTerminals } from './terminal.ts';
import { versionText } from './version.ts';

/** Runs the program and returns the exit code. */
export async function main(argv: readonly string[], version: string): Promise<number> {
  replaceLostTerminals();
  ignoreOutputErrors();
  process.on('uncaughtException', (error) => {
    // The screen restores the terminal at exit, so the message is written afterwards.
    process.on('exit', () => {
      process.exitCode = reportError(error, argv, version);
    });
    process.exit(EXIT_CRASHED);
  });
  try {
    if (isCmakeCommand(argv)) {
      const text = await runCmakeCommand(argv, ownCommand());
      return text === '' ? 0 : await printText(text);
    }
    if (asksForHelp(argv)) return await printText(helpFor(argv.length === 2 && argv[0].startsWith('-') ? argv[1] : undefined));
    const given = await parseFlags(argv, process.env, readSettings(), writeNotice);
    if (given.version) return await printText(versionText(version, given.form === 'json'));
    if (given.given.has('show-config')) return await printText(configText());
    if (given.completion === 'events') return await printEvents(given);
    if (given.completion) return await printText(completionText(given.completion));
    const options = await resolveInputOptions(resolveResumeAndTour(given));
    if (options.formats) return await printText(formatList());
    if (options.format !== undefined && !loaderNamed(options.format)) {
      const names = loaders.map((l) => l.name);
      throw new UsageError(`--format ${options.format}: ${noSuchText('format', options.format, names)}`);
    }
    if (!wantsScreen(options)) refuseFlags(options, 'screen');
    const memory = memoryWarning(options.paths);
    if (memory !== undefined) writeNotice(memory);
    if (options.export !== undefined || options.output !== undefined) return await printExport(options, version);
    if (options.check) {
      if (options.failIf.length > 0) throw new UsageError('--check and --fail-if: one of them at a time');
      if (options.base.length > 0) throw new UsageError('--check and --base: one of them at a time');
      return await checkFile(options);
    }
    if (!wantsScreen(options)) {
      if (options.print === undefined && options.failIf.length > 0) refuseFlags(options, 'printed');
      if (options.print === undefined && options.failIf.length === 0 && process.stdout.isTTY)
        writeNotice(
          `TERM=${process.env['TERM'] ?? ''}: no terminal that can show the screen, so here is the summary; --print VIEW prints others`,
        );
      return await printView(options, version);
    }
    return await openExplorer(options, version);
  } catch (error) {
    return reportError(error, argv, version);
  }
}

/** Whether --help or -h is anywhere on the line, but as the value of a flag: then nothing else on it matters. */
const asksForHelp = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const takesValue = (word = '') => flagSpecs.some((f) => f.type !== 'boolean' && `--${f.name}` === word);
  return words.some((word, i) => word === '--help' || (word === '-h' && !takesValue(words[i - 1])));
};

/** Throws UsageError for an unknown subject. */
function helpFor(subject: string | undefined): string {
  if (subject === undefined) return shortHelp();
  const text = helpOnSubject(subject);
  if (text !== undefined) return text;
  throw new UsageError(`--help ${subject}: ${noSuchText('subject', subject, Object.keys(HELP_SUBJECTS))}`);
}

const REFUSALS = {
  printed: 'is for --print VIEW: name the view to write',
  screen: 'needs a terminal, and does not go with --print',
} as const;

/** Throws UsageError for flags that need --print, or the screen. */
function refuseFlags({ given }: FlagOptions, need: keyof typeof REFUSALS): void {
  const flag = flagSpecs.find((f) => f[need] && given.has(f.name));
  if (flag) throw new UsageError(`--${flag.name} ${REFUSALS[need]}`);
}

/** Opens the screen. Throws UsageError for flags that need --print. */
async function openExplorer(options: InputOptions, version: string): Promise<number> {
  refuseFlags(options, 'printed');
  if (options.follow && (options.paths.length > 1 || options.paths[0] === '-'))
    throw new UsageError('--follow: give one file or one folder');
  // Rejects an invalid filter before anything is read.
  compileFilter(options.filter);
  const { openScreen } = await import('../tui/run.tsx');
  const { sort, inverted, contexts, disassemble, at, wished } = options;
  return openScreen(
    {
      ...options,
      basePlaces: (now, base) => baseSourcePathsOf(options, now, base),
      versus: (bases, opened, load) => loadBaseRun({ ...options, base: bases }, opened, load),
      choices: { sort, inverted, contexts, disassemble, at },
      wishes: { ...wished, sort: parseSort(wished.sort) },
    },
    version,
  );
}

/** Writes the error to standard error, and returns the exit code. */
function reportError(error: unknown, argv: readonly string[], version: string): number {
  if (error instanceof UsageError || error instanceof OutputError) {
    writeNotice(error.message);
    return error instanceof UsageError ? 2 : 1;
  }
  if (error instanceof FormatError) {
    writeError(formatProblem(error.problem));
    return error.problem.path === '--derive' ? 2 : 1;
  }
  if (error instanceof Error && [ReportError, ChoiceError, PatternError, SessionError].some((kind) => error instanceof kind)) {
    writeError(safeLines(`proftui: ${error.message}`));
    return error instanceof AnswerError ? 1 : 2;
  }
  if (isSystemError(error)) {
    writeNotice(systemErrorText(error));
    return 1;
  }
  const memory = memoryProblem(error, 'proftui');
  writeError(memory ? formatProblem(memory) : crashText(error, argv, version));
  return memory ? 1 : EXIT_CRASHED;
}

async function printText(text: string): Promise<number> {
  await writeOutput(safeLines(`${text}\n`));
  return 0;
}

async function printEvents(options: FlagOptions): Promise<number> {
  const { events } = await loadWithoutScreen(resolveWithoutScreen(options.paths), toLoadOptions(options));
  return printText(events.map((e) => e.name).join('\n'));
}

const formatList = (): string =>
  loaders.map((l) => `${l.name}\n  ${l.title}\n  gives: ${l.provides.join(', ')}\n  made by: ${l.make}`).join('\n');

async function checkFile(options: FlagOptions): Promise<number> {
  const profile = await loadWithoutScreen(resolveWithoutScreen(options.paths), toLoadOptions(options));
  const broken = checkProfile(profile);
  const lines = [...(profile.cut && !profile.cut.sign ? [profile.cut] : []), ...profile.warnings].map(
    (w) => `warning: ${problemLine(w)}`,
  );
  const unrecorded = unrecordedText(analyse(profile, profile.events));
  if (unrecorded !== undefined) lines.push(`warning: recorded calls exceed what is below them by ${visible(unrecorded)}`);
  const rows = 'lines' in profile ? profile.lines.line.length : 0;
  const routines = questionsOf(profile).has('routines') ? profile.routines.name.length : 0;
  lines.push(...broken.map((b) => `broken: ${b}`));
  const wholeness = !profile.cut ? 'sound' : profile.cut.sign ? 'incomplete' : 'cut off';
  const verdict = broken.length > 0 ? `${broken.length} invariants broken` : wholeness;
  const counts = `${formatCount(routines)} routines, ${formatCount(rows)} cost lines`;
  lines.push(`${visible(profile.paths.join(' '))}: ${profile.format}, ${counts}: ${verdict}`);
  await printText(lines.join('\n'));
  return broken.length > 0 || profile.cut ? 1 : 0;
}
