// Replaces the profile by another one of the same run: after a reload, a merge, or a change of granularity.

import { analyse } from '../analysis/answers/analyse.ts';
import { type Analysis, defaultEvent } from '../analysis/answers/analysis.ts';
import { counterpartsOf } from '../analysis/answers/counterparts.ts';
import { allEvents } from '../analysis/answers/events.ts';
import { columnNames } from '../analysis/answers/part-columns.ts';
import { olderParts } from '../analysis/answers/parts.ts';
import { type Granularity, granularitiesOf } from '../analysis/profiles/granularity/stacks.ts';
import { rebuildShownProfile } from '../analysis/profiles/shown.ts';
import { eventValue, type Part } from '../model/head.ts';
import type { KeptNote, Profile } from '../model/profile.ts';
import { type ViewId, viewsOf } from '../views/index.ts';
import { nextValue } from '../views/parts/options.ts';
import { enterLocation } from './places.ts';
import { type AppState, activeView, cursorRoutine, shapingOf, withMessage } from './state.ts';

export interface LoadedProfile {
  readonly profile: Profile;
  readonly derive: readonly string[];
  readonly siblings: readonly string[];
  readonly why: string;
  /** True if the same file was reloaded. */
  readonly again?: boolean;
  /** The notes saved next to the profile, if they were read again. */
  readonly notes?: readonly KeptNote[];
  /** The file was reloaded because it is being written, not by request. */
  readonly quiet?: boolean;
}

export function replaceProfile(state: AppState, a: LoadedProfile): AppState {
  const { profile, versus, transforms, why: wrong } = rebuildShownProfile(a.profile, shapingOf(state));
  // If the profile still has the same parts, hidden parts stay hidden.
  const off = hasSameParts(profile, state.loaded) ? state.analysis.partsOff : olderParts(profile);
  const analysis = analyse(profile, allEvents(profile.events, a.derive), off);
  const previous = a.again && !a.quiet ? state.loaded : state.previous;
  const why = a.quiet ? '' : a.again && !state.versus ? `${a.why}; B compares with the previous load` : a.why;
  // Transforms that the new profile does not support are switched off.
  const stack = state.transforms.map((c) => (c.on && !transforms.includes(c.transform) ? { ...c, on: false } : c));
  const loaded = { loaded: a.profile, siblings: a.siblings, previous, versus, transforms: stack };
  const swapped = replaceAnalysis({ ...state, ...loaded }, analysis, why);
  // An automatic reload keeps the shown message, unless that is about a reload that failed.
  const kept = state.message?.kind === 'waiting' ? undefined : state.message;
  const next = a.quiet ? { ...swapped, message: kept } : swapped;
  return wrong === undefined ? next : withMessage(next, `Comparison off: ${wrong}`, 'error');
}

function hasSameParts({ parts }: Profile, old: Profile): boolean {
  const key = (p: Part) => [p.path, p.part, p.thread, p.pid, p.older].join('\n');
  return parts.length === old.parts.length && parts.every((part, i) => key(part) === key(old.parts[i]));
}

/** Switches to the next granularity, or changes how addresses without a symbol are shown. */
export function changeGranularity(state: AppState, what: 'grain' | 'unknowns'): AppState {
  const { name, unknowns } = state.granularity;
  const granularity: Granularity =
    what === 'grain'
      ? { name: nextValue(granularitiesOf(state.loaded), name), unknowns }
      : { name, unknowns: unknowns === 'object' ? 'address' : 'object' };
  const { profile, versus, why: wrong } = rebuildShownProfile(state.loaded, { ...shapingOf(state), granularity });
  if (wrong !== undefined) return withMessage(state, wrong, 'error');
  const analysis = analyse(profile, state.analysis.events, state.analysis.partsOff);
  const why =
    what === 'grain'
      ? `by ${granularity.name}`
      : `addresses without a symbol: one routine per ${granularity.unknowns === 'object' ? 'object' : 'address'}`;
  return replaceAnalysis({ ...state, granularity, versus }, analysis, why);
}

/** Replaces the analysis; moves cursor, focus and marks to the counterparts of their routines. */
export function replaceAnalysis(state: AppState, analysis: Analysis, why: string): AppState {
  const counterparts = counterpartsOf(state.analysis.profile, analysis.profile);
  // Among several counterparts, the highest self cost wins; on a tie, the highest inclusive cost.
  const [first] = analysis.events;
  const cost = (r: number) => eventValue(first, analysis.totals.self, r);
  const below = (r: number) => eventValue(first, analysis.totals.inclusive, r);
  const costliestCounterpart = (r: number) =>
    (r < 0 ? [] : counterparts(r)).reduce(
      (best, t) => (best < 0 || cost(t) > cost(best) || (cost(t) === cost(best) && below(t) > below(best)) ? t : best),
      -1,
    );
  const event = analysis.events.some((e) => e.name === state.event) ? state.event : defaultEvent(analysis).name;
  const cursor = costliestCounterpart(cursorRoutine(state));
  const availableViews = viewsOf(analysis);
  const isAvailable = (id: ViewId) => availableViews.some((v) => v.id === id);
  // Row numbers change with the profile, so a view restarts unless its rebase() can keep the state.
  const rebased = (views: AppState['views']): AppState['views'] => {
    const kept = [...views].map(([id, view]) => [id, isAvailable(id) && view.rebase(state.analysis, analysis)] as const);
    return new Map(kept.flatMap(([id, view]) => (view ? [[id, view] as const] : [])));
  };
  const { panel, prompt, split } = state;
  const other = split && { ...split.other, focus: costliestCounterpart(split.other.focus), step: -1 };
  // Esc restores the view from before the prompt.
  const before = prompt?.before && { ...prompt.before, view: prompt.before.view?.rebase(state.analysis, analysis) };
  const next: AppState = {
    ...state,
    analysis,
    reshaping: undefined,
    event,
    extraColumns: state.extraColumns.filter((n) => columnNames(analysis).includes(n)),
    view: isAvailable(state.view) ? state.view : availableViews[0].id,
    views: rebased(state.views),
    panel: panel?.before ? { ...panel, before: { views: rebased(panel.before.views) } } : panel,
    step: -1,
    split: other && isAvailable(other.view) ? { ...split, other, followed: '' } : undefined,
    // If the focus has no counterpart, the routine under the cursor becomes the focus.
    focus: costliestCounterpart(state.focus) >= 0 ? costliestCounterpart(state.focus) : cursor,
    back: state.back.flatMap((p) => (isAvailable(p.view) ? { ...p, focus: costliestCounterpart(p.focus) } : [])),
    forward: [],
    marks: new Map([...state.marks].map(([k, r]): [string, number] => [k, costliestCounterpart(r)]).filter(([, r]) => r >= 0)),
    sources: new Map(),
    baseSources: new Map(),
    linedFiles: 0,
    withheld: new Map(),
    disassembly: new Map(),
    prompt: prompt && before ? { ...prompt, before } : prompt,
  };
  const withCursor = activeView(next).listsRoutines ? enterLocation(next, { view: next.view, focus: cursor }) : next;
  return withMessage(withCursor, why);
}
