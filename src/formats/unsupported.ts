// Recognizes files that no loader reads but that people open by mistake, and names the tool that converts them.
import { headText } from './shared/stream.ts';

/** Each with the command or option that makes a file that proftui can read. */
const BINARY_FORMATS: readonly (readonly [start: string, what: string, hint?: string])[] = [
  ['\x7fELF', 'an ELF program or library'],
  ['BZh', 'bzip2 data; unpack it first'],
  ['\xfd7zXZ', 'xz data; unpack it first'],
  ['\x28\xb5\x2f\xfd', 'zstd data; unpack it first', 'of heaptrack: heaptrack_print -F out.folded FILE, and open out.folded'],
  ['PK\x03\x04', 'a zip archive'],
  ['gmon', 'gmon.out of gprof', 'gprof ./program gmon.out > out.gprof, and open out.gprof'],
  [
    'PERFILE2',
    'perf.data of Linux perf',
    'unpack it first if it is compressed; --run-perf lets perf script read it and the objects it names; or perf script -i FILE > out.perf, and open out.perf',
  ],
  ['MOJ', 'binary output of Austin', 'mojo2austin FILE out.austin, and open out.austin'],
  ['tracy', 'a trace of Tracy', 'tracy-csvexport FILE prints its zones; proftui reads none of them'],
  ['SQLite format 3\0', 'an SQLite database, as of nsys', 'nsys export --type=json prints it; proftui reads perf and pprof'],
  ['FLR\0', 'a recording of Java Flight Recorder', 'jfrconv -o collapsed FILE out.folded (async-profiler), and open it'],
];

const PPROF_HINT = 'pprof -proto FILE > out.pb.gz, and open out.pb.gz';
const collapseHint = (format: string): string => `inferno-collapse-${format} FILE > out.folded, and open out.folded`;

/** Text formats, and reports of other tools, by their first lines. */
const TEXT_FORMATS: readonly (readonly [start: RegExp, what: string, hint?: string])[] = [
  [/^v \d{1,9} \d{1,2}\n/, 'raw data of heaptrack', 'heaptrack_print -F out.folded FILE, and open out.folded'],
  [/^<\?xml[^>]{0,200}>\s{0,9}<trace-(query-result|toc)/, 'output of xctrace export', collapseHint('xctrace <')],
  [/^-{80}\nCommand: .*\nMassif arguments: /, 'text of ms_print', 'open the massif.out file that ms_print reads'],
  [/^Analysis of sampling .* every \d/, "text of macOS's sample", collapseHint('sample')],
  [/^\s+\w{3} \w{3} .{1,99} Time and Allocation Profiling Report/, 'a profile of GHC', collapseHint('ghcprof')],
  [
    /^"?Function(?: Stack)?"?[,\t].{0,99}(?:CPU Time|Module)/,
    'a report of VTune',
    'vtune -report callstacks -format csv | inferno-collapse-vtune > out.folded',
  ],
  [/^\s*CPU\s+ID\s+FUNCTION:NAME\n/, 'output of DTrace', collapseHint('dtrace')],
  [/^\s*\{\s*"resourceProfiles"/, 'an OpenTelemetry profile (OTLP)', 'export pprof from the collector instead, and open that'],
  [/^--- (contention|mutex)/, 'a contention profile as text', PPROF_HINT],
  [/^--- (heap|growth)/, 'a symbolized heap profile; the file of HEAPPROFILE itself opens'],
  [/^go 1\.\d{1,3} trace\0/, "Go's execution trace", 'go tool trace -pprof=sched FILE > out.pb.gz, and open out.pb.gz'],
  [/^# (To display the perf\.data |(Total Lost )?Samples: )/, 'text of perf report', 'perf script > out.perf, and open out.perf'],
  [/^(File: .{0,999}\n)?(Build ID: .{0,99}\n)?(Type: |Showing nodes accounting for|PeriodType: )/, 'text of pprof', PPROF_HINT],
  [/^version;\d{3}\r?\n/, "Klocwork's build specification", 'kwinject --trace-out build.trace make, and open build.trace'],
  [/^--- (threadz|symbol\n)/, 'text of an older pprof', PPROF_HINT],
];

/** The likely format of a file that is not a profile; undefined if unknown. */
export function recognizeUnsupported(head: Uint8Array) {
  const text = headText(head);
  const found = BINARY_FORMATS.find(([start]) => text.startsWith(start)) ?? TEXT_FORMATS.find(([start]) => start.test(text));
  return found && { what: found[1], hint: found[2] };
}

/** The likely kind of a folder that is not a profile, by the names of its files; undefined if unknown. */
export function recognizeUnsupportedFolder(names: readonly string[]) {
  if (!names.includes('form.template') || !names.some((name) => /^Trace\d+\.run$/.test(name))) return undefined;
  return {
    what: 'a trace of Instruments',
    hint: `xctrace export --input FOLDER --xpath '/trace-toc/*/data/table[@schema="time-profile"]' | inferno-collapse-xctrace > out.folded`,
  };
}
