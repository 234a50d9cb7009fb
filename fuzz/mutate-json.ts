// Mutations of JSON: members and elements taken away, doubled and moved, types exchanged, nesting, numbers that no double holds.
import { isObject } from '../src/formats/shared/json.ts';
import { hostileNumber, hostileString } from './hostile.ts';
import { utf8 } from './input.ts';
import type { Random } from './random.ts';

/** A number that JSON.stringify would write otherwise: its text, put in afterwards. */
const RAW = '\ue000raw:';
/** A key that stands twice: the second time it is written with this mark. */
const AGAIN = '\ue001';

type Node = Record<string, unknown> | unknown[];

interface Place {
  readonly node: Node;
  readonly key: string | number;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** A random place: down from the root, by a random child. */
function placeIn(root: Node, random: Random): Place | undefined {
  let node: Node = root;
  for (;;) {
    const keys = Array.isArray(node) ? [...node.keys()] : Object.keys(node);
    if (keys.length === 0) return undefined;
    const key = random.pick<string | number>(keys);
    const child = valueAt({ node, key });
    if (isNode(child) && (Array.isArray(child) ? child.length : Object.keys(child).length) > 0 && random.chance(0.8))
      node = child;
    else return { node, key };
  }
}

const valueAt = ({ node, key }: Place): unknown => (Array.isArray(node) ? node[Number(key)] : node[String(key)]);

function put({ node, key }: Place, value: unknown): void {
  if (Array.isArray(node)) node[Number(key)] = value;
  else Object.defineProperty(node, String(key), { value, enumerable: true, configurable: true, writable: true });
}

function drop({ node, key }: Place): void {
  if (Array.isArray(node)) node.splice(Number(key), 1);
  else delete node[String(key)];
}

function nested(random: Random, inner: unknown): unknown {
  let out = inner;
  const depth = random.chance(0.2) ? random.pick([100, 500, 2000]) : random.between(1, 8);
  const list = random.chance(0.5);
  for (let i = 0; i < depth; i++) out = list ? [out] : { a: out };
  return out;
}

/** The same said by another type. */
function otherType(value: unknown, random: Random): unknown {
  switch (random.below(9)) {
    case 0:
      return null;
    case 1:
      return JSON.stringify(value) ?? '';
    case 2:
      return RAW + hostileNumber(random);
    case 3:
      return [value];
    case 4:
      return { toString: 1, value };
    case 5:
      return random.chance(0.5);
    case 6:
      return {};
    case 7:
      return [];
    default:
      return nested(random, value);
  }
}

const KEYS = ['__proto__', 'constructor', 'toString', 'length', '', 'a'.repeat(5000), '0', '-1'];

type Change = (at: Place, root: Node, random: Random) => void;

const CHANGES: readonly Change[] = [
  (at, _, random) => put(at, otherType(valueAt(at), random)),
  (at, _, random) => {
    const value = valueAt(at);
    if (typeof value === 'number') put(at, random.chance(0.3) ? -value : RAW + hostileNumber(random));
    else if (typeof value === 'string') put(at, random.chance(0.3) ? value + hostileString(random) : hostileString(random));
    else put(at, random.chance(0.5) ? hostileString(random) : RAW + hostileNumber(random));
  },
  (at) => drop(at),
  (at, root, random) => {
    const other = placeIn(root, random);
    // A copy: a tree that holds itself cannot be written.
    if (other) put(at, structuredClone(valueAt(other)));
  },
  ({ node, key }, _, random) => {
    const value = valueAt({ node, key });
    if (Array.isArray(node)) node.splice(random.below(node.length), 0, ...new Array<unknown>(random.small(50)).fill(value));
    else put({ node, key: `${AGAIN}${key}` }, random.chance(0.5) ? value : otherType(value, random));
  },
  ({ node, key }, _, random) => {
    if (Array.isArray(node)) node.reverse();
    else {
      const value = valueAt({ node, key });
      drop({ node, key });
      put({ node, key: random.chance(0.5) ? random.pick(KEYS) : hostileString(random) }, value);
    }
  },
  ({ node }, _, random) => {
    if (!Array.isArray(node)) put({ node, key: random.pick(KEYS) }, otherType('x', random));
  },
];

/** The value as JSON in UTF-8, a character for each byte. */
function written(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return utf8(text.replace(/"\ue000raw:((?:[^"\\]|\\.)*)"/g, '$1').replaceAll(AGAIN, ''));
}

function parsed(text: string): Node | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'latin1').toString('utf8'));
    return isNode(value) ? value : undefined;
  } catch {
    // What was mutated before may be no JSON any more.
    return undefined;
  }
}

/** Changes a few values of a JSON text, or of one of its lines; undefined if there is no JSON that could be changed. */
export function mutateJson(text: string, random: Random): string | undefined {
  try {
    return changed(text, random);
  } catch (error) {
    // Nested too deeply by mutations before.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function changed(text: string, random: Random): string | undefined {
  const root = text.length < 200_000 ? parsed(text) : undefined;
  if (!root) return mutateLine(text, random);
  for (let n = random.small(4) + 1; n > 0; n--) {
    const at = placeIn(root, random);
    if (at) random.pick(CHANGES)(at, root, random);
  }
  return written(random.chance(0.02) ? nested(random, root) : random.chance(0.02) && isObject(root) ? [root] : root);
}

function mutateLine(text: string, random: Random): string | undefined {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  const root = lines[at].length < 200_000 && /^\s*[[{]/.test(lines[at]) ? parsed(lines[at].replace(/,\s*$/, '')) : undefined;
  const place = root && placeIn(root, random);
  if (!place) return undefined;
  random.pick(CHANGES)(place, root, random);
  lines[at] = written(root) + (/,\s*$/.test(lines[at]) ? ',' : '');
  return lines.join('\n');
}
