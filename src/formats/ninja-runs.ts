// Splits a ninja log into runs. The log does not separate runs; each run appends its commands in the order of their ends.
// A new run begins where end times go back, or where an output is made again.
// ninja may rewrite the log with the latest line of each output, in any order. All rewritten lines form one run.
import { GrowableColumn, type StringId } from '../model/column.ts';
import { HashTable } from '../model/hash-table.ts';

/** The lines of the log in columns: a log may have a million lines. */
export class LogLines {
  readonly startMs = new GrowableColumn(Float64Array);
  readonly endMs = new GrowableColumn(Float64Array);
  /** Name of the output, as a string id of the sink. */
  readonly output = new GrowableColumn(Uint32Array);
  /** Hash of the command line, in two 32-bit halves. */
  readonly hashHigh = new GrowableColumn(Uint32Array);
  readonly hashLow = new GrowableColumn(Uint32Array);

  get count(): number {
    return this.startMs.length;
  }

  add(startMs: number, endMs: number, output: StringId, hashHigh: number, hashLow: number): void {
    this.startMs.push(startMs);
    this.endMs.push(endMs);
    this.output.push(output);
    this.hashHigh.push(hashHigh);
    this.hashLow.push(hashLow);
  }
}

export interface LoggedRun {
  /** True for rewritten lines, which have no order and may come from any number of runs. */
  readonly isRewritten: boolean;
  /** The run's commands are [from, to) of all commands. */
  readonly from: number;
  to: number;
}

export interface LoggedRuns {
  readonly runs: readonly LoggedRun[];
  /** By command: its first line. Lines of a run with equal times and hash belong to one command with several outputs. */
  readonly first: Uint32Array;
  /** By line: the next line of the same command; 0 for its last line. */
  readonly next: Uint32Array;
}

/** Finds the command of a line by its times and hash, within the current run. */
class CommandTable extends HashTable {
  /** By command: its first line, and its last line so far. */
  readonly first = new GrowableColumn(Uint32Array);
  readonly last = new GrowableColumn(Uint32Array);
  /** Index of the current run's first command. */
  private firstOfRun = 0;
  private line = 0;

  constructor(private readonly lines: LogLines) {
    super();
  }

  newRun(): void {
    this.firstOfRun = this.first.length;
  }

  /** The command of a line; -1 if the current run does not have it yet. */
  findCommand(line: number): number {
    this.line = line;
    return this.find(this.hashOf(line));
  }

  /** The command of a line; added if the current run does not have it yet. */
  commandOf(line: number): number {
    const known = this.findCommand(line);
    if (known >= 0) return known;
    this.first.push(line);
    this.last.push(line);
    return this.insert(this.hashOf(line));
  }

  private hashOf(line: number): number {
    const { startMs, endMs, hashHigh, hashLow } = this.lines;
    const times = Math.imul(startMs.data[line] ^ Math.imul(endMs.data[line], 0x9e3779b1), 0x85ebca6b);
    const hash = Math.imul(times ^ hashLow.data[line] ^ Math.imul(hashHigh.data[line], 0xc2b2ae35), 0x9e3779b1);
    return hash ^ (hash >>> 15);
  }

  protected isWanted(command: number): boolean {
    const { startMs, endMs, hashHigh, hashLow } = this.lines;
    const [a, b] = [this.first.data[command], this.line];
    return (
      command >= this.firstOfRun &&
      startMs.data[a] === startMs.data[b] &&
      endMs.data[a] === endMs.data[b] &&
      hashLow.data[a] === hashLow.data[b] &&
      hashHigh.data[a] === hashHigh.data[b]
    );
  }
}

/** If end times go back more often than this, the lines are unordered rather than a few short runs. */
const MIN_BACKWARD_ENDS = 4;

/** Counts the lines at the start of the log that ninja has rewritten. `outputs`: one more than the largest output id. */
function countRewrittenLines(lines: LogLines, outputs: number): number {
  const seen = new Uint8Array(outputs);
  const output = lines.output.data;
  let first = 0;
  while (first < lines.count && seen[output[first]] === 0) seen[output[first++]] = 1;
  const commands = new CommandTable(lines);
  let back = 0;
  for (let k = 0; k < first; k++) {
    commands.commandOf(k);
    if (k > 0 && lines.endMs.data[k] < lines.endMs.data[k - 1]) back++;
  }
  return back > MIN_BACKWARD_ENDS && back > commands.first.length / 4 ? first : 0;
}

/** The runs in the order of the file. `outputs`: one more than the largest output id. */
export function splitRuns(lines: LogLines, outputs: number): LoggedRuns {
  const rewritten = countRewrittenLines(lines, outputs);
  const runs: LoggedRun[] = [];
  const commands = new CommandTable(lines);
  const next = new Uint32Array(lines.count);
  /** By output: the latest command that made it, plus one. */
  const made = new Uint32Array(outputs);
  const end = lines.endMs.data;
  for (let k = 0; k < lines.count; k++) {
    const output = lines.output.data[k];
    const from = runs.at(-1)?.from ?? 0;
    const again = made[output] > from && made[output] - 1 !== commands.findCommand(k);
    if (k === 0 || k === rewritten || (k > rewritten && (end[k] < end[k - 1] || again))) {
      commands.newRun();
      runs.push({ isRewritten: k < rewritten, from: commands.first.length, to: commands.first.length });
    }
    const command = commands.commandOf(k);
    made[output] = command + 1;
    if (commands.first.data[command] !== k) next[commands.last.data[command]] = k;
    commands.last.data[command] = k;
    const run = runs.at(-1);
    if (run) run.to = commands.first.length;
  }
  return { runs, first: commands.first.done(), next };
}
