// The shape of JSON values, learned from examples, and its JSON Schema. A field is required if every example has it.

export interface Schema {
  readonly [keyword: string]: SchemaValue;
}
type SchemaValue = string | number | boolean | null | Schema | readonly SchemaValue[];

/** Objects whose keys come from the profile: environment variables, what a format recorded beside its fields. */
const OPEN_FIELDS: ReadonlySet<string> = new Set(['env', 'more']);
/** Names that a format may not record, whatever the fixtures have. */
const NAMES: ReadonlySet<string> = new Set(['file', 'object']);
/** An integer beyond 2^53 is a string of at least 16 digits. */
const LARGE_INTEGER = /^-?[0-9]{16,}$/;

const SCALARS = ['boolean', 'number', 'string'] as const;
type Scalar = (typeof SCALARS)[number];

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export class Shape {
  private readonly scalars = new Set<Scalar>();
  private isNull = false;
  private hasLargeIntegers = false;
  private items: Shape | undefined;
  private objects = 0;
  /** Objects that have a key which is no name of an event. */
  private others = 0;
  private readonly fields = new Map<string, { count: number; readonly shape: Shape }>();
  /** The order of the fields: a new one comes behind the one before it in its object. */
  private readonly order: string[] = [];

  /** `events`: names of events, which are keys of costs. */
  learn(value: unknown, events: ReadonlySet<string>): void {
    if (value === null) this.isNull = true;
    else if (Array.isArray(value)) {
      const items = (this.items ??= new Shape());
      for (const item of value) items.learn(item, events);
    } else if (isObject(value)) this.learnObject(value, events);
    else if (typeof value === 'string' && LARGE_INTEGER.test(value)) this.hasLargeIntegers = true;
    else for (const scalar of SCALARS) if (typeof value === scalar) this.scalars.add(scalar);
  }

  private learnObject(value: Readonly<Record<string, unknown>>, events: ReadonlySet<string>): void {
    this.objects++;
    const keys = Object.keys(value);
    if (keys.some((key) => !events.has(key))) this.others++;
    let place = 0;
    for (const key of keys) {
      let field = this.fields.get(key);
      if (!field) {
        this.fields.set(key, (field = { count: 0, shape: new Shape() }));
        this.order.splice(place, 0, key);
      }
      field.count++;
      field.shape.learn(value[key], events);
      place = this.order.indexOf(key) + 1;
    }
  }

  /** Adds the types of other values of the same meaning. Their fields do not become fields here. */
  absorb(other: Shape): void {
    for (const scalar of other.scalars) this.scalars.add(scalar);
    this.isNull ||= other.isNull;
    this.hasLargeIntegers ||= other.hasLargeIntegers;
    for (const [name, { shape }] of this.fields) {
      const same = other.fields.get(name)?.shape;
      if (same) shape.absorb(same);
    }
  }

  /** The names of the fields, in their order. */
  get names(): readonly string[] {
    return this.order;
  }

  field(name: string): Shape | undefined {
    return this.fields.get(name)?.shape;
  }

  /** The fields that every example has, without those in `besides`. */
  requiredNames(besides: ReadonlySet<string> = new Set()): string[] {
    return this.order.filter((name) => this.fields.get(name)?.count === this.objects && !besides.has(name));
  }

  /** `name`: of the field that has these values. */
  schema(name: string): Schema {
    if (NAMES.has(name) && this.isText) return { type: ['string', 'null'] };
    const kinds = this.kinds(name);
    if (kinds.length === 0) return this.isNull ? { description: 'of any type: null in all fixtures' } : {};
    if (kinds.length === 1) return this.isNull ? withNull(kinds[0]) : kinds[0];
    return { anyOf: [...kinds, ...(this.isNull ? [{ type: 'null' }] : [])] };
  }

  /** Whether all values are texts or null. */
  private get isText(): boolean {
    const { scalars, items, objects, hasLargeIntegers } = this;
    return !items && objects === 0 && !hasLargeIntegers && [...scalars].every((scalar) => scalar === 'string');
  }

  /** The types of the values but null. */
  private kinds(name: string): Schema[] {
    const scalars = SCALARS.filter((scalar) => this.scalars.has(scalar));
    const isExact = this.hasLargeIntegers && !this.scalars.has('string');
    const plain = isExact ? scalars.filter((scalar) => scalar !== 'number') : scalars;
    return [
      ...(plain.length > 1 ? [{ type: plain }] : plain.map((type) => ({ type }))),
      ...(isExact ? [{ $ref: '#/$defs/exact' }] : []),
      ...(this.items ? [arrayOf(this.items.schema(name))] : []),
      ...(this.objects > 0 ? [this.objectSchema(name)] : []),
    ];
  }

  private objectSchema(name: string): Schema {
    if (OPEN_FIELDS.has(name)) return { type: 'object' };
    if (this.others === 0) return this.order.length === 0 ? { type: 'object' } : { $ref: '#/$defs/costs' };
    return this.recordSchema();
  }

  /** An object with named fields. */
  recordSchema(): Schema {
    const required = this.requiredNames();
    return {
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      properties: Object.fromEntries(this.order.map((name) => [name, this.fields.get(name)?.shape.schema(name) ?? {}])),
    };
  }
}

const arrayOf = (items: Schema): Schema => (Object.keys(items).length === 0 ? { type: 'array' } : { type: 'array', items });

/** The same type, or null. */
function withNull(schema: Schema): Schema {
  const { type, ...rest } = schema;
  if (typeof type === 'string') return { type: [type, 'null'], ...rest };
  return Array.isArray(type) ? { type: [...type, 'null'], ...rest } : { anyOf: [schema, { type: 'null' }] };
}
