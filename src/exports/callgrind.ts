// Callgrind's format, for KCachegrind and callgrind_annotate: self costs by line and address, calls with their inclusive cost, jumps. Rows
// of a call graph are written as they were recorded; those of stacks are the lines of the innermost frames, and their calls are counted as one
// where the profile does not count them: callgrind_annotate and pprof take the cost of `calls=0` for self cost.
// https://valgrind.org/docs/manual/cl-format.html. Names are written once, with a number.
import { analyse } from '../analysis/answers/analyse.ts';
import type { Analysis } from '../analysis/answers/analysis.ts';
import type { CallSites } from '../analysis/answers/costing.ts';
import { fileName, objectName, routineName } from '../analysis/names/names.ts';
import { ChoiceError } from '../base/errors.ts';
import { type SafeText, safeLines, visible } from '../base/safe-text.ts';
import { type Exact, formatAddress } from '../base/units.ts';
import type { CallGraph, LineTables } from '../model/callgraph/tables.ts';
import { indexBy } from '../model/column.ts';
import { type CostTable, exactValue } from '../model/event-value.ts';
import { Numbering } from '../model/groups.ts';
import type { Event } from '../model/head.ts';
import type { Profile } from '../model/profile.ts';
import { Pieces } from '../reports/pieces.ts';
import type { ReportContext } from '../reports/report.ts';
import { exportedEvents, Rounding, type Run, runsOf, stacksRefused } from './as-stacks.ts';
import type { Exporter, Put } from './exporter.ts';

/** A number of 64 bits without a sign holds less than this. */
const MOST = 2 ** 64;

/** Rows of calls of a routine: in which file they are, of what address and line. */
interface CallRow {
  readonly file: number;
  readonly line: number;
  readonly address: string;
  readonly callee: number;
  readonly count: number;
  readonly costs: CostTable;
  readonly row: number;
}

type Lined = Profile & LineTables;

class Writer {
  private readonly graph: (Profile & CallGraph) | undefined;
  private readonly known = new Numbering<string>();
  private readonly addressed: boolean;
  /** Rounds costs that are shares. */
  private readonly rounding: Rounding;
  private object = '';
  private file = '';

  constructor(
    private readonly profile: Lined,
    private readonly events: readonly Event[],
    private readonly off: ReadonlySet<number>,
  ) {
    this.graph = profile.kind === 'callgraph' ? profile : undefined;
    this.addressed = profile.lines.address !== undefined;
    this.rounding = new Rounding(events);
  }

  get positions(): string {
    return this.addressed ? 'instr line' : 'line';
  }

  /** `(7) name`, or `(7)` where it stands already. Files, objects and routines are numbered by themselves. */
  private name(kind: 'file' | 'object', text: string | null): string {
    return this.numbered(`${kind} ${text || '???'}`, visible(text ?? ''));
  }

  /** A number means a routine of a file and an object, not just its name: readers keep them so. */
  private fn(routine: number): string {
    return this.numbered(`fn ${routine}`, visible(routineName(this.profile, routine)));
  }

  private numbered(key: string, said: string): string {
    const { size } = this.known;
    const number = this.known.of(key);
    // Without a name, it would be a reference to one that is not there.
    return number < size ? `(${number + 1})` : `(${number + 1}) ${said.trim() === '' ? '???' : said}`;
  }

  /** The lines that say whose costs follow. */
  private heading(prefix: '' | 'c', routine: number): string[] {
    const { profile } = this;
    const { file, object } = profile.routines;
    const at = fileName(profile, file[routine]);
    const of = objectName(profile, object[routine]);
    const out: string[] = [];
    if (prefix === '') {
      if (this.object !== (this.object = of ?? '???') || this.known.size === 0) out.push(`ob=${this.name('object', of)}`);
      this.file = at ?? '???';
      out.push(`fl=${this.name('file', at)}`, `fn=${this.fn(routine)}`);
      return out;
    }
    if ((of ?? '???') !== this.object) out.push(`cob=${this.name('object', of)}`);
    out.push(`cfi=${this.name('file', at)}`, `cfn=${this.fn(routine)}`);
    return out;
  }

  /** Rows of another file: inlined code. */
  private inFile(file: number, own: number): string[] {
    // Code without a file of its own is where its routine is.
    const name = fileName(this.profile, file < 0 ? own : file) ?? '???';
    if (name === this.file) return [];
    this.file = name;
    return [`fi=${this.name('file', name)}`];
  }

  private costs(costs: CostTable, row: number, add: boolean): string {
    return this.events
      .map((event, e): Exact => {
        const exact = exactValue(event, costs, row);
        if (typeof exact === 'bigint') return exact;
        if (!add) return Math.round(exact);
        return Number.isInteger(exact) ? exact : this.rounding.next(e, exact);
      })
      .join(' ');
  }

  private at(address: string, line: number): string {
    return this.addressed ? `${address} ${line}` : `${line}`;
  }

  /** Everything of a routine. `spans`: its spans; `calls`: its calls. */
  routine(routine: number, spans: Uint32Array, calls: readonly CallRow[]): string[] {
    const { profile } = this;
    const own = profile.routines.file[routine];
    const out = this.heading('', routine);
    for (const s of spans) {
      const { file, start, high, part } = profile.spans;
      if (this.off.has(part[s])) continue;
      out.push(...this.inFile(file[s], own));
      const { line, address, costs } = profile.lines;
      for (let row = start[s]; row < start[s + 1]; row++)
        out.push(`${this.at(address ? formatAddress(high[s], address[row]) : '0x0', line[row])} ${this.costs(costs, row, true)}`);
    }
    for (const call of calls) {
      out.push(...this.inFile(call.file, own), ...this.heading('c', call.callee));
      out.push(`calls=${call.count} ${this.at('0x0', 0)}`);
      out.push(`${this.at(call.address, call.line)} ${this.costs(call.costs, call.row, false)}`);
    }
    if (this.graph?.jumps) out.push(...this.jumps(this.graph, spans, own));
    return out;
  }

  private jumps({ spans: { file, high, part }, jumps }: Profile & CallGraph, spans: Uint32Array, own: number): string[] {
    const out: string[] = [];
    if (!jumps) return out;
    this.jumpsOf ??= indexBy(jumps.span, this.profile.spans.routine.length);
    const { from, order } = this.jumpsOf;
    for (const s of spans) {
      if (this.off.has(part[s])) continue;
      for (let k = from[s]; k < from[s + 1]; k++) {
        const j = order[k];
        const { targetFile, targetRoutine, targetLine, targetHigh, targetAddress, conditional, taken, executed } = jumps;
        out.push(...this.inFile(file[s], own));
        const elsewhere = targetRoutine?.[j] ?? -1;
        if (targetFile[j] >= 0 && targetFile[j] !== file[s])
          out.push(`jfi=${this.name('file', fileName(this.profile, targetFile[j]))}`);
        if (elsewhere >= 0) out.push(`jfn=${this.fn(elsewhere)}`);
        const target = this.at(
          targetAddress ? formatAddress(targetHigh?.[j] ?? high[s], targetAddress[j]) : '0x0',
          targetLine[j],
        );
        out.push(conditional[j] ? `jcnd=${taken[j]}/${executed[j]} ${target}` : `jump=${taken[j]} ${target}`);
        out.push(this.at(jumps.address ? formatAddress(high[s], jumps.address[j]) : '0x0', jumps.line[j]));
      }
    }
    return out;
  }
  private jumpsOf: ReturnType<typeof indexBy> | undefined;
}

/** Call sites of stacks, each sample at one of them: with recursion, it may lie at several of one caller and callee. */
function sitesOnce({ costing, edges }: Analysis): CallSites | undefined {
  const sites = costing.callSites('all');
  if (!sites) return undefined;
  const left = new Map<string, number[]>();
  for (let e = 0; e < edges.caller.length; e++)
    left.set(
      `${edges.caller[e]} ${edges.callee[e]}`,
      edges.costs.map((column) => column[e]),
    );
  const costs = sites.costs.map((column) => column.slice());
  const size = (site: number) => Math.abs(sites.costs[0][site]);
  const order = Array.from(sites.caller.keys()).sort((a, b) => size(b) - size(a));
  for (const site of order) {
    const of = left.get(`${sites.caller[site]} ${sites.callee[site]}`);
    costs.forEach((column, c) => {
      const room = of?.[c] ?? 0;
      if (room >= 0) column[site] = Math.min(column[site], room);
      if (of) of[c] -= column[site];
    });
  }
  return { ...sites, costs };
}

/** Counts of calls by caller and callee, of a profile that has them and is written as stacks. */
function countsOf({ costing, edges }: Analysis): ReadonlyMap<string, number> {
  if (!costing.can.has('counts')) return new Map();
  return new Map(Array.from(edges.caller, (caller, e) => [`${caller} ${edges.callee[e]}`, edges.count[e]]));
}

/** Calls by caller. `counts`: those of stacks. */
function* callsOf(
  profile: Lined,
  off: ReadonlySet<number>,
  spansOf: ReturnType<typeof indexBy>,
  counts: ReadonlyMap<string, number>,
): Generator<readonly CallRow[]> {
  const routines = profile.routines.name.length;
  if (profile.kind === 'callgraph') {
    const { calls, spans } = profile;
    const bySpan = calls && indexBy(calls.span, spans.routine.length);
    for (let r = 0; r < routines; r++) {
      const out: CallRow[] = [];
      for (let k = spansOf.from[r]; k < spansOf.from[r + 1]; k++) {
        const s = spansOf.order[k];
        if (!calls || !bySpan || off.has(spans.part[s])) continue;
        for (let c = bySpan.from[s]; c < bySpan.from[s + 1]; c++) {
          const row = bySpan.order[c];
          const address = calls.address ? formatAddress(spans.high[s], calls.address[row]) : '0x0';
          const [line, callee, count] = [calls.line[row], calls.callee[row], calls.count[row]];
          out.push({ file: spans.file[s], line, address, callee, count, costs: calls.costs, row });
        }
      }
      yield out;
    }
    return;
  }
  const sites = sitesOnce(analyse(profile, profile.events, off));
  const byCaller = sites && indexBy(sites.caller, routines);
  for (let r = 0; r < routines; r++) {
    const out: CallRow[] = [];
    for (let k = byCaller?.from[r] ?? 0; sites && byCaller && k < byCaller.from[r + 1]; k++) {
      const row = byCaller.order[k];
      const { file, line, callee, costs, high, low } = sites;
      const address = high && low ? formatAddress(high[row], low[row]) : '0x0';
      const count = counts.get(`${r} ${callee[row]}`) ?? 1;
      out.push({ file: file[row], line: line[row], address, callee: callee[row], count, costs, row });
    }
    yield out;
  }
}

/** The profile as lines and calls: a call graph as it is, what has stacks as these. */
function linedOf(context: ReportContext): {
  readonly profile: Lined;
  /** The one that is shown, then what was recorded: readers derive the others themselves. */
  readonly events: readonly Event[];
  readonly total: CostTable;
  readonly off: ReadonlySet<number>;
  readonly doubt: string | undefined;
} {
  const recorded = ([shown, ...others]: Run['events']) => [shown, ...others.filter((e) => e.formula === undefined)];
  const { profile, partsOff, totals } = context.analysis;
  const doubt = profile.transformed && profile.kind === 'callgraph' ? '≈ some costs are shares of others' : undefined;
  if (profile.kind === 'callgraph')
    return {
      profile,
      events: recorded(exportedEvents(profile.events, context.event)),
      total: totals.total,
      off: partsOff,
      doubt,
    };
  const [run] = runsOf(context);
  const off = new Set([...partsOff].filter((part) => !run.active(part)));
  const { total } = analyse(run.profile, run.events, off).totals;
  return { profile: run.profile, events: recorded(run.events), total, off, doubt: run.estimated };
}

async function write(context: ReportContext, version: string, put: Put): Promise<void> {
  const pieces = new Pieces(put);
  const { profile, events, total, off, doubt } = linedOf(context);
  const beyond = events.find((e) => Math.abs(Number(exactValue(e, total, 0))) >= MOST);
  if (beyond) throw new ChoiceError(`${beyond.name}: its total is beyond the 64 bits that Callgrind's format has for it`);
  const line = (text: string): SafeText => safeLines(`${text}\n`);
  const writer = new Writer(profile, events, off);
  await pieces.add(line('# callgrind format'));
  await pieces.add(line(`version: 1\ncreator: proftui ${version}`));
  if (profile.command !== null) await pieces.add(line(`cmd: ${visible(profile.command)}`));
  if (doubt) await pieces.add(line(`desc: Note: ${doubt}`));
  await pieces.add(line(`positions: ${writer.positions}`));
  const names = distinct(events.map((e) => e.name.replace(/[^\w-]/g, '_')));
  for (const [e, { longName }] of events.entries())
    if (longName) await pieces.add(line(`event: ${names[e]} : ${visible(longName)}`));
  await pieces.add(line(`events: ${names.join(' ')}`));
  await pieces.add(line(`summary: ${events.map((e) => rounded(exactValue(e, total, 0))).join(' ')}\n`));
  const spansOf = indexBy(profile.spans.routine, profile.routines.name.length);
  let r = 0;
  // Numbers of routines are those of the profile, unless slices were made stacks of other routines.
  const counts = profile.routines === context.analysis.profile.routines ? countsOf(context.analysis) : new Map<string, number>();
  for (const calls of callsOf(profile, off, spansOf, counts)) {
    const spans = spansOf.order.subarray(spansOf.from[r], spansOf.from[r + 1]);
    if (spans.length > 0 || calls.length > 0) await pieces.add(line(`${writer.routine(r, spans, calls).join('\n')}\n`));
    r++;
  }
  await pieces.flush();
}

/** Names that are the same without their marks get numbers. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>(names.filter((name, k) => names.indexOf(name) === k));
  return names.map((name, k) => {
    if (names.indexOf(name) === k) return name;
    let number = 2;
    while (taken.has(`${name}_${number}`)) number++;
    taken.add(`${name}_${number}`);
    return `${name}_${number}`;
  });
}

const rounded = (value: Exact): Exact => (typeof value === 'number' ? Math.round(value) : value);

export const callgrind: Exporter = {
  name: 'callgrind',
  title: "Callgrind's format, for KCachegrind and callgrind_annotate: lines, calls, jumps",
  endings: ['.callgrind', '.callgrind.out'],
  whole: true,
  refusal(context) {
    // cg_diff writes negative costs, and callgrind_annotate reads them.
    const why = stacksRefused(context, true);
    return (
      why ??
      (context.analysis.profile.compared ? 'KCachegrind knows no negative costs: pprof and folded take differences' : undefined)
    );
  },
  write,
};
