// The JSON Schemas of `--print VIEW --json`, from the output of every view of every fixture: docs/schema/VIEW.schema.json.
import { removeUnpacked, schemaViews, type ViewOutput, viewOutputs } from './schema-cases.ts';
import { DEFINITIONS, HEAD_REQUIRED, headProperties, REST_ROW } from './schema-head.ts';
import { isObject, type Schema, Shape } from './schema-shape.ts';

/** The path of the schema of a view. */
export const schemaPath = (view: string): string => `docs/schema/${view}.schema.json`;

interface ViewShape {
  /** The object without its rows. */
  readonly head: Shape;
  readonly row: Shape;
  hasRest: boolean;
  /** False for views whose JSON is one object of its own (brief). */
  hasRows: boolean;
}

/** The shapes of all views, learned from their output. */
export class ViewShapes {
  private readonly shapes = new Map<string, ViewShape>();
  private version = 0;

  learn({ view, json, events }: ViewOutput): void {
    if (!isObject(json)) throw new Error(`${view} is not an object`);
    const { rows, ...head } = json;
    if (rows !== undefined && !Array.isArray(rows)) throw new Error(`${view} has no rows`);
    if (typeof head['schemaVersion'] === 'number') this.version = head['schemaVersion'];
    const shape: ViewShape = this.shapes.get(view) ?? {
      head: new Shape(),
      row: new Shape(),
      hasRest: false,
      hasRows: rows !== undefined,
    };
    this.shapes.set(view, shape);
    shape.head.learn(head, events);
    for (const row of rows ?? [])
      if (isRestRow(row)) shape.hasRest = true;
      else shape.row.learn(row, events);
  }

  /** The text of the schema of each view, by its path. */
  texts(): Map<string, string> {
    const texts = new Map<string, string>();
    for (const { name, title } of schemaViews) {
      const shape = this.shapes.get(name);
      if (!shape) throw new Error(`no fixture has the view ${name}`);
      texts.set(schemaPath(name), `${JSON.stringify(this.schemaOf(name, title, shape), null, 2)}\n`);
    }
    return texts;
  }

  private schemaOf(view: string, title: string, shape: ViewShape): Schema {
    const { head, row, hasRest } = shape;
    if (!shape.hasRows) return { ...schemaHead(view, title), ...head.recordSchema(), $defs: DEFINITIONS };
    // A column of the base has the types of the same column in this run.
    row.field('base')?.absorb(row);
    const known = headProperties(view, this.version);
    const own = head.names.filter((name) => !(name in known));
    const ownRequired = head.requiredNames(new Set(Object.keys(known)));
    const items = hasRest ? { anyOf: [{ $ref: '#/$defs/row' }, { $ref: '#/$defs/rest' }] } : { $ref: '#/$defs/row' };
    return {
      ...schemaHead(view, title),
      type: 'object',
      required: [...HEAD_REQUIRED, ...ownRequired],
      properties: {
        ...known,
        ...Object.fromEntries(own.map((name) => [name, head.field(name)?.schema(name) ?? {}])),
        rows: { type: 'array', items },
      },
      $defs: { ...DEFINITIONS, row: row.recordSchema(), ...(hasRest ? { rest: REST_ROW } : {}) },
    };
  }
}

const schemaHead = (view: string, title: string): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: `proftui --print ${view} --json`,
  description: title,
});

const isRestRow = (row: unknown): boolean => isObject(row) && row['rest'] === true;

/** The texts of all schemas, by path. Takes most of a minute: all views of all fixtures are written. */
export async function schemaTexts(): Promise<Map<string, string>> {
  const shapes = new ViewShapes();
  try {
    for await (const output of viewOutputs()) shapes.learn(output);
  } finally {
    removeUnpacked();
  }
  return shapes.texts();
}
