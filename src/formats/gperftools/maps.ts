// Reads the list of mapped objects at the end of a profile: lines of /proc/self/maps, or the short lines of older tools.
// The list may define variables (`build=/home/me/out`) for paths that begin with `$build`. Any other line is ignored.

import type { Mapping } from '../../model/stacks/samples.ts';

const MAPS_LINE =
  /^([0-9a-f]{1,16})-([0-9a-f]{1,16})\s+([-rwxsp]{3,5})\s+([0-9a-f]{1,16})\s+[0-9a-f]+:[0-9a-f]+\s+\d+(?:\s+([\s\S]*))?$/i; // bounded: the last part takes whatever follows
/** Start, end, path: `00400000-00fcb000: /usr/bin/server`. */
const SHORT_MAPS_LINE = /^([0-9a-f]{1,16})-([0-9a-f]{1,16}):?\s+(\S[\s\S]*)$/i; // bounded: the last part takes whatever follows
const VARIABLE_LINE = /^(\w{1,40})=\s*([\s\S]*)$/; // bounded: the last part takes whatever follows

/** Reads the list line by line. */
export class MapLines {
  /** Mappings in the order of the list. */
  readonly mappings: Mapping[] = [];
  private readonly variables = new Map<string, string>();

  /** Reads a line of the list. Lines of another form are skipped, as the format requires. */
  read(text: string): void {
    const line = text.trim();
    const variable = VARIABLE_LINE.exec(line);
    if (variable) {
      this.variables.set(variable[1], variable[2]);
      return;
    }
    const whole = MAPS_LINE.exec(line);
    const m = whole ?? SHORT_MAPS_LINE.exec(line);
    if (!m) return;
    const [start, end, offset] = [m[1], m[2], whole?.[4] ?? '0'].map((hex) => BigInt(`0x${hex}`)) as [bigint, bigint, bigint];
    if (end <= start) return;
    const path = this.expandVariable((whole ? whole[5] : m[3]) ?? '');
    this.mappings.push({ start, end, offset, executable: whole?.[3].includes('x') ?? true, path: path === '' ? null : path });
  }

  /**
   * Reads a last line without an end. Returns what was found, if it may be cut off. `isText`: such a line is kept if it has a path, because
   * editors remove the last line feed.
   */
  readUnended(text: string, isText: boolean): string | undefined {
    const before = this.mappings.length;
    this.read(text);
    const path = this.mappings.at(before)?.path;
    if (text.trim() === '' || VARIABLE_LINE.test(text.trim()) || path?.endsWith(']')) return undefined;
    if (isText && path) return 'the end of the file: its path may be cut off';
    this.mappings.length = before;
    return 'the end of the file inside it: left out';
  }

  /** Replaces a variable at the start of a path (`$build`) by its value. */
  private expandVariable(path: string): string {
    const m = /\$(\w{1,40})/.exec(path);
    const value = m && this.variables.get(m[1]);
    return m && value !== undefined ? path.slice(0, m.index) + value + path.slice(m.index + m[0].length) : path;
  }
}
