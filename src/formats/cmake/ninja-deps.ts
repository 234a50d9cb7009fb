// Reads .ninja_deps, versions 3 and 4: the inputs of each output, as its compiler recorded them. See ninja's src/deps_log.h.
// The file has `# ninjadeps`, a version, and records. A record has a size, whose high bit marks dependencies, and its data:
// either a path and its check number, or an output, its time and its inputs as path numbers. Paths are numbered from 0.
// ninja appends, so an output's last record counts. An unfinished record is ignored. Numbers are 32-bit little-endian.
import { FormatError } from '../../base/problem.ts';
import { formatCount } from '../../base/units.ts';
import { decodeBytes, startsWithAscii } from '../../model/strings.ts';

const SIGNATURE = '# ninjadeps\n';
const FIRST_RECORD_OFFSET = SIGNATURE.length + 4;
const DEPS_FLAG = 2 ** 31;
/** Maximum size of a record, as in ninja itself. */
const MAX_RECORD_BYTES = 2 ** 19 - 1;
const MAX_PATHS = 4_000_000;
const NUL = 0;

class NinjaDepsReader {
  readonly paths: string[] = [];
  /** By output: the byte range of its input numbers in the last record. */
  readonly inputsOf = new Map<number, readonly [from: number, to: number]>();
  private readonly view: DataView;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly path: string,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Reads the records. Returns the start of a truncated last record, else the end of the file. */
  readRecords(): number {
    const { bytes } = this;
    const start = bytes.length === 0 ? 'an empty file' : `"${decodeBytes(bytes, 0, Math.min(bytes.length, 12))}"`;
    if (bytes.length < FIRST_RECORD_OFFSET || !startsWithAscii(bytes, 0, SIGNATURE)) throw this.error(0, '# ninjadeps', start);
    const version = this.wordAt(SIGNATURE.length);
    if (version !== 3 && version !== 4) throw this.error(SIGNATURE.length, 'version 3 or 4', `version ${version}`);
    const timeEnd = version === 3 ? 8 : 12;
    for (let at = FIRST_RECORD_OFFSET; ; ) {
      if (at + 4 > bytes.length) return at;
      const head = this.wordAt(at);
      const size = head % DEPS_FLAG;
      if (size > MAX_RECORD_BYTES || size % 4 !== 0)
        throw this.error(at, `a record of at most ${MAX_RECORD_BYTES} bytes, in fours`, `one of ${size}`);
      const end = at + 4 + size;
      if (end > bytes.length) return at;
      if (head < DEPS_FLAG) this.readPath(at + 4, end);
      else if (size < timeEnd) throw this.error(at, 'an output and its time', `a record of ${size} bytes`);
      else this.inputsOf.set(this.pathNumberAt(at + 4), [at + 4 + timeEnd, end]);
      at = end;
    }
  }

  pathNumbersAt(from: number, to: number): Uint32Array {
    return Uint32Array.from({ length: (to - from) / 4 }, (_, k) => this.pathNumberAt(from + 4 * k));
  }

  error(offset: number, expected: string, found: string): FormatError {
    return new FormatError({ path: this.path, offset, expected, found });
  }

  private wordAt(at: number): number {
    return this.view.getUint32(at, true);
  }

  private pathNumberAt(at: number): number {
    const id = this.wordAt(at);
    if (id >= this.paths.length) throw this.error(at, `the number of one of ${this.paths.length} paths`, `${id}`);
    return id;
  }

  private readPath(from: number, end: number): void {
    const id = this.paths.length;
    if (id === MAX_PATHS) throw this.error(from, `at most ${formatCount(MAX_PATHS)} paths`, 'more');
    let to = end - 4;
    for (let pad = 0; pad < 3 && to > from && this.bytes[to - 1] === NUL; pad++) to--;
    if (to <= from) throw this.error(from, 'a path', 'none');
    const check = ~this.wordAt(end - 4) >>> 0;
    if (check !== id) throw this.error(end - 4, `the check of path ${id}`, `that of path ${check}`);
    this.paths.push(decodeBytes(this.bytes, from, to));
  }
}

/** Reads .ninja_deps. `inputs`: path numbers by that of the output; `cut`: a truncated last record. FormatError if invalid. */
export function readNinjaDeps(bytes: Uint8Array, path: string) {
  const reader = new NinjaDepsReader(bytes, path);
  const end = reader.readRecords();
  const { paths, inputsOf } = reader;
  const inputs = new Map(Array.from(inputsOf, ([output, [from, to]]) => [output, reader.pathNumbersAt(from, to)]));
  const isWhole = end === bytes.length;
  const cut = isWhole
    ? undefined
    : reader.error(end, 'a whole record', `${bytes.length - end} bytes of one; left out, as by ninja`);
  return { paths, inputs, cut: cut?.problem };
}
