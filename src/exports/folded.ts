// Folded stacks for flamegraph.pl, inferno and speedscope. With two runs, both counts, as difffolded.pl writes them.
import { exportedName } from '../analysis/names/names.ts';
import { type SafeText, safeLines, safeText, visible } from '../base/safe-text.ts';
import type { ReportContext } from '../reports/report.ts';
import { type ExportedRun, exportedRuns, integerValuesOf, noCostError, shownStacks, stackRefusal } from './as-stacks.ts';
import { type Exporter, writerOf } from './exporter.ts';

/** Escapes a frame name: `;` separates frames, and a blank precedes the count. */
const escapeFrameName = (name: string): string =>
  visible(name)
    .replaceAll(';', ':')
    // A number at the end would be read as the count, `#` at the start as a comment.
    .replace(/ (?=[\d.]{1,30}$)/, '\u00a0')
    .replace(/^#( |$)/, '#\u00a0');

/** The cost of the first event by folded stack; equal stacks are summed. */
function foldStacks(run: ExportedRun, sign: 1n | -1n): Map<string, bigint> {
  const { profile } = run;
  const { start, frame } = profile.stacks;
  const names = Array.from(profile.routines.name, (_, r) => escapeFrameName(exportedName(profile, r)));
  const integerAt = integerValuesOf(run);
  const out = new Map<string, bigint>();
  for (const s of shownStacks(run)) {
    const own = Array.from(frame.subarray(start[s], start[s + 1]), (f) => names[profile.frames.routine[f]]);
    const line = own.reverse().join(';');
    out.set(line, (out.get(line) ?? 0n) + sign * BigInt(integerAt(0, s)));
  }
  return out;
}

function* foldedLines(context: ReportContext): Generator<SafeText> {
  const [now, base] = exportedRuns(context);
  const lines = foldStacks(now, 1n);
  if (!base && [...lines.values()].every((value) => value <= 0)) throw noCostError(now.events[0]);
  if (now.estimated) yield safeLines(`# ${now.estimated}\n`);
  if (!base) {
    for (const [stack, value] of lines) if (value > 0) yield safeText`${stack} ${String(value)}\n`;
    return;
  }
  // Each count is the cost in its own run; `-1` undoes the negative factor of the base.
  const before = foldStacks(base, -1n);
  for (const stack of new Set([...before.keys(), ...lines.keys()]))
    yield safeText`${stack} ${String(before.get(stack) ?? 0)} ${String(lines.get(stack) ?? 0)}\n`;
}

export const folded: Exporter = {
  name: 'folded',
  title: 'folded stacks, for flamegraph.pl and inferno; of two runs, with both counts',
  endings: ['.folded', '.collapsed'],
  // With two runs, each has its own count, so no cost is negative.
  refusal: (context) => stackRefusal(context, context.analysis.profile.compared !== undefined),
  write: writerOf(foldedLines),
};
