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
  const colon = object === null ? inside.lastIndexOf(':') : -1;
  const line = colon < 0 ? Number.NaN : Number(inside.slice(colon + 1));
  const isPlace = Number.isInteger(line) && line >= 0 && line < 2 ** 31;
  return {
    name: name === '???' ? nameOfAddress('0x...', object) : object === null && !isPlace ? body : name,
    file: isPlace ? inside.slice(0, colon) : null,
    line: isPlace ? line : 0,
    object,
  };
}
