// Reads version 1 of the CPU profile, written by agents of Java virtual machines and also read by pprof.
// Its addresses, also those of callers, are only numbers of locations. A text after the records names them:
//   0x00000003 GC
//   0x00000006 com.example.Sorter.sort (Sorter.java:61)
//   0x00000007 memcpy (/lib/libc.so.6)
// There is no list of mapped objects. Some records of real files count 0 samples.
import type { NamedFrame, Samples } from '../../model/stacks/samples.ts';
import type { NamedStackWriter } from '../../model/stacks/writer.ts';

/** Reads a line with an address and its name. The name is kept if a sample has that address. */
export function readJavaName(line: string, samples: Samples, names: Map<number, NamedFrame>): void {
  const m = /^0x([0-9a-f]{1,16})\s+([\s\S]+)$/i.exec(line.trim()); // bounded: the last part takes whatever follows
  if (!m) return;
  const place = samples.addressIdAt(BigInt(`0x${m[1]}`));
  if (place >= 0) names.set(place, parseJavaFrame(m[2]));
}

/** Parses `method (File.java:12)`, `function (/path/of/library)`, or a plain name such as `GC`. */
function parseJavaFrame(text: string): NamedFrame {
  const open = text.lastIndexOf(' (');
  if (open <= 0 || !text.endsWith(')')) return { name: text, file: null, line: 0 };
  const inside = text.slice(open + 2, -1);
  const name = text.slice(0, open).trimEnd();
  const colon = inside.lastIndexOf(':');
  if (colon > 0 && /^-?\d{1,9}$/.test(inside.slice(colon + 1)))
    return { name, file: inside.slice(0, colon), line: Math.max(0, Number(inside.slice(colon + 1))) };
  // A text with a slash is a library. Any other text in parentheses belongs to the name.
  return inside.includes('/') ? { name, file: inside, line: 0 } : { name: text, file: null, line: 0 };
}

export function writeJavaSamples(
  writer: NamedStackWriter,
  samples: Samples,
  names: ReadonlyMap<number, NamedFrame>,
  part: number,
): void {
  const frameOfAddress: number[] = [];
  const frameOf = (place: number) => {
    const { name, file, line } = names.get(place) ?? { name: `0x${samples.address(place).toString(16)}`, file: null, line: 0 };
    return (frameOfAddress[place] ??= writer.frame(name, file, line));
  };
  const { stacks } = samples;
  const place = stacks.element.data;
  for (let s = 0; s < stacks.rows; s++) {
    const frames = Array.from(place.subarray(stacks.start.data[s], stacks.start.data[s + 1]), frameOf);
    writer.add(part, frames, stacks.sums[0].beyond.get(s) ?? stacks.count.data[s]);
  }
}
