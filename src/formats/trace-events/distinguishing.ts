// The argument that tells events of one name apart: which file `checkSourceFile` checks, which line of CMake's files `message` is at. Writers
// name it in many ways (path, location, functionArgs, arg0), so it is chosen by its values.
import { getOrMake } from '../../base/lists.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import { isBlank, objectOf, parseJson, textOf } from '../shared/json.ts';

/** The number of events of each name whose arguments are compared, and the most bytes of a value. */
const MAX_COMPARED = 500;
const MAX_VALUE_LENGTH = 500;
/** Ids tell events apart, but say nothing. */
const ID = /^(?:0x)?[0-9a-f-]{6,}$|^\d+$/i; // bounded: MAX_VALUE_LENGTH
/** Keys with as many values are in this order: names of places, other names, others. */
const KEY_RANKS = [/path|file|location|url|source/i, /name|detail|title|label|symbol|module/i];

const rankOf = (key: string): number => {
  const rank = KEY_RANKS.findIndex((keys) => keys.test(key));
  return rank < 0 ? KEY_RANKS.length : rank;
};

const textArguments = (json: string): [key: string, value: string][] =>
  Object.entries(objectOf(parseJson(json))).flatMap(([key, value]): [string, string][] => {
    const text = textOf(value);
    return text && text.length <= MAX_VALUE_LENGTH && !ID.test(text) ? [[key, text]] : [];
  });

const [QUOTE, BACKSLASH, OPEN, COLON] = ['"', '\\', '{', ':'].map((c) => c.charCodeAt(0));

/** Copies an argument's text to `out`; `start`: its quoted key. Returns its length; -1 if nested or escaped: to be parsed. */
function copyArgument(start: Uint8Array, bytes: Uint8Array, from: number, to: number, out: Uint8Array): number {
  for (let at = from + 1; at < to; at++) if (bytes[at] === OPEN || bytes[at] === BACKSLASH) return -1;
  for (let at = from; at + start.length < to; at++) {
    let k = 0;
    while (k < start.length && bytes[at + k] === start[k]) k++;
    if (k < start.length) continue;
    let v = at + k;
    while (isBlank(bytes[v]) || bytes[v] === COLON) v++;
    if (bytes[v++] !== QUOTE) return -1;
    let length = 0;
    for (; v < to && bytes[v] !== QUOTE; v++) out[length++] = bytes[v];
    return length <= MAX_VALUE_LENGTH ? length : -1;
  }
  return -1;
}

/** The key with the most values among these arguments; undefined if none tells them apart. */
function distinguishingKey(events: readonly (readonly [key: string, value: string])[][]): string | undefined {
  const values = new Map<string, Set<string>>();
  for (const event of events) for (const [key, value] of event) getOrMake(values, key, () => new Set()).add(value);
  const told = [...values].filter(([, of]) => of.size > 1 || events.length === 1);
  const [best] = told.sort(([a, left], [b, right]) => right.size - left.size || rankOf(a) - rankOf(b));
  return best?.[0];
}

/** Gives slices from row `first` on without a detail the text of the argument that tells them from others of their name. */
export function addDetails(rows: StepWriter, first: number): void {
  const { strings } = rows.sink;
  const { name, text } = rows.columns;
  const byName = new Map<number, number[]>();
  for (let row = first; row < rows.rows; row++)
    if (text.detail.get(row) < 0 && text.more.get(row) >= 0) getOrMake(byName, name.data[row], () => []).push(row);
  for (const list of byName.values()) {
    const compared = list.slice(0, MAX_COMPARED).map((row) => textArguments(rows.text('more', row) ?? ''));
    const key = distinguishingKey(compared);
    if (key === undefined) continue;
    const start = new TextEncoder().encode(`"${key}"`);
    /** By text of arguments: their detail. Many events have the same ones. */
    const known = new Map<number, number>();
    const detailOf = (more: number): number => {
      const copied = strings.changedId(more, (bytes, from, to, out) => copyArgument(start, bytes, from, to, out));
      if (copied !== more) return copied;
      const found = textArguments(strings.text(more)).find(([own]) => own === key);
      return found ? strings.textId(found[1]) : -1;
    };
    for (const row of list) {
      const detail = getOrMake(known, text.more.get(row), detailOf);
      if (detail >= 0) text.detail.set(row, detail);
    }
  }
}
