// The parts of one symbol name, and texts with only some of them.
import { getOrCache } from '../../base/lists.ts';
import { cutEnd, ELLIPSIS } from '../../base/text.ts';
import { decodeBytes } from '../../model/strings.ts';
import { Brackets, isWordByte, startsWith } from './brackets.ts';
import { NameScan } from './grammar.ts';

/** The parts of a name. Joined in this order, they give the name. */
export type NameParts = ReturnType<typeof partsFrom>;

export interface NameForm {
  readonly result?: boolean;
  /** Depth down to which template arguments are kept; -1: not even `<…>`. */
  readonly depth: number;
  /** The depth for the last segment, if it differs. */
  readonly ownDepth?: number;
  readonly params: boolean;
  /** Whether types in arguments are without namespaces. */
  readonly bare?: boolean;
  /** The number of characters kept of the template arguments of each scope. */
  readonly argsTo?: number;
  /** The number of scopes left out, from the left. */
  readonly without: number;
  /** The number of callers kept; absent: all. */
  readonly callers?: number;
  /** The number of folders kept of a path that is a scope; absent: all. */
  readonly folders?: number;
  /** The index of the only caller that is kept. */
  readonly only?: number;
}

export const UNLIMITED = Number.POSITIVE_INFINITY;

const encoder = new TextEncoder();
const nameScanner = new NameScan();

/** The maximum number of callers that are split into parts. Profilers record about ten. */
const MAX_SPLIT_CALLERS = 16;

/** The parts of the name that begins at `from`. The scanner then tells where its callers begin. */
function partsFrom(bytes: Uint8Array, from: number) {
  const s = nameScanner;
  s.scan(bytes, from, bytes.length);
  const { identFrom, identTo, argsTo, count } = s;
  const text = (from: number, to: number) => decodeBytes(bytes, from, to);
  const segments = Array.from({ length: count }, (_, k) => ({
    /** `::`, `.` or `/`; '' for the first. */
    separator: text(k === 0 ? identFrom[0] : argsTo[k - 1], identFrom[k]),
    identifier: text(identFrom[k], identTo[k]),
    /** Template arguments, and the parameters of an enclosing function. */
    args: text(identTo[k], argsTo[k]),
  }));
  return {
    /** An address before the name. */
    prefix: text(s.begin, s.from),
    /** The return type, with its blank. */
    result: text(s.from, s.resultTo),
    segments,
    /** The parameters, with `const`, `&` and the like. */
    params: text(s.paramsFrom, s.suffixFrom),
    /** `'2`, `.part.0`, `[clone .cold]`, `@plt`, and ` main.cpp:12` behind the name of a line. */
    suffix: text(s.suffixFrom, s.callersFrom),
    /** The callers, each with its quote: `'g'main`. */
    callers: text(s.callersFrom, s.to),
    /** The first segment that every short name keeps: the class or innermost scope. */
    scope: s.scope,
  };
}

export const namePartsOf = (name: string): NameParts => partsFrom(encoder.encode(name), 0);

export type ParsedName = ReturnType<typeof parseName>;

/** The parts of a name and of its callers. `rest`: the rest of the path, after the callers that were split. */
export function parseName(name: string) {
  const bytes = encoder.encode(name);
  const parts = partsFrom(bytes, 0);
  const callers: NameParts[] = [];
  let at = nameScanner.callersFrom;
  while (at < bytes.length && callers.length < MAX_SPLIT_CALLERS) {
    callers.push(partsFrom(bytes, at + 1));
    at = nameScanner.callersFrom;
  }
  return { parts, callers, rest: decodeBytes(bytes, at, bytes.length) };
}

/** `{lambda(int)#1}` without its parameters. */
const bareLambda = (identifier: string): string =>
  identifier.startsWith('{lambda(') ? `{lambda${identifier.slice(Math.max(7, identifier.lastIndexOf('#')))}` : identifier;

function textOfParts({ prefix, result, segments, params, suffix, scope }: NameParts, form: NameForm): string {
  const { depth, bare = false } = form;
  let out = prefix + (form.result ? result : '');
  const first = Math.min(form.without, scope);
  for (let k = first; k < segments.length; k++) {
    const { separator, identifier, args } = segments[k];
    const shown = form.params ? identifier : bareLambda(identifier);
    const kept = form.folders === undefined || !isPath(shown) ? undefined : shown.split(/[\\/]/).slice(-1 - form.folders);
    const deep = k === segments.length - 1 ? (form.ownDepth ?? depth) : depth;
    out += k === first ? '' : separator;
    // Rust's `<T as Trait>`.
    if (bare && shown.startsWith('<')) out += foldArguments(shown, deep === UNLIMITED ? UNLIMITED : 1, true, true);
    else out += kept ? ELLIPSIS + kept.join('/') : shown;
    if (args !== '' && deep >= 0)
      out += shortenArguments(deep === UNLIMITED && form.params ? args : foldArguments(args, deep, form.params, bare), form);
  }
  if (form.params && params !== '')
    out += depth === UNLIMITED && !bare ? params : foldArguments(params, Math.max(0, depth), true, bare);
  return out + suffix;
}

/** Whether a scope is a path: of PHP's functions, for example. */
export const isPath = (identifier: string): boolean => /^(?:[A-Za-z]:)?[\\/]./.test(identifier);

/** `<unsigned…>` of `<unsigned int, 6ul>`. */
function shortenArguments(args: string, { argsTo = UNLIMITED }: NameForm): string {
  if (!args.startsWith('<') || !args.endsWith('>') || args.length <= argsTo + 3) return args;
  const kept = cutEnd(args.slice(0, -1), argsTo + 1).replace(/,? ?$/, '');
  const open: string[] = [];
  for (const c of kept) {
    const closing = CLOSING[c];
    if (closing) open.push(closing);
    else if (c === open.at(-1)) open.pop();
  }
  return kept + ELLIPSIS + open.reverse().join('');
}

const CLOSING: Readonly<Record<string, string>> = { '<': '>', '(': ')', '[': ']', '{': '}' };

export function nameText({ parts, callers, rest }: ParsedName, form: NameForm): string {
  let out = textOfParts(parts, form);
  if (form.only !== undefined) return `${out}'${ELLIPSIS}'${textOfParts(callers[form.only], form)}`;
  const kept = form.callers ?? UNLIMITED;
  for (let k = 0; k < callers.length && k < kept; k++) out += `'${textOfParts(callers[k], form)}`;
  return kept < callers.length ? `${out}'${ELLIPSIS}` : out + rest;
}

const bracketTracker = new Brackets();

/** A cache of folded arguments: the forms of a name, and similar names, share most of them. */
const foldCache = new Map<string, string>();
const MAX_CACHED_FOLDS = 5000;

/** Folds arguments below a depth. Removes parameters in them unless `params`, and namespaces of types if `bare`. */
function foldArguments(args: string, depth: number, params: boolean, bare: boolean): string {
  if (!/[<(:{]/.test(args)) return args;
  const fold = () => foldUncached(args, depth, params, bare);
  return args.length < 500 ? getOrCache(foldCache, `${depth} ${params} ${bare} ${args}`, MAX_CACHED_FOLDS, fold) : fold();
}

function foldUncached(args: string, depth: number, params: boolean, bare: boolean): string {
  const bytes = encoder.encode(args);
  bracketTracker.clear();
  const out: string[] = [];
  let from = 0;
  const emit = (to: number) => out.push(bare ? withoutScopes(bytes, from, to) : decodeBytes(bytes, from, to));
  for (let i = 0; i < bytes.length; ) {
    const { angles, depth: open } = bracketTracker;
    if (!params && open === 0 && bytes[i] === 0x28) {
      emit(i);
      return out.join('');
    }
    const next = bracketTracker.step(bytes, i, 0, bytes.length);
    if (angles === depth && bracketTracker.angles === depth + 1) {
      emit(next);
      out.push(ELLIPSIS);
    } else if (angles === depth + 1 && bracketTracker.angles <= depth) from = i;
    i = next;
  }
  if (bracketTracker.angles <= depth) emit(bytes.length);
  return out.join('');
}

const SCOPE_COLONS = [58, 58];

/** Text without the scopes before each `::`. */
function withoutScopes(bytes: Uint8Array, from: number, to: number): string {
  const out: string[] = [];
  let word = from;
  let begin = from;
  for (let i = from; i < to; i++) {
    if (startsWith(bytes, i, to, SCOPE_COLONS) && word < i) {
      out.push(decodeBytes(bytes, begin, word));
      begin = word = i + 2;
      i++;
    } else if (!isWordByte(bytes[i])) word = i + 1;
  }
  out.push(decodeBytes(bytes, begin, to));
  return out.join('').replace(/\{lambda\([^{}]*\)#/g, '{lambda#'); // bounded: up to the next brace
}

/** The outermost scope of a name; `(none)` for names without scopes. */
export function namespaceOf(name: string): string {
  const { segments } = namePartsOf(name);
  return segments.length > 1 ? segments[0].identifier + segments[0].args : NO_NAMESPACE;
}

/** All scopes of a name: the class of a member, the namespace of a function. */
export function enclosingScopes(name: string): string {
  const { segments } = namePartsOf(name);
  const scopes = segments.slice(0, -1).map((s) => s.separator + s.identifier + s.args);
  return scopes.length > 0 ? scopes.join('') : NO_NAMESPACE;
}

const NO_NAMESPACE = '(none)';

/**
 * The function of a routine: Callgrind tells levels of recursion (`f'2`) and, with --separate-callers, callers apart
 * (`f'main'(below main)`). Lambdas of clang, `main::'lambda'()`, have quotes of their own.
 */
export function functionOf(name: string): string {
  let level = 0;
  for (let i = 1; i < name.length; i++) {
    const c = name[i];
    if (c === '<' || c === '(' || c === '{' || c === '[') level++;
    else if ((c === '>' && name[i - 1] !== '-') || c === ')' || c === '}' || c === ']') level = Math.max(0, level - 1);
    else if (c === "'" && name[i - 1] === ':') i = Math.max(i, name.indexOf("'", i + 1));
    else if (c === "'" && level === 0) return name.slice(0, i);
  }
  return name;
}
