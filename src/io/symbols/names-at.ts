// Whether an object has a routine's name at an address: if it has another one there, it is not the object that ran.
import { demangle } from './demangle.ts';
import { type Elf, Fields, fileBytes, readElf, textAt } from './elf.ts';
import { MOST_TABLES } from './symbol-table.ts';

const SHT_SYMTAB = 2;
const SHT_DYNSYM = 11;
const STT_FUNC = 2;
const STT_GNU_IFUNC = 10;
const CHUNK = 1 << 20;
const NAME_WINDOW = 1 << 12;
const MOST_NAMES = 64;

/** The symbol that the object has at the address, if none there can be the routine's; undefined also if nothing can be said. */
export async function nameDiffers(path: string, routine: string, address: bigint): Promise<string | undefined> {
  const wanted = identifierOf(routine);
  if (wanted === undefined) return undefined;
  const bytes = fileBytes(path);
  try {
    const elf = readElf(bytes);
    if (typeof elf === 'string') return undefined;
    const names = await namesAt(elf, Number(address));
    // A mangled name contains the identifiers of the name in full; aliases differ in their underscores.
    const core = wanted.replace(/^_+(?=.)/, '');
    const fits = (name: string) => name.includes(core) && numbersIn(demangle(name)).every((n) => numbers.includes(n));
    const numbers = numbersIn(routine);
    return names.length === 0 || names.some(fits) ? undefined : demangle(names[0]);
  } finally {
    bytes.close();
  }
}

/** The numbers among the template arguments: they tell neighbours apart that differ in nothing else, such as `level<46>`. */
function numbersIn(name: string): string[] {
  const [from, to] = [name.indexOf('<'), name.lastIndexOf('>')];
  return from < 0 || to < from ? [] : (name.slice(from, to).match(/\b\d+/g) ?? []);
}

/** The last plain identifier of a C or C++ name; undefined where there is none to compare: operators, lambdas, bare addresses. */
export function identifierOf(routine: string): string | undefined {
  const bare = withoutBrackets(routine.replace(/'\d+$/, '')); // bounded: each run is looked at once
  // Without a version (@) or a tag of the ABI ([).
  const core = /^[^@[]*/.exec(bare)?.[0] ?? '';
  const last = /(?:^|::|\s)~?([A-Za-z_$][\w$]{2,})$/.exec(core)?.[1]; // bounded: each run is looked at once
  return last === undefined || /^operator/.test(last) || /^0x[\da-f]+$/i.test(last) || /lambda|\boperator\b/.test(bare)
    ? undefined
    : last;
}

/** The name up to its parameters, without template arguments. */
function withoutBrackets(name: string): string {
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

/** The names of the functions that cover an address; symbols without a size cover nothing. */
async function namesAt(elf: Elf, address: number): Promise<string[]> {
  const { wide, little } = elf;
  const entry = wide ? 24 : 16;
  const out: string[] = [];
  for (const table of elf.sections.filter((s) => s.type === SHT_SYMTAB || s.type === SHT_DYNSYM).slice(0, MOST_TABLES)) {
    const strings = elf.sections[table.link];
    const count = strings ? Math.floor(table.bytes / entry) : 0;
    const atOnce = Math.floor(CHUNK / entry);
    for (let first = 0; first < count && out.length < MOST_NAMES; first += atOnce) {
      const raw = elf.bytes.read(table.offset + first * entry, Math.min(count - first, atOnce) * entry);
      // Lets keys be handled between two pieces.
      await new Promise<void>((resolve) => setImmediate(resolve));
      const f = new Fields(raw, wide, little);
      for (let at = 0; at + entry <= raw.length && out.length < MOST_NAMES; at += entry) {
        const type = raw[at + (wide ? 4 : 12)] & 15;
        if ((type !== STT_FUNC && type !== STT_GNU_IFUNC) || f.u16(at + (wide ? 6 : 14)) === 0) continue;
        const start = wide ? f.u64(at + 8) : f.u32(at + 4);
        const size = wide ? f.u64(at + 16) : f.u32(at + 8);
        if (address < start || address >= start + size) continue;
        const name = f.u32(at);
        const text = textAt(elf.bytes.read(strings.offset + name, Math.min(NAME_WINDOW, Math.max(0, strings.bytes - name))), 0);
        if (text !== '') out.push(text);
      }
    }
  }
  return out;
}
