// node --import tsx bench/recursion.ts [SEEDS]: how far the derived numbers of Callgrind profiles with recursion are from the truth, for random
// programs, and, where valgrind and g++ are installed, for the programs in bench/recursion. The columns:
//   outside              inclusive costs of routines in no cycle: the sum of all errors, as a share of the sum of the true costs
//   inside, last         of routines in cycles: of levels that are never twice on a stack, and of the last level, which stands for all deeper
//                        ones; then errors of single routines with at least 1 % of the total. Real programs: of first levels alone
//   functions            of functions in cycles, all levels together (the cost of groups)
//   paths, folded        of paths of the tree with at least 1 %; folded: a path goes back to where a routine stood first
//   lost                 the share of the total at which branches of the tree end too early
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { Paths, SHAPES } from '../test/support/random-programs.ts';
import {
  analysisOf,
  functionOf,
  type Known,
  measure,
  measureRandom,
  nothing,
  TABLE_HEAD,
  tableRow,
} from '../test/support/recursion-errors.ts';

const SEEDS = Number(process.argv[2] ?? 6);
/** The tests have lower ones. */
const FIRST_SEED = 1001;
const LEVELS = [1, 2, 5];
const PROGRAMS = ['json', 'interpreter', 'calculator', 'trees'];
/** Callers that Callgrind keeps apart: more than any stack here has, so that contexts are whole stacks. */
const CALLERS = 150;

const root = new URL('..', import.meta.url).pathname;
const folder = `${root}.cache/bench/recursion`;

function table(rows: readonly (readonly string[])[]): void {
  const width = TABLE_HEAD.map((title, k) => Math.max(title.length, ...rows.map((row) => row[k].length)));
  for (const row of [TABLE_HEAD, ...rows])
    process.stdout.write(`${row.map((cell, k) => (k === 0 ? cell.padEnd(width[k]) : cell.padStart(width[k]))).join('  ')}\n`);
}

async function randomRows(): Promise<string[][]> {
  const out: string[][] = [];
  for (const shape of SHAPES)
    for (const levels of LEVELS) {
      const measured = nothing();
      for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) await measureRandom(measured, seed, shape, { levels });
      out.push(tableRow(shape, { levels }, measured));
    }
  return out;
}

/** Runs a program under Callgrind, and returns the file that it writes. */
function recorded(program: string, kind: string, options: readonly string[]): string {
  const out = `${folder}/${program}.${kind}.out`;
  execFileSync('valgrind', ['--tool=callgrind', `--callgrind-out-file=${out}`, ...options, `${folder}/${program}`], {
    stdio: 'ignore',
  });
  return readFileSync(out, 'latin1');
}

/**
 * The true costs, from a file with contexts: names like f'caller'its caller, the whole stack but for calls of a function by itself. A reader
 * of its own, of self costs alone, so that it shares no error with ours.
 */
function stacksIn(text: string): Known {
  const contexts = new Map<string, string>();
  const self = new Map<string, number>();
  let context = '';
  let call = false;
  for (const line of text.split('\n')) {
    const [, key, id, name] = /^(c?fn)=\((\d+)\) ?(.*)/.exec(line) ?? [];
    if (name) contexts.set(id, name);
    if (key === 'fn') context = contexts.get(id) ?? '';
    else if (line.startsWith('calls=')) call = true;
    else if (/^[\d+*-]/.test(line)) {
      // The line after `calls=` has the cost of the call.
      if (!call) self.set(context, (self.get(context) ?? 0) + Number(line.split(' ')[1]));
      call = false;
    }
  }
  let total = 0;
  const functions = new Map<string, number>();
  const paths = [new Paths('joined'), new Paths('folded')] as const;
  for (const [names, cost] of self) {
    const stack = names.split("'").reverse();
    if (stack.length > CALLERS) throw new Error(`a stack has more than ${CALLERS} functions: ${names.slice(0, 200)}`);
    total += cost;
    for (const f of new Set(stack)) functions.set(f, (functions.get(f) ?? 0) + cost);
    for (const of of paths) {
      let path = 0;
      for (const f of stack) path = of.step(path, f);
      of.inclusive[path] += cost;
    }
  }
  for (const of of paths) of.addUp();
  // The first level of a function has all others below it; the cost of other levels is not in the contexts.
  return { total, inclusive: functions, functions, paths, inPaths: functionOf };
}

async function realRows(): Promise<string[][]> {
  const out: string[][] = [];
  mkdirSync(folder, { recursive: true });
  for (const program of PROGRAMS) {
    execFileSync('g++', ['-std=c++17', '-O1', '-g', `${root}bench/recursion/${program}.cpp`, '-o', `${folder}/${program}`]);
    const known = stacksIn(recorded(program, 'stacks', [`--separate-callers=${CALLERS}`, '--separate-recs=1', '--dump-line=no']));
    for (const levels of LEVELS) {
      // Callgrind's own default is 2.
      const text = recorded(program, `recs${levels}`, levels === 2 ? [] : [`--separate-recs=${levels}`]);
      const analysis = await analysisOf(text);
      const [total] = analysis.totals.total[0];
      if (Math.abs(total - known.total) > total / 1000)
        throw new Error(`${program} cost ${total}, and ${known.total} with stacks`);
      const measured = nothing();
      measure(measured, analysis, known, { levels }, `${program}: `);
      out.push(tableRow(program, { levels }, measured));
    }
  }
  return out;
}

process.stdout.write(`Random programs, ${SEEDS} of each shape\n`);
table(await randomRows());
const missing = ['valgrind', 'g++'].filter((name) => spawnSync(name, ['--version']).status !== 0);
if (missing.length > 0) process.stdout.write(`\nReal programs: not measured without ${missing.join(' and ')}\n`);
else {
  process.stdout.write('\nReal programs\n');
  table(await realRows());
}
