// Disassembles code with objdump, which is not safe for hostile files: code-text.ts decides which objects it may read.
import type { Syntax } from '../base/code-text.ts';
import { findProgram, startProgram } from './programs.ts';

/** First and last address of a range of code, both inclusive. */
export type AddressRange = readonly [from: bigint, to: bigint];

const TIMEOUT_MS = 20_000;
/** Maximum address space of objdump, which reads whole sections of large objects into memory. */
const MAX_MEMORY_BYTES = 4 * 2 ** 30;
/** Maximum length of an instruction, because objdump needs the end of the last instruction. */
const MAX_INSTRUCTION_BYTES = 16n;

/** The code of an object by address (`0x…`): the texts of instructions, and their bytes. */
interface DumpedCode {
  readonly instructions: Map<string, string>;
  readonly bytes: Map<string, string>;
}

/**
 * Disassembles ranges of an object file, one after the other: instruction texts and bytes by address, and the first line of what objdump
 * complained of meanwhile. Returns why there are no instructions. Never throws.
 */
export async function disassemble(object: string, ranges: readonly AddressRange[], syntax: Syntax) {
  const dumped: DumpedCode = { instructions: new Map(), bytes: new Map() };
  let said: string | undefined;
  for (const range of ranges) {
    const ended = await disassembleRange(object, range, syntax, dumped);
    if (ended.failed) return ended.said;
    said ??= ended.said || undefined;
  }
  return dumped.instructions.size > 0 ? { ...dumped, said } : `${object} has no code at these addresses`;
}

/** Adds the instructions of a range to `out`. Returns whether it failed, and what objdump said, '' for nothing. */
function disassembleRange(
  object: string,
  [from, to]: AddressRange,
  syntax: Syntax,
  { instructions: out, bytes }: DumpedCode,
): Promise<{ readonly failed: boolean; readonly said: string }> {
  const range = [`--start-address=0x${from.toString(16)}`, `--stop-address=0x${(to + MAX_INSTRUCTION_BYTES).toString(16)}`];
  const style = syntax === 'intel' ? ['-M', 'intel'] : [];
  // All bytes of an instruction stay on its line.
  const args = ['-d', '-C', `--insn-width=${MAX_INSTRUCTION_BYTES}`, ...style, ...range, '--', object];
  const objdump = findProgram('objdump');
  if (objdump === undefined) return Promise.resolve({ failed: true, said: 'objdump is not installed' });
  return new Promise((resolve) => {
    const child = startProgram(objdump, args, { timeout: TIMEOUT_MS, memoryBytes: MAX_MEMORY_BYTES });
    child.stdin.end();
    let rest = '';
    let error = '';
    child.on('error', (e) => resolve({ failed: true, said: `objdump: ${e.message}` }));
    child.stderr.on('data', (d: Buffer) => {
      if (error.length < 500) error += d.toString();
    });
    child.stdout.on('data', (d: Buffer) => {
      const lines = (rest + d.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [place, code = '', ...texts] = line.split('\t');
        const text = texts.join(' ').replace(/\s+/g, ' ').trim();
        const m = /^\s*([0-9a-f]+):$/.exec(place);
        if (!m || text === '') continue;
        const address = '0x' + m[1].replace(/^0+(?=.)/, '');
        bytes.set(address, code.trim());
        out.set(address, text);
      }
    });
    child.on('close', (code) => {
      const failed = code !== 0 && out.size === 0;
      const [first = ''] = error.trim().split('\n');
      resolve({ failed, said: failed || first !== '' ? `objdump: ${first || `exit ${code}`}` : '' });
    });
  });
}
