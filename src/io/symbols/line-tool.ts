// Files, lines and inlined functions of addresses, from debug information: by llvm-symbolizer if installed, else by addr2line.
// One process per object, with the addresses on its standard input; never through a shell.
import { spawn } from 'node:child_process';
import type { NamedFrame } from '../../model/stacks/samples.ts';
import { findProgram, offline } from '../programs.ts';

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

/** A tool that is silent for this long is considered hung: it may wait for a FIFO that debug information names. */
const SILENCE_MS = 20_000;

export function findLineTool(env: NodeJS.ProcessEnv = process.env): LineTool | undefined {
  for (const tool of TOOLS) {
    const path = findProgram(tool.name, env);
    if (path !== undefined) return { ...tool, path };
  }
  return undefined;
}

/** Frames by address, the innermost first; or why there are none. Rejects with AbortError only. */
export function askLines(
  tool: LineTool,
  object: string,
  addresses: readonly bigint[],
  signal: AbortSignal,
): Promise<Map<bigint, NamedFrame[]> | string> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool.path, tool.args(object), {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: offline(),
      signal,
      killSignal: 'SIGKILL',
    });
    const parser = new LineParser();
    let complaint = '';
    let silence: NodeJS.Timeout | undefined;
    const listen = () => {
      clearTimeout(silence);
      silence = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS);
    };
    listen();
    child.on('error', (error) => {
      clearTimeout(silence);
      if (signal.aborted) reject(signal.reason);
      else resolve(`${tool.name}: ${error.message}`);
    });
    child.stderr.on('data', (d: Buffer) => {
      if (complaint.length < 300) complaint += d.toString();
    });
    child.stdout.on('data', (d: Buffer) => {
      listen();
      parser.take(d.toString('utf8'));
    });
    child.on('close', (code) => {
      clearTimeout(silence);
      parser.end();
      if (signal.aborted) reject(signal.reason);
      else if (parser.frames.size > 0) resolve(parser.frames);
      else resolve(`${tool.name}: ${complaint.trim().split('\n')[0] || `exited with ${code}`}`);
    });
    // A tool that exits before reading everything closes the pipe; its output says enough.
    child.stdin.on('error', () => {});
    let next = 0;
    const feed = () => {
      while (next < addresses.length) {
        const piece = addresses.slice(next, (next += 1000));
        if (!child.stdin.write(piece.map((a) => `0x${a.toString(16)}\n`).join(''))) {
          child.stdin.once('drain', feed);
          return;
        }
      }
      child.stdin.end();
    };
    feed();
  });
}

/** Reads `0x…`, then pairs of lines: function, file:line. */
export class LineParser {
  readonly frames = new Map<bigint, NamedFrame[]>();
  private rest = '';
  private current: NamedFrame[] | undefined;
  private name: string | undefined;

  take(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop()!;
    for (const line of lines) this.line(line);
  }

  end(): void {
    if (this.rest !== '') this.line(this.rest);
  }

  private line(line: string): void {
    if (this.name === undefined && line === '') return;
    if (this.name === undefined && /^0x[0-9a-f]+$/i.test(line)) {
      const address = BigInt(line);
      this.current = this.frames.get(address) ?? [];
      // The same address asked twice is answered twice.
      if (this.current.length > 0) this.current = [];
      else this.frames.set(address, this.current);
      return;
    }
    if (this.name === undefined) {
      this.name = line;
      return;
    }
    const m = /^(.*?):(\d+|\?)(?::\d+)?(?: \(discriminator \d+\))?$/.exec(line); // bounded: each run is looked at once
    const file = m && m[1] !== '??' && m[1] !== '' ? m[1] : null;
    this.current?.push({ name: this.name === '??' ? '' : this.name, file, line: m && m[2] !== '?' ? Number(m[2]) : 0 });
    this.name = undefined;
  }
}
