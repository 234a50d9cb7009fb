// Disassembly from objdump. It is not made for hostile files: code-text.ts decides which objects it is run on.
import { type ChildProcess, spawn } from 'node:child_process';
import { boundedCommand, endWithProgram, findProgram, offlineEnvironment } from './programs.ts';

/** Instruction texts by address (`0x…`), or why there are none. */
export type Disassembly = ReadonlyMap<string, string> | string;

/** First and last address of a piece of code, both inclusive. */
export type AddressRange = readonly [from: bigint, to: bigint];

const TIMEOUT_MS = 20_000;
/** Address space for objdump, which reads sections of a large object whole. */
const MEMORY_BYTES = 4 * 2 ** 30;
/** No instruction is longer: objdump must be told the end of the last one. */
const LONGEST = 16n;

/** Disassembles pieces of an object file, one after the other. Never throws. */
export async function disassemble(object: string, ranges: readonly AddressRange[]): Promise<Disassembly> {
  const out = new Map<string, string>();
  for (const range of ranges) {
    const failed = await disassembleRange(object, range, out);
    if (failed !== undefined) return failed;
  }
  return out.size > 0 ? out : `${object} has no code at these addresses`;
}

const running = new Set<ChildProcess>();

/** Ends all running disassemblies: their results are no longer needed. */
export function stopDisassembly(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Adds the instructions of a range; returns what went wrong, if anything. */
function disassembleRange(object: string, [from, to]: AddressRange, out: Map<string, string>): Promise<string | undefined> {
  const args = [
    '-d',
    '--no-show-raw-insn',
    '-C',
    `--start-address=0x${from.toString(16)}`,
    `--stop-address=0x${(to + LONGEST).toString(16)}`,
    '--',
    object,
  ];
  const objdump = findProgram('objdump');
  if (objdump === undefined) return Promise.resolve('objdump is not installed');
  return new Promise((resolve) => {
    const [command, words] = boundedCommand(objdump, args, MEMORY_BYTES);
    const child = endWithProgram(
      spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS, env: offlineEnvironment() }),
    );
    running.add(child);
    let rest = '';
    let error = '';
    child.on('error', (e) => resolve(`objdump: ${e.message}`));
    child.stderr.on('data', (d: Buffer) => {
      if (error.length < 500) error += d.toString();
    });
    child.stdout.on('data', (d: Buffer) => {
      const lines = (rest + d.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const m = /^\s*([0-9a-f]+):\s/.exec(line);
        if (m) out.set('0x' + m[1].replace(/^0+(?=.)/, ''), line.slice(m[0].length).replace(/\s+/g, ' ').trim());
      }
    });
    child.on('close', (code) => {
      running.delete(child);
      resolve(code === 0 || out.size > 0 ? undefined : `objdump: ${error.trim().split('\n')[0] || `exit ${code}`}`);
    });
  });
}
