// Functions with the same name and file, mostly lambdas. They are distinguished by where their code starts.
// Copies of one function, compiled or inlined in several places, overlap in lines and count as one function.
import { getOrMake } from '../../base/lists.ts';
import type { NamedFrame } from './samples.ts';

interface FunctionRange {
  readonly starts: number[];
  first: number;
  last: number;
}

/** Distinguishes frames whose functions share a name. `key`: the object, name and file that they share. */
export class Namesakes {
  private readonly homes = new Map<string, Map<number, FunctionRange>>();
  /** By key and start of a function: the first line seen of it. */
  private lines: Map<string, Map<number, number>> | undefined;

  add(key: string, { home, line }: NamedFrame): void {
    if (home === undefined || line === 0) return;
    const homes = getOrMake(this.homes, key, () => new Map());
    const known = getOrMake(homes, home, () => ({ starts: [home], first: line, last: line }));
    known.first = Math.min(known.first, line);
    known.last = Math.max(known.last, line);
  }

  /** The first line of the function of a frame; 0 if no other function has its name, or nothing is known. */
  lineOf(key: string, { home }: NamedFrame): number {
    this.lines ??= new Map([...this.homes].map(([k, homes]) => [k, firstLines([...homes.values()])]));
    return home === undefined ? 0 : (this.lines.get(key)?.get(home) ?? 0);
  }
}

/** By start of a function: its first line; empty if all are one function. */
function firstLines(homes: FunctionRange[]): Map<number, number> {
  homes.sort((a, b) => a.first - b.first);
  const merged: FunctionRange[] = [];
  for (const home of homes) {
    const before = merged.at(-1);
    if (before && home.first <= before.last) {
      before.starts.push(...home.starts);
      before.last = Math.max(before.last, home.last);
    } else merged.push(home);
  }
  return new Map(merged.length < 2 ? [] : merged.flatMap(({ starts, first }) => starts.map((s) => [s, first] as const)));
}
