// The displayed names of routines: demangled, and without what changes from build to build.
import { groupByKey } from '../../base/lists.ts';
import { commonFolderOf } from '../../base/paths.ts';
import { displayName, folderInName, mayBeMangled, withoutPlace, withoutVersion } from '../../model/canonical-name.ts';
import type { ShownNames, Sink } from '../../model/sink.ts';
import { mayBeShownOtherwise } from './mangled.ts';

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
