// Steps and processes to tables: one event, time, and, for traces, a routine a name, so that Routines sums them up.
import type { ProcessRows } from './processes.ts';
import type { Event, Processes, Steps } from './profile.ts';
import type { Sink } from './sink.ts';
import type { StepRows } from './steps.ts';

export function finishSteps(sink: Sink, rows: StepRows): { events: Event[]; columns: number; steps: Steps; notes?: string[] } {
  const steps = rows.finish(sink);
  // The names of slices are routines; those of build steps are not: each is a step of its own.
  if (sink.namesAreRoutines)
    for (let i = 0; i < steps.name.length; i++) if (steps.kind[i] !== 3) sink.routine(steps.name[i], -1, -1);
  const events: Event[] = [{ name: 'time', unit: 'us', longName: 'elapsed time', terms: [[1, 0]] }];
  return { events, columns: 1, steps, ...(sink.notes.length > 0 ? { notes: sink.notes } : {}) };
}

/** A build trace has no cost; its one event counts the executions. */
export function finishProcesses(sink: Sink, rows: ProcessRows): { events: Event[]; columns: number; processes: Processes } {
  return {
    events: [{ name: 'events', unit: 'count', longName: 'programs executed', terms: [[1, 0]] }],
    columns: 1,
    processes: rows.finish(sink),
  };
}
