// Requests the source texts and instruction texts that a view needs, each only once.
import { withSourceTexts } from '../analysis/answers/analyse.ts';
import type { Analysis } from '../analysis/answers/analysis.ts';
import { fileName } from '../analysis/names/names.ts';
import { baseFileName, textsOfBothRuns } from '../analysis/profiles/compare/texts.ts';
import { memo } from '../base/lists.ts';
import { type FoundSource, isWithheld } from '../base/source-text.ts';
import type { Profile } from '../model/profile.ts';
import type { OpenView } from '../views/open-view.ts';
import type { ViewContext } from '../views/view.ts';
import { type AppState, contextOf, type Effect, openView, type UpdateResult, withMessage } from './state.ts';

/** The placeholder of a source text that is still being read. */
const READING_SOURCE_TEXT = 'reading the source …';

export function addSource(state: AppState, file: string, text: FoundSource): AppState {
  if (!isWithheld(text)) return mapLinesWhenRead({ ...state, sources: new Map(state.sources).set(file, text) });
  const why = `o shows sources in ${text.folder}, outside this profile's folders`;
  return { ...state, sources: new Map(state.sources).set(file, why), withheld: new Map(state.withheld).set(file, text.folder) };
}

/** Adds a source text of the base. Sources outside the base's folders need --base-source-dir. */
export function addBaseSource(state: AppState, file: string, text: FoundSource): AppState {
  const shown = isWithheld(text) ? `outside the base's folders; --base-source-dir ${text.folder} shows it` : text;
  return mapLinesWhenRead({ ...state, baseSources: new Map(state.baseSources).set(file, shown) });
}

/** Matches source lines of the base and of this run, with the source texts read so far. */
export const mapBaseLines = (state: AppState): AppState =>
  state.baseSources.size === 0 ? state : { ...state, analysis: withSourceTexts(state.analysis, knownSourceTexts(state)) };

/**
 * Matches source lines of the base and of this run, once all requested texts are read. Matching after each text would
 * recompute all sums each time.
 */
function mapLinesWhenRead(state: AppState): AppState {
  if ([state.sources, state.baseSources].some((all) => [...all.values()].includes(READING_SOURCE_TEXT))) return state;
  const texts = knownSourceTexts(state);
  const numbers = baseFileNumberByName(state.analysis);
  const linedFiles = [...state.baseSources.keys()].filter((name) => texts(numbers.get(name) ?? -1)).length;
  if (linedFiles === state.linedFiles) return state;
  return { ...state, linedFiles, analysis: withSourceTexts(state.analysis, texts) };
}

/** The folder of a needed source that is shown only with the user's consent; undefined if there is none. */
export function withheldFolder(state: AppState): string | undefined {
  for (const file of openView(state).neededSources(contextOf(state))) {
    const folder = typeof state.sources.get(file) === 'string' ? state.withheld.get(file) : undefined;
    if (folder !== undefined) return folder;
  }
  return undefined;
}

/** Adds a folder to search for sources, and requests missing source files again. */
export function addSourceDir(state: AppState, dir: string): AppState {
  const withoutReasons = <K, V>(map: ReadonlyMap<K, V | string>) =>
    new Map([...map].filter(([, text]) => typeof text !== 'string'));
  const next: AppState = {
    ...state,
    sourceDirs: [dir, ...state.sourceDirs.filter((d) => d !== dir)],
    sources: withoutReasons(state.sources),
    disassembly: withoutReasons(state.disassembly),
  };
  return withMessage(next, `Also searching sources in ${dir}`);
}

function requestBaseSource(state: AppState, file: string, out: Effect[]): AppState {
  if (!state.analysis.before) return state;
  const old = baseFileName(state.analysis, fileNumberByName(state.analysis.profile).get(file) ?? -1);
  if (old === null || state.baseSources.has(old)) return state;
  out.push({ type: 'source', file: old, base: true });
  return { ...state, baseSources: new Map(state.baseSources).set(old, READING_SOURCE_TEXT) };
}

const fileNumberByName = memo(
  (profile: Profile): ReadonlyMap<string, number> =>
    new Map(Array.from(profile.files.name, (_, file) => [fileName(profile, file) ?? '', file])),
);

const knownSourceTexts = ({ analysis, sources, baseSources, versus }: AppState) =>
  textsOfBothRuns(
    analysis,
    (name) => sources.get(name),
    (name) => baseSources.get(name),
    versus?.trusted ?? false,
  );

const baseFileNumberByName = memo(
  (analysis: Analysis): ReadonlyMap<string, number> =>
    new Map(Array.from(analysis.profile.files.name, (_, file) => [baseFileName(analysis, file) ?? '', file])),
);

/** Requests missing texts that the view needs. Until a text arrives, costs are shown by line number and address. */
export function requestViewData(state: AppState, view: OpenView, context: ViewContext, effects: readonly Effect[]): UpdateResult {
  let next = state;
  const out = [...effects];
  for (const file of view.neededSources(context)) {
    next = requestBaseSource(next, file, out);
    if (next.sources.has(file)) continue;
    next = { ...next, sources: new Map(next.sources).set(file, READING_SOURCE_TEXT) };
    out.push({ type: 'source', file });
  }
  const routine = view.disassembledRoutine(context);
  if (routine >= 0 && !next.disassembly.has(routine)) {
    next = { ...next, disassembly: new Map(next.disassembly).set(routine, 'looking for the object …') };
    out.push({ type: 'disassemble', routine, asked: false });
  }
  return [next, out];
}
