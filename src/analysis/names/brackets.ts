// Tracks brackets in the bytes of a symbol name. It reads tokens instead of characters, because `<` and `>` are also operators.
// Unmatched brackets are tolerated. Each byte is read a bounded number of times.
import { growColumn } from '../../model/column.ts';

export const codeUnits = (text: string): number[] => Array.from(text, (c) => c.charCodeAt(0));

const [LT, GT, OPEN, CLOSE, SQUARE, UNSQUARE, CURLY, UNCURLY] = codeUnits('<>()[]{}');
const [BLANK, MINUS, EQUALS, QUOTE, DOT, LETTER_O] = codeUnits(' -=".o');

const OPENER_OF: Readonly<Record<number, number>> = { [GT]: LT, [UNSQUARE]: SQUARE, [UNCURLY]: CURLY };

const OPERATOR_WORD = codeUnits('operator');
export const CALL_OPERATOR = codeUnits('operator()');
/** Operator symbols, longest first, because the first match is used. */
const OPERATOR_SYMBOLS =
  '<=> <<= >>= ->* () [] "" << >> <= >= -> == != && || ++ -- += -= *= /= %= ^= &= |= < > = ! + - * / % ^ & | ~ ,'
    .split(' ')
    .map(codeUnits);
const OPERATOR_WORDS = [' new[]', ' delete[]', ' new', ' delete', ' co_await'].map(codeUnits);

/** 1 for bytes of identifiers, including all non-ASCII bytes. */
const IS_WORD_BYTE = new Uint8Array(256);
for (let c = 0; c < 256; c++) if (c >= 0x80 || /[A-Za-z0-9_$]/.test(String.fromCharCode(c))) IS_WORD_BYTE[c] = 1;

export const isWordByte = (byte: number | undefined) => byte !== undefined && IS_WORD_BYTE[byte] === 1;

/** Whether a word is at a position, and no identifier character follows it. */
export function matchesWord(bytes: Uint8Array, at: number, to: number, wanted: readonly number[]): boolean {
  const end = at + wanted.length;
  return startsWith(bytes, at, to, wanted) && (end >= to || !isWordByte(bytes[end]));
}

export function startsWith(bytes: Uint8Array, at: number, to: number, wanted: readonly number[]): boolean {
  if (at + wanted.length > to) return false;
  for (let k = 0; k < wanted.length; k++) if (bytes[at + k] !== wanted[k]) return false;
  return true;
}

const COMPILER_SUFFIXES = ['part', 'isra', 'constprop', 'cold', 'llvm', 'lto_priv', 'localalias'].map(codeUnits);

/** Whether the dot at `at` starts a suffix that compilers append, such as `.part.0`, `.cold` or `.1234`. */
export function startsSuffix(bytes: Uint8Array, at: number, to: number): boolean {
  const next = bytes[at + 1];
  return at + 1 < to && ((next >= 48 && next <= 57) || COMPILER_SUFFIXES.some((s) => matchesWord(bytes, at + 1, to, s)));
}

/** Whether a note begins at `at`: ` [clone .cold]` or ` (.cold)`. */
export const startsNote = (bytes: Uint8Array, at: number, to: number): boolean =>
  at + 2 < to && bytes[at] === BLANK && (bytes[at + 1] === SQUARE || (bytes[at + 1] === OPEN && bytes[at + 2] === DOT));

/** The end of an operator: `operator<<`, `operator new[]`, or only the word for a conversion; `at` if there is none. */
export function operatorEnd(bytes: Uint8Array, at: number, from: number, to: number): number {
  if (bytes[at] !== LETTER_O || !startsWith(bytes, at, to, OPERATOR_WORD)) return at;
  const end = at + OPERATOR_WORD.length;
  if ((at > from && isWordByte(bytes[at - 1])) || (end < to && isWordByte(bytes[end]))) return at;
  const word = OPERATOR_WORDS.find((w) => matchesWord(bytes, end, to, w));
  if (word) return end + word.length;
  const symbol = OPERATOR_SYMBOLS.find((s) => startsWith(bytes, end, to, s));
  if (!symbol) return end;
  let next = end + symbol.length;
  // `operator"" _km`, and `operator< <int>`.
  if (symbol[0] === QUOTE && next < to && bytes[next] === BLANK) next++;
  else if (next + 1 < to && bytes[next] === BLANK && bytes[next + 1] === LT) next++;
  return next;
}

export class Brackets {
  /** The number of open brackets, and how many of them are `<`. */
  depth = 0;
  angles = 0;
  private rounds = 0;
  private stack = new Uint8Array(64);

  clear(): void {
    this.depth = this.angles = this.rounds = 0;
  }

  /** Consumes the token at `i`; returns the position after it. */
  step(bytes: Uint8Array, i: number, from: number, to: number): number {
    const c = bytes[i];
    switch (c) {
      case LETTER_O:
        return Math.max(i + 1, operatorEnd(bytes, i, from, to));
      case MINUS:
        return bytes[i + 1] === GT && i + 1 < to ? i + 2 : i + 1;
      case LT:
        if (opensAngle(bytes, i, from, to)) this.push(c);
        break;
      case OPEN:
      case SQUARE:
      case CURLY:
        this.push(c);
        break;
      case GT:
      case UNSQUARE:
      case UNCURLY:
        if (this.depth > 0 && this.stack[this.depth - 1] === OPENER_OF[c]) this.pop();
        break;
      case CLOSE:
        // An inner bracket that is never closed does not count.
        if (this.rounds > 0) while (this.pop() !== OPEN);
        break;
    }
    return i + 1;
  }

  private push(c: number): void {
    if (this.depth === this.stack.length) this.stack = growColumn(this.stack, this.depth * 2);
    this.stack[this.depth++] = c;
    if (c === LT) this.angles++;
    else if (c === OPEN) this.rounds++;
  }

  private pop(): number {
    const c = this.stack[--this.depth];
    if (c === LT) this.angles--;
    else if (c === OPEN) this.rounds--;
    return c;
  }
}

/** Whether `<` opens a template argument list, as in `operator()<int>`. In `a < b`, `a<=b` and `(a)<(b)` it compares. */
function opensAngle(bytes: Uint8Array, i: number, from: number, to: number): boolean {
  if (i + 1 >= to || bytes[i + 1] === BLANK || bytes[i + 1] === EQUALS) return false;
  return (
    i === from ||
    bytes[i - 1] !== CLOSE ||
    (i - CALL_OPERATOR.length >= from && startsWith(bytes, i - CALL_OPERATOR.length, i, CALL_OPERATOR))
  );
}
