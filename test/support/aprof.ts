// Writes small aprof reports with calling contexts.

/** A call as it stands in the tree: its points as size, worst cost of a call and number of calls; each call costs the same. */
export interface Called {
  readonly name: string;
  readonly object?: string;
  readonly points?: readonly (readonly [size: number, cost: number, calls?: number])[];
  readonly calls?: readonly Called[];
}

export function aprofReport(roots: readonly Called[]): string {
  const routines = new Map<string, { id: number; head: string; rows: string[] }>();
  const contexts: string[] = [];
  const add = (call: Called, parent: number): void => {
    const { name, object = '/opt/demo/demo', points = [], calls = [] } = call;
    const key = `${name} ${object}`;
    const routine = routines.get(key) ?? { id: routines.size, head: `r "${name}" "${object}" ${routines.size}`, rows: [] };
    routines.set(key, routine);
    const id = contexts.length + 1;
    contexts.push(`x ${routine.id} ${id} ${parent}`);
    for (const [size, cost, n = 1] of points) {
      const [sum, squares] = [n * cost, n * cost * cost];
      routine.rows.push(`q ${[id, size, cost, cost, sum, squares, n, sum, sum, cost, cost, squares].join(' ')}`);
    }
    for (const below of calls) add(below, id);
  };
  for (const root of roots) add(root, -1);
  return [
    ...['v 6', 'k 100', 'e 1355000000', 'm bb-count', 'i rms', 't 4', 'a ./demo', 'f ./demo'],
    ...[...routines.values()].flatMap(({ head, rows }) => [head, ...rows]),
    ...contexts,
    '',
  ].join('\n');
}

/** Points at `count` sizes, `step` apart. */
export const pointsOf = (cost: (n: number) => number, count = 20, step = 10, first = step): [size: number, cost: number][] =>
  Array.from({ length: count }, (_, i) => [first + i * step, Math.round(cost(first + i * step))]);
