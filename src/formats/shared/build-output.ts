// Gives the steps of a build what their commands wrote, from what ninja printed (`ninja | tee ninja.out`):
//   [3/10] Building CXX object CMakeFiles/app.dir/a.cpp.o     then what the command wrote, up to the next status
//   FAILED: [code=1] CMakeFiles/app.dir/b.cpp.o               then the command, and what it wrote
import { absolutePath, isPathBelow } from '../../base/paths.ts';
import { FormatError } from '../../base/problem.ts';
import { plural } from '../../base/units.ts';
import type { StepWriter } from '../../model/steps/writer.ts';

/** The default of NINJA_STATUS, `[%f/%t] `, and the description or the command. */
const STATUS = /^\[\d{1,9}\/\d{1,9}\] (.*)$/;
/** The code is told by ninja 1.13 and later. */
export const FAILED = /^FAILED: (?:\[code=(-?\d{1,9})\] )?/;
/** ninja's own lines, which end what a command wrote. */
const OWN_LINE = /^ninja(?:\.exe)?: /;
/** Colours, which compilers write if they are told to. */
export const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*[A-Za-z]`, 'g'); // bounded: each run is looked at once
/** Maximum length of what a command wrote; the rest is left out. */
const MAX_TEXT_LENGTH = 1 << 16;

/** The lines that a command wrote. `names`: texts that may be its output. */
interface WrittenText {
  readonly line: number;
  readonly failed: boolean;
  /** The exit code of a failed command; infinity if it is not told. */
  readonly code: number;
  readonly names: readonly string[];
  readonly lines: string[];
}

/** The commands of a log that wrote something. Throws FormatError if no line is a status of ninja. */
export function readBuildOutput(path: string, log: string): WrittenText[] {
  const all: WrittenText[] = [];
  for (const [at, raw] of log.split('\n').entries()) {
    const line = raw.replace(COLOURS, '').replace(/\r$/, '');
    const [, described] = STATUS.exec(line) ?? [];
    const [matched, code] = FAILED.exec(line) ?? [];
    const failed = matched === undefined ? undefined : line.slice(matched.length).trim();
    // The end of a description is the output: `Building C object a.c.o`, `Generating a.h, b.h`.
    const names = described
      ? [...described.matchAll(/(?<![^ ,])[^ ,]/g)].map(({ index }) => described.slice(index))
      : [failed ?? '', ...(failed?.split(' ') ?? [])];
    if (described ?? failed ?? OWN_LINE.test(line))
      all.push({ line: at + 1, failed: failed !== undefined, code: Number(code ?? Number.POSITIVE_INFINITY), names, lines: [] });
    else all.at(-1)?.lines.push(line);
  }
  if (!all.some(({ names: [name] }) => name))
    throw new FormatError({
      path,
      line: 1,
      expected: 'the output of ninja, with lines such as [1/10] Building …',
      found: 'none',
    });
  // The first line below FAILED is the command.
  for (const { failed, lines } of all) if (failed) lines.shift();
  return all.filter(({ failed, lines, names: [name] }) => name && (failed || lines.some((text) => text.trim() !== '')));
}

const messagesOf = (lines: readonly string[]): string => lines.join('\n').trim().slice(0, MAX_TEXT_LENGTH);

/** By output, as recorded, absolute, and below the folder of the command: the last step that made it. */
export function lastStepByOutput(rows: StepWriter): ReadonlyMap<string, number> {
  const byOutput = new Map<string, number>();
  for (let row = 0; row < rows.rows; row++)
    for (const output of rows.outputsOf(row)) {
      const folder = rows.text('directory', row) ?? '';
      const path = absolutePath(folder, output);
      const below = folder !== '' && isPathBelow(folder, path) ? [path.slice(folder.length + 1)] : [];
      for (const name of [output, path, ...below]) byOutput.set(name, row);
    }
  return byOutput;
}

/** Adds a step for a failed command, since logs of ninja have no failures. `by`: the file that says so; it has no times. */
export function addFailedCommand(rows: StepWriter, output: string, code: number, messages: string, by: string): void {
  const track = rows.untitledTrack('failed', 'failed commands of the log');
  const [part, outputs] = [rows.sink.parts.length - 1, [{ path: output, bytes: null }]];
  const caveat = `failed, by ${by}, which has no times`;
  const step = { name: output, track, part, startUs: Number.NaN, durationUs: 0, result: code, outputs, caveat };
  rows.setText('messages', rows.add(step), messages);
}

/** Sets the messages of steps that have none. A failed command without a step becomes one, as logs of ninja have no failures; others are counted. */
export function addBuildOutput(rows: StepWriter, path: string, written: readonly WrittenText[]): void {
  const byOutput = lastStepByOutput(rows);
  // With -v, the status has the command itself.
  const byCommand = new Map(Array.from({ length: rows.rows }, (_, row) => [rows.text('command', row)?.trim(), row]));
  const unknown = written.filter(({ names, lines }) => {
    const row = byCommand.get(names[0].trim()) ?? names.map((name) => byOutput.get(name.trim())).find((one) => one !== undefined);
    if (row !== undefined && rows.text('messages', row) === undefined) rows.setText('messages', row, messagesOf(lines));
    return row === undefined;
  });
  const expected = 'a step for each command that wrote something';
  for (const { failed, code, names, lines } of unknown)
    if (failed) addFailedCommand(rows, names[0], code, messagesOf(lines), 'the log');
  const [other, ...more] = unknown.filter(({ failed }) => !failed);
  if (!other) return;
  const found = `${plural(more.length + 1, 'command')} without one, the first ${other.names[0]}`;
  rows.sink.warn({ path, line: other.line, expected, found });
}
