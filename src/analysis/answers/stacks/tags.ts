// Labels of sampled stacks: the sets that a filter selects, as with pprof's -tagfocus, the cost of each label, and distinct stacks.

import { memo } from '../../../base/lists.ts';
import { compilePattern } from '../../../base/pattern.ts';
import { unitFactor } from '../../../base/units.ts';
import { Numbering, sumByKey } from '../../../model/column.ts';
import { PairTable } from '../../../model/hash-table.ts';
import { eventValue } from '../../../model/head.ts';
import { hasKernel, type Profile, type ProfileOf } from '../../../model/profile.ts';
import { type Label, LabelSets, type SampleLabels } from '../../../model/stacks/labels.ts';
import { Interner, stringAt } from '../../../model/strings.ts';
import { type Active, activeIn } from '../once.ts';

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
const tagKeys = ({ strings, labels }: LabelledProfile): readonly string[] =>
  [...new Set(labels.key)].map((key) => stringAt(strings, key));

/** The keys of the labels of samples; none in other profiles. */
export function labelKeys(profile: Profile): readonly string[] {
  const of = profile.kind === 'stacks' ? labelsOf(profile) : undefined;
  return of ? tagKeys(of) : [];
}

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
  const setOf = Int32Array.from(labels.set, (set, s) => (!active || active(stacks.part[s]) ? set : -1));
  const sets = stacks.costs.map((column) => sumByKey(column, setOf, labels.start.length - 1));
  const tags: TagCost[] = [];
  const rows = new Numbering<string>();
  const columns: number[][] = stacks.costs.map(() => []);
  const rowFor = ({ key, value, numeric }: Tag) =>
    rows.numberOf(`${key}\n${numeric}${value}`, (row) => {
      tags.push({ key, value, numeric, row });
      for (const column of columns) column.push(0);
    });
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

// Labels of samples that parts and innermost frames record: the command, process and thread that ran, and the object that it was in.
// A label that the file itself has keeps its meaning.

/** perf's words, as for `perf report --sort comm,dso`. */
const KEYS = ['comm', 'process', 'thread', 'dso'] as const;

export type LabelledProfile = Pick<ProfileOf<'stacks'>, 'strings'> & { readonly labels: SampleLabels };

/** The labels of the samples with those of their parts and objects; undefined if there are none. */
export const labelsOf = memo((profile: ProfileOf<'stacks'>): LabelledProfile | undefined => {
  const { stacks, frames, routines, objects, labels, parts } = profile;
  const strings = Interner.fromStrings(profile.strings);
  const known = new Set(Array.from(labels?.key ?? [], (key) => stringAt(profile.strings, key)));
  const [comm, process, thread, dso] = KEYS.map((key) => (known.has(key) ? -1 : strings.textId(key)));
  const text = (key: number, value: number): Label[] =>
    key < 0 || value < 0 ? [] : [{ key, value, number: Number.NaN, unit: -1 }];
  const number = (key: number, value: number | null): Label[] =>
    key < 0 || value === null ? [] : [{ key, value: -1, number: value, unit: -1 }];
  const ofPart = parts.map(({ command, pid, thread: tid }) => [
    // A part without a thread is a run: its command is that of the profile.
    ...text(comm, tid === null || !command ? -1 : strings.textId(command)),
    ...number(process, pid),
    ...number(thread, tid),
  ]);
  const { start = [], key: keys = [], value = [], number: numbers = [], unit = [] } = labels ?? {};
  const recorded = Array.from(keys, (key, k): Label => ({ key, value: value[k], number: numbers[k], unit: unit[k] }));
  const sets = new LabelSets();
  const [ofParts, ofFrames, whole] = [0, 1, 2].map(() => new PairTable(Int32Array));
  const areCommands = beginWithCommands(profile);
  const set = stacks.part.map((part, s) => {
    const leaf = stacks.start[s] < stacks.start[s + 1] ? routines.object[frames.routine[stacks.frame[stacks.start[s]]]] : -1;
    const own = labels?.set[s] ?? 0;
    const root = areCommands ? routines.name[rootOf(profile, s)] : -1;
    const at = whole.numberOf(ofParts.numberOf(own, part), ofFrames.numberOf(leaf, root));
    const ofFrame = [...text(comm, root), ...text(dso, leaf < 0 ? -1 : objects.name[leaf])];
    if (at === sets.sets.length - 1) sets.addSet([...recorded.slice(start[own], start[own + 1]), ...ofPart[part], ...ofFrame]);
    return at + 1;
  });
  const tables = sets.buildTables(set);
  return tables && { strings: strings.finish(), labels: tables };
}, 4);

const rootOf = ({ stacks, frames }: ProfileOf<'stacks'>, stack: number): number =>
  frames.routine[stacks.frame[stacks.start[stack + 1] - 1]];

/** Functions at which threads start: a stack that begins with one begins with no command. */
const START_NAMES = /^_{0,3}(?:start|start_thread|clone\d?)$|^main$|^\[unknown\]$/;

/** Whether stacks begin with the command, as perf and bcc write them: all with a name that has no place and is no frame elsewhere. */
function beginWithCommands(profile: ProfileOf<'stacks'>): boolean {
  const { stacks, frames, routines, parts, strings } = profile;
  if (!hasKernel(profile) || parts.some(({ command, thread }) => command && thread !== null)) return false;
  const isRoot = new Uint8Array(routines.name.length);
  for (let s = 0; s < stacks.part.length; s++) {
    if (stacks.start[s + 1] - stacks.start[s] < 2) return false;
    isRoot[rootOf(profile, s)] = 1;
  }
  for (let s = 0; s < stacks.part.length; s++)
    for (let i = stacks.start[s]; i < stacks.start[s + 1] - 1; i++)
      if (isRoot[frames.routine[stacks.frame[i]]] === 1) return false;
  const isCommand = (r: number) =>
    routines.object[r] < 0 && routines.file[r] < 0 && !START_NAMES.test(stringAt(strings, routines.name[r]));
  return isRoot.includes(1) && isRoot.every((root, r) => root === 0 || isCommand(r));
}

// The distinct stacks of samples, as pprof's -traces lists them: each sequence of routines is one row, with the labels of its samples.

export interface DistinctStack {
  /** The stack's row in the table of costs. */
  readonly row: number;
  /** A recorded stack that has these routines. */
  readonly stack: number;
  readonly sets: Set<number>;
}

/** The distinct stacks with any cost, most expensive first by the first event, and the costs of each. */
export const distinctStacks = memo((profile: ProfileOf<'stacks'>, partsOff: ReadonlySet<number>) => {
  const { start, frame, part, costs } = profile.stacks;
  const { routine } = profile.frames;
  const active = activeIn(partsOff);
  const sets = labelsOf(profile)?.labels.set;
  /** Paths of routines from the outermost: pairs of the path above, plus one, and a routine. Path 0 has no frame. */
  const paths = new PairTable(Int32Array);
  const rowOfPath: number[] = [];
  const stacks: DistinctStack[] = [];
  const rowOf = Int32Array.from(part, (of, s) => {
    if (active && !active(of)) return -1;
    let path = 0;
    for (let k = start[s + 1] - 1; k >= start[s]; k--) path = paths.numberOf(path, routine[frame[k]]) + 1;
    const row = (rowOfPath[path] ??= stacks.length);
    if (row === stacks.length) stacks.push({ row, stack: s, sets: new Set() });
    stacks[row].sets.add(sets?.[s] ?? 0);
    return row;
  });
  const sums = costs.map((column) => sumByKey(column, rowOf, stacks.length));
  const cost = (of: DistinctStack) => eventValue(profile.events[0], sums, of.row);
  const withCost = stacks.filter(({ row }) => sums.some((column) => column[row] !== 0));
  return { stacks: withCost.sort((a, b) => cost(b) - cost(a)), costs: sums };
}, 2);

/** The labels of a stack's samples: their keys, and the values of each. */
export function labelsOfStack(profile: ProfileOf<'stacks'>, { sets }: DistinctStack): ReadonlyMap<string, ReadonlySet<string>> {
  const out = new Map<string, Set<string>>();
  const of = labelsOf(profile);
  if (!of) return out;
  for (const set of sets) for (const { key, value } of tagsOfSet(of, set)) out.set(key, (out.get(key) ?? new Set()).add(value));
  return out;
}
