// The strings of two runs as one table: those of this run, which keep their numbers, then those that only the base has.
import { Interner, type Strings, stringCount } from '../../../model/strings.ts';

/** `idOfBase`: the numbers of the base's strings. `textId`: the number of a text, added if neither run has it. */
export function joinStrings(now: Strings, before: Strings) {
  const all = Interner.fromStrings(now);
  const { bytes, start } = before;
  return {
    idOfBase: Int32Array.from({ length: stringCount(before) }, (_, b) => all.bytesId(bytes, start[b], start[b + 1])),
    text: (id: number): string => all.text(id),
    textId: (text: string): number => all.textId(text),
    finish: (): Strings => (all.count === stringCount(now) ? now : all.finish()),
  };
}
