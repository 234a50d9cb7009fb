// The facts about profiles that somebody chooses from: in the chooser, and in the list of bases.
import { baseName } from '../analysis/names/names.ts';
import { fit, visible } from '../base/text.ts';
import { formatBytes, formatCount, plural } from '../base/units.ts';
import { timeText } from '../columns/times.ts';
import type { Found } from '../io/find.ts';
import { buildLabel } from '../model/steps/history.ts';

const LONGEST_HOOK = 16;

/** The columns about a kept build. */
export function aboutCells(about: Found['about']): Record<'what' | 'hook' | 'steps' | 'time' | 'result' | 'commit', string> {
  const { what, hook = '', steps, durationMs, failed, git = '' } = about ?? {};
  return {
    what: what === 'nothing' ? 'no step' : (what ?? ''),
    hook: fit(visible(hook), LONGEST_HOOK).trimEnd(),
    steps: steps === undefined ? '' : formatCount(steps),
    time: durationMs === undefined ? '' : timeText(durationMs * 1000),
    result: failed === undefined ? '' : failed ? 'failed' : 'ok',
    commit: visible(git).slice(0, 10),
  };
}

/** `5 min ago` */
export function age(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 60) return `${s} s ago`;
  if (s < 3600) return `${Math.round(s / 60)} min ago`;
  if (s < 86400 * 2) return `${Math.round(s / 3600)} h ago`;
  return `${Math.round(s / 86400)} days ago`;
}

/** A time in the user's own zone, as `ls` has it. */
export function dateText(ms: number): string {
  const date = new Date(ms);
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Kept builds are told apart by when they started, as History has it. */
export const startedText = ({ path, about, modifiedMs }: Found): string =>
  about ? buildLabel({ path, about }) : dateText(modifiedMs);

/** A row of the list of bases. */
export function offerOf(found: Found): { readonly path: string; readonly name: string; readonly about: string } {
  const { path, about, bytes, modifiedMs } = found;
  if (!about) return { path, name: visible(baseName(path)), about: `${dateText(modifiedMs)}, ${formatBytes(bytes)}` };
  const { result, time, what, commit } = aboutCells(about);
  const facts = [result, time, what, about.steps === undefined ? '' : plural(about.steps, 'step'), commit];
  return { path, name: startedText(found), about: facts.filter((fact) => fact !== '').join(', ') };
}
