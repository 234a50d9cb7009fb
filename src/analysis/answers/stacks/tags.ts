// Labels of sampled stacks: which sets a filter means, as pprof reads its -tagfocus, and what each label costs.
import { memo } from '../../../base/memo.ts';
import { compilePattern } from '../../../base/pattern.ts';
import { unitFactor } from '../../../base/units.ts';
import { eventValue } from '../../../model/event-value.ts';
import { Numbering } from '../../../model/groups.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { SampleLabels } from '../../../model/stacks/labels.ts';
import type { Stacks } from '../../../model/stacks/tables.ts';
import { type Strings, stringAt } from '../../../model/strings.ts';
import { type Active, activeIn } from '../once.ts';

type Labelled = Pick<ProfileOf<'stacks'>, 'strings'> & { readonly labels: SampleLabels };

/** A label in words: `worker`, `1`; a number with its unit, `16 bytes`. */
export interface Tag {
  readonly key: string;
  readonly value: string;
  /** Its value is a number, not a text that looks like one. */
  readonly numeric: boolean;
}

/** Without a unit, a number counts what its key says; pprof takes these two for bytes. */
const BYTES = new Set(['alignment', 'request', 'bytes']);

function unitOf({ strings, labels }: Labelled, row: number): string {
  if (labels.unit[row] >= 0) return stringAt(strings, labels.unit[row]);
  const key = stringAt(strings, labels.key[row]);
  return BYTES.has(key) ? 'bytes' : '';
}

export function tagAt(of: Labelled, row: number): Tag {
  const { strings, labels } = of;
  const key = stringAt(strings, labels.key[row]);
  if (labels.value[row] >= 0) return { key, value: stringAt(strings, labels.value[row]), numeric: false };
  const unit = unitOf(of, row);
  return { key, value: unit === '' ? `${labels.number[row]}` : `${labels.number[row]} ${unit}`, numeric: true };
}

/** The keys of labels, in order of first appearance. */
export function tagKeys({ strings, labels }: Labelled): readonly string[] {
  return [...new Set(labels.key)].map((key) => stringAt(strings, key));
}

/** The values of a key in a set, in their order; empty if the set does not have it. */
export function valuesIn(of: Labelled, set: number, key: string): string[] {
  const out: string[] = [];
  for (let row = of.labels.start[set]; row < of.labels.start[set + 1]; row++) {
    const tag = tagAt(of, row);
    if (tag.key === key) out.push(tag.value);
  }
  return out;
}

/** Whether a label matches: `text` is undefined for a number. */
interface Test {
  readonly key: string | undefined;
  /** All of these must match some label of a set without a key; with one, any of them is enough. */
  readonly patterns: readonly ((text: string) => boolean)[];
  readonly range: ((value: number, unit: string) => boolean) | undefined;
  /** Any value of the key, numbers too. */
  readonly whatever: boolean;
}

/**
 * By set of labels: 1 if the filter means it. As in pprof: `KEY=RE,RE` matches any of the expressions with a value of the key; without
 * KEY=, each expression must match some `key:value`. A number or a range, `16`, `:64kb`, `1mb:` or `4:8`, is of the labels that are numbers. `KEY=` alone
 * means whatever has the label.
 */
export function hitSets(of: Labelled, filter: string): Uint8Array {
  const { key, patterns, range, whatever } = tagTest(filter);
  const { labels } = of;
  const sets = labels.start.length - 1;
  const hit = new Uint8Array(sets);
  for (let set = 0; set < sets; set++) {
    const rows = Array.from({ length: labels.start[set + 1] - labels.start[set] }, (_, k) => labels.start[set] + k);
    const keyed = key === undefined ? rows : rows.filter((row) => stringAt(of.strings, labels.key[row]) === key);
    const numbers = keyed.filter((row) => labels.value[row] < 0);
    const texts = keyed.filter((row) => labels.value[row] >= 0).map((row) => tagAt(of, row));
    const is = range
      ? numbers.some((row) => range(labels.number[row], unitOf(of, row)))
      : key === undefined
        ? patterns.every((test) => texts.some((t) => test(`${t.key}:${t.value}`)))
        : whatever
          ? keyed.length > 0
          : patterns.some((test) => texts.some((t) => test(t.value)));
    if (is) hit[set] = 1;
  }
  return hit;
}

/** Reads a filter. Throws PatternError for what is no expression. */
export function tagTest(filter: string): Test {
  const at = filter.indexOf('=');
  const [key, value] = at < 0 ? [undefined, filter] : [filter.slice(0, at), filter.slice(at + 1)];
  const range = rangeOf(value);
  if (range) return { key, patterns: [], range, whatever: false };
  return {
    key,
    patterns: value.split(',').map((text) => compilePattern(text, '').test),
    range: undefined,
    whatever: value === '',
  };
}

const BOUND = /^([+-]?\d{1,18})([a-z]*)$/i;

interface Bound {
  readonly value: number;
  readonly unit: string;
}

function rangeOf(text: string): Test['range'] {
  const parts = text.split(':');
  if (parts.length > 2) return undefined;
  const bounds = parts.map((part): Bound | undefined | 'none' => {
    if (part === '') return 'none';
    const m = BOUND.exec(part);
    return m ? { value: Number(m[1]), unit: m[2] } : undefined;
  });
  const [from, to = from] = bounds;
  if (from === undefined || to === undefined || (from === 'none' && to === 'none')) return undefined;
  return (value, unit) =>
    (from === 'none' || scaled(value, unit, from.unit) >= from.value) &&
    (to === 'none' || scaled(value, unit, to.unit) <= to.value);
}

/** A value in another unit; the same where one of the units is not known, and NaN, which no range has, where they do not fit. */
function scaled(value: number, from: string, to: string): number {
  if (to === '' || from === to) return value;
  const [a, b] = [unitFactor(from), unitFactor(to)];
  if (!a || !b || a.of !== b.of) return Number.NaN;
  return (value * a.factor) / b.factor;
}

/** The cost of the samples with a label, by raw column. */
export interface TagCost extends Tag {
  readonly row: number;
}

export interface TagCosts {
  readonly tags: readonly TagCost[];
  readonly costs: readonly Float64Array[];
}

/** The labels with the costs of their samples; for each key, what no label of it has is the last row, with an empty value. */
export function tagCosts(profile: ProfileOf<'stacks'> & Labelled, active: Active): TagCosts {
  const { stacks, labels } = profile;
  const sets = sumsOfSets(stacks, labels, active);
  const tags: TagCost[] = [];
  const rows = new Numbering<string>();
  const columns: number[][] = stacks.costs.map(() => []);
  const rowFor = ({ key, value, numeric }: Tag) => {
    const row = rows.of(`${key}\n${numeric}${value}`);
    if (row === tags.length) {
      tags.push({ key, value, numeric, row });
      for (const column of columns) column.push(0);
    }
    return row;
  };
  const keys = tagKeys(profile);
  for (let set = 0; set < labels.start.length - 1; set++) {
    const met = new Set<number>();
    const has = new Set<string>();
    for (let row = labels.start[set]; row < labels.start[set + 1]; row++) {
      const tag = tagAt(profile, row);
      has.add(tag.key);
      met.add(rowFor(tag));
    }
    for (const key of keys) if (!has.has(key)) met.add(rowFor({ key, value: '', numeric: false }));
    for (const row of met) for (let c = 0; c < columns.length; c++) columns[c][row] += sets[c][set];
  }
  return { tags, costs: columns.map((column) => Float64Array.from(column)) };
}

/** The same with the most expensive values of each label first, by the first event; nothing of a profile without labels. */
export const tagRows = memo((profile: ProfileOf<'stacks'>, partsOff: ReadonlySet<number>): TagCosts => {
  const of = labelled(profile);
  if (!of) return { tags: [], costs: [] };
  const { tags, costs } = tagCosts({ ...profile, labels: of.labels }, activeIn(partsOff));
  const [event] = profile.events;
  const keys = tagKeys(of);
  const cost = (t: TagCost) => eventValue(event, costs, t.row);
  const there = tags.filter((t) => costs.some((column) => column[t.row] !== 0));
  return { tags: there.sort((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key) || cost(b) - cost(a)), costs };
}, 2);

function sumsOfSets({ part, costs }: Stacks, { set, start }: SampleLabels, active: Active): Float64Array[] {
  return costs.map((column) => {
    const out = new Float64Array(start.length - 1);
    for (let s = 0; s < part.length; s++) if (!active || active(part[s])) out[set[s]] += column[s];
    return out;
  });
}

/** A filter that means this label alone. */
export function tagFilter({ key, value, numeric }: Tag): string {
  const number = numeric ? /^([+-]?\d{1,18})\b/.exec(value) : null;
  if (number) return `${key}=${number[1]}:${number[1]}`;
  return `${key}=^${value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll(',', '\\x2c')}$`;
}

/** The strings and labels of a profile that has labels; undefined of one that has none. */
export function labelled(profile: { readonly strings: Strings; readonly labels?: SampleLabels }): Labelled | undefined {
  return profile.labels ? { strings: profile.strings, labels: profile.labels } : undefined;
}
