// A view with its state, as the app holds it; the state's type is private to the view. An unchanged state returns the same
// object, so that nothing is drawn or stored twice.
import type { Analysis } from '../analysis/analysis.ts';
import type { Search } from '../base/match.ts';
import type { Kind } from '../model/profile.ts';
import type {
  Binding,
  Found,
  KeyGroup,
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
export interface Key<A> {
  readonly keys: readonly string[];
  readonly action: A;
  readonly help: string;
  readonly group: KeyGroup;
  readonly footer?: string;
}

export interface CommandHead {
  readonly name: string;
  readonly arg: string;
  readonly help: string;
  readonly prompt: string;
}

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

export interface OpenView {
  /** The view after an action; undefined if it has no such action. */
  act(action: ViewAction, context: ViewContext): OpenView | undefined;
  request(action: ViewAction, context: ViewContext): Request | undefined;
  /** Why an action is disabled now; undefined if it is not. */
  off(action: ViewAction, context: ViewContext): string | undefined;
  /** Whether the key of an action now means what it means in every other view. */
  passes(action: ViewAction, context: ViewContext): boolean;
  /** Why an action would change nothing; undefined if it would. */
  still(action: ViewAction, context: ViewContext): string | undefined;
  /** What there is to say of an action that was done. */
  said(action: ViewAction, context: ViewContext): string | undefined;
  /** The initial text of a command's prompt. */
  commandStart(name: string): string;
  command(
    name: string,
    argument: string,
    context: ViewContext,
  ): { readonly view: OpenView; readonly say?: string; readonly wrong?: boolean };
  sync(context: ViewContext): OpenView;
  draw(context: ViewContext): ScreenLine[];
  /** The view with all its rows, at most `most`. */
  whole(context: ViewContext, most: number): ScreenLine[];
  printed(context: ViewContext): Printed;
  work(context: ViewContext, ms: number): boolean;
  /** Without what Esc closes; undefined if nothing is open. */
  close(): OpenView | undefined;
  rows(context: ViewContext): number;
  cursor(): number;
  moveTo(row: number, context: ViewContext): OpenView;
  /** The view after a click on one of its cells, and whether Enter follows; undefined if the click does nothing. */
  clickAt(x: number, y: number, context: ViewContext): { readonly view: OpenView; readonly act: boolean } | undefined;
  /** The row with this number, in Source the line; undefined if there is none. */
  goTo(number: number, context: ViewContext): OpenView | undefined;
  rowText(row: number, context: ViewContext): string;
  find(
    text: string,
    search: Search,
    by: 1 | -1,
    context: ViewContext,
    ms: number,
  ): (Omit<Found<unknown>, 'state'> & { readonly view: OpenView }) | undefined;
  routineAt(context: ViewContext): number;
  cycleAt(context: ViewContext): number;
  findRoutine(routine: number, context: ViewContext): OpenView | undefined;
  stepAt(context: ViewContext): number;
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
  const {
    id,
    title,
    digit,
    digitBesideCalls,
    asks,
    comparing = false,
    listsRoutines = false,
    unfiltered = false,
    report,
    followers = { beside: [], below: [] },
    keys,
    commands = [],
  } = view;
  const { follows = [] } = view;
  return {
    ...(digitBesideCalls ? { digitBesideCalls } : {}),
    ...(view.empty ? { empty: view.empty } : {}),
    ...(view.silent ? { silent: view.silent } : {}),
    ...(view.isSlow ? { isSlow: true } : {}),
    ...{ id, title, digit, asks, comparing, listsRoutines, unfiltered, follows, followers, report, keys, commands },
    usable: (action, context) => keys.find((b) => sameAction(b.action, action))?.usable?.(view.of(context)) ?? true,
    open: (context) => new Opened(view, view.init(view.of(context))),
    sorts: (context) => view.sorts?.(view.of(context)) ?? [],
    idle: (context, ms) => view.idle?.(view.of(context), ms) ?? true,
  };
}

class Opened<S, A extends ViewAction, K extends Kind> implements OpenView {
  private readonly view: View<string, S, A, K>;
  private readonly state: S;

  constructor(view: View<string, S, A, K>, state: S) {
    this.view = view;
    this.state = state;
  }

  private with(state: S): OpenView {
    return state === this.state ? this : new Opened(this.view, state);
  }

  /** Finds the binding by comparing actions: those of recorded sessions come from JSON. */
  private binding(action: ViewAction): Binding<S, A, K> | undefined {
    return this.view.keys.find((b) => sameAction(b.action, action));
  }

  act(action: ViewAction, context: ViewContext): OpenView | undefined {
    const binding = this.binding(action);
    return binding && this.with(this.view.update(this.state, binding.action, this.view.of(context)));
  }

  request(action: ViewAction, context: ViewContext): Request | undefined {
    const binding = this.binding(action);
    return binding && this.view.request?.(this.state, binding.action, this.view.of(context));
  }

  off(action: ViewAction, context: ViewContext): string | undefined {
    const binding = this.binding(action);
    const why = binding?.off?.(this.state, this.view.of(context));
    return (
      why ?? (binding?.keys.includes('enter') && this.rows(context) === 0 ? 'there are no rows: nothing to open' : undefined)
    );
  }

  passes(action: ViewAction, context: ViewContext): boolean {
    return this.binding(action)?.passes?.(this.state, this.view.of(context)) ?? false;
  }

  still(action: ViewAction, context: ViewContext): string | undefined {
    return this.binding(action)?.still?.(this.state, this.view.of(context));
  }

  said(action: ViewAction, context: ViewContext): string | undefined {
    const binding = this.binding(action);
    return binding && this.view.said?.(this.state, binding.action, this.view.of(context));
  }

  close(): OpenView | undefined {
    const closed = this.view.close?.(this.state);
    return closed === undefined ? undefined : this.with(closed);
  }

  commandStart(name: string): string {
    return this.view.commands?.find((c) => c.name === name)?.start?.(this.state) ?? '';
  }

  command(name: string, argument: string, context: ViewContext) {
    const command = this.view.commands?.find((c) => c.name === name);
    const { state = this.state, ...said } = command?.run(this.state, argument, this.view.of(context)) ?? {};
    return { view: this.with(state), ...said };
  }

  sync(context: ViewContext): OpenView {
    return this.with(this.view.sync(this.state, this.view.of(context)));
  }

  draw(context: ViewContext): ScreenLine[] {
    return this.view.draw(this.state, this.view.of(context));
  }

  whole(context: ViewContext, most: number): ScreenLine[] {
    const { view } = this;
    const whole = view.whole?.(this.state, view.of(context), most);
    if (whole) return whole;
    const tall = { ...context, height: Math.min(most, view.tall?.(view.of(context)) ?? context.height) };
    return this.sync(tall).draw(tall);
  }

  printed(context: ViewContext): Printed {
    return this.view.printed?.(this.state, this.view.of(context)) ?? {};
  }

  work(context: ViewContext, ms: number): boolean {
    return this.view.work?.(this.state, this.view.of(context), ms) ?? true;
  }

  rows(context: ViewContext): number {
    return this.view.rows(this.state, this.view.of(context));
  }

  cursor(): number {
    return this.view.cursor(this.state);
  }

  moveTo(row: number, context: ViewContext): OpenView {
    return this.with(this.view.moveTo(this.state, row, this.view.of(context)));
  }

  clickAt(x: number, y: number, context: ViewContext) {
    const clicked = this.view.clickAt?.(this.state, x, y, this.view.of(context));
    return clicked && { view: this.with(clicked.state), act: clicked.act ?? false };
  }

  goTo(number: number, context: ViewContext): OpenView | undefined {
    const { view } = this;
    if (!view.goTo) return number < 1 || number > this.rows(context) ? undefined : this.moveTo(number - 1, context);
    const state = view.goTo(this.state, number, view.of(context));
    return state && this.with(state);
  }

  rowText(row: number, context: ViewContext): string {
    return this.view.rowText(this.state, row, this.view.of(context));
  }

  find(text: string, search: Search, by: 1 | -1, context: ViewContext, ms: number) {
    const found = this.view.find?.(this.state, text, search, by, this.view.of(context), ms);
    if (!found) return undefined;
    const { state, ...said } = found;
    return { view: this.with(state), ...said };
  }

  routineAt(context: ViewContext): number {
    return this.view.routineAt?.(this.state, this.view.of(context)) ?? -1;
  }

  cycleAt(context: ViewContext): number {
    return this.view.cycleAt?.(this.state, this.view.of(context)) ?? 0;
  }

  findRoutine(routine: number, context: ViewContext): OpenView | undefined {
    const { view } = this;
    return view.findRoutine && this.with(view.findRoutine(this.state, routine, view.of(context)));
  }

  stepAt(context: ViewContext): number {
    return this.view.stepAt?.(this.state, this.view.of(context)) ?? -1;
  }

  findStep(step: number, context: ViewContext): OpenView | undefined {
    const { view } = this;
    return view.findStep && this.with(view.findStep(this.state, step, view.of(context)));
  }

  ofContext(calling: number, context: ViewContext): OpenView {
    const { view } = this;
    return view.ofContext ? this.with(view.ofContext(this.state, calling, view.of(context))) : this;
  }

  detail(context: ViewContext): string {
    return this.view.detail(this.state, this.view.of(context));
  }

  place(context: ViewContext): Position | undefined {
    return this.view.place?.(this.state, this.view.of(context));
  }

  goToPlace(place: Position, context: ViewContext): OpenView {
    const { view } = this;
    return view.goToPlace ? this.with(view.goToPlace(this.state, place, view.of(context))) : this;
  }

  goToRow(name: string, context: ViewContext): OpenView {
    const { view } = this;
    return view.goToRow ? this.with(view.goToRow(this.state, name, view.of(context))) : this;
  }

  needs(context: ViewContext): string[] {
    return this.view.needs?.(this.state, this.view.of(context)) ?? [];
  }

  needsCode(context: ViewContext): number {
    return this.view.needsCode?.(this.state, this.view.of(context)) ?? -1;
  }

  mode(context: ViewContext, room: number): string {
    return this.view.mode?.(this.state, this.view.of(context), room) ?? '';
  }

  rebase(from: Analysis, to: Analysis): OpenView | undefined {
    const { view } = this;
    return view.rebase && new Opened(view, view.rebase(this.state, from, to));
  }
}

function sameAction(a: ViewAction, b: ViewAction): boolean {
  return a.type === b.type && a.by === b.by && a.column === b.column;
}
