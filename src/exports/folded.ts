// Folded stacks, as flamegraph.pl, inferno and speedscope read them. Of two runs, both counts, as difffolded.pl writes them.
import { routineName } from '../analysis/names/names.ts';
import { type SafeText, safeLines, safeText, visible } from '../base/safe-text.ts';
import type { Exact } from '../base/units.ts';
import { Pieces } from '../reports/pieces.ts';
import type { ReportContext } from '../reports/report.ts';
import { nothingCosts, type Run, runsOf, shownStacks, stacksRefused, WholeValues } from './as-stacks.ts';
import type { Exporter, Put } from './exporter.ts';

/** A semicolon is between frames, and a blank before the count. */
const nameOf = (name: string): string =>
  visible(name)
    .replaceAll(';', ':')
    // A name ending in a number would be read as a count, and one that begins so as a comment.
    .replace(/ (?=[\d.]{1,30}$)/, '\u00a0')
    .replace(/^#( |$)/, '#\u00a0');

/** The stacks of a run as text, with their first event. Equal ones become one line. */
function linesOf(run: Run, sign: 1 | -1): Map<string, Exact> {
  const { profile } = run;
  const { start, frame } = profile.stacks;
  const names = Array.from(profile.routines.name, (_, r) => nameOf(routineName(profile, r)));
  const values = new WholeValues(run);
  const out = new Map<string, Exact>();
  for (const s of shownStacks(run)) {
    const list: string[] = [];
    for (let k = start[s + 1] - 1; k >= start[s]; k--) list.push(names[profile.frames.routine[frame[k]]]);
    const line = list.join(';');
    const value = values.of(0, s);
    const before = out.get(line) ?? 0;
    const sum =
      typeof before === 'number' && typeof value === 'number'
        ? before + sign * value
        : BigInt(before) + BigInt(sign) * BigInt(value);
    out.set(line, typeof sum === 'bigint' && sum <= Number.MAX_SAFE_INTEGER ? Number(sum) : sum);
  }
  return out;
}

async function write(context: ReportContext, _: string, put: Put): Promise<void> {
  const pieces = new Pieces(put);
  const [now, base] = runsOf(context);
  const line = (text: string): SafeText => safeLines(`${text}\n`);
  const lines = linesOf(now, 1);
  if (!base && [...lines.values()].every((value) => value <= 0)) throw nothingCosts(now.events[0]);
  if (now.estimated) await pieces.add(line(`# ${now.estimated}`));
  if (!base) {
    for (const [stack, value] of lines) if (value > 0) await pieces.add(safeText`${stack} ${String(value)}\n`);
    return pieces.flush();
  }
  // Both counts are of what each run has; the factor of the base is negative.
  const before = linesOf(base, -1);
  for (const stack of new Set([...before.keys(), ...lines.keys()]))
    await pieces.add(safeText`${stack} ${String(before.get(stack) ?? 0)} ${String(lines.get(stack) ?? 0)}\n`);
  return pieces.flush();
}

export const folded: Exporter = {
  name: 'folded',
  title: 'folded stacks, for flamegraph.pl and inferno; of two runs, with both counts',
  endings: ['.folded', '.collapsed'],
  // With two runs, both counts are written, and each is what its run cost.
  refusal: (context) => stacksRefused(context, context.analysis.profile.compared !== undefined),
  write,
};
