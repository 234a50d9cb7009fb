// Facts about profiles, shown in the profile list and in the list of bases.
import type { BaseOffer } from '../app/state.ts';
import { baseName } from '../base/paths.ts';
import { fit, visible } from '../base/text.ts';
import { formatBytes, formatCount, padTwoDigits, plural } from '../base/units.ts';
import { timeText } from '../columns/times.ts';
import type { ProfileFile } from '../io/find.ts';
import { buildLabel } from '../model/steps/history.ts';

const MAX_HOOK_LENGTH = 16;

export function buildInfoCells(about: ProfileFile['about']) {
  const { what, hook = '', steps, durationMs, failed, git = '' } = about ?? {};
  return {
    what: what === 'nothing' ? 'no step' : (what ?? ''),
    hook: fit(visible(hook), MAX_HOOK_LENGTH).trimEnd(),
    steps: steps === undefined ? '' : formatCount(steps),
    time: durationMs === undefined ? '' : timeText(durationMs * 1000),
    result: failed === undefined ? '' : failed ? 'failed' : 'ok',
    commit: visible(git).slice(0, 10),
  };
}

/** An age as text: `5 min ago`. */
export function formatAge(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 60) return `${s} s ago`;
  if (s < 3600) return `${Math.round(s / 60)} min ago`;
  if (s < 86400 * 2) return `${Math.round(s / 3600)} h ago`;
  return `${Math.round(s / 86400)} days ago`;
}

/** A date and time in the user's time zone: `2026-05-31 14:05`. */
export function dateText(ms: number): string {
  const date = new Date(ms);
  const day = `${date.getFullYear()}-${padTwoDigits(date.getMonth() + 1)}-${padTwoDigits(date.getDate())}`;
  return `${day} ${padTwoDigits(date.getHours())}:${padTwoDigits(date.getMinutes())}`;
}

/** The start time of a kept build, in the format of the History view; for other files, the modification date. */
export const startTimeText = ({ path, about, modifiedMs }: ProfileFile): string =>
  about ? buildLabel({ path, buildInfo: about }) : dateText(modifiedMs);

export function baseOfferOf(found: ProfileFile): BaseOffer {
  const { path, about, bytes, modifiedMs } = found;
  if (!about) return { path, name: visible(baseName(path)), description: `${dateText(modifiedMs)}, ${formatBytes(bytes)}` };
  const { result, time, what, commit } = buildInfoCells(about);
  const facts = [result, time, what, about.steps === undefined ? '' : plural(about.steps, 'step'), commit];
  return { path, name: startTimeText(found), description: facts.filter((fact) => fact !== '').join(', ') };
}
