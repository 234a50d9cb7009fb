// Loads text heap profiles: of gperftools (HEAPPROFILE, /pprof/heap), jemalloc (prof:true), Go (/debug/pprof/heap?debug=1)
// and agents of Java machines. They list allocation sites by stack, with objects and bytes in use and allocated so far.
//   heap profile:   144:  8498176 [   144:  8498176] @ heap_v2/524288
//        1:     9216 [     1:     9216] @ 0xc635c8 0x42ecc3 0x42e14c
// jemalloc writes `heap_v2/524288` first, each stack on a separate line, and below it a line per thread and `t*` for all threads.
// Specification: heapprofile.html, pprof's legacy_profile.go, jemalloc's jeprof. Addresses are return addresses, minus 1 here.
import { plural } from '../base/units.ts';
import { growColumn } from '../model/column.ts';
import type { NamedFrame, RecordedType } from '../model/stacks/samples.ts';
import { AddressStackWriter } from '../model/stacks/writer.ts';
import { decodeBytes } from '../model/strings.ts';
import { readJavaName } from './gperftools/java.ts';
import { MapLines } from './gperftools/maps.ts';
import type { Detection, Loader } from './loader.ts';
import { FileReader, headText, makeLineLoader } from './shared/stream.ts';

const SITE_COUNTS = /^\s*(\d{1,15}):\s*(\d{1,15})\s*\[\s*(\d{1,15}):\s*(\d{1,15})\s*\]/;
const HEADER_LINE =
  /^heap profile: {0,20}(\d{1,15}): {0,20}(\d{1,15}) {0,20}\[ {0,20}(\d{1,15}): {0,20}(\d{1,15}) {0,20}\] {0,20}@ {0,20}(heap(?:z?_v2|profile)?|growthz?|fragmentationz?)(?:\/(\d{1,15}))?$/;
const JEMALLOC_HEADER = /^heap_v2\/(\d{1,15})$/;
const JAVA_HEADER = /^--- heapz 1 ---$/;
/** Kinds of headers of profiles sampled by bytes. `heap` is Go's, which writes twice the rate. */
const SAMPLED_KINDS: ReadonlySet<string> = new Set(['heap_v2', 'heapz_v2', 'heap']);
/** Bytes between samples in profiles by agents of Java machines, which do not record it. */
const JAVA_SAMPLING_BYTES = 512 << 10;

/** Names of allocation functions. Their allocations belong to their callers. */
const ALLOCATOR_NAMES =
  /^(?:(?:__|_rjem_|je_|tc_|__libc_)?(?:malloc|calloc|realloc|reallocarray|memalign|posix_memalign|aligned_alloc|valloc|pvalloc|free|cfree|new|newarray|delete)(?:_impl|_internal|_default|_nothrow|_aligned)?$|operator (?:new|delete)|tcmalloc::|prof_|imalloc|do_(?:malloc|memalign)|fallback_impl|runtime\.)/;

const UNNAMED_RUNTIME_FRAME: NamedFrame = { name: 'runtime.(without a name)', file: null, line: 0 };

/** Lines that a server or a script may write before the profile. */
const MAX_BANNER_LINES = 20;

function detect(head: Uint8Array): Detection {
  const lines = headText(head)
    .split('\n', MAX_BANNER_LINES + 1)
    .map((line) => line.trim());
  const isHeader = (line: string) => [HEADER_LINE, JEMALLOC_HEADER, JAVA_HEADER].some((header) => header.test(line));
  return isHeader(lines[0]) || lines.some((line) => HEADER_LINE.test(line)) ? 'yes' : 'no';
}

/** Counts of an allocation site: objects and bytes in use, and objects and bytes allocated so far. */
type SiteCounts = readonly number[];

/** Estimates the allocations behind a sampled site as pprof and jeprof do: P(S bytes are recorded) = 1 - exp(-S / rate). */
export function scaleSampled(objects: number, bytes: number, rate: number): readonly [objects: number, bytes: number] {
  if (objects === 0 || bytes === 0) return [0, 0];
  if (rate <= 1) return [objects, bytes];
  const size = bytes / objects / rate;
  // For tiny sizes, 1 - exp(-size) rounds to 0; it is nearly equal to size.
  const scale = 1 / (1 - Math.exp(-size) || size);
  return [Math.trunc(objects * scale), Math.trunc(bytes * scale)];
}

class HeapTextReader extends FileReader {
  private readonly writer = this.sink.writerFor(AddressStackWriter);
  private readonly samples = this.writer.samples;
  private readonly maps = new MapLines();
  private readonly firstRow = this.samples.stacks.rows;
  private readonly javaNames = new Map<number, NamedFrame>();
  private addresses = new Uint32Array(256);
  /** The first of the lines before the profile. */
  private banner: string | undefined;
  /** The number of addresses of the last stack in `addresses`. */
  private depth = 0;
  private sites = 0;
  /** The counts before the first site, and the sums over the sites as recorded. */
  private headerCounts: SiteCounts | undefined;
  private readonly sums = [0, 0, 0, 0];
  private state: 'header' | 'sites' | 'maps' = 'header';
  private flavour: 'pprof' | 'jemalloc' | 'java' = 'pprof';
  /** Average bytes between samples; 1 if all allocations are recorded. */
  private rate = 1;
  private hasAllocated = false;
  /** In jemalloc files: length of the last stack, whose counts follow on the next line. */
  private openDepth: number | undefined;
  /** In Go files: the last address named below a stack, and its functions, innermost first. */
  private lastNamed: { address: bigint; frames: NamedFrame[] } | undefined;

  readLine(bytes: Uint8Array, from: number, to: number): void {
    this.lineNo++;
    const text = decodeBytes(bytes, from, to).trim();
    if (this.state === 'header') return this.readHeader(text);
    if (/^(MAPPED_LIBRARIES:|--- Memory map: ---)/.test(text)) this.state = 'maps';
    else if (this.state === 'maps') this.maps.read(text);
    else if (text.startsWith('#')) this.readGoFrame(text);
    else if (text !== '') this.readSite(text);
  }

  private readHeader(text: string): void {
    const written = HEADER_LINE.exec(text);
    const jemalloc = JEMALLOC_HEADER.exec(text);
    this.state = 'sites';
    this.samples.hidden = { names: ALLOCATOR_NAMES, leading: true };
    if (jemalloc) {
      this.flavour = 'jemalloc';
      this.rate = Number(jemalloc[1]);
    } else if (written) {
      this.headerCounts = siteCountsOf(written);
      const [objects, bytes, allObjects, allBytes] = this.headerCounts;
      this.hasAllocated = (allObjects !== objects && allObjects !== 0) || (allBytes !== bytes && allBytes !== 0);
      if (SAMPLED_KINDS.has(written[5])) this.rate = Number(written[6] ?? 1) / (written[5] === 'heap' ? 2 : 1);
    } else if (JAVA_HEADER.test(text)) {
      this.flavour = 'java';
      this.rate = JAVA_SAMPLING_BYTES;
    } else if (this.lineNo <= MAX_BANNER_LINES) {
      this.state = 'header';
      this.banner ??= text.slice(0, 100);
    } else throw this.lineError('"heap profile:" with counts, "heap_v2/" or "--- heapz 1 ---"', text);
  }

  private readSite(text: string): void {
    if (this.flavour === 'java') return this.readJavaLine(text);
    if (this.flavour === 'jemalloc') return this.readJemallocLine(text);
    const at = text.indexOf('@');
    const counts = SITE_COUNTS.exec(text);
    if (!counts || at < counts[0].length) throw this.lineError('a site: objects: bytes [objects: bytes] @ addresses', text);
    this.addSite(this.readStack(text.slice(at + 1), 1n), siteCountsOf(counts));
  }

  private readJemallocLine(text: string): void {
    if (text.startsWith('@')) {
      this.openDepth = this.readStack(text.slice(1), 1n);
      return;
    }
    const colon = text.indexOf(':');
    const counts = SITE_COUNTS.exec(text.slice(colon + 1));
    if (colon < 0 || !counts) throw this.lineError('a stack, or the counts of a thread', text);
    if (text.slice(0, colon) !== 't*') return;
    const all = siteCountsOf(counts);
    // Counts before the first stack are totals of the whole profile.
    if (this.openDepth !== undefined) this.addSite(this.openDepth, all);
    else {
      this.headerCounts ??= all;
      this.hasAllocated = all[2] !== 0;
    }
    this.openDepth = undefined;
  }

  private readJavaLine(text: string): void {
    if (/^[a-z ]{1,40}=/.test(text)) return;
    const site = /^(\d{1,15})\s+(\d{1,15})\s+@/.exec(text);
    if (!site) return readJavaName(text, this.samples, this.javaNames);
    this.addSite(this.readStack(text.slice(site[0].length), 0n), [Number(site[2]), Number(site[1]), 0, 0]);
  }

  /** Reads addresses into `addresses`, each minus `subtrahend`; returns their number. */
  private readStack(text: string, subtrahend: bigint): number {
    let n = 0;
    for (const word of text.split(/\s+/)) {
      if (word === '') continue;
      if (!/^0x[0-9a-f]{1,16}$/i.test(word)) throw this.lineError('addresses such as 0x42ecc3', word);
      const recorded = BigInt(word);
      const address = recorded === 0n ? recorded : recorded - subtrahend;
      if (n === this.addresses.length) this.addresses = growColumn(this.addresses, 2 * n);
      this.addresses[n++] = this.samples.addressId(this.part, Number(address >> 32n), Number(address & 0xffffffffn));
    }
    return n;
  }

  private addSite(n: number, counts: SiteCounts): void {
    this.depth = n;
    this.lastNamed = undefined;
    const { samples, part, addresses, rate, sums } = this;
    const [objects, bytes, allObjects, allBytes] = counts;
    for (let i = 0; i < counts.length; i++) sums[i] += counts[i];
    if (n === 0) addresses[n++] = samples.addressId(part, 0, 0);
    const values = [...scaleSampled(objects, bytes, rate), ...scaleSampled(allObjects, allBytes, rate)];
    this.sites++;
    if (values.every((v) => v === 0)) return;
    samples.stacks.ensureColumns(COUNT_TYPES.length);
    const row = samples.stacks.row(part, addresses, n);
    for (let column = 0; column < values.length; column++) samples.stacks.addTo(column, row, values[column]);
  }

  /** Reads `#	0x4a1b2c	main.parse+0x3c	/src/main.go:12`. Lines of one address are inlined functions, innermost first. */
  private readGoFrame(text: string): void {
    const m = /^#\s+(0x[0-9a-f]{1,16})\s+(\S+?)(?:\+0x[0-9a-f]{1,16})?\s+(\S.*):(\d{1,9})$/.exec(text); // bounded: the limit of a line
    if (!m) return;
    const address = BigInt(m[1]);
    const frame = { name: m[2], file: m[3], line: Number(m[4]) };
    if (this.lastNamed?.address === address) this.lastNamed.frames.push(frame);
    else this.lastNamed = { address, frames: [frame] };
    const { addresses, samples } = this;
    for (const less of [1n, 0n]) {
      const place = samples.addressIdAt(address - less);
      if (place < 0) continue;
      samples.names[place] = this.lastNamed.frames;
      // Go left the inner frames unnamed: they are runtime frames, which are hidden like allocators.
      for (let k = 0; k < this.depth && addresses[k] !== place; k++) samples.names[addresses[k]] ??= [UNNAMED_RUNTIME_FRAME];
      return;
    }
  }

  finish(rest: Uint8Array): void {
    const { sink, path, writer, samples, hasAllocated } = this;
    if (rest.length > 0 && this.state !== 'maps') this.readLine(rest, 0, rest.length);
    const found = this.state === 'maps' ? this.maps.readUnended(decodeBytes(rest, 0, rest.length), true) : undefined;
    if (found !== undefined) this.warn({ line: this.lineNo + 1 }, 'the end of a mapped object', found);
    if (this.state === 'header')
      throw this.error({ line: 1 }, 'a heap profile', this.banner === undefined ? 'an empty file' : `"${this.banner}"`);
    if (this.banner !== undefined) this.warn({ line: 1 }, '"heap profile:" with counts', `"${this.banner}" before it; left out`);
    for (const [place, frame] of this.javaNames) samples.names[place] = [frame];
    sink.creator ??= {
      pprof: 'a heap profiler of the gperftools kind',
      jemalloc: 'jemalloc',
      java: 'an agent of a Java machine',
    }[this.flavour];
    const how =
      this.rate > 1
        ? `sampled every ${this.rate} bytes: objects and bytes are estimates of all allocations, as pprof makes them`
        : 'all allocations are recorded';
    const part = { path, notes: [`${plural(this.sites, 'site')}; ${how}`], events: COUNT_TYPES.map((c) => c.name) };
    writer.addMappedPart(part, this.maps.mappings);
    // Omit the allocation columns if the file records no allocations.
    const now = hasAllocated || writer.types.length > 2 ? COUNT_TYPES : COUNT_TYPES.slice(0, 2);
    const before = (column: number) => writer.types.find((t) => t.column === column)?.ofSamples ?? 0;
    const described = (type: RecordedType): RecordedType => {
      const ofSamples = before(type.column) + (this.rate > 1 ? this.sums[type.column - (type.column % 2)] : 0);
      return ofSamples > 0 ? { ...type, ofSamples, longName: `${type.longName}, ≈ by samples` } : type;
    };
    writer.types = now.map(described).sort((a, b) => (b.column % 2) - (a.column % 2));
    samples.stacks.ensureColumns(COUNT_TYPES.length);
    this.checkSums();
    if (this.sites > 0 && samples.stacks.rows === this.firstRow)
      this.warn({ line: 1 }, 'memory in use or allocated', 'only sites whose counts are 0');
  }

  /** Finds what is missing if the sites add up to less than the totals at the start, or a stack has no counts. */
  private checkSums(): void {
    const { headerCounts, sums } = this;
    const hint = 'the text was cut off: only whole sites are shown';
    if (this.openDepth !== undefined) this.markCut(this.position, 'the counts of a stack', hint);
    const wrong = headerCounts?.findIndex((count, i) => count !== sums[i]) ?? -1;
    if (wrong < 0) return;
    const expected = `sites that add up to ${headerCounts?.[wrong]} ${COUNT_NAMES[wrong]}, as the first counts say`;
    // Only the list of mappings tells that all sites were read.
    const isLess = this.flavour === 'jemalloc' && this.state === 'sites' && headerCounts?.every((n, i) => sums[i] <= n);
    if (isLess) this.markCut(this.position, expected, hint);
    else this.warn({ line: 1 }, expected, `${sums[wrong]}`);
  }
}

const siteCountsOf = (m: RegExpExecArray): SiteCounts => m.slice(1, 5).map(Number);

const COUNT_NAMES = ['objects in use', 'bytes in use', 'objects allocated', 'bytes allocated'];

const COUNT_TYPES: readonly RecordedType[] = [
  { name: 'inuse_objects', unit: 'count', longName: 'objects in use', column: 0 },
  { name: 'inuse_space', unit: 'bytes', longName: 'bytes in use', column: 1 },
  { name: 'alloc_objects', unit: 'count', longName: 'objects allocated so far', column: 2 },
  { name: 'alloc_space', unit: 'bytes', longName: 'bytes allocated so far', column: 3 },
];

export const heapText: Loader = {
  name: 'heap-text',
  title: 'heap profile as text: gperftools, jemalloc, Go (debug=1), Java agents',
  provides: ['routines', 'calls', 'trees', 'lines', 'instrs'],
  readsOtherFiles: true,
  make: 'HEAPPROFILE=app ./program (-ltcmalloc), MALLOC_CONF=prof:true,prof_final:true ./program (jemalloc), or curl HOST/debug/pprof/heap?debug=1 (Go)',
  fileNames: /\.heap(\.gz)?$/,
  detect,
  load: makeLineLoader(HeapTextReader, 'a heap profile'),
};
