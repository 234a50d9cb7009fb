// A view's requests to the outside: source texts, and the text of instructions. Each is requested only once.
import { withTexts } from '../analysis/answers/analyse.ts';
import type { Analysis } from '../analysis/answers/analysis.ts';
import { fileName } from '../analysis/names/names.ts';
import { baseFileName, textsOf } from '../analysis/profiles/compare/texts.ts';
import { memo } from '../base/memo.ts';
import { isWithheld, type SourceText, type Withheld } from '../base/source-text.ts';
import type { Profile } from '../model/profile.ts';
import type { OpenView } from '../views/open-view.ts';
import type { ViewContext } from '../views/view.ts';
import { type AppState, contextOf, type Effect, openView, type Step, say } from './state.ts';

/** Stands for a text until it is read. */
const READING = 'reading the source …';

/** A source that was read, or why it is not shown. */
export function addSource(state: AppState, file: string, text: SourceText | Withheld | string): AppState {
  if (!isWithheld(text)) return withLines({ ...state, sources: new Map(state.sources).set(file, text) });
  const why = `o shows sources in ${text.folder}, outside this profile's folders`;
  return {
    ...state,
    sources: new Map(state.sources).set(file, why),
    withheld: new Map(state.withheld).set(file, text.folder),
  };
}

/** A source of the base that was read. One outside the folders of the profiles is not asked for: --base-source-dir names it. */
export function addBaseSource(state: AppState, file: string, text: SourceText | Withheld | string): AppState {
  const shown = isWithheld(text) ? `outside the base's folders; --base-source-dir ${text.folder} shows it` : text;
  return withLines({ ...state, baseSources: new Map(state.baseSources).set(file, shown) });
}

/** The texts that are known say where the base's lines are in a new analysis, too. */
export function relined(state: AppState): AppState {
  return state.baseSources.size === 0 ? state : { ...state, analysis: withTexts(state.analysis, knownTexts(state)) };
}

/**
 * Lines of the base where they are now, once the texts of a file are known in both runs. They are summed anew for each analysis: once for all
 * the texts that were requested together.
 */
function withLines(state: AppState): AppState {
  if ([state.sources, state.baseSources].some((all) => [...all.values()].includes(READING))) return state;
  const texts = knownTexts(state);
  const numbers = baseNumbers(state.analysis);
  const linedFiles = [...state.baseSources.keys()].filter((name) => texts(numbers.get(name) ?? -1)).length;
  if (linedFiles === state.linedFiles) return state;
  return { ...state, linedFiles, analysis: withTexts(state.analysis, texts) };
}

/** The folder whose sources the view would show after a yes. */
export function withheldFolder(state: AppState): string | undefined {
  for (const file of openView(state).needs(contextOf(state))) {
    const folder = typeof state.sources.get(file) === 'string' ? state.withheld.get(file) : undefined;
    if (folder !== undefined) return folder;
  }
  return undefined;
}

/** Looks for sources in a folder, too: what was not found is requested again. */
export function addSourceDir(state: AppState, dir: string): AppState {
  const found = <K, V>(map: ReadonlyMap<K, V | string>) => new Map([...map].filter(([, text]) => typeof text !== 'string'));
  const next: AppState = {
    ...state,
    sourceDirs: [dir, ...state.sourceDirs.filter((d) => d !== dir)],
    sources: found(state.sources),
    disassembly: found(state.disassembly),
  };
  return say(next, `Also searching sources in ${dir}`);
}

/** Requests the base's text of a file that the view needs. */
function needsOfBase(state: AppState, file: string, out: Effect[]): AppState {
  if (!state.analysis.before) return state;
  const old = baseFileName(state.analysis, fileNumbers(state.analysis.profile).get(file) ?? -1);
  if (old === null || state.baseSources.has(old)) return state;
  out.push({ type: 'source', file: old, base: true });
  return { ...state, baseSources: new Map(state.baseSources).set(old, READING) };
}

const fileNumbers = memo(
  (profile: Profile): ReadonlyMap<string, number> =>
    new Map(Array.from(profile.files.name, (_, file) => [fileName(profile, file) ?? '', file])),
);

const knownTexts = ({ analysis, sources, baseSources, versus }: AppState) =>
  textsOf(
    analysis,
    (name) => sources.get(name),
    (name) => baseSources.get(name),
    versus?.trusted ?? false,
  );

/** Numbers of the base's files, by their names there. */
const baseNumbers = memo(
  (analysis: Analysis): ReadonlyMap<string, number> =>
    new Map(
      Array.from(analysis.profile.files.name.keys()).flatMap((file) => {
        const name = baseFileName(analysis, file);
        return name === null ? [] : [[name, file] as const];
      }),
    ),
);

/** Requests what the view needs and does not have yet; until it arrives, costs are shown by line and address. */
export function requestNeeds(state: AppState, view: OpenView, context: ViewContext, effects: readonly Effect[]): Step {
  let next = state;
  const out = [...effects];
  for (const file of view.needs(context)) {
    next = needsOfBase(next, file, out);
    if (next.sources.has(file)) continue;
    next = { ...next, sources: new Map(next.sources).set(file, READING) };
    out.push({ type: 'source', file });
  }
  const routine = view.needsCode(context);
  if (routine >= 0 && !next.disassembly.has(routine)) {
    next = { ...next, disassembly: new Map(next.disassembly).set(routine, 'looking for the object …') };
    out.push({ type: 'disassemble', routine, asked: false });
  }
  return [next, out];
}
