// The schemas in docs/schema: the JSON of every view of the fixtures is valid, and wrong JSON is not. `npm run readme` makes them.
// By default some of the fixtures are tried, with PROFTUI_TESTS=all all of them; `npm run test:long` also takes all rows, and makes
// the schemas anew.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { schemaPath, ViewShapes } from '../../scripts/schema.ts';
import { removeUnpacked, schemaViews, type ViewOutput, viewOutputs } from '../../scripts/schema-cases.ts';
import { isObject } from '../../scripts/schema-shape.ts';
import { FIXTURES, ROOT } from '../support/fixtures.ts';
import { long, longest } from '../support/long.ts';
import { runWarm } from '../support/warm.ts';

const which = process.env['PROFTUI_TESTS'];
/** One fixture of so many is tried by default. */
const PART = 15;
const SOME_ROWS = 300;
const ajv = new Ajv2020({ allowUnionTypes: true });

const textOf = (view: string) => readFileSync(join(ROOT, schemaPath(view)), 'utf8');
const validators = new Map<string, ValidateFunction>();
const schemas = new Map<string, unknown>();
for (const { name } of schemaViews) {
  if (!existsSync(join(ROOT, schemaPath(name)))) continue;
  const schema = JSON.parse(textOf(name));
  schemas.set(name, schema);
  validators.set(name, ajv.compile(schema));
}
after(removeUnpacked);

/** Why a value is not valid; '' if it is. */
function faultOf(view: string, json: unknown): string {
  const validate = validators.get(view);
  assert.ok(validate, `${view} has a schema`);
  return validate(json) ? '' : ajv.errorsText(validate.errors);
}

/** Members at the top, and of rows, that the schema does not have. */
function unknownFields(view: string, json: unknown): string[] {
  const schema = schemas.get(view);
  assert.ok(isObject(schema) && isObject(schema['properties']) && isObject(schema['$defs']) && isObject(json), view);
  const { row, rest } = schema['$defs'];
  const fieldsOf = (type: unknown) => (isObject(type) && isObject(type['properties']) ? Object.keys(type['properties']) : []);
  const known = new Set([...fieldsOf(row), ...fieldsOf(rest)]);
  const rows: unknown[] = Array.isArray(json['rows']) ? json['rows'] : [];
  const found = new Set(rows.flatMap((one) => (isObject(one) ? Object.keys(one) : [])));
  const inHead = Object.keys(json).filter((name) => !fieldsOf(schema).includes(name));
  return [...inHead, ...[...found].filter((name) => !known.has(name)).map((name) => `rows[].${name}`)];
}

/** Holds outputs against the schemas. `shapes`: learn from them. Returns the views. */
async function checkOutputs(outputs: AsyncIterable<ViewOutput>, shapes?: ViewShapes): Promise<Set<string>> {
  const wrong: string[] = [];
  const seen = new Set<string>();
  for await (const output of outputs) {
    const { view, about, json } = output;
    seen.add(view);
    shapes?.learn(output);
    const fault = faultOf(view, json);
    if (fault !== '') wrong.push(`${about} ${view}: ${fault}`);
    for (const name of unknownFields(view, json)) wrong.push(`${about} ${view}: ${name} is not in the schema: npm run readme`);
  }
  assert.deepEqual(wrong, []);
  return seen;
}

test('every view with JSON of its own has a schema, and nothing else has', () => {
  const files = readdirSync(join(ROOT, 'docs/schema')).sort();
  assert.deepEqual(files, schemaViews.map(({ name }) => schemaPath(name).slice('docs/schema/'.length)).sort());
});

if (which === undefined)
  test('the views of some fixtures are valid, and have no field that the schema lacks', async () => {
    const seen = await checkOutputs(viewOutputs(PART, SOME_ROWS));
    assert.ok(seen.size >= schemaViews.length / 2, `${seen.size} views`);
  });

long('the views of all fixtures are valid', async () => {
  if (which === 'long') return;
  const seen = await checkOutputs(viewOutputs(1, SOME_ROWS));
  assert.equal(seen.size, schemaViews.length);
});

longest('all rows are valid, and the schemas are those that npm run readme makes', async () => {
  const shapes = new ViewShapes();
  await checkOutputs(viewOutputs(), shapes);
  for (const [path, text] of shapes.texts())
    assert.equal(readFileSync(join(ROOT, path), 'utf8'), text, `${path}: npm run readme`);
});

const PROFILE = join(FIXTURES, 'callgrind/default.callgrind.out');

/** What the program itself prints. */
function printed(...words: readonly string[]): Record<string, unknown> & { readonly rows: readonly Record<string, unknown>[] } {
  const { code, out, err } = runWarm([PROFILE, ...words, '--json']);
  assert.equal(code === 3 ? 0 : code, 0, err);
  return JSON.parse(out);
}

test('the program prints valid JSON, with a base, limits and a threshold', () => {
  const cases = [
    ['--print', 'summary'],
    ['--print', 'routines', '--threshold', '5', '--fail-if', 'Ir > 1'],
    ['--print', 'routines', '--base', PROFILE, '--limit', '5', '--fail-if', 'Ir > +1%'],
    ['--print', 'tree', '--focus', 'main', '--derive', 'Ratio=Ir/Ir'],
    ['--print', 'lines', '--filter', 'no such routine at all'],
  ];
  for (const words of cases) assert.equal(faultOf(words[1] ?? '', printed(...words)), '', words.join(' '));
});

test('a wrong type and a missing field are refused, and a new field is not', () => {
  const json = printed('--print', 'routines', '--threshold', '5');
  const [first = {}, ...others] = json.rows;
  const rest = others.at(-1) ?? {};
  const withRow = (row: object) => faultOf('routines', { ...json, rows: [row, ...others] });
  assert.equal(withRow({ ...first, new: 1 }), '');
  assert.match(withRow({ ...first, routine: 7 }), /rows\/0\/routine must be string/);
  assert.match(withRow({ ...first, calls: '7' }), /rows\/0\/calls must be number,null/);
  assert.match(withRow({ ...first, self: { Ir: 'seven' } }), /rows\/0\/self\/Ir must match pattern/);
  assert.equal(withRow({ ...first, self: { Ir: '9007199254740993' } }), '');
  const { self: _, ...withoutSelf } = first;
  assert.match(withRow(withoutSelf), /rows\/0 must have required property 'self'/);
  const { rows: __, ...withoutCount } = rest;
  assert.match(withRow(withoutCount), /rows\/0 must have required property 'rows'/);
  const { totals: ___, ...withoutTotals } = json;
  assert.match(faultOf('routines', withoutTotals), /must have required property 'totals'/);
  assert.match(faultOf('routines', { ...json, schemaVersion: 2 }), /schemaVersion must be equal to constant/);
  assert.match(faultOf('routines', { ...json, base: { paths: [] } }), /base must have required property 'totals'/);
});
