// Begin and end events as slices. The format allows events in any order, so they are paired when all are known.

/** A begin or an end. */
export interface Edge {
  readonly us: number;
  readonly begins: boolean;
  readonly name: string;
  /** Of a begin: its row, where it has one. */
  readonly row: number;
  /** Of an end: what it says beyond the begin. */
  readonly args?: Readonly<Record<string, unknown>>;
}

export interface Pairs {
  readonly closed: readonly (readonly [begin: Edge, end: Edge])[];
  /** Begins without an end, the innermost first. */
  readonly open: readonly Edge[];
  /** How many ends have no begin. */
  readonly stray: number;
}

/** In order of time; what happened at the same time stays in the order of the file. */
export function byTime<T extends { readonly us: number }>(list: readonly T[]): readonly T[] {
  for (let i = 1; i < list.length; i++) if (list[i].us < list[i - 1].us) return [...list].sort((a, b) => a.us - b.us);
  return list;
}

/**
 * An end closes the innermost open slice of its name; where it has no name, or none of that name is open, the innermost of all.
 * No slice is looked at twice, however the names lie.
 */
export function pairsOf(edges: readonly Edge[]): Pairs {
  const all: Edge[] = [];
  const byName = new Map<string, Edge[]>();
  /** Closed by way of one of the two lists, and still in the other. */
  const gone = new Set<Edge>();
  const innermost = (list: Edge[] | undefined): Edge | undefined => {
    for (let top = list?.pop(); top; top = list?.pop()) {
      if (!gone.delete(top)) {
        gone.add(top);
        return top;
      }
    }
    return undefined;
  };
  const closed: [Edge, Edge][] = [];
  let stray = 0;
  for (const edge of byTime(edges)) {
    if (edge.begins) {
      all.push(edge);
      const same = byName.get(edge.name);
      if (same) same.push(edge);
      else byName.set(edge.name, [edge]);
      continue;
    }
    const begin = (edge.name === '' ? undefined : innermost(byName.get(edge.name))) ?? innermost(all);
    if (begin) closed.push([begin, edge]);
    else stray++;
  }
  return { closed, open: all.filter((e) => !gone.has(e)).reverse(), stray };
}
