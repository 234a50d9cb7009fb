// Suggested renames: pairs of a removed and a new routine that may be the same. The user can accept each suggestion.

import { shortName } from '../analysis/names/short.ts';
import { findOffersUnasked, findRenameOffers, type RenameOffer, toRenames } from '../analysis/profiles/compare/offered.ts';
import { compareWithBase } from './base-choice.ts';
import { enterLocation } from './places.ts';
import { type AppState, activeView, cursorRoutine, withMessage } from './state.ts';

const isInOneRun = ({ analysis }: AppState, routine: number): boolean => {
  const sides = analysis.profile.compared?.routineSides[routine];
  return sides === 1 || sides === 2;
};

const offerFor = (offers: readonly RenameOffer[], routine: number): RenameOffer | undefined =>
  offers.find(({ removed, now }) => removed === routine || now === routine);

/** The suggested rename of the routine under the cursor, for the line above the footer; '' if there is none. */
export function renameGuessText(state: AppState): string {
  const { analysis } = state;
  const { compared } = analysis.profile;
  const routine = compared ? cursorRoutine(state) : -1;
  if (!compared || routine < 0 || !isInOneRun(state, routine)) return '';
  const offer = offerFor(findOffersUnasked(analysis), routine);
  if (!offer) return '';
  // Shortens the routine name, so that the reason for the suggestion also fits.
  const nameWidth = Math.max(12, (state.width >> 1) - 6);
  const other =
    offer.now === routine
      ? `from ${shortName(compared.before, offer.removed, nameWidth)}`
      : `to ${shortName(analysis.profile, offer.now, nameWidth)}`;
  return `Renamed ${other}? o accepts: ${offer.why}`;
}

/** The reason why there is no suggested rename to accept; undefined if there may be one. */
export function noRenameGuessReason(state: AppState): string | undefined {
  if (!state.analysis.before) return 'nothing is compared; B chooses what to compare with';
  const routine = cursorRoutine(state);
  if (routine < 0) return 'the cursor is not on a routine';
  if (!isInOneRun(state, routine)) return 'both runs have this routine';
  return undefined;
}

/** Accepts the suggested rename of the routine under the cursor. */
export function acceptRenameGuess(state: AppState): AppState {
  const { versus, analysis } = state;
  const offer = versus && offerFor(findRenameOffers(analysis), cursorRoutine(state));
  if (!versus || !offer) return withMessage(state, 'No likely counterpart; use --rename OLD=NEW', 'error');
  const { options } = versus;
  const short = (routine: number) => shortName(analysis.profile, routine, Math.max(12, (state.width >> 1) - 6));
  const names = `${short(offer.removed)} is ${short(offer.now)} now`;
  const renames = [...options.renames, ...toRenames([offer], analysis.profile)];
  const next = compareWithBase(state, { ...versus, options: { ...options, renames } }, '');
  if (next.versus === versus) return next;
  const withCursor = activeView(next).listsRoutines
    ? enterLocation(next, { view: next.view, focus: offer.now })
    : { ...next, focus: offer.now };
  return withMessage(withCursor, names);
}

/** Applies renames that are beyond doubt, or keeps the names apart. */
export function toggleSureRenames(state: AppState): AppState {
  const { versus } = state;
  if (!versus) return withMessage(state, 'nothing is compared; B chooses what to compare with');
  const noRenames = !versus.options.noRenames;
  const next = compareWithBase(state, { ...versus, options: { ...versus.options, noRenames } }, '');
  const applied = next.analysis.profile.compared?.appliedRenames ?? [];
  if (noRenames) return withMessage(next, 'Renamed routines have a row in each run');
  return withMessage(next, applied.length > 0 ? `renamed: ${applied.join('; ')}` : 'No rename is sure enough to be applied');
}
