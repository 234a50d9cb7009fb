// A view with its state, as the app holds it; the state's type is private to the view. An unchanged state returns the same
// object, so that nothing is drawn or stored twice.
import type { Analysis } from '../analysis/answers/analysis.ts';
import type { Search } from '../base/match.ts';
import type { Kind } from '../model/profile.ts';
import type {
  Binding,
  Command,
  Found,
  Position,
  Printed,
  Request,
  ScreenLine,
  View,
  ViewAction,
  ViewContext,
  ViewHead,
} from './view.ts';

/** A key of a view, without the parts that depend on its state. */
export type Key<A> = Pick<Binding<never, A>, 'keys' | 'action' | 'help' | 'group' | 'footer'>;
type CommandHead = Pick<Command<never>, 'name' | 'arg' | 'help' | 'prompt'>;

/** A view of the registry. */
export interface ViewEntry<Id extends string = string, A extends ViewAction = ViewAction> extends ViewHead {
  readonly followers: NonNullable<ViewHead['followers']>;
  readonly id: Id;
  readonly keys: readonly Key<A>[];
  readonly commands: readonly CommandHead[];
  /** False where the profile can never use the key. */
  usable(action: ViewAction, context: ViewContext): boolean;
  open(context: ViewContext): OpenView;
  sorts(context: ViewContext): readonly string[];
  idle(context: ViewContext, ms: number): boolean;
}

/** A message about a change, beside the view after it. */
interface Said {
  readonly say?: string;
  readonly wrong?: boolean;
}

/** Values, and the one that is on. */
export interface ShownOptions {
  readonly of: string;
  readonly values: readonly string[];
  readonly now: string;
}

/** Members have the names and meanings of those of View, with the state already given. */
export interface OpenView {
  /** The view after an action; undefined if it has no such action. */
  act(action: ViewAction, context: ViewContext): OpenView | undefined;
  /** The rows of the menus in place of the action; undefined where it has no choices. */
  options(action: ViewAction, context: ViewContext): ShownOptions | undefined;
  request(action: ViewAction, context: ViewContext): Request | undefined;
  /** Why an action is disabled now; undefined if it is not. */
  off(action: ViewAction, context: ViewContext): string | undefined;
  /** Whether the key of an action now means what it means in every other view. */
  passes(action: ViewAction, context: ViewContext): boolean;
  /** Why an action would change nothing; undefined if it would. */
  still(action: ViewAction, context: ViewContext): string | undefined;
  said(action: ViewAction, context: ViewContext): string | undefined;
  /** The initial text of a command's prompt. */
  commandStart(name: string): string;
  command(name: string, argument: string, context: ViewContext): Said & { readonly view: OpenView };
  sync(context: ViewContext): OpenView;
  draw(context: ViewContext): ScreenLine[];
  whole(context: ViewContext, most: number): ScreenLine[];
  printed(context: ViewContext): Printed;
  work(context: ViewContext, ms: number): boolean;
  close(): OpenView | undefined;
  rows(context: ViewContext): number;
  cursor(context: ViewContext): number;
  moveTo(row: number, context: ViewContext): OpenView;
  /** The view after a click on one of its cells, and whether Enter follows; undefined if the click does nothing. */
  clickAt(x: number, y: number, context: ViewContext): { readonly view: OpenView; readonly act: boolean } | undefined;
  /** The row with this number, in Source the line; undefined if there is none. */
  goTo(number: number, context: ViewContext): OpenView | undefined;
  rowText(row: number, context: ViewContext): string;
  find: (
    ...args: [text: string, search: Search, by: 1 | -1, context: ViewContext, ms: number]
  ) => (Omit<Found<unknown>, 'state'> & { readonly view: OpenView }) | undefined;
  routineAt(context: ViewContext): number;
  cycleAt(context: ViewContext): number;
  findRoutine(routine: number, context: ViewContext): OpenView | undefined;
  stepAt(context: ViewContext): number;
  companion(context: ViewContext): string | undefined;
  findStep(step: number, context: ViewContext): OpenView | undefined;
  ofContext(calling: number, context: ViewContext): OpenView;
  detail(context: ViewContext): string;
  place(context: ViewContext): Position | undefined;
  goToPlace(place: Position, context: ViewContext): OpenView;
  goToRow(name: string, context: ViewContext): OpenView;
  needs(context: ViewContext): string[];
  needsCode(context: ViewContext): number;
  mode(context: ViewContext, room: number): string;
  rebase(from: Analysis, to: Analysis): OpenView | undefined;
}

/** A view for the registry. */
export function entry<const Id extends string, S, A extends ViewAction, K extends Kind>(
  view: View<Id, S, A, K>,
): ViewEntry<Id, A> {
  const { keys, commands = [], followers = { beside: [], below: [] }, of } = view;
  return {
    ...view,
    commands,
    followers,
    usable: (action, context) => keys.find((b) => isSame(b.action, action))?.usable?.(of(context)) ?? true,
    open: (context) => openWith(view, view.init(of(context))),
    sorts: (context) => view.sorts?.(of(context)) ?? [],
    idle: (context, ms) => view.idle?.(of(context), ms) ?? true,
  };
}

type Acting = 'act' | 'options' | 'request' | 'off' | 'passes' | 'still' | 'said' | 'commandStart' | 'command';

/** The effects of keys and commands in a state. */
function actingOn<S, A extends ViewAction, K extends Kind>(
  view: View<string, S, A, K>,
  state: S,
  go: (next?: S) => OpenView,
): Pick<OpenView, Acting> {
  const { of } = view;
  /** Finds the binding by comparing actions: those of recorded sessions come from JSON. */
  const bindingOf = (action: ViewAction) => view.keys.find((b) => isSame(b.action, action));
  const commandOf = (name: string) => view.commands?.find((c) => c.name === name);
  return {
    act(action, c) {
      const binding = bindingOf(action);
      const { value } = action;
      return binding && go(view.update(state, value === undefined ? binding.action : { ...binding.action, value }, of(c)));
    },
    options(action, c) {
      const options = bindingOf(action)?.options;
      return options && { of: options.of, values: options.values(state, of(c)), now: options.now(state, of(c)) };
    },
    request(action, c) {
      const binding = bindingOf(action);
      return binding && view.request?.(state, binding.action, of(c));
    },
    off(action, c) {
      const binding = bindingOf(action);
      const isEmpty = () => binding?.keys.includes('enter') && view.rows(state, of(c)) === 0;
      return binding?.off?.(state, of(c)) ?? (isEmpty() ? 'there are no rows: nothing to open' : undefined);
    },
    passes: (action, c) => bindingOf(action)?.passes?.(state, of(c)) ?? false,
    still: (action, c) => bindingOf(action)?.still?.(state, of(c)),
    said(action, c) {
      const binding = bindingOf(action);
      if (!binding) return undefined;
      const { options, keys } = binding;
      // A menu shows the choice; a key that goes through the values has to say which one is next.
      const choice = options && keys.length > 0 ? `${options.of}: ${options.now(state, of(c))}` : undefined;
      return view.said?.(state, binding.action, of(c)) ?? choice;
    },
    commandStart: (name) => commandOf(name)?.start?.(state) ?? '',
    command(name, argument, c) {
      const { state: next, ...said } = commandOf(name)?.run(state, argument, of(c)) ?? {};
      return { view: go(next), ...said };
    },
  };
}

function openWith<S, A extends ViewAction, K extends Kind>(view: View<string, S, A, K>, state: S): OpenView {
  const { of } = view;
  /** The view in another state; this one where nothing changed or where the view has no such change. */
  const go = (next: S = state): OpenView => (Object.is(next, state) ? self : openWith(view, next));
  const goIf = (next: S | undefined): OpenView | undefined => (next === undefined ? undefined : go(next));
  const self: OpenView = {
    ...actingOn(view, state, go),
    close: () => goIf(view.close?.(state)),
    sync: (c) => go(view.sync(state, of(c))),
    draw: (c) => view.draw(state, of(c)),
    whole(c, most) {
      const whole = view.whole?.(state, of(c), most);
      if (whole) return whole;
      const tall = { ...c, height: Math.min(most, view.tall?.(of(c)) ?? c.height) };
      return self.sync(tall).draw(tall);
    },
    printed: (c) => view.printed?.(state, of(c)) ?? {},
    work: (c, ms) => view.work?.(state, of(c), ms) ?? true,
    rows: (c) => view.rows(state, of(c)),
    cursor: (c) => view.cursor(state, of(c)),
    moveTo: (row, c) => go(view.moveTo(state, row, of(c))),
    clickAt(x, y, c) {
      const clicked = view.clickAt?.(state, x, y, of(c));
      return clicked && { view: go(clicked.state), act: clicked.act ?? false };
    },
    goTo(number, c) {
      if (view.goTo) return goIf(view.goTo(state, number, of(c)));
      return number < 1 || number > self.rows(c) ? undefined : self.moveTo(number - 1, c);
    },
    rowText: (row, c) => view.rowText(state, row, of(c)),
    find(text, search, by, c, ms) {
      const found = view.find?.(state, text, search, by, of(c), ms);
      if (!found) return undefined;
      const { state: next, ...said } = found;
      return { view: go(next), ...said };
    },
    routineAt: (c) => view.routineAt?.(state, of(c)) ?? -1,
    cycleAt: (c) => view.cycleAt?.(state, of(c)) ?? 0,
    findRoutine: (routine, c) => goIf(view.findRoutine?.(state, routine, of(c))),
    stepAt: (c) => view.stepAt?.(state, of(c)) ?? -1,
    companion: (c) => view.companion?.(state, of(c)),
    findStep: (step, c) => goIf(view.findStep?.(state, step, of(c))),
    ofContext: (calling, c) => go(view.ofContext?.(state, calling, of(c))),
    detail: (c) => view.detail(state, of(c)),
    place: (c) => view.place?.(state, of(c)),
    goToPlace: (place, c) => go(view.goToPlace?.(state, place, of(c))),
    goToRow: (name, c) => go(view.goToRow?.(state, name, of(c))),
    needs: (c) => view.needs?.(state, of(c)) ?? [],
    needsCode: (c) => view.needsCode?.(state, of(c)) ?? -1,
    mode: (c, room) => view.mode?.(state, of(c), room) ?? '',
    // Even an unchanged state is of another profile now.
    rebase: (from, to) => view.rebase && openWith(view, view.rebase(state, from, to)),
  };
  return self;
}

function isSame(a: ViewAction, b: ViewAction): boolean {
  return a.type === b.type && a.by === b.by && a.column === b.column;
}
