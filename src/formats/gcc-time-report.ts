// Loads the output of GCC's -ftime-report, also in a build log: user, system and wall time of each phase, by translation unit.
// Rows that begin with "phase" add up to the total. Other rows lie inside them, and rows with a bar overlap other rows.
// The format has no specification (GCC 4.9 to 14). A unit's name comes from the build tool's output before its report.

import { finishColumns } from '../model/column.ts';
import type { Sink } from '../model/sink.ts';
import { StepWriter } from '../model/steps/writer.ts';
import { decodeBytes, Interner } from '../model/strings.ts';
import type { Detection, Loader } from './loader.ts';
import { FileReader, headText, makeLineLoader } from './shared/stream.ts';
import { type CompileSums, SumTable } from './trace-events/compile.ts';
import { compileTotalsOf } from './trace-events/compile-totals.ts';

const HEADING_LINE = /^Time variable\s+usr\s+sys\s+wall/;
/** User, system and wall seconds after the colon, separated by blanks or by a percentage. */
const SECONDS_COLUMNS = /^\s*(\d+\.\d+)(?:\s*\([^)]{1,8}\)\s*|\s+)(\d+\.\d+)(?:\s*\([^)]{1,8}\)\s*|\s+)(\d+\.\d+)/; // bounded: each run is looked at twice
const MAX_NAME_LENGTH = 60;
/** The name of a translation unit in the output of ninja or make, or in a compiler command. */
const UNIT_NAME = /(?:Building \w+ object |\s-c\s+(?:-o\s+\S+\s+)?)(\S+)/; // bounded: each run is looked at once
/** The phases of the front end, before optimization. */
const FRONTEND_PHASES: ReadonlySet<string> = new Set(['phase setup', 'phase parsing', 'phase lang. deferred', 'phase stream in']);

/** The column of garbage-collected memory, after the wall time. */
const MEMORY_COLUMN = /^(?:\s*\([^)]{1,8}\))?\s*(\d+)([kM])?/; // bounded: each run is looked at twice
const BYTES_PER_UNIT: Readonly<Record<string, number>> = { k: 1024, M: 1024 ** 2 };

interface TranslationUnit {
  readonly name: string;
  readonly rows: NonNullable<ReturnType<typeof parseReportRow>>[];
  /** NaN until the TOTAL row was read. */
  totalUs: number;
}

function detect(head: Uint8Array): Detection {
  const lines = headText(head).split('\n');
  return lines.some((line) => HEADING_LINE.test(line)) ? 'yes' : 'no';
}

/** A row of a report: one blank, a name, a colon and times. `us`: its wall time. */
function parseReportRow(text: string) {
  const colon = text.indexOf(':');
  if (text[0] !== ' ' || colon < 0) return undefined;
  const name = text.slice(1, colon).trimEnd();
  const rest = text.slice(colon + 1);
  const seconds = name !== '' && name.length <= MAX_NAME_LENGTH ? SECONDS_COLUMNS.exec(rest) : null;
  if (!seconds) return undefined;
  const [userUs, systemUs, us] = seconds.slice(1).map((s) => Number(s) * 1e6);
  const memory = MEMORY_COLUMN.exec(rest.slice(seconds[0].length, seconds[0].length + MAX_NAME_LENGTH));
  return { name, us, userUs, systemUs, bytes: memory ? Number(memory[1]) * (BYTES_PER_UNIT[memory[2]] ?? 1) : Number.NaN };
}

class TimeReportReader extends FileReader {
  private readonly units: TranslationUnit[] = [];
  /** The name of the next unit; empty if unknown. */
  private name = '';
  private open: TranslationUnit | undefined;

  readLine(bytes: Uint8Array, from: number, to: number): void {
    const { units, open } = this;
    const text = decodeBytes(bytes, from, to);
    this.lineNo++;
    if (HEADING_LINE.test(text)) {
      const name = this.name || `unit ${units.length + 1}`;
      units.push((this.open = { name, rows: [], totalUs: Number.NaN }));
      this.name = '';
      return;
    }
    const row = open ? parseReportRow(text) : undefined;
    if (!open || !row) {
      this.name = UNIT_NAME.exec(text.slice(0, MAX_SEARCHED_LENGTH))?.[1] ?? this.name;
      if (text.trim() !== '') this.open = undefined;
      return;
    }
    if (row.name === 'TOTAL') {
      open.totalUs = row.us;
      this.open = undefined;
    } else open.rows.push(row);
  }

  finish(rest: Uint8Array): void {
    if (rest.length > 0) this.readLine(rest, 0, rest.length);
    const { units, lineNo: line } = this;
    if (units.length === 0) throw this.error({ line }, 'a line "Time variable  usr  sys  wall"', 'the end of the file');
    const whole = units.filter((u) => !Number.isNaN(u.totalUs));
    if (whole.at(-1) !== units.at(-1)) this.markCut({ line }, 'TOTAL', 'the report was cut off: its unit is left out');
    writeUnits(this.sink, this.path, whole);
  }
}

const MAX_SEARCHED_LENGTH = 20_000;

function writeUnits(sink: Sink, path: string, units: readonly TranslationUnit[]): void {
  const rows = sink.writerFor(StepWriter);
  const track = rows.untitledTrack('gcc', 'units');
  const part = sink.parts.length;
  const totals = compileTotalsOf(rows);
  for (const unit of units) {
    const step = rows.add({
      ...{ name: `compile: ${unit.name}`, role: 'compile', track, part, source: unit.name, startUs: Number.NaN },
      ...{ durationUs: unit.totalUs, caveat: 'the report does not say when it ran' },
    });
    totals.add({ name: unit.name, trace: '', step }, compileSumsOf(unit));
  }
  if (totals.count > 0) rows.compiles = totals;
  sink.creator ??= 'gcc -ftime-report';
  sink.addPart({ path, notes: [`${units.length} reports; when each unit was compiled is not recorded`], events: ['time'] });
}

const NO_SUMS = finishColumns(new SumTable());

function compileSumsOf({ rows, totalUs }: TranslationUnit): CompileSums {
  const strings = new Interner();
  const sum = (isOne: (name: string) => boolean) => rows.reduce((all, row) => (isOne(row.name) ? all + row.us : all), 0);
  return {
    ...{ beginningUs: Number.NaN, startUs: 0, totalUs },
    frontendUs: sum((name) => FRONTEND_PHASES.has(name)),
    backendUs: sum((name) => name.startsWith('phase ') && !FRONTEND_PHASES.has(name)),
    includes: { ...NO_SUMS, parent: new Int32Array(0) },
    ...{ templates: NO_SUMS, templateSets: NO_SUMS, optimized: NO_SUMS, generated: NO_SUMS },
    phases: {
      name: Uint32Array.from(rows, (row) => strings.textId(row.name)),
      us: Float64Array.from(rows, (row) => row.us),
      // GCC does not list which rows a row contains, so self time is unknown.
      selfUs: new Float64Array(rows.length).fill(Number.NaN),
      count: new Float64Array(rows.length).fill(1),
      userUs: Float64Array.from(rows, (row) => row.userUs),
      systemUs: Float64Array.from(rows, (row) => row.systemUs),
      bytes: Float64Array.from(rows, (row) => row.bytes),
    },
    strings: strings.finish(),
  };
}

export const gccTimeReport: Loader = {
  name: 'gcc-time-report',
  title: "GCC's -ftime-report, by itself or in the log of a build",
  provides: ['steps', 'compiles'],
  make: 'g++ -ftime-report -c file.cpp 2> report.txt, or the log of a build with it',
  fileNames: /(time-report|^build|^make).*\.(txt|log)(\.gz)?$/, // bounded: a file name
  detect,
  load: makeLineLoader(TimeReportReader, 'a report of GCC'),
};
