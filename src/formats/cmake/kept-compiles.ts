// The compile tables of a kept build, without the traces that they were made from, which are a hundred times larger.
// The JSON has columns of numbers; names are indexes into one list of strings.

import { Numbering } from '../../model/column.ts';
import type { Sink } from '../../model/sink.ts';
import { type Compiles, type RepeatedWork, WORK_TABLES } from '../../model/steps/compiles.ts';
import type { CompilesDraft, StepWriter } from '../../model/steps/writer.ts';
import { isObject, type JsonObject, listOf, numberOf, objectOf, textOf } from '../shared/json.ts';

/** The compile tables as JSON. `text` returns a name by id, `outputOf` an output that identifies a step ('' for none). */
export function compilesToJson(compiles: Compiles, text: (id: number) => string, outputOf: (step: number) => string): object {
  const names = new Numbering<number>();
  const name = (id: number) => names.numberOf(id);
  const plain = (columns: Readonly<Record<string, ArrayLike<number>>>) =>
    Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, Array.from(column)]));
  const { units, uses, includes } = compiles;
  const work = Object.fromEntries(
    WORK_TABLES.map((table) => [table, { ...plain({ ...compiles[table] }), name: Array.from(compiles[table].name, name) }]),
  );
  return {
    version: 1,
    units: {
      name: Array.from(units.name, name),
      output: Array.from(units.step, outputOf),
      ...plain({ totalUs: units.totalUs, frontendUs: units.frontendUs, backendUs: units.backendUs }),
    },
    ...work,
    uses: plain({ ...uses }),
    includes: plain({ ...includes }),
    names: Array.from(names.keys(), text),
  };
}

function stepsByOutput(rows: StepWriter): Map<string, number> {
  const steps = new Map<string, number>();
  for (let row = 0; row < rows.rows; row++) for (const output of rows.outputsOf(row)) steps.set(output, row);
  return steps;
}

function parseCompiles(json: JsonObject, rows: StepWriter, rowOfStep: (step: number) => number): Compiles {
  const names = listOf(json['names']).map((name) => textOf(name) ?? '');
  const table = (name: string) => objectOf(json[name]);
  const numbers = (from: JsonObject, key: string, length: number) =>
    Float64Array.from({ length }, (_, k) => numberOf(listOf(from[key])[k]) ?? 0);
  const units = table('units');
  const count = listOf(units['name']).length;
  /** A column of integers, clamped to 0 … most - 1. */
  const ids = (from: JsonObject, key: string, length: number, most: number) =>
    Uint32Array.from(numbers(from, key, length), (n) => Math.min(Math.max(0, Math.trunc(n)), Math.max(0, most - 1)));
  const nameIds = (from: JsonObject, length: number) =>
    ids(from, 'name', length, names.length).map((at) => rows.textId(names[at] ?? ''));
  const work = (name: string): RepeatedWork => {
    const from = table(name);
    const length = count === 0 ? 0 : listOf(from['name']).length;
    return {
      name: nameIds(from, length),
      us: numbers(from, 'us', length).map((us) => Math.max(0, us)),
      selfUs: numbers(from, 'selfUs', length),
      count: numbers(from, 'count', length).map((n) => Math.max(1, n)),
      units: ids(from, 'units', length, count + 1).map((n) => Math.max(1, n)),
      worst: ids(from, 'worst', length, count),
    };
  };
  const headers = work('headers');
  const functions = work('functions');
  const pairs = (name: string, key: string) => {
    const from = table(name);
    return { from, length: headers.name.length === 0 ? 0 : listOf(from[key]).length };
  };
  const uses = pairs('uses', 'unit');
  const includes = pairs('includes', 'header');
  const stepOf = stepsByOutput(rows);
  const outputs = listOf(units['output']);
  return {
    units: {
      name: nameIds(units, count),
      trace: new Int32Array(count).fill(-1),
      step: Int32Array.from({ length: count }, (_, k) => {
        const row = stepOf.get(textOf(outputs[k]) ?? '');
        return row === undefined ? -1 : rowOfStep(row);
      }),
      totalUs: numbers(units, 'totalUs', count),
      frontendUs: numbers(units, 'frontendUs', count),
      backendUs: numbers(units, 'backendUs', count),
    },
    headers,
    uses: {
      unit: ids(uses.from, 'unit', uses.length, count),
      header: ids(uses.from, 'header', uses.length, headers.name.length),
      us: numbers(uses.from, 'us', uses.length),
      selfUs: numbers(uses.from, 'selfUs', uses.length),
    },
    includes: {
      header: ids(includes.from, 'header', includes.length, headers.name.length),
      // A parent must precede its children; invalid parents become -1.
      parent: Int32Array.from(numbers(includes.from, 'parent', includes.length), (p, k) =>
        p >= 0 && p < k ? Math.trunc(p) : -1,
      ),
      us: numbers(includes.from, 'us', includes.length),
      count: numbers(includes.from, 'count', includes.length),
    },
    templates: work('templates'),
    templateSets: work('templateSets'),
    functions: { ...functions, generateUs: numbers(table('functions'), 'generateUs', functions.name.length) },
    phases: work('phases'),
  };
}

/** Reads the compile tables from JSON; returns undefined, with a warning, for other JSON. Invalid numbers are clamped. */
export function readKeptCompiles(value: unknown, rows: StepWriter, sink: Sink): CompilesDraft | undefined {
  if (isObject(value) && isObject(value['units'])) return { done: (_, rowOfStep) => parseCompiles(value, rows, rowOfStep) };
  sink.warn({ path: sink.paths.at(-1) ?? '', expected: 'compiler trace tables', found: 'something else; left out' });
  return undefined;
}
