// Phrases of findings: our words, names from the profile, and numbers, which are also kept by name for scripts.

/** A number in a phrase: its name, its value in its own unit, and its text. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly text: string;
}

/** A name from the profile, as the phrase shows it. */
export interface Name {
  readonly called: string;
}

export interface Phrase {
  /** Our words, and names from the profile. */
  readonly parts: readonly { readonly text: string; readonly isName: boolean }[];
  readonly figures: readonly Figure[];
}

/** The template tag for phrases: joins words, numbers, names and other phrases. */
export function say(words: readonly string[], ...pieces: readonly (string | Figure | Name | Phrase)[]): Phrase {
  const parts: Phrase['parts'][number][] = [];
  const figures: Figure[] = [];
  const add = (text: string, isName = false) => {
    const last = parts.at(-1);
    if (text === '') return;
    if (last && !last.isName && !isName) parts[parts.length - 1] = { text: last.text + text, isName };
    else parts.push({ text, isName });
  };
  words.forEach((word, i) => {
    add(word);
    const piece = i < pieces.length ? pieces[i] : '';
    if (typeof piece === 'string') add(piece);
    else if ('called' in piece) add(piece.called, true);
    else if ('parts' in piece) {
      for (const { text, isName } of piece.parts) add(text, isName);
      figures.push(...piece.figures);
    } else {
      add(piece.text);
      figures.push(piece);
    }
  });
  return { parts, figures };
}

export const EMPTY_PHRASE: Phrase = { parts: [], figures: [] };

export const phraseText = ({ parts }: Pick<Phrase, 'parts'>): string => parts.map(({ text }) => text).join('');

/** The first clause of a phrase. Punctuation within a name, as in `compile: a.cpp`, does not end it. */
export function headlineOf({ parts }: Pick<Phrase, 'parts'>): string {
  let text = '';
  for (const part of parts) {
    const end = part.isName ? -1 : part.text.search(/[;:] /);
    if (end >= 0) return text + part.text.slice(0, end);
    text += part.text;
  }
  return text;
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWithAnd(all: readonly (Phrase | Name)[]): Phrase {
  return all.reduce<Phrase>((list, one, i) => {
    if (i === 0) return say`${one}`;
    return i < all.length - 1 ? say`${list}, ${one}` : say`${list} and ${one}`;
  }, EMPTY_PHRASE);
}

const MAX_LISTED_NAMES = 3;

/** The first names of a list, joined: `a and b`. If the list has more, `mark` precedes them: `first a, b and c`; '' for none. */
export function firstNames<T>(list: readonly T[], nameOf: (item: T, k: number) => Phrase | Name, mark = 'first '): Phrase {
  const names = joinWithAnd(list.slice(0, MAX_LISTED_NAMES).map(nameOf));
  return list.length > MAX_LISTED_NAMES ? say`${mark}${names}` : names;
}
