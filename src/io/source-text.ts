// Finds and reads source files. A profile names them as the compiler saw them, perhaps on another machine or in another folder.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import type { SourceText } from '../base/source-text.ts';
import { findObject, type SymbolPlaces } from './symbols/find-object.ts';

export interface SourcePlaces {
  readonly dirs: readonly string[];
  /** `FROM=TO`: a path that begins with FROM is looked for at TO. */
  readonly maps: readonly (readonly [from: string, to: string])[];
  readonly profiles: readonly string[];
}

const LARGEST = 64 << 20;

/** The source text, or why there is none. `hint`: how to say where it is. */
export function readSource(
  file: string,
  places: SourcePlaces,
  hint = '--source-dir DIR or --path-map FROM=TO',
): SourceText | string {
  if (file === '' || /^(\?\?\?|UnknownFile\?\?\?|\(unknown\))$/.test(file)) return 'the profile does not say which file';
  let wrong: string | undefined;
  for (const path of candidates(file, places)) {
    if (!existsSync(path)) continue;
    try {
      const stat = statSync(path);
      if (!stat.isFile()) {
        wrong ??= `${path} is not a regular file`;
        continue;
      }
      if (stat.size > LARGEST) {
        wrong ??= `${path} is too large to be a source file (${stat.size} bytes)`;
        continue;
      }
      const bytes = readFileSync(path);
      if (bytes.subarray(0, 4096).includes(0)) {
        wrong ??= `${path} is not text`;
        continue;
      }
      const lines = bytes.toString('utf8').split(/\r?\n/);
      if (lines.at(-1) === '') lines.pop();
      return { path, lines, newer: isNewer(stat.mtimeMs, places.profiles) };
    } catch (error) {
      wrong ??= `${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`;
    }
  }
  return wrong ?? `no source here (${hint})`;
}

/** Where an object file is now: searched for like symbols, then like sources; its recorded path if not found. */
export function objectFile(
  object: string,
  isMain: boolean,
  places: SourcePlaces,
  symbols: Omit<SymbolPlaces, 'profiles'>,
): string {
  const found = findObject(object, isMain, { ...symbols, profiles: places.profiles });
  return found ?? candidates(object, places).find((path) => existsSync(path)) ?? object;
}

/** Where the file may be, most likely first: mapped, as recorded, or under each folder by ever shorter suffixes of its path. */
export function candidates(file: string, places: SourcePlaces): string[] {
  const out: string[] = [];
  for (const [from, to] of places.maps) {
    if (file === from || file.startsWith(from.endsWith('/') ? from : from + '/')) out.push(join(to, file.slice(from.length)));
  }
  if (isAbsolute(file)) out.push(normalize(file));
  const roots = [...places.dirs, ...places.profiles.map((p) => dirname(p)), process.cwd()];
  const parts = normalize(file)
    .split('/')
    .filter((p) => p !== '' && p !== '.' && p !== '..');
  for (const root of roots) {
    for (let k = 0; k < parts.length; k++) {
      // In folders the user did not name, a bare file name could match an unrelated util.c.
      if (k > 0 && k === parts.length - 1 && !places.dirs.includes(root)) break;
      out.push(join(root, ...parts.slice(k)));
    }
  }
  return [...new Set(out)];
}

export function isNewer(mtimeMs: number, profiles: readonly string[]): boolean {
  return profiles.some((profile) => {
    try {
      return mtimeMs > statSync(profile).mtimeMs + 1000;
    } catch {
      return false;
    }
  });
}
