// Functions of one name in one file: lambdas, mostly. They are told apart by where their code starts. One that was compiled or inlined
// in several places is still one: its lines lie between each other.
import { getOrMake } from '../../base/lists.ts';
import type { NamedFrame } from './samples.ts';

interface Home {
  readonly starts: number[];
  first: number;
  last: number;
}

/** Tells the namesakes among frames apart; `key` is what they share: object, name and file. */
export class Namesakes {
  private readonly homes = new Map<string, Map<number, Home>>();
  /** The first line seen of each, by key and start. */
  private lines: Map<string, Map<number, number>> | undefined;

  met(key: string, { home, line }: NamedFrame): void {
    if (home === undefined || line === 0) return;
    const homes = getOrMake(this.homes, key, () => new Map());
    const known = homes.get(home);
    if (!known) homes.set(home, { starts: [home], first: line, last: line });
    else {
      known.first = Math.min(known.first, line);
      known.last = Math.max(known.last, line);
    }
  }

  /** The first line of the function that the frame is of; 0 if no other has its name, or nothing is known. */
  lineOf(key: string, { home }: NamedFrame): number {
    this.lines ??= new Map([...this.homes].map(([k, homes]) => [k, firstLines([...homes.values()])]));
    return home === undefined ? 0 : (this.lines.get(key)?.get(home) ?? 0);
  }
}

/** The first line by start; empty if all are one function. */
function firstLines(homes: Home[]): Map<number, number> {
  homes.sort((a, b) => a.first - b.first);
  const merged: Home[] = [];
  for (const home of homes) {
    const before = merged.at(-1);
    if (before && home.first <= before.last) {
      before.starts.push(...home.starts);
      before.last = Math.max(before.last, home.last);
    } else merged.push(home);
  }
  return new Map(merged.length < 2 ? [] : merged.flatMap(({ starts, first }) => starts.map((s) => [s, first] as const)));
}
