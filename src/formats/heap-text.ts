// Heap profiles as text: of gperftools (HEAPPROFILE, and /pprof/heap of servers), jemalloc (prof:true), Go (/debug/pprof/heap?debug=1) and
// agents of Java machines. Allocation sites with objects and bytes, in use and allocated so far, by stack.
//   heap profile:   144:  8498176 [   144:  8498176] @ heap_v2/524288
//        1:     9216 [     1:     9216] @ 0xc635c8 0x42ecc3 0x42e14c
// jemalloc puts `heap_v2/524288` first, the stack on a line of its own, and a line for each thread below it, `t*` for all of them.
// Specification: gperftools' heapprofile.html, pprof's legacy_profile.go, jemalloc's jeprof. All addresses are return addresses; 1 is subtracted.
import { FormatError } from '../base/problem.ts';
import { plural } from '../base/units.ts';
import { enlarged } from '../model/column.ts';
import type { Sink } from '../model/sink.ts';
import { type NamedFrame, programIn, type RecordedType } from '../model/stacks/samples.ts';
import { AddressStackWriter } from '../model/stacks/writer.ts';
import { decodeBytes } from '../model/strings.ts';
import { readJavaName } from './gperftools/java.ts';
import { MapLines } from './gperftools/maps.ts';
import type { Detection, Loader, Source } from './loader.ts';
import { FileReader } from './shared/file-reader.ts';
import { headText, readLines } from './shared/stream.ts';

const COUNTS = /^\s*(\d{1,15}):\s*(\d{1,15})\s*\[\s*(\d{1,15}):\s*(\d{1,15})\s*\]/;
const HEADER =
  /^heap profile: {0,20}(\d{1,15}): {0,20}(\d{1,15}) {0,20}\[ {0,20}(\d{1,15}): {0,20}(\d{1,15}) {0,20}\] {0,20}@ {0,20}(\w{1,32})(?:\/(\d{1,15}))?$/;
const JEMALLOC = /^heap_v2\/(\d{1,15})$/;
const JAVA = /^--- heapz 1 ---$/;
/** `heap` alone in Go, whose rate is doubled there; a sample in so many bytes, or `` for all allocations. */
const SAMPLED: ReadonlySet<string> = new Set(['heap_v2', 'heapz_v2', 'heap']);
const WHOLE: ReadonlySet<string> = new Set(['heapprofile', 'growthz', 'growth', 'fragmentationz', 'fragmentation']);
/** Bytes between samples in the agents of Java machines, which do not write it. */
const JAVA_RATE = 512 << 10;

/** Functions that allocate for others: what they return belongs to their callers. */
const ALLOCATORS =
  /^(?:(?:__|_rjem_|je_|tc_|__libc_)?(?:malloc|calloc|realloc|reallocarray|memalign|posix_memalign|aligned_alloc|valloc|pvalloc|free|cfree|new|newarray|delete)(?:_impl|_internal|_default|_nothrow|_aligned)?$|operator (?:new|delete)|tcmalloc::|prof_|imalloc|do_(?:malloc|memalign)|fallback_impl|runtime\.)/;

const RUNTIME: NamedFrame = { name: 'runtime.(without a name)', file: null, line: 0 };

function detect(head: Uint8Array): Detection {
  const first = headText(head).split('\n', 1)[0].trim();
  const header = HEADER.exec(first);
  return (header && (SAMPLED.has(header[5]) || WHOLE.has(header[5]))) || JEMALLOC.test(first) || JAVA.test(first) ? 'yes' : 'no';
}

/** Objects and bytes: in use, and allocated so far. */
type Counts = readonly [objects: number, bytes: number, allocatedObjects: number, allocatedBytes: number];

/**
 * The allocations that a sampled site stands for, as pprof and jeprof estimate them: an allocation of S bytes is recorded with the probability
 * 1 - exp(-S / rate). Whole numbers, cut off as pprof does.
 */
export function unsampled(objects: number, bytes: number, rate: number): readonly [objects: number, bytes: number] {
  if (objects === 0 || bytes === 0) return [0, 0];
  if (rate <= 1) return [objects, bytes];
  const size = bytes / objects / rate;
  // An allocation so small that its probability is no number above 0 has that of its size.
  const scale = 1 / (1 - Math.exp(-size) || size);
  return [Math.trunc(objects * scale), Math.trunc(bytes * scale)];
}

class Reader extends FileReader {
  private readonly samples = this.sink.tables(AddressStackWriter).samples;
  private readonly maps = new MapLines();
  private readonly firstRow = this.samples.stacks.rows;
  private readonly javaNames = new Map<number, NamedFrame>();
  private places = new Uint32Array(256);
  private lines = 0;
  /** The length of the last stack, which is in `places`. */
  private depth = 0;
  private sites = 0;
  /** Counts of the first line, and the sums of the sites as recorded. */
  private whole: Counts | undefined;
  private readonly sums = [0, 0, 0, 0];
  private state: 'header' | 'sites' | 'maps' = 'header';
  private flavour: 'pprof' | 'jemalloc' | 'java' = 'pprof';
  /** Bytes from one sample to the next; 1 where all allocations are recorded. */
  private rate = 1;
  private allocated = false;
  /** The places of the last stack of jemalloc, whose counts follow. */
  private open: number | undefined;
  /** Go writes the functions of a stack below it: the address of the last one, and its functions, the innermost first. */
  private named: { address: bigint; frames: NamedFrame[] } | undefined;

  line(bytes: Uint8Array, from: number, to: number): void {
    this.lines++;
    const text = decodeBytes(bytes, from, to).trim();
    if (this.state === 'header') return this.header(text);
    if (/^(MAPPED_LIBRARIES:|--- Memory map: ---)/.test(text)) {
      this.state = 'maps';
    } else if (this.state === 'maps') this.maps.read(text);
    else if (text.startsWith('#')) this.goFrame(text);
    else if (text !== '') this.site(text);
  }

  private wrong(expected: string, text: string): FormatError {
    return this.error({ line: this.lines }, expected, text === '' ? 'an empty line' : `"${text.slice(0, 100)}"`);
  }

  private header(text: string): void {
    const written = HEADER.exec(text);
    const jemalloc = JEMALLOC.exec(text);
    this.state = 'sites';
    this.samples.hidden = { names: ALLOCATORS, leading: true };
    if (jemalloc) {
      this.flavour = 'jemalloc';
      this.rate = Number(jemalloc[1]);
    } else if (written && (SAMPLED.has(written[5]) || WHOLE.has(written[5]))) {
      this.whole = countsOf(written);
      const [objects, bytes, allObjects, allBytes] = this.whole;
      this.allocated = (allObjects !== objects && allObjects !== 0) || (allBytes !== bytes && allBytes !== 0);
      if (SAMPLED.has(written[5])) this.rate = Number(written[6] ?? 1) / (written[5] === 'heap' ? 2 : 1);
    } else if (JAVA.test(text)) {
      this.flavour = 'java';
      this.rate = JAVA_RATE;
    } else throw this.wrong('"heap profile:" with counts, "heap_v2/" or "--- heapz 1 ---"', text);
  }

  private site(text: string): void {
    switch (this.flavour) {
      case 'java':
        return this.javaLine(text);
      case 'jemalloc':
        return this.jemallocLine(text);
      case 'pprof': {
        const at = text.indexOf('@');
        const counts = COUNTS.exec(text);
        if (!counts || at < counts[0].length) throw this.wrong('a site: objects: bytes [objects: bytes] @ addresses', text);
        this.add(this.stackOf(text.slice(at + 1), 1n), countsOf(counts));
      }
    }
  }

  private jemallocLine(text: string): void {
    if (text.startsWith('@')) {
      this.open = this.stackOf(text.slice(1), 1n);
      return;
    }
    const colon = text.indexOf(':');
    const counts = COUNTS.exec(text.slice(colon + 1));
    if (colon < 0 || !counts) throw this.wrong('a stack, or the counts of a thread', text);
    if (text.slice(0, colon) !== 't*') return;
    const all = countsOf(counts);
    // The first counts are those of the whole profile.
    if (this.open === undefined) this.allocated = all[2] !== 0;
    else this.add(this.open, all);
    this.open = undefined;
  }

  private javaLine(text: string): void {
    if (/^[a-z ]{1,40}=/.test(text)) return;
    const site = /^(\d{1,15})\s+(\d{1,15})\s+@/.exec(text);
    if (!site) return readJavaName(text, this.samples, this.javaNames);
    this.add(this.stackOf(text.slice(site[0].length), 0n), [Number(site[2]), Number(site[1]), 0, 0]);
  }

  /** Reads addresses into `places`; returns how many. `less`: what is subtracted. */
  private stackOf(text: string, less: bigint): number {
    let n = 0;
    for (const word of text.split(/\s+/)) {
      if (word === '') continue;
      if (!/^0x[0-9a-f]{1,16}$/i.test(word)) throw this.wrong('addresses such as 0x42ecc3', word);
      const said = BigInt(word);
      const address = said === 0n ? said : said - less;
      if (n === this.places.length) this.places = enlarged(this.places, 2 * n);
      this.places[n++] = this.samples.place(this.part, Number(address >> 32n), Number(address & 0xffffffffn));
    }
    return n;
  }

  private add(n: number, counts: Counts): void {
    this.depth = n;
    this.named = undefined;
    const { samples, part, places, rate, sums } = this;
    const [objects, bytes, allObjects, allBytes] = counts;
    counts.forEach((count, i) => {
      sums[i] += count;
    });
    if (n === 0) places[n++] = samples.place(part, 0, 0);
    const values = [...unsampled(objects, bytes, rate), ...unsampled(allObjects, allBytes, rate)];
    this.sites++;
    if (values.every((v) => v === 0)) return;
    samples.stacks.widen(COLUMNS.length);
    const row = samples.stacks.row(part, places, n);
    values.forEach((value, column) => {
      samples.stacks.addTo(column, row, value);
    });
  }

  /** `#	0x4a1b2c	main.parse+0x3c	/src/main.go:12`. Several of one address are inlined into each other, the innermost first. */
  private goFrame(text: string): void {
    const m = /^#\s+(0x[0-9a-f]{1,16})\s+(\S+?)(?:\+0x[0-9a-f]{1,16})?\s+(\S.*):(\d{1,9})$/.exec(text); // bounded: the limit of a line
    if (!m) return;
    const address = BigInt(m[1]);
    const frame = { name: m[2], file: m[3], line: Number(m[4]) };
    if (this.named?.address === address) this.named.frames.push(frame);
    else this.named = { address, frames: [frame] };
    for (const less of [1n, 0n]) {
      const place = this.samples.placeAt(address - less);
      if (place < 0) continue;
      this.samples.names[place] = this.named.frames;
      this.hideBefore(place);
      return;
    }
  }

  /** Go does not name the runtime's frames in front of the first one that it names: they allocate for it. */
  private hideBefore(place: number): void {
    const { places, samples } = this;
    for (let k = 0; k < this.depth && places[k] !== place; k++) samples.names[places[k]] ??= [RUNTIME];
  }

  /** `rest`: the last line, if it has no end. */
  finish(rest: Uint8Array): void {
    const { sink, path, samples, allocated } = this;
    if (rest.length > 0) this.line(rest, 0, rest.length);
    if (this.state === 'header') throw this.error({ line: 1 }, 'a heap profile', 'an empty file');
    for (const [place, frame] of this.javaNames) samples.names[place] = [frame];
    const mappings = this.maps.mappings;
    samples.mappings.push(mappings);
    samples.periods.push(0);
    const main = programIn(mappings);
    sink.command ??= main;
    sink.creator ??= {
      pprof: 'a heap profiler of the gperftools kind',
      jemalloc: 'jemalloc',
      java: 'an agent of a Java machine',
    }[this.flavour];
    const how =
      this.rate > 1
        ? `sampled every ${this.rate} bytes: objects and bytes are estimates of all allocations, as pprof makes them`
        : 'all allocations are recorded';
    sink.addPart({
      path,
      command: main,
      notes: [`${plural(this.sites, 'site')}; ${how}`],
      events: COLUMNS.map((c) => c.name),
      positions: ['address'],
    });
    // Without counts of what was allocated, the columns would be 0.
    const now = allocated || samples.types.length > 2 ? COLUMNS : COLUMNS.slice(0, 2);
    samples.types = [...now].sort((a, b) => (b.column % 2) - (a.column % 2));
    samples.stacks.widen(COLUMNS.length);
    const wrong = this.whole?.findIndex((count, i) => count !== this.sums[i]) ?? -1;
    if (this.whole && wrong >= 0)
      this.warn(
        { line: 1 },
        `sites that add up to ${this.whole[wrong]} ${NAMES[wrong]}, as the first line says`,
        `${this.sums[wrong]}`,
      );
    if (this.sites > 0 && samples.stacks.rows === this.firstRow)
      this.warn({ line: 1 }, 'memory in use or allocated', 'only sites whose counts are 0');
  }
}

function countsOf(m: RegExpExecArray): Counts {
  const [objects, bytes, allObjects, allBytes] = m.slice(1, 5).map(Number);
  return [objects, bytes, allObjects, allBytes];
}

const NAMES = ['objects in use', 'bytes in use', 'objects allocated', 'bytes allocated'];

const COLUMNS: readonly RecordedType[] = [
  { name: 'inuse_objects', unit: 'count', longName: 'objects in use', column: 0 },
  { name: 'inuse_space', unit: 'bytes', longName: 'bytes in use', column: 1 },
  { name: 'alloc_objects', unit: 'count', longName: 'objects allocated so far', column: 2 },
  { name: 'alloc_space', unit: 'bytes', longName: 'bytes allocated so far', column: 3 },
];

async function load(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const reader = new Reader(sink, source.path);
  const { rest, read } = await readLines(source, sink.limits, signal, (bytes, from, to) => reader.line(bytes, from, to));
  if (read === 0) throw new FormatError({ path: source.path, line: 0, expected: 'a heap profile', found: 'an empty file' });
  reader.finish(rest);
}

export const heapText: Loader = {
  name: 'heap-text',
  title: 'heap profile as text: gperftools, jemalloc, Go (debug=1), Java agents',
  provides: ['routines', 'calls', 'trees', 'lines', 'instrs'],
  make: 'HEAPPROFILE=app ./program (-ltcmalloc), MALLOC_CONF=prof:true,prof_final:true ./program (jemalloc), or curl HOST/debug/pprof/heap?debug=1 (Go)',
  fileNames: /\.heap(\.gz)?$/,
  detect,
  load,
};
