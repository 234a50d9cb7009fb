// Fields between the event and the frame: those of a tracepoint (`bytes_req=64`, `count: 0x400`), and of `perf mem`.
import { getOrMake, joinFirstFew } from '../../base/lists.ts';
import type { SampleLine } from './lines.ts';

/** How the field is written: `name=1`, `name: 0x1`, `name = 1`. */
const FIELD = /(?:^|[\s,(])([a-z_]\w{0,63})\s?[=:]\s?(\d{1,19}|0x[0-9a-f]{1,16})(?=[\s,;)]|$)/gi;

/** The number of samples of each event whose fields are looked at, to list those that may be weights. */
const MAX_LISTED_SAMPLES = 20;

/** Fields of tracepoints that may be weights of their samples, and the one that the user chose. */
export class TracepointWeights {
  /** By event: its samples so far, and the numeric fields of the first ones. */
  private readonly known = new Map<string, { samples: number; readonly fields: Set<string> }>();
  found = 0;

  constructor(readonly chosen: string | undefined) {}

  /** The event that a sample counts for, and its cost there: the chosen field, if the sample has it, and else its period. */
  weightOf({ event, fields, period }: SampleLine): [event: string, cost: number | bigint | undefined] {
    const isTracepoint = fields !== '' && /^\w+:\w/.test(event);
    if (!isTracepoint) return [event, period];
    const known = getOrMake(this.known, event, () => ({ samples: 0, fields: new Set() }));
    if (known.samples++ >= MAX_LISTED_SAMPLES && this.chosen === undefined) return [event, period];
    // Negative numbers may not be weights.
    const numbers = new Map(Array.from(fields.matchAll(FIELD), ([, name, value]) => [name, Number(value)]));
    for (const name of known.samples > MAX_LISTED_SAMPLES ? [] : numbers.keys()) known.fields.add(name);
    const weight = this.chosen === undefined ? undefined : numbers.get(this.chosen);
    if (this.chosen === undefined || weight === undefined) return [event, period];
    this.found++;
    return [this.chosen, weight];
  }

  /** The fields that may be weights, by event; '' if there are none. */
  get listed(): string {
    const events = [...this.known].filter(([, { fields }]) => fields.size > 0);
    return events.map(([event, { fields }]) => `${event}: ${joinFirstFew([...fields], MAX_LISTED_FIELDS)}`).join('; ');
  }
}

const MAX_LISTED_FIELDS = 12;

/** The event of waits: nanoseconds from when a thread leaves its processor to when it runs again. */
export const OFF_CPU = 'offcpu-time';

/** A wait of a thread, at the row of the sample that began it. `length`: in nanoseconds, 0 if it is unknown. */
type Wait = Readonly<Record<'row' | 'ns' | 'length', number>>;

/** Threads that have left their processors, as samples of sched:sched_switch tell. */
export class SwitchedThreads {
  /** By thread: the wait that has not ended. */
  private readonly waiting = new Map<number, Wait>();
  known = 0;
  unknown = 0;

  /**
   * The waits that a sample ends: that of the thread that runs now, and one of the thread that stops, if nobody recorded its end. undefined
   * if the sample is not of sched:sched_switch or has no time.
   */
  endedWaits({ event, fields, ns, tid }: SampleLine, row: number): Wait[] | undefined {
    const next = event === 'sched:sched_switch' && ns !== undefined ? nextThread(fields) : undefined;
    if (next === undefined || ns === undefined) return undefined;
    const out = this.endWait(tid, undefined);
    out.push(...this.endWait(next, ns));
    const begun = { row, ns, length: 0 };
    // An idle processor does not wait.
    if (tid === 0) out.push(begun);
    else this.waiting.set(tid, begun);
    return out;
  }

  /** The waits that did not end in the recording. */
  lastWaits(): Wait[] {
    return [...this.waiting.keys()].flatMap((tid) => this.endWait(tid, undefined));
  }

  private endWait(tid: number, ns: number | undefined): Wait[] {
    const wait = this.waiting.get(tid);
    if (!wait) return [];
    this.waiting.delete(tid);
    if (ns === undefined || ns < wait.ns) this.unknown++;
    else this.known++;
    return [{ ...wait, length: Math.max(0, (ns ?? wait.ns) - wait.ns) }];
  }
}

/** The thread that runs next, as sched:sched_switch prints it in its two forms. */
function nextThread(fields: string): number | undefined {
  const after = fields.split('==>', 2)[1] ?? '';
  const found = /\bnext_pid=(\d{1,10})\b/.exec(after) ?? /:(\d{1,10}) \[-?\d{1,4}\]/.exec(after);
  return found ? Number(found[1]) : undefined;
}

/**
 * Labels of a memory access (`perf mem`): operation, level of the memory, weight in cycles, and the address of the data. `isBefore`: a lone
 * address is that of the data (-F addr), since the frames follow.
 */
export function memoryLabels(fields: string, isBefore: boolean): (readonly [name: string, value: string])[] {
  if (isBefore && /^0*[1-9a-f][0-9a-f]{3,15}\s*$/.test(fields)) return [['address', `0x${fields.trim()}`]];
  const [, address, part] = /^(?:([0-9a-f]{1,16})\s+)?(?:[0-9a-f]{1,16}\s+)?(\|OP .*)/.exec(fields) ?? []; // bounded: the limit of a line
  if (part === undefined) return [];
  const textOf = (name: string) => part.split(`|${name} `, 2)[1]?.split('|')[0].trim() ?? '';
  // The weight is the first number behind the last of these fields. perf fills columns with blanks.
  const weight =
    part
      .slice(part.lastIndexOf('|'))
      .split(/\s\s+/)
      .find((word) => /^\d{1,19}$/.test(word)) ?? ''; // bounded: the limit of a line
  const labels = [
    ['operation', textOf('OP')],
    ['memory', textOf('LVL')],
    ['weight', weight],
    ['address', address === undefined ? '' : `0x${address}`],
  ] as const;
  return labels.filter(([, value]) => value !== '');
}
