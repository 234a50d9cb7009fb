// What is computed once for a profile and a choice of parts, and shared by the views. Everything heavy is made on first use.
import { type Index, indexBy } from '../model/column.ts';
import { eventValue } from '../model/event-value.ts';
import type { Event, Profile } from '../model/profile.ts';
import { callGraph, type Edges } from './edges.ts';
import { type ContextCosts, contextCosts, contextEdges, inputTotals, pointsByContext, pointsByRoutine } from './inputs.ts';
import { stackEdges, stackTotals } from './stacks.ts';
import { processTotals, stepTotals } from './steps.ts';
import { routineTotals, type Totals } from './totals.ts';

export interface Analysis {
  readonly profile: Profile;
  /** The profile's events, KCachegrind's standard ones that can be computed, and the user's own. */
  readonly events: readonly Event[];
  /** Part numbers that are switched off. */
  readonly partsOff: ReadonlySet<number>;
  readonly edges: Edges;
  readonly totals: Totals;
  /** Spans by routine and by file; calls by caller, and by callee. Parts that are off are left out. */
  readonly spansByRoutine: Index;
  readonly spansByFile: Index;
  readonly callsByCaller: Index;
  readonly callsByCallee: Index;
  readonly jumpsByRoutine: Index;
  /** Of profiles of cost by input size: points by routine and by context, and what each context costs. */
  readonly pointsByRoutine: Index;
  readonly pointsByContext: Index;
  readonly contextCosts: ContextCosts;
}

export function analyse(profile: Profile, events: readonly Event[], partsOff: ReadonlySet<number> = new Set()): Analysis {
  const active = partsOff.size > 0 ? (part: number) => !partsOff.has(part) : undefined;
  const routines = profile.routines.name.length;
  const once = <T>(make: () => T): (() => T) => {
    let made: T | undefined;
    return () => (made ??= make());
  };
  const spanKeys = (of: ArrayLike<number>): ArrayLike<number> => {
    const part = profile.spans?.part;
    return active && part ? Int32Array.from({ length: of.length }, (_, s) => (active(part[s]) ? of[s] : -1)) : of;
  };
  const rowKeys = (rows: ArrayLike<number> | undefined, of: (row: number, span: number) => number): Int32Array => {
    const part = profile.spans?.part;
    return Int32Array.from({ length: rows?.length ?? 0 }, (_, i) => {
      const span = rows![i];
      return active && part && !active(part[span]) ? -1 : of(i, span);
    });
  };
  const costs = once(() => contextCosts(profile));
  const byRoutine = once(() => pointsByRoutine(profile, active));
  const byContext = once(() => pointsByContext(profile));
  const edges = once(() => {
    if (profile.stacks) return stackEdges(profile, active);
    return profile.inputs ? contextEdges(profile, costs(), active) : callGraph(profile, active);
  });
  const totals = once(() => {
    if (profile.stacks) return stackTotals(profile, active);
    if (profile.steps) return stepTotals(profile, active);
    if (profile.processes) return processTotals(profile, active);
    return profile.inputs ? inputTotals(profile, active) : routineTotals(profile, edges(), active);
  });
  const spansByRoutine = once(() => indexBy(spanKeys(profile.spans?.routine ?? []), routines));
  const spansByFile = once(() => indexBy(spanKeys(profile.spans?.file ?? []), profile.files.name.length));
  const callsByCaller = once(() =>
    indexBy(
      rowKeys(profile.calls?.span, (_, s) => profile.spans!.routine[s]),
      routines,
    ),
  );
  const callsByCallee = once(() =>
    indexBy(
      rowKeys(profile.calls?.span, (i) => profile.calls!.callee[i]),
      routines,
    ),
  );
  const jumpsByRoutine = once(() =>
    indexBy(
      rowKeys(profile.jumps?.span, (_, s) => profile.spans!.routine[s]),
      routines,
    ),
  );
  return {
    profile,
    events,
    partsOff,
    get contextCosts() {
      return costs();
    },
    get pointsByRoutine() {
      return byRoutine();
    },
    get pointsByContext() {
      return byContext();
    },
    get edges() {
      return edges();
    },
    get totals() {
      return totals();
    },
    get spansByRoutine() {
      return spansByRoutine();
    },
    get spansByFile() {
      return spansByFile();
    },
    get callsByCaller() {
      return callsByCaller();
    },
    get callsByCallee() {
      return callsByCallee();
    },
    get jumpsByRoutine() {
      return jumpsByRoutine();
    },
  };
}

/** What the percentages of an event are of; the size of it where a difference of two runs adds up to less than nothing. */
export function wholeOf(analysis: Analysis, event: Event): number {
  return Math.abs(eventValue(event, analysis.totals.whole, 0));
}
