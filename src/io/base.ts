// The runs that --base names.
import { dirname, resolve } from 'node:path';
import { formatBytes } from '../base/units.ts';
import type { Head } from '../model/head.ts';
import { profilesIn, resolveBase } from './find.ts';

/** The files of each run that is named. Throws FormatError. */
export function resolveRuns(bases: readonly string[], opened: readonly string[]): string[][] {
  return bases.map((base) => resolveBase(base, opened));
}

const MOST_OFFERED = 100;

/** Profiles of the same format in the folder of the opened one, newest first; a kept build's folder has the builds before it. */
export function basesBeside({ paths, format }: Pick<Head, 'paths' | 'format'>): { path: string; about: string }[] {
  const [first] = paths;
  if (first === undefined || first === '-') return [];
  const opened = new Set(paths.map((path) => resolve(path)));
  return profilesIn(dirname(first))
    .filter((found) => found.format === format && !opened.has(resolve(found.path)))
    .slice(0, MOST_OFFERED)
    .map(({ path, bytes, modifiedMs, about }) => {
      const when = new Date(modifiedMs).toISOString().slice(0, 16).replace('T', ' ');
      return { path, about: [when, formatBytes(bytes), about?.what ?? ''].filter((text) => text !== '').join(', ') };
    });
}
