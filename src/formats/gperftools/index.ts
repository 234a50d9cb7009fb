// Loads CPU profiles of gperftools' libprofiler: stacks of code addresses with counts, and the list of mapped objects.
// Specification: "CPU Profiler Binary Data File Format" (gperftools). Real files are 64-bit little-endian.
// In real files, several records may have the same stack, and map lists have device and inode 0.
// All addresses of a record but the first are return addresses; subtracting 1 makes them point into the call instruction.
import { type NamedFrame, programOfMappings, Samples } from '../../model/stacks/samples.ts';
import { AddressStackWriter, NamedStackWriter } from '../../model/stacks/writer.ts';
import { decodeBytes, startsWithAscii } from '../../model/strings.ts';
import { type Detection, LAST_PART, type Loader } from '../loader.ts';
import { FileReader, makePieceLoader } from '../shared/stream.ts';
import { readJavaName, writeJavaSamples } from './java.ts';
import { MapLines } from './maps.ts';

/** Maximum addresses of a stack. The profiler records at most 254; a number beyond this limit means a corrupt file. */
const MAX_STACK_ADDRESSES = 1 << 20;
const MAX_HEADER_WORDS = 1 << 16;
/** Limit of functions inlined at one address. Every stack with this address contains them all. */
const MAX_INLINED = 256;
/** An upper bound for the size of a record or header. */
const MAX_RECORD_BYTES = 8 * (MAX_STACK_ADDRESSES + 2);

function detect(head: Uint8Array): Detection {
  if (/^---\s+(?:symbol|profile)\s/.test(String.fromCharCode(...head.subarray(0, 16)))) return 'yes';
  const form = detectWordForm(head);
  if (!form || head.length < 2 * form.bytes) return 'no';
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const slot = (i: number) => readWord(view, i * form.bytes, form);
  const more = slot(1);
  if (slot(0) !== 0) return 'no';
  // Nothing else begins so. What follows may be damaged.
  const isWhole = head.length >= 5 * form.bytes && more >= 3 && more <= MAX_HEADER_WORDS;
  return isWhole && slot(2) <= NEWEST_VERSION && slot(3) < 2 ** 32 ? 'yes' : 'maybe';
}

/** The newest supported version: 1, the variant for Java. */
const NEWEST_VERSION = 1;

class GperftoolsReader extends FileReader {
  /** Samples of the run. In version 1 (Java): samples of this file, converted to names at its end. */
  private samples = new Samples();
  private java = false;
  private form: WordForm | undefined;
  private state: 'symbols' | 'header' | 'records' | 'maps' = 'header';
  /** File offset of the buffer passed to take(). */
  private offset = 0;
  private symbols: SymbolLines | undefined;
  private readonly maps = new MapLines();
  /** Names by address index, in files of version 1. */
  private readonly javaNames = new Map<number, NamedFrame>();
  private readonly addresses = new Uint32Array(MAX_STACK_ADDRESSES);
  private period = 0;
  private records = 0;

  private fail(at: number, expected: string, found: string): never {
    throw this.error({ offset: this.offset + at }, expected, found);
  }

  /** Consumes the complete parts of the bytes; returns the number of bytes consumed. */
  take(bytes: Uint8Array): number {
    let at = 0;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.offset === 0 && this.state === 'header') {
      if (bytes.length < 16) return 0;
      if (startsWithAscii(bytes, 0, '--- ')) this.state = 'symbols';
    }
    if (this.state === 'symbols') at = this.takeSymbols(bytes);
    if (this.state === 'header') at += this.takeHeader(view, at);
    if (this.state === 'records') at = this.takeRecords(view, at);
    if (this.state === 'maps')
      for (let to = bytes.indexOf(10, at); to >= 0; to = bytes.indexOf(10, at)) {
        this.readMapLine(bytes, at, to);
        at = to + 1;
      }
    this.offset += at;
    return at;
  }

  /** The text of a line, checked against the limit of names. */
  private lineText(bytes: Uint8Array, from: number, to: number): string {
    this.checkLimit('name', to - from, { offset: this.offset + from });
    return decodeBytes(bytes, from, to);
  }

  private readMapLine(bytes: Uint8Array, from: number, to: number): void {
    const line = this.lineText(bytes, from, to);
    if (this.java) readJavaName(line, this.samples, this.javaNames);
    else this.maps.read(line);
  }

  /** Consumes the lines up to `--- profile`, where the binary part starts. */
  private takeSymbols(bytes: Uint8Array): number {
    this.symbols ??= new SymbolLines();
    let from = 0;
    for (let to = bytes.indexOf(10); to >= 0; to = bytes.indexOf(10, from)) {
      const line = this.lineText(bytes, from, to);
      if (/^--- *profile *\r?$/.test(line)) {
        this.state = 'header';
        return to + 1;
      }
      if (this.symbols.read(line, MAX_INLINED) > MAX_INLINED)
        this.fail(from, `at most ${MAX_INLINED} functions at an address`, 'more');
      from = to + 1;
    }
    return from;
  }

  /** Reads the header and returns its size in bytes; 0 if it is incomplete. */
  private takeHeader(view: DataView, at: number): number {
    const rest = new Uint8Array(view.buffer, view.byteOffset + at, view.byteLength - at);
    if (rest.length < 16) return 0;
    const form = detectWordForm(rest)!;
    const slot = (i: number) => readWord(view, at + i * form.bytes, form);
    if (slot(0) !== 0) this.fail(at, '0 as the first word of a CPU profile', `${slot(0)}`);
    const more = slot(1);
    if (more < 3) this.fail(at + form.bytes, 'at least 3 header words to follow', `${more}`);
    if (more > MAX_HEADER_WORDS) this.fail(at + form.bytes, `at most ${MAX_HEADER_WORDS} header words to follow`, `${more}`);
    const size = (2 + Number(more)) * form.bytes;
    if (rest.length < size) return 0;
    if (slot(2) > NEWEST_VERSION) this.fail(at + 2 * form.bytes, 'version 0 or 1 of the format', `version ${slot(2)}`);
    this.java = slot(2) === NEWEST_VERSION;
    const { currentWriter } = this.sink;
    const expected = `version ${this.java ? 0 : 1} of the format, like ${this.sink.paths[0]}`;
    if (currentWriter && currentWriter instanceof NamedStackWriter !== this.java)
      this.fail(at + 2 * form.bytes, expected, `version ${slot(2)}`);
    if (this.java) this.samples = new Samples();
    else {
      this.samples = this.sink.writerFor(AddressStackWriter).samples;
      this.samples.hidden = { names: PROFILER_FUNCTIONS };
    }
    this.form = form;
    this.period = Number(slot(3)) * 1000;
    // pprof --raw always writes period 1000, whatever the real period was.
    const place = { offset: this.offset + at + 3 * form.bytes };
    if (this.symbols && this.period === 1000) this.period = 0;
    else if (this.period === 0)
      this.warn(place, 'the sampling period in microseconds', 'sampling period 0: samples have no times');
    this.state = 'records';
    return size;
  }

  /** Reads the complete records; returns the position after them. */
  private takeRecords(view: DataView, from: number): number {
    const { form, samples, part, addresses } = this;
    const { bytes, little } = form!;
    const wide = bytes === 8;
    // Offsets of the lower and upper halves of a word.
    const lowAt = wide && !little ? 4 : 0;
    const highAt = wide && little ? 4 : 0;
    const end = view.byteLength;
    // In a symbolized profile, pprof has already subtracted 1 from the addresses of callers.
    const callers = this.symbols || this.java ? Number.MAX_SAFE_INTEGER : 1;
    let at = from;
    while (at + 3 * bytes <= end) {
      const count = view.getUint32(at + lowAt, little);
      const countHigh = wide ? view.getUint32(at + highAt, little) : 0;
      const n = view.getUint32(at + bytes + lowAt, little);
      const nHigh = wide ? view.getUint32(at + bytes + highAt, little) : 0;
      if (count === 0 && countHigh === 0 && !(this.java && (n !== 1 || readWord(view, at + 2 * bytes, form!) !== 0))) {
        this.checkTrailer(view, at);
        this.state = 'maps';
        return at + 3 * bytes;
      }
      if (n === 0 && nHigh === 0) this.fail(at, 'a record with at least one address', 'a record with no addresses');
      if (nHigh !== 0 || n > MAX_STACK_ADDRESSES)
        this.fail(at, `at most ${MAX_STACK_ADDRESSES} addresses in a record`, `${combineHalves(nHigh, n)} addresses`);
      const next = at + (2 + n) * bytes;
      if (next > end) break;
      let p = at + 2 * bytes;
      for (let i = 0; i < n; i++, p += bytes) {
        let low = view.getUint32(p + lowAt, little);
        let high = wide ? view.getUint32(p + highAt, little) : 0;
        if (i >= callers && (low !== 0 || high !== 0)) {
          if (low === 0) high--;
          low = (low - 1) >>> 0;
        }
        addresses[i] = samples.addressId(part, high, low);
      }
      const whole = countHigh === 0 ? count : combineHalves(countHigh, count);
      if (whole !== 0) samples.stacks.add(part, addresses, n, whole);
      this.records++;
      at = next;
    }
    return at;
  }

  private checkTrailer(view: DataView, at: number): void {
    const form = this.form!;
    const pcs = readWord(view, at + form.bytes, form);
    if (pcs !== 1) this.fail(at, 'a record, or the trailer 0 1 0', `count 0 with ${pcs} addresses`);
    const pc = readWord(view, at + 2 * form.bytes, form);
    if (pc !== 0) this.fail(at + 2 * form.bytes, 'the trailer 0 1 0', `one with address ${pc}`);
  }

  /** Finishes the profile. `rest`: bytes at the end that are not a complete record or line. */
  finish(rest: Uint8Array): void {
    const { sink, part } = this;
    const left = rest.length;
    const end = this.offset + left;
    if (end === 0) throw this.errorAt(0, 'a CPU profile', 'an empty file');
    if (this.state === 'symbols') throw this.errorAt(end, '"--- profile" after the symbols', 'the end of the file');
    // A file this short may not be a profile at all.
    if (this.state === 'header') throw this.errorAt(end, 'the header of a CPU profile', 'the end of the file inside it');
    // The output of pprof --raw ends with its last record.
    if (this.state === 'records' && !(this.symbols && left === 0)) {
      const found = left > 0 ? 'the end of the file inside a record' : 'the end of the file without a trailer';
      const error = this.errorAt(end, 'a record or the trailer 0 1 0', found);
      if (this.records === 0) throw error;
      const hint = 'the file was cut off: only complete records are shown, and the list of mapped objects is missing';
      sink.cut ??= { ...error.problem, hint };
    }
    if (this.state === 'maps' && left > 0 && this.java) this.readMapLine(rest, 0, left);
    else if (this.state === 'maps' && left > 0) {
      const found = this.maps.readUnended(this.lineText(rest, 0, left), false);
      if (found !== undefined) this.warn({ offset: end }, 'the end of a mapped object', found);
    }
    if (this.java) this.finishJava();
    else this.finishMaps(end);
    if (part === 0) sink.creator = 'gperftools';
  }

  private finishJava(): void {
    const { sink, samples, path, part } = this;
    const names = this.javaNames;
    // A file without names is probably not a Java profile and is rejected as an unknown version.
    if (names.size === 0 && !sink.cut) {
      const found = 'version 1, the variant for Java, without the names that come after its samples';
      throw this.errorAt(2 * (this.form?.bytes ?? 8), 'version 0 of the format', found);
    }
    const writer = sink.writerFor(NamedStackWriter);
    writer.periods.push(this.period);
    writeJavaSamples(writer, samples, names, part);
    const notes = [`version 1 of the format, for Java: names come with the profile; ${this.formNote()}; ${names.size} names`];
    sink.addPart({ path, notes, events: ['samples'] });
  }

  private formNote(): string {
    const form = `${(this.form?.bytes ?? 8) * 8} bit, ${this.form?.little ? 'little' : 'big'} endian`;
    return `${form}; ${this.records} records; ${this.period > 0 ? `a sample every ${this.period / 1e6} ms` : 'sampling period unknown'}`;
  }

  private finishMaps(end: number): void {
    const { sink, samples, path } = this;
    const maps = this.maps.mappings;
    const program = programOfMappings(maps) ?? this.symbols?.binary ?? null;
    const part = { path, notes: [`${this.formNote()}; ${maps.length} mappings`], events: ['samples'] };
    sink.writerFor(AddressStackWriter).addMappedPart(part, maps, this.period, program);
    if (maps.length === 0 && !this.symbols && !sink.cut)
      this.warn({ offset: end }, 'a list of mapped objects', 'no mapped objects: addresses have no names');
    for (const [address, names] of this.symbols?.names ?? []) {
      const known = samples.addressIdAt(address);
      if (known >= 0) samples.names[known] = names;
    }
  }
}

/** The profiler's own functions: its signal handler, functions called by it, and the trampoline for the return from a signal. */
const PROFILER_FUNCTIONS =
  /^(?:ProfileHandler::(?:SignalHandler|signal_handler)|CpuProfiler::(?:prof_handler|ProfileHandlerCallback)|ProfileData::(?:Add|prof_handler)|GetStackTrace\w*|__restore(?:_rt)?|__pthread_sighandler)(?:\(|$)/;

export const gperftools: Loader = {
  name: 'gperftools',
  title: 'CPU profile of gperftools (libprofiler), raw or symbolized by pprof --raw',
  provides: ['routines', 'calls', 'trees', 'lines', 'instrs'],
  readsOtherFiles: true,
  purpose: 'samples, by a library, linked (-lprofiler) or preloaded',
  make: 'LD_PRELOAD=libprofiler.so CPUPROFILE=app.prof ./program',
  fileNames: /\.(cpu)?prof(_\d+)?(\.\d+)?(\.gz)?$/, // bounded: a file name
  detect,
  run: {
    // A forked process adds _PID; each time the profiler is switched on, it adds .N.
    stem: (name) => /^(.+\.prof)(?:_\d+)?(?:\.\d+)?(?:\.gz)?$/.exec(name)?.[1], // bounded: a file name
    partAndThread: (rest) => {
      const m = /^(?:_\d+)?(?:\.(\d+))?(?:\.gz)?$/.exec(rest);
      return m ? { part: m[1] ? Number(m[1]) : LAST_PART, thread: 0 } : undefined;
    },
  },
  load: makePieceLoader(GperftoolsReader, 'line', ({ line }) => Math.max(line, MAX_RECORD_BYTES)),
};

export interface WordForm {
  readonly bytes: 4 | 8;
  readonly little: boolean;
}

/** Combines the halves of a word into a number, or into a bigint if a double cannot represent it exactly. */
const combineHalves = (high: number, low: number): number | bigint =>
  high < 0x200000 ? high * 2 ** 32 + low : (BigInt(high) << 32n) | BigInt(low);

function readWord(view: DataView, at: number, { bytes, little }: WordForm): number | bigint {
  const first = view.getUint32(at, little);
  if (bytes === 4) return first;
  const second = view.getUint32(at + 4, little);
  return little ? combineHalves(second, first) : combineHalves(first, second);
}

/**
 * Width and byte order of the slots, from the header's second slot: the number of header slots that follow is small and never
 * 0, so bytes 4 to 7 are 0 only if slots are 8 bytes wide, and it is small only in the right byte order.
 */
function detectWordForm(head: Uint8Array): WordForm | undefined {
  if (head.length < 8) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const bytes = view.getUint32(4, true) === 0 ? 8 : 4;
  const little: WordForm = { bytes, little: true };
  const big: WordForm = { bytes, little: false };
  if (head.length < 2 * bytes) return little;
  return readWord(view, bytes, little) <= readWord(view, bytes, big) ? little : big;
}

// The text with names in front of a symbolized profile:
//   --- symbol
//   binary=./program
//   0x00005563bed942c4 crunch(unsigned long, int)<000000000000129d>--weigh
//   ---
//   --- profile
// Inlined functions follow their callers, separated by `--`. Functions of one name have their start in angle brackets.
// In this text and in the records after it, 1 has already been subtracted from the addresses of callers.
// These profiles have neither a trailer nor a map list.

/** Reads the symbol text line by line. */
class SymbolLines {
  binary: string | null = null;
  /** By address, as `high * 2^32 + low` in a bigint: its functions. */
  readonly names = new Map<bigint, readonly NamedFrame[]>();

  /** Reads a line and returns the number of functions that it names; stops after `most` + 1. */
  read(text: string, most: number): number {
    const line = text.trim();
    if (line.startsWith(BINARY_LINE_START)) this.binary = line.slice(BINARY_LINE_START.length).trimStart();
    const m = /^(0x[0-9a-f]{1,16})\s+([\s\S]+)$/i.exec(line); // bounded: the last part takes whatever follows
    if (!m) return 0;
    // `--` is a separator, except in `operator--`.
    const frames = m[2]
      .split(/(?<!operator)--/, most + 1)
      .map((name) => ({ name: name.replace(/<(?:[0-9a-f]{8}|[0-9a-f]{16})>$/, '') || m[1], file: null, line: 0 }));
    this.names.set(BigInt(m[1]), frames.reverse());
    return frames.length;
  }
}

const BINARY_LINE_START = 'binary=';
