// The initial state of a session from its flags. Flags that the profile does not support are refused.
import { chooseGrouping, requireColumns, requireEvent, requireRoutine } from '../analysis/profiles/choices.ts';
import { groupsByLabel } from '../analysis/profiles/granularity/groups.ts';
import { reasonAgainstInlined } from '../analysis/profiles/transforms/apply.ts';
import { AnswerError, ChoiceError } from '../base/errors.ts';
import { noSuchText } from '../base/match.ts';
import { isSortName } from '../columns/column.ts';
import type { Profile } from '../model/profile.ts';
import { type AnyView, firstListView, HOME_VIEW, views, viewsOf } from '../views/index.ts';
import type { FlagChoices } from '../views/view.ts';
import type { Action } from './action.ts';
import { initialState, type StartOptions } from './first-state.ts';
import { enterLocation } from './places.ts';
import { type AppState, contextOf, cursorRoutine, type Effect, type UpdateResult } from './state.ts';
import { update } from './update.ts';

/** Preferences from the user's settings, which apply only if the profile supports them. */
export interface PreferredSettings {
  readonly sort: FlagChoices['sort'];
  readonly columns: readonly string[];
  readonly shown: readonly string[];
}

/** Adds the preferences that the profile supports. Flags take precedence. */
export function withPreferences(profile: Profile, options: StartOptions, { sort, columns, shown }: PreferredSettings) {
  const available = columns.filter((name) => profile.events.some((e) => e.name === name) && !options.columns?.includes(name));
  const more = { ...options, columns: [...(options.columns ?? []), ...available], chosenColumns: shown };
  if (!sort || options.choices?.sort) return more;
  const state = initialState(profile, more);
  const context = contextOf(state);
  const can = viewsOf(state.analysis).some((view) => view.sortNames(context).some((name) => isSortName(name, sort.column)));
  // A preference sorts the views that have the column, but opens none of them.
  return can ? { ...more, view: HOME_VIEW, choices: { ...options.choices, sort } } : more;
}

/** Flags that open a specific view. If several are given, the first in this list decides. */
const VIEW_OPENING_FLAGS = ['disassemble', 'at', 'contexts', 'inverted', 'grouping'] as const;
type ViewOpeningFlag = (typeof VIEW_OPENING_FLAGS)[number];

/** Opens a session. Throws ChoiceError for a flag that the profile does not support. */
export function openSession(profile: Profile, options: StartOptions): UpdateResult {
  const by = options.granularity && chooseGrouping(profile, options.granularity);
  if (options.versus && by?.grouping !== undefined && groupsByLabel(profile, by.grouping))
    throw new ChoiceError(`--by ${by.grouping}: labels of samples are not compared; without --base, each run has its own`);
  const callers = options.choices?.inverted === true && options.routine !== undefined;
  let state = initialState(profile, {
    ...options,
    ...(by ? { granularity: by.granularity } : {}),
    choices: {
      ...options.choices,
      ...(callers ? { callers } : {}),
      ...(by?.grouping === undefined ? {} : { grouping: by.grouping }),
    },
  });
  const { analysis, choices } = state;
  const effects: Effect[] = [];
  const act = (action: Action) => {
    const [next, more] = update(state, action);
    state = next;
    effects.push(...more);
  };
  requireEvent(analysis, options.event);
  requireColumns(analysis, options.columns ?? []);
  if (options.syntax === 'intel' && !viewsOf(analysis).some(({ id }) => id === 'instrs'))
    throw new ChoiceError('--syntax: the profile has no instructions');
  if (options.transforms?.some(({ word }) => word === 'inlined')) {
    const why = reasonAgainstInlined(profile);
    if (why !== undefined) throw new AnswerError(`--inlined: ${why}`);
    act({ type: 'grain' });
  }
  // An expression may match several routines: the list shows them.
  const several = /^\/.+\/[imsu]*$/.test(options.routine ?? '') ? options.routine : undefined; // bounded: an argument of the command line
  if (several !== undefined && options.filter)
    throw new ChoiceError(`--routine ${several} filters routines, as --filter does: give one of them`);
  const focus = options.routine === undefined || several !== undefined ? -1 : requireRoutine(analysis.profile, options.routine);
  const given = VIEW_OPENING_FLAGS.filter((flag) => choices[flag] !== undefined && choices[flag] !== false);
  const opening = given.map((flag) => [flag, viewForFlag(state, flag)] as const);
  const view = opening.length > 0 || options.view ? undefined : viewForSortFlag(state);
  const filter = several ?? options.filter ?? '';
  act(filter === '' ? { type: 'none' } : { type: 'command', name: 'filter', argument: filter });
  if (focus >= 0) state = enterLocation(state, { view: state.view, focus });
  const open = ({ id }: AnyView) => {
    if (id !== state.view) state = enterLocation(state, { view: id, focus: focus >= 0 ? focus : cursorRoutine(state) });
  };
  for (const [, flagView] of opening.slice(0, 1)) open(flagView);
  for (const [flag, flagView] of opening) {
    const command = viewFlagNamed(flagView, flag)?.command;
    if (command === undefined) continue;
    open(flagView);
    act({ type: 'view-command', view: flagView.id, name: command, argument: String(choices[flag]) });
  }
  // These flags are about rows, which the Overview has only the first of.
  const isAboutRows = filter !== '' || focus >= 0 || view !== undefined;
  const list = view ?? (isAboutRows && opening.length === 0 ? firstListView(analysis) : undefined);
  if (list && list.id !== state.view)
    state = enterLocation(state, { view: list.id, focus: focus >= 0 || list.listsRoutines ? focus : cursorRoutine(state) });
  act({ type: 'none' });
  return [state, effects];
}

const viewFlagNamed = (view: AnyView, flag: ViewOpeningFlag) => view.follows?.find((f) => f.flag === flag);

/** The view to open for a flag. Throws ChoiceError if the profile has no such view. */
function viewForFlag(state: AppState, flag: ViewOpeningFlag): AnyView {
  const found = viewsOf(state.analysis).find((v) => viewFlagNamed(v, flag));
  const { asks } = (found && viewFlagNamed(found, flag)) ?? {};
  if (asks && !state.analysis.costing.can.has(asks)) throw new ChoiceError(`--${flag}: the profile has no ${asks}`);
  if (found) return found;
  const titles = views.filter((v) => viewFlagNamed(v, flag)).map((v) => v.title);
  throw new ChoiceError(`--${flag}: the profile has no ${titles.join(', no ')} view`);
}

/** The first view with the column of --sort; undefined without the flag. Throws ChoiceError if no view has the column. */
function viewForSortFlag(state: AppState): AnyView | undefined {
  const { sort } = state.choices;
  if (!sort) return undefined;
  const context = contextOf(state);
  // Views with tabs come before those that are part of another one.
  const availableViews = viewsOf(state.analysis).toSorted(
    (a, b) => Number(a.partOf !== undefined) - Number(b.partOf !== undefined),
  );
  const found = availableViews.find((v) => v.sortNames(context).some((name) => isSortName(name, sort.column)));
  if (found) return found;
  const names = [...new Set(availableViews.flatMap((v) => v.sortNames(context)))];
  throw new ChoiceError(`--sort ${sort.column}: ${noSuchText('column', sort.column, names)}`);
}
