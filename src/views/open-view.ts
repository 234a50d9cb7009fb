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
type CommandDescription = Pick<ViewCommand<never>, 'name' | 'arg' | 'help' | 'prompt'>;

export interface ViewEntry<Id extends string = string, A extends ViewAction = ViewAction> extends ViewHead {
  readonly followers: NonNullable<ViewHead['followers']>;
  readonly id: Id;
  readonly keys: readonly ViewKey<A>[];
  readonly commands: readonly CommandDescription[];
  /** False if the key never works with this profile. */
  usable(action: ViewAction, context: ViewContext): boolean;
  open(context: ViewContext): OpenView;
  /** Whether a filter may have conditions on columns. */
  readonly filtersColumns: boolean;
  sortNames(context: ViewContext): readonly string[];
  idle(context: ViewContext, ms: number): boolean;
}

/** The view after a search or a command, and the message about it. */
type ViewResult = Omit<SearchResult<unknown>, 'state'> & { readonly view: OpenView };

/** The values of an option, and the current value. */
export interface ShownOptions {
  readonly label: string;
  readonly values: readonly string[];
  readonly current: string;
}

/** The members of an open view that apply keys and commands. */
interface ActionMembers {
  /** The view after an action; undefined if the view does not have this action. */
  act(action: ViewAction, context: ViewContext): OpenView | undefined;
  /** The values that the action can choose from; undefined if it has none. */
  options(action: ViewAction, context: ViewContext): ShownOptions | undefined;
  request(action: ViewAction, context: ViewContext): ViewRequest | undefined;
  /** Why an action is disabled now; undefined if it is not. */
  off(action: ViewAction, context: ViewContext): string | undefined;
  /** True if the view does not handle the key now, so that the global binding applies. */
  passesToApp(action: ViewAction, context: ViewContext): boolean;
  /** The reason why an action has no effect now; undefined if it has one. */
  noEffectReason(action: ViewAction, context: ViewContext): string | undefined;
  messageAfter(action: ViewAction, context: ViewContext): string | undefined;
  /** The initial text of a command's prompt. */
  initialArgument(name: string): string;
  command(name: string, argument: string, context: ViewContext): ViewResult;
}

/** The members of View, bound to a state of the view. */
export interface OpenView extends ActionMembers {
  /** The names of the columns that a filter can have conditions on. */
  filterColumns(context: ViewContext): readonly string[];
  sync(context: ViewContext): OpenView;
  draw(context: ViewContext): ScreenLine[];
  drawAll(context: ViewContext, most: number): ScreenLine[];
  printed(context: ViewContext): PrintedView;
  work(context: ViewContext, ms: number): boolean;
  close(): OpenView | undefined;
  rowCount(context: ViewContext): number;
  cursor(context: ViewContext): number;
  moveTo(row: number, context: ViewContext): OpenView;
  /** The view after a click; undefined if the click does nothing. `act`: whether to open the clicked item, like Enter. */
  clickAt(x: number, y: number, context: ViewContext): { readonly view: OpenView; readonly act: boolean } | undefined;
  /** Moves the cursor to the row with this number (in Source, to the line); undefined if there is none. */
  goToNumber(number: number, context: ViewContext): OpenView | undefined;
  rowText(row: number, context: ViewContext): string;
  find(text: string, search: CompiledSearch, by: 1 | -1, context: ViewContext, ms: number): ViewResult | undefined;
  routineAt(context: ViewContext): number;
  cycleAt(context: ViewContext): number;
  findRoutine(routine: number, context: ViewContext): OpenView | undefined;
  stepAt(context: ViewContext): number;
  bestFollower(context: ViewContext): string | undefined;
  findStep(step: number, context: ViewContext): OpenView | undefined;
  showContext(calling: number, context: ViewContext): OpenView;
  detail(context: ViewContext): string;
  sourcePosition(context: ViewContext): SourcePosition | undefined;
  goToSourceLine(place: SourcePosition, context: ViewContext): OpenView;
  goToRow(name: string, context: ViewContext): OpenView;
  neededSources(context: ViewContext): string[];
  disassembledRoutine(context: ViewContext): number;
  mode(context: ViewContext, width: number): string;
  rebase(from: Analysis, to: Analysis): OpenView | undefined;
}

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

function actionMembers<S, A extends ViewAction, K extends Kind>(
  view: View<string, S, A, K>,
  state: S,
  withState: (next?: S) => OpenView,
): ActionMembers {
  const { narrowContext = ofKind(view.kind) } = view;
  /** Finds the binding by the content of its action, because recorded actions are read from JSON. */
  const bindingOf = (action: ViewAction) => view.keys.find((b) => isSameAction(b.action, action));
  const commandOf = (name: string) => view.commands?.find((c) => c.name === name);
  return {
    act(action, c) {
      const binding = bindingOf(action);
      if (!binding) return undefined;
      const { value } = action;
      const chosen = value === undefined ? binding.action : { ...binding.action, value };
      return withState(view.update(state, chosen, narrowContext(c)));
    },
    options(action, c) {
      const options = bindingOf(action)?.options;
      if (!options) return undefined;
      const context = narrowContext(c);
      return { label: options.label, values: options.values(state, context), current: options.current(state, context) };
    },
    request(action, c) {
      const binding = bindingOf(action);
      return binding && view.request?.(state, binding.action, narrowContext(c));
    },
    off(action, c) {
      const binding = bindingOf(action);
      const isEmpty = () => binding?.keys.includes('enter') && view.rowCount(state, narrowContext(c)) === 0;
      return binding?.off?.(state, narrowContext(c)) ?? (isEmpty() ? 'there are no rows: nothing to open' : undefined);
    },
    passesToApp: (action, c) => bindingOf(action)?.passesToApp?.(state, narrowContext(c)) ?? false,
    noEffectReason: (action, c) => bindingOf(action)?.noEffectReason?.(state, narrowContext(c)),
    messageAfter(action, c) {
      const binding = bindingOf(action);
      if (!binding) return undefined;
      const { options, keys } = binding;
      // In a menu the new value is visible; a key that switches to the next value needs a message.
      const choice = options && keys.length > 0 ? `${options.label}: ${options.current(state, narrowContext(c))}` : undefined;
      return view.messageAfter?.(state, binding.action, narrowContext(c)) ?? choice;
    },
    initialArgument: (name) => commandOf(name)?.initialArgument?.(state) ?? '',
    command(name, argument, c) {
      const { state: next, ...message } = commandOf(name)?.run(state, argument, narrowContext(c)) ?? {};
      return { view: withState(next), ...message };
    },
  };
}

function openViewWithState<S, A extends ViewAction, K extends Kind>(view: View<string, S, A, K>, state: S): OpenView {
  const { narrowContext = ofKind(view.kind) } = view;
  /** The view with another state; the same object if the state has not changed. */
  const withState = (next: S = state): OpenView => (Object.is(next, state) ? self : openViewWithState(view, next));
  const withStateIf = (next: S | undefined): OpenView | undefined => (next === undefined ? undefined : withState(next));
  const self: OpenView = {
    ...actionMembers(view, state, withState),
    close: () => withStateIf(view.close?.(state)),
    sync: (c) => withState(view.sync(state, narrowContext(c))),
    draw: (c) => view.draw(state, narrowContext(c)),
    drawAll(c, most) {
      const whole = view.drawAll?.(state, narrowContext(c), most);
      if (whole) return whole;
      const tall = { ...c, height: Math.min(most, view.fullHeight?.(narrowContext(c)) ?? c.height) };
      return self.sync(tall).draw(tall);
    },
    printed: (c) => view.printed?.(state, narrowContext(c)) ?? {},
    work: (c, ms) => view.work?.(state, narrowContext(c), ms) ?? true,
    filterColumns: (c) => view.filterColumns?.(state, narrowContext(c)) ?? [],
    rowCount: (c) => view.rowCount(state, narrowContext(c)),
    cursor: (c) => view.cursor(state, narrowContext(c)),
    moveTo: (row, c) => withState(view.moveTo(state, row, narrowContext(c))),
    clickAt(x, y, c) {
      const clicked = view.clickAt?.(state, x, y, narrowContext(c));
      return clicked && { view: withState(clicked.state), act: clicked.act ?? false };
    },
    goToNumber(number, c) {
      if (view.goToNumber) return withStateIf(view.goToNumber(state, number, narrowContext(c)));
      return number < 1 || number > self.rowCount(c) ? undefined : self.moveTo(number - 1, c);
    },
    rowText: (row, c) => view.rowText(state, row, narrowContext(c)),
    find(text, search, by, c, ms) {
      const found = view.find?.(state, text, search, by, narrowContext(c), ms);
      if (!found) return undefined;
      const { state: next, ...message } = found;
      return { view: withState(next), ...message };
    },
    routineAt: (c) => view.routineAt?.(state, narrowContext(c)) ?? -1,
    cycleAt: (c) => view.cycleAt?.(state, narrowContext(c)) ?? 0,
    findRoutine: (routine, c) => withStateIf(view.findRoutine?.(state, routine, narrowContext(c))),
    stepAt: (c) => view.stepAt?.(state, narrowContext(c)) ?? -1,
    bestFollower: (c) => view.bestFollower?.(state, narrowContext(c)),
    findStep: (step, c) => withStateIf(view.findStep?.(state, step, narrowContext(c))),
    showContext: (calling, c) => withState(view.showContext?.(state, calling, narrowContext(c))),
    detail: (c) => view.detail(state, narrowContext(c)),
    sourcePosition: (c) => view.sourcePosition?.(state, narrowContext(c)),
    goToSourceLine: (place, c) => withState(view.goToSourceLine?.(state, place, narrowContext(c))),
    goToRow: (name, c) => withState(view.goToRow?.(state, name, narrowContext(c))),
    neededSources: (c) => view.neededSources?.(state, narrowContext(c)) ?? [],
    disassembledRoutine: (c) => view.disassembledRoutine?.(state, narrowContext(c)) ?? -1,
    mode: (c, width) => view.mode?.(state, narrowContext(c), width) ?? '',
    // Returns a new object even for an equal state, because the profile has changed.
    rebase: (from, to) => view.rebase && openViewWithState(view, view.rebase(state, from, to)),
  };
  return self;
}

const isSameAction = (a: ViewAction, b: ViewAction): boolean => a.type === b.type && a.by === b.by && a.column === b.column;
