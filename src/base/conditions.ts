// The syntax of filters that know columns: `self>1%`, `role=link`, `file:index.cpp`. Blanks mean and, `|` means or, `!` means not.

import { ChoiceError } from './errors.ts';

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
const PLAIN = /^!?[a-z][\w.]*%?(?:[<>]=?[-+]?\.?\d[\d.,_]*(?:e[-+]?\d+)?[a-zµ]*%?|(?<!\..*)(?:=|(?<=\w\w):)(?![:=]|\/\/).+)$/i; // bounded: a word of a filter that the user types
const CONDITION = /^(!*)([a-z][\w.]*%?)(\0?)([<>]=?|[!=]=|=|:)(.*)$/i; // bounded: a word of a filter that the user types
/** Columns, marked by NUL, may have any value, and blanks around the operator. But `count<int>` and `line::begin` are names. */
const OF_COLUMN = /(?<![^\s|])([!(][!(\s]*)?([a-z][\w.]*%?)\s*(<=?(?![^\d\s]*[>,])|>=?|[!=]=|=|:(?!:|\/\/))\s*/gi; // bounded: a filter that the user types
const QUOTED = /^"([^"]*)"?$/;

function parseTerm(term: string): FilterTerm {
  const [, not, column = '', known, sign = '', value = ''] = CONDITION.exec(term) ?? [];
  if (!known && !PLAIN.test(term)) return { word: term.replace(QUOTED, '$1') };
  const operator = OPERATORS.find((one) => one === sign) ?? '=';
  return { column, operator, value: value.replace(QUOTED, '$1'), isNot: (not === '!') !== (sign === '!=') };
}

/** The conditions in a filter; undefined if there are none: then the whole text is one pattern. Throws ChoiceError. */
export function parseConditions(text: string, columns: () => readonly string[] = () => []): FilterConditions | undefined {
  if (/^!?\s*\//.test(text)) return undefined;
  const marked = text.replace(OF_COLUMN, (start, before = '', column, sign) => {
    const [name, ...path] = column.split('.');
    if (!columns().includes(name.replace(/Ms$/, '')) || (path.length > 0 && sign === ':')) return start;
    if (before.includes('(')) throw new ChoiceError(`${text}: parentheses are not supported; blanks mean and, | means or`);
    return `${before.trim()}${column}\0${sign}`;
  });
  const alternatives = marked.split('|').map((part) => (part.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []).map(parseTerm));
  if (!alternatives.some((terms) => terms.some((term) => 'column' in term))) return undefined;
  if (alternatives.some((terms) => terms.length === 0)) throw new ChoiceError(`${text}: a condition is missing beside |`);
  return alternatives;
}
