// Two views at a time: side by side where the screen is wide, below each other where it is tall. The first leads, the second follows its cursor.
import { type AnyView, type ViewId, viewsOf } from '../views/index.ts';
import { requestNeeds } from './needs.ts';
import { enterLocation } from './places.ts';
import {
  type AppState,
  activeView,
  contextOf,
  cursorRoutine,
  MIN_SPLIT,
  openView,
  type ScreenSplit,
  splitSizes,
  type UpdateResult,
  withMessage,
  withView,
} from './state.ts';

/** Screens of at least this many columns show two views side by side without a request. */
export const WIDE = 160;

/** `next` cycles: beside, below, one view. */
type SplitHow = ScreenSplit['how'] | 'next';

/** The next way to split that fits; undefined for one view. A split made without a request ends at once. */
function nextSplit(state: AppState): ScreenSplit['how'] | undefined {
  if (state.split?.isAutomatic) return undefined;
  const ways = (['beside', 'below'] as const).filter((how) => state.split?.how === how || !whyNoSplit(state, how));
  return ways[state.split ? ways.indexOf(state.split.how) + 1 : 0];
}

/** Why the screen cannot be split so; undefined if it can. */
export function whyNoSplit(state: AppState, how: SplitHow): string | undefined {
  if (how === 'next') return state.split || !whyNoSplit(state, 'below') ? undefined : whyNoSplit(state, 'beside');
  if (state.split?.how === how) return undefined;
  const size = how === 'beside' ? state.width : state.height;
  const what = how === 'beside' ? 'columns' : 'rows';
  if (size < MIN_SPLIT[how])
    return `two views ${how === 'beside' ? 'side by side' : 'below each other'} need ${MIN_SPLIT[how]} ${what}`;
  return followerOf(state, how) ? undefined : `${activeView(state).title} has no companion view`;
}

/** The view that the active view requests as its companion, given its cursor. */
function companionOf(state: AppState): AnyView | undefined {
  const wanted = openView(state).bestFollower(contextOf(state));
  return viewsOf(state.analysis).find(({ id, hasPane }) => id === wanted && id !== state.view && !hasPane);
}

/** The view to show next to the active one; undefined if there is none. */
function followerOf(state: AppState, how: ScreenSplit['how']): AnyView | undefined {
  const availableViews = viewsOf(state.analysis);
  const companion = companionOf(state);
  if (companion) return companion;
  const { followers } = activeView(state);
  const followerViews = followers[how].flatMap((id) => availableViews.find((v) => v.id === id) ?? []);
  return followerViews.find((v) => !v.isPoor?.(state.analysis.profile)) ?? followerViews[0];
}

/** As the key does it. On a wide screen, the number of views is remembered for the next start. */
export function switchSplit(from: AppState, how: SplitHow): UpdateResult {
  // An automatic second view that is not visible here counts as no split.
  const state = from.split?.isAutomatic && !splitSizes(from) ? { ...from, split: undefined } : from;
  const next = splitScreen(state, how);
  const isKept = state.width >= WIDE && (state.split === undefined) !== (next.split === undefined);
  return [next, isKept ? [{ type: 'keep-panes', panes: next.split ? 'two' : 'one' }] : []];
}

/** Splits a wide screen automatically, without a message. */
export function splitWide(state: AppState): AppState {
  if (state.split || state.width < WIDE || whyNoSplit(state, 'beside')) return state;
  const { split } = splitScreen(state, 'beside');
  return split ? { ...state, split: { ...split, isAutomatic: true } } : state;
}

/** Splits the screen, changes the way it is split, or goes back to one view. */
function splitScreen(state: AppState, wanted: SplitHow): AppState {
  const { split } = state;
  const how = wanted === 'next' ? nextSplit(state) : wanted;
  if (how === undefined || split?.how === how)
    return withMessage({ ...state, split: undefined }, `${activeView(state).title} alone`);
  if (split) return followFirstPane({ ...state, split: { ...split, how, isAutomatic: false, followed: '' } });
  const follower = followerOf(state, how);
  if (!follower) return state;
  const other = { view: follower.id, focus: state.focus, wholeCycle: state.wholeCycle, step: state.step };
  const next = followFirstPane({ ...state, split: { how, side: 'first', other, followed: '' } });
  return withMessage(
    next,
    `${follower.title} follows ${activeView(state).title}; Tab changes sides, | goes on: beside, below, one view`,
  );
}

/** The state with the other pane active. */
export function asOtherPane(state: AppState): AppState {
  const { split, view, focus, wholeCycle, step } = state;
  if (!split) return state;
  const side = split.side === 'first' ? 'second' : 'first';
  return { ...state, ...split.other, split: { ...split, side, other: { view, focus, wholeCycle, step } } };
}

/** A digit key swaps the views if the other pane shows the chosen one. */
export function swapViews(state: AppState, view: ViewId): AppState {
  const { split } = state;
  if (!split || split.other.view !== view) return state;
  return { ...state, split: { ...split, other: { ...split.other, view: state.view }, followed: '' } };
}

/** The selection of the first pane: its routine, step and line. The second view follows it. */
function firstPaneSelection(state: AppState) {
  const context = contextOf(state);
  const view = openView(state);
  return { routine: cursorRoutine(state), step: view.stepAt(context), place: view.sourcePosition(context) };
}

const keyOf = ({ routine, step, place }: ReturnType<typeof firstPaneSelection>) =>
  `${routine} ${step} ${place?.file ?? ''}:${place?.line ?? 0}`;

/** Whether the second view has not followed the first pane's cursor yet. */
export function isBehind(state: AppState): boolean {
  const { split } = state;
  return split?.side === 'first' && splitSizes(state) !== undefined && split.followed !== keyOf(firstPaneSelection(state));
}

/** Moves the second view to the selection of the first. */
export function followFirstPane(state: AppState): AppState {
  const { split } = state;
  if (split?.side !== 'first' || !splitSizes(state)) return state;
  const selection = firstPaneSelection(state);
  const from = asOtherPane(state);
  const routine = selection.routine < 0 ? state.focus : selection.routine;
  const entered = enterLocation(
    { ...from, step: selection.step < 0 ? from.step : selection.step },
    { view: from.view, focus: routine },
  );
  const positioned = selection.place
    ? withView(entered, openView(entered).goToSourceLine(selection.place, contextOf(entered)))
    : entered;
  const back = asOtherPane(positioned);
  return back.split ? { ...back, split: { ...back.split, followed: keyOf(selection) } } : back;
}

/** Syncs the view of the other side, and requests what it needs. */
export function syncOtherPane([state, effects]: UpdateResult): UpdateResult {
  const other = asOtherPane(state);
  const context = contextOf(other);
  const synced = openView(other).sync(context);
  const [next, more] = requestNeeds(withView(other, synced), synced, context, effects);
  return [asOtherPane(next), more];
}

/** Replaces an automatic second view if the first has no use for it. A second view chosen by the user stays. */
export function updateFollower(state: AppState): AppState {
  const { split } = state;
  if (!split?.isAutomatic) return state;
  const isFirst = split.side === 'first';
  const firstPane = isFirst ? state : asOtherPane(state);
  const other = isFirst ? split.other.view : state.view;
  const follower = followerOf(firstPane, split.how);
  const isGood = companionOf(firstPane) ? follower?.id === other : activeView(firstPane).followers[split.how].includes(other);
  if (!follower || isGood) return state;
  if (!isFirst) return { ...state, split: { ...split, isAutomatic: false } };
  return { ...state, split: { ...split, other: { ...split.other, view: follower.id }, followed: '' } };
}

/** Opens a view in the other pane if that pane already shows it; this pane goes back one step. */
export function openInOtherPane(state: AppState): AppState {
  const { split } = state;
  if (!split || split.other.view !== state.view) return state;
  const last = state.back.at(-1);
  if (!last || last.view === state.view) return { ...state, split: undefined };
  const other = { view: last.view, focus: last.focus, wholeCycle: last.wholeCycle ?? false, step: split.other.step };
  return { ...state, split: { ...split, side: split.side === 'first' ? 'second' : 'first', other } };
}

/** Continues long work of the other side; true when nothing is left. */
export function continueOtherPane(state: AppState): boolean {
  const other = asOtherPane(state);
  return openView(other).work(contextOf(other), state.timeBudgetMs);
}
