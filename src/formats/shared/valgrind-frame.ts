// Parses a frame as written by Valgrind's tools DHAT and Massif.
import { nameOfAddress } from '../../model/stacks/writer.ts';
import { openingBracketOfLast } from '../perf-script/lines.ts';

/** Parses `0x109190: make (alloc.c:3)`, `0x48417B4: malloc (in /usr/lib/x.so)` or `0x1: ???`. */
export function parseValgrindFrame(text: string): { name: string; file: string | null; line: number; object: string | null } {
  const body = text.replace(/^0x[0-9A-Fa-f]{1,16}: /, '');
  const open = openingBracketOfLast(body);
  const name = open < 0 ? body : body.slice(0, open).trimEnd();
  const inside = open < 0 ? '' : body.slice(open + 1, -1);
  const object = inside.startsWith('in ') ? inside.slice(3) : null;
  const at = object === null ? parseFileLine(inside) : undefined;
  return {
    name: name === '???' ? nameOfAddress('0x...', object) : object === null && !at ? body : name,
    file: at?.file ?? null,
    line: at?.line ?? 0,
    object,
  };
}

/** Parses `alloc.c:3`, or `src/main.rs:20:5` with a column, which is left out. */
export function parseFileLine(text: string): { readonly file: string; readonly line: number } | undefined {
  const [, file, line] = /^(.*?):(\d{1,10})(?::\d{1,10})?$/.exec(text) ?? []; // bounded: the limit of a name
  return file !== undefined && Number(line) < 2 ** 31 ? { file, line: Number(line) } : undefined;
}
