// The runs in a log of ninja. Nothing separates them; each appends its commands as they end. A new one began where the end times go
// back, or where an output is made again. When ninja rewrites (recompacts) the log, it keeps the latest line of each output, in no
// order: such older lines are one part, and end where the first output comes back.
import { GrowableColumn, type StringId } from '../model/column.ts';
import { HashTable } from '../model/hash-table.ts';

/** The lines of the log in columns: a log may have a million lines. */
export class LogLines {
  readonly startMs = new GrowableColumn(Float64Array);
  readonly endMs = new GrowableColumn(Float64Array);
  /** The output's name, as a number of the sink's strings. */
  readonly output = new GrowableColumn(Uint32Array);
  /** The hash of the command line, in two halves. */
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
  /** True for lines without order, from any number of runs. */
  readonly isRewritten: boolean;
  /** Its commands are [from, to) of all commands. */
  readonly from: number;
  to: number;
}

export interface LoggedRuns {
  readonly runs: readonly LoggedRun[];
  /** The first line of each command. Lines of one run with the same times and hash are one command; each is an output of it. */
  readonly first: Uint32Array;
  /** By line: the next line of its command; 0 for the last one. */
  readonly next: Uint32Array;
}

/** Tells the commands of a run apart. */
class CommandTable extends HashTable {
  /** By command: its first line, and the last one so far. */
  readonly first = new GrowableColumn(Uint32Array);
  readonly last = new GrowableColumn(Uint32Array);
  /** First command of the current run. */
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

/** End times that go back more often than this indicate lines without order, rather than a few short runs. */
const FEWEST = 4;

/** The number of lines at the start of the log that ninja has rewritten. `outputs`: one more than the largest output id. */
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
  return back > FEWEST && back > commands.first.length / 4 ? first : 0;
}

/** The runs in the order of the file. `outputs`: one more than the largest output id. */
export function splitRuns(lines: LogLines, outputs: number): LoggedRuns {
  const rewritten = countRewrittenLines(lines, outputs);
  const runs: LoggedRun[] = [];
  const commands = new CommandTable(lines);
  const next = new Uint32Array(lines.count);
  /** By output: the command that made it last, plus one. */
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
