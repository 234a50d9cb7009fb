// Reads the events of a trace one by one, and puts together at the end what takes several of them.
import { beyondLimit } from '../../base/limits.ts';
import { FormatError } from '../../base/problem.ts';
import type { Sink } from '../../model/sink.ts';
import { isTime, type RowCounts, type StepNote, type StepWriter } from '../../model/steps/writer.ts';
import { gaugesOf, stepOf } from '../cmake/snippet.ts';
import { isObject, type JsonObject, numberOf, parseJson, shownOf, textOf, wordOf } from '../shared/json.ts';
import { type FlowPoint, flowsOf, holdersOf } from './flows.ts';
import { type Edge, pairsOf } from './pairs.ts';

/** A number, even if written as a text. */
function anyNumber(value: unknown): number | undefined {
  const text = textOf(value);
  return text === undefined || text.trim() === '' ? numberOf(value) : numberOf(Number(text));
}

/** A time in microseconds, such that sums of times are finite, too. */
function timeOf(value: unknown): number | undefined {
  const us = anyNumber(value);
  return us !== undefined && isTime(us) ? us : undefined;
}

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
  private beginningOfTime: number | null = null;
  /** Where the event begins that is being read, in the file. */
  private offset = 0;

  constructor(sink: Sink, rows: StepWriter, path: string) {
    this.sink = sink;
    this.rows = rows;
    this.path = path;
    this.part = sink.parts.length;
    this.first = rows.rowsSoFar();
  }

  /** The text of a name or an id, whatever it is written as. */
  private word(value: unknown): string {
    const word = wordOf(value);
    const { limits } = this.sink;
    if (word.length > limits.name)
      throw new FormatError({ path: this.path, offset: this.offset, ...beyondLimit(limits, 'name', word.length) });
    return word;
  }

  /** When the clock of the file began, in microseconds since 1970. */
  beginsAt(value: unknown): void {
    this.beginningOfTime = timeOf(value) ?? null;
    if (this.beginningOfTime === null) this.warn('a time as beginningOfTime', `${shownOf(value)}; left out`);
  }

  /** Reads an event that begins at an offset of the file. */
  event(value: unknown, offset: number): void {
    this.offset = offset;
    this.events++;
    if (!isObject(value)) return this.drop('values that are not objects');
    const phase = this.word(value['ph']);
    const us = timeOf(value['ts']);
    if (phase === 'M') return this.metadata(value);
    if (phase === '') return this.drop('events without a phase');
    if (us === undefined) return this.drop(`events of phase ${phase.slice(0, 4)} without a time`);
    const track = this.rows.track(this.word(value['pid']), this.word(value['tid']));
    const duration = timeOf(value['dur']);
    if (duration === undefined && (value['dur'] ?? null) !== null) return this.drop('events whose duration is no time');
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
        this.rows.marks.push({ name: this.word(value['name']), track, us });
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

  private slice(event: JsonObject, us: number, durationUs: number, track: number): void {
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

  private noteOf(event: JsonObject, us: number, durationUs: number, track: number): StepNote {
    const { args } = event;
    const [name, role] = [this.word(event['name']), this.word(event['cat'])];
    const sum = name.startsWith('Total ') && isObject(args) && 'count' in args;
    return {
      name,
      kind: sum ? 'sum' : 'step',
      track,
      part: this.part,
      startUs: us,
      durationUs,
      ...(role === '' ? {} : { role }),
      ...saidBy(args),
      cpuUs: timeOf(event['tdur']),
    };
  }

  /** A begin has its row at once, so that slices keep the order in which they begin. */
  private edge(event: JsonObject, begins: boolean, us: number, track: number): void {
    const { args } = event;
    const edge: Edge = {
      us,
      begins,
      name: this.word(event['name']),
      row: begins ? this.rows.notes.push(this.noteOf(event, us, 0, track)) - 1 : -1,
      ...(!begins && isObject(args) ? { args } : {}),
    };
    const list = this.edges.get(track);
    if (list) list.push(edge);
    else this.edges.set(track, [edge]);
  }

  private asynchronous(event: JsonObject, begins: boolean, us: number): void {
    const id2 = event['id2'];
    const local = isObject(id2) ? this.word(id2['local'] ?? id2['global']) : '';
    const pid = isObject(id2) && 'local' in id2 ? this.word(event['pid']) : '';
    const [role, name] = [this.word(event['cat']), this.word(event['name'])];
    const key = `${role}\n${this.word(event['id'])}\n${local}\n${pid}\n${name}`;
    const edge: Edge = { us, begins, name, row: -1 };
    const list = this.asyncs.get(key);
    if (list) list.edges.push(edge);
    else this.asyncs.set(key, { role, edges: [edge] });
  }

  private counter(event: JsonObject, us: number): void {
    const { args } = event;
    if (!isObject(args)) return;
    const [name, pid] = [this.word(event['name']), this.word(event['pid'])];
    const id = event['id'] === undefined ? '' : `[${this.word(event['id'])}]`;
    for (const [series, given] of Object.entries(args)) {
      const value = numberOf(given);
      if (value !== undefined) this.rows.gauges.push({ name: `${name}${id}.${series}`, pid, unit: '', us, value });
    }
  }

  private flow(event: JsonObject, point: FlowPoint): void {
    const key = `${this.word(event['cat'])}\n${this.word(event['id'])}\n${this.word(event['name'])}`;
    const list = this.flows.get(key);
    if (list) list.push(point);
    else this.flows.set(key, [point]);
  }

  private metadata(event: JsonObject): void {
    const { args } = event;
    if (!isObject(args)) return;
    const pid = this.word(event['pid']);
    switch (event['name']) {
      case 'thread_name':
        this.rows.tracks[this.rows.track(pid, this.word(event['tid']))].name = this.word(args['name']);
        return;
      case 'process_name':
        this.processes.set(pid, { ...this.processes.get(pid), name: this.word(args['name']) });
        return;
      case 'process_labels':
        this.processes.set(pid, { ...this.processes.get(pid), labels: this.word(args['labels']) });
        return;
      case 'thread_sort_index':
        this.rows.tracks[this.rows.track(pid, this.word(event['tid']))].sort = anyNumber(args['sort_index']) ?? 0;
        return;
      case 'process_sort_index':
        this.processes.set(pid, { ...this.processes.get(pid), sort: anyNumber(args['sort_index']) ?? 0 });
        return;
      case 'num_cpus':
        this.rows.cores = anyNumber(args['number']) ?? null;
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
      this.warn(
        'phases that a timeline can show',
        `${skipped} events of phases ${[...this.skipped.keys()].slice(0, 20).join(' ')}; left out`,
      );
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
  const detail = textOf(args['detail']);
  const more = Object.keys(args).length > (detail === undefined ? 0 : 1);
  return { ...(detail === undefined ? {} : { target: detail, detail }), ...(more ? { more: JSON.stringify(args) } : {}) };
}

/** The arguments that a note was made of. */
function argsOf({ more, detail }: StepNote): JsonObject {
  const args = more === undefined ? undefined : parseJson(more);
  if (isObject(args)) return args;
  return detail === undefined ? {} : { detail };
}

function list(names: readonly string[]): string {
  const some = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${names.length}: ${some} …` : some;
}
