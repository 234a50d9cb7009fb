// Finds the objects of a profile (its program and libraries) on this machine.
import { basename, dirname, join, normalize } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { mappedPath } from '../../base/paths.ts';
import { isFile } from '../stat.ts';
import { openElf } from './elf.ts';

export interface SymbolPaths {
  /** `[object in the profile, its current path]`; the first is null if only a path was given: it is then matched by file name. */
  readonly binaries: readonly (readonly [from: string | null, to: string])[];
  /** Folders in which binaries and debug files, or sources, are searched for. */
  readonly dirs: readonly string[];
  /** Path mappings `FROM=TO`: a path that begins with FROM is looked for at TO. */
  readonly maps: readonly (readonly [from: string, to: string])[];
  readonly profiles: readonly string[];
  /** Whether objects give names although their build IDs are not those of the profile. */
  readonly anyway?: boolean;
}

export type SymbolOptions = Omit<SymbolPaths, 'profiles'>;

/**
 * Where an object is now: as given by --binary, mapped, under the folders named (also by its build ID), as recorded, or next to the
 * profile. The first with this build ID; if none has it, the first.
 */
export function findObject(path: string, isMain: boolean, where: SymbolPaths, buildId?: string): string | undefined {
  const plain = path.replace(/ \(deleted\)$/, '');
  const name = basename(plain);
  const isNamed = where.binaries.some(([from, to]) => from === null && basename(to) === name);
  for (const [from, to] of where.binaries) {
    if (from === plain || from === path) return to;
    if (from === null && (basename(to) === name || (isMain && !isNamed))) return to;
  }
  const out = where.maps.flatMap((map) => mappedPath(plain, map) ?? []).map((mapped) => normalize(mapped));
  const byId = buildId && join('.build-id', buildId.slice(0, 2), buildId.slice(2));
  for (const dir of where.dirs)
    out.push(join(dir, plain), join(dir, name), ...(byId ? [join(dir, byId), join(dir, `${byId}.debug`)] : []));
  out.push(plain);
  for (const profile of where.profiles) if (profile !== '-') out.push(join(dirname(profile), name));
  const files = out.filter(isFile);
  return files.find((file) => buildId === undefined || buildIdOf(file) === buildId) ?? files[0];
}

function buildIdOf(file: string): string | undefined {
  const elf = attempt(() => openElf(file));
  if (typeof elf !== 'object') return undefined;
  elf.bytes.close();
  return elf.buildId ?? undefined;
}
