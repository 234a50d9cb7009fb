// The textual list of mapped objects at the end of a CPU profile: lines of /proc/self/maps, `build=` lines, and noise.

import type { Mapping } from '../../model/stacks/samples.ts';

const LINE =
  /^([0-9a-f]{1,16})-([0-9a-f]{1,16})\s+([-rwxsp]{3,5})\s+([0-9a-f]{1,16})\s+[0-9a-f]+:[0-9a-f]+\s+\d+(?:\s+([\s\S]*))?$/i; // bounded: the last part takes whatever follows
const BUILD = 'build=';

/** Reads the list line by line. */
export class MapLines {
  /** In the order of the list. */
  readonly mappings: Mapping[] = [];
  private build = '';

  /** Lines of another form are skipped, as the format requires. */
  read(text: string): void {
    const line = text.trim();
    if (line.startsWith(BUILD)) {
      this.build = line.slice(BUILD.length).trimStart();
      return;
    }
    const m = LINE.exec(line);
    if (!m) return;
    const [start, end, offset] = [m[1], m[2], m[4]].map((hex) => BigInt(`0x${hex}`)) as [bigint, bigint, bigint];
    if (end <= start) return;
    const path = this.expanded(m[5] ?? '');
    this.mappings.push({ start, end, offset, executable: m[3].includes('x'), path: path === '' ? null : path });
  }

  /** With the build folder for `$build`. Only the first one counts: a path cannot lie in two folders. */
  private expanded(path: string): string {
    const m = /\$build(?!\w)/.exec(path);
    return m ? path.slice(0, m.index) + this.build + path.slice(m.index + m[0].length) : path;
  }
}
