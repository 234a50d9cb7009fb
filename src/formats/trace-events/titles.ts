// Metadata events of processes and threads: their names, and the order in which to show them.
import { getOrMake } from '../../base/lists.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import { isObject, type JsonObject, numberOf, textOf } from '../shared/json.ts';

/** A number, even if written as a text. */
export function anyNumber(value: unknown): number | undefined {
  const text = textOf(value);
  return text === undefined || text.trim() === '' ? numberOf(value) : numberOf(Number(text));
}

interface Process {
  name?: string;
  labels?: string;
  sort?: number;
}

export class TrackTitles {
  private readonly processes = new Map<string, Process>();

  constructor(private readonly rows: StepWriter) {}

  /** Takes a metadata event. `word`: the text of a name or an id. */
  take(event: JsonObject, word: (value: unknown) => string): void {
    const { args } = event;
    if (!isObject(args)) return;
    const pid = word(event['pid']);
    const thread = () => this.rows.tracks[this.rows.track(pid, word(event['tid']))];
    switch (event['name']) {
      case 'thread_name':
        thread().name = word(args['name']);
        return;
      case 'thread_sort_index':
        thread().sort = anyNumber(args['sort_index']) ?? 0;
        return;
      case 'process_name':
        this.process(pid).name = word(args['name']);
        return;
      case 'process_labels':
        this.process(pid).labels = word(args['labels']);
        return;
      case 'process_sort_index':
        this.process(pid).sort = anyNumber(args['sort_index']) ?? 0;
        return;
      case 'num_cpus':
        this.rows.cores = anyNumber(args['number']) ?? null;
        return;
    }
  }

  private process(pid: string): Process {
    return getOrMake(this.processes, pid, () => ({}));
  }

  /** Gives the tracks what was said of their processes. */
  finish(): void {
    for (const track of this.rows.tracks) {
      const process = this.processes.get(track.pid);
      if (!process) continue;
      track.processName = [process.name, process.labels].filter((x) => x).join(' ') || null;
      track.processSort = process.sort ?? 0;
    }
  }
}
