// The opened profile: by flags, the folder's project file and standard input.
import { parseTransform, type Transform } from '../analysis/profiles/transforms/transform.ts';
import { ChoiceError, UsageError } from '../base/errors.ts';
import { safeText } from '../base/safe-text.ts';
import { splitPrograms } from '../io/find.ts';
import { ownPlaces } from '../io/own-code.ts';
import { tourFiles } from '../io/own-files.ts';
import { perfStamp } from '../io/perf-data.ts';
import { waitForInput } from '../io/standard-input.ts';
import { lastSession } from '../io/user/last-session.ts';
import { joinPlaces, PROJECT_FILE } from '../io/user/project.ts';
import { askYesOrNo } from './ask.ts';
import type { Options } from './flags.ts';
import { complainOf } from './output.ts';
import { projectHere, remember } from './project.ts';

/** A session that is played may have been recorded in another folder. */
type Given = Options & { readonly playedIn?: string };

/** --resume and --tour say what is opened. Throws UsageError. */
export function broughtBack(given: Options): Given {
  const { resume, tour } = given;
  if (!resume && !tour) return given;
  const flag = resume ? '--resume' : '--tour';
  if (given.paths.length > 0 || (resume && (tour || given.play !== undefined)))
    throw new UsageError(`${flag} chooses the profile: give no file, and not --play`);
  if (tour) {
    const files = tourFiles();
    if (!files) throw new UsageError('--tour: no private folder for its profile: set HOME or XDG_CACHE_HOME');
    return { ...given, ...files };
  }
  const last = lastSession();
  if (!last) throw new UsageError('--resume: no session is kept yet');
  return { ...given, paths: last.paths, play: last.file, ...(last.folder === undefined ? {} : { playedIn: last.folder }) };
}

/** A dumb terminal can't place the cursor: nothing could be drawn on it. */
export function wantsScreen({ print: view, check: only, formats, failIf, export: format, output }: Options): boolean {
  const printing = view !== undefined || only || formats || failIf.length > 0 || format !== undefined || output !== undefined;
  return process.stdout.isTTY && process.env['TERM'] !== 'dumb' && !printing;
}

/** The options with what the folder's project file adds, and with standard input where a profile arrives on it. */
export async function optionsHere(given: Given) {
  const project = await (given.remember
    ? remember(given)
    : projectHere(given.formats ? 'nothing' : wantsScreen(given) ? 'ask' : 'tell'));
  const places = joinPlaces(project, given);
  const { programs, others } = splitPrograms(given.paths);
  const { symbols } = given;
  const binaries = [...symbols.binaries, ...programs.map((p) => [null, p] as const)];
  const input = others.length === 0 && !given.formats ? await pipedInput() : undefined;
  const paths = input ? ['-'] : others;
  return {
    ...given,
    ...places,
    favourites: project.favourites,
    keptTransforms: keptOf(project.transforms),
    own: ownPlaces(places.sourceDirs, places.pathMaps),
    paths,
    input,
    perf: given.runPerf ? ('any' as const) : wantsScreen(given) ? consentFor(paths) : [],
    symbols: { ...symbols, binaries, maps: places.pathMaps },
  };
}

/** The stamps of those perf.data files that perf may read; asks for each. */
function consentFor(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const stamp = perfStamp(path);
    if (stamp === undefined) return [];
    const question = safeText`${path} is perf.data of Linux perf.\nRun perf script on it? perf reads the objects that the file names. y or n: `;
    return askYesOrNo(question) ? [stamp] : [];
  });
}

/** The first bytes of standard input; undefined where it is a terminal or nothing at all. Throws UsageError for a pipe in which nothing comes. */
async function pipedInput(): Promise<Uint8Array | undefined> {
  const input = await waitForInput(() =>
    complainOf('waiting for a profile on standard input; for this folder, name it: proftui .'),
  );
  if (input === 'ended') throw new UsageError('standard input ended without a byte: name a file, or `.` for this folder');
  if (input === 'silent') throw new UsageError('no data on standard input: name a file, `-` to wait, `.` for this folder');
  return input;
}

export type Opened = Awaited<ReturnType<typeof optionsHere>>;

/** A kept file may have been written by hand, or by another version: invalid entries are not offered, but reported. */
function keptOf(texts: readonly string[]): Transform[] {
  return texts.flatMap((text) => {
    try {
      return [parseTransform(text)];
    } catch (error) {
      if (!(error instanceof ChoiceError)) throw error;
      complainOf(`the saved focus in ${PROJECT_FILE} is not offered: ${error.message}`);
      return [];
    }
  });
}
