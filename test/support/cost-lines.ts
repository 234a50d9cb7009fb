// The cost lines of a Callgrind or Cachegrind file, by a reader that shares nothing with ours: slow, and for well-formed files alone.
import { readMaybeGz } from './fixtures.ts';

export interface CostLine {
  readonly routine: string;
  /** Its object and own file: routines of one name are told apart by them. */
  readonly place: string;
  readonly file: string;
  readonly line: number;
  readonly address: string | undefined;
  readonly costs: Readonly<Record<string, number>>;
}

const TABLES: Readonly<Record<string, string>> = {
  fl: 'file',
  fi: 'file',
  fe: 'file',
  cfi: 'file',
  cfl: 'file',
  jfi: 'file',
  ob: 'ob',
  cob: 'ob',
  fn: 'fn',
  cfn: 'fn',
};

/** The own cost lines of routines; those of calls are left out. */
export function costLines(path: string): { readonly events: readonly string[]; readonly lines: readonly CostLine[] } {
  const names = new Map<string, string>();
  let events: string[] = [];
  let positions = ['line'];
  let at = [0, 0];
  let [file, routine, object, place, isCall] = ['', '', '', '', false];
  const lines: CostLine[] = [];
  for (const text of readMaybeGz(path).toString('latin1').split('\n')) {
    const [, key, value] = /^(\w+)=(.*)$/.exec(text) ?? [];
    const table = TABLES[key ?? ''];
    if (table) {
      const [, id, given] = /^(\(\d+\))(?: (.*))?$/.exec(value) ?? [];
      if (id && given !== undefined) names.set(table + id, given);
      const name = id ? (names.get(table + id) ?? '') : value;
      if (key === 'fn') [routine, place] = [name, `${object} ${file}`];
      else if (key === 'ob') object = name;
      else if (['fl', 'fi', 'fe'].includes(key)) file = name;
    } else if (text.startsWith('events:')) events = text.slice(7).trim().split(/\s+/);
    else if (text.startsWith('positions:')) positions = text.slice(10).trim().split(/\s+/);
    else if (key === 'calls') isCall = true;
    else if (/^[0-9+*-]/.test(text)) {
      const words = text.trim().split(/\s+/);
      at = positions.map((_, k) => {
        const [word, last] = [words[k], at[k] ?? 0];
        return word === '*'
          ? last
          : word[0] === '+'
            ? last + Number(word.slice(1))
            : word[0] === '-'
              ? last - Number(word.slice(1))
              : Number(word);
      });
      const given = words.slice(positions.length).map(Number);
      const address = positions[0] === 'instr' ? `0x${at[0].toString(16)}` : undefined;
      const costs = Object.fromEntries(events.map((event, k) => [event, given[k] ?? 0]));
      // The position of a jump has no costs.
      if (!isCall && given.length > 0) lines.push({ routine, place, file, line: at[positions.indexOf('line')], address, costs });
      isCall = false;
    }
  }
  return { events, lines };
}

/** Sums of costs by a key. */
export function summed(lines: readonly CostLine[], key: (line: CostLine) => string): Map<string, Record<string, number>> {
  const out = new Map<string, Record<string, number>>();
  for (const line of lines) {
    const sums = out.get(key(line)) ?? {};
    for (const [event, cost] of Object.entries(line.costs)) sums[event] = (sums[event] ?? 0) + cost;
    out.set(key(line), sums);
  }
  return out;
}
