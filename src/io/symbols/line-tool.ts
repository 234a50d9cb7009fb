// Files, lines and inlined functions of addresses, from debug information: by llvm-symbolizer if installed, else by addr2line.
// One process per object, with the addresses on its standard input; never through a shell.
import { spawn } from 'node:child_process';
import { attempt } from '../../base/attempt.ts';
import { formatBytes } from '../../base/units.ts';
import { FrameRows } from '../../model/code-frames.ts';
import { boundedCommand, endWithProgram, findProgram, offlineEnvironment } from '../programs.ts';
import { ticksOf } from '../running.ts';
import { fileBytes, readElf, unpackedBytes } from './elf.ts';

export interface LineTool {
  readonly name: string;
  readonly path: string;
  readonly args: (object: string) => string[];
}

const TOOLS = [
  {
    name: 'llvm-symbolizer',
    // In GNU style its output matches addr2line's; the options are supported since LLVM 10.
    args: (object: string) => [`--obj=${object}`, '--output-style=GNU', '-a', '-f=linkage', '-i', '--no-demangle'],
  },
  { name: 'addr2line', args: (object: string) => ['-a', '-f', '-i', '-e', object] },
] as const;

/** A tool without output and without CPU use for this long is considered hung: it may wait for a FIFO. */
const SILENCE_MS = 20_000;

/** Debug information is packed to a third or a fifth; a file that unpacks to more than this many times its size is made to do harm. */
const MOST_UNPACKED = 32;
const UNPACKED_ANYWAY = 256 << 20;
/** Address space for a tool: its own libraries, and the object with its tables. LLVM's tables take some eight times their sections. */
const TOOL_BYTES = 1 << 30;
const BYTES_PER_BYTE = 12;
/** Output per address: a hundred inlined frames with long names. */
const OUTPUT_PER_ADDRESS = 100_000;
const LEAST_OUTPUT = 64 << 20;

/** The address space that a tool may take for an object, or why the object is not read. */
function memoryFor(path: string): number | string {
  const bytes = fileBytes(path);
  try {
    const elf = readElf(bytes);
    const unpacked = typeof elf === 'string' ? 0 : unpackedBytes(elf);
    if (unpacked > Math.max(UNPACKED_ANYWAY, MOST_UNPACKED * bytes.size))
      return `its compressed sections claim ${formatBytes(unpacked)}, ${Math.round(unpacked / bytes.size)} times the file`;
    return TOOL_BYTES + BYTES_PER_BYTE * (bytes.size + unpacked);
  } finally {
    bytes.close();
  }
}

/** The tools that are installed. */
export function lineTools(env: NodeJS.ProcessEnv = process.env): LineTool[] {
  return TOOLS.flatMap((tool) => {
    const path = findProgram(tool.name, env);
    return path === undefined ? [] : [{ ...tool, path }];
  });
}

export const findLineTool = (env?: NodeJS.ProcessEnv): LineTool | undefined => lineTools(env)[0];

/**
 * Adds the frames of addresses to `known`; calls `onProgress` after each chunk. Returns the error, if any. Rejects only
 * with AbortError.
 */
export function readLines(
  tool: LineTool,
  object: string,
  addresses: ArrayLike<number>,
  known: FrameRows,
  signal: AbortSignal,
  onProgress: () => void = () => {},
): Promise<string | undefined> {
  const memory = attempt(() => memoryFor(object), TOOL_BYTES);
  if (typeof memory === 'string') return Promise.resolve(memory);
  return new Promise((resolve, reject) => {
    const [command, args] = boundedCommand(tool.path, tool.args(object), memory);
    const child = endWithProgram(
      spawn(command, args, {
        stdio: ['pipe', 'pipe', 'pipe'],
        env: offlineEnvironment(),
        signal,
        killSignal: 'SIGKILL',
      }),
    );
    let outputLeft = Math.max(LEAST_OUTPUT, addresses.length * OUTPUT_PER_ADDRESS);
    const before = known.leafOf.size;
    const parser = new LineParser(known);
    let complaint = '';
    let silence: NodeJS.Timeout | undefined;
    let computed = -1;
    const restartTimeout = () => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        // Before its first answer it reads the debug information, which can take minutes.
        const now = ticksOf(child.pid);
        if (now <= computed) child.kill('SIGKILL');
        computed = now;
        restartTimeout();
      }, SILENCE_MS);
    };
    restartTimeout();
    child.on('error', (error) => {
      clearTimeout(silence);
      if (signal.aborted) reject(signal.reason);
      else resolve(`${tool.name}: ${error.message}`);
    });
    child.stderr.on('data', (d: Buffer) => {
      if (complaint.length < 300) complaint += d.toString();
    });
    child.stdout.on('data', (d: Buffer) => {
      restartTimeout();
      outputLeft -= d.length;
      if (outputLeft < 0) child.kill('SIGKILL');
      parser.parseChunk(d.toString('utf8'));
      onProgress();
    });
    child.on('close', (code) => {
      clearTimeout(silence);
      parser.end();
      if (signal.aborted) reject(signal.reason);
      else if (known.leafOf.size > before) resolve(undefined);
      else resolve(`${tool.name}: ${complaint.trim().split('\n')[0] || `exited with ${code}`}`);
    });
    // A tool that exits early closes the pipe; its error output is enough.
    child.stdin.on('error', () => {});
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
  });
}

interface SourceLocation {
  /** The number of its name; -1 is unknown. */
  readonly file: number;
  readonly line: number;
}

/** Reads `0x…`, then pairs of lines: function, file:line. */
export class LineParser {
  private rest = '';
  private address = -1;
  /** The frames of the current address, innermost first: numbers of names, and source locations. */
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
    if (this.name === undefined && line === '') return;
    if (this.name === undefined && line.startsWith('0x') && /^0x[0-9a-f]+$/i.test(line)) {
      this.finishAddress();
      this.address = Number(line);
      return;
    }
    if (this.name === undefined) {
      this.name = line;
      return;
    }
    let location = this.locationByLine.get(line);
    if (!location) this.locationByLine.set(line, (location = this.parseLocation(line)));
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
