// Steps in time: the writer. Build steps, slices of a trace, commands of a log: each has a start and a duration, and a track that
// it ran on. Times are microseconds: whole numbers of them stay exact.
import type { Event, Head } from '../head.ts';
import type { Sink, TableWriter } from '../sink.ts';
import type { Steps, Timeline } from './tables.ts';

/** What kind of row a step is: real ones; spans that hold others (a whole build); async ones; sums that a tool wrote as events. */
export const KINDS = ['step', 'whole', 'async', 'sum'] as const;
export type StepKind = (typeof KINDS)[number];

export interface StepNote {
  readonly name: string;
  readonly role?: string;
  readonly kind?: StepKind;
  readonly track: number;
  readonly part: number;
  readonly startUs: number;
  readonly durationUs: number;
  /** null where it is unknown, or means nothing. */
  readonly result?: number | null;
  /** What to know of the result. */
  readonly caveat?: string;
  readonly target?: string | undefined;
  readonly source?: string | undefined;
  readonly language?: string | undefined;
  readonly config?: string | undefined;
  readonly command?: string | undefined;
  readonly directory?: string | undefined;
  readonly outputs?: readonly { readonly path: string; readonly bytes: number | null }[];
  /** Path of a trace that its compiler wrote. */
  readonly trace?: string | undefined;
  /** Everything else that the file says of it, as JSON. */
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

export class StepWriter implements TableWriter {
  readonly notes: StepNote[] = [];
  readonly tracks: TrackNote[] = [];
  readonly gauges: { name: string; unit: string; us: number; value: number }[] = [];
  readonly marks: { name: string; track: number; us: number }[] = [];
  /** Rows of `notes`: what hands over to what. */
  readonly links: [from: number, to: number][] = [];
  /** Rows of `notes`: what needs what, by the build system's own file; undefined where there is none. */
  needs: (readonly [step: number, of: number])[] | undefined;
  /** Tracks whose steps run beside each other: only whole ones hold others. */
  readonly parallel = new Set<number>();
  /** What the build system says of its targets, by name; of several configures the last. */
  readonly targets = new Map<string, { type: string | null; labels: readonly string[] }>();
  /** Microseconds since 1970 of time 0; null where the file does not say. */
  originUs: number | null = null;
  /** Cores of the machine; null where the file does not say. */
  cores: number | null = null;
  /** Names of the slices of a trace are routines; those of build steps are not: each is a step of its own. */
  namesAreRoutines = false;
  private readonly trackOf = new Map<string, number>();
  private readonly sink: Sink;

  constructor(sink: Sink) {
    this.sink = sink;
  }

  get rows(): number {
    return this.notes.length;
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

  /** A track that the tool gives no name: it has no title. */
  untitledTrack(pid: string, tid: string): number {
    const at = this.track(pid, tid);
    const note = this.tracks[at];
    note.name = '';
    note.processName = '';
    return at;
  }

  finish(): Pick<Head, 'events' | 'columns'> & Timeline {
    const { sink } = this;
    const steps = this.tables();
    if (this.namesAreRoutines)
      for (let i = 0; i < steps.name.length; i++) if (KINDS[steps.kind[i]] !== 'sum') sink.routine(steps.name[i], -1, -1);
    const time: Event = { name: 'time', unit: 'us', longName: 'elapsed time', terms: [[1, 0]] };
    return { kind: 'steps', events: [time], columns: 1, steps };
  }

  private tables(): Steps {
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
      // Names and texts get their numbers in this order.
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
      source: text((s) => s.source),
      language: text((s) => s.language),
      config: text((s) => s.config),
      command: text((s) => s.command),
      directory: text((s) => s.directory),
      more: text((s) => s.more),
      trace: text((s) => s.trace),
      ...outputsOf(sorted, sink),
      linkFrom: pairs(this.links, 0),
      linkTo: pairs(this.links, 1),
      ...(this.needs ? { needs: { step: pairs(this.needs, 0), of: pairs(this.needs, 1) } } : {}),
      tracks: this.tracks,
      gauges: this.gauges,
      marks: this.marks,
      parallel: [...this.parallel],
      targets: [...this.targets].map(([name, t]) => ({ name, ...t })),
      originUs: this.originUs,
      cores: this.cores,
    };
  }
}

/** By start, then the longer first, then as the file has them. */
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

/** For steps in order of start: the innermost step of the same part and track that holds it; -1 where none does. */
function parentsOf(steps: readonly StepNote[], parallel: ReadonlySet<number>): Int32Array {
  const parent = new Int32Array(steps.length).fill(-1);
  const open = new Map<string, number[]>();
  steps.forEach((s, row) => {
    const kind = s.kind ?? 'step';
    if (s.neverRan || kind === 'sum' || kind === 'async') return;
    const key = `${s.part} ${s.track}`;
    let stack = open.get(key);
    if (!stack) open.set(key, (stack = []));
    const end = s.startUs + s.durationUs;
    const endOf = (k: number) => steps[k].startUs + steps[k].durationUs;
    // A step of no length at the very end of another lies in it no more than behind it.
    for (let top = stack.at(-1); top !== undefined && endOf(top) <= s.startUs; top = stack.at(-1)) {
      if (s.durationUs === 0 && endOf(top) === s.startUs && steps[top].startUs === s.startUs) break;
      stack.pop();
    }
    for (let k = stack.length - 1; k >= 0; k--) {
      if (endOf(stack[k]) < end) continue;
      parent[row] = stack[k];
      break;
    }
    if (kind === 'whole' || !parallel.has(s.track)) stack.push(row);
  });
  return parent;
}
