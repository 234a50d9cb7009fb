// The textual list of mapped objects at the end of a CPU profile: lines of /proc/self/maps, `build=` lines, and noise.

import type { Mapping } from '../../model/stacks/samples.ts';
import { decodeBytes } from '../../model/strings.ts';

const LINE =
  /^\s*([0-9a-f]{1,16})-([0-9a-f]{1,16})\s+([-rwxsp]{3,5})\s+([0-9a-f]{1,16})\s+[0-9a-f]+:[0-9a-f]+\s+\d+\s*(.*?)\s*$/i;

/** The mappings in the order of the list. Other lines are skipped, as the format requires. */
export function parseMaps(text: Uint8Array): Mapping[] {
  const out: Mapping[] = [];
  let build = '';
  for (let from = 0; from < text.length; ) {
    let to = text.indexOf(10, from);
    if (to < 0) to = text.length;
    const line = decodeBytes(text, from, to);
    from = to + 1;
    const set = /^\s*build=(.*?)\s*$/.exec(line);
    if (set) {
      build = set[1];
      continue;
    }
    const m = LINE.exec(line);
    if (!m) continue;
    const [start, end, offset] = [m[1], m[2], m[4]].map((hex) => BigInt(`0x${hex}`)) as [bigint, bigint, bigint];
    if (end <= start) continue;
    const path = m[5].replace(/\$build(?!\w)/g, () => build);
    out.push({ start, end, offset, executable: m[3].includes('x'), path: path === '' ? null : path });
  }
  return out;
}
