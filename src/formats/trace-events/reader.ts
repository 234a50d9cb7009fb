// Reads the events of a trace one by one, and puts together at the end what takes several of them.
import type { Sink } from '../../model/sink.ts';
import type { RowCounts, StepNote, StepWriter } from '../../model/steps/writer.ts';
import { gaugesOf, stepOf } from '../cmake/snippet.ts';
import { isObject } from '../shared/json.ts';
import { type FlowPoint, flowsOf, holdersOf } from './flows.ts';
import { type Edge, pairsOf } from './pairs.ts';

type Event = Record<string, unknown>;

/** A number, even if written as a string. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const n = Number(value);
  return Number.isFinite(n) ? n : undefined;
}

const nameOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : String(value);
const idOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value ?? ''));

export class TraceReader {
  private readonly rows: StepWriter;
  private readonly sink: Sink;
  private readonly path: string;
  private readonly part: number;
  /** Begins and ends by track. */
  private readonly edges = new Map<number, Edge[]>();
  private readonly asyncs = new Map<string, { readonly role: string; readonly edges: Edge[] }>();
  private readonly flows = new Map<string, FlowPoint[]>();
  private readonly skipped = new Map<string, number>();
  private readonly dropped = new Map<string, number>();
  /** Where the rows of this file begin. */
  private readonly first: RowCounts;
  private last = Number.NEGATIVE_INFINITY;
  private events = 0;
  /** CMake steps found in `args`. */
  private cmakeSteps = 0;
  beginningOfTime: number | null = null;

  constructor(sink: Sink, rows: StepWriter, path: string) {
    this.sink = sink;
    this.rows = rows;
    this.path = path;
    this.part = sink.parts.length;
    this.first = rows.rowsSoFar();
  }

  event(value: unknown): void {
    this.events++;
    if (!isObject(value)) return this.drop('values that are not objects');
    const phase = nameOf(value['ph']);
    const us = numberOf(value['ts']);
    if (phase === 'M') return this.metadata(value);
    if (phase === '') return this.drop('events without a phase');
    if (us === undefined) return this.drop(`events of phase ${phase.slice(0, 4)} without a time`);
    const track = this.rows.track(idOf(value['pid']), idOf(value['tid']));
    const duration = numberOf(value['dur']);
    this.last = Math.max(this.last, us + (duration && duration > 0 ? duration : 0));
    switch (phase) {
      case 'X':
        if (duration !== undefined && duration < 0) this.drop('events with a negative duration, shown as 0');
        return this.slice(value, us, Math.max(0, duration ?? 0), track);
      case 'B':
      case 'E':
        return this.edge(value, phase === 'B', us, track);
      case 'b':
      case 'S':
      case 'e':
      case 'F':
        return this.asynchronous(value, phase === 'b' || phase === 'S', us);
      case 'n':
      case 'T':
      case 'p':
        return;
      case 'i':
      case 'I':
      case 'R':
        this.rows.marks.push({ name: nameOf(value['name']), track, us });
        return;
      case 'C':
        return this.counter(value, us);
      case 's':
      case 't':
      case 'f':
        return this.flow(value, { us, track, phase });
      default:
        return this.skip(phase.slice(0, 4));
    }
  }

  private drop(why: string, times = 1): void {
    this.dropped.set(why, (this.dropped.get(why) ?? 0) + times);
  }

  private skip(phase: string): void {
    this.skipped.set(phase, (this.skipped.get(phase) ?? 0) + 1);
  }

  private slice(event: Event, us: number, durationUs: number, track: number): void {
    const { args } = event;
    if (isObject(args) && 'role' in args && 'timeStart' in args) {
      // CMake's thread ids do not identify jobs: its steps are laid out by time.
      const own = this.rows.untitledTrack('cmake', 'steps');
      this.rows.parallel.add(own);
      const step = stepOf(args, this.part, own);
      if (typeof step !== 'string') {
        this.cmakeSteps++;
        this.rows.notes.push(step);
        for (const g of gaugesOf(args))
          this.rows.gauges.push({
            name: g.name,
            unit: g.unit,
            us: step.startUs + (g.after ? step.durationUs : 0),
            value: g.value,
          });
        return;
      }
    }
    this.rows.notes.push(this.noteOf(event, us, durationUs, track));
  }

  private noteOf(event: Event, us: number, durationUs: number, track: number): StepNote {
    const { args } = event;
    const name = nameOf(event['name']);
    const sum = name.startsWith('Total ') && isObject(args) && 'count' in args;
    return {
      name,
      kind: sum ? 'sum' : 'step',
      track,
      part: this.part,
      startUs: us,
      durationUs,
      ...(typeof event['cat'] === 'string' && event['cat'] !== '' ? { role: event['cat'] } : {}),
      ...saidBy(args),
      cpuUs: numberOf(event['tdur']),
    };
  }

  /** A begin has its row at once, so that slices keep the order in which they begin. */
  private edge(event: Event, begins: boolean, us: number, track: number): void {
    const { args } = event;
    const edge: Edge = {
      us,
      begins,
      name: nameOf(event['name']),
      row: begins ? this.rows.notes.push(this.noteOf(event, us, 0, track)) - 1 : -1,
      ...(!begins && isObject(args) ? { args } : {}),
    };
    const list = this.edges.get(track);
    if (list) list.push(edge);
    else this.edges.set(track, [edge]);
  }

  private asynchronous(event: Event, begins: boolean, us: number): void {
    const id2 = event['id2'];
    const local = isObject(id2) ? idOf(id2['local'] ?? id2['global']) : '';
    const pid = isObject(id2) && 'local' in id2 ? idOf(event['pid']) : '';
    const [role, name] = [nameOf(event['cat']), nameOf(event['name'])];
    const key = `${role}\n${idOf(event['id'])}\n${local}\n${pid}\n${name}`;
    const edge: Edge = { us, begins, name, row: -1 };
    const list = this.asyncs.get(key);
    if (list) list.edges.push(edge);
    else this.asyncs.set(key, { role, edges: [edge] });
  }

  private counter(event: Event, us: number): void {
    const { args } = event;
    if (!isObject(args)) return;
    const id = event['id'] === undefined ? '' : `[${idOf(event['id'])}]`;
    for (const [series, value] of Object.entries(args))
      if (typeof value === 'number' && Number.isFinite(value))
        this.rows.gauges.push({
          name: `${nameOf(event['name'])}${id}.${series}`,
          pid: idOf(event['pid']),
          unit: '',
          us,
          value,
        });
  }

  private flow(event: Event, point: FlowPoint): void {
    const key = `${nameOf(event['cat'])}\n${idOf(event['id'])}\n${nameOf(event['name'])}`;
    const list = this.flows.get(key);
    if (list) list.push(point);
    else this.flows.set(key, [point]);
  }

  private metadata(event: Event): void {
    const { args } = event;
    if (!isObject(args)) return;
    const pid = idOf(event['pid']);
    switch (event['name']) {
      case 'thread_name':
        this.rows.tracks[this.rows.track(pid, idOf(event['tid']))].name = nameOf(args['name']);
        return;
      case 'process_name':
        this.processes.set(pid, { ...this.processes.get(pid), name: nameOf(args['name']) });
        return;
      case 'process_labels':
        this.processes.set(pid, { ...this.processes.get(pid), labels: nameOf(args['labels']) });
        return;
      case 'thread_sort_index':
        this.rows.tracks[this.rows.track(pid, idOf(event['tid']))].sort = numberOf(args['sort_index']) ?? 0;
        return;
      case 'process_sort_index':
        this.processes.set(pid, { ...this.processes.get(pid), sort: numberOf(args['sort_index']) ?? 0 });
        return;
      case 'num_cpus':
        this.rows.cores = numberOf(args['number']) ?? null;
        return;
    }
  }

  private readonly processes = new Map<string, { name?: string; labels?: string; sort?: number }>();

  private warn(expected: string, found: string): void {
    this.sink.warn({ path: this.path, expected, found });
  }

  /** Begins and ends become slices. A slice without an end lasts to the end of the trace. */
  private closeSlices(): void {
    const { notes } = this.rows;
    const unclosed: string[] = [];
    for (const edges of this.edges.values()) {
      const { closed, open, stray } = pairsOf(edges);
      for (const [{ row, us }, end] of closed) {
        notes[row].durationUs = end.us - us;
        if (end.args) notes[row] = { ...notes[row], ...saidBy({ ...argsOf(notes[row]), ...end.args }) };
      }
      for (const { row, us, name } of open) {
        unclosed.push(name);
        notes[row].durationUs = Math.max(0, this.last - us);
      }
      if (stray > 0) this.drop('end events without a begin', stray);
    }
    if (unclosed.length > 0)
      this.warn('an end for every begin', `no end for ${list(unclosed)}; shown up to the end of the trace`);
  }

  private closeAsyncs(): void {
    const never: string[] = [];
    for (const { role, edges } of this.asyncs.values()) {
      const { closed, open, stray } = pairsOf(edges);
      for (const [{ name, us }, end] of closed)
        this.rows.notes.push({
          name,
          kind: 'async',
          track: this.rows.track('async', role),
          part: this.part,
          startUs: us,
          durationUs: end.us - us,
          role,
        });
      for (const e of open) never.push(e.name);
      if (stray > 0) this.drop('asynchronous end events without a begin', stray);
    }
    if (never.length > 0) this.warn('an end for every asynchronous begin', `no end for ${list(never)}; left out`);
  }

  /** Returns how many flows are whole, and how many have no end. */
  private closeFlows(): readonly [whole: number, open: number] {
    const { notes, links } = this.rows;
    const flows = [...this.flows.values()].map(flowsOf);
    const whole = flows.flatMap((f) => f.whole);
    const holders = holdersOf(whole.flat(), notes, this.first.notes);
    for (const way of whole) {
      for (let k = 1; k < way.length; k++) {
        const [from, to] = [holders.get(way[k - 1]), holders.get(way[k])];
        if (from !== undefined && to !== undefined && from !== to) links.push([from, to]);
      }
    }
    const stray = flows.reduce((sum, f) => sum + f.stray, 0);
    if (stray > 0) this.drop('flow events without a start', stray);
    return [whole.length, flows.filter((f) => f.open).length];
  }

  finish(): void {
    const { rows, sink, path } = this;
    this.closeSlices();
    this.closeAsyncs();
    const [flows, openFlows] = this.closeFlows();
    for (const [why, n] of this.dropped) this.warn('valid events', `${n} ${why}`);
    const skipped = [...this.skipped.values()].reduce((a, b) => a + b, 0);
    if (skipped > 0)
      this.warn('phases that a timeline can show', `${skipped} events of phases ${[...this.skipped.keys()].join(' ')}; left out`);
    if (openFlows > 0) this.warn('an end for every flow', `no end for ${openFlows} flows`);
    for (const t of rows.tracks) {
      const p = this.processes.get(t.pid);
      if (!p) continue;
      t.processName = [p.name, p.labels].filter((x) => x).join(' ') || null;
      t.processSort = p.sort ?? 0;
    }
    const own = rows.notes.length - this.first.notes;
    sink.creator ??= this.cmakeSteps > 0 ? 'CMake' : this.beginningOfTime !== null ? 'clang -ftime-trace' : null;
    rows.namesAreRoutines ||= this.cmakeSteps < own;
    rows.clocks.push({ path, from: this.first, to: rows.rowsSoFar(), originUs: this.beginningOfTime });
    sink.addPart({
      path,
      notes: [`${this.events} events${flows > 0 ? `, ${flows} whole flows` : ''}`],
      events: ['time'],
    });
  }
}

/** What the arguments of a slice say: its detail, and all of them where there are more. */
function saidBy(args: unknown): Pick<StepNote, 'target' | 'detail' | 'more'> {
  if (!isObject(args)) return {};
  const detail = typeof args['detail'] === 'string' ? args['detail'] : undefined;
  const more = Object.keys(args).length > (detail === undefined ? 0 : 1);
  return { ...(detail === undefined ? {} : { target: detail, detail }), ...(more ? { more: JSON.stringify(args) } : {}) };
}

/** The arguments that a note was made of. */
function argsOf({ more, detail }: StepNote): Event {
  if (more !== undefined) return JSON.parse(more);
  return detail === undefined ? {} : { detail };
}

function list(names: readonly string[]): string {
  const some = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${names.length}: ${some} …` : some;
}
