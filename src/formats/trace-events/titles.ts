// Reads metadata events of processes and threads: their names, and the order in which they are shown.
import { getOrMake } from '../../base/lists.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import { isObject, type JsonObject, numberOf, textOf } from '../shared/json.ts';

/** A number, also if the file has it as a string; undefined for anything else. */
export function numberOrNumericText(value: unknown): number | undefined {
  const text = textOf(value);
  return text === undefined || text.trim() === '' ? numberOf(value) : numberOf(Number(text));
}

interface ProcessTitle {
  name?: string;
  labels?: string;
  sort?: number;
}

export class TrackTitles {
  private readonly processes = new Map<string, ProcessTitle>();

  constructor(private readonly rows: StepWriter) {}

  /** Reads a metadata event. `word`: converts a name or an id to a text. */
  take(event: JsonObject, word: (value: unknown) => string): void {
    const { args, name } = event;
    if (!isObject(args)) return;
    const pid = word(event['pid']);
    const thread = () => this.rows.tracks[this.rows.trackId(pid, word(event['tid']))];
    if (name === 'thread_name') thread().name = word(args['name']);
    else if (name === 'thread_sort_index') thread().sort = numberOrNumericText(args['sort_index']) ?? 0;
    else if (name === 'process_name') this.titleOf(pid).name = word(args['name']);
    else if (name === 'process_labels') this.titleOf(pid).labels = word(args['labels']);
    else if (name === 'process_sort_index') this.titleOf(pid).sort = numberOrNumericText(args['sort_index']) ?? 0;
    else if (name === 'num_cpus') this.rows.facts.cores = numberOrNumericText(args['number']) ?? null;
  }

  private titleOf(pid: string): ProcessTitle {
    return getOrMake(this.processes, pid, () => ({}));
  }

  /** Sets the process names and sort order of the tracks. */
  finish(): void {
    for (const track of this.rows.tracks) {
      const process = this.processes.get(track.pid);
      if (!process) continue;
      track.processName = [process.name, process.labels].filter((x) => x).join(' ') || null;
      track.processSort = process.sort ?? 0;
    }
  }
}
