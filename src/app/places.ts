// Navigation between views and routines, and the history for back and forward.
import { hasCode } from '../analysis/names/origin.ts';
import type { KeptNote, Profile } from '../model/profile.ts';
import { HOME_VIEW, type ViewId, viewNamed } from '../views/index.ts';
import { initialState } from './first-state.ts';
import { type AppState, activeView, contextOf, cursorRoutine, openView, type ViewLocation, withView } from './state.ts';

const MAX_HISTORY_LENGTH = 500;

function pushHistory(state: AppState): AppState {
  const { view, focus, wholeCycle } = state;
  return { ...state, back: [...state.back, { view, focus, wholeCycle }].slice(-MAX_HISTORY_LENGTH), forward: [] };
}

/** Switches views; the routine under the cursor becomes the focus. */
export function switchView(from: AppState, view: ViewId): AppState {
  if (view === from.view) return from;
  // From the Overview, only the view of one step takes its step along.
  const step = from.view === HOME_VIEW && view !== 'step' ? -1 : openView(from).stepAt(contextOf(from));
  const state = step < 0 ? from : { ...from, step };
  const cycle = openView(state).cycleAt(contextOf(state));
  if (cycle > 0) return enterLocation(pushHistory(state), { view, focus: costliestMemberOf(state, cycle), wholeCycle: true });
  const routine = cursorRoutine(state);
  // Lists keep their cursors: looking at them moves nothing.
  if (viewNamed(view)?.listsRoutines && routine >= 0 && (from.view === HOME_VIEW || state.views.has(view)))
    return { ...pushHistory({ ...state, focus: routine }), view };
  if (from.view === HOME_VIEW && from.unfinished && routine < 0 && from.focus < 0 && hasCode(from.analysis.profile))
    return { ...enterLocation(pushHistory(state), { view, focus: -1 }), awaitsSubject: true };
  const same = routine < 0 || routine === state.focus;
  const position = openView(state).sourcePosition(contextOf(state));
  const { listsRoutines } = activeView(state);
  // Going back puts the cursor on the same routine again.
  const next = enterLocation(pushHistory(listsRoutines && !same ? { ...state, focus: routine } : state), {
    view,
    focus: same ? state.focus : routine,
    wholeCycle: same && state.wholeCycle,
  });
  // The source position is kept if the routine is unchanged or was chosen in a list: Source and Instrs show the same code.
  return position && (same || listsRoutines) ? withView(next, openView(next).goToSourceLine(position, contextOf(next))) : next;
}

/** Continues the work of the Overview while a view waits for its first routine, and takes that routine once it is known. */
export function takeSubject(state: AppState): AppState {
  if (!state.awaitsSubject) return state;
  const home = { ...state, view: HOME_VIEW };
  const context = contextOf(home);
  if (!openView(home).work(context, state.timeBudgetMs)) return state;
  const next = { ...state, awaitsSubject: false };
  const focus = openView(home).sync(context).routineAt(context);
  if (focus < 0 || state.focus >= 0 || state.view === HOME_VIEW) return next;
  return activeView(state).listsRoutines ? { ...next, focus } : enterLocation(next, { view: state.view, focus });
}

/** The most expensive routine of a cycle, which represents the cycle in views of a single routine. */
function costliestMemberOf({ analysis: { totals } }: AppState, cycle: number): number {
  let best = -1;
  totals.cycles.of.forEach((of, r) => {
    if (of === cycle && (best < 0 || totals.inclusive[0][r] > totals.inclusive[0][best])) best = r;
  });
  return best;
}

export function openViewOfRoutine(state: AppState, view: ViewId, routine: number): AppState {
  // Views of all routines have no focus, so going back uses the routine under the cursor.
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

/** After a change of transforms, keeps the cursor on the first row if it was there. That row is the costliest routine. */
export function keepCursorOnTop(from: AppState, to: AppState): AppState {
  const wasTop = activeView(from).listsRoutines && openView(from).cursor(contextOf(from)) === 0;
  return wasTop && to.view === from.view ? withView(to, openView(to).moveTo(0, contextOf(to))) : to;
}

/** Marks the previous location as entered: something was opened from it, and q returns to it. */
export function markAsEntered(from: AppState, to: AppState): AppState {
  const last = to.back.at(-1);
  return to.back === from.back || !last ? to : { ...to, back: to.back.with(-1, { ...last, entered: true }) };
}

/** Whether q closes an opened view or profile; if not, q quits the program. */
export const canCloseView = ({ back, outer, view }: AppState): boolean =>
  outer !== undefined || back.some((place) => place.entered) || view !== HOME_VIEW;

/** Closes the view that was opened last, and returns to the location it was opened from, at last to the Overview. */
export function closeLastOpened(state: AppState): AppState {
  const at = state.back.findLastIndex((place) => place.entered);
  if (at < 0 && !state.outer) return enterLocation({ ...state, back: [] }, { view: HOME_VIEW, focus: state.focus });
  return goInHistory({ ...state, back: state.back.slice(0, at + 1) }, 'back');
}

export function goInHistory(state: AppState, way: 'back' | 'forward'): AppState {
  const stack = state[way];
  // Going back from the first location of a nested profile returns to the outer profile, in its previous state.
  if (way === 'back' && stack.length === 0 && state.outer) {
    const { width, height } = state;
    return { ...state.outer, width, height };
  }
  const location = stack.at(-1);
  if (!location) return state;
  const focus = activeView(state).listsRoutines ? cursorRoutine(state) : state.focus;
  const here: ViewLocation = { view: state.view, focus, wholeCycle: state.wholeCycle };
  const other = way === 'back' ? 'forward' : 'back';
  return enterLocation({ ...state, [way]: stack.slice(0, -1), [other]: [...state[other], here] }, location);
}

/** Maximum number of outer profiles to return to. Each of them keeps its complete state. */
const MAX_OUTER_STATES = 8;

/** Drops the second-outermost profile if there are too many. The outermost one stays: the program was started with it. */
function limitOuterStates(state: AppState): AppState {
  const all: AppState[] = [];
  for (let at: AppState | undefined = state; at; at = at.outer) all.push(at);
  if (all.length <= MAX_OUTER_STATES) return state;
  all.splice(-2, 1);
  return all.reduceRight((outer, at) => ({ ...at, outer }));
}

/** The initial state, with a message, of a profile that is opened from this one. Going back returns to this one. */
function nestedState(state: AppState, profile: Profile, text: string, notes: readonly KeptNote[] = []): AppState {
  const { width, height, ascii, fills, timeBudgetMs, sourceDirs } = state;
  const kept = { favourites: [...state.favourites], notes };
  const inner = initialState(profile, { width, height, ascii, fills, timeBudgetMs, ...kept });
  return { ...inner, sourceDirs, outer: limitOuterStates({ ...state, message: undefined }), message: { text, kind: 'info' } };
}

/** Opens another profile; going back returns to this one. */
export function openNestedProfile(state: AppState, profile: Profile, notes: readonly KeptNote[]): AppState {
  const what = state.analysis.profile.kind === 'steps' ? 'the build' : 'the previous profile';
  return nestedState(state, profile, `Bksp returns to ${what}`, notes);
}

export function openBaseStep(state: AppState, step: number): AppState {
  const base = state.analysis.before;
  if (!base) return state;
  return { ...nestedState(state, base.profile, 'Showing the base build; Bksp returns'), analysis: base, view: 'step', step };
}
