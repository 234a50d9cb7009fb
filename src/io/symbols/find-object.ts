// Finds the objects of a profile (its program and libraries) on this machine, and their debug files: by build ID and by
// .gnu_debuglink, in the same places as gdb and pprof.
import { basename, dirname, join, normalize } from 'node:path';
import { crc32 } from 'node:zlib';
import { attempt } from '../../base/attempt.ts';
import { mappedPath } from '../../base/paths.ts';
import { refusalReason } from '../disk/regular.ts';
import { isFile } from '../stat.ts';
import { type Elf, openElf } from './elf.ts';

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

const SYSTEM_DEBUG_FOLDER = '/usr/lib/debug';

/** True if an object itself has debug information. */
export const hasDebugInfo = (elf: Elf): boolean =>
  elf.sections.some((s) => /^\.z?debug_(info|line)$/.test(s.name) && s.bytes > 0);

/** An object's debug file and its path; undefined if there is none; a message if the only one found is of another build. */
export function findDebugFile(elf: Elf, path: string, folders: readonly string[]) {
  let wrong: string | undefined;
  for (const candidate of debugFileCandidates(elf, path, folders)) {
    // Most candidates do not exist.
    const found = attempt(() => openElf(candidate));
    if (typeof found !== 'object') continue;
    const { buildId } = found;
    if (elf.buildId !== null && buildId !== null && buildId !== elf.buildId) {
      wrong ??= `${candidate} is from another build than ${path}`;
    } else if (elf.buildId === null && elf.debugLink && checksum(found) !== elf.debugLink.crc) {
      wrong ??= `${candidate} is not the debug file that ${path} was linked with: the checksum differs`;
    } else return { elf: found, path: candidate };
    found.bytes.close();
  }
  return wrong;
}

function debugFileCandidates(elf: Elf, path: string, folders: readonly string[]): string[] {
  const out: string[] = [];
  const roots = [...folders, SYSTEM_DEBUG_FOLDER];
  if (elf.buildId !== null && elf.buildId.length > 2) {
    const name = join('.build-id', elf.buildId.slice(0, 2), `${elf.buildId.slice(2)}.debug`);
    for (const root of roots) out.push(join(root, name));
  }
  if (elf.debugLink) {
    const { name } = elf.debugLink;
    const folder = dirname(path);
    const places = [folder, join(folder, '.debug'), ...roots.flatMap((root) => [join(root, folder), root])];
    out.push(...places.map((place) => join(place, name)).filter((at) => at !== path));
  }
  return out;
}

const PIECE_BYTES = 1 << 22;

function checksum({ bytes }: Elf): number {
  let sum = 0;
  for (let at = 0; at < bytes.size; at += PIECE_BYTES) sum = crc32(bytes.read(at, PIECE_BYTES), sum);
  return sum;
}

/** A debug file named by the object that is not regular: tools would open it and block. undefined if there is none. */
export function findBlockingFile(elf: Elf, path: string, folders: readonly string[]): string | undefined {
  const folder = dirname(path);
  const named = elf.debugAltLink === null ? [] : [join(folder, elf.debugAltLink), join('/', elf.debugAltLink)];
  return [...debugFileCandidates(elf, path, folders), ...named, `${path}.dwp`].find((file) => refusalReason(file) !== undefined);
}
