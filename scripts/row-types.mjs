// The types of the rows of each report, as an interface of TypeScript, from the schemas in docs/schema. The build puts it into library.d.ts.
import { readdirSync, readFileSync } from 'node:fs';

const SUFFIX = '.schema.json';
const NAMED = { exact: 'Exact', costs: 'Readonly<Record<string, Exact | null>>' };

/** A type of JSON Schema as one of TypeScript: of the keywords that scripts/schema-shape.ts and schema-head.ts write. */
function typeText(schema, definitions) {
  const { $ref, anyOf, type, items, properties, required = [], additionalProperties } = schema;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if ($ref) {
    const name = $ref.replace('#/$defs/', '');
    return NAMED[name] ?? typeText(definitions[name], definitions);
  }
  if (anyOf) return [...new Set(anyOf.map((one) => typeText(one, definitions)))].join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeText({ ...schema, type: one }, definitions)).join(' | ');
  if (type === 'array') return `readonly (${items ? typeText(items, definitions) : 'unknown'})[]`;
  if (type !== 'object') return type ?? 'unknown';
  if (!properties)
    return `Readonly<Record<string, ${additionalProperties ? typeText(additionalProperties, definitions) : 'unknown'}>>`;
  const fields = Object.entries(properties).map(([name, field]) => {
    const optional = required.includes(name) ? '' : '?';
    return `readonly ${/^\w+$/.test(name) ? name : JSON.stringify(name)}${optional}: ${typeText(field, definitions)}`;
  });
  return `{ ${fields.join('; ')} }`;
}

/** The declaration of ReportRows: by report, the type of its rows. */
export function rowTypes() {
  const views = readdirSync('docs/schema').filter((file) => file.endsWith(SUFFIX));
  const members = views.flatMap((file) => {
    const { properties, $defs } = JSON.parse(readFileSync(`docs/schema/${file}`, 'utf8'));
    const rows = properties?.rows?.items;
    return rows ? `  readonly ${file.slice(0, -SUFFIX.length)}: ${typeText(rows, $defs)};` : [];
  });
  return `/** A number; an integer beyond 2^53 is a string of its digits. */\nexport type Exact = number | string;\n\n/** By report, the type of its rows. With a threshold, the last row may be the sum of those below it. */\nexport interface ReportRows {\n${members.join('\n')}\n}`;
}
