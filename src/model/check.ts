// The invariants of a profile. A loader that breaks one is wrong, whatever the file says; --check and every test run this.
import type { CostTable } from './event-value.ts';
import { INPUT_FIELDS } from './inputs.ts';
import type { Profile } from './profile.ts';
import { stringCount } from './strings.ts';

/** The invariants that do not hold, as sentences; none for a sound profile. */
export function checkProfile(profile: Profile): string[] {
  const broken: string[] = [];
  const strings = stringCount(profile.strings);
  const { routines, files, objects, spans, lines, calls, jumps, parts, columns, events } = profile;
  const within = (name: string, column: ArrayLike<number>, from: number, to: number) => {
    for (let i = 0; i < column.length; i++) {
      if (column[i] < from || column[i] >= to || !Number.isInteger(column[i])) {
        broken.push(`${name}[${i}] is ${column[i]}, outside ${from} .. ${to - 1}`);
        return;
      }
    }
  };
  const sameLength = (name: string, length: number, table: Record<string, ArrayLike<number> | undefined>) => {
    for (const [key, column] of Object.entries(table)) {
      if (column && column.length !== length) broken.push(`${name}.${key} has ${column.length} rows, not ${length}`);
    }
  };
  const costColumns = (name: string, costs: CostTable, rows: number) => {
    if (costs.length !== columns) broken.push(`${name} has ${costs.length} cost columns, not ${columns}`);
    costs.forEach((column, c) => {
      if (column.length !== rows) broken.push(`${name} cost column ${c} has ${column.length} rows, not ${rows}`);
      for (let i = 0; i < column.length; i++) {
        if (!Number.isFinite(column[i])) {
          broken.push(`${name} cost column ${c} is ${column[i]} in row ${i}`);
          return;
        }
      }
    });
  };
  if (events.length === 0) broken.push('there is no event');
  const names = events.map((e) => e.name);
  if (new Set(names).size !== names.length) broken.push('an event name appears twice');
  for (const event of events) {
    for (const [factor, column] of [...event.terms, ...(event.exact?.high ?? []), ...(event.exact?.low ?? [])]) {
      if (!Number.isFinite(factor) || column < 0 || column >= columns)
        broken.push(`event ${event.name} has a term outside the columns`);
    }
  }
  within('files.name', files.name, 0, strings);
  within('objects.name', objects.name, 0, strings);
  within('routines.name', routines.name, 0, strings);
  within('routines.file', routines.file, -1, files.name.length);
  within('routines.object', routines.object, -1, objects.name.length);
  sameLength('routines', routines.name.length, { file: routines.file, object: routines.object });
  const seen = new Set<string>();
  for (let r = 0; r < routines.name.length; r++) {
    const key = `${routines.name[r]}/${routines.file[r]}/${routines.object[r]}`;
    if (seen.has(key)) {
      broken.push(`routine ${r} stands twice`);
      break;
    }
    seen.add(key);
  }
  if (spans && lines) {
    const n = spans.routine.length;
    sameLength('spans', n, { file: spans.file, part: spans.part, high: spans.high });
    if (spans.start.length !== n + 1) broken.push('spans.start is not one longer than the spans');
    for (let s = 0; s < n; s++) if (spans.start[s] > spans.start[s + 1]) broken.push(`span ${s} ends before it starts`);
    if (spans.start[0] !== 0 && n > 0) broken.push('the first span does not start at row 0');
    if (spans.start[n] !== lines.line.length) broken.push('the spans do not cover the lines');
    within('spans.routine', spans.routine, 0, routines.name.length);
    within('spans.file', spans.file, -1, files.name.length);
    within('spans.part', spans.part, 0, parts.length);
    sameLength('lines', lines.line.length, { address: lines.address });
    costColumns('lines', lines.costs, lines.line.length);
  }
  if (calls && spans) {
    const n = calls.span.length;
    sameLength('calls', n, { callee: calls.callee, line: calls.line, address: calls.address, count: calls.count });
    within('calls.span', calls.span, 0, spans.routine.length);
    within('calls.callee', calls.callee, 0, routines.name.length);
    costColumns('calls', calls.costs, n);
    for (let i = 0; i < n; i++) {
      if (!(calls.count[i] >= 0)) {
        broken.push(`calls.count[${i}] is ${calls.count[i]}`);
        break;
      }
    }
  }
  if (jumps && spans) {
    within('jumps.span', jumps.span, 0, spans.routine.length);
    within('jumps.targetFile', jumps.targetFile, -1, files.name.length);
    if (jumps.targetRoutine) within('jumps.targetRoutine', jumps.targetRoutine, -1, routines.name.length);
    sameLength('jumps', jumps.span.length, { line: jumps.line, taken: jumps.taken, executed: jumps.executed });
  }
  const { places, frames, stacks } = profile;
  if (stacks && frames && places) {
    const n = stacks.part.length;
    within('frames.place', frames.place, 0, places.high.length);
    within('frames.routine', frames.routine, 0, routines.name.length);
    within('frames.file', frames.file, -1, files.name.length);
    within('places.object', places.object, -1, objects.name.length);
    within('stacks.frame', stacks.frame, 0, frames.place.length);
    within('stacks.part', stacks.part, 0, parts.length);
    costColumns('stacks', stacks.costs, n);
    if (stacks.start.length !== n + 1 || stacks.start[n] !== stacks.frame.length)
      broken.push('the stacks do not cover their frames');
    for (let s = 0; s < n; s++) {
      if (!(stacks.start[s] < stacks.start[s + 1])) {
        broken.push(`stack ${s} is empty`);
        break;
      }
    }
    for (let c = 0; c < stacks.costs.length; c++) {
      const sum = (column: ArrayLike<number>) => Array.prototype.reduce.call(column, (a, b) => (a as number) + (b as number), 0);
      const [all, leaves] = [sum(stacks.costs[c]), sum(lines!.costs[c])];
      if (all !== leaves) broken.push(`stacks cost ${all} in column ${c}, their innermost frames ${leaves}`);
    }
  }
  const { inputs, contexts } = profile;
  if (contexts) {
    const n = contexts.id.length;
    sameLength('contexts', n, { parent: contexts.parent, end: contexts.end, routine: contexts.routine, part: contexts.part });
    within('contexts.routine', contexts.routine, 0, routines.name.length);
    for (let c = 0; c < n; c++) {
      const p = contexts.parent[c];
      if (p >= c || p < -1 || !(contexts.end[c] > c) || (p >= 0 && contexts.end[c] > contexts.end[p])) {
        broken.push(`context ${c} does not lie within its parent ${p}`);
        break;
      }
    }
  }
  if (inputs) {
    const n = inputs.size.length;
    const fields = Object.fromEntries(INPUT_FIELDS.map((f) => [f, inputs[f]]));
    sameLength('inputs', n, {
      routine: inputs.routine,
      context: inputs.context,
      part: inputs.part,
      counted: inputs.counted,
      ...fields,
    });
    within('inputs.routine', inputs.routine, 0, routines.name.length);
    within('inputs.context', inputs.context, -1, contexts?.id.length ?? 0);
    within('inputs.part', inputs.part, 0, parts.length);
    for (let i = 0; i < n; i++) {
      const c = inputs.context[i];
      if (c >= 0 && contexts!.routine[c] !== inputs.routine[i]) {
        broken.push(`point ${i} is of another routine than its context`);
        break;
      }
    }
  }
  const { steps, processes } = profile;
  if (steps) {
    const n = steps.name.length;
    const { part, parent, startUs, durationUs, kind, result, track } = steps;
    sameLength('steps', n, { part, parent, startUs, durationUs, kind, result, track });
    within('steps.name', steps.name, 0, strings);
    within('steps.part', part, 0, parts.length);
    within('steps.parent', parent, -1, n);
    for (let i = 0; i < n; i++) {
      if (!(durationUs[i] >= 0 || Number.isNaN(durationUs[i]))) {
        broken.push(`step ${i} takes ${durationUs[i]} µs`);
        break;
      }
    }
    if (steps.outputStart.length !== n + 1 || steps.outputStart[n] !== steps.outputPath.length)
      broken.push('the steps do not cover their outputs');
  }
  if (processes) {
    const n = processes.id.length;
    const { part, parent, executable, directory } = processes;
    sameLength('processes', n, { part, parent, executable, directory });
    within('processes.part', part, 0, parts.length);
    within('processes.parent', parent, -1, n);
    within('processes.args', processes.args, 0, strings);
    if (processes.argStart.length !== n + 1 || processes.argStart[n] !== processes.args.length)
      broken.push('the processes do not cover their arguments');
    if (processes.envStart.length !== n + 1 || processes.envStart[n] !== processes.envName.length)
      broken.push('the processes do not cover their variables');
  }
  return broken;
}
