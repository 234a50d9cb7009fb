// Writes Callgrind's format, for KCachegrind and callgrind_annotate: self costs by line and address, calls, jumps.
// A call graph is written as recorded. For stacks, the lines of the innermost frames have the self costs.
// Uncounted calls are written as one call: callgrind_annotate and pprof read the cost of `calls=0` as self cost.
// Format: https://valgrind.org/docs/manual/cl-format.html
import { analyse } from '../analysis/answers/analyse.ts';
import type { Analysis } from '../analysis/answers/analysis.ts';
import type { CallSites } from '../analysis/answers/costing.ts';
import { exportedName, fileName, objectName } from '../analysis/names/names.ts';
import { ChoiceError } from '../base/errors.ts';
import { type SafeText, safeLines, visible } from '../base/safe-text.ts';
import { type Exact, formatAddress } from '../base/units.ts';
import type { Jumps, LineTables } from '../model/callgraph/tables.ts';
import { type Index, indexBy, Numbering, rowsOfKey } from '../model/column.ts';
import { type CostTable, type Event, exactValue } from '../model/head.ts';
import type { Profile } from '../model/profile.ts';
import type { ReportContext } from '../reports/report.ts';
import { CostRounding, type ExportedRun, exportedEvents, exportedRuns, stackRefusal } from './as-stacks.ts';
import { type Exporter, writerOf } from './exporter.ts';

/** Unsigned 64-bit integers are less than this. */
const MAX_UNSIGNED_64 = 2 ** 64;

/** The address in a row; 0 if addresses are unknown. `low`: the lower halves. */
const addressAt = (high: number, low: ArrayLike<number> | undefined, row: number): string =>
  low ? formatAddress(high, low[row]) : '0x0';

/** A call: the file, line and address of the call site, the callee and the costs. */
interface CallRow extends Readonly<Record<'file' | 'line' | 'callee' | 'count' | 'row', number>> {
  readonly address: string;
  readonly costs: CostTable;
}

type ProfileWithLines = Profile & LineTables;

class CallgrindWriter {
  private readonly jumps: Jumps | undefined;
  private readonly numbering = new Numbering<string>();
  readonly hasAddresses: boolean;
  /** Rounds fractional costs, which come from estimates. */
  private readonly rounding: CostRounding;
  private object = '';
  private file = '';

  constructor(
    private readonly profile: ProfileWithLines,
    private readonly events: readonly Event[],
    private readonly partsOff: ReadonlySet<number>,
  ) {
    this.jumps = profile.kind === 'callgraph' ? profile.jumps : undefined;
    this.hasAddresses = profile.lines.address !== undefined;
    this.rounding = new CostRounding(events);
  }

  /** `(7) name` at the first use of a file or object name, `(7)` afterwards. Files, objects and routines use separate keys. */
  private numberedName(kind: 'file' | 'object', text: string | null): string {
    return this.numberedText(`${kind} ${text || '???'}`, visible(text ?? ''));
  }

  /** Routines with equal names in different files or objects get different numbers, as readers expect. */
  private numberedRoutine(routine: number): string {
    return this.numberedText(`fn ${routine}`, visible(exportedName(this.profile, routine)));
  }

  private numberedText(key: string, text: string): string {
    const { size } = this.numbering;
    const number = this.numbering.numberOf(key);
    // Blank names become `???`: a number without a name would refer to an undefined name.
    return number < size ? `(${number + 1})` : `(${number + 1}) ${text.trim() === '' ? '???' : text}`;
  }

  /** The lines that name the routine whose costs follow; with prefix `c`, the callee of a call. */
  private headingLines(prefix: '' | 'c', routine: number): string[] {
    const { profile } = this;
    const { file, object } = profile.routines;
    const filePath = fileName(profile, file[routine]);
    const objectPath = objectName(profile, object[routine]);
    const isInObject = (objectPath ?? '???') === this.object && this.numbering.size > 0;
    if (prefix === '') [this.object, this.file] = [objectPath ?? '???', filePath ?? '???'];
    return [
      ...(isInObject ? [] : [`${prefix}ob=${this.numberedName('object', objectPath)}`]),
      `${prefix === 'c' ? 'cfi' : 'fl'}=${this.numberedName('file', filePath)}`,
      `${prefix}fn=${this.numberedRoutine(routine)}`,
    ];
  }

  /** The `fi=` line before costs in another file (inlined code); none if the file does not change. */
  private fileChangeLines(file: number, ownFile: number): string[] {
    // Code without a recorded file belongs to the file of its routine.
    const name = fileName(this.profile, file < 0 ? ownFile : file) ?? '???';
    if (name === this.file) return [];
    this.file = name;
    return [`fi=${this.numberedName('file', name)}`];
  }

  costsText(costs: CostTable, row: number, add: boolean): string {
    return this.events
      .map((event, e): Exact => {
        const exact = exactValue(event, costs, row);
        if (typeof exact === 'bigint') return exact;
        if (!add) return Math.round(exact);
        return Number.isInteger(exact) ? exact : this.rounding.roundNext(e, exact);
      })
      .join(' ');
  }

  private positionText(address: string, line: number): string {
    return this.hasAddresses ? `${address} ${line}` : `${line}`;
  }

  /** All lines of a routine: self costs of its spans, calls, and jumps. */
  routineLines(routine: number, spans: Uint32Array, calls: readonly CallRow[]): string[] {
    const { profile } = this;
    const ownFile = profile.routines.file[routine];
    const { file, start, high, part } = profile.spans;
    const active = spans.filter((s) => !this.partsOff.has(part[s]));
    const out = this.headingLines('', routine);
    for (const s of active) {
      out.push(...this.fileChangeLines(file[s], ownFile));
      const { line, address, costs } = profile.lines;
      for (let row = start[s]; row < start[s + 1]; row++)
        out.push(`${this.positionText(addressAt(high[s], address, row), line[row])} ${this.costsText(costs, row, true)}`);
    }
    for (const call of calls) {
      out.push(...this.fileChangeLines(call.file, ownFile), ...this.headingLines('c', call.callee));
      out.push(`calls=${call.count} ${this.positionText('0x0', 0)}`);
      out.push(`${this.positionText(call.address, call.line)} ${this.costsText(call.costs, call.row, false)}`);
    }
    if (this.jumps) out.push(...this.jumpLines(this.jumps, active, ownFile));
    return out;
  }

  private jumpLines(jumps: Jumps, spans: Uint32Array, ownFile: number): string[] {
    const { file, high, routine } = this.profile.spans;
    const out: string[] = [];
    this.jumpsOf ??= indexBy(jumps.span, routine.length);
    for (const s of spans)
      for (const j of rowsOfKey(this.jumpsOf, s)) {
        const { targetFile, targetRoutine, targetLine, targetHigh, targetAddress, conditional, taken, executed } = jumps;
        out.push(...this.fileChangeLines(file[s], ownFile));
        const elsewhere = targetRoutine?.[j] ?? -1;
        if (targetFile[j] >= 0 && targetFile[j] !== file[s])
          out.push(`jfi=${this.numberedName('file', fileName(this.profile, targetFile[j]))}`);
        if (elsewhere >= 0) out.push(`jfn=${this.numberedRoutine(elsewhere)}`);
        const target = this.positionText(addressAt(targetHigh?.[j] ?? high[s], targetAddress, j), targetLine[j]);
        out.push(conditional[j] ? `jcnd=${taken[j]}/${executed[j]} ${target}` : `jump=${taken[j]} ${target}`);
        out.push(this.positionText(addressAt(high[s], jumps.address, j), jumps.line[j]));
      }
    return out;
  }
  private jumpsOf: Index | undefined;
}

/** Call sites of stacks. With recursion, one sample may contain several sites of an edge; only one of them gets the cost. */
function sitesOncePerSample({ costing, edges }: Analysis): CallSites | undefined {
  const sites = costing.callSites('all');
  if (!sites) return undefined;
  const remainingCosts = mapEdges(edges, (e) => edges.costs.map((column) => column[e]));
  const costs = sites.costs.map((column) => column.slice());
  const size = (site: number) => Math.abs(sites.costs[0][site]);
  const order = Array.from(sites.caller.keys()).sort((a, b) => size(b) - size(a));
  for (const site of order) {
    const of = remainingCosts.get(`${sites.caller[site]} ${sites.callee[site]}`);
    costs.forEach((column, c) => {
      const remaining = of?.[c] ?? 0;
      if (remaining >= 0) column[site] = Math.min(column[site], remaining);
      if (of) of[c] -= column[site];
    });
  }
  return { ...sites, costs };
}

/** A value of each edge, by the numbers of its caller and callee. */
const mapEdges = <V>({ caller, callee }: Analysis['edges'], value: (edge: number) => V): Map<string, V> =>
  new Map(Array.from(caller, (from, e) => [`${from} ${callee[e]}`, value(e)]));

/** A function that returns the calls of a routine. `counts`: recorded call counts, for profiles that are written as stacks. */
function makeCallReader(
  profile: ProfileWithLines,
  off: ReadonlySet<number>,
  spansOf: Index,
  counts: ReadonlyMap<string, number>,
): (routine: number) => readonly CallRow[] {
  if (profile.kind === 'callgraph') {
    const { calls, spans } = profile;
    if (!calls) return () => [];
    const bySpan = indexBy(calls.span, spans.routine.length);
    const callsOfSpan = (s: number) =>
      Array.from(rowsOfKey(bySpan, s), (row): CallRow => {
        const address = addressAt(spans.high[s], calls.address, row);
        const [line, callee, count] = [calls.line[row], calls.callee[row], calls.count[row]];
        return { file: spans.file[s], line, address, callee, count, costs: calls.costs, row };
      });
    return (r) => Array.from(rowsOfKey(spansOf, r)).flatMap((s) => (off.has(spans.part[s]) ? [] : callsOfSpan(s)));
  }
  const sites = sitesOncePerSample(analyse(profile, profile.events, off));
  if (!sites) return () => [];
  const { file, line, callee, costs, high, low } = sites;
  const byCaller = indexBy(sites.caller, profile.routines.name.length);
  return (r) =>
    Array.from(rowsOfKey(byCaller, r), (row): CallRow => {
      const address = high && low ? formatAddress(high[row], low[row]) : '0x0';
      const count = counts.get(`${r} ${callee[row]}`) ?? 1;
      return { file: file[row], line: line[row], address, callee: callee[row], count, costs, row };
    });
}

/** A call graph unchanged, any other profile as stacks. `events`: the shown and recorded ones; readers compute derived ones. */
function profileToWrite(context: ReportContext) {
  const recordedEvents = ([shown, ...others]: ExportedRun['events']) => [shown, ...others.filter((e) => e.formula === undefined)];
  const { profile, partsOff, totals } = context.analysis;
  const doubt = profile.kind === 'callgraph' && profile.estimated ? '≈ some costs are shares of others' : undefined;
  if (profile.kind === 'callgraph') {
    const events = recordedEvents(exportedEvents(profile.events, context.event));
    return { profile, events, total: totals.total, off: partsOff, doubt };
  }
  const [run] = exportedRuns(context);
  const { total } = analyse(run.profile, run.events, run.partsOff).totals;
  return { profile: run.profile, events: recordedEvents(run.events), total, off: run.partsOff, doubt: run.estimated };
}

function* callgrindLines(context: ReportContext, version: string): Generator<SafeText> {
  const { profile, events, total, off, doubt } = profileToWrite(context);
  const tooLarge = events.find((e) => Math.abs(Number(exactValue(e, total, 0))) >= MAX_UNSIGNED_64);
  if (tooLarge) throw new ChoiceError(`${tooLarge.name}: its total is beyond the 64 bits that Callgrind's format has for it`);
  const line = (text: string): SafeText => safeLines(`${text}\n`);
  const writer = new CallgrindWriter(profile, events, off);
  yield line('# callgrind format');
  yield line(`version: 1\ncreator: proftui ${version}`);
  if (profile.command !== null) yield line(`cmd: ${visible(profile.command)}`);
  if (doubt) yield line(`desc: Note: ${doubt}`);
  yield line(writer.hasAddresses ? 'positions: instr line' : 'positions: line');
  const names = makeDistinct(events.map((e) => e.name.replace(/[^\w-]/g, '_')));
  for (const [e, { longName }] of events.entries()) if (longName) yield line(`event: ${names[e]} : ${visible(longName)}`);
  yield line(`events: ${names.join(' ')}`);
  yield line(`summary: ${writer.costsText(total, 0, false)}\n`);
  const spansOf = indexBy(profile.spans.routine, profile.routines.name.length);
  // Routine numbers are valid only if the stacks share the routines of the profile; slices get new routines.
  const { profile: shown, costing, edges } = context.analysis;
  const hasCounts = profile.routines === shown.routines && costing.can.has('counts');
  const counts = hasCounts ? mapEdges(edges, (e) => edges.count[e]) : new Map<string, number>();
  const callsOf = makeCallReader(profile, off, spansOf, counts);
  for (const r of profile.routines.name.keys()) {
    const [spans, calls] = [rowsOfKey(spansOf, r), callsOf(r)];
    if (spans.length > 0 || calls.length > 0) yield line(`${writer.routineLines(r, spans, calls).join('\n')}\n`);
  }
}

/** Adds numbers to repeated names. Names may become equal when special characters are replaced. */
function makeDistinct(names: readonly string[]): string[] {
  const taken = new Set(names);
  return names.map((name, k) => {
    if (names.indexOf(name) === k) return name;
    let number = 2;
    while (taken.has(`${name}_${number}`)) number++;
    taken.add(`${name}_${number}`);
    return `${name}_${number}`;
  });
}

export const callgrind: Exporter = {
  name: 'callgrind',
  title: "Callgrind's format, for KCachegrind and callgrind_annotate: lines, calls, jumps",
  endings: ['.callgrind', '.callgrind.out'],
  whole: true,
  refusal(context) {
    // Negative costs are allowed: cg_diff writes them, and callgrind_annotate reads them.
    const why = stackRefusal(context, true);
    if (why !== undefined || !context.analysis.profile.compared) return why;
    return 'KCachegrind knows no negative costs: pprof and folded take differences';
  },
  write: writerOf(callgrindLines),
};
