// A view together with its state, whose type is private to the view. If the state does not change, methods return the same
// object, so that nothing is drawn or stored twice.
import type { Analysis } from '../analysis/answers/analysis.ts';
import type { CompiledSearch } from '../base/match.ts';
import type { Kind } from '../model/profile.ts';
import {
  type Binding,
  ofKind,
  type PrintedView,
  type ScreenLine,
  type SearchResult,
  type SourcePosition,
  type View,
  type ViewAction,
  type ViewCommand,
  type ViewContext,
  type ViewHead,
  type ViewRequest,
} from './view.ts';

/** The parts of a key binding that do not depend on the state of the view. */
export type ViewKey<A> = Pick<Binding<never, A>, 'keys' | 'action' | 'help' | 'group' | 'footer' | 'sorts'>;
export interface ViewEntry<Id extends string = string, A extends ViewAction = ViewAction> extends ViewHead {
  readonly followers: NonNullable<ViewHead['followers']>;
  readonly id: Id;
  readonly keys: readonly ViewKey<A>[];
  readonly commands: readonly Pick<ViewCommand, 'name' | 'arg' | 'help' | 'prompt'>[];
  /** False if the key never works with this profile. */
  usable(action: ViewAction, context: ViewContext): boolean;
  open(context: ViewContext): OpenView;
  /** Whether a filter may have conditions on columns. */
  readonly filtersColumns: boolean;
  sortNames(context: ViewContext): readonly string[];
  idle(context: ViewContext, ms: number): boolean;
}

/** The view after a search, and the message about it. */
type ViewResult = Omit<SearchResult<unknown>, 'state'> & { readonly view: OpenView };

/** The members of View, bound to a state of the view. */
export interface OpenView extends ReturnType<typeof openViewWithState> {}

export function viewEntry<const Id extends string, S, A extends ViewAction, K extends Kind>(
  view: View<Id, S, A, K>,
): ViewEntry<Id, A> {
  const { keys, commands = [], followers = { beside: [], below: [] }, narrowContext = ofKind(view.kind) } = view;
  return {
    ...view,
    commands,
    followers,
    filtersColumns: view.filterColumns !== undefined,
    usable: (action, context) => keys.find((b) => isSameAction(b.action, action))?.usable?.(narrowContext(context)) ?? true,
    open: (context) => openViewWithState(view, view.init(narrowContext(context))),
    sortNames: (context) => view.sortNames?.(narrowContext(context)) ?? [],
    idle: (context, ms) => view.idle?.(narrowContext(context), ms) ?? true,
  };
}

/** The members of an open view that apply keys and commands. */
function actionMembers<S, A extends ViewAction, K extends Kind>(
  view: View<string, S, A, K>,
  state: S,
  withState: (next?: S) => OpenView,
) {
  const { narrowContext = ofKind(view.kind) } = view;
  /** Finds the binding by the content of its action, because recorded actions are read from JSON. */
  const bindingOf = (action: ViewAction) => view.keys.find((b) => isSameAction(b.action, action));
  return {
    /** The view after an action; undefined if the view does not have this action. */
    act(action: ViewAction, c: ViewContext): OpenView | undefined {
      const binding = bindingOf(action);
      if (!binding) return undefined;
      const { value } = action;
      const chosen = value === undefined ? binding.action : { ...binding.action, value };
      return withState(view.update(state, chosen, narrowContext(c)));
    },
    /** The values that the action can choose from, and the current one; undefined if it has none. */
    options(action: ViewAction, c: ViewContext) {
      const options = bindingOf(action)?.options;
      if (!options) return undefined;
      const context = narrowContext(c);
      return { label: options.label, values: options.values(state, context), current: options.current(state, context) };
    },
    request(action: ViewAction, c: ViewContext): ViewRequest | undefined {
      const binding = bindingOf(action);
      return binding && view.request?.(state, binding.action, narrowContext(c));
    },
    /** Why an action is disabled now; undefined if it is not. */
    off(action: ViewAction, c: ViewContext): string | undefined {
      const binding = bindingOf(action);
      const isEmpty = () => binding?.keys.includes('enter') && view.rowCount(state, narrowContext(c)) === 0;
      return binding?.off?.(state, narrowContext(c)) ?? (isEmpty() ? 'there are no rows: nothing to open' : undefined);
    },
    /** True if the view does not handle the key now, so that the global binding applies. */
    passesToApp: (action: ViewAction, c: ViewContext) => bindingOf(action)?.passesToApp?.(state, narrowContext(c)) ?? false,
    /** The reason why an action has no effect now; undefined if it has one. */
    noEffectReason: (action: ViewAction, c: ViewContext) => bindingOf(action)?.noEffectReason?.(state, narrowContext(c)),
    messageAfter(action: ViewAction, c: ViewContext): string | undefined {
      const binding = bindingOf(action);
      if (!binding) return undefined;
      const { options, keys } = binding;
      // In a menu the new value is visible; a key that switches to the next value needs a message.
      const choice = options && keys.length > 0 ? `${options.label}: ${options.current(state, narrowContext(c))}` : undefined;
      return view.messageAfter?.(state, binding.action, narrowContext(c)) ?? choice;
    },
    command: (name: string, argument: string, c: ViewContext): string =>
      view.commands?.find((command) => command.name === name)?.run(argument, narrowContext(c)) ?? '',
  };
}

function openViewWithState<S, A extends ViewAction, K extends Kind>(view: View<string, S, A, K>, state: S) {
  const { narrowContext = ofKind(view.kind) } = view;
  /** The view with another state; the same object if the state has not changed. */
  const withState = (next: S = state): OpenView => (Object.is(next, state) ? self : openViewWithState(view, next));
  const withStateIf = (next: S | undefined): OpenView | undefined => (next === undefined ? undefined : withState(next));
  const self = {
    ...actionMembers(view, state, withState),
    close: () => withStateIf(view.close?.(state)),
    sync: (c: ViewContext) => withState(view.sync(state, narrowContext(c))),
    draw: (c: ViewContext): ScreenLine[] => view.draw(state, narrowContext(c)),
    drawAll(c: ViewContext, most: number): ScreenLine[] {
      const whole = view.drawAll?.(state, narrowContext(c), most);
      if (whole) return whole;
      const tall = { ...c, height: Math.min(most, view.fullHeight?.(state, narrowContext(c)) ?? c.height) };
      return self.sync(tall).draw(tall);
    },
    printed: (c: ViewContext): PrintedView => view.printed?.(state, narrowContext(c)) ?? {},
    work: (c: ViewContext, ms: number) => view.work?.(state, narrowContext(c), ms) ?? true,
    /** The names of the columns that a filter can have conditions on. */
    columnNames: (c: ViewContext): readonly string[] => view.columnNames?.(state, narrowContext(c)) ?? [],
    filterColumns: (c: ViewContext): readonly string[] => view.filterColumns?.(state, narrowContext(c)) ?? [],
    rowCount: (c: ViewContext) => view.rowCount(state, narrowContext(c)),
    cursor: (c: ViewContext) => view.cursor(state, narrowContext(c)),
    moveTo: (row: number, c: ViewContext) => withState(view.moveTo(state, row, narrowContext(c))),
    /** The view after a click; undefined if the click does nothing. `act`: whether to open the clicked item, like Enter. */
    clickAt(x: number, y: number, c: ViewContext) {
      const clicked = view.clickAt?.(state, x, y, narrowContext(c));
      return clicked && { view: withState(clicked.state), act: clicked.act ?? false };
    },
    /** Moves the cursor to the row with this number (in Source, to the line); undefined if there is none. */
    goToNumber(number: number, c: ViewContext): OpenView | undefined {
      if (view.goToNumber) return withStateIf(view.goToNumber(state, number, narrowContext(c)));
      return number < 1 || number > self.rowCount(c) ? undefined : self.moveTo(number - 1, c);
    },
    rowText: (row: number, c: ViewContext) => view.rowText(state, row, narrowContext(c)),
    find(text: string, search: CompiledSearch, by: 1 | -1, c: ViewContext, ms: number): ViewResult | undefined {
      const found = view.find?.(state, text, search, by, narrowContext(c), ms);
      if (!found) return undefined;
      const { state: next, ...message } = found;
      return { view: withState(next), ...message };
    },
    routineAt: (c: ViewContext) => view.routineAt?.(state, narrowContext(c)) ?? -1,
    pathAt: (c: ViewContext) => view.pathAt?.(state, narrowContext(c)),
    cycleAt: (c: ViewContext) => view.cycleAt?.(state, narrowContext(c)) ?? 0,
    findRoutine: (routine: number, c: ViewContext) => withStateIf(view.findRoutine?.(state, routine, narrowContext(c))),
    stepAt: (c: ViewContext) => view.stepAt?.(state, narrowContext(c)) ?? -1,
    bestFollower: (c: ViewContext) => view.bestFollower?.(state, narrowContext(c)),
    findStep: (step: number, c: ViewContext) => withStateIf(view.findStep?.(state, step, narrowContext(c))),
    showContext: (calling: number, c: ViewContext) => withState(view.showContext?.(state, calling, narrowContext(c))),
    detail: (c: ViewContext) => view.detail(state, narrowContext(c)),
    sourcePosition: (c: ViewContext) => view.sourcePosition?.(state, narrowContext(c)),
    goToSourceLine: (place: SourcePosition, c: ViewContext) => withState(view.goToSourceLine?.(state, place, narrowContext(c))),
    goToRow: (name: string, c: ViewContext) => withState(view.goToRow?.(state, name, narrowContext(c))),
    neededSources: (c: ViewContext) => view.neededSources?.(state, narrowContext(c)) ?? [],
    disassembledRoutine: (c: ViewContext) => view.disassembledRoutine?.(state, narrowContext(c)) ?? -1,
    mode: (c: ViewContext, width: number) => view.mode?.(state, narrowContext(c), width) ?? '',
    // Returns a new object even for an equal state, because the profile has changed.
    rebase: (from: Analysis, to: Analysis): OpenView | undefined =>
      view.rebase && openViewWithState(view, view.rebase(state, from, to)),
  };
  return self;
}

const isSameAction = (a: ViewAction, b: ViewAction): boolean => a.type === b.type && a.by === b.by && a.column === b.column;
