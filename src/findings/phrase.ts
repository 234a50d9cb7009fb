// Sentences: our own words, names of the profile, and numbers, which are kept beside the sentence under a name, for scripts.

/** A number of a sentence: its name, its value in its own unit, and how it is written. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly text: string;
}

/** A name of the profile in a sentence, as it is shown. */
export interface Name {
  readonly called: string;
}

/** A piece of a sentence: our own words, or a name of the profile. */
export interface Part {
  readonly text: string;
  readonly isName: boolean;
}

export interface Said {
  readonly parts: readonly Part[];
  readonly figures: readonly Figure[];
}

type Piece = string | Figure | Name | Said;

/** A sentence of words, numbers, names and other sentences. */
export function say(words: readonly string[], ...pieces: readonly Piece[]): Said {
  const parts: Part[] = [];
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

export const NOTHING: Said = { parts: [], figures: [] };

export const textOf = ({ parts }: Pick<Said, 'parts'>): string => parts.map(({ text }) => text).join('');

/** The first clause of a sentence. Punctuation within names does not end it: `compile: a.cpp`. */
export function headlineOf({ parts }: Pick<Said, 'parts'>): string {
  let text = '';
  for (const part of parts) {
    const end = part.isName ? -1 : part.text.search(/[;:] /);
    if (end >= 0) return text + part.text.slice(0, end);
    text += part.text;
  }
  return text;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(all: readonly (Said | Name)[]): Said {
  return all.reduce<Said>((list, one, i) => {
    if (i === 0) return say`${one}`;
    return i < all.length - 1 ? say`${list}, ${one}` : say`${list} and ${one}`;
  }, NOTHING);
}
