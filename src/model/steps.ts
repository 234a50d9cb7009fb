// Steps in time: the writer. Build steps, slices of a trace, commands of a log: each has a start and a duration, and a track that
// it ran on. Times are microseconds: whole numbers of them stay exact.
import { Grow } from './column.ts';
import type { Steps } from './profile.ts';
import type { Sink } from './sink.ts';

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

export class StepRows {
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
  private readonly trackOf = new Map<string, number>();

  track(pid: string, tid: string): number {
    const key = `${pid}\n${tid}`;
    let at = this.trackOf.get(key);
    if (at === undefined) {
      at = this.tracks.push({ pid, tid, name: null, processName: null, sort: 0, processSort: 0 }) - 1;
      this.trackOf.set(key, at);
    }
    return at;
  }

  /** Steps by start, then the longer first, then as the file has them; parents are the steps of the same track that hold them. */
  finish(sink: Sink): Steps {
    const { notes } = this;
    const order = notes.map((_, i) => i);
    order.sort((a, b) => notes[a].startUs - notes[b].startUs || notes[b].durationUs - notes[a].durationUs || a - b);
    const n = order.length;
    const place = new Uint32Array(n);
    order.forEach((note, row) => {
      place[note] = row;
    });
    const text = (t: string | undefined) => (t === undefined ? -1 : sink.strings.textId(t));
    const column = (get: (note: StepNote) => string | undefined) => Int32Array.from(order, (i) => text(get(notes[i])));
    const number = (get: (note: StepNote) => number) => Float64Array.from(order, (i) => get(notes[i]));
    const outputs = order.map((i) => notes[i].outputs ?? []);
    const outputStart = new Uint32Array(n + 1);
    outputs.forEach((list, row) => {
      outputStart[row + 1] = outputStart[row] + list.length;
    });
    const flat = outputs.flat();
    const names = new Grow(Uint32Array);
    for (const i of order) names.push(sink.strings.textId(notes[i].name));
    return {
      name: names.done(),
      role: column((s) => s.role),
      kind: Uint8Array.from(order, (i) => KINDS.indexOf(notes[i].kind ?? 'step')),
      track: Uint32Array.from(order, (i) => notes[i].track),
      part: Uint32Array.from(order, (i) => notes[i].part),
      parent: parentsOf(
        order.map((i) => notes[i]),
        this.parallel,
      ),
      startUs: number((s) => (s.neverRan ? Number.NaN : s.startUs)),
      durationUs: number((s) => s.durationUs),
      cpuUs: number((s) => s.cpuUs ?? Number.NaN),
      result: number((s) => s.result ?? Number.NaN),
      target: column((s) => s.target),
      source: column((s) => s.source),
      language: column((s) => s.language),
      config: column((s) => s.config),
      command: column((s) => s.command),
      directory: column((s) => s.directory),
      more: column((s) => s.more),
      trace: column((s) => s.trace),
      outputStart,
      outputPath: Uint32Array.from(flat, (o) => sink.strings.textId(o.path)),
      outputBytes: Float64Array.from(flat, (o) => o.bytes ?? Number.NaN),
      linkFrom: Uint32Array.from(this.links, ([from]) => place[from]),
      linkTo: Uint32Array.from(this.links, ([, to]) => place[to]),
      ...(this.needs
        ? {
            needs: {
              step: Uint32Array.from(this.needs, ([step]) => place[step]),
              of: Uint32Array.from(this.needs, ([, of]) => place[of]),
            },
          }
        : {}),
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

/** For steps in order of start: the innermost step of the same track and kind that holds it; -1 where none does. */
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
    while (
      stack.length > 0 &&
      endOf(stack.at(-1)!) <= s.startUs &&
      !(s.durationUs === 0 && endOf(stack.at(-1)!) === s.startUs && steps[stack.at(-1)!].startUs === s.startUs)
    )
      stack.pop();
    for (let k = stack.length - 1; k >= 0; k--) {
      if (endOf(stack[k]) < end) continue;
      parent[row] = stack[k];
      break;
    }
    if (kind === 'whole' || !parallel.has(s.track)) stack.push(row);
  });
  return parent;
}
