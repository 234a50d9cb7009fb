// Loaders for Callgrind and Cachegrind profiles, version 1, also as written by Valgrind's xtree options, pprof and xdebug.
// Specification: Callgrind Profile Format (Valgrind manual, chapter 3).
import { FormatError, type Problem } from '../../base/problem.ts';
import { formatCost, unitCells } from '../../base/units.ts';
import type { Sink } from '../../model/sink.ts';
import { type Detection, LAST_PART, type Loader, type RunFacts, type Source, type Threads } from '../loader.ts';
import { byteOrderMarkLength, headText, joinBytes, readPieces } from '../shared/stream.ts';
import { mergeEntriesOfFunction } from './cachegrind-routines.ts';
import { type DigestedPiece, digestPiece, type FilePiece } from './digest.ts';
import { LineReader, type LineReaderOptions } from './line-reader.ts';
import { unitOfEvent } from './parts.ts';
import { Scanner } from './scan.ts';

/** True for a Cachegrind file: desc and cmd come first, and no ids or Callgrind keys occur. */
const isCachegrind = (text: string): boolean =>
  /^(?:#[^\n]*\n|\s)*(?:desc|cmd):/.test(text) && /^events:/m.test(text) && !isCallgrind(text) && /^f[ln]=/m.test(text);

const CALLGRIND_HEAD = /^(# callgrind format|version:|creator:|positions:|part:|pid:|thread:|summary: *\d.*\n(?:.*\n)*?fn=)/m; // bounded: the head of a file

const isCallgrind = (text: string): boolean =>
  CALLGRIND_HEAD.test(text) || /^(ob|fi|fe|cfn|cfi|cfl|cob|calls|jump|jcnd)=|^f[ln]=\(\d/m.test(text);

function detectCallgrind(head: Uint8Array, path: string): Detection {
  const text = headText(head);
  if (text.includes('\0') || isCachegrind(text)) return 'no';
  const events = /^events:/m.test(text);
  if (/^# callgrind format\b/.test(text.trimStart())) return 'yes';
  if (events && isCallgrind(text)) return 'yes';
  if (/^version:\s*\S+\s*\n(?:.*\n)*?creator:/.test(text) && /^(cmd|pid|part|positions|events):/m.test(text)) return 'yes'; // bounded: the head of a file
  if (events) return 'maybe';
  // The texts of ms_print and callgrind_annotate often have such names, too.
  return /callgrind\.out|xtmemory|xtleak/.test(path) && /^\s*[#\w][\x09\x0a\x0d\x20-\xff]*$/.test(text) ? 'maybe' : 'no';
}

function detectCachegrind(head: Uint8Array): Detection {
  const text = headText(head);
  return !text.includes('\0') && isCachegrind(text) ? 'yes' : 'no';
}

/** Feeds whole lines to the reader. The lines of a large file go to other threads first, in pieces. */
export async function load(source: Source, sink: Sink, signal: AbortSignal, options: LineReaderOptions = {}): Promise<void> {
  const { path, size } = source;
  const scanner = new Scanner(sink, path);
  scanner.parts.lastKey = options.lastKey ?? 'totals';
  const reader = new LineReader(scanner, options);
  const queue = new PieceQueue(reader, source.threads, options.threadsFromBytes ?? MIN_BYTES_FOR_THREADS);
  const rowsBefore = scanner.tables.rows;
  let taken = 0;
  let reserved = false;
  /** Reads the whole lines; returns the position after them. */
  const readWhole = (bytes: Uint8Array): number => {
    const end = bytes.lastIndexOf(10) + 1;
    if (end > 0) reader.read(bytes, scanner.lineNo === 0 ? byteOrderMarkLength(bytes) : 0, end);
    return end;
  };
  const take = async (bytes: Uint8Array): Promise<number> => {
    const known = taken + bytes.length;
    let end = queue.isWorthThreads(size ?? known) ? await queue.add(bytes, sink.limits.line) : undefined;
    if (end === undefined) {
      await queue.drain();
      end = readWhole(bytes);
      // Assume that the rest of the file is like its start: reserve memory once instead of doubling repeatedly.
      // Reserving too much costs nothing: pages that are never written take no memory.
      if (size && known < size && !reserved) {
        reserved = true;
        scanner.tables.scaleCapacity(1.5 * (size / known));
        scanner.specs.functions.expect(1.5 * (size / known));
      }
    }
    taken += end;
    return end;
  };
  const where = () => ({ line: scanner.lineNo + 1 });
  const { read, rest } = await readPieces(source, sink.limits, signal, take, 'line', undefined, where);
  if (read === 0) throw new FormatError({ path, line: 0, expected: 'a profile', found: 'an empty file', hint: EMPTY_FILE_HINT });
  await queue.drain();
  const left = rest.subarray(readWhole(rest));
  // A file that contains only a byte-order mark is not an unfinished line.
  const isUnfinished = left.length > (scanner.lineNo === 0 ? byteOrderMarkLength(left) : 0);
  if (isUnfinished) {
    const readLast = () => readWhole(joinBytes([left, Uint8Array.of(10)]));
    if (scanner.tables.rows === rowsBefore) readLast();
    else sink.cut ??= problemOfCutLine(readLast);
  }
  scanner.finish(isUnfinished);
}

const FN_LINE_START = new TextEncoder().encode('\nfn=');
/** After this many bytes without an fn= line, the file is no longer split into pieces. */
const MAX_UNSPLIT_BYTES = 32 << 20;
/** Size of the buffer for a piece's digests, which take about as many bytes as the piece. */
const DIGEST_BUFFER_BYTES = 8 << 20;

class PieceQueue {
  private readonly waiting: Promise<unknown>[] = [];
  /** Buffers returned by the threads, for reuse. */
  private readonly spareBuffers: { readonly buffer: ArrayBuffer; readonly digestBuffer: ArrayBuffer }[] = [];
  private cannotSplit = false;

  constructor(
    private readonly reader: LineReader,
    private readonly threads: Threads | undefined,
    private readonly threadsFromBytes: number,
  ) {}

  /** True if the file is large enough for threads and digests support the form of its lines. */
  isWorthThreads(size: number): boolean {
    return (
      this.threads !== undefined && size >= this.threadsFromBytes && !this.cannotSplit && this.reader.digestForm() !== undefined
    );
  }

  /** Queues the bytes up to their last fn= line; returns the position of that line, or undefined if more than `most` bytes have none. */
  async add(all: Uint8Array, most: number): Promise<number | undefined> {
    const length = Buffer.from(all.buffer, all.byteOffset, all.length).lastIndexOf(FN_LINE_START) + 1;
    if (length === 0) {
      this.cannotSplit = all.length > Math.min(MAX_UNSPLIT_BYTES, most);
      return this.cannotSplit ? undefined : 0;
    }
    const spare = this.spareBuffers.pop();
    // The buffer is a quarter larger than the piece, so that the next piece fits into it, too.
    const large = spare && spare.buffer.byteLength >= length ? spare.buffer : new ArrayBuffer(length + (length >> 2));
    const bytes = joinBytes([all.subarray(0, length)], large);
    const digestBuffer = spare?.digestBuffer ?? new ArrayBuffer(DIGEST_BUFFER_BYTES);
    const piece: FilePiece = { bytes, form: this.reader.digestForm()!, digestBuffer };
    const digested = this.threads!.run(piece, [bytes.buffer, digestBuffer]);
    // If loading fails earlier, nobody awaits this piece; the handler avoids an unhandled rejection.
    digested.catch(() => {});
    this.waiting.push(digested);
    if (this.waiting.length > this.threads!.count + 1) await this.readNext();
    return length;
  }

  async drain(): Promise<void> {
    while (this.waiting.length > 0) await this.readNext();
  }

  private async readNext(): Promise<void> {
    const piece = (await this.waiting.shift()) as DigestedPiece;
    this.reader.readDigested(piece);
    this.spareBuffers.push({ buffer: piece.bytes.buffer as ArrayBuffer, digestBuffer: piece.room });
  }
}

/** Reads an unterminated last line; returns its problem, or undefined if it is valid. */
function problemOfCutLine(read: () => void): Problem | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { ...error.problem, hint: 'the file was cut off within this line: only what comes before it is shown' };
  }
}

/** Minimum file size for threads. A smaller file is read completely before a thread has started. */
const MIN_BYTES_FOR_THREADS = 16 << 20;

const EMPTY_FILE_HINT = 'callgrind --separate-threads=yes leaves the file NAME empty: open NAME-01, NAME-02 … next to it';

const COMMON_MEMBERS = {
  run: {
    // NAME.PART-THREAD next to NAME. In callgrind.out.123, the process id belongs to NAME.
    stem: (name) =>
      (/^((?:callgrind|cachegrind)\.out\.\d+)(?:\.\d+)?(?:-\d+)?(?:\.gz)?$/.exec(name) ??
        /^(.+\.out)(?:\.\d+)?(?:-\d+)?(?:\.gz)?$/.exec(name))?.[1], // bounded: a file name
    partAndThread: (rest) => {
      const m = /^(?:\.(\d+))?(?:-(\d+))?(?:\.gz)?$/.exec(rest);
      return m ? { part: m[1] ? Number(m[1]) : LAST_PART, thread: m[2] ? Number(m[2]) : 0 } : undefined;
    },
  },
  readRunFacts,
  task: digestPiece,
  load: (source, sink, signal) => load(source, sink, signal),
} satisfies Partial<Loader>;

export const callgrind: Loader = {
  ...COMMON_MEMBERS,
  name: 'callgrind',
  title: "Callgrind profile (valgrind --tool=callgrind, Valgrind's xtree files, pprof -callgrind, xdebug)",
  provides: ['routines', 'lines', 'calls', 'trees', 'instrs', 'jumps'],
  options: { instrs: '--dump-instr=yes', jumps: '--collect-jumps=yes' },
  optionsOf: /^callgrind\b/,
  purpose: 'every call and instruction',
  make: 'valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes ./program',
  fileNames: /^(callgrind\.out\..*|.*\.callgrind\.out.*|xtmemory\.kcg\..*|xtleak\.kcg\..*|cachegrind\.out\.\d+\.(gz|xt)?)$/, // bounded: a file name
  detect: detectCallgrind,
};

export const cachegrind: Loader = {
  ...COMMON_MEMBERS,
  name: 'cachegrind',
  title: 'Cachegrind profile (valgrind --tool=cachegrind, cg_merge, cg_diff)',
  provides: ['routines', 'lines'],
  make: 'valgrind --tool=cachegrind --branch-sim=yes ./program',
  fileNames: /^(cachegrind\.out\..*|.*\.cachegrind\.out.*)$/, // bounded: a file name
  detect: detectCachegrind,
  postProcess: mergeEntriesOfFunction,
  load: (source, sink, signal) => load(source, sink, signal, { lastKey: 'summary' }),
};

/** Runs that xdebug appended have totals of their own, of which the last bytes show one. */
const APPENDED = /^==== NEW PROFILING FILE/m;

/** Command and total, by the first and last bytes. The total is of the first event, as stated at the end of the file, else at its start. */
export function readRunFacts(head: Uint8Array, tail: Uint8Array): RunFacts {
  const [start, end] = [head, tail].map((bytes) => Buffer.from(bytes).toString('utf8'));
  const text = `${start}\n${end}`;
  const [, command = ''] = /^cmd: *(.*)$/m.exec(start) ?? []; // bounded: the start of a file
  const [, event] = /^events: *(\S+)/m.exec(start) ?? [];
  const sum = Array.from(text.matchAll(/^(?:totals|summary): *(\d+)(?!\S)/gm), ([, digits]) => digits).at(-1);
  if (sum === undefined || event === undefined || APPENDED.test(text)) return { command, total: '' };
  const unit = unitOfEvent(event, '') ?? 'count';
  return { command, total: `${formatCost(BigInt(sum), unit)}${unitCells(unit) > 0 ? '' : ` ${event}`}` };
}
