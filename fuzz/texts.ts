// What no text for people or machines may have in it.

/** Controls, what reorders or hides text, and halves of characters. A joiner moves nothing. */
const RAW =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** The first raw character, as U+001B; undefined if there is none. */
export function rawIn(text: string): string | undefined {
  const found = RAW.exec(text);
  return found ? `U+${found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}` : undefined;
}

const ODD = /\bNaN\b|\bInfinity\b|\bundefined\b(?!\s+\w+\s+id\b)|\[object [A-Z]\w+\]/g;

/** Words that values never have, unless the input itself says them. */
export class Words {
  private readonly input: string | undefined;

  /** `input`: undefined if it is too large to look at. */
  constructor(input: string | undefined) {
    this.input = input;
  }

  oddIn(text: string): { readonly word: string; readonly around: string } | undefined {
    if (this.input === undefined) return undefined;
    for (const { 0: word, index } of text.matchAll(ODD))
      if (!this.input.includes(word)) return { word, around: text.slice(Math.max(0, index - 60), index + 60) };
    return undefined;
  }
}
