// Bazel's profiles (--profile, command.profile.gz) as builds: an action is a step, with its mnemonic and target, and so are the
// fetching of a repository; the phases of the build are wholes. Slices inside a step become sums in its details; others, such as the
// loading of packages, are of Bazel's own threads, and become sums in the details of their phase. Description: "JSON Trace Profile" (bazel.build).
import { addTo, getOrMake } from '../../base/lists.ts';
import { firstWhere } from '../../base/search.ts';
import { KINDS } from '../../model/steps/tables.ts';
import type { RowCounts, StepWriter } from '../../model/steps/writer.ts';
import { isObject, parseJson, textOf } from '../shared/json.ts';

/** Categories of slices that are steps, and the role of steps without a mnemonic. */
const WORK = new Map([
  ['action processing', 'action'],
  ['Starlark repository function call', 'fetch'],
]);
const COMPONENT = 'critical path component';
const PHASE = 'build phase marker';
/** Slices of this category are distinguished by name; only SUBPROCESS is kept. */
const GENERAL = 'general information';
const SUBPROCESS = 'subprocess.run';

const SUM = KINDS.indexOf('sum');
const WHOLE = KINDS.indexOf('whole');

/** `Compiling a.cc` of `action 'Compiling a.cc'`. */
const ownName = (name: string): string => /^action '(.*)'$/s.exec(name)?.[1] ?? name; // bounded: one run

/** By category: the summed duration of slices, and the end of the last one. */
type TimesByCategory = Map<string, { us: number; untilUs: number }>;

/** A step, and what is inside it. */
interface BazelStep {
  readonly row: number;
  readonly endUs: number;
  readonly inside: TimesByCategory;
}

/** Turns the rows and marks of a file into a build, if it is Bazel's. Returns whether it is. */
export function convertBazel(rows: StepWriter, first: RowCounts, part: number): boolean {
  if (rows.marks.length === first.marks) return false;
  const { columns } = rows;
  const roles = new Map<number, string>();
  const roleOf = (row: number) => getOrMake(roles, columns.text.role.get(row), () => rows.text('role', row) ?? '');
  const all = Array.from({ length: rows.rows - first.steps }, (_, k) => first.steps + k);
  if (!all.some((row) => roleOf(row) === PHASE)) return false;
  const nameOf = (row: number) => ownName(rows.textOf(columns.name.data[row]));
  const track = rows.untitledTrack('bazel', 'steps');
  const phases = writePhases(rows, first, { part, track });
  const jobs = bazelStepsOf(rows, all, { phases, roleOf });
  const components = all.filter((row) => roleOf(row) === COMPONENT);
  for (const row of all) {
    const isPhase = roleOf(row) === PHASE;
    columns.kind.data[row] = isPhase ? WHOLE : SUM;
    if (!isPhase) continue;
    columns.track.data[row] = track;
    rows.setWord('role', row, 'phase');
  }
  const byName = new Map<string, number[]>();
  for (const { row, inside } of jobs) {
    const name = nameOf(row);
    addTo(byName, name, row);
    columns.kind.data[row] = KINDS.indexOf('step');
    columns.track.data[row] = track;
    columns.name.data[row] = rows.textId(name);
    describeStep(rows, row, inside, WORK.get(roleOf(row)) ?? '');
  }
  for (const { row, inside } of phases) describeStep(rows, row, inside, 'phase');
  for (const row of components) {
    const step = nearestStep(rows, row, byName.get(nameOf(row)) ?? []);
    if (step !== undefined) rows.critical.push(step);
  }
  return true;
}

/** Writes the phases in time order: each lasts from one mark to the next. */
function writePhases(rows: StepWriter, first: RowCounts, at: { readonly part: number; readonly track: number }): BazelStep[] {
  const marks = rows.marks.splice(first.marks).sort((a, b) => a.us - b.us);
  return marks.flatMap(({ name, us }, k) => {
    const endUs = marks[k + 1]?.us ?? us;
    if (endUs <= us) return [];
    return [{ row: rows.add({ name, kind: 'whole', ...at, startUs: us, durationUs: endUs - us }), endUs, inside: new Map() }];
  });
}

/** The outermost slices that are steps, with sums of the slices inside. Slices outside steps are added to their phase. */
function bazelStepsOf(
  rows: StepWriter,
  all: readonly number[],
  { phases, roleOf }: { readonly phases: readonly BazelStep[]; readonly roleOf: (row: number) => string },
): BazelStep[] {
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
    if (!isInside && WORK.has(category)) {
      const job = { row, endUs: columns.endUs(row), inside: new Map() };
      open.set(track.data[row], job);
      jobs.push(job);
      continue;
    }
    const label = category === GENERAL ? rows.textOf(columns.name.data[row]) : category;
    if ((category === GENERAL && label !== SUBPROCESS) || category === COMPONENT || category === PHASE) continue;
    const inside = isInside ? around.inside : phases[phase]?.inside;
    if (!inside) continue;
    const sum = getOrMake(inside, label, () => ({ us: 0, untilUs: Number.NEGATIVE_INFINITY }));
    // A slice inside another of its category is already counted. In phases, threads overlap, so all slices count.
    if (isInside && start(row) < sum.untilUs) continue;
    sum.us += durationUs.data[row];
    sum.untilUs = columns.endUs(row);
  }
  return jobs;
}

/** Writes a step's role (its mnemonic), target, and the times of its inner slices in milliseconds. */
function describeStep(rows: StepWriter, row: number, inside: TimesByCategory, role: string): void {
  const recorded = parseJson(rows.text('more', row) ?? '{}');
  const args = isObject(recorded) ? recorded : {};
  rows.setWord('role', row, textOf(args['mnemonic']) ?? role);
  rows.setWord('target', row, textOf(args['target']));
  const ms = Array.from(inside, ([label, { us }]) => [`${label} (ms)`, us / 1000] as const).sort((a, b) => b[1] - a[1]);
  if (ms.length > 0) rows.setText('more', row, JSON.stringify({ ...args, ...Object.fromEntries(ms) }));
}

/** The step of a critical path component: the one of its name with the nearest start. `steps` are in order of start. */
function nearestStep({ columns: { startUs } }: StepWriter, component: number, steps: readonly number[]): number | undefined {
  const distanceTo = (row: number) => Math.abs(startUs.data[row] - startUs.data[component]);
  const next = firstWhere(steps.length, (k) => startUs.data[steps[k]] >= startUs.data[component]);
  const [before, after] = [steps.at(next - 1), steps.at(next)];
  if (next === 0 || before === undefined) return after;
  return after === undefined || distanceTo(before) <= distanceTo(after) ? before : after;
}
