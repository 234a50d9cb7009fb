// Labels of sampled stacks: the sets that a filter selects, as with pprof's -tagfocus, and the cost of each label.
import { memo } from '../../../base/memo.ts';
import { compilePattern } from '../../../base/pattern.ts';
import { unitFactor } from '../../../base/units.ts';
import { Numbering } from '../../../model/column.ts';
import { eventValue } from '../../../model/head.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { stringAt } from '../../../model/strings.ts';
import { type Active, activeIn } from '../once.ts';
import { type LabelledProfile, labelsOf } from './part-labels.ts';

/** A label in words: `worker`, `1`; a number with its unit, `16 bytes`. */
export interface Tag {
  readonly key: string;
  readonly value: string;
  /** Whether the value is a number, not a text that looks like one. */
  readonly numeric: boolean;
}

/** Keys whose numbers are bytes even without a unit, as in pprof. */
const BYTE_KEYS = new Set(['alignment', 'request', 'bytes']);

function labelUnit({ strings, labels }: LabelledProfile, row: number): string {
  if (labels.unit[row] >= 0) return stringAt(strings, labels.unit[row]);
  return BYTE_KEYS.has(stringAt(strings, labels.key[row])) ? 'bytes' : '';
}

export function tagAt(of: LabelledProfile, row: number): Tag {
  const { strings, labels } = of;
  const key = stringAt(strings, labels.key[row]);
  if (labels.value[row] >= 0) return { key, value: stringAt(strings, labels.value[row]), numeric: false };
  const unit = labelUnit(of, row);
  return { key, value: unit === '' ? `${labels.number[row]}` : `${labels.number[row]} ${unit}`, numeric: true };
}

/** The keys of labels, in order of first appearance. */
export const tagKeys = ({ strings, labels }: LabelledProfile): readonly string[] =>
  [...new Set(labels.key)].map((key) => stringAt(strings, key));

/** The labels of a set, in order. */
export const tagsOfSet = (of: LabelledProfile, set: number): Tag[] => rowsOfSet(of, set).map((row) => tagAt(of, row));

const rowsOfSet = ({ labels: { start } }: LabelledProfile, set: number): number[] =>
  Array.from({ length: start[set + 1] - start[set] }, (_, k) => start[set] + k);

/** The values of a key in a set, in order; empty if the set lacks the key. */
export const valuesInSet = (of: LabelledProfile, set: number, key: string): string[] =>
  tagsOfSet(of, set).flatMap((tag) => (tag.key === key ? [tag.value] : []));

/**
 * By label set: 1 if the filter selects it. As in pprof, `KEY=RE,RE` matches any expression against the key's values; without
 * KEY=, each expression must match some `key:value`. A number or range (`16`, `:64kb`, `1mb:`, `4:8`) selects numeric labels.
 * `KEY=` alone selects all sets with the label.
 */
export function matchingSets(of: LabelledProfile, filter: string): Uint8Array {
  const { key, patterns, range, anyValue } = parseTagFilter(filter);
  const { labels } = of;
  const sets = labels.start.length - 1;
  const hit = new Uint8Array(sets);
  for (let set = 0; set < sets; set++) {
    const rows = rowsOfSet(of, set);
    const keyed = key === undefined ? rows : rows.filter((row) => stringAt(of.strings, labels.key[row]) === key);
    const numbers = keyed.filter((row) => labels.value[row] < 0);
    const texts = keyed.filter((row) => labels.value[row] >= 0).map((row) => tagAt(of, row));
    const is = range
      ? numbers.some((row) => range(labels.number[row], labelUnit(of, row)))
      : key === undefined
        ? patterns.every((test) => texts.some((t) => test(`${t.key}:${t.value}`)))
        : anyValue
          ? keyed.length > 0
          : patterns.some((test) => texts.some((t) => test(t.value)));
    if (is) hit[set] = 1;
  }
  return hit;
}

/**
 * Parses a filter. Throws PatternError for an invalid expression. `patterns`: without a key, each must match some label of a set; with a key,
 * one match is enough. `anyValue`: any value of the key, numbers too.
 */
export function parseTagFilter(filter: string) {
  const at = filter.indexOf('=');
  const [key, value] = at < 0 ? [undefined, filter] : [filter.slice(0, at), filter.slice(at + 1)];
  const range = parseTagRange(value);
  const patterns = range ? [] : value.split(',').map((text) => compilePattern(text, '').test);
  return { key, patterns, range, anyValue: value === '' };
}

const BOUND_TEXT = /^([+-]?\d{1,18})([a-z]*)$/i;

/** Undefined if the text is no range. An open end has no bound. */
function parseTagRange(text: string): ((value: number, unit: string) => boolean) | undefined {
  const parts = text.split(':');
  const bounds = parts.map((part) => BOUND_TEXT.exec(part));
  const isUnclear = parts.some((part, k) => part !== '' && !bounds[k]);
  if (parts.length > 2 || isUnclear || bounds.every((bound) => !bound)) return undefined;
  const [from, to = from] = bounds;
  return (value, unit) =>
    (!from || convertUnit(value, unit, from[2]) >= Number(from[1])) && (!to || convertUnit(value, unit, to[2]) <= Number(to[1]));
}

/** Converts a value to another unit. Unchanged without a unit; NaN, which is in no range, if the units do not match. */
function convertUnit(value: number, from: string, to: string): number {
  if (to === '' || from === to) return value;
  const [a, b] = [unitFactor(from), unitFactor(to)];
  if (!a || !b || a.of !== b.of) return Number.NaN;
  return (value * a.factor) / b.factor;
}

/** A label and its row in the cost table. */
export interface TagCost extends Tag {
  readonly row: number;
}

/** Labels with the costs of their samples. For each key, a row with an empty value holds samples without that key. */
function tagCosts({ stacks }: ProfileOf<'stacks'>, of: LabelledProfile, active: Active) {
  const { labels } = of;
  const sets = stacks.costs.map((column) => {
    const out = new Float64Array(labels.start.length - 1);
    for (let s = 0; s < stacks.part.length; s++) if (!active || active(stacks.part[s])) out[labels.set[s]] += column[s];
    return out;
  });
  const tags: TagCost[] = [];
  const rows = new Numbering<string>();
  const columns: number[][] = stacks.costs.map(() => []);
  const rowFor = ({ key, value, numeric }: Tag) => {
    const row = rows.numberOf(`${key}\n${numeric}${value}`);
    if (row === tags.length) {
      tags.push({ key, value, numeric, row });
      for (const column of columns) column.push(0);
    }
    return row;
  };
  const keys = tagKeys(of);
  for (let set = 0; set < labels.start.length - 1; set++) {
    const own = tagsOfSet(of, set);
    const lacks = keys.filter((key) => !own.some((tag) => tag.key === key));
    const counted = new Set([...own, ...lacks.map((key) => ({ key, value: '', numeric: false }))].map(rowFor));
    for (const row of counted) for (let c = 0; c < columns.length; c++) columns[c][row] += sets[c][set];
  }
  return { tags, costs: columns.map((column) => Float64Array.from(column)) };
}

/** Labels with any cost, the most expensive values of each key first, by the first event; empty without labels. */
export const tagRows = memo((profile: ProfileOf<'stacks'>, partsOff: ReadonlySet<number>) => {
  const of = labelsOf(profile);
  if (!of) return { tags: [], costs: [] };
  const { tags, costs } = tagCosts(profile, of, activeIn(partsOff));
  const [event] = profile.events;
  const keys = tagKeys(of);
  const cost = (t: TagCost) => eventValue(event, costs, t.row);
  const tagsWithCost = tags.filter((t) => costs.some((column) => column[t.row] !== 0));
  return { tags: tagsWithCost.sort((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key) || cost(b) - cost(a)), costs };
}, 2);

/** A filter that selects only this label. */
export function tagFilter({ key, value, numeric }: Tag): string {
  const number = numeric ? /^([+-]?\d{1,18})\b/.exec(value) : null;
  if (number) return `${key}=${number[1]}:${number[1]}`;
  return `${key}=^${value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll(',', '\\x2c')}$`;
}
