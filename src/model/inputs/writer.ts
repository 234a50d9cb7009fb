// Builds tables from input-size points: orders contexts, chooses the points that count for routines, warns of duplicates.
import { getOrMake } from '../../base/lists.ts';
import { finishColumns, GrowableColumn, indexBy } from '../column.ts';
import type { Event, Head } from '../head.ts';
import type { Sink, TableWriter } from '../sink.ts';
import { type ContextNote, orderContexts } from './contexts.ts';
import type { Contexts, InputCosts, InputField, Inputs } from './tables.ts';

/** Points while a file is read. */
class InputRows {
  readonly routine = new GrowableColumn(Int32Array);
  readonly context = new GrowableColumn(Int32Array);
  readonly part = new GrowableColumn(Uint32Array);
  readonly size = new GrowableColumn(Float64Array);
  readonly line = new GrowableColumn(Uint32Array);
  readonly fields = new Map<InputField, GrowableColumn<Float64Array>>();
  /** By field and row: the exact value. */
  readonly beyond = new Map<InputField, Map<number, bigint>>();
  /** Context ids of the file. While reading, `context` of a point is -2 minus the index of its id in this list. */
  readonly contextIds: number[] = [];
  /** The metric of the sizes, as named by the first file. */
  metric: string | undefined;
  misses: string | undefined;

  get rows(): number {
    return this.size.length;
  }

  /** Begins a point. `context`: its id in the file, or -1. */
  push(routine: number, context: number, part: number, size: number, line: number): void {
    this.routine.push(routine);
    if (context === -1) this.context.push(-1);
    else {
      // Points of one context follow each other in the file.
      if (this.contextIds.at(-1) !== context) this.contextIds.push(context);
      this.context.push(-1 - this.contextIds.length);
    }
    this.part.push(part);
    this.size.push(size);
    this.line.push(line);
  }

  /** The columns for some fields, for use with add(); undefined for null. */
  columnsOf(fields: readonly (InputField | null)[]): readonly (GrowableColumn<Float64Array> | undefined)[] {
    const columnOf = (field: InputField) => getOrMake(this.fields, field, () => new GrowableColumn(Float64Array));
    return fields.map((field) => (field === null ? undefined : columnOf(field)));
  }

  /** Adds values[from + i] to columns[i] in the row that was pushed last. */
  add(columns: readonly (GrowableColumn<Float64Array> | undefined)[], values: Float64Array, from: number): void {
    const row = this.rows - 1;
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i];
      if (!column) continue;
      // Earlier rows come from files that lack the field.
      while (column.length < row) column.push(Number.NaN);
      if (row === column.data.length) column.reserve(2 * row);
      column.data[row] = values[from + i];
      column.length = row + 1;
    }
  }

  finish(counted: Uint8Array): Inputs {
    const columns: { [F in InputField]?: Float64Array } = {};
    for (const [field, column] of this.fields) {
      while (column.length < this.rows) column.push(Number.NaN);
      columns[field] = column.done();
    }
    const { line: _, routine, ...rows } = finishColumns<InputRows>(this);
    return {
      metric: this.metric ?? 'size',
      ...(this.misses === undefined ? {} : { misses: this.misses }),
      ...rows,
      routine: Uint32Array.from(routine),
      counted,
      beyond: this.beyond,
      ...columns,
    };
  }
}

/** Costs whose sums may pass 2^53 get columns of exact halves; see cost-columns.ts. */
const WITH_EXACT_HALVES: Pick<Event, 'exact'> = { exact: { high: [[1, 1]], low: [[1, 2]] } };

export class InputWriter implements TableWriter {
  readonly points = new InputRows();
  readonly contexts: ContextNote[] = [];

  constructor(private readonly sink: Sink) {}

  get rows(): number {
    return this.points.rows;
  }

  finish(): Pick<Head, 'events' | 'columns'> & InputCosts {
    const { sink, points: rows, contexts: notes } = this;
    const { contexts, rowOf } = orderContexts(notes, ({ id, part, line }, why) => {
      const found = `context ${id}: ${why}; it is shown as a root`;
      sink.warn({ path: sink.parts[part].path, line, expected: 'contexts that form a tree', found });
    });
    const lost = resolveContexts(sink, rows, contexts, rowOf);
    const counted = countedRows(rows, sink.routines.count, lost);
    warnDuplicates(sink, rows, notes.length, lost);
    const inputs = rows.finish(counted);
    const metric = sink.eventNames[0] ?? 'cost';
    const { unit = 'count', longName } = sink.eventNotes.find((n) => n.name === metric) ?? {};
    const wide = needsHalves(inputs);
    const named = { name: metric, unit, ...(longName === undefined ? {} : { longName }) };
    const event: Event = { ...named, terms: [[1, 0]], ...(wide ? WITH_EXACT_HALVES : {}) };
    return { kind: 'inputs', events: [event], columns: wide ? 3 : 1, inputs, ...(notes.length > 0 ? { contexts } : {}) };
  }
}

/** Resolves the file's context ids and takes each point's routine from its context. Returns 1 for points whose context is missing. */
function resolveContexts(sink: Sink, rows: InputRows, contexts: Contexts, rowOf: ReadonlyMap<string, number>): Uint8Array {
  const { context, routine, part, line } = rows;
  const isLost = new Uint8Array(rows.rows);
  const lost = new Map<number, { count: number; line: number; id: number }>();
  for (let i = 0; i < rows.rows; i++) {
    const id = context.data[i];
    if (id === -1) continue;
    const p = part.data[i];
    // `context` holds -2 - index into contextIds until here.
    const number = rows.contextIds[-2 - id];
    const row = rowOf.get(`${p}/${number}`);
    if (row !== undefined) {
      context.data[i] = row;
      routine.data[i] = contexts.routine[row];
      continue;
    }
    context.data[i] = -1;
    isLost[i] = 1;
    getOrMake(lost, p, () => ({ count: 0, line: line.data[i], id: number })).count++;
  }
  for (const [p, { count, line: at, id }] of lost) {
    const points =
      count === 1 ? `context ${id} has points but no x line` : `${count} points of contexts without one (the first is ${id})`;
    const found = `${points}; they are attributed to the routine above them`;
    sink.warn({ path: sink.parts[p].path, line: at, expected: 'an x line for every context', found });
  }
  return isLost;
}

/** By point: 0 if it has a context, but its routine also has points without one in that part, which describe the same calls. */
function countedRows(rows: InputRows, routines: number, lost: Uint8Array): Uint8Array {
  const counted = new Uint8Array(rows.rows).fill(1);
  if (!rows.context.done().some((context) => context >= 0)) return counted;
  const own = new Set<number>();
  const key = (i: number) => rows.part.data[i] * routines + rows.routine.data[i];
  for (let i = 0; i < rows.rows; i++) if (rows.context.data[i] < 0 && !lost[i]) own.add(key(i));
  if (own.size > 0) for (let i = 0; i < rows.rows; i++) if (rows.context.data[i] >= 0 && own.has(key(i))) counted[i] = 0;
  return counted;
}

/** Warns of sizes that occur twice for one routine or context. Such points are merged. */
function warnDuplicates(sink: Sink, rows: InputRows, contexts: number, lost: Uint8Array): void {
  const routine = rows.routine.data;
  const owner = Float64Array.from(rows.context.done());
  for (let i = 0; i < owner.length; i++) if (owner[i] < 0) owner[i] = contexts + routine[i];
  const { order, from } = indexBy(owner, contexts + sink.routines.count);
  for (let o = 0; o + 1 < from.length; o++) {
    if (from[o + 1] - from[o] < 2) continue;
    const seen = new Map<number, number>();
    for (let k = from[o]; k < from[o + 1]; k++) {
      const i = order[k];
      // Points of several missing contexts may belong to one routine, so these are no duplicates.
      if (lost[i]) continue;
      const size = rows.size.data[i];
      const before = seen.get(size);
      seen.set(size, i);
      if (before === undefined || rows.part.data[before] !== rows.part.data[i]) continue;
      sink.warn({
        path: sink.parts[rows.part.data[i]].path,
        line: rows.line.data[i],
        expected: 'each size once',
        found: `size ${size} of ${o < contexts ? 'its context' : 'its routine'} repeated (also on line ${rows.line.data[before]}): the two are merged`,
      });
    }
  }
}

/** Whether a value does not fit into a double, or sums may pass 2^53. */
const needsHalves = (inputs: Inputs): boolean =>
  (['sum', 'real', 'selfSum'] as const).some((field) => {
    const sum = inputs[field]?.reduce((all, v) => (Number.isNaN(v) ? all : all + v), 0) ?? 0;
    return sum >= 2 ** 53 || inputs.beyond.has(field);
  });
