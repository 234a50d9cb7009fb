// Reads what `go tool pprof` writes as text: -raw as a profile of stacks, -top as flat and cum of each function.
import type { ProfileOf } from '../../src/model/profile.ts';
import { Sink } from '../../src/model/sink.ts';
import { NamedStackWriter } from '../../src/model/stacks/writer.ts';
import { profileOf } from './kinds.ts';

interface Line {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/** The functions of each location, the innermost first. */
export function locationsOf(lines: readonly string[]): Map<number, Line[]> {
  const out = new Map<number, Line[]>();
  let here: Line[] = [];
  for (const text of lines) {
    const head = /^ *(\d+): 0x[0-9a-f]+ M=\d+ /.exec(text);
    if (head) out.set(Number(head[1]), (here = []));
    const line = /^(\S+) (.+):(\d+) s=\d+$/.exec(text.slice(head?.[0].length ?? 0).trim());
    if (line) here.push({ name: line[1], file: line[2], line: Number(line[3]) });
  }
  return out;
}

export function readRaw(text: string): ProfileOf<'stacks'> {
  const lines = text.split('\n');
  const [samples, locations, mappings] = ['Samples:', 'Locations', 'Mappings'].map((title) => lines.indexOf(title));
  const functions = locationsOf(lines.slice(locations + 1, mappings));
  const sink = new Sink();
  sink.paths.push('test');
  const writer = sink.writerFor(NamedStackWriter);
  writer.periods.push(0);
  const part = sink.addPart({ path: 'test', part: null, events: ['samples'] });
  for (const text of lines.slice(samples + 2, locations)) {
    const row = /^ *(\d+) +\d+: ([\d ]+)$/.exec(text);
    if (!row) continue;
    const frames = row[2]
      .trim()
      .split(' ')
      .flatMap((id) => functions.get(Number(id)) ?? []);
    writer.add(
      part,
      frames.map((f) => writer.frame(f.name, f.file, f.line)),
      Number(row[1]),
    );
  }
  return profileOf(sink.finish('test'), 'stacks');
}

/** Flat and cum by function. */
export function readTop(text: string): Map<string, readonly [flat: number, cum: number]> {
  const out = new Map<string, readonly [number, number]>();
  for (const line of text.split('\n')) {
    const row = /^ *(\d+) +\S+% +\S+% +(\d+) +\S+% {2}(.*?)(?: \((?:partial-)?inline\))?$/.exec(line);
    if (row) out.set(row[3], [Number(row[1]), Number(row[2])]);
  }
  return out;
}
