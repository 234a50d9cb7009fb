// Replaces a profile by another of the same run: reloaded, merged, or at another granularity.

import { analyse } from '../analysis/answers/analyse.ts';
import { type Analysis, openingEvent } from '../analysis/answers/analysis.ts';
import { twinsOf } from '../analysis/answers/counterparts.ts';
import { allEvents } from '../analysis/answers/events.ts';
import type { KeptNote } from '../analysis/answers/notes.ts';
import { columnNames } from '../analysis/answers/part-columns.ts';
import { olderParts } from '../analysis/answers/parts.ts';
import { type Granularity, grainsOf } from '../analysis/profiles/granularity/stacks.ts';
import { shownAgain } from '../analysis/profiles/shown.ts';
import { eventValue } from '../model/event-value.ts';
import type { Part } from '../model/head.ts';
import type { Profile } from '../model/profile.ts';
import { type AnyView, viewsOf } from '../views/index.ts';
import { enter } from './places.ts';
import { type AppState, activeView, cursorRoutine, say, shapingOf } from './state.ts';

export interface Loaded {
  readonly profile: Profile;
  readonly derive: readonly string[];
  readonly siblings: readonly string[];
  readonly why: string;
  /** It is the same file, read again. */
  readonly again?: boolean;
  /** The notes beside it, where they were read again. */
  readonly notes?: readonly KeptNote[];
  /** Nobody asked for it: it is being written. */
  readonly quiet?: boolean;
}

export function replaceProfile(state: AppState, a: Loaded): AppState {
  const { profile, versus, transforms, why: wrong } = shownAgain(a.profile, shapingOf(state));
  // Parts stay off where they are still the same.
  const off = sameParts(profile, state.loaded) ? state.analysis.partsOff : olderParts(profile);
  const analysis = analyse(profile, allEvents(profile.events, a.derive), off);
  const previous = a.again && !a.quiet ? state.loaded : state.previous;
  const why = a.quiet ? '' : a.again && !state.versus ? `${a.why}; B compares with the previous load` : a.why;
  // Choices that the new profile cannot follow are off.
  const stack = state.transforms.map((c) => (c.on && !transforms.includes(c.transform) ? { ...c, on: false } : c));
  const loaded = { loaded: a.profile, siblings: a.siblings, previous, versus, transforms: stack };
  const swapped = swap({ ...state, ...loaded }, analysis, why);
  // The message stays, and so does the text being typed.
  const next = a.quiet ? { ...swapped, message: state.message } : swapped;
  return wrong === undefined ? next : say(next, `Comparison off: ${wrong}`, 'error');
}

function sameParts({ parts }: Profile, old: Profile): boolean {
  const key = (p: Part) => [p.path, p.part, p.thread, p.pid, p.older].join('\n');
  return parts.length === old.parts.length && parts.every((part, i) => key(part) === key(old.parts[i]));
}

/** Switches to the next granularity, or to the other way of showing addresses without a symbol. */
export function changeGrain(state: AppState, what: 'grain' | 'unknowns'): AppState {
  const { grain, unknowns } = state.granularity;
  const grains = grainsOf(state.loaded);
  const granularity: Granularity =
    what === 'grain'
      ? { grain: grains[(grains.indexOf(grain) + 1) % grains.length], unknowns }
      : { grain, unknowns: unknowns === 'object' ? 'address' : 'object' };
  const { profile, versus, why: wrong } = shownAgain(state.loaded, { ...shapingOf(state), granularity });
  if (wrong !== undefined) return say(state, wrong, 'error');
  const analysis = analyse(profile, state.analysis.events, state.analysis.partsOff);
  const why =
    what === 'grain'
      ? `by ${granularity.grain}`
      : `addresses without a symbol: one routine per ${granularity.unknowns === 'object' ? 'object' : 'address'}`;
  return swap({ ...state, granularity, versus }, analysis, why);
}

/** State that Esc restores in the new profile. */
function moved(prompt: NonNullable<AppState['prompt']>, old: Analysis, analysis: Analysis): AppState['prompt'] {
  const { before } = prompt;
  return before ? { ...prompt, before: { ...before, view: before.view?.rebase(old, analysis) } } : prompt;
}

/** The other side stays if the profile still has its view. */
function splitOf({ split }: AppState, shown: readonly AnyView[], twin: (routine: number) => number): AppState['split'] {
  if (!split || !shown.some((v) => v.id === split.other.view)) return undefined;
  return { ...split, other: { ...split.other, focus: twin(split.other.focus), step: -1 }, followed: '' };
}

/** Cursor, focus and marks move to the same routines, or to what they became. */
export function swap(state: AppState, analysis: Analysis, why: string): AppState {
  const old = state.analysis.profile;
  const { profile } = analysis;
  const twins = twinsOf(old, profile);
  // The costliest line of a routine represents it; without one, the line with the costliest calls.
  const [first] = analysis.events;
  const cost = (r: number) => eventValue(first, analysis.totals.self, r);
  const below = (r: number) => eventValue(first, analysis.totals.inclusive, r);
  const twin = (r: number) =>
    (r < 0 ? [] : twins(r)).reduce(
      (best, t) => (best < 0 || cost(t) > cost(best) || (cost(t) === cost(best) && below(t) > below(best)) ? t : best),
      -1,
    );
  const event = analysis.events.some((e) => e.name === state.event) ? state.event : openingEvent(analysis).name;
  const cursor = twin(cursorRoutine(state));
  const shown = viewsOf(analysis);
  // Row numbers of the old profile are meaningless in the new one: views start afresh unless they know what to keep.
  const views = new Map(
    [...state.views].flatMap(([id, view]) => {
      const kept = shown.some((v) => v.id === id) ? view.rebase(state.analysis, analysis) : undefined;
      return kept ? [[id, kept] as const] : [];
    }),
  );
  const next: AppState = {
    ...state,
    analysis,
    reshaping: undefined,
    event,
    extraColumns: state.extraColumns.filter((n) => columnNames(analysis).includes(n)),
    view: shown.some((v) => v.id === state.view) ? state.view : shown[0].id,
    views,
    step: -1,
    split: splitOf(state, shown, twin),
    // The focus may be gone; the selection is not.
    focus: twin(state.focus) >= 0 ? twin(state.focus) : cursor,
    back: state.back.flatMap((p) => (shown.some((v) => v.id === p.view) ? { ...p, focus: twin(p.focus) } : [])),
    forward: [],
    marks: new Map([...state.marks].map(([k, r]): [string, number] => [k, twin(r)]).filter(([, r]) => r >= 0)),
    sources: new Map(),
    baseSources: new Map(),
    linedFiles: 0,
    withheld: new Map(),
    disassembly: new Map(),
    prompt: state.prompt && moved(state.prompt, state.analysis, analysis),
  };
  const placed = activeView(next).listsRoutines ? enter(next, { view: next.view, focus: cursor }) : next;
  return say(placed, why);
}
