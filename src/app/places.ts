// Navigation between views and routines, and the history for back and forward.
import { type KeptNote, namedRoutine, withNote } from '../analysis/answers/notes.ts';
import { shortName } from '../analysis/names/short.ts';
import type { Profile } from '../model/profile.ts';
import type { ViewId } from '../views/index.ts';
import { startState } from './first-state.ts';
import { type AppState, activeView, contextOf, cursorRoutine, openView, type Place, say, withView } from './state.ts';

const HISTORY = 500;

function remember(state: AppState): AppState {
  const { view, focus, wholeCycle } = state;
  const place: Place = { view, focus, wholeCycle };
  return { ...state, back: [...state.back, place].slice(-HISTORY), forward: [] };
}

/** Switches views; the routine under the cursor becomes the focus. */
export function goTo(from: AppState, view: ViewId): AppState {
  if (view === from.view) return from;
  const state = keepStep(from);
  const cycle = openView(state).cycleAt(contextOf(state));
  if (cycle > 0) return enter(remember(state), { view, focus: costliestOf(state, cycle), wholeCycle: true });
  const routine = cursorRoutine(state);
  const same = routine < 0 || routine === state.focus;
  const place = openView(state).place(contextOf(state));
  const { listsRoutines } = activeView(state);
  // Back returns to the row under the cursor.
  const next = enter(remember(listsRoutines && !same ? { ...state, focus: routine } : state), {
    view,
    focus: same ? state.focus : routine,
    wholeCycle: same && state.wholeCycle,
  });
  // Source and Instrs show the same code: the place stays as long as the routine does. A list of lines has one for each routine.
  return place && (same || listsRoutines) ? withView(next, openView(next).goToPlace(place, contextOf(next))) : next;
}

/** The member of a cycle that stands for it in views of one routine. */
function costliestOf({ analysis: { totals } }: AppState, cycle: number): number {
  let best = -1;
  totals.cycles.of.forEach((of, r) => {
    if (of === cycle && (best < 0 || totals.inclusive[0][r] > totals.inclusive[0][best])) best = r;
  });
  return best;
}

/** Keeps the step under the cursor for the other views of steps. */
function keepStep(state: AppState): AppState {
  const step = openView(state).stepAt(contextOf(state));
  return step < 0 ? state : { ...state, step };
}

export function show(state: AppState, view: ViewId, routine: number): AppState {
  // A list of all routines has no focus of its own: back returns to the routine under its cursor.
  const from = remember(
    activeView(state).listsRoutines && routine !== state.focus ? { ...state, focus: cursorRoutine(state) } : state,
  );
  return enter(from, { view, focus: routine });
}

export function enter(state: AppState, place: Place): AppState {
  const next = { ...state, view: place.view, focus: place.focus, wholeCycle: place.wholeCycle ?? false };
  const context = contextOf(next);
  const current = openView(next).sync(context);
  const withStep = next.step >= 0 ? current.findStep(next.step, context) : undefined;
  if (withStep) return withView(next, withStep);
  if (place.focus < 0 || current.routineAt(context) === place.focus) return withView(next, current);
  return withView(next, current.findRoutine(place.focus, context) ?? current);
}

/** Once what counts has changed: a cursor that was on the first of all routines is there again, where the most expensive one is. */
export function keepTop(from: AppState, to: AppState): AppState {
  const wasTop = activeView(from).listsRoutines && openView(from).cursor(contextOf(from)) === 0;
  return wasTop && to.view === from.view ? withView(to, openView(to).moveTo(0, contextOf(to))) : to;
}

/** The same place, entered by opening something in the one before. */
export function entered(from: AppState, to: AppState): AppState {
  const last = to.back.at(-1);
  return to.back === from.back || !last ? to : { ...to, back: to.back.with(-1, { ...last, entered: true }) };
}

/** Whether something was opened that can be closed: the program is not left before. */
export const canLeave = ({ back, outer }: AppState): boolean => outer !== undefined || back.some((place) => place.entered);

/** Closes what was opened last, and shows where that was. */
export function leave(state: AppState): AppState {
  const at = state.back.findLastIndex((place) => place.entered);
  return travel({ ...state, back: state.back.slice(0, at + 1) }, 'back');
}

export function travel(state: AppState, way: 'back' | 'forward'): AppState {
  const stack = way === 'back' ? state.back : state.forward;
  // Going back from a profile's first place returns to the profile it was opened from, as it was left.
  if (way === 'back' && stack.length === 0 && state.outer) {
    const { width, height } = state;
    return { ...state.outer, width, height };
  }
  const place = stack.at(-1);
  if (!place) return state;
  const focus = activeView(state).listsRoutines ? cursorRoutine(state) : state.focus;
  const here: Place = { view: state.view, focus, wholeCycle: state.wholeCycle };
  const rest = stack.slice(0, -1);
  const next =
    way === 'back'
      ? { ...state, back: rest, forward: [...state.forward, here] }
      : { ...state, forward: rest, back: [...state.back, here] };
  return enter(next, place);
}

/** Profiles that back can return to, each with all that is known of it. */
const MOST_OUTER = 8;

/** Without the second profile, where they are too many. The first stays: the program was started with it. */
function shortened(state: AppState): AppState {
  const all: AppState[] = [];
  for (let at: AppState | undefined = state; at; at = at.outer) all.push(at);
  if (all.length <= MOST_OUTER) return state;
  all.splice(-2, 1);
  return all.reduceRight((outer, at) => ({ ...at, outer }));
}

/** The first state of another profile, which back leaves for this one. */
function inside(state: AppState, profile: Profile, notes: readonly KeptNote[] = []): AppState {
  const { width, height, ascii, fills, patienceMs, sourceDirs } = state;
  const kept = { favourites: [...state.favourites], notes };
  const inner = startState(profile, { width, height, ascii, fills, patienceMs, ...kept });
  return { ...inner, sourceDirs, outer: shortened({ ...state, message: undefined }) };
}

/** Another profile that was opened from this one. */
export function openedInside(state: AppState, profile: Profile, notes: readonly KeptNote[]): AppState {
  const what = state.analysis.profile.kind === 'steps' ? 'the build' : 'the previous profile';
  return say(inside(state, profile, notes), `Bksp returns to ${what}`);
}

/** A step of the build that this one is compared with, in that build; back returns to this one. */
export function baseStep(state: AppState, step: number): AppState {
  const base = state.analysis.before;
  if (!base) return state;
  return say({ ...inside(state, base.profile), analysis: base, view: 'step', step }, 'Showing the base build; Bksp returns');
}

/** Marks the routine under the cursor with a letter. */
export function setMark(state: AppState, letter: string): AppState {
  const off: AppState = { ...state, waiting: undefined };
  const routine = openView(state).routineAt(contextOf(state));
  if (routine < 0) return say(off, 'the cursor is not on a routine');
  const name = shortName(state.analysis.profile, routine, Math.max(20, state.width - 32));
  return say(
    {
      ...off,
      marks: new Map(state.marks).set(letter, routine),
      notes: withNote(state.notes, namedRoutine(state.analysis.profile, routine), { mark: letter }),
    },
    `${name} is marked ${letter}; ' ${letter} returns to it`,
  );
}
