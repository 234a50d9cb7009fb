// What is the user's own code: routines whose source file lies in the folders that were named, else in the current one.
import type { Profile } from '../../model/profile.ts';
import { fileName } from '../names.ts';

/** Absolute folders, and prefixes of recorded paths with what stands for them here. */
export interface OwnPlaces {
  readonly folders: readonly string[];
  readonly maps: readonly (readonly [from: string, to: string])[];
}

/** By routine: 1 if its file lies in one of the folders. A relative path does unless it leaves its folder; an unknown file never does. */
export function ownRoutines(profile: Profile, { folders, maps }: OwnPlaces): Uint8Array {
  const own = Uint8Array.from(profile.files.name, (_, file) => {
    const name = fileName(profile, file) ?? '';
    const map = maps.find(([from]) => within(name, from));
    const path = map ? map[1] + name.slice(map[0].length) : name;
    const plain = straight(path);
    if (plain === '' || plain.startsWith('?')) return 0;
    return plain.startsWith('/') ? Number(folders.some((f) => within(plain, straight(f)))) : Number(!plain.startsWith('../'));
  });
  return Uint8Array.from(profile.routines.file, (file) => (file < 0 ? 0 : own[file]));
}

const within = (path: string, folder: string) => path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** Without `.`, `..` and empty names in between: a recorded path is not looked up. */
function straight(path: string): string {
  const out: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..' && out.length > 0 && out.at(-1) !== '..') out.pop();
    else if (name !== '..' || !path.startsWith('/')) out.push(name);
  }
  return (path.startsWith('/') ? '/' : '') + out.join('/') + (out.at(-1) === '..' ? '/' : '');
}
