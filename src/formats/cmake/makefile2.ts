// Reads CMakeFiles/Makefile2, which CMake writes for make: a target starts when the targets that it depends on are complete.
// The file has one line per dependency of a target, such as `CMakeFiles/app.dir/all: lib/CMakeFiles/core.dir/all`.
import { addToList, groupByKey } from '../../base/lists.ts';
import { StepPairs, type StepWriter } from '../../model/steps/writer.ts';
import { decodeBytes } from '../../model/strings.ts';

const TARGET_NEED_LINE = /^(\S{1,4000})\.dir\/all: (\S{1,4000})\.dir\/all\r?$/;

/** A target waits for at most this many last steps of another target. An object library has thousands of compiles and no link. */
const MAX_LAST_STEPS = 16;

const targetNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** By target: the targets that must be complete before it starts. */
function targetNeedsIn(bytes: Uint8Array): Map<string, string[]> {
  const needs = new Map<string, string[]>();
  for (const line of decodeBytes(bytes, 0, bytes.length).split('\n')) {
    const [, target, needed] = TARGET_NEED_LINE.exec(line) ?? [];
    if (target !== undefined && needed !== undefined) addToList(needs, targetNameOf(target), targetNameOf(needed));
  }
  return needs;
}

/** Pairs of steps from row `from` on, ordered like their targets in the file; undefined if there are none. */
export function orderStepsByTarget(rows: StepWriter, from: number, bytes: Uint8Array): StepPairs | undefined {
  const needs = targetNeedsIn(bytes);
  const made = Array.from({ length: rows.rows - from }, (_, k) => from + k).filter(
    (row) => rows.text('target', row) !== undefined,
  );
  const steps = groupByKey(made, (row) => rows.text('target', row) ?? '');
  const pairs = new StepPairs();
  for (const [target, own] of steps)
    for (const needed of nearestTargetsWithSteps(target, needs, steps)) {
      const all = steps.get(needed) ?? [];
      // A library's link step waits for the library's other steps, so it represents them all.
      const links = all.filter((row) => rows.text('role', row) === 'link');
      const last = links.length > 0 ? links : all.sort((a, b) => rows.columns.endUs(a) - rows.columns.endUs(b));
      for (const earlier of last.slice(-MAX_LAST_STEPS)) for (const row of own) pairs.push(row, earlier);
    }
  return pairs.from.length > 0 ? pairs : undefined;
}

/** The nearest targets with steps that a target waits for. A target without steps (header library) is replaced by its needs. */
function nearestTargetsWithSteps(
  target: string,
  needs: ReadonlyMap<string, readonly string[]>,
  steps: ReadonlyMap<string, unknown>,
): string[] {
  const queue = [...(needs.get(target) ?? [])];
  const seen = new Set(queue);
  for (const next of queue)
    if (!steps.has(next))
      for (const further of needs.get(next) ?? [])
        if (!seen.has(further)) {
          seen.add(further);
          queue.push(further);
        }
  return queue.filter((name) => steps.has(name));
}
