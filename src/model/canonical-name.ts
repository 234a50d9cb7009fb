// The canonical name of a routine: without what changes from build to build. It is displayed, and pairs the routines of two runs.

import { folderOf } from '../base/paths.ts';

const MAX_LENGTH = 4096;

/** Suffixes of GCC, Clang and the demangler for functions that were cloned, split or moved, before levels and callers: `f.isra.0'2`. */
const CLONE_SUFFIX =
  /(?:\.(?:(?:part|isra|constprop|lto_priv|localalias|llvm)\.\d{1,20}|cold(?:\.\d{1,9})?)|\s\[clone [^\]]{1,99}\])+(?=$|')/g; // bounded: MAX_LENGTH
/** Stubs of the linker, and symbol versions: `memcpy@plt`, `memcpy@@GLIBC_2.14`. */
const VERSION = /@(?:plt|@?(?:Base|[A-Za-z][A-Za-z0-9]{0,40}_\d[\w.]{0,40}))(?=$|')/g; // bounded: MAX_LENGTH
/** The number that LLVM puts behind the name of a function that it moved to another unit. */
export const LLVM_NUMBER = /\.llvm\.\d{1,20}$/;
/** The hash that Rust puts behind a path, in names that Valgrind or another tool has half demangled. */
export const RUST_HASH = /::h[0-9a-f]{16}(?=$|')/;
/** The lines of a function, as xdebug and Python's profilers write them: `{closure:a.php:30-34}`, `work:20`. */
const LINES = /:(\d{1,9})(?:-\d{1,9})?(?=\}?$)/;
/** The folders of a path that begins within a name. A path after a word, as in Go's `example.com/x.F`, is part of the name. */
const FOLDERS = /(?<![\w.)\]/\\])(?:[A-Za-z]:)?[\\/](?:[^\s:{}()<>,\\/]{1,255}[\\/])+/g; // bounded: MAX_LENGTH
/** Functions that PHP names by their file: `{closure:/srv/a.php:30-34}`, `require_once::/srv/a.php`. */
const PHP_PATH =
  /(\{closure|^(?:require|include)(?:_once)?:):((?:[A-Za-z]:)?[\\/][^:{}]{1,2048}?)(?::(\d{1,9})(?:-\d{1,9})?\}|$)/; // bounded: MAX_LENGTH

/** Whether a name may be mangled, or is one that Valgrind or another tool has half demangled. */
export const mayBeMangled = (name: string): boolean => /^(?:_?_Z|_R|_D\d|\$[sS])/.test(name) || RUST_HASH.test(name);

/** The first of the lines within a name; 0 if there are none. */
export const lineInName = (name: string): number => Number(LINES.exec(name)?.[1] ?? 0);

/** The name that pairs the routines of two runs: without levels, clones, hashes, folders of paths, and lines. */
export function pairingName(name: string): string {
  if (name.length > MAX_LENGTH) return name;
  const bare = name
    .replace(/'\d{1,9}$/, '')
    .replace(CLONE_SUFFIX, '')
    .replace(VERSION, '');
  return bare.replace(RUST_HASH, '').replace(FOLDERS, '').replace(LINES, '');
}

/** Removes a symbol version: `name@GLIBC_2.2.5` becomes `name`. */
export function withoutVersion(name: string): string {
  const at = name.indexOf('@', 1);
  return at < 0 ? name : name.slice(0, at);
}

/** The function from which the compiler made a clone: `name` for `name.part.0.cold`. */
export const withoutCloneSuffix = (name: string): string => (name.length > MAX_LENGTH ? name : name.replace(CLONE_SUFFIX, ''));

/** The displayed form of a demangled name: without clones and versions, with paths below `folder` relative to it. `[cold]` marks code that was moved away. */
export function displayName(name: string, folder: string): string {
  if (name.length > MAX_LENGTH) return name;
  const cold = (suffix: string) => (/\bcold\b/.test(suffix) ? ' [cold]' : '');
  const relative = (path: string) => (folder !== '' && path.startsWith(folder) ? path.slice(folder.length) : path);
  return name
    .replace(CLONE_SUFFIX, cold)
    .replace(VERSION, '')
    .replace(PHP_PATH, (_, what: string, path: string, line?: string) =>
      line === undefined ? `${what}:${relative(path)}` : `${what} ${relative(path)}:${line}}`,
    );
}

/** The folder of the path in a function's name, with its last separator; '' if the name has no path. */
export const folderInName = (name: string): string => (name.length > MAX_LENGTH ? '' : folderOf(PHP_PATH.exec(name)?.[2] ?? ''));

/** The name without the routine's file and line, which Python's profilers add to it: `run /srv/a.py:7`, `work:20`. */
export function withoutPlace(name: string, file: string): string {
  const [line] = /:\d{1,9}$/.exec(name) ?? [];
  if (line === undefined || file === '') return name;
  const bare = name.slice(0, -line.length);
  if (bare.endsWith(` ${file}`)) return bare.slice(0, -file.length - 1);
  return bare.includes(' ') || file.endsWith(bare) ? name : bare;
}

/** Whether routines with this canonical name stay apart: all but mangled names and LLVM's numbers, which are other spellings of one name. */
export function isOneOfSeveral(name: string): boolean {
  if (name.length > MAX_LENGTH) return false;
  const spelled = name.replace(LLVM_NUMBER, '');
  return RUST_HASH.test(name) || /17h[0-9a-f]{16}E/.test(name) || displayName(spelled, '') !== spelled;
}
