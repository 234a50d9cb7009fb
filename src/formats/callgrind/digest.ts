// Turns whole Callgrind lines into columns, with the byte loop in WebAssembly (assembly/callgrind-digest.ts).
// A digest does not resolve names: ids stay ids, and lines that only the scanner understands are marked.
// So any thread can digest a piece without its preceding lines; apply.ts writes the digests into the sink in file order.
import { attempt } from '../../base/attempt.ts';
import type { LoaderTask } from '../loader.ts';
import { DIGEST_CODE } from './digest-code.ts';

/** Which columns the lines of a Callgrind part have. */
export interface LineForm {
  readonly hasInstr: boolean;
  readonly hasLine: boolean;
  readonly events: number;
}

/** Position of the last self cost line; relative positions refer to it. */
type LastPosition = Readonly<Record<'low' | 'high' | 'line', number>>;

interface DigestCounts {
  readonly form: LineForm;
  /** Number of bytes that this digest covers. */
  readonly used: number;
  readonly rows: number;
  readonly calls: number;
  readonly jumps: number;
  readonly marks: number;
  /** True if at least one row has a line number other than 0. */
  readonly lined: boolean;
  readonly wide: readonly (readonly [table: number, row: number, column: number, value: number])[];
}

export type Digest = DigestCounts & Readonly<ReturnType<typeof columnViewsOf>>;

/** Numbers of the tables that entries of `wide` refer to. */
export const WIDE_TABLE = { rows: 0, calls: 1, callCount: 2, taken: 3, executed: 4 } as const;

const CALL_COLUMNS = 6;
const JUMP_COLUMNS = 9;
export const WORDS_PER_MARK = 20;
export const MARK_WORD = {
  from: 0,
  eol: 1,
  line: 2,
  rows: 3,
  calls: 4,
  jumps: 5,
  base: 6,
  high: 9,
  flags: 10,
  ids: 11,
  names: 16,
  id: 17,
  nameFrom: 18,
  nameEnd: 19,
} as const;
export const MARK_FLAG = { mixed: 1, known: 2, farJumps: 4 } as const;
/** Numbers for the kinds of specification lines (fn=, fl=, …), as used in marks. */
export const SPEC_KIND = { fn: 1, fl: 2, fi: 3, ob: 4, cfn: 5, cfi: 6, cob: 7, jfi: 8, jfn: 9 } as const;

type DigesterExports = Record<string, { value: number }> & {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  place(what: number): number;
  digest(size: number): number;
};

const ADDRESS_NAMES = 'input size line address call jump conditional mark wide costs rows calls jumps events'.split(' ');

let compiledModule: WebAssembly.Module | undefined;

/** A new digester; undefined without WebAssembly, its SIMD instructions or the address space that it reserves. */
export function openDigester(): Digester | undefined {
  if (typeof WebAssembly === 'undefined') return undefined;
  // V8 reserves gigabytes of address space for each memory, so under `ulimit -v` the constructor throws.
  return attempt(() => {
    if (!compiledModule) {
      const code = Uint8Array.from(atob(DIGEST_CODE), (c) => c.charCodeAt(0));
      if (!WebAssembly.validate(code)) return undefined;
      compiledModule = new WebAssembly.Module(code);
    }
    return new Digester(compiledModule);
  });
}

export class Digester {
  private readonly code: DigesterExports;
  private readonly at: Record<string, number>;

  constructor(module: WebAssembly.Module) {
    this.code = new WebAssembly.Instance(module).exports as DigesterExports;
    this.at = Object.fromEntries(ADDRESS_NAMES.map((name, i) => [name, this.code.place(i)]));
  }

  /** The largest number of bytes that one digest() call accepts. */
  get mostBytes(): number {
    return this.at['size'];
  }

  supportsForm(form: LineForm): boolean {
    return form.events > 0 && form.events <= this.at['events'];
  }

  /**
   * The digest of the whole lines buf[from..to), at most `most` bytes; undefined if they contain something only the scanner can
   * read. It may end before `to`, at the start of a line. Without a base the first position must be absolute. The columns are
   * views of the WebAssembly memory: valid until the next call.
   */
  digest(buf: Uint8Array, from: number, to: number, form: LineForm, base: LastPosition | undefined): Digest | undefined {
    const { code, at } = this;
    const bytesNeeded = at['costs'] + form.events * 4 * (at['rows'] + at['calls']);
    const lacking = bytesNeeded - code.memory.buffer.byteLength;
    if (lacking > 0 && attempt(() => code.memory.grow(Math.ceil(lacking / 65536))) === undefined) return undefined;
    const size = to - from;
    const bytes = new Uint8Array(code.memory.buffer);
    bytes.set(buf.subarray(from, to), at['input']);
    bytes.fill(10, at['input'] + size, at['input'] + size + 16);
    const { low, high, line } = base ?? { low: 0, high: 0, line: 0 };
    const shape = { hasInstr: Number(form.hasInstr), hasLine: Number(form.hasLine), events: form.events };
    const inputs = { ...shape, baseLow: low, baseHigh: high, baseLine: line, known: base ? 1 : 0 };
    for (const [name, value] of Object.entries(inputs)) code[name].value = value;
    const used = code.digest(size);
    return used < 0 ? undefined : this.readDigest(used, form);
  }

  private readDigest(used: number, form: LineForm): Digest {
    const { code, at } = this;
    const { buffer } = code.memory;
    const get = (name: string): number => code[name].value;
    const [rows, calls, jumps, marks] = [get('rows'), get('calls'), get('jumps'), get('marks')];
    const words = (offset: number, length: number) => new Uint32Array(buffer, offset, length);
    const table = (offset: number, columns: number, capacity: number, length: number) =>
      Array.from({ length: columns }, (_, k) => words(offset + k * capacity * 4, length));
    const signed = (offset: number, columns: number, capacity: number, length: number) =>
      Array.from({ length: columns }, (_, k) => new Int32Array(buffer, offset + k * capacity * 4, length));
    const [roomRows, roomCalls, roomJumps] = [at['rows'], at['calls'], at['jumps']];
    // The last mark stands for the end of the bytes.
    const mark = new Int32Array(buffer, at['mark'], (marks + 1) * WORDS_PER_MARK);
    const flags = get('segMixed') | (get('known') << 1) | get('farJumps');
    mark.set(
      [used, used, get('lines'), rows, calls, jumps, get('baseLow'), get('baseHigh'), get('baseLine'), get('segHigh'), flags],
      marks * WORDS_PER_MARK,
    );
    mark.set(['cfn', 'cfi', 'cob', 'jfi', 'jfn'].map(get), marks * WORDS_PER_MARK + MARK_WORD.ids);
    const wide = Array.from({ length: get('wides') }, (_, i) => {
      const offset = at['wide'] + i * 24;
      const [kind, row, column] = words(offset, 3);
      return [kind, row, column, new Float64Array(buffer, offset + 16, 1)[0]] as const;
    });
    return {
      form,
      used,
      rows,
      calls,
      jumps,
      marks,
      lined: get('lined') === 1,
      line: words(at['line'], rows),
      address: words(at['address'], rows),
      costs: table(at['costs'], form.events, roomRows, rows),
      call: signed(at['call'], CALL_COLUMNS, roomCalls, calls),
      callCosts: table(at['costs'] + form.events * roomRows * 4, form.events, roomCalls, calls),
      jump: signed(at['jump'], JUMP_COLUMNS, roomJumps, jumps),
      conditional: new Uint8Array(buffer, at['conditional'], jumps),
      mark,
      wide,
    };
  }
}

/** A piece of a large file, for another thread. It starts at an fn= line, where Valgrind writes absolute positions. */
export interface FilePiece {
  readonly bytes: Uint8Array;
  readonly form: LineForm;
  /** Buffer for the digests. It is reused because its pages are already allocated. */
  readonly digestBuffer: ArrayBuffer;
}

/** The bytes of a piece and its digests, which end early if the digester refused a line. */
export interface DigestedPiece {
  readonly bytes: Uint8Array;
  readonly digests: readonly PackedDigest[];
  readonly room: ArrayBuffer;
}

interface PackedDigest extends DigestCounts {
  readonly at: number;
}

let digester: Digester | undefined;

/** The task that runs on another thread. Its only state is the digester, which is reused. */
export const digestPiece: LoaderTask<FilePiece, DigestedPiece> = ({ bytes, form, digestBuffer }) => {
  digester ??= openDigester();
  const digests: PackedDigest[] = [];
  let base: LastPosition | undefined;
  let at = 0;
  for (let p = 0; digester && p < bytes.length; ) {
    const to = bytes.lastIndexOf(10, Math.min(bytes.length, p + digester.mostBytes) - 1) + 1;
    const digest = to > p ? digester.digest(bytes, p, to, form, base) : undefined;
    if (!digest || digest.used === 0) break;
    const end = digest.marks * WORDS_PER_MARK;
    if (digest.mark[end + MARK_WORD.flags] & MARK_FLAG.known) {
      const [low, high, line] = digest.mark.subarray(end + MARK_WORD.base, end + MARK_WORD.base + 3);
      base = { low: low >>> 0, high: high >>> 0, line: line >>> 0 };
    }
    const needed = at + bytesOfDigest(digest);
    if (needed > digestBuffer.byteLength) {
      const larger = new ArrayBuffer(needed * 2);
      new Uint8Array(larger).set(new Uint8Array(digestBuffer, 0, at));
      digestBuffer = larger;
    }
    digests.push(packDigest(digest, digestBuffer, at));
    at = needed;
    p += digest.used;
  }
  return { result: { bytes, digests, room: digestBuffer }, transfer: [bytes.buffer as ArrayBuffer, digestBuffer] };
};

function packDigest(d: Digest, digestBuffer: ArrayBuffer, at: number): PackedDigest {
  const { form, used, rows, calls, jumps, marks, wide, lined } = d;
  const counts = { form, used, rows, calls, jumps, marks, wide, lined };
  const copy = columnViewsOf(counts, digestBuffer, at);
  copy.line.set(d.line);
  copy.address.set(d.address);
  for (const table of ['costs', 'call', 'callCosts', 'jump'] as const)
    for (const [k, column] of d[table].entries()) copy[table][k].set(column);
  copy.mark.set(d.mark);
  copy.conditional.set(d.conditional);
  return { ...counts, at };
}

/** Size of a digest in bytes, rounded up to a multiple of 4; the byte column (conditional) comes last. */
function bytesOfDigest({ form, rows, calls, jumps, marks }: DigestCounts): number {
  const { events } = form;
  const words = rows * (2 + events) + calls * (CALL_COLUMNS + events) + jumps * JUMP_COLUMNS + (marks + 1) * WORDS_PER_MARK;
  return (words + Math.ceil(jumps / 4)) * 4;
}

/** The columns of a digest that begin at byte `at` of a buffer. */
export function columnViewsOf({ form, rows, calls, jumps, marks }: DigestCounts, buffer: ArrayBuffer, at: number) {
  const words = (length: number) => new Uint32Array(buffer, (at += length * 4) - length * 4, length);
  const ints = (length: number) => new Int32Array(buffer, (at += length * 4) - length * 4, length);
  const columnsOf = <T>(columns: number, make: () => T) => Array.from({ length: columns }, make);
  return {
    line: words(rows),
    address: words(rows),
    /** Columns of costs by event. Values of 2^32 and more are in `wide`. */
    costs: columnsOf(form.events, () => words(rows)),
    /** Columns of calls: line, address, cfn, cfi, cob, count. Unsigned numbers are stored as bits; an id of -1 means none. */
    call: columnsOf(CALL_COLUMNS, () => ints(calls)),
    callCosts: columnsOf(form.events, () => words(calls)),
    /** Columns of jumps: line, address, target line, low and high target address, jfi, jfn, taken, executed. */
    jump: columnsOf(JUMP_COLUMNS, () => ints(jumps)),
    /** WORDS_PER_MARK words per marked line, and one more mark for the end; see assembly/callgrind-digest.ts. */
    mark: ints((marks + 1) * WORDS_PER_MARK),
    conditional: new Uint8Array(buffer, at, jumps),
  };
}
