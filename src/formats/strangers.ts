// Recognizes files that people open by mistake and that no loader reads, and says what makes something of them that one does.
import { headText } from './shared/stream.ts';

export interface Stranger {
  readonly what: string;
  /** The command that makes a file that we read, or the option that has the tool write one. */
  readonly hint?: string;
}

const BINARY: readonly (readonly [start: string, what: string, hint?: string])[] = [
  ['\x7fELF', 'an ELF program or library'],
  ['BZh', 'bzip2 data; unpack it first'],
  ['\xfd7zXZ', 'xz data; unpack it first'],
  ['\x28\xb5\x2f\xfd', 'zstd data; unpack it first', 'of heaptrack: heaptrack_print -F out.folded FILE, and open out.folded'],
  ['PK\x03\x04', 'a zip archive'],
  ['PERFILE2', 'perf.data of Linux perf', 'perf script -i FILE > out.perf, and open out.perf'],
  [
    'FLR\0',
    'a recording of Java Flight Recorder',
    'jfrconv -o collapsed FILE out.folded (of async-profiler), and open out.folded',
  ],
];

/** Files of Valgrind's heap profilers. */
const XTREE = 'valgrind --tool=massif --xtree-memory=full ./program writes xtmemory.kcg.PID, which opens';

const TEXT: readonly (readonly [start: RegExp, what: string, hint?: string])[] = [
  [/^desc: .*\ncmd: .*\ntime_unit:/, 'output of massif', XTREE],
  [/^\s*\{\s*"dhatFileVersion"/, 'output of DHAT', XTREE.replace('massif', 'memcheck')],
  [/^v \d{1,9} \d{1,2}\n/, 'raw data of heaptrack', 'heaptrack_print -F out.folded FILE, and open out.folded'],
  [
    /^<\?xml[^>]{0,200}>\s{0,9}<trace-(query-result|toc)/,
    'what xctrace export writes',
    'inferno-collapse-xctrace < FILE > out.folded, and open out.folded',
  ],
];

/** The likely format of a file that is not a profile; undefined for anything unknown. */
export function strangerOf(head: Uint8Array): Stranger | undefined {
  const text = headText(head);
  const found = BINARY.find(([start]) => text.startsWith(start)) ?? TEXT.find(([start]) => start.test(text));
  return found && { what: found[1], ...(found[2] === undefined ? {} : { hint: found[2] }) };
}

/** The same of a folder, by the names in it. */
export function strangeFolder(names: readonly string[]): Stranger | undefined {
  if (!names.includes('form.template') || !names.some((name) => /^Trace\d+\.run$/.test(name))) return undefined;
  return {
    what: 'a trace of Instruments',
    hint: `xctrace export --input FOLDER --xpath '/trace-toc/*/data/table[@schema="time-profile"]' | inferno-collapse-xctrace > out.folded`,
  };
}
