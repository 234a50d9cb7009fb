// Two views at a time: side by side where the screen is wide, below each other where it is tall. The first leads, the second follows its cursor.
import { type AnyView, type ViewId, viewsOf } from '../views/index.ts';
import { requestNeeds } from './needs.ts';
import { enter } from './places.ts';
import {
  type AppState,
  activeView,
  contextOf,
  cursorRoutine,
  MIN_SPLIT,
  openView,
  type Split,
  type Step,
  say,
  splitSizes,
  withView,
} from './state.ts';

/** Columns from which two views side by side are shown without being asked for. */
export const WIDE = 160;

/** `next`: from beside to below, and then to one view. */
type SplitHow = Split['how'] | 'next';

/** The way that comes next, where there is room for it; undefined for one view. A second view that came unasked goes at once. */
function nextWay(state: AppState): Split['how'] | undefined {
  if (state.split?.isAutomatic) return undefined;
  const ways = (['beside', 'below'] as const).filter((how) => state.split?.how === how || !noSplit(state, how));
  return ways[state.split ? ways.indexOf(state.split.how) + 1 : 0];
}

/** Why the screen cannot be split so; undefined if it can. */
export function noSplit(state: AppState, how: SplitHow): string | undefined {
  if (how === 'next') return state.split || !noSplit(state, 'below') ? undefined : noSplit(state, 'beside');
  if (state.split?.how === how) return undefined;
  const size = how === 'beside' ? state.width : state.height;
  const what = how === 'beside' ? 'columns' : 'rows';
  if (size < MIN_SPLIT[how])
    return `two views ${how === 'beside' ? 'side by side' : 'below each other'} need ${MIN_SPLIT[how]} ${what}`;
  return followerOf(state, how) ? undefined : `${activeView(state).title} has no companion view`;
}

/** The view that the active one wants beside it, where it is now. */
function companionOf(state: AppState): AnyView | undefined {
  const wanted = openView(state).companion(contextOf(state));
  return viewsOf(state.analysis).find(({ id, hasPane }) => id === wanted && id !== state.view && !hasPane);
}

/** The view that is shown beside the active one, if there is any. */
function followerOf(state: AppState, how: Split['how']): AnyView | undefined {
  const shown = viewsOf(state.analysis);
  const companion = companionOf(state);
  if (companion) return companion;
  const { followers } = activeView(state);
  const has = followers[how].flatMap((id) => shown.find((v) => v.id === id) ?? []);
  return has.find((v) => !v.isPoor?.(state.analysis.profile)) ?? has[0];
}

/** As the key does it. On a wide screen, the number of views is remembered for the next start. */
export function switchSplit(from: AppState, how: SplitHow): Step {
  // A second view that came unasked and is not shown here is none.
  const state = from.split?.isAutomatic && !splitSizes(from) ? { ...from, split: undefined } : from;
  const next = splitScreen(state, how);
  const isKept = state.width >= WIDE && (state.split === undefined) !== (next.split === undefined);
  return [next, isKept ? [{ type: 'keep-panes', panes: next.split ? 'two' : 'one' }] : []];
}

/** Two views side by side where the screen is wide, without a word about it. */
export function splitWide(state: AppState): AppState {
  if (state.split || state.width < WIDE || noSplit(state, 'beside')) return state;
  const { split } = splitScreen(state, 'beside');
  return split ? { ...state, split: { ...split, isAutomatic: true } } : state;
}

/** Splits the screen, turns the two, or shows the active view alone again. */
function splitScreen(state: AppState, wanted: SplitHow): AppState {
  const { split } = state;
  const how = wanted === 'next' ? nextWay(state) : wanted;
  if (how === undefined || split?.how === how) return say({ ...state, split: undefined }, `${activeView(state).title} alone`);
  if (split) return follow({ ...state, split: { ...split, how, isAutomatic: false, followed: '' } });
  const follower = followerOf(state, how);
  if (!follower) return state;
  const other = { view: follower.id, focus: state.focus, wholeCycle: state.wholeCycle, step: state.step };
  const next = follow({ ...state, split: { how, side: 'first', other, followed: '' } });
  return say(next, `${follower.title} follows ${activeView(state).title}; Tab changes sides, | goes on: beside, below, one view`);
}

/** The state as the other side has it. */
export function flip(state: AppState): AppState {
  const { split, view, focus, wholeCycle, step } = state;
  if (!split) return state;
  const side = split.side === 'first' ? 'second' : 'first';
  return { ...state, ...split.other, split: { ...split, side, other: { view, focus, wholeCycle, step } } };
}

/** While the screen is split, a digit chooses the view of the active side; that of the other side changes places with it. */
export function aside(state: AppState, view: ViewId): AppState {
  const { split } = state;
  if (!split || split.other.view !== view) return state;
  return { ...state, split: { ...split, other: { ...split.other, view: state.view }, followed: '' } };
}

/** The selection that the second view follows: the first view's routine, step and line. */
function leadOf(state: AppState) {
  const context = contextOf(state);
  const view = openView(state);
  return { routine: cursorRoutine(state), step: view.stepAt(context), place: view.place(context) };
}

const keyOf = ({ routine, step, place }: ReturnType<typeof leadOf>) =>
  `${routine} ${step} ${place?.file ?? ''}:${place?.line ?? 0}`;

/** Whether the second view is behind the cursor of the first. */
export function isBehind(state: AppState): boolean {
  const { split } = state;
  return split?.side === 'first' && splitSizes(state) !== undefined && split.followed !== keyOf(leadOf(state));
}

/** Takes the second view to where the cursor of the first is. */
export function follow(state: AppState): AppState {
  const { split } = state;
  if (split?.side !== 'first' || !splitSizes(state)) return state;
  const lead = leadOf(state);
  const from = flip(state);
  const routine = lead.routine < 0 ? state.focus : lead.routine;
  const there = enter({ ...from, step: lead.step < 0 ? from.step : lead.step }, { view: from.view, focus: routine });
  const placed = lead.place ? withView(there, openView(there).goToPlace(lead.place, contextOf(there))) : there;
  const back = flip(placed);
  return back.split ? { ...back, split: { ...back.split, followed: keyOf(lead) } } : back;
}

/** Syncs the view of the other side, and requests what it needs. */
export function settleOther([state, effects]: Step): Step {
  const other = flip(state);
  const context = contextOf(other);
  const synced = openView(other).sync(context);
  const [next, more] = requestNeeds(withView(other, synced), synced, context, effects);
  return [flip(next), more];
}

/** A second view that came unasked changes with the first, unless that one has use for it; once the user chooses one, it is the user's. */
export function fitted(state: AppState): AppState {
  const { split } = state;
  if (!split?.isAutomatic) return state;
  const leads = split.side === 'first';
  const lead = leads ? state : flip(state);
  const other = leads ? split.other.view : state.view;
  const follower = followerOf(lead, split.how);
  const isGood = companionOf(lead) ? follower?.id === other : activeView(lead).followers[split.how].includes(other);
  if (!follower || isGood) return state;
  if (!leads) return { ...state, split: { ...split, isAutomatic: false } };
  return { ...state, split: { ...split, other: { ...split.other, view: follower.id }, followed: '' } };
}

/** A key that leads to the view of the other side goes to that side; this one shows again what it did. */
export function untangled(state: AppState): AppState {
  const { split } = state;
  if (!split || split.other.view !== state.view) return state;
  const last = state.back.at(-1);
  if (!last || last.view === state.view) return { ...state, split: undefined };
  const other = { view: last.view, focus: last.focus, wholeCycle: last.wholeCycle ?? false, step: split.other.step };
  return { ...state, split: { ...split, side: split.side === 'first' ? 'second' : 'first', other } };
}

/** Continues long work of the other side; true when nothing is left. */
export function workOnOther(state: AppState): boolean {
  const other = flip(state);
  return openView(other).work(contextOf(other), state.patienceMs);
}
