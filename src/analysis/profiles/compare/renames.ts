// The user's renames: `OLD=NEW`, or `/OLD/=NEW` with an expression whose groups NEW may name.
import { ChoiceError } from '../../../base/errors.ts';
import { compilePattern, PatternError } from '../../../base/pattern.ts';

export interface Rename {
  readonly text: string;
  /** The new name of a routine of the base; undefined if the rename does not apply to it. */
  readonly newNameOf: (name: string) => string | undefined;
  /** Keys (`routineKey`) of the only two routines that are meant; absent if all routines of these names are. */
  readonly exactly?: { readonly before: string; readonly now: string };
}

/** Everything that distinguishes a routine. Paths are those of the joined table; null if unknown. */
export const routineKey = (name: string, file: string | null, object: string | null, line: number): string =>
  JSON.stringify([name, file, object, line]);

/** Parses a rename. Throws ChoiceError. */
export function parseRename(text: string): Rename {
  const wrong = (why: string) => new ChoiceError(`--rename ${text}: ${why}`);
  const expression = /^\/(.+)\/([imsu]*)=(.+)$/s.exec(text); // bounded: an argument of the command line
  if (expression) {
    const [, source, flags, by] = expression;
    try {
      const { replaceFirst } = compilePattern(source, flags);
      return { text, newNameOf: (name) => replaceFirst(name, by) };
    } catch (error) {
      if (error instanceof PatternError) throw wrong(error.message);
      throw error;
    }
  }
  // Names may contain `=` (operator==), so any of them may be the separator.
  const splits = Array.from(text.matchAll(/=/g), ({ index }) => [text.slice(0, index), text.slice(index + 1)] as const).filter(
    ([old, now]) => old !== '' && now !== '',
  );
  if (splits.length === 0) throw wrong('expected OLD=NEW, two names of routines');
  return {
    text,
    newNameOf(name) {
      for (const [old, now] of splits) {
        if (name === old) return now;
        // The arguments are kept.
        if (name.startsWith(`${old}(`)) return now + name.slice(old.length);
      }
      return undefined;
    },
  };
}
