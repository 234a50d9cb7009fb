// Matches equal lines of two texts: by a shortest edit script, or by anchors if the texts differ too much.
import { diffArrays } from 'diff';
import { firstIndexWhere, groupByKey, numbersAlong, pairByKey } from '../../../base/lists.ts';
import { Numbering } from '../../../model/column.ts';
import type { LineChange } from '../costing.ts';

/**
 * Limit on the squared number of edits of a search, whose time grows with that square: 2,000 edits take half a second. Searches
 * between anchors share this limit.
 */
const MAX_SQUARED_EDITS = 4_000_000;

/** Two texts as numbers, one number per distinct line. `found`: by old line, its new index plus 1, or 0. */
type NumberedTexts = ReturnType<typeof numberLines>;

/** A range of lines in both texts. Ends are exclusive. */
type LineRange = Readonly<Record<'a' | 'aEnd' | 'b' | 'bEnd', number>>;

/**
 * For every old line (the first has index 0) the number of its new one (the first has number 1), 0 if there is none. Both go up together;
 * blanks at the end of a line do not count. The same texts always give the same result: what bounds the time is no clock.
 */
export function matchLines(before: readonly string[], now: readonly string[]): Uint32Array {
  // The order makes the result independent of which text is the old one, even with several shortest scripts.
  return textPrecedes(before, now) ? matchOrdered(before, now) : invertLineMap(matchOrdered(now, before), before.length);
}

/** Defines an order of two texts that does not depend on which one is passed first. */
function textPrecedes(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return a.length < b.length;
  const at = a.findIndex((line, i) => line !== b[i]);
  return at < 0 || a[at] < b[at];
}

/** Inverts a map of lines: the same pairs, indexed by the lines of the other text. */
export function invertLineMap(found: Uint32Array, lines: number): Uint32Array {
  const out = new Uint32Array(lines);
  for (let i = 0; i < found.length; i++) if (found[i] > 0) out[found[i] - 1] = i + 1;
  return out;
}

function matchOrdered(before: readonly string[], now: readonly string[]): Uint32Array {
  const texts = numberLines(before, now, new Uint32Array(before.length));
  const differing = matchEnds(texts, wholeRange(texts));
  if (!matchShortest(texts, differing, MAX_SQUARED_EDITS)) matchBetween(texts, differing, findAnchors(texts, differing));
  return texts.found;
}

function numberLines(before: readonly string[], now: readonly string[], found: Uint32Array) {
  const numbers = new Numbering<string>();
  const numberOf = (line: string) => numbers.numberOf(line.trimEnd());
  return { before: before.map(numberOf), now: now.map(numberOf), found };
}

const wholeRange = ({ before, now }: NumberedTexts): LineRange => ({ a: 0, aEnd: before.length, b: 0, bEnd: now.length });

type KeyPair = readonly [before: readonly string[], now: readonly string[]];

/**
 * Matches two sequences by two keys per element. The loose keys match the elements between pairs with equal strict keys. The
 * result is like that of matchLines(), but depends on the order of the sequences.
 */
export function matchByKeys(strict: KeyPair, loose: KeyPair): Uint32Array {
  const found = matchOrdered(...strict);
  const pairs: [number, number][] = [];
  for (const [at, there] of found.entries()) if (there > 0) pairs.push([at, there - 1]);
  const texts = numberLines(...loose, found);
  matchBetween(texts, wholeRange(texts), pairs);
  return found;
}

/** Matches the common start and end of a range. Returns the rest. */
function matchEnds({ before, now, found }: NumberedTexts, { a, aEnd, b, bEnd }: LineRange): LineRange {
  while (a < aEnd && b < bEnd && before[a] === now[b]) found[a++] = ++b;
  while (a < aEnd && b < bEnd && before[aEnd - 1] === now[bEnd - 1]) found[--aEnd] = bEnd--;
  return { a, aEnd, b, bEnd };
}

/** Matches a range by the shortest edit script. Returns false, without any match, if that would exceed `effort`. */
function matchShortest({ before, now, found }: NumberedTexts, { a, aEnd, b, bEnd }: LineRange, effort: number): boolean {
  if (a === aEnd || b === bEnd) return true;
  const maxEditLength = Math.floor(Math.sqrt(effort));
  const changes = diffArrays(before.slice(a, aEnd), now.slice(b, bEnd), { maxEditLength });
  for (const { added, removed, count } of changes ?? []) {
    if (!added && !removed) for (let k = 0; k < count; k++) found[a + k] = b + k + 1;
    if (!added) a += count;
    if (!removed) b += count;
  }
  return changes !== undefined;
}

/** Adds pairs, which ascend in both texts, and matches the lines between them. */
function matchBetween(texts: NumberedTexts, whole: LineRange, pairs: readonly (readonly [number, number])[]): void {
  const lines = whole.aEnd - whole.a + whole.bEnd - whole.b;
  let { a, b } = whole;
  for (const [aEnd, bEnd] of [...pairs, [whole.aEnd, whole.bEnd]]) {
    if (aEnd < whole.aEnd) texts.found[aEnd] = bEnd + 1;
    const share = (aEnd - a + bEnd - b) / lines;
    matchShortest(texts, matchEnds(texts, { a, aEnd, b, bEnd }), MAX_SQUARED_EDITS * share);
    [a, b] = [aEnd + 1, bEnd + 1];
  }
}

/** Finds anchors: the longest ascending sequence of pairs of lines that are unique in both texts of the range. */
function findAnchors({ before, now }: NumberedTexts, { a, aEnd, b, bEnd }: LineRange): [number, number][] {
  const inNow = uniqueLines(now, b, bEnd);
  const pairs: [number, number][] = [];
  for (const [line, at] of uniqueLines(before, a, aEnd)) {
    const there = inNow.get(line);
    if (there !== undefined) pairs.push([at, there]);
  }
  // The last pair of the best sequence of each length, and the predecessor of each pair.
  const ends: number[] = [];
  const previous = new Int32Array(pairs.length);
  pairs.forEach(([, there], i) => {
    const length = firstIndexWhere(ends.length, (k) => pairs[ends[k]][1] > there);
    previous[i] = length > 0 ? ends[length - 1] : -1;
    ends[length] = i;
  });
  return numbersAlong(previous, ends.at(-1) ?? -1)
    .reverse()
    .map((i) => pairs[i]);
}

/** By line: its index, for lines that are unique in the range. */
function uniqueLines(text: readonly number[], from: number, end: number): Map<number, number> {
  const rows = groupByKey(text.slice(from, end).keys(), (k) => text[from + k]);
  return new Map([...rows].flatMap(([line, [first, ...more]]) => (more.length === 0 ? [[line, from + first] as const] : [])));
}

/** The lines of a text and the change of each; lines that are matched have none. */
type ChangedText = readonly [text: readonly string[], changes: (LineChange | undefined)[]];

/**
 * The change of each line of both texts. `equal`: by old line, its new line with the same text. `found`: the same, and the line that
 * replaced it.
 */
export function findLineChanges(before: readonly string[], now: readonly string[], equal: Uint32Array) {
  const matched = new Set(equal);
  const old = Array.from(equal, (line): LineChange | undefined => (line > 0 ? undefined : 'gone'));
  const own = Array.from(now, (_, i): LineChange | undefined => (matched.has(i + 1) ? undefined : 'new'));
  const [oldText, newText]: ChangedText[] = [before, now].map((text, side) => [text, side === 0 ? old : own]);
  const textOf = (i: number, isBefore: boolean) => (isBefore ? before : now)[i].trimEnd();
  // Equal lines that are not matched have moved. They are paired in order.
  for (const [nowIndex, beforeIndex] of pairByKey(unmatchedLines(newText), unmatchedLines(oldText), textOf).pairs)
    own[nowIndex] = old[beforeIndex] = 'moved';
  const replaced = textPrecedes(before, now)
    ? pairReplacedLines(oldText, newText)
    : pairReplacedLines(newText, oldText).map(([b, a]) => [a, b] as const);
  const found = equal.slice();
  for (const [a, b] of replaced) {
    found[a] = b + 1;
    own[b] = 'changed';
  }
  return { before: old, now: own, found };
}

/** The unmatched lines with letters or digits, so that they can be recognized elsewhere; a brace cannot. */
const unmatchedLines = ([text, changes]: ChangedText): number[] =>
  [...changes.keys()].filter((i) => changes[i] && changes[i] !== 'moved' && /[\p{L}\p{N}]/u.test(text[i]));

/** The most lines of each text between two equal lines, and words of each, that are compared. */
const MAX_REPLACED_LINES = 50;
const MAX_WORDS = 40;

/**
 * Pairs lines between the same equal lines: those that share half of their words; then a line that is the only one there in both texts.
 * Pairs are indexes, and ascend in both.
 */
function pairReplacedLines(before: ChangedText, now: ChangedText): (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  const inNow = groupByStretch(now);
  for (const [stretch, old] of groupByStretch(before)) {
    const own = inNow.get(stretch) ?? [];
    if (Math.max(old.length, own.length) > MAX_REPLACED_LINES) continue;
    const comparator = (a: Set<string>, b: Set<string>) => 4 * [...a].filter((word) => b.has(word)).length >= a.size + b.size;
    const changes = diffArrays(wordsOf(before, old), wordsOf(now, own), { comparator });
    let [a, b] = [0, 0];
    for (const [i, { added, removed, count }] of changes.entries()) {
      const next = changes[i + 1];
      const isReplaced = count === 1 && next?.count === 1 && (removed ? next.added : added && next.removed);
      for (let k = 0; k < count && (isReplaced || !(added || removed)); k++) pairs.push([old[a + k], own[b + k]]);
      if (!added) a += count;
      if (!removed) b += count;
    }
  }
  return pairs;
}

const wordsOf = ([text]: ChangedText, lines: readonly number[]): Set<string>[] =>
  lines.map((i) => new Set((text[i].match(/[\p{L}\p{N}_]+/gu) ?? []).slice(0, MAX_WORDS)));

/** Groups the unmatched lines by how many matched lines stand above. */
function groupByStretch(side: ChangedText): Map<number, number[]> {
  let matched = 0;
  const above = side[1].map((change) => (change ? matched : matched++));
  return groupByKey(unmatchedLines(side), (i) => above[i]);
}
