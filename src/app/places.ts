// Navigation between views and routines, and the history for back and forward.
import { type KeptNote, namedRoutine, withNote } from '../analysis/answers/notes.ts';
import { shortName } from '../analysis/names/short.ts';
import type { Profile } from '../model/profile.ts';
import type { ViewId } from '../views/index.ts';
import { initialState } from './first-state.ts';
import {
  type AppState,
  activeView,
  contextOf,
  cursorRoutine,
  openView,
  type ViewLocation,
  withMessage,
  withView,
} from './state.ts';

const HISTORY = 500;

function pushHistory(state: AppState): AppState {
  const { view, focus, wholeCycle } = state;
  const location: ViewLocation = { view, focus, wholeCycle };
  return { ...state, back: [...state.back, location].slice(-HISTORY), forward: [] };
}

/** Switches views; the routine under the cursor becomes the focus. */
export function switchView(from: AppState, view: ViewId): AppState {
  if (view === from.view) return from;
  const state = rememberStep(from);
  const cycle = openView(state).cycleAt(contextOf(state));
  if (cycle > 0) return enterLocation(pushHistory(state), { view, focus: costliestOf(state, cycle), wholeCycle: true });
  const routine = cursorRoutine(state);
  const same = routine < 0 || routine === state.focus;
  const position = openView(state).sourcePosition(contextOf(state));
  const { listsRoutines } = activeView(state);
  // Back returns to the row under the cursor.
  const next = enterLocation(pushHistory(listsRoutines && !same ? { ...state, focus: routine } : state), {
    view,
    focus: same ? state.focus : routine,
    wholeCycle: same && state.wholeCycle,
  });
  // Source and Instrs show the same code, so the position is kept for the same routine, or when leaving a list.
  return position && (same || listsRoutines) ? withView(next, openView(next).goToSourceLine(position, contextOf(next))) : next;
}

/** The most expensive member of a cycle: it represents the cycle in views of one routine. */
function costliestOf({ analysis: { totals } }: AppState, cycle: number): number {
  let best = -1;
  totals.cycles.of.forEach((of, r) => {
    if (of === cycle && (best < 0 || totals.inclusive[0][r] > totals.inclusive[0][best])) best = r;
  });
  return best;
}

/** Keeps the step under the cursor for the other views of steps. */
function rememberStep(state: AppState): AppState {
  const step = openView(state).stepAt(contextOf(state));
  return step < 0 ? state : { ...state, step };
}

export function openViewOf(state: AppState, view: ViewId, routine: number): AppState {
  // A list of all routines has no focus of its own: back returns to the routine under its cursor.
  const from = pushHistory(
    activeView(state).listsRoutines && routine !== state.focus ? { ...state, focus: cursorRoutine(state) } : state,
  );
  return enterLocation(from, { view, focus: routine });
}

export function enterLocation(state: AppState, location: ViewLocation): AppState {
  const next = { ...state, view: location.view, focus: location.focus, wholeCycle: location.wholeCycle ?? false };
  const context = contextOf(next);
  const current = openView(next).sync(context);
  const withStep = next.step >= 0 ? current.findStep(next.step, context) : undefined;
  if (withStep) return withView(next, withStep);
  if (location.focus < 0 || current.routineAt(context) === location.focus) return withView(next, current);
  return withView(next, current.findRoutine(location.focus, context) ?? current);
}

/** Keeps the cursor on the first row after a change of transforms, if it was there: the most expensive routine. */
export function keepCursorOnTop(from: AppState, to: AppState): AppState {
  const wasTop = activeView(from).listsRoutines && openView(from).cursor(contextOf(from)) === 0;
  return wasTop && to.view === from.view ? withView(to, openView(to).moveTo(0, contextOf(to))) : to;
}

/** Marks the previous location as the one from which this one was opened. */
export function markEntered(from: AppState, to: AppState): AppState {
  const last = to.back.at(-1);
  return to.back === from.back || !last ? to : { ...to, back: to.back.with(-1, { ...last, entered: true }) };
}

/** Whether q closes something that was opened. Otherwise q quits the program. */
export const canLeave = ({ back, outer }: AppState): boolean => outer !== undefined || back.some((place) => place.entered);

/** Closes the view opened last, and returns to where it was opened. */
export function closeLastOpened(state: AppState): AppState {
  const at = state.back.findLastIndex((place) => place.entered);
  return goInHistory({ ...state, back: state.back.slice(0, at + 1) }, 'back');
}

export function goInHistory(state: AppState, way: 'back' | 'forward'): AppState {
  const stack = way === 'back' ? state.back : state.forward;
  // Going back from a profile's first place returns to the profile it was opened from, as it was left.
  if (way === 'back' && stack.length === 0 && state.outer) {
    const { width, height } = state;
    return { ...state.outer, width, height };
  }
  const location = stack.at(-1);
  if (!location) return state;
  const focus = activeView(state).listsRoutines ? cursorRoutine(state) : state.focus;
  const here: ViewLocation = { view: state.view, focus, wholeCycle: state.wholeCycle };
  const rest = stack.slice(0, -1);
  const next =
    way === 'back'
      ? { ...state, back: rest, forward: [...state.forward, here] }
      : { ...state, forward: rest, back: [...state.back, here] };
  return enterLocation(next, location);
}

/** The number of profiles that back can return to; each keeps its whole state. */
const MOST_OUTER = 8;

/** Without the second profile, where they are too many. The first stays: the program was started with it. */
function limitOuterStates(state: AppState): AppState {
  const all: AppState[] = [];
  for (let at: AppState | undefined = state; at; at = at.outer) all.push(at);
  if (all.length <= MOST_OUTER) return state;
  all.splice(-2, 1);
  return all.reduceRight((outer, at) => ({ ...at, outer }));
}

/** The first state of a profile opened from this one; back returns to this one. */
function nestedState(state: AppState, profile: Profile, notes: readonly KeptNote[] = []): AppState {
  const { width, height, ascii, fills, timeBudgetMs, sourceDirs } = state;
  const kept = { favourites: [...state.favourites], notes };
  const inner = initialState(profile, { width, height, ascii, fills, timeBudgetMs, ...kept });
  return { ...inner, sourceDirs, outer: limitOuterStates({ ...state, message: undefined }) };
}

/** Opens another profile from this one. */
export function openNestedProfile(state: AppState, profile: Profile, notes: readonly KeptNote[]): AppState {
  const what = state.analysis.profile.kind === 'steps' ? 'the build' : 'the previous profile';
  return withMessage(nestedState(state, profile, notes), `Bksp returns to ${what}`);
}

/** Opens a step in the base build that this build is compared with. */
export function openBaseStep(state: AppState, step: number): AppState {
  const base = state.analysis.before;
  if (!base) return state;
  return withMessage(
    { ...nestedState(state, base.profile), analysis: base, view: 'step', step },
    'Showing the base build; Bksp returns',
  );
}

/** Marks the routine under the cursor with a letter. */
export function setMark(state: AppState, letter: string): AppState {
  const off: AppState = { ...state, waiting: undefined };
  const routine = openView(state).routineAt(contextOf(state));
  if (routine < 0) return withMessage(off, 'the cursor is not on a routine');
  const name = shortName(state.analysis.profile, routine, Math.max(20, state.width - 32));
  return withMessage(
    {
      ...off,
      marks: new Map(state.marks).set(letter, routine),
      notes: withNote(state.notes, namedRoutine(state.analysis.profile, routine), { mark: letter }),
    },
    `${name} is marked ${letter}; ' ${letter} returns to it`,
  );
}
