// Trace Event files (Chrome's JSON, array, object or unclosed form): clang -ftime-trace, ninjatracing, CMake's own, Perfetto's
// legacy exports. Specification: "Trace Event Format" (Google). Read event by event: a trace is never held as one string. Where
// writers depart from it: clang writes its totals as extra events, CMake puts a whole instrumentation step into `args`.
import { FormatError } from '../base/problem.ts';
import type { Sink } from '../model/sink.ts';
import type { StepNote } from '../model/steps/writer.ts';
import { StepWriter } from '../model/steps/writer.ts';
import { gaugesOf, stepOf } from './cmake/snippet.ts';
import type { Detection, Loader, Source } from './loader.ts';
import { isObject, ListSplitter } from './shared/json.ts';
import { headText, readPieces } from './shared/stream.ts';

type Event = Record<string, unknown>;

function detect(head: Uint8Array): Detection {
  const text = headText(head).trimStart();
  if (/^\{[\s\S]*?"traceEvents"\s*:\s*\[/.test(text)) return 'yes';
  if (/^\[\s*\]?\s*$/.test(text)) return 'maybe';
  if (/^\[\s*\{/.test(text) && /"ph"\s*:\s*"/.test(text)) return 'yes';
  return 'no';
}

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

interface Open {
  readonly event: Event;
  readonly us: number;
  readonly track: number;
}

class Reader {
  private readonly rows: StepWriter;
  private readonly sink: Sink;
  private readonly path: string;
  private readonly part: number;
  private readonly open = new Map<number, Open[]>();
  private readonly openAsync = new Map<string, Open[]>();
  private readonly flows = new Map<string, { us: number; track: number }[]>();
  private readonly skipped = new Map<string, number>();
  private readonly dropped = new Map<string, number>();
  private readonly firstNote: number;
  private wholeFlows = 0;
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
    this.firstNote = rows.notes.length;
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
      case 'B': {
        const stack = this.open.get(track);
        if (stack) stack.push({ event: value, us, track });
        else this.open.set(track, [{ event: value, us, track }]);
        return;
      }
      case 'E': {
        const begun = this.open.get(track)?.pop();
        if (!begun) return this.drop('end events without a begin');
        return this.slice(
          {
            ...begun.event,
            ...(isObject(value['args']) ? { args: { ...(begun.event['args'] as object), ...value['args'] } } : {}),
          },
          begun.us,
          Math.max(0, us - begun.us),
          track,
        );
      }
      case 'b':
      case 'S':
      case 'e':
      case 'F':
        return this.asynchronous(value, phase === 'b' || phase === 'S', us, track);
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
        return this.flow(value, phase, us, track);
      default:
        return this.skip(phase.slice(0, 4));
    }
  }

  private drop(why: string): void {
    this.dropped.set(why, (this.dropped.get(why) ?? 0) + 1);
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
    const name = nameOf(event['name']);
    const sum = name.startsWith('Total ') && isObject(args) && 'count' in args;
    const detail = isObject(args) && typeof args['detail'] === 'string' ? args['detail'] : undefined;
    const note: StepNote = {
      name,
      kind: sum ? 'sum' : 'step',
      track,
      part: this.part,
      startUs: us,
      durationUs,
      ...(typeof event['cat'] === 'string' && event['cat'] !== '' ? { role: event['cat'] } : {}),
      ...(detail === undefined ? {} : { target: detail }),
      ...(isObject(args) && Object.keys(args).length > (detail === undefined ? 0 : 1) ? { more: JSON.stringify(args) } : {}),
      cpuUs: numberOf(event['tdur']),
    };
    this.rows.notes.push(note);
  }

  private asynchronous(event: Event, begins: boolean, us: number, track: number): void {
    const id2 = event['id2'];
    const local = isObject(id2) ? idOf(id2['local'] ?? id2['global']) : '';
    const pid = isObject(id2) && 'local' in id2 ? idOf(event['pid']) : '';
    const key = `${nameOf(event['cat'])}\n${idOf(event['id'])}\n${local}\n${pid}\n${nameOf(event['name'])}`;
    const stack = this.openAsync.get(key) ?? [];
    this.openAsync.set(key, stack);
    if (begins) {
      stack.push({ event, us, track });
      return;
    }
    const begun = stack.pop();
    if (!begun) return this.drop('asynchronous end events without a begin');
    const own = this.rows.track('async', nameOf(event['cat']));
    this.rows.notes.push({
      name: nameOf(event['name']),
      kind: 'async',
      track: own,
      part: this.part,
      startUs: begun.us,
      durationUs: Math.max(0, us - begun.us),
      role: nameOf(event['cat']),
    });
  }

  private counter(event: Event, us: number): void {
    const { args } = event;
    if (!isObject(args)) return;
    const id = event['id'] === undefined ? '' : `[${idOf(event['id'])}]`;
    for (const [series, value] of Object.entries(args))
      if (typeof value === 'number' && Number.isFinite(value))
        this.rows.gauges.push({ name: `${nameOf(event['name'])}${id}.${series}`, unit: '', us, value });
  }

  private flow(event: Event, phase: string, us: number, track: number): void {
    const key = `${nameOf(event['cat'])}\n${idOf(event['id'])}\n${nameOf(event['name'])}`;
    const way = this.flows.get(key);
    if (phase === 's') this.flows.set(key, [{ us, track }]);
    else if (way) {
      way.push({ us, track });
      if (phase !== 'f') return;
      this.flows.delete(key);
      this.wholeFlows++;
      for (let k = 1; k < way.length; k++) {
        const [from, to] = [this.holder(way[k - 1]), this.holder(way[k])];
        if (from >= 0 && to >= 0 && from !== to) this.rows.links.push([from, to]);
      }
    } else this.drop('flow events without a start');
  }

  /** The innermost slice on the track at that time; -1 if there is none. Flows are few, so a linear search will do. */
  private holder({ us, track }: { us: number; track: number }): number {
    let best = -1;
    const { notes } = this.rows;
    for (let i = this.firstNote; i < notes.length; i++) {
      const s = notes[i];
      if (s.track !== track || us < s.startUs || us > s.startUs + s.durationUs) continue;
      if (best < 0 || s.startUs >= notes[best].startUs) best = i;
    }
    return best;
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

  finish(): void {
    const { rows, sink, path } = this;
    const warn = (expected: string, found: string) => sink.warn({ path, expected, found });
    const unclosed: string[] = [];
    for (const [track, stack] of this.open) {
      for (const { event, us } of stack.reverse()) {
        unclosed.push(nameOf(event['name']));
        this.slice(event, us, Math.max(0, this.last - us), track);
      }
    }
    if (unclosed.length > 0) warn('an end for every begin', `no end for ${list(unclosed)}; shown up to the end of the trace`);
    const never = [...this.openAsync.values()].flat().map((o) => nameOf(o.event['name']));
    if (never.length > 0) warn('an end for every asynchronous begin', `no end for ${list(never)}; left out`);
    for (const [why, n] of this.dropped) warn('valid events', `${n} ${why}`);
    const skipped = [...this.skipped.values()].reduce((a, b) => a + b, 0);
    if (skipped > 0)
      warn('phases that a timeline can show', `${skipped} events of phases ${[...this.skipped.keys()].join(' ')}; left out`);
    if (this.flows.size > 0) warn('an end for every flow', `no end for ${this.flows.size} flows`);
    for (const t of rows.tracks) {
      const p = this.processes.get(t.pid);
      if (!p) continue;
      t.processName = [p.name, p.labels].filter((x) => x).join(' ') || null;
      t.processSort = p.sort ?? 0;
    }
    const own = rows.notes.length - this.firstNote;
    sink.creator ??= this.cmakeSteps > 0 ? 'CMake' : this.beginningOfTime !== null ? 'clang -ftime-trace' : null;
    rows.namesAreRoutines ||= this.cmakeSteps < own;
    if (this.beginningOfTime !== null) rows.originUs = this.beginningOfTime;
    sink.addPart({
      path,
      notes: [`${this.events} events${this.wholeFlows > 0 ? `, ${this.wholeFlows} whole flows` : ''}`],
      events: ['time'],
    });
  }
}

function list(names: readonly string[]): string {
  const some = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${names.length}: ${some} …` : some;
}

async function load(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const { path } = source;
  const reader = new Reader(sink, sink.tables(StepWriter), path);
  const splitter = new ListSplitter('traceEvents', {
    element: (value, offset) => {
      if (value === undefined) sink.warn({ path, offset, expected: 'an event', found: 'invalid JSON; left out' });
      else reader.event(value);
    },
    member: (key, value) => {
      if (key === 'beginningOfTime' && typeof value === 'number') reader.beginningOfTime = value;
    },
    wrong: (offset, found) => {
      throw new FormatError({ path, offset, expected: 'a list of events, or an object with traceEvents', found });
    },
  });
  const { read: bytes, rest } = await readPieces(source, signal, (piece) => splitter.take(piece));
  if (bytes === 0) throw new FormatError({ path, offset: 0, expected: 'a trace', found: 'an empty file' });
  const open = splitter.end(rest);
  if (!splitter.found) throw new FormatError({ path, offset: bytes, expected: 'traceEvents', found: 'an object without it' });
  // The format allows the array form to lack its end, but not an event cut in the middle.
  if (open?.inside)
    sink.cut ??= {
      path,
      offset: open.offset,
      expected: 'the end of an event',
      found: 'the end of the file',
      hint: 'the file was cut off: only complete events are shown',
    };
  reader.finish();
}

export const traceEvents: Loader = {
  name: 'trace-events',
  title: 'Trace Event file (clang -ftime-trace, CMake, ninjatracing, Chrome)',
  provides: ['routines', 'steps'],
  make: 'clang++ -ftime-trace -c file.cpp',
  fileNames: /(^trace.*|\.trace|time-trace.*)\.json(\.gz)?$/,
  detect,
  load,
};
