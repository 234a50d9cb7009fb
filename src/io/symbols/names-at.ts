// Compares an object's symbol at an address with a routine's name: if they differ, another object ran.
import { demangle } from './demangle.ts';
import { type Elf, openElf } from './elf.ts';
import { forEachSymbol, nameAtOffset, symbolTablesOf } from './symbol-table.ts';

const MAX_NAMES = 64;

/** The symbol's name at the address if it does not fit the routine; undefined if one fits or nothing is known. */
export async function findDifferingName(path: string, routine: string, address: bigint): Promise<string | undefined> {
  const wanted = identifierOf(routine);
  if (wanted === undefined) return undefined;
  const elf = openElf(path);
  if (typeof elf === 'string') return undefined;
  try {
    const names = await symbolNamesAt(elf, Number(address));
    // A mangled name contains each identifier of the name in full. Aliases may differ in their underscores.
    const core = wanted.replace(/^_+(?=.)/, '');
    const fits = (name: string) => name.includes(core) && templateNumbersIn(demangle(name)).every((n) => numbers.includes(n));
    const numbers = templateNumbersIn(routine);
    return names.length === 0 || names.some(fits) ? undefined : demangle(names[0]);
  } finally {
    elf.bytes.close();
  }
}

/** The numbers in template arguments, which alone may distinguish neighbours such as `level<46>`. */
function templateNumbersIn(name: string): string[] {
  const [from, to] = [name.indexOf('<'), name.lastIndexOf('>')];
  return from < 0 || to < from ? [] : (name.slice(from, to).match(/\b\d+/g) ?? []);
}

/** The last plain identifier of a C or C++ name; undefined if there is none (operators, lambdas, bare addresses). */
export function identifierOf(routine: string): string | undefined {
  const bare = bareNameOf(routine.replace(/'\d+$/, '')); // bounded: each run is looked at once
  // The version (@) and the ABI tag ([) are removed.
  const core = /^[^@[]*/.exec(bare)?.[0] ?? '';
  const last = /(?:^|::|\s)~?([A-Za-z_$][\w$]{2,})$/.exec(core)?.[1]; // bounded: each run is looked at once
  return last === undefined || /^operator/.test(last) || /^0x[\da-f]+$/i.test(last) || /lambda|\boperator\b/.test(bare)
    ? undefined
    : last;
}

/** The name up to its parameters, without template arguments. */
function bareNameOf(name: string): string {
  let out = '';
  let depth = 0;
  for (const ch of name) {
    if (ch === '<') depth++;
    else if (ch === '>') depth--;
    else if (ch === '(') {
      // `(anonymous namespace)::` is part of the name.
      if (depth === 0 && !/^$|[\s:]$/.test(out)) break;
      depth++;
    } else if (ch === ')') depth--;
    else if (depth === 0) out += ch;
  }
  return out.trim();
}

/** The names of the functions that cover an address. Symbols without a size cover no address. */
async function symbolNamesAt(elf: Elf, address: number): Promise<string[]> {
  const out: string[] = [];
  for (const { table, strings } of symbolTablesOf(elf))
    await forEachSymbol(elf, table, ({ start, bytes, isFunction, name }) => {
      if (!isFunction || address < start || address >= start + bytes || out.length >= MAX_NAMES) return;
      const text = nameAtOffset(elf, strings, name);
      if (text !== '') out.push(text);
    });
  return out;
}
