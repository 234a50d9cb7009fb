// Reads files, lines and inlined functions of addresses from debug information, with llvm-symbolizer or else addr2line.
// Each object gets one process, which reads addresses on its standard input, and never runs through a shell.
import { attempt } from '../../base/attempt.ts';
import { getOrMake } from '../../base/lists.ts';
import { formatBytes } from '../../base/units.ts';
import { FrameRows } from '../../model/code-frames.ts';
import { endOf, findProgram, startProgram } from '../programs.ts';
import { cpuTicksOf } from '../running.ts';
import { openFileBytes, readElf, unpackedBytes } from './elf.ts';

export interface LineTool {
  readonly name: string;
  readonly path: string;
  readonly args: (object: string) => string[];
}

const LINE_TOOLS = [
  {
    name: 'llvm-symbolizer',
    // With --output-style=GNU, the output equals addr2line's. The options are supported since LLVM 10.
    args: (object: string) => [`--obj=${object}`, '--output-style=GNU', '-a', '-f=linkage', '-i', '--no-demangle'],
  },
  { name: 'addr2line', args: (object: string) => ['-a', '-f', '-i', '-e', object] },
] as const;

/** Milliseconds without output and CPU use after which a tool counts as hung: it may wait for a FIFO. */
const MAX_SILENCE_MS = 20_000;

/** Maximum ratio of decompressed size to file size. Real debug information is compressed to a third or a fifth. */
const MAX_UNPACKED_RATIO = 32;
const ALLOWED_UNPACKED_BYTES = 256 << 20;
/** Maximum address space of a tool: for its libraries, and per object byte. LLVM takes eight times the size of its sections. */
const TOOL_BASE_BYTES = 1 << 30;
const TOOL_BYTES_PER_BYTE = 12;
/** Maximum output bytes per address: enough for a hundred inlined frames with long names. */
const OUTPUT_BYTES_PER_ADDRESS = 100_000;
const MIN_OUTPUT_LIMIT = 64 << 20;

/** Maximum address space of a tool for this object, or why the object is not read. */
function toolMemoryFor(path: string): number | string {
  const bytes = openFileBytes(path);
  try {
    const elf = readElf(bytes);
    const unpacked = typeof elf === 'string' ? 0 : unpackedBytes(elf);
    if (unpacked > Math.max(ALLOWED_UNPACKED_BYTES, MAX_UNPACKED_RATIO * bytes.size))
      return `its compressed sections claim ${formatBytes(unpacked)}, ${Math.round(unpacked / bytes.size)} times the file`;
    return TOOL_BASE_BYTES + TOOL_BYTES_PER_BYTE * (bytes.size + unpacked);
  } finally {
    bytes.close();
  }
}

export function installedLineTools(): LineTool[] {
  return LINE_TOOLS.flatMap((tool) => {
    const path = findProgram(tool.name);
    return path === undefined ? [] : [{ ...tool, path }];
  });
}

export const findLineTool = (): LineTool | undefined => installedLineTools()[0];

/**
 * Adds the frames of addresses to `known`; calls `onProgress` after each chunk. Returns why it found none (`wrong`), or what the tool
 * complained of although it found some (`said`).
 * Rejects only with AbortError.
 */
export async function readAddressLines(
  tool: LineTool,
  object: string,
  addresses: ArrayLike<number>,
  known: FrameRows,
  signal: AbortSignal,
  onProgress: () => void = () => {},
): Promise<{ readonly wrong?: string; readonly said?: string | undefined }> {
  const memory = attempt(() => toolMemoryFor(object), TOOL_BASE_BYTES);
  if (typeof memory === 'string') return { wrong: memory };
  const child = startProgram(tool.path, tool.args(object), { memoryBytes: memory, signal, killSignal: 'SIGKILL' });
  let outputLeft = Math.max(MIN_OUTPUT_LIMIT, addresses.length * OUTPUT_BYTES_PER_ADDRESS);
  const before = known.leafOf.size;
  const parser = new LineParser(known);
  let computed = -1;
  const silence = setInterval(() => {
    // Before its first answer, the tool reads the debug information, which can take minutes.
    const now = cpuTicksOf(child.pid);
    if (now <= computed) child.kill('SIGKILL');
    computed = now;
  }, MAX_SILENCE_MS);
  child.stdout.on('data', (d: Buffer) => {
    silence.refresh();
    outputLeft -= d.length;
    if (outputLeft < 0) child.kill('SIGKILL');
    parser.parseChunk(d.toString('utf8'));
    onProgress();
  });
  let next = 0;
  const feed = () => {
    while (next < addresses.length) {
      let piece = '';
      for (const end = Math.min(addresses.length, next + 1000); next < end; next++)
        piece += `0x${addresses[next].toString(16)}\n`;
      if (!child.stdin.write(piece)) {
        child.stdin.once('drain', feed);
        return;
      }
    }
    child.stdin.end();
  };
  feed();
  const end = await endOf(child);
  clearInterval(silence);
  parser.end();
  signal.throwIfAborted();
  const said = end.said.trim() === '' ? undefined : `${tool.name}: ${end.said.trim().split('\n')[0]}`;
  if (end.code !== undefined && known.leafOf.size > before) return { said };
  return { wrong: said ?? `${tool.name}: exited with ${end.code}` };
}

/** A line, and the string number of its file's name (-1 if unknown). */
type SourceLocation = Readonly<Record<'file' | 'line', number>>;

/** Parses a tool's output: an address `0x…`, then pairs of lines with function and file:line. */
export class LineParser {
  private rest = '';
  private address = -1;
  /** Frames of the current address, innermost first: numbers of function names, and source locations. */
  private names: number[] = [];
  private locations: SourceLocation[] = [];
  private name: string | undefined;
  private readonly locationByLine = new Map<string, SourceLocation>();

  constructor(private readonly frames = new FrameRows()) {}

  parseChunk(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.parseLine(line);
  }

  end(): void {
    if (this.rest !== '') this.parseLine(this.rest);
    this.finishAddress();
  }

  private finishAddress(): void {
    const { frames, names, locations } = this;
    let leaf = -1;
    for (let k = locations.length - 1; k >= 0; k--) leaf = frames.frameId(leaf, names[k], locations[k].file, locations[k].line);
    if (this.address >= 0 && leaf >= 0) frames.leafOf.set(this.address, leaf);
    this.names = [];
    this.locations = [];
  }

  private parseLine(line: string): void {
    if (this.name === undefined) {
      if (line.startsWith('0x') && /^0x[0-9a-f]+$/i.test(line)) {
        this.finishAddress();
        this.address = Number(line);
      } else if (line !== '') this.name = line;
      return;
    }
    const location = getOrMake(this.locationByLine, line, () => this.parseLocation(line));
    this.names.push(this.frames.textId(this.name === '??' ? '' : this.name));
    this.locations.push(location);
    this.name = undefined;
  }

  private parseLocation(line: string): SourceLocation {
    const m = /^(.*?):(\d+|\?)(?::\d+)?(?: \(discriminator \d+\))?$/.exec(line); // bounded: each run is looked at once
    const file = m && m[1] !== '??' && m[1] !== '' ? this.frames.textId(m[1]) : -1;
    return { file, line: m && m[2] !== '?' ? Number(m[2]) : 0 };
  }
}
