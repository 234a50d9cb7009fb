// Writes steps in time: build steps, slices of a trace, commands of a log. Each has a start, a duration and a track that it
// ran on. Times are in microseconds: whole ones stay exact.
import type { Event, Head } from '../head.ts';
import type { Sink, TableWriter } from '../sink.ts';
import type { Gauge, Steps, Timeline } from './tables.ts';
import { slackOf } from './tick.ts';

/** The kinds of steps: real ones; spans that contain others (a whole build); async ones; sums that a tool wrote as events. */
export const KINDS = ['step', 'whole', 'async', 'sum'] as const;
export type StepKind = (typeof KINDS)[number];

export interface StepNote {
  readonly name: string;
  readonly role?: string;
  readonly kind?: StepKind;
  readonly track: number;
  readonly part: number;
  readonly startUs: number;
  /** Known only at its end for a step that began before. */
  durationUs: number;
  /** null if unknown or meaningless. */
  readonly result?: number | null;
  /** A caveat about the result. */
  readonly caveat?: string;
  readonly target?: string | undefined;
  readonly detail?: string | undefined;
  readonly source?: string | undefined;
  readonly language?: string | undefined;
  readonly config?: string | undefined;
  readonly command?: string | undefined;
  readonly directory?: string | undefined;
  readonly outputs?: readonly { readonly path: string; readonly bytes: number | null }[];
  /** Path of a trace that its compiler wrote. */
  readonly trace?: string | undefined;
  readonly traceCaveat?: string | undefined;
  /** Whatever else the file says about the step, as JSON. */
  readonly more?: string | undefined;
  /** It never ran: it has no place in time. */
  readonly neverRan?: boolean;
  /** Time on the CPU in microseconds, where the file says. */
  readonly cpuUs?: number | undefined;
}

export interface TrackNote {
  readonly pid: string;
  readonly tid: string;
  name: string | null;
  processName: string | null;
  sort: number;
  processSort: number;
}

/** Whether a number can be a time in microseconds: so far from the largest double that sums of any times are finite. */
export function isTime(us: number): boolean {
  return Math.abs(us) <= 2 ** 62;
}

/** How many rows have been written so far. */
export interface RowCounts {
  readonly notes: number;
  readonly gauges: number;
  readonly marks: number;
}

/** The rows of one file, and the time in microseconds since 1970 that its times count from; null if the file does not say. */
interface Clock {
  readonly path: string;
  readonly from: RowCounts;
  readonly to: RowCounts;
  readonly originUs: number | null;
}

interface GaugeNote {
  readonly name: string;
  /** The process that it is of; absent for the machine's. */
  readonly pid?: string;
  readonly unit: string;
  readonly us: number;
  readonly value: number;
}

export class StepWriter implements TableWriter {
  readonly notes: StepNote[] = [];
  readonly tracks: TrackNote[] = [];
  readonly gauges: GaugeNote[] = [];
  readonly marks: { name: string; track: number; us: number }[] = [];
  /** Which step hands over to which, as rows of `notes`. */
  readonly links: [from: number, to: number][] = [];
  /** Dependencies by the build system's own file, as rows of `notes`; undefined if there is no such file. */
  needs: (readonly [step: number, of: number])[] | undefined;
  /** What makes these dependencies doubtful, or why there are none; undefined if nothing is known against them. */
  needsCaveat: string | undefined;
  /** What the build system's file builds, relative to the folder it is in; undefined if there is no such file. */
  builds: readonly string[] | undefined;
  /** The parts are runs of their own: their times are laid end to end, since nobody knows what was between them. */
  runs = false;
  /** Tracks whose steps run in parallel: only `whole` steps contain others there. */
  readonly parallel = new Set<number>();
  /** What the build system says about its targets, by name; of several configure runs, the last counts. */
  readonly targets = new Map<string, { type: string | null; labels: readonly string[] }>();
  /** Time 0 in microseconds since 1970; null if the file does not say. */
  originUs: number | null = null;
  /** Files whose times count from a moment of their own. */
  readonly clocks: Clock[] = [];
  /** Cores of the machine; null where the file does not say. */
  cores: number | null = null;
  /** True for traces, where slices of one name are a routine; names of build steps are not routines. */
  namesAreRoutines = false;
  private readonly trackOf = new Map<string, number>();
  private readonly sink: Sink;

  constructor(sink: Sink) {
    this.sink = sink;
  }

  get rows(): number {
    return this.notes.length;
  }

  rowsSoFar(): RowCounts {
    return { notes: this.notes.length, gauges: this.gauges.length, marks: this.marks.length };
  }

  track(pid: string, tid: string): number {
    const key = `${pid}\n${tid}`;
    let at = this.trackOf.get(key);
    if (at === undefined) {
      at = this.tracks.push({ pid, tid, name: null, processName: null, sort: 0, processSort: 0 }) - 1;
      this.trackOf.set(key, at);
    }
    return at;
  }

  /** A track that the tool does not name, and so has no title. */
  untitledTrack(pid: string, tid: string): number {
    const at = this.track(pid, tid);
    const note = this.tracks[at];
    note.name = '';
    note.processName = '';
    return at;
  }

  finish(): Pick<Head, 'events' | 'columns'> & Timeline {
    const { sink } = this;
    this.align();
    const tables = this.tables();
    const routine = Int32Array.from(tables.name, (name, i) =>
      this.namesAreRoutines && KINDS[tables.kind[i]] !== 'sum' ? sink.routine(name, -1, -1) : -1,
    );
    const steps: Steps = { ...tables, routine };
    const time: Event = { name: 'time', unit: 'us', longName: 'elapsed time', terms: [[1, 0]] };
    return { kind: 'steps', events: [time], columns: 1, steps };
  }

  /** Puts files that say when they began on one clock, which begins with the first of them. */
  private align(): void {
    const { notes, gauges, marks, clocks, sink } = this;
    const known = clocks.flatMap((c) => (c.originUs === null ? [] : [c.originUs]));
    if (known.length === 0) return;
    const origin = known.reduce((least, us) => Math.min(least, us), Number.POSITIVE_INFINITY);
    this.originUs = origin;
    for (const { path, from, to, originUs } of clocks) {
      if (originUs === null) {
        const found = 'none: its times cannot be aligned with those of the other files';
        sink.warn({ path, expected: 'the time at which it began', found });
        continue;
      }
      const by = originUs - origin;
      if (by === 0) continue;
      for (let i = from.notes; i < to.notes; i++) notes[i] = { ...notes[i], startUs: notes[i].startUs + by };
      for (let i = from.gauges; i < to.gauges; i++) gauges[i] = { ...gauges[i], us: gauges[i].us + by };
      for (let i = from.marks; i < to.marks; i++) marks[i] = { ...marks[i], us: marks[i].us + by };
    }
  }

  private tables(): Omit<Steps, 'routine'> {
    const { notes, sink } = this;
    const order = stepOrder(notes);
    const sorted = order.map((i) => notes[i]);
    const place = new Uint32Array(order.length);
    order.forEach((note, row) => {
      place[note] = row;
    });
    const text = (get: (note: StepNote) => string | undefined) =>
      Int32Array.from(sorted, (note) => {
        const t = get(note);
        return t === undefined ? -1 : sink.strings.textId(t);
      });
    const number = (get: (note: StepNote) => number) => Float64Array.from(sorted, get);
    const pairs = (list: readonly (readonly [number, number])[], side: 0 | 1) => Uint32Array.from(list, (p) => place[p[side]]);
    return {
      // Names and texts get their ids in this order.
      name: Uint32Array.from(sorted, (s) => sink.strings.textId(s.name)),
      role: text((s) => s.role),
      kind: Uint8Array.from(sorted, (s) => KINDS.indexOf(s.kind ?? 'step')),
      track: Uint32Array.from(sorted, (s) => s.track),
      part: Uint32Array.from(sorted, (s) => s.part),
      parent: parentsOf(sorted, this.parallel),
      startUs: number((s) => (s.neverRan ? Number.NaN : s.startUs)),
      durationUs: number((s) => s.durationUs),
      cpuUs: number((s) => s.cpuUs ?? Number.NaN),
      result: number((s) => s.result ?? Number.NaN),
      caveat: text((s) => s.caveat),
      target: text((s) => s.target),
      detail: text((s) => s.detail),
      source: text((s) => s.source),
      language: text((s) => s.language),
      config: text((s) => s.config),
      command: text((s) => s.command),
      directory: text((s) => s.directory),
      more: text((s) => s.more),
      trace: text((s) => s.trace),
      traceCaveat: text((s) => s.traceCaveat),
      ...outputsOf(sorted, sink),
      linkFrom: pairs(this.links, 0),
      linkTo: pairs(this.links, 1),
      ...(this.needsCaveat === undefined ? {} : { needsCaveat: this.needsCaveat }),
      ...(this.runs ? { runs: true } : {}),
      ...(this.builds ? { builds: this.builds } : {}),
      ...(this.needs ? { needs: { step: pairs(this.needs, 0), of: pairs(this.needs, 1) } } : {}),
      tracks: this.tracks,
      gauges: gaugesOf(this.gauges, this.tracks),
      marks: this.marks,
      parallel: [...this.parallel],
      targets: [...this.targets].map(([name, t]) => ({ name, ...t })),
      originUs: this.originUs,
      cores: this.cores,
    };
  }
}

/** Gauges of one name that several processes have say whose they are. */
function gaugesOf(notes: readonly GaugeNote[], tracks: readonly TrackNote[]): Gauge[] {
  const processes = new Map<string, Set<string>>();
  for (const { name, pid } of notes) {
    if (pid === undefined) continue;
    const pids = processes.get(name);
    if (pids) pids.add(pid);
    else processes.set(name, new Set([pid]));
  }
  const titles = new Map(tracks.map((t) => [t.pid, t.processName]));
  return notes.map(({ pid, ...gauge }) => {
    if (pid === undefined || (processes.get(gauge.name)?.size ?? 0) < 2) return gauge;
    return { ...gauge, name: `${titles.get(pid) || `pid ${pid}`} ${gauge.name}` };
  });
}

/** By start, then longest first, then in file order. */
function stepOrder(notes: readonly StepNote[]): number[] {
  const order = notes.map((_, i) => i);
  return order.sort((a, b) => notes[a].startUs - notes[b].startUs || notes[b].durationUs - notes[a].durationUs || a - b);
}

function outputsOf(steps: readonly StepNote[], sink: Sink): Pick<Steps, 'outputStart' | 'outputPath' | 'outputBytes'> {
  const outputStart = new Uint32Array(steps.length + 1);
  const flat = steps.flatMap((s, row) => {
    const outputs = s.outputs ?? [];
    outputStart[row + 1] = outputStart[row] + outputs.length;
    return outputs;
  });
  return {
    outputStart,
    outputPath: Uint32Array.from(flat, (o) => sink.strings.textId(o.path)),
    outputBytes: Float64Array.from(flat, (o) => o.bytes ?? Number.NaN),
  };
}

/**
 * For steps in order of start: the innermost step of the same part and track that contains each; -1 if none does. A step may end
 * a little after the one that contains it, since both ends are rounded.
 */
function parentsOf(steps: readonly StepNote[], parallel: ReadonlySet<number>): Int32Array {
  const parent = new Int32Array(steps.length).fill(-1);
  const open = new Map<string, number[]>();
  const slack = slackOf(
    Float64Array.from(steps, (s) => (s.neverRan ? Number.NaN : s.startUs)),
    Float64Array.from(steps, (s) => s.durationUs),
  );
  steps.forEach((s, row) => {
    const kind = s.kind ?? 'step';
    if (s.neverRan || kind === 'sum' || kind === 'async') return;
    const key = `${s.part} ${s.track}`;
    let stack = open.get(key);
    if (!stack) open.set(key, (stack = []));
    const end = s.startUs + s.durationUs;
    const endOf = (k: number) => steps[k].startUs + steps[k].durationUs;
    // A zero-length step at the very end of another is not inside it, unless both have the same start.
    for (let top = stack.at(-1); top !== undefined && endOf(top) <= s.startUs; top = stack.at(-1)) {
      if (s.durationUs === 0 && endOf(top) === s.startUs && steps[top].startUs === s.startUs) break;
      stack.pop();
    }
    for (let k = stack.length - 1; k >= 0; k--) {
      const last = endOf(stack[k]);
      if (last < end - slack || (last < end && (last - s.startUs <= slack || parallel.has(s.track)))) continue;
      parent[row] = stack[k];
      break;
    }
    if (kind !== 'whole' && parallel.has(s.track)) return;
    // What ends before this step contains nothing from here on that this step does not contain, too.
    for (let top = stack.at(-1); top !== undefined && endOf(top) < end - slack; top = stack.at(-1)) stack.pop();
    stack.push(row);
  });
  return parent;
}
