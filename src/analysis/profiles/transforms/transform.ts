// Transforms select a part of a profile and shape its stacks: pprof's words (focus, ignore, hide, show, show-from, prune-from),
// merged and collapsed frames, one's own code alone, a range of time. Plain data: recorded, undone, kept, written as flags.

import { ChoiceError } from '../../../base/errors.ts';
import { compilePattern, PatternError } from '../../../base/pattern.ts';
import { tagTest } from '../../answers/stacks/tags.ts';
import { parseTimeRange, timeRangeText } from './time-range.ts';

/** pprof's words, in the order in which it applies them. */
export const WORDS = [
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
export type Word = (typeof WORDS)[number];

/** Transforms of the labels of samples: filters of them, and keys of labels that become frames. */
const TAG_FILTERS: ReadonlySet<string> = new Set(['tag-focus', 'tag-ignore']);
const TAG_FRAMES: ReadonlySet<string> = new Set(['tag-root', 'tag-leaf']);
export const isOfTagFrames = (word: string): boolean => TAG_FRAMES.has(word);
export const isOfTags = (word: string): boolean => TAG_FILTERS.has(word) || TAG_FRAMES.has(word);

/** Recursion: a routine that is above already stands there alone. Chains: routines that only ever call one another. */
export const COLLAPSES = ['recursion', 'chains'] as const;
type Collapse = (typeof COLLAPSES)[number];

/** `pattern`: a regular expression, with case, not anchored; `routine:`, `file:`, `object:` or `line:` before it says what it is for. */
export type Transform =
  | { readonly word: Word | 'merge'; readonly pattern: string }
  | { readonly word: 'collapse'; readonly what: Collapse }
  | { readonly word: 'only-own' }
  /** Functions inlined into others, as debug information has them; it acts before all others. */
  | { readonly word: 'inlined' }
  /** Microseconds from the first start of what ran, as on Gantt's axis. */
  | { readonly word: 'time'; readonly fromUs: number; readonly toUs: number };

/** Transforms that act one after the other. */
export type Untimed = Exclude<Transform, { readonly word: 'time' | 'inlined' }>;

/** A transform on the stack of those that were set: it may be switched off. */
export interface Chosen {
  readonly transform: Transform;
  readonly on: boolean;
}

/** The keys of labels that become frames. */
export const keysOf = (pattern: string): string[] =>
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

export const sameTransform = (a: Transform, b: Transform): boolean => transformText(a) === transformText(b);

/** Throws ChoiceError for what is none. */
export function parseTransform(text: string): Transform {
  if (text === 'only-own' || text === 'inlined') return { word: text };
  const at = text.indexOf('=');
  const [word, value] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  if (word === 'time') return { word, ...parseTimeRange(value) };
  if (word === 'collapse') {
    const what = COLLAPSES.find((c) => c === value);
    if (what) return { word, what };
    throw new ChoiceError(`collapse=${value}: it takes ${COLLAPSES.join(' or ')}`);
  }
  const known = [...WORDS, 'merge' as const].find((w) => w === word);
  if (!known)
    throw new ChoiceError(`${text}: expected ${[...WORDS, 'merge'].join('=, ')}=, collapse=, time=, only-own or inlined`);
  if (TAG_FRAMES.has(known) && /^[,\s]*$/.test(value)) throw new ChoiceError(`${known}: expected the key of a label`);
  if (targetOf(value).expression === '') throw new ChoiceError(`${known}: expected a regular expression`);
  checkPattern(known, value);
  return { word: known, pattern: value };
}

function checkPattern(word: string, pattern: string): void {
  if (TAG_FRAMES.has(word)) return;
  try {
    if (TAG_FILTERS.has(word)) tagTest(pattern);
    else testOf(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw new ChoiceError(`${word}=${pattern}: ${error.message}`);
    throw error;
  }
}

/** The texts that a pattern is matched with. */
export const TARGETS = ['routine', 'file', 'object', 'line'] as const;
export type Target = (typeof TARGETS)[number];

/** The expression of a pattern, and what it is for; without a target, for routine, file and object, as in pprof. */
export function targetOf(pattern: string): { readonly target: Target | undefined; readonly expression: string } {
  const target = TARGETS.find((t) => pattern.startsWith(`${t}:`) && !pattern.startsWith(`${t}::`));
  return { target, expression: target ? pattern.slice(target.length + 1) : pattern };
}

/** A pattern that means this alone. */
export function exactly(target: Target, name: string): string {
  return `${target}:^${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;
}

/** The name that a pattern of `exactly` means; undefined for any other pattern. */
function exactName(pattern: string): { readonly target: Target; readonly name: string } | undefined {
  const { target, expression } = targetOf(pattern);
  if (!target || !expression.startsWith('^') || !expression.endsWith('$')) return undefined;
  const name = expression.slice(1, -1).replace(/\\(.)/g, '$1');
  return exactly(target, name) === pattern ? { target, name } : undefined;
}

/** Whether a text is what a pattern means: a name alone is compared, since it may be longer than an expression can be. Throws PatternError. */
export function testOf(pattern: string): (text: string) => boolean {
  const exact = exactName(pattern);
  return exact ? (text) => text === exact.name : compilePattern(targetOf(pattern).expression, '').test;
}

/** As people read it: `focus main`, `hide file src/a.c`; a pattern that means more than one name stands as it is, `focus=^std::`. */
export function transformLabel(transform: Transform): string {
  if (transform.word === 'inlined') return 'with inlined functions';
  const exact = 'pattern' in transform ? exactName(transform.pattern) : undefined;
  if (!exact) return transformText(transform);
  return `${transform.word} ${exact.target === 'routine' ? '' : `${exact.target} `}${exact.name}`;
}

/** Words of the command line: they act in pprof's order, and several of one word are alternatives. Throws ChoiceError. */
export function inFixedOrder(words: ReadonlyMap<Word, readonly string[]>): Transform[] {
  return WORDS.flatMap((word) => {
    const given = words.get(word) ?? [];
    return given.length === 0 ? [] : [parseTransform(`${word}=${alternatives(word, given)}`)];
  });
}

function alternatives(word: Word, patterns: readonly string[]): string {
  if (patterns.length === 1) return patterns[0];
  if (TAG_FRAMES.has(word)) return patterns.join(',');
  if (TAG_FILTERS.has(word)) return tagAlternatives(word, patterns);
  const all = patterns.map(targetOf);
  const [{ target }] = all;
  if (all.some((one) => one.target !== target))
    throw new ChoiceError(
      `--${word}: several patterns are alternatives of one kind: all with ${target ?? 'file'}: in front, or none`,
    );
  return `${target ? `${target}:` : ''}${all.map(({ expression }) => `(?:${expression})`).join('|')}`;
}

/** Filters of one key, whose expressions are alternatives in pprof's own form. */
function tagAlternatives(word: Word, patterns: readonly string[]): string {
  const keys = new Set(patterns.map((p) => p.slice(0, p.indexOf('=') + 1)));
  const [key] = keys;
  if (keys.size > 1 || key === '' || patterns.some((p) => tagTest(p).range))
    throw new ChoiceError(
      `--${word}: several are alternatives of one key: KEY=RE each time; one range or one list without a key`,
    );
  return `${key}${patterns.map((p) => p.slice(key.length)).join(',')}`;
}

/** The order in which flags act. */
const RANKS = ['time', 'inlined', ...WORDS, 'only-own', 'merge', 'collapse'] as const;

/** A stack as flags: each word's own flag where their order says the same, else `--apply` for all but the time. */
export function transformFlags(transforms: readonly Transform[]): (readonly [flag: string, value?: string])[] {
  const timed = transforms.filter((t) => t.word === 'time');
  const rest = transforms.filter((t) => t.word !== 'time');
  const ranks = rest.map((t) => RANKS.indexOf(t.word));
  // Several of one of pprof's words are alternatives, not one after the other.
  const plain = ranks.every((rank, i) => i === 0 || rank > ranks[i - 1] || (rank === ranks[i - 1] && rank > WORDS.length + 2));
  const flag = (t: Transform): readonly [string, string?] => {
    const text = transformText(t);
    const at = text.indexOf('=');
    return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
  };
  return [...timed.map(flag), ...rest.map((t) => (plain ? flag(t) : (['apply', transformText(t)] as const)))];
}
