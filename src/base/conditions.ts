// The syntax of filters that know columns: `self>1%`, `role=link`, `file:index.cpp`. Blanks mean and, `|` means or, `!` means not.

export type ConditionOperator = '>=' | '<=' | '>' | '<' | '=' | ':';

/** A condition on a column, or a word that the texts of a row must match. */
export type FilterTerm =
  | { readonly column: string; readonly operator: ConditionOperator; readonly value: string; readonly isNot: boolean }
  | { readonly word: string };

/** Alternatives, each of terms that must all hold. */
export type FilterConditions = readonly (readonly FilterTerm[])[];

/** Numbers only are compared by size, so that `vector<int>` stays a name. `std::sort` is no condition either. */
const CONDITION = /^(!?)([a-z]\w{0,99}%?)(?:([<>]=?)([-+]?\d[\d.,_]{0,99}[a-zµ]{0,99}%?)|([=:])(?![:=])(.+))$/i; // bounded: a word of a filter that the user types

function parseTerm(text: string): FilterTerm {
  const m = CONDITION.exec(text);
  if (!m) return { word: text };
  const operator = (m[3] ?? m[5]) as ConditionOperator;
  return { column: m[2], operator, value: m[4] ?? m[6], isNot: m[1] === '!' };
}

/** The conditions in a filter; undefined if there are none: then the whole text is one pattern. */
export function parseConditions(text: string): FilterConditions | undefined {
  if (/^!?\s*\//.test(text)) return undefined;
  const alternatives = text.split('|').map((part) => (part.match(/\S+/g) ?? []).map(parseTerm));
  return alternatives.some((terms) => terms.some((term) => 'column' in term)) ? alternatives : undefined;
}
