// Two views side by side, or below each other on tall screens. The second view follows the cursor of the first.
import { type AnyView, HOME_VIEW, type ViewId, viewsOf } from '../views/index.ts';
import { requestViewData } from './needs.ts';
import { closeLastOpened, enterLocation, switchView } from './places.ts';
import {
  type ActionHandlers,
  type AppState,
  activeView,
  contextOf,
  cursorRoutine,
  MIN_SPLIT_SIZES,
  openView,
  type ScreenSplit,
  splitSizes,
  type UpdateResult,
  withMessage,
  withView,
} from './state.ts';

/** Screens with at least this many columns are split automatically. */
export const MIN_AUTO_SPLIT_WIDTH = 160;

/** `next` goes from one view to two side by side, then to two below each other, then back to one. */
type SplitChoice = ScreenSplit['how'] | 'next';

/** The next split that fits on the screen; undefined for a single view, which also follows an automatic split. */
function nextSplitDirection(state: AppState): ScreenSplit['how'] | undefined {
  if (state.split?.isAutomatic) return undefined;
  const ways = (['beside', 'below'] as const).filter((how) => state.split?.how === how || !noSplitReason(state, how));
  return ways[state.split ? ways.indexOf(state.split.how) + 1 : 0];
}

/** The reason why the screen cannot be split this way; undefined if it can. */
export function noSplitReason(state: AppState, how: SplitChoice): string | undefined {
  if (how === 'next') return state.split || !noSplitReason(state, 'below') ? undefined : noSplitReason(state, 'beside');
  if (state.split?.how === how) return undefined;
  const size = how === 'beside' ? state.width : state.height;
  const what = how === 'beside' ? 'columns' : 'rows';
  if (size < MIN_SPLIT_SIZES[how])
    return `two views ${how === 'beside' ? 'side by side' : 'below each other'} need ${MIN_SPLIT_SIZES[how]} ${what}`;
  return chooseFollower(state, how) ? undefined : `${activeView(state).title} has no companion view`;
}

/** The view that the active view asks for as second view, depending on its cursor; undefined if it asks for none. */
function requestedCompanion(state: AppState): AnyView | undefined {
  const wanted = openView(state).bestFollower(contextOf(state));
  return viewsOf(state.analysis).find(({ id, hasPane }) => id === wanted && id !== state.view && !hasPane);
}

/** The view to show beside or below the active one; undefined if there is none. */
function chooseFollower(state: AppState, how: ScreenSplit['how']): AnyView | undefined {
  const availableViews = viewsOf(state.analysis);
  const companion = requestedCompanion(state);
  if (companion) return companion;
  const { followers } = activeView(state);
  const followerViews = followers[how].flatMap((id) => availableViews.find((v) => v.id === id) ?? []);
  return followerViews.find((v) => !v.isPoor?.(state.analysis.profile)) ?? followerViews[0];
}

/** Splits the screen, changes the way it is split, or goes back to one view. */
function splitScreen(state: AppState, wanted: SplitChoice): AppState {
  const { split } = state;
  const how = wanted === 'next' ? nextSplitDirection(state) : wanted;
  if (how === undefined || split?.how === how)
    return withMessage({ ...state, split: undefined }, `only ${activeView(state).title}`);
  if (split) return followFirstPane({ ...state, split: { ...split, how, isAutomatic: false, followed: '' } });
  const follower = chooseFollower(state, how);
  if (!follower) return state;
  const other = { view: follower.id, focus: state.focus, wholeCycle: state.wholeCycle, step: state.step };
  const next = followFirstPane({ ...state, split: { how, side: 'first', other, followed: '' } });
  const keys = 'Tab changes sides, | goes on: beside, below, one view';
  return withMessage(next, `${follower.title} follows ${activeView(state).title}; ${keys}`);
}

export function withOtherPaneActive(state: AppState): AppState {
  const { split, view, focus, wholeCycle, step } = state;
  if (!split) return state;
  const side = split.side === 'first' ? 'second' : 'first';
  return { ...state, ...split.other, split: { ...split, side, other: { view, focus, wholeCycle, step } } };
}

/** Swaps the two views if the chosen view is already in the other pane. */
function swapViews(state: AppState, view: ViewId): AppState {
  const { split } = state;
  if (!split || split.other.view !== view) return state;
  return { ...state, split: { ...split, other: { ...split.other, view: state.view }, followed: '' } };
}

/** The routine, step and source line under the cursor of the first pane, which the second view follows. */
function firstPaneSelection(state: AppState) {
  const context = contextOf(state);
  const view = openView(state);
  return { routine: cursorRoutine(state), step: view.stepAt(context), place: view.sourcePosition(context) };
}

const selectionKey = ({ routine, step, place }: ReturnType<typeof firstPaneSelection>) =>
  `${routine} ${step} ${place?.file ?? ''}:${place?.line ?? 0}`;

/** Whether the cursor of the first pane has moved since the second view last followed it. */
export function isFollowerBehind(state: AppState): boolean {
  const { split } = state;
  return split?.side === 'first' && splitSizes(state) !== undefined && split.followed !== selectionKey(firstPaneSelection(state));
}

/** Updates the second view to the routine, step and line under the first view's cursor. */
function followFirstPane(state: AppState): AppState {
  if (state.split?.side !== 'first' || !splitSizes(state)) return state;
  const selection = firstPaneSelection(state);
  const from = withOtherPaneActive(state);
  const routine = selection.routine < 0 ? state.focus : selection.routine;
  const step = selection.step < 0 ? from.step : selection.step;
  const entered = enterLocation({ ...from, step }, { view: from.view, focus: routine });
  const positioned = selection.place
    ? withView(entered, openView(entered).goToSourceLine(selection.place, contextOf(entered)))
    : entered;
  const back = withOtherPaneActive(positioned);
  return back.split ? { ...back, split: { ...back.split, followed: selectionKey(selection) } } : back;
}

/** Syncs the view in the other pane, and requests the texts it needs. */
export function syncOtherPane([state, effects]: UpdateResult): UpdateResult {
  const other = withOtherPaneActive(state);
  const context = contextOf(other);
  const synced = openView(other).sync(context);
  const [next, more] = requestViewData(withView(other, synced), synced, context, effects);
  return [withOtherPaneActive(next), more];
}

/** Replaces an automatic second view that does not suit the first. A second view chosen by the user stays. */
export function updateFollower(state: AppState): AppState {
  const { split } = state;
  if (!split?.isAutomatic) return state;
  const isFirst = split.side === 'first';
  const firstPane = isFirst ? state : withOtherPaneActive(state);
  const other = isFirst ? split.other.view : state.view;
  const follower = chooseFollower(firstPane, split.how);
  const isGood = requestedCompanion(firstPane)
    ? follower?.id === other
    : activeView(firstPane).followers[split.how].includes(other);
  if (!follower || isGood) return state;
  if (!isFirst) return { ...state, split: { ...split, isAutomatic: false } };
  return { ...state, split: { ...split, other: { ...split.other, view: follower.id }, followed: '' } };
}

/** If the other pane already shows the view to open, opens it there; this pane goes back one step. */
export function openInOtherPane(state: AppState): AppState {
  const { split } = state;
  if (!split || split.other.view !== state.view) return state;
  const last = state.back.at(-1);
  if (!last || last.view === state.view) return { ...state, split: undefined };
  const other = { view: last.view, focus: last.focus, wholeCycle: last.wholeCycle ?? false, step: split.other.step };
  return { ...state, split: { ...split, side: split.side === 'first' ? 'second' : 'first', other } };
}

/** The handlers that show views in one pane or two, by action type. */
export const PANE_HANDLERS = {
  digit(state, { digit }) {
    const view = viewsOf(state.analysis).find((v) => v.digit === digit);
    if (!view) return state;
    const next = switchView(swapViews(state, view.id), view.id);
    // The Overview is the bottom of the places: after it, q has nothing to go back to, but Backspace has.
    return view.id === HOME_VIEW ? { ...next, back: next.back.map((place) => ({ ...place, entered: false })) } : next;
  },
  view: (state, { view }) => switchView(swapViews(state, view), view),
  'other-pane': withOtherPaneActive,
  leave(state) {
    const isBesideHome = state.split?.other.view === HOME_VIEW && !state.outer && !state.back.some((place) => place.entered);
    if (!isBesideHome) return closeLastOpened(state);
    return state.split?.side === 'second' ? withOtherPaneActive(state) : closeLastOpened(swapViews(state, HOME_VIEW));
  },
  /** Splits the screen on the user's request. On a wide screen, the choice of one or two views is saved for the next start. */
  split(from, { how }) {
    // If the second view of an automatic split does not fit at present, there is no split to change.
    const state = from.split?.isAutomatic && !splitSizes(from) ? { ...from, split: undefined } : from;
    const next = splitScreen(state, how);
    const isKept = state.width >= MIN_AUTO_SPLIT_WIDTH && (state.split === undefined) !== (next.split === undefined);
    return [next, isKept ? [{ type: 'keep-panes', panes: next.split ? 'two' : 'one' }] : []];
  },
  /** Splits a wide screen automatically, without a message. */
  'split-wide'(state) {
    if (state.split || state.width < MIN_AUTO_SPLIT_WIDTH || noSplitReason(state, 'beside')) return state;
    const { split } = splitScreen(state, 'beside');
    return split ? { ...state, split: { ...split, isAutomatic: true } } : state;
  },
  follow: followFirstPane,
} satisfies Partial<ActionHandlers>;
