// What a view needs from outside to show all it can: source texts, and the text of instructions. Each is requested only once.
import { isWithheld, type SourceText, type Withheld } from '../base/source-text.ts';
import type { OpenView } from '../views/open-view.ts';
import type { ViewContext } from '../views/view.ts';
import { type AppState, contextOf, type Effect, openView, type Step, say } from './state.ts';

/** A source that was read, or why it is not shown. */
export function addSource(state: AppState, file: string, text: SourceText | Withheld | string): AppState {
  if (!isWithheld(text)) return { ...state, sources: new Map(state.sources).set(file, text) };
  const why = `K shows sources in ${text.folder}, outside this profile's folders`;
  return {
    ...state,
    sources: new Map(state.sources).set(file, why),
    withheld: new Map(state.withheld).set(file, text.folder),
  };
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
  return say(next, `sources are looked for in ${dir}, too`);
}

/** Requests what the view needs and does not have yet; until it arrives, costs are shown by line and address. */
export function requestNeeds(state: AppState, view: OpenView, context: ViewContext, effects: readonly Effect[]): Step {
  let next = state;
  const out = [...effects];
  for (const file of view.needs(context)) {
    if (next.sources.has(file)) continue;
    next = { ...next, sources: new Map(next.sources).set(file, 'reading the source …') };
    out.push({ type: 'source', file });
  }
  const routine = view.needsCode(context);
  if (routine >= 0 && !next.disassembly.has(routine)) {
    next = { ...next, disassembly: new Map(next.disassembly).set(routine, 'looking for the object …') };
    out.push({ type: 'disassemble', routine, asked: false });
  }
  return [next, out];
}
