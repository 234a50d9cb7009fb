// The runs in a log of ninja. Nothing separates them; each appends its commands as they end. A new one began where the end times go
// back, or where an output is made again. When ninja rewrites (recompacts) the log, it keeps the latest line of each output, in no
// order: such older lines are one part, and end where the first output comes back.

export interface LogLine {
  readonly startMs: number;
  readonly endMs: number;
  readonly output: string;
  readonly hash: string;
}

/** A command: lines of one run with the same times and hash are its outputs. */
export interface LoggedCommand {
  readonly startMs: number;
  readonly endMs: number;
  readonly outputs: string[];
}

export interface LoggedRun {
  /** Lines in no order, of any number of runs. */
  readonly rewritten: boolean;
  readonly commands: readonly LoggedCommand[];
}

const commandKey = (l: LogLine): string => `${l.startMs}\t${l.endMs}\t${l.hash}`;

/** By how many times the end goes back, lines of a few short runs can be told from lines in no order. */
const FEWEST = 4;

/** The number of lines at the start of the log that ninja has rewritten. */
function rewrittenLines(lines: readonly LogLine[]): number {
  const seen = new Set<string>();
  let first = 0;
  while (first < lines.length && !seen.has(lines[first].output)) seen.add(lines[first++].output);
  const commands = new Set<string>();
  let back = 0;
  for (let k = 0; k < first; k++) {
    commands.add(commandKey(lines[k]));
    if (k > 0 && lines[k].endMs < lines[k - 1].endMs) back++;
  }
  return back > FEWEST && back > commands.size / 4 ? first : 0;
}

/** The runs in the order of the file. */
export function runsOf(lines: readonly LogLine[]): LoggedRun[] {
  const rewritten = rewrittenLines(lines);
  const runs: { rewritten: boolean; commands: LoggedCommand[] }[] = [];
  let known = new Map<string, LoggedCommand>();
  /** The command of each output of the run. */
  let made = new Map<string, string>();
  let lastEnd = 0;
  lines.forEach((line, k) => {
    const key = commandKey(line);
    const again = made.has(line.output) && made.get(line.output) !== key;
    if (k === 0 || k === rewritten || (k > rewritten && (line.endMs < lastEnd || again))) {
      runs.push({ rewritten: k < rewritten, commands: [] });
      known = new Map();
      made = new Map();
    }
    lastEnd = line.endMs;
    made.set(line.output, key);
    const command = known.get(key);
    if (command) {
      command.outputs.push(line.output);
      return;
    }
    const first = { startMs: line.startMs, endMs: line.endMs, outputs: [line.output] };
    known.set(key, first);
    runs.at(-1)?.commands.push(first);
  });
  return runs;
}
