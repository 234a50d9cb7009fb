// The first state of a session: what flags chose is followed, and what the profile does not have is refused.
import { chosenColumns, chosenEvent, chosenGrain, chosenRoutine } from '../analysis/profiles/choices.ts';
import { noInlined } from '../analysis/profiles/transforms/apply.ts';
import { ChoiceError } from '../base/errors.ts';
import { isSortName } from '../columns/column.ts';
import type { Profile } from '../model/profile.ts';
import { type AnyView, views, viewsOf } from '../views/index.ts';
import type { Choices } from '../views/view.ts';
import type { Action } from './action.ts';
import { type StartOptions, startState } from './first-state.ts';
import { enter } from './places.ts';
import { type AppState, activeView, contextOf, cursorRoutine, type Effect, type Step } from './state.ts';
import { update } from './update.ts';

/** Settings followed if the profile allows, and skipped if not. */
export interface Wishes {
  readonly sort: Choices['sort'];
  readonly columns: readonly string[];
}

/** The choices with the wishes that the profile can follow. Flags count for more. */
export function withWishes(profile: Profile, options: StartOptions, { sort, columns }: Wishes): StartOptions {
  const wished = columns.filter((name) => profile.events.some((e) => e.name === name) && !options.columns?.includes(name));
  const more = { ...options, columns: [...(options.columns ?? []), ...wished] };
  if (!sort || options.choices?.sort) return more;
  const state = startState(profile, more);
  const context = contextOf(state);
  const can = activeView(state)
    .sorts(context)
    .some((name) => isSortName(name, sort.column));
  return can ? { ...more, choices: { ...options.choices, sort } } : more;
}

/** Flags that open the view they are about; the first one that was given decides. */
const OPENING = ['disassemble', 'at', 'contexts', 'inverted'] as const;
type Opening = (typeof OPENING)[number];

/** Throws ChoiceError for a flag that the profile cannot follow. */
export function openSession(profile: Profile, options: StartOptions): Step {
  if (options.granularity) chosenGrain(profile, options.granularity.grain);
  const callers = options.choices?.inverted === true && options.routine !== undefined;
  let state = startState(profile, { ...options, choices: { ...options.choices, ...(callers ? { callers } : {}) } });
  const { analysis, choices } = state;
  const effects: Effect[] = [];
  const act = (action: Action) => {
    const [next, more] = update(state, action);
    state = next;
    effects.push(...more);
  };
  if (options.event !== undefined) chosenEvent(analysis.events, options.event);
  chosenColumns(analysis, options.columns ?? []);
  if (options.transforms?.some(({ word }) => word === 'inlined')) {
    const why = noInlined(profile);
    if (why !== undefined) throw new ChoiceError(`--inlined: ${why}`);
    act({ type: 'grain' });
  }
  const focus = options.routine === undefined ? -1 : chosenRoutine(analysis.profile, options.routine);
  const opening = OPENING.filter((flag) => isGiven(choices, flag)).map((flag) => [flag, viewFor(state, flag)] as const);
  const view = opening[0]?.[1] ?? sortedView(state);
  const { filter = '' } = options;
  act(filter === '' ? { type: 'none' } : { type: 'command', name: 'filter', argument: filter });
  if (focus >= 0) state = enter(state, { view: state.view, focus });
  const open = ({ id }: AnyView) => {
    if (id !== state.view) state = enter(state, { view: id, focus: focus >= 0 ? focus : cursorRoutine(state) });
  };
  for (const [flag, about] of opening) {
    const command = followsFlag(about, flag)?.command;
    if (command === undefined) continue;
    open(about);
    act({ type: 'view-command', view: about.id, name: command, argument: String(choices[flag]) });
  }
  if (view) open(view);
  act({ type: 'none' });
  return [state, effects];
}

function isGiven(choices: Choices, flag: Opening): boolean {
  return choices[flag] !== undefined && choices[flag] !== false;
}

const followsFlag = (view: AnyView, flag: Opening) => view.follows?.find((f) => f.flag === flag);

/** The view that a flag is about. Throws ChoiceError if the profile has none. */
function viewFor(state: AppState, flag: Opening): AnyView {
  const found = viewsOf(state.analysis).find((v) => followsFlag(v, flag));
  const { asks } = (found && followsFlag(found, flag)) ?? {};
  if (asks && !state.analysis.costing.can.has(asks)) throw new ChoiceError(`--${flag}: the profile has no ${asks}`);
  if (found) return found;
  const titles = views.filter((v) => followsFlag(v, flag)).map((v) => v.title);
  throw new ChoiceError(`--${flag}: the profile has no ${titles.join(', no ')} view`);
}

/** The first view that has the column of --sort; undefined if there is no such flag. Throws ChoiceError if no view has it. */
function sortedView(state: AppState): AnyView | undefined {
  const { sort } = state.choices;
  if (!sort) return undefined;
  const context = contextOf(state);
  const shown = viewsOf(state.analysis);
  const found = shown.find((v) => v.sorts(context).some((name) => isSortName(name, sort.column)));
  if (found) return found;
  const names = [...new Set(shown.flatMap((v) => v.sorts(context)))];
  throw new ChoiceError(`--sort ${sort.column}: no such column; there are ${names.join(', ')}`);
}
