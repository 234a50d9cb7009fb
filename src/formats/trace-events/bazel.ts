// Converts Bazel's profiles (--profile, command.profile.gz) to builds. Description: "JSON Trace Profile" (bazel.build).
// Actions and repository fetches are steps, actions with mnemonic and target. Phases are steps that contain others.
// Slices inside a step become sums in its details. Slices of Bazel's own threads are added to their phase.
import { addToList, firstIndexWhere, getOrMake } from '../../base/lists.ts';
import { STEP_KIND, SUM_KIND, WHOLE_KIND } from '../../model/steps/tables.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import { objectOf, parseJson, textOf } from '../shared/json.ts';

/** Categories of slices that are steps, with the role of steps that have no mnemonic. */
const STEP_CATEGORIES = new Map(Object.entries({ 'action processing': 'action', 'Starlark repository function call': 'fetch' }));
const COMPONENT_CATEGORY = 'critical path component';
const PHASE_CATEGORY = 'build phase marker';
/** Slices of this category are distinguished by their names; only SUBPROCESS_SLICE is kept. */
const GENERAL_CATEGORY = 'general information';
const SUBPROCESS_SLICE = 'subprocess.run';

/** By category: the summed duration of slices, and the end of the last one. */
type TimesByCategory = Map<string, { us: number; untilUs: number }>;

/** A step, and the times of the slices inside it. */
interface BazelStep {
  readonly row: number;
  readonly endUs: number;
  readonly inside: TimesByCategory;
}

/** An event without a length. */
export type TraceInstant = Readonly<{ name: string; us: number }>;

/** Converts the rows from `first` on and the instants of a Bazel file to a build; returns false for other files. */
export function convertBazel(rows: StepWriter, first: number, part: number, instants: readonly TraceInstant[]): boolean {
  if (instants.length === 0) return false;
  const { columns } = rows;
  const roles = new Map<number, string>();
  const roleOf = (row: number) => getOrMake(roles, columns.text.role.get(row), () => rows.text('role', row) ?? '');
  const all = Array.from({ length: rows.rows - first }, (_, k) => first + k);
  if (!all.some((row) => roleOf(row) === PHASE_CATEGORY)) return false;
  // The name is in quotes: `action 'Compiling a.cc'`.
  const nameOf = (row: number) => rows.sink.strings.text(columns.name.data[row]).replace(/^action '(.*)'$/s, '$1'); // bounded: one run
  const track = rows.untitledTrack('bazel', 'steps');
  const phases = writePhases(rows, instants, { part, track });
  const jobs = bazelStepsOf(rows, all, phases, roleOf);
  const components = all.filter((row) => roleOf(row) === COMPONENT_CATEGORY);
  for (const row of all) {
    const isPhase = roleOf(row) === PHASE_CATEGORY;
    columns.kind.data[row] = isPhase ? WHOLE_KIND : SUM_KIND;
    if (!isPhase) continue;
    columns.track.data[row] = track;
    rows.setWord('role', row, 'phase');
  }
  const byName = new Map<string, number[]>();
  for (const { row, inside } of jobs) {
    const name = nameOf(row);
    addToList(byName, name, row);
    columns.kind.data[row] = STEP_KIND;
    columns.track.data[row] = track;
    columns.name.data[row] = rows.textId(name);
    describeStep(rows, row, inside, STEP_CATEGORIES.get(roleOf(row)) ?? '');
  }
  for (const { row, inside } of phases) describeStep(rows, row, inside, 'phase');
  for (const row of components) {
    const step = nearestStep(rows, row, byName.get(nameOf(row)) ?? []);
    if (step !== undefined) rows.critical.push(step);
  }
  return true;
}

/** Writes the phases in time order: each lasts from one instant to the next. */
function writePhases(rows: StepWriter, instants: readonly TraceInstant[], at: { part: number; track: number }): BazelStep[] {
  const starts = [...instants].sort((a, b) => a.us - b.us);
  return starts.flatMap(({ name, us }, k) => {
    const endUs = starts[k + 1]?.us ?? us;
    if (endUs <= us) return [];
    return [{ row: rows.add({ name, kind: 'whole', ...at, startUs: us, durationUs: endUs - us }), endUs, inside: new Map() }];
  });
}

/** The outermost slices that are steps, with sums of their inner slices. Slices outside steps are added to their phase. */
function bazelStepsOf(rows: StepWriter, all: readonly number[], phases: readonly BazelStep[], roleOf: (row: number) => string) {
  const { columns } = rows;
  const { startUs, durationUs, track } = columns;
  const start = (row: number) => startUs.data[row];
  const order = [...all].sort((a, b) => start(a) - start(b) || durationUs.data[b] - durationUs.data[a] || a - b);
  const open = new Map<number, BazelStep>();
  const jobs: BazelStep[] = [];
  let phase = 0;
  for (const row of order) {
    while (phase + 1 < phases.length && start(row) >= phases[phase].endUs) phase++;
    const around = open.get(track.data[row]);
    const isInside = around !== undefined && start(row) < around.endUs;
    const category = roleOf(row);
    if (!isInside && STEP_CATEGORIES.has(category)) {
      const job = { row, endUs: columns.endUs(row), inside: new Map() };
      open.set(track.data[row], job);
      jobs.push(job);
      continue;
    }
    const label = category === GENERAL_CATEGORY ? rows.sink.strings.text(columns.name.data[row]) : category;
    const isKept =
      category === GENERAL_CATEGORY ? label === SUBPROCESS_SLICE : category !== COMPONENT_CATEGORY && category !== PHASE_CATEGORY;
    if (!isKept) continue;
    const inside = isInside ? around.inside : phases[phase]?.inside;
    if (!inside) continue;
    const sum = getOrMake(inside, label, () => ({ us: 0, untilUs: Number.NEGATIVE_INFINITY }));
    // A slice inside another slice of its category is already counted. In phases, threads overlap, so all slices count.
    if (isInside && start(row) < sum.untilUs) continue;
    sum.us += durationUs.data[row];
    sum.untilUs = columns.endUs(row);
  }
  return jobs;
}

/** Writes a step's role (its mnemonic), target, and the times of its inner slices in milliseconds. */
function describeStep(rows: StepWriter, row: number, inside: TimesByCategory, role: string): void {
  const args = objectOf(parseJson(rows.text('more', row) ?? '{}'));
  rows.setWord('role', row, textOf(args['mnemonic']) ?? role);
  rows.setWord('target', row, textOf(args['target']));
  const ms = Array.from(inside, ([label, { us }]) => [`${label} (ms)`, us / 1000] as const).sort((a, b) => b[1] - a[1]);
  if (ms.length > 0) rows.setText('more', row, JSON.stringify({ ...args, ...Object.fromEntries(ms) }));
}

/** The step of a critical path component: of the steps with its name, the one with the nearest start. `steps`: by start. */
function nearestStep({ columns: { startUs } }: StepWriter, component: number, steps: readonly number[]): number | undefined {
  const distanceTo = (row: number) => Math.abs(startUs.data[row] - startUs.data[component]);
  const next = firstIndexWhere(steps.length, (k) => startUs.data[steps[k]] >= startUs.data[component]);
  const [before, after] = [steps.at(next - 1), steps.at(next)];
  if (next === 0 || before === undefined) return after;
  return after === undefined || distanceTo(before) <= distanceTo(after) ? before : after;
}
