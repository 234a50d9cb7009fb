// The syntax of filters that know columns: `self>1%`, `role=link`, `file:index.cpp`. Blanks mean and, `|` means or, `!` means not.

const OPERATORS = ['>=', '<=', '>', '<', '=', ':'] as const;
/** By operator: whether it holds of two numbers. Texts have `:`, which holds of none. */
export const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  ':': () => false,
  '=': (a, b) => a === b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
};

/** A condition on a column, or a word that the texts of a row must match. */
export type FilterTerm =
  | { readonly column: string; readonly operator: (typeof OPERATORS)[number]; readonly value: string; readonly isNot: boolean }
  | { readonly word: string };

/** Alternatives, each of terms that must all hold. */
export type FilterConditions = readonly (readonly FilterTerm[])[];

/** Numbers only are compared by size, so that `vector<int>` stays a name, as do `std::sort`, `http://host` and `C:/file`. */
const CONDITION = /^(!?)([a-z]\w{0,99}%?)(?:([<>]=?)([-+]?\d[\d.,_]{0,99}[a-zµ]{0,99}%?)|(=|(?<=\w\w):)(?![:=]|\/\/)(.+))$/i; // bounded: a word of a filter that the user types

function parseTerm(term: string): FilterTerm {
  const [, not, column = '', compared, number, is, text] = CONDITION.exec(term) ?? [];
  const operator = OPERATORS.find((one) => one === (compared ?? is));
  return operator ? { column, operator, value: number ?? text ?? '', isNot: not === '!' } : { word: term };
}

/** The conditions in a filter; undefined if there are none: then the whole text is one pattern. */
export function parseConditions(text: string): FilterConditions | undefined {
  if (/^!?\s*\//.test(text)) return undefined;
  const alternatives = text.split('|').map((part) => (part.match(/\S+/g) ?? []).map(parseTerm));
  return alternatives.some((terms) => terms.some((term) => 'column' in term)) ? alternatives : undefined;
}
