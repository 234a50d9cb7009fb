// Routines that are gone and new, and may be the same under another name: shown as a guess, accepted by a key.

import { shortName } from '../analysis/names/short.ts';
import { type Offer, offeredRenames, renamesOf } from '../analysis/profiles/compare/offered.ts';
import { compareWith } from './base-choice.ts';
import { enter } from './places.ts';
import { type AppState, activeView, cursorRoutine, say } from './state.ts';

/** Beyond so many routines that are gone or new, guesses take longer than a key may: they are made when somebody asks. */
const MOST_AT_ONCE = 20_000;

const isAlone = ({ analysis }: AppState, routine: number): boolean => {
  const sides = analysis.profile.compared?.routineSides[routine];
  return sides === 1 || sides === 2;
};

function offerOf(state: AppState, routine: number): Offer | undefined {
  return offeredRenames(state.analysis).find(({ gone, now }) => gone === routine || now === routine);
}

/** The guess about the selected routine, for the line above the footer; '' without one. */
export function guessText(state: AppState): string {
  const { analysis } = state;
  const { compared } = analysis.profile;
  const routine = compared ? cursorRoutine(state) : -1;
  if (!compared || routine < 0 || !isAlone(state, routine)) return '';
  const alone = compared.routineSides.reduce((n, sides) => n + (sides === 3 ? 0 : 1), 0);
  const offer = alone <= MOST_AT_ONCE ? offerOf(state, routine) : undefined;
  if (!offer) return '';
  // In short: the reason must not be cut.
  const room = Math.max(12, (state.width >> 1) - 6);
  const other =
    offer.now === routine
      ? `from ${shortName(compared.before, offer.gone, room)}`
      : `to ${shortName(analysis.profile, offer.now, room)}`;
  return `Renamed ${other}? o accepts: ${offer.why}`;
}

/** Why there is nothing to accept; undefined if there is. */
export function noGuess(state: AppState): string | undefined {
  if (!state.analysis.before) return 'nothing is compared; B chooses what to compare with';
  const routine = cursorRoutine(state);
  if (routine < 0) return 'the cursor is not on a routine';
  if (!isAlone(state, routine)) return 'both runs have this routine';
  return undefined;
}

/** Takes the routine under the cursor and the one that it may be for the same. */
export function acceptGuess(state: AppState): AppState {
  const { versus, analysis } = state;
  const offer = versus && offerOf(state, cursorRoutine(state));
  if (!versus || !offer) return say(state, 'No likely counterpart; use --rename OLD=NEW', 'error');
  const { options } = versus;
  const short = (routine: number) => shortName(analysis.profile, routine, Math.max(12, (state.width >> 1) - 6));
  const names = `${short(offer.gone)} is ${short(offer.now)} now`;
  const renames = [...options.renames, ...renamesOf([offer], analysis.profile)];
  const next = compareWith(state, { ...versus, options: { ...options, renames } }, '');
  if (next.versus === versus) return next;
  const placed = activeView(next).listsRoutines
    ? enter(next, { view: next.view, focus: offer.now })
    : { ...next, focus: offer.now };
  return say(placed, names);
}
