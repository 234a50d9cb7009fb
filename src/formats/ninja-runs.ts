// Splits a ninja log into runs. The log does not separate runs; each run appends its commands in the order of their ends.
// A new run begins where an output is made again, or where times fall back to the start and stay there. Single lines out of order, as siso
// and tools that edit logs leave them, begin none. It also begins after build.ninja was made: ninja does so alone, reads it, and sets its clock
// to 0. From version 6 on, the clock time of each command tells runs apart.
// ninja may rewrite the log with the latest line of each output, in any order. All rewritten lines form one run.
import { GrowableColumn, type StringId } from '../model/column.ts';
import { HashTable } from '../model/hash-table.ts';

/** The lines of the log in columns: a log may have a million lines. */
export class LogLines {
  /** The version of the log, which tells how commands are hashed. */
  version = 0;
  readonly startMs = new GrowableColumn(Float64Array);
  readonly endMs = new GrowableColumn(Float64Array);
  /** Name of the output, as a string id of the sink. */
  readonly output = new GrowableColumn(Uint32Array);
  /** Hash of the command line, in two 32-bit halves. */
  readonly hashHigh = new GrowableColumn(Uint32Array);
  readonly hashLow = new GrowableColumn(Uint32Array);

  /** The clock time in the third column, which is that of the start or of an output; 0 if ninja has none. */
  readonly clockMs = new GrowableColumn(Float64Array);
  /** Whether any clock time is finer than a second. */
  hasFineClock = false;
  /** The outputs that are build.ninja. */
  readonly manifests = new Set<StringId>();

  get count(): number {
    return this.startMs.length;
  }

  add(startMs: number, endMs: number, output: StringId, hashHigh: number, hashLow: number, clockMs = 0): void {
    this.startMs.push(startMs);
    this.endMs.push(endMs);
    this.clockMs.push(clockMs);
    this.hasFineClock ||= clockMs % 1000 !== 0;
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

/** Finds the command of a line by its times and hash, within the current run. */
class CommandTable extends HashTable {
  /** By command: its first line, and its last line so far. */
  readonly first = new GrowableColumn(Uint32Array);
  readonly last = new GrowableColumn(Uint32Array);
  /** Index of the current run's first command. */
  firstOfRun = 0;
  private line = 0;

  constructor(private readonly lines: LogLines) {
    super();
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

/** A run's first command starts within this share of the time so far of the run before, and ends this far before it. */
const MAX_START_SHARE = 0.2;
const MAX_END_SHARE = 0.5;
const MIN_FALL_MS = 500;
/** A command starts when another one ends, so that it starts at most this long after the latest end of its run. */
const MAX_IDLE_MS = 1000;
/** Number of lines before and after the start of a run that are compared: single ones may be out of order. */
const LINES_AROUND_START = 8;
/** So many lines are compared to find runs in a log with lines out of order. */
const MAX_COMPARED_LINES = 5_000_000;

/** Whether a run begins at the line, by its times and those around it. `from`: the first line of the run before. */
function beginsAgain({ startMs, endMs, count }: LogLines, line: number, from: number): boolean {
  const [start, end] = [startMs.data, endMs.data];
  // The run before has begun at its start, too.
  if (start.slice(from, Math.min(line, from + LINES_AROUND_START)).every((ms) => ms > MAX_IDLE_MS)) return false;
  const before = end.slice(Math.max(from, line - LINES_AROUND_START), line).sort();
  const latestMs = before[before.length >> 1];
  if (start[line] > latestMs * MAX_START_SHARE) return false;
  if (end[line] > latestMs * MAX_END_SHARE || latestMs - end[line] < MIN_FALL_MS) return false;
  let latest = end[line];
  for (let k = line + 1; k < Math.min(count, line + LINES_AROUND_START); k++) {
    if (start[k] > latest + MAX_IDLE_MS) return false;
    latest = Math.max(latest, end[k]);
  }
  return true;
}

/** Whether the lines before `line` and those from it on are of different runs: at the same time, they would need more jobs than each. */
function areTwoRuns(lines: LogLines, from: number, line: number): boolean {
  if (lines.startMs.data[line] > MAX_IDLE_MS) return false;
  const jobs = (a: number, b: number) => mostAtOnce(lines.startMs.data.slice(a, b), lines.endMs.data.slice(a, b));
  return jobs(from, lines.count) > Math.max(jobs(from, line), jobs(line, lines.count));
}

function mostAtOnce(start: Float64Array, end: Float64Array): number {
  start.sort();
  end.sort();
  let [ended, most] = [0, 0];
  for (let k = 0; k < start.length; k++) {
    while (end[ended] <= start[k]) ended++;
    most = Math.max(most, k + 1 - ended);
  }
  return most;
}

/** The first version whose clock times are never older than the start of the command. */
const FIRST_CLOCKED_VERSION = 6;
/** Clock times are as coarse as those of files. */
const [FINE_CLOCK_MS, COARSE_CLOCK_MS] = [100, 2000];

/** Finds where the times of a log say that a run begins. */
class RunStarts {
  private firstLine = 0;
  private latestMs = 0;
  /** Whether the lines of this run are in the order of their ends, without a gap, as ninja writes them. */
  private isOrdered = true;
  private compared = 0;
  /** The latest clock time at which this run can have begun. */
  private latestOriginMs = Number.POSITIVE_INFINITY;

  constructor(private readonly lines: LogLines) {}

  isStart(line: number): boolean {
    const { startMs, endMs, clockMs, count } = this.lines;
    const coarsenessMs = this.lines.hasFineClock ? FINE_CLOCK_MS : COARSE_CLOCK_MS;
    if (clockMs.data[line] - endMs.data[line] > this.latestOriginMs + coarsenessMs) return true;
    const [start, before] = [startMs.data[line], startMs.data[line - 1]];
    if (endMs.data[line] >= endMs.data[line - 1] || start > before) return false;
    // Commands that start together may be in any order.
    if (this.isOrdered && start < before && beginsAgain(this.lines, line, this.firstLine)) return true;
    this.compared += count - this.firstLine;
    return this.compared < MAX_COMPARED_LINES && areTwoRuns(this.lines, this.firstLine, line);
  }

  addLine(line: number, isFirst: boolean): void {
    const [start, end] = [this.lines.startMs.data, this.lines.endMs.data];
    if (isFirst) [this.firstLine, this.isOrdered, this.latestMs, this.latestOriginMs] = [line, true, 0, Number.POSITIVE_INFINITY];
    else if (end[line] < end[line - 1] || start[line] > this.latestMs + MAX_IDLE_MS) this.isOrdered = false;
    this.latestMs = Math.max(this.latestMs, end[line]);
    const clock = this.lines.version < FIRST_CLOCKED_VERSION ? 0 : this.lines.clockMs.data[line];
    if (clock > 0) this.latestOriginMs = Math.min(this.latestOriginMs, clock - start[line]);
  }
}

/**
 * The runs in the order of the file. `first`: by command, its first line. Lines of a run with equal times and hash belong to one command with
 * several outputs. `next`: by line, the next line of the same command; 0 for its last line. `outputs`: one more than the largest output id.
 */
export function splitRuns(lines: LogLines, outputs: number) {
  const rewritten = countRewrittenLines(lines, outputs);
  const runs: LoggedRun[] = [];
  const commands = new CommandTable(lines);
  const starts = new RunStarts(lines);
  const next = new Uint32Array(lines.count);
  /** By output: the latest command that made it, plus one. */
  const made = new Uint32Array(outputs);
  /** The command of this run that made build.ninja. */
  let maker = -1;
  for (let k = 0; k < lines.count; k++) {
    const output = lines.output.data[k];
    const from = runs.at(-1)?.from ?? 0;
    const known = commands.findCommand(k);
    const again = made[output] > from && made[output] - 1 !== known;
    const isFirst =
      k === 0 || k === rewritten || (k > rewritten && (again || (maker >= 0 && known !== maker) || starts.isStart(k)));
    starts.addLine(k, isFirst);
    if (isFirst) {
      commands.firstOfRun = commands.first.length;
      maker = -1;
      runs.push({ isRewritten: k < rewritten, from: commands.first.length, to: commands.first.length });
    }
    const command = commands.commandOf(k);
    made[output] = command + 1;
    if (k >= rewritten && lines.manifests.has(output)) maker = command;
    if (commands.first.data[command] !== k) next[commands.last.data[command]] = k;
    commands.last.data[command] = k;
    const run = runs.at(-1);
    if (run) run.to = commands.first.length;
  }
  return { runs, first: commands.first.done(), next };
}
