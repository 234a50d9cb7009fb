// Every export of a profile: nothing is thrown, text has no raw character, JSON is JSON, and what a loader here knows is read back.

import { analyse } from '../src/analysis/answers/analyse.ts';
import type { Analysis } from '../src/analysis/answers/analysis.ts';
import { ChoiceError } from '../src/base/errors.ts';
import { FormatError, formatProblem } from '../src/base/problem.ts';
import type { Exporter } from '../src/exports/exporter.ts';
import { exporters } from '../src/exports/index.ts';
import { loaders } from '../src/formats/index.ts';
import { checkProfile } from '../src/model/check.ts';
import { type Event, eventValue } from '../src/model/head.ts';
import { type ReportContext, ReportError } from '../src/reports/report.ts';
import { normal } from './failure.ts';
import { load, type Room } from './load.ts';
import { wrongJson } from './oracle-reports.ts';
import type { Plan } from './plan.ts';
import { Random } from './random.ts';
import { contextFor } from './shown.ts';
import type { Steps } from './steps.ts';
import { rawIn, type Words } from './texts.ts';

export async function checkExports(analysis: Analysis, plan: Plan, room: Room, steps: Steps, words: Words): Promise<void> {
  const random = new Random(`exports ${plan.seed}`);
  const chosen = plan.reports === 'all' ? exporters : random.chance(0.5) ? [random.pick(exporters)] : [];
  for (const exporter of chosen) {
    const context = contextFor([], 'json', analysis, random);
    const step = `export ${exporter.name}`;
    const bytes = await steps.run(step, () => written(exporter, context));
    if (!bytes) continue;
    if (!exporter.gzip) {
      const text = new TextDecoder().decode(bytes);
      const problem = exporter.endings.some((ending) => ending.endsWith('json')) ? wrongJson(text) : undefined;
      if (problem) steps.fail({ ...problem, step });
      const raw = rawIn(text.replaceAll('\n', ''));
      if (raw !== undefined) steps.fail({ kind: 'control', step, cause: 'a raw character', detail: raw });
      const odd = words.oddIn(text);
      if (odd) steps.fail({ kind: 'text', step, cause: odd.word, detail: odd.around });
    }
    await readBack(exporter, context, bytes, room, steps);
  }
}

/** Undefined where the program says that it cannot write this. */
async function written(exporter: Exporter, context: ReportContext): Promise<Uint8Array | undefined> {
  if (exporter.refusal(context) !== undefined) return undefined;
  const pieces: Buffer[] = [];
  try {
    await exporter.write(context, '0', async (piece) => void pieces.push(Buffer.from(piece)));
  } catch (error) {
    if (error instanceof ReportError || error instanceof ChoiceError) return undefined;
    throw error;
  }
  return new Uint8Array(Buffer.concat(pieces));
}

async function readBack(exporter: Exporter, context: ReportContext, bytes: Uint8Array, room: Room, steps: Steps): Promise<void> {
  const loader = loaders.find((l) => l.name === (exporter.name === 'trace' ? 'trace-events' : exporter.name));
  // With two runs a format may say both costs in its own way, or nothing is left of equal ones.
  if (!loader || context.analysis.profile.compared) return;
  const step = `read the export ${exporter.name}`;
  const input = { opened: 1, files: [{ path: `exported${exporter.endings[0]}`, bytes }] };
  const back = await steps.run(step, () => load(loader, input, room, undefined));
  if (!back) return;
  if (back instanceof FormatError) {
    const detail = formatProblem(back.problem);
    steps.fail({ kind: 'export', step, cause: normal(detail), detail });
    return;
  }
  for (const broken of checkProfile(back)) steps.fail({ kind: 'invariant', step, cause: normal(broken), detail: broken });
  // A report of aprof says each cost twice, by its points and by those of its contexts, and they may differ.
  if (!OF_COSTS.has(exporter.name) || context.analysis.profile.kind === 'inputs') return;
  const { analysis, event } = context;
  const [wanted, got] = [selfOf(analysis, event), selfOf(analyse(back, back.events), back.events[0])];
  // Costs that are no whole numbers are rounded by stack; a sum beyond 2^53 is of doubles here.
  if (Math.abs(wanted - got) > Math.max(1, Math.abs(wanted) * 1e-9))
    steps.fail({ kind: 'export', step, cause: 'another total', detail: `${event.name}: ${wanted}, and ${got} read back` });
}

/** Exports that keep every self cost of the shown event. */
const OF_COSTS: ReadonlySet<string> = new Set(['callgrind', 'pprof', 'speedscope', 'folded']);

/** Self costs, and the cost that no body explains: in exports of stacks it belongs to the routine, too. */
function selfOf({ totals, profile }: Analysis, event: Event): number {
  let sum = 0;
  for (const costs of [totals.self, totals.unrecorded])
    for (let r = 0; costs && r < profile.routines.name.length; r++) sum += eventValue(event, costs, r);
  return sum;
}
