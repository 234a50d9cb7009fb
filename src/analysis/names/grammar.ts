// The grammar of symbol names, mainly of C++. It finds return type, scopes, arguments, parameters and suffixes in one pass over
// the bytes. Scopes of Rust, Go and Python names are found as well; any other text counts as one identifier.
import { growColumn } from '../../model/column.ts';
import { Brackets, CALL_OPERATOR, codeUnits, isWordByte, operatorEnd, startsNote, startsSuffix, startsWith } from './brackets.ts';

const [LT, GT, OPEN, CLOSE, SQUARE, UNSQUARE, BLANK, COLON, DOT, SLASH, QUOTE, AT] = codeUnits("<>()[] :./'@");
const [CURLY, DOLLAR, HASH] = codeUnits('{$#');
const QUALIFIERS = [' const', ' volatile', ' noexcept', ' &&', ' &', '&&', '&'].map(codeUnits);
const ANONYMOUS_NAMESPACE = codeUnits('(anonymous namespace)');
const LAMBDA_PREFIX = codeUnits('{lambda(');
const HEX_PREFIX = codeUnits('0x');
const GO_FUNC_PREFIX = codeUnits('func');
const ABI_TAG_PREFIX = codeUnits('[abi:');
/** Extensions that make a name the name of a file. */
const FILE_EXTENSIONS = new Set(
  'a c cc cpp cxx h hh hpp hxx inc inl ipp tcc S s asm py pyx pyc rs go js mjs ts rb java so o dll exe'.split(' '),
);

/** 1 for bytes that mean something outside brackets. */
const IS_SPECIAL_BYTE = new Uint8Array(256);
for (const c of codeUnits("o<>()[]{}:./'@ -")) IS_SPECIAL_BYTE[c] = 1;

const isDigit = (c: number | undefined) => c !== undefined && c >= 48 && c <= 57;

/**
 * The parts of the last name. In this order: [begin, from) an address; [from, resultTo) the return type; segments, each an identifier and its arguments, with
 * a separator before all but the first; [paramsFrom, suffixFrom) parameters and what qualifies them; [suffixFrom, callersFrom) what
 * compilers and profilers append; [callersFrom, to) callers, as in `f'g'main`.
 */
export class NameScan {
  bytes: Uint8Array = new Uint8Array(0);
  begin = 0;
  from = 0;
  to = 0;
  resultTo = 0;
  paramsFrom = 0;
  suffixFrom = 0;
  callersFrom = 0;
  /** By segment: the ends of its identifier and of its arguments. `count`: the number of segments. */
  count = 0;
  identFrom = new Int32Array(16);
  identTo = new Int32Array(16);
  argsTo = new Int32Array(16);
  private readonly brackets = new Brackets();
  private start = 0;
  private cut = -1;
  private conversion = false;
  private group = -1;
  /** The segments that every short name keeps: the method (`own`), and its class or innermost scope (`scope`). */
  own = 0;
  scope = 0;
  /** Separators other than `::` count only in names without `::`. */
  private colons = false;
  private dots = 0;
  private slashes = 0;

  scan(bytes: Uint8Array, from: number, to: number): void {
    this.begin = from;
    const end = locationStart(bytes, from, to);
    this.scanName(bytes, addressEnd(bytes, from, end), end);
    if (this.callersFrom === end) this.callersFrom = to;
    this.to = to;
  }

  private scanName(bytes: Uint8Array, from: number, to: number): void {
    this.bytes = bytes;
    this.from = this.resultTo = this.start = from;
    this.to = this.paramsFrom = this.suffixFrom = this.callersFrom = to;
    this.count = this.dots = this.slashes = 0;
    this.cut = this.group = -1;
    this.colons = this.conversion = false;
    const { brackets } = this;
    brackets.clear();
    let i = from;
    while (i < to && this.suffixFrom === to) {
      if (IS_SPECIAL_BYTE[bytes[i]] === 0) i++;
      else if (brackets.depth === 0) i = this.consumeOutside(i);
      else {
        i = brackets.step(bytes, i, from, to);
        if (brackets.depth === 0 && this.group >= 0 && bytes[i - 1] === CLOSE) i = this.endOfGroup(i);
      }
    }
    if (brackets.depth > 0) return this.treatAsIdentifier();
    this.findCallers();
    this.endSegment(this.paramsFrom === to ? this.suffixFrom : this.paramsFrom);
    // Text with blanks but without parameters has no return type: it is some other text.
    if ((this.resultTo > from && this.paramsFrom === to) || this.identTo[this.count - 1] === this.identFrom[this.count - 1])
      return this.treatAsIdentifier();
    if (this.paramsFrom === to) this.paramsFrom = this.suffixFrom;
    if (this.dots + this.slashes > 0) this.chooseSeparators();
    this.findCore();
  }

  /** A lambda is identified by its number, so its `operator()` is not the method. */
  private findCore(): void {
    const { bytes, identFrom, identTo, count } = this;
    const is = (k: number, text: readonly number[]) =>
      identTo[k] - identFrom[k] === text.length && startsWith(bytes, identFrom[k], identTo[k], text);
    const above = identFrom[count - 2];
    const lambda = count > 1 && (bytes[above] === CURLY || bytes[above] === QUOTE || bytes[above] === DOLLAR);
    const closure = count > 1 && bytes[identFrom[count - 1] - 1] === DOT && this.isGoClosure(count - 1);
    this.own = closure || (lambda && is(count - 1, CALL_OPERATOR)) ? count - 2 : count - 1;
    const scoped = this.own > 0 && identTo[this.own - 1] > identFrom[this.own - 1] && !is(this.own - 1, ANONYMOUS_NAMESPACE);
    this.scope = scoped ? this.own - 1 : this.own;
  }

  /** `func1`, as Go calls the first function in another. */
  private isGoClosure(k: number): boolean {
    const { bytes, identFrom, identTo } = this;
    const [from, to] = [identFrom[k], identTo[k]];
    return (
      startsWith(bytes, from, to, GO_FUNC_PREFIX) &&
      from + GO_FUNC_PREFIX.length < to &&
      isDigit(bytes[from + GO_FUNC_PREFIX.length])
    );
  }

  /** Writes the parts that all short forms keep (scope, method, suffix) and returns their length. */
  writeKey(into: Uint8Array): number {
    const { bytes, identFrom, identTo, argsTo, scope, count } = this;
    let n = 0;
    const put = (from: number, to: number) => {
      for (let i = from; i < to; i++) into[n++] = bytes[i];
    };
    put(this.begin, this.from);
    for (let k = scope; k < count; k++) {
      if (k > scope) put(argsTo[k - 1], identFrom[k]);
      const [from, to] = [identFrom[k], identTo[k]];
      if (startsWith(bytes, from, to, LAMBDA_PREFIX)) {
        put(from, from + LAMBDA_PREFIX.length - 1);
        // Within the segment: there may be as many segments as bytes.
        put(from + Math.max(LAMBDA_PREFIX.length - 1, bytes.subarray(from, to).lastIndexOf(HASH)), to);
      } else put(from, to);
    }
    put(this.suffixFrom, this.callersFrom);
    return n;
  }

  private treatAsIdentifier(): void {
    const { from, to } = this;
    this.resultTo = from;
    this.paramsFrom = this.suffixFrom = this.callersFrom = to;
    this.count = 0;
    this.own = this.scope = 0;
    this.start = from;
    this.cut = -1;
    this.endSegment(to);
  }

  private endSegment(at: number): void {
    if (this.count === this.identFrom.length) {
      const capacity = this.count * 2;
      this.identFrom = growColumn(this.identFrom, capacity);
      this.identTo = growColumn(this.identTo, capacity);
      this.argsTo = growColumn(this.argsTo, capacity);
    }
    const n = this.count++;
    this.identFrom[n] = this.start;
    this.identTo[n] = this.cut < 0 ? at : this.cut;
    this.argsTo[n] = at;
    this.cut = -1;
  }

  /** Consumes a special byte outside of brackets; returns the position after it. */
  private consumeOutside(i: number): number {
    const { bytes, to, start, conversion } = this;
    const c = bytes[i];
    const first = i === start;
    switch (c) {
      case COLON:
        if (bytes[i + 1] !== COLON || i + 1 >= to || conversion) return i + 1;
        this.endSegment(i);
        this.colons = true;
        return (this.start = i + 2);
      case BLANK:
        return this.consumeBlank(i);
      case QUOTE:
        if (first) return this.endOfQuoted(i);
        this.suffixFrom = i;
        return i;
      case AT:
        if (!first) this.suffixFrom = i;
        return first ? i + 1 : i;
      case DOT:
      case SLASH:
        return first || conversion ? i + 1 : this.consumeSeparator(i, c);
      case OPEN:
        this.group = first || bytes[i - 1] === BLANK || this.isNumbered(i) ? -1 : i;
        break;
      case LT:
      case SQUARE:
        if (!first && this.cut < 0 && !conversion && this.hasArguments(i)) this.cut = i;
        break;
      default: {
        const end = operatorEnd(bytes, i, this.from, to);
        if (end === i) break;
        // In a conversion operator, the type up to the parameters is part of the identifier.
        if (bytes[end] === BLANK && end + 1 < to) this.conversion = true;
        return end;
      }
    }
    return this.brackets.step(bytes, i, this.from, to);
  }

  private hasArguments(i: number): boolean {
    const { bytes, to } = this;
    if (startsWith(bytes, i, to, ABI_TAG_PREFIX)) return false;
    // Arguments may also follow `operator<` and the like.
    return bytes[i] === LT || isWordByte(bytes[i - 1]);
  }

  /** A blank ends a return type, or a name before ` [clone .cold]`. */
  private consumeBlank(i: number): number {
    const { bytes, to } = this;
    if (i > this.start && startsNote(bytes, i, to)) {
      this.suffixFrom = i;
      return i;
    }
    if (this.conversion) return i + 1;
    this.count = this.dots = this.slashes = 0;
    this.colons = false;
    this.cut = -1;
    this.resultTo = this.start = Math.min(i + 1, to);
    return bytes[i] === BLANK ? i + 1 : i;
  }

  /** `'lambda'`, at the start of a segment. */
  private endOfQuoted(i: number): number {
    const end = this.bytes.subarray(i + 1, Math.min(this.to, i + 40)).indexOf(QUOTE);
    return end < 0 ? i + 1 : i + end + 2;
  }

  private consumeSeparator(i: number, c: number): number {
    const { bytes, to } = this;
    if (c === DOT && this.slashes === 0 && startsSuffix(bytes, i, to) && this.isCompilerSuffix(i)) {
      this.suffixFrom = i;
      return i;
    }
    if (this.colons) return i + 1;
    this.endSegment(i);
    if (c === DOT) this.dots++;
    else this.slashes++;
    return (this.start = i + 1);
  }

  /** Whether a compiler suffix begins here: `.part.0.cold`, words and numbers up to the end or a caller. */
  private isCompilerSuffix(i: number): boolean {
    const { bytes, to } = this;
    let k = i;
    // Bounded, because this may be asked at every dot of a name.
    while (k < to && k - i < 80 && (bytes[k] === DOT || isWordByte(bytes[k]))) k++;
    return (k === to || bytes[k] === QUOTE || bytes[k] === AT || startsNote(bytes, k, to)) && k - i < 80;
  }

  /** Whether a name has the form `decoder.py:343(raw_decode)` of Python's profilers. */
  private isNumbered(i: number): boolean {
    const { bytes, from } = this;
    let k = i - 1;
    while (k > from && i - k < 12 && isDigit(bytes[k])) k--;
    return k < i - 1 && bytes[k] === COLON && (k === from || bytes[k - 1] !== COLON);
  }

  /** The position after `(…)`: parameters at the end of a name, or those of an enclosing function before `::`. */
  private endOfGroup(i: number): number {
    const { bytes, to, group } = this;
    this.group = -1;
    let k = i;
    for (let q = QUALIFIERS.find((w) => startsWith(bytes, k, to, w)); q; q = QUALIFIERS.find((w) => startsWith(bytes, k, to, w)))
      k += q.length;
    if (k + 1 < to && bytes[k] === COLON && bytes[k + 1] === COLON) {
      if (this.cut < 0) this.cut = group;
      this.conversion = false;
      return k;
    }
    const ends =
      k === to || bytes[k] === QUOTE || bytes[k] === AT || bytes[k] === DOT || startsWith(bytes, k, to, ABI_TAG_PREFIX);
    if (!ends && !startsNote(bytes, k, to)) return i;
    this.paramsFrom = group;
    this.suffixFrom = k;
    return k;
  }

  /** `'2` is recursion, and part of the suffix; `'main` is a caller. */
  private findCallers(): void {
    const { bytes, to } = this;
    let k = this.suffixFrom;
    while (k < to && bytes[k] !== QUOTE) k++;
    let end = k + 1;
    while (end < to && isDigit(bytes[end])) end++;
    const isNumber = end > k + 1 && (end === to || bytes[end] === QUOTE);
    this.callersFrom = Math.min(to, isNumber ? end : k);
  }

  /** Chooses separators: dots and slashes separate scopes in Go and Python, but not in names of C++ or files. */
  private chooseSeparators(): void {
    if (this.colons) return this.joinSegments((sep) => sep === COLON);
    const { bytes } = this;
    let slash = -1;
    for (let k = 1; k < this.count; k++) if (bytes[this.argsTo[k - 1]] === SLASH) slash = this.argsTo[k - 1];
    const file = this.isFile(slash);
    this.joinSegments((sep, at) => sep === SLASH || (!file && at > slash));
  }

  private isFile(slash: number): boolean {
    const { bytes, count } = this;
    for (let k = 1; k < count; k++) {
      const [from, to] = [this.identFrom[k], this.identTo[k]];
      const dot = bytes[from - 1] === DOT && from - 1 > slash;
      if (!dot) continue;
      // After `(*Type)`, `Map[…]` or `<init>` comes a method.
      if (bytes[from - 2] === CLOSE || bytes[from - 2] === UNSQUARE || bytes[from - 2] === GT) return false;
      if (from === to || isDigit(bytes[from]) || !isWordByte(bytes[from - 2])) return true;
    }
    const [from, to] = [this.identFrom[count - 1], this.identTo[count - 1]];
    if (bytes[from - 1] !== DOT) return false;
    let end = from;
    while (end < to && end - from < 5 && isWordByte(bytes[end])) end++;
    return (end === to || bytes[end] === COLON) && FILE_EXTENSIONS.has(String.fromCharCode(...bytes.subarray(from, end)));
  }

  /** Keeps the accepted separators, and joins the segments around others. */
  private joinSegments(keeps: (separator: number, at: number) => boolean): void {
    const { bytes, identFrom, identTo, argsTo } = this;
    let n = 0;
    for (let k = 1; k < this.count; k++) {
      const at = argsTo[k - 1];
      if (keeps(bytes[at], at)) {
        n++;
        identFrom[n] = identFrom[k];
      }
      identTo[n] = identTo[k];
      argsTo[n] = argsTo[k];
    }
    this.count = n + 1;
  }
}

/** The position after `0x1234 `, which precedes names of instructions; `from` if there is none. */
function addressEnd(bytes: Uint8Array, from: number, to: number): number {
  if (!startsWith(bytes, from, to, HEX_PREFIX)) return from;
  let k = from + HEX_PREFIX.length;
  while (k < to && k - from < 20 && isWordByte(bytes[k])) k++;
  return k + 1 < to && bytes[k] === BLANK ? k + 1 : from;
}

/** The start of ` main.cpp:12`, which follows names of lines; `to` if there is none. */
function locationStart(bytes: Uint8Array, from: number, to: number): number {
  let k = to - 1;
  while (k > from && isDigit(bytes[k])) k--;
  if (k === to - 1 || bytes[k] !== COLON || to - k > 12) return to;
  const colon = k;
  while (k > from && colon - k < 200 && bytes[k] !== BLANK) k--;
  return k > from && bytes[k] === BLANK && bytes[colon - 1] !== COLON ? k : to;
}
