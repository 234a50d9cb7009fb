// Where the objects of a profile (its program, its libraries) are on this machine.
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface SymbolPlaces {
  /** `[object of the profile, where it is now]`; the first is null where only a file was named: the object of its name. */
  readonly binaries: readonly (readonly [from: string | null, to: string])[];
  /** Folders with binaries and debug files. */
  readonly dirs: readonly string[];
  readonly maps: readonly (readonly [from: string, to: string])[];
  readonly profiles: readonly string[];
}

/** Where an object of the profile is now: as told, as recorded, mapped, or under the folders named and beside the profile. */
export function findObject(path: string, isMain: boolean, where: SymbolPlaces): string | undefined {
  const plain = path.replace(/ \(deleted\)$/, '');
  const name = basename(plain);
  for (const [from, to] of where.binaries) {
    if (from === plain || from === path) return to;
    if (
      from === null &&
      (basename(to) === name || (isMain && !where.binaries.some(([f, t]) => f === null && basename(t) === name)))
    )
      return to;
  }
  const out: string[] = [];
  for (const [from, to] of where.maps)
    if (plain === from || plain.startsWith(from.endsWith('/') ? from : `${from}/`)) out.push(join(to, plain.slice(from.length)));
  for (const dir of where.dirs) out.push(join(dir, plain), join(dir, name));
  out.push(plain);
  for (const profile of where.profiles) if (profile !== '-') out.push(join(dirname(profile), name));
  return out.find((p) => {
    try {
      return statSync(p).isFile();
    } catch {
      return false;
    }
  });
}
