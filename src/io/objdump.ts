// Disassembles code with objdump, which is not safe for hostile files: code-text.ts decides which objects it may read.
import { type ChildProcess, spawn } from 'node:child_process';
import { boundedCommand, endWithProgram, findProgram, offlineEnvironment } from './programs.ts';

/** Instruction texts by address (`0x…`), or why there are none. */
export type Disassembly = ReadonlyMap<string, string> | string;

/** First and last address of a range of code, both inclusive. */
export type AddressRange = readonly [from: bigint, to: bigint];

const TIMEOUT_MS = 20_000;
/** Maximum address space of objdump, which reads whole sections of large objects into memory. */
const MAX_MEMORY_BYTES = 4 * 2 ** 30;
/** Maximum length of an instruction, because objdump needs the end of the last instruction. */
const MAX_INSTRUCTION_BYTES = 16n;

/** Disassembles ranges of an object file, one after the other. Never throws. */
export async function disassemble(object: string, ranges: readonly AddressRange[]): Promise<Disassembly> {
  const out = new Map<string, string>();
  for (const range of ranges) {
    const failed = await disassembleRange(object, range, out);
    if (failed !== undefined) return failed;
  }
  return out.size > 0 ? out : `${object} has no code at these addresses`;
}

const runningProcesses = new Set<ChildProcess>();

/** Ends all running disassemblies, because their results are no longer needed. */
export function stopDisassembly(): void {
  for (const child of runningProcesses) child.kill('SIGKILL');
}

/** Adds the instructions of a range to `out`; returns the error, if any. */
function disassembleRange(object: string, [from, to]: AddressRange, out: Map<string, string>): Promise<string | undefined> {
  const range = [`--start-address=0x${from.toString(16)}`, `--stop-address=0x${(to + MAX_INSTRUCTION_BYTES).toString(16)}`];
  const args = ['-d', '--no-show-raw-insn', '-C', ...range, '--', object];
  const objdump = findProgram('objdump');
  if (objdump === undefined) return Promise.resolve('objdump is not installed');
  return new Promise((resolve) => {
    const [command, words] = boundedCommand(objdump, args, MAX_MEMORY_BYTES);
    const child = endWithProgram(
      spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS, env: offlineEnvironment() }),
    );
    runningProcesses.add(child);
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
      runningProcesses.delete(child);
      resolve(code === 0 || out.size > 0 ? undefined : `objdump: ${error.trim().split('\n')[0] || `exit ${code}`}`);
    });
  });
}
