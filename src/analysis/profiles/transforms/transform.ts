// Transforms select a part of a profile and shape its stacks: pprof's words (focus, ignore, hide, show, show-from, prune-from),
// merged and collapsed frames, one's own code alone, a range of time. Plain data: recorded, undone, kept, written as flags.

import { ChoiceError } from '../../../base/errors.ts';
import { compilePattern, PatternError } from '../../../base/pattern.ts';
import { parseTagFilter } from '../../answers/stacks/tags.ts';
import { parseTimeRange, timeRangeText } from './time-range.ts';

/** pprof's words, in the order in which it applies them. */
export const TRANSFORM_WORDS = [
  'tag-root',
  'tag-leaf',
  'focus',
  'ignore',
  'hide',
  'show',
  'show-from',
  'tag-focus',
  'tag-ignore',
  'prune-from',
] as const;
export type TransformWord = (typeof TRANSFORM_WORDS)[number];

/** Transforms by label: filters, and keys that become frames. */
const TAG_FILTERS: ReadonlySet<string> = new Set(['tag-focus', 'tag-ignore']);
export const TAG_FRAMES: ReadonlySet<string> = new Set(['tag-root', 'tag-leaf']);
export const isTagTransform = (word: string): boolean => TAG_FILTERS.has(word) || TAG_FRAMES.has(word);

/** Recursion: each routine appears once per stack. Chains: routines that only call one another. */
export const COLLAPSE_KINDS = ['recursion', 'chains'] as const;

/**
 * `pattern`: a case-sensitive, unanchored regular expression. A prefix `routine:`, `file:`, `object:`, `line:` or `path:` names its
 * target. A path has the names from the root to a frame, joined by semicolons.
 */
export type Transform =
  | { readonly word: TransformWord | 'merge'; readonly pattern: string }
  | { readonly word: 'collapse'; readonly what: (typeof COLLAPSE_KINDS)[number] }
  | { readonly word: 'only-own' }
  /** Functions inlined into others, as debug information has them; it acts before all others. */
  | { readonly word: 'inlined' }
  /** Microseconds from the first start of what ran, as on Gantt's axis. */
  | { readonly word: 'time'; readonly fromUs: number; readonly toUs: number };

/** Transforms that are applied in order, after `time` and `inlined`. */
export type UntimedTransform = Exclude<Transform, { readonly word: 'time' | 'inlined' }>;

/** A transform that the user added to the list. It may be switched off. */
export interface ChosenTransform {
  readonly transform: Transform;
  readonly on: boolean;
}

/** The saved stacks of a folder by name; '' for the one without a name. */
export type KeptTransforms = ReadonlyMap<string, readonly Transform[]>;

/** The keys of labels that become frames. */
export const labelKeysIn = (pattern: string): string[] =>
  pattern
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');

/** `focus=main`, `collapse=recursion`, `only-own`, `time=1.5s..2s`: what --apply takes. */
export function transformText(transform: Transform): string {
  switch (transform.word) {
    case 'collapse':
      return `collapse=${transform.what}`;
    case 'only-own':
    case 'inlined':
      return transform.word;
    case 'time':
      return `time=${timeRangeText(transform)}`;
    default:
      return `${transform.word}=${transform.pattern}`;
  }
}

/** Throws ChoiceError if the text is not a transform. */
export function parseTransform(text: string): Transform {
  if (text === 'only-own' || text === 'inlined') return { word: text };
  const at = text.indexOf('=');
  const [word, value] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  if (word === 'time') return { word, ...parseTimeRange(value) };
  if (word === 'collapse') {
    const what = COLLAPSE_KINDS.find((c) => c === value);
    if (what) return { word, what };
    throw new ChoiceError(`collapse=${value}: it takes ${COLLAPSE_KINDS.join(' or ')}`);
  }
  const known = [...TRANSFORM_WORDS, 'merge' as const].find((w) => w === word);
  if (!known)
    throw new ChoiceError(
      `${text}: expected ${[...TRANSFORM_WORDS, 'merge'].join('=, ')}=, collapse=, time=, only-own or inlined`,
    );
  if (TAG_FRAMES.has(known) && /^[,\s]*$/.test(value)) throw new ChoiceError(`${known}: expected the key of a label`);
  if (splitPattern(value).expression === '') throw new ChoiceError(`${known}: expected a regular expression`);
  if (known === 'merge' && splitPattern(value).target === 'path')
    throw new ChoiceError(`${text}: a path is of one frame; hide leaves it out`);
  checkPattern(known, value);
  return { word: known, pattern: value };
}

function checkPattern(word: string, pattern: string): void {
  if (TAG_FRAMES.has(word)) return;
  try {
    if (TAG_FILTERS.has(word)) parseTagFilter(pattern);
    else compileTest(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw new ChoiceError(`${word}=${pattern}: ${error.message}`);
    throw error;
  }
}

/** The kinds of names that a pattern can match. */
export const PATTERN_TARGETS = ['routine', 'file', 'object', 'line', 'path'] as const;
export type PatternTarget = (typeof PATTERN_TARGETS)[number];

/** The target and expression of a pattern. Without a target, it applies to routine, file and object, as in pprof. */
export function splitPattern(pattern: string): { readonly target: PatternTarget | undefined; readonly expression: string } {
  const target = PATTERN_TARGETS.find((t) => pattern.startsWith(`${t}:`) && !pattern.startsWith(`${t}::`));
  return { target, expression: target ? pattern.slice(target.length + 1) : pattern };
}

/** A pattern that matches only this name. */
export const exactPattern = (target: PatternTarget, name: string): string =>
  `${target}:^${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;

/** The name that a pattern made by exactPattern() selects; undefined for any other pattern. */
function exactName(pattern: string): { readonly target: PatternTarget; readonly name: string } | undefined {
  const { target, expression } = splitPattern(pattern);
  if (!target || !expression.startsWith('^') || !expression.endsWith('$')) return undefined;
  const name = expression.slice(1, -1).replace(/\\(.)/g, '$1');
  return exactPattern(target, name) === pattern ? { target, name } : undefined;
}

/**
 * A test for texts that match a pattern. Exact names are compared as text: they may be too long for an expression. Throws
 * PatternError.
 */
export function compileTest(pattern: string): (text: string) => boolean {
  const exact = exactName(pattern);
  return exact ? (text) => text === exact.name : compilePattern(splitPattern(pattern).expression, '').test;
}

/** As people read it: `focus main`, `hide file src/a.c`; a pattern that means more than one name stands as it is, `focus=^std::`. */
export function transformLabel(transform: Transform): string {
  if (transform.word === 'inlined') return 'with inlined functions';
  const exact = 'pattern' in transform ? exactName(transform.pattern) : undefined;
  if (!exact) return transformText(transform);
  return `${transform.word} ${exact.target === 'routine' ? '' : `${exact.target} `}${exact.name}`;
}

/** Words of the command line: they act in pprof's order, and several of one word are alternatives. Throws ChoiceError. */
export function orderTransforms(words: ReadonlyMap<TransformWord, readonly string[]>): Transform[] {
  return TRANSFORM_WORDS.flatMap((word) => {
    const given = words.get(word) ?? [];
    return given.length === 0 ? [] : [parseTransform(`${word}=${joinAlternatives(word, given)}`)];
  });
}

function joinAlternatives(word: TransformWord, patterns: readonly string[]): string {
  if (patterns.length === 1) return patterns[0];
  if (TAG_FRAMES.has(word)) return patterns.join(',');
  if (TAG_FILTERS.has(word)) return joinTagAlternatives(word, patterns);
  const all = patterns.map(splitPattern);
  const [{ target }] = all;
  if (all.some((one) => one.target !== target))
    throw new ChoiceError(
      `--${word}: several patterns are alternatives of one kind: all with ${target ?? 'file'}: in front, or none`,
    );
  return `${target ? `${target}:` : ''}${all.map(({ expression }) => `(?:${expression})`).join('|')}`;
}

/** Joins tag filters of one key, whose expressions are alternatives in pprof's syntax. */
function joinTagAlternatives(word: TransformWord, patterns: readonly string[]): string {
  const keys = new Set(patterns.map((p) => p.slice(0, p.indexOf('=') + 1)));
  const [key] = keys;
  if (keys.size > 1 || key === '' || patterns.some((p) => parseTagFilter(p).range))
    throw new ChoiceError(
      `--${word}: several are alternatives of one key: KEY=RE each time; one range or one list without a key`,
    );
  return `${key}${patterns.map((p) => p.slice(key.length)).join(',')}`;
}

const FLAG_ORDER = ['time', 'inlined', ...TRANSFORM_WORDS, 'only-own', 'merge', 'collapse'] as const;

/** A stack as flags: each word's own flag where their order says the same, else `--apply` for all but the time. */
export function transformFlags(transforms: readonly Transform[]): (readonly [flag: string, value?: string])[] {
  const timed = transforms.filter((t) => t.word === 'time');
  const rest = transforms.filter((t) => t.word !== 'time');
  const ranks = rest.map((t) => FLAG_ORDER.indexOf(t.word));
  // Several transforms of one pprof word are alternatives, not applied one after the other.
  const plain = ranks.every(
    (rank, i) => i === 0 || rank > ranks[i - 1] || (rank === ranks[i - 1] && rank > TRANSFORM_WORDS.length + 2),
  );
  const flag = (t: Transform): readonly [string, string?] => {
    const text = transformText(t);
    const at = text.indexOf('=');
    return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
  };
  return [...timed.map(flag), ...rest.map((t) => (plain ? flag(t) : (['apply', transformText(t)] as const)))];
}
