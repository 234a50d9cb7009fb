// The part of the schemas that every view shares, written by hand: the members beside `rows`, and common types.
import type { Schema } from './schema-shape.ts';

const text = (description: string): Schema => ({ type: 'string', description });
const texts = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description });
const costs = (description: string): Schema => ({ $ref: '#/$defs/costs', description });

/** A value of a limit: a cost, the name of a law of growth, or none. */
const limitValue = (description: string): Schema => ({ type: ['number', 'string', 'null'], description });

const EVENT: Schema = {
  type: 'object',
  required: ['name', 'unit'],
  properties: {
    name: text('the key of its costs'),
    unit: text('the unit of its costs'),
    longName: text('a name for people'),
    formula: text('the formula of a derived event'),
  },
};

const PROBLEM: Schema = {
  type: 'object',
  required: ['path', 'expected', 'found'],
  properties: {
    path: text('the file'),
    line: { type: 'number', description: 'counted from 1' },
    offset: { type: 'number', description: 'in bytes, counted from 0' },
    expected: text('what the format has there'),
    found: text('what the file has there'),
    hint: text('what to do'),
  },
};

const LIMIT: Schema = {
  type: 'object',
  required: ['expr', 'exceeded', 'base', 'now'],
  properties: {
    expr: text('the limit as it was given'),
    exceeded: { type: 'boolean' },
    base: limitValue('the value in the base'),
    now: limitValue('the value in this run'),
    where: text('the routine or step that went furthest beyond the limit'),
    estimated: { const: true, description: 'the values are estimates' },
    doubt: text('why a limit that was not exceeded may still have been'),
  },
};

const RUNS: Schema = {
  type: 'object',
  required: ['count', 'how', 'spread'],
  properties: {
    count: { type: 'number', description: 'the number of runs' },
    how: { enum: ['median', 'min', 'mean'], description: 'how they became one' },
    spread: { type: 'object', description: 'by event' },
  },
};

const BASE: Schema = {
  type: 'object',
  required: ['paths', 'totals', 'percentagesOf', 'matched'],
  properties: {
    paths: texts('the files of the base'),
    totals: costs('the sums of its rows'),
    percentagesOf: costs('the totals that its percentages are shares of'),
    matched: { type: 'array', description: 'the cost of each way in which routines were matched' },
    onlyNow: texts('events that only this run has'),
    onlyBefore: texts('events that only the base has'),
    runs: { ...RUNS, description: 'with several base runs' },
  },
};

/** The members of the object beside `rows` and those of a single view. */
export function headProperties(view: string, schemaVersion: number): Readonly<Record<string, Schema>> {
  return {
    proftui: text('the version of the program'),
    schemaVersion: { const: schemaVersion, description: 'rises when a field is renamed or removed, or gets another meaning' },
    view: { const: view },
    format: text('the format of the profile'),
    paths: texts('the files of the profile'),
    event: text('the event of --event'),
    events: { type: 'array', items: { $ref: '#/$defs/event' }, description: 'all events of the profile' },
    totals: costs('the sums of the rows'),
    percentagesOf: costs('the totals that percentages are shares of'),
    applied: texts('with --focus and its like: what was applied, in this order'),
    base: { $ref: '#/$defs/base', description: 'with --base' },
    limits: { type: 'array', items: { $ref: '#/$defs/limit' }, description: 'with --fail-if' },
    warnings: { type: 'array', items: { $ref: '#/$defs/problem' } },
    note: text('why there are no rows'),
  };
}

export const HEAD_REQUIRED: readonly string[] = [
  ...['proftui', 'schemaVersion', 'view', 'format', 'paths', 'event', 'events', 'totals', 'percentagesOf', 'warnings', 'rows'],
];

/** Types by name. */
export const DEFINITIONS: Readonly<Record<string, Schema>> = {
  exact: {
    type: ['number', 'string'],
    pattern: '^-?[0-9]{16,}$',
    description: 'a number; an integer beyond 2^53 is a string of its digits',
  },
  costs: {
    type: 'object',
    additionalProperties: { anyOf: [{ $ref: '#/$defs/exact' }, { type: 'null' }] },
    description: 'values by the name of their event; null for a ratio with divisor 0',
  },
  event: EVENT,
  problem: PROBLEM,
  limit: LIMIT,
  base: BASE,
};

/** The row of those below --threshold. */
export const REST_ROW: Schema = {
  type: 'object',
  required: ['rest', 'rows'],
  properties: {
    of: text('with several routines: the routine'),
    rest: { const: true },
    rows: { type: 'number', description: 'the number of rows below --threshold' },
    self: costs('the sum of their self costs; absent where costs overlap'),
  },
  description: 'with --threshold: the rows below it, as the last one',
};
