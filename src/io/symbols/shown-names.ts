// The displayed names of routines: demangled, and without what changes from build to build.
import { groupByKey } from '../../base/lists.ts';
import { commonFolderOf } from '../../base/paths.ts';
import { displayName, folderInName, mayBeMangled, withoutPlace, withoutVersion } from '../../model/canonical-name.ts';
import type { ShownNames, Sink } from '../../model/sink.ts';
import { startsWithAscii } from '../../model/strings.ts';

/** The displayed names of a sink's routines, and of the names of symbols. The demangler is loaded if a name may be mangled. */
export async function findShownNames(sink: Sink, symbols: readonly string[], signal: AbortSignal): Promise<ShownNames> {
  const rows = sink.routinesWhere(mayBeShownOtherwise);
  const candidates = rows.map((r) => ({ name: sink.routineText(r), file: sink.fileOfRoutine(r) }));
  const folders = candidates.map(({ name }) => folderInName(name)).filter((folder) => folder !== '');
  const folder = folders.length === 0 ? '' : folders.reduce(commonFolderOf);
  const mangled = [...candidates.map(({ name }) => name), ...symbols].filter(mayBeMangled);
  const demangle = mangled.length > 0 ? await loadDemangler(mangled, signal) : (name: string) => name;
  const key = (name: string, file: string) => `${withoutPlace(name, file)}\n${file}`;
  const namesakes = groupByKey(candidates, ({ name, file }) => key(name, file));
  const nameOf = (recorded: string, file: string) => {
    // Valgrind puts levels and callers behind a name, each after a quote.
    const plain = mayBeMangled(recorded) ? levelsOf(recorded).map(demangle).join("'") : recorded;
    // The lines of several functions of a name tell them apart.
    const hasNamesakes = (namesakes.get(key(recorded, file))?.length ?? 0) > 1;
    return displayName(hasNamesakes ? plain : withoutPlace(plain, file), folder);
  };
  return { mayDiffer: mayBeShownOtherwise, candidates: rows, tested: sink.routines.count, nameOf };
}

const levelsOf = (name: string): string[] => name.split("'").map(withoutVersion);

async function loadDemangler(names: readonly string[], signal: AbortSignal): Promise<(name: string) => string> {
  const { demangle, learnNames } = await import('./demangle.ts');
  await learnNames(Array.from(new Set(names.flatMap(levelsOf))), signal);
  return demangle;
}

const [UNDERSCORE, D, Z, R, S, COLON, H, DOLLAR] = [95, 68, 90, 82, 115, 58, 104, 36];
/** `::h` and 16 digits. */
const RUST_HASH_LENGTH = 19;
const AT = 64;
/** Functions that PHP names by their file. */
const PATH_KEYWORDS = ['require', 'include'];
const COLD = Buffer.from('.cold');
const [BRACKET, BRACE, DOT, QUOTE] = [93, 125, 46, 39];

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;

/** Whether a name may be mangled: `_Z…` of C++, `_R…` of Rust, `_D1…` of D, `$s…` of Swift, `…::h0123456789abcdef` of Rust half demangled. */
function looksMangled(bytes: Uint8Array, from: number, to: number): boolean {
  if (bytes[from] === DOLLAR && bytes[from + 1] === S) return true;
  const at = bytes[from] === UNDERSCORE && bytes[from + 1] === UNDERSCORE ? from + 1 : from;
  const next = bytes[at + 1];
  if (
    bytes[at] === UNDERSCORE &&
    to - at > 2 &&
    (next === Z || (at === from && next === R) || (next === D && isDigit(bytes[at + 2])))
  )
    return true;
  const hash = to - RUST_HASH_LENGTH;
  return hash > from && bytes[hash] === COLON && bytes[hash + 1] === COLON && bytes[hash + 2] === H;
}

/** Whether the displayed form of a name may be another: the name is mangled, has a version or a path, or ends in `.0`, `:20`, `]`, `}` or `.cold`. */
function mayBeShownOtherwise(bytes: Uint8Array, from: number, to: number): boolean {
  // Levels and callers follow a quote.
  let end = to;
  for (let i = from + 1; i < to; i++) {
    if (bytes[i] === AT) return true;
    if (bytes[i] === QUOTE && end === to) end = i;
  }
  if (PATH_KEYWORDS.some((word) => startsWithAscii(bytes, from, word))) return true;
  const last = bytes[end - 1];
  let at = end;
  while (at > from && isDigit(bytes[at - 1])) at--;
  if (at < end && (bytes[at - 1] === DOT || bytes[at - 1] === COLON)) return true;
  if (last === BRACKET || last === BRACE || looksMangled(bytes, from, to)) return true;
  return end - from > COLD.length && COLD.equals(bytes.subarray(end - COLD.length, end));
}
