// Disassembly from objdump. Only on the user's request, never at load: the object may be large, or from another build.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Instruction texts by address (`0x…`), or why there are none. */
export type Disassembly = ReadonlyMap<string, string> | string;

const TIMEOUT_MS = 20_000;

/** Disassembles an object file from one address to another (inclusive). Never throws. */
export async function disassemble(object: string, from: bigint, to: bigint): Promise<Disassembly> {
  if (!existsSync(object)) return `object ${object} not found (--binary PATH, --symbol-path DIR or --path-map FROM=TO)`;
  const args = [
    '-d',
    '--no-show-raw-insn',
    '-C',
    `--start-address=0x${from.toString(16)}`,
    `--stop-address=0x${(to + 16n).toString(16)}`,
    '--',
    object,
  ];
  return new Promise((resolve) => {
    const child = spawn('objdump', args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS });
    const out = new Map<string, string>();
    let rest = '';
    let error = '';
    child.on('error', (e: NodeJS.ErrnoException) =>
      resolve(e.code === 'ENOENT' ? 'objdump is not installed' : `objdump: ${e.message}`),
    );
    child.stderr.on('data', (d: Buffer) => {
      if (error.length < 500) error += d.toString();
    });
    child.stdout.on('data', (d: Buffer) => {
      const lines = (rest + d.toString()).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const m = /^\s*([0-9a-f]+):\s+(.*)$/.exec(line);
        if (m) out.set('0x' + m[1].replace(/^0+(?=.)/, ''), m[2].replace(/\s+/g, ' ').trim());
      }
    });
    child.on('close', (code) => {
      if (out.size > 0) resolve(out);
      else
        resolve(
          code === 0 ? `${object} has no code at these addresses` : `objdump: ${error.trim().split('\n')[0] || `exit ${code}`}`,
        );
    });
  });
}
