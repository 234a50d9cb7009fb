// The compile tables of a kept build, without the traces that they were made from, which are a hundred times larger.
// The JSON has columns of numbers; names are indexes into one list of strings.

import { Numbering } from '../../model/column.ts';
import { type Compiles, type RepeatedWork, WORK_TABLES } from '../../model/steps/compiles.ts';
import type { CompilesDraft, StepWriter } from '../../model/steps/writer.ts';
import { isObject, type JsonObject, listOf, numberOf, objectOf, textOf } from '../shared/json.ts';

/** The compile tables as JSON. `text` returns a name by id, `outputOf` an output that identifies a step ('' for none). */
export function compilesToJson(compiles: Compiles, text: (id: number) => string, outputOf: (step: number) => string): object {
  const names = new Numbering<number>();
  const name = (id: number) => names.numberOf(id);
  const plain = (columns: Readonly<Record<string, ArrayLike<number>>>) =>
    Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, Array.from(column)]));
  const { units, uses, phaseUses, includes } = compiles;
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
    phaseUses: plain({ ...phaseUses }),
    includes: plain({ ...includes }),
    names: Array.from(names.keys(), text),
  };
}

/** Readers of the columns of a table, all as long as the column `key`; or empty, if what they refer to `isEmpty`. */
function columnsOfTable(value: unknown, key: string, isEmpty = false) {
  const from = objectOf(value);
  const length = isEmpty ? 0 : listOf(from[key]).length;
  const numbers = (column: string) => Float64Array.from({ length }, (_, k) => numberOf(listOf(from[column])[k]) ?? 0);
  /** A column of integers, clamped to 0 … most - 1. */
  const ids = (column: string, most: number) =>
    Uint32Array.from(numbers(column), (n) => Math.min(Math.max(0, Math.trunc(n)), Math.max(0, most - 1)));
  return { from, length, numbers, ids };
}

function parseCompiles(json: JsonObject, rows: StepWriter, rowOfStep: (step: number) => number): Compiles {
  const names = listOf(json['names']).map((name) => textOf(name) ?? '');
  const nameIds = ({ ids }: ReturnType<typeof columnsOfTable>) =>
    ids('name', names.length).map((at) => rows.textId(names[at] ?? ''));
  const units = columnsOfTable(json['units'], 'name');
  const count = units.length;
  const tableOfWork = (name: string) => columnsOfTable(json[name], 'name', count === 0);
  const work = (name: string): RepeatedWork => {
    const table = tableOfWork(name);
    return {
      name: nameIds(table),
      us: table.numbers('us').map((us) => Math.max(0, us)),
      selfUs: table.numbers('selfUs'),
      count: table.numbers('count').map((n) => Math.max(1, n)),
      units: table.ids('units', count + 1).map((n) => Math.max(1, n)),
      worst: table.ids('worst', count),
    };
  };
  const headers = work('headers');
  const most = headers.name.length;
  const uses = columnsOfTable(json['uses'], 'unit', most === 0);
  const phases = work('phases');
  const phaseUses = columnsOfTable(json['phaseUses'], 'unit', phases.name.length === 0);
  const includes = columnsOfTable(json['includes'], 'header', most === 0);
  const stepOf = new Map<string, number>();
  for (let row = 0; row < rows.rows; row++) for (const output of rows.outputsOf(row)) stepOf.set(output, row);
  const outputs = listOf(units.from['output']);
  return {
    units: {
      name: nameIds(units),
      trace: new Int32Array(count).fill(-1),
      step: Int32Array.from({ length: count }, (_, k) => {
        const row = stepOf.get(textOf(outputs[k]) ?? '');
        return row === undefined ? -1 : rowOfStep(row);
      }),
      totalUs: units.numbers('totalUs'),
      frontendUs: units.numbers('frontendUs'),
      backendUs: units.numbers('backendUs'),
    },
    headers,
    uses: {
      unit: uses.ids('unit', count),
      header: uses.ids('header', most),
      us: uses.numbers('us'),
      selfUs: uses.numbers('selfUs'),
    },
    phaseUses: {
      unit: phaseUses.ids('unit', count),
      phase: phaseUses.ids('phase', phases.name.length),
      us: phaseUses.numbers('us'),
    },
    includes: {
      header: includes.ids('header', most),
      // A parent must precede its children; invalid parents become -1.
      parent: Int32Array.from(includes.numbers('parent'), (p, k) => (p >= 0 && p < k ? Math.trunc(p) : -1)),
      us: includes.numbers('us'),
      count: includes.numbers('count'),
    },
    templates: work('templates'),
    templateSets: work('templateSets'),
    functions: { ...work('functions'), generateUs: tableOfWork('functions').numbers('generateUs') },
    phases,
  };
}

/** Reads the compile tables from JSON; returns undefined, with a warning, for other JSON. Invalid numbers are clamped. */
export function readKeptCompiles(value: unknown, rows: StepWriter): CompilesDraft | undefined {
  if (isObject(value) && isObject(value['units'])) return { done: (_, rowOfStep) => parseCompiles(value, rows, rowOfStep) };
  const { sink } = rows;
  sink.warn({ path: sink.paths.at(-1) ?? '', expected: 'compiler trace tables', found: 'something else; left out' });
  return undefined;
}
