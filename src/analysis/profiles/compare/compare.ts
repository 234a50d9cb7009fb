// Two runs as one profile: rows of both name the same routines, and raw cost columns are those of one and of the other.
import { ChoiceError } from '../../../base/errors.ts';
import { FormatError } from '../../../base/problem.ts';
import { runToEnd } from '../../../base/slices.ts';
import { formatCost } from '../../../base/units.ts';
import { pickColumn, withColumns } from '../../../model/column.ts';
import { CELLS_SETTING, type Event, PERIOD_SETTING } from '../../../model/head.ts';
import type { BaseRuns, Kind, NodeGraph, Profile, ProfileOf } from '../../../model/profile.ts';
import { stringAt } from '../../../model/strings.ts';
import { splitLevel } from '../../answers/callgraph/levels.ts';
import { hasSameFormula } from '../../answers/compared/events.ts';
import { namePartsOf, parseName } from '../../names/parts.ts';
import { foldNodes, mergeEstimates } from '../inlined/fold.ts';
import { joinRoutines } from '../transforms/call-graph-merge.ts';
import { RoutineDraft } from '../transforms/routine-draft.ts';
import { type Matching, type MatchOptions, matchRoutines, type NameTables } from './match.ts';

export interface CompareOptions extends MatchOptions {
  /** Scales the base so that both have equal totals. */
  readonly normalize: boolean;
  /** Costs of unknown kind are sample counts. */
  readonly samples?: boolean | undefined;
  readonly runs?: BaseRuns | undefined;
  /** Routines that were only renamed keep a row in each run. */
  readonly noRenames?: boolean;
  /** The renames in `renames` that nobody asked for, as `old → new (why)`. */
  readonly appliedRenames?: readonly string[];
}

export interface BaseRun {
  readonly loaded: Profile;
  readonly options: CompareOptions;
  /** The flags that select the base, for the copied command. */
  readonly flags: readonly (readonly [flag: string, value: string])[];
  /** Whether the user named the folder of the base's sources. */
  readonly trusted: boolean;
}

/** Throws FormatError where the two cannot be compared, ChoiceError for a rename that fits nothing. */
export function compareProfiles(ours: Profile, theirs: Profile, options: CompareOptions): Profile {
  checkComparable(ours, theirs);
  const [now, before] = withSameLevels(ours, theirs);
  const matching = matchRoutines(now, before, options);
  const unmatched = matching.unmatchedRenames[0];
  if (unmatched)
    throw new ChoiceError(`--rename ${unmatched.text}: no routine that only the base has becomes one that only this run has`);
  const { strings, files, objects, routines } = matching;
  const head = { strings, files, objects, routines };
  const joined = renumberProfile(now, head, { routine: matching.nowRoutine, file: undefined, object: undefined });
  const { beforeRoutine: routine, beforeFile: file, beforeObject: object } = matching;
  const joinedBase = renumberProfile(before, baseHead(before, matching), { routine, file, object });
  return buildComparedProfile(joined, joinedBase, matching, options);
}

/** The profiles of each kind in words. */
const COMPARABLE: Readonly<Record<Kind, string>> = {
  callgraph: 'other profiles that count costs by routine or line, if they have an event of the same name',
  stacks: 'other profiles of stacks, of samples or memory, if they have an event of the same name',
  inputs: 'other profiles of costs by size of input',
  steps: 'other builds, traces and results of tests',
  processes: 'other traces of the processes of a build',
};

/** Throws FormatError, as an error of the base, if the two profiles cannot be compared. */
export function checkComparable(now: Profile, before: Profile): void {
  const check = (fits: boolean, expected: string, found: string, hint?: string) => {
    if (!fits) throw new FormatError({ path: before.paths[0] ?? '', expected, found, ...(hint === undefined ? {} : { hint }) });
  };
  const { kind, format } = before;
  const hint = `profiles of ${now.format} can be compared with ${COMPARABLE[now.kind]}`;
  check(kind === now.kind, `a profile of ${now.kind} to compare with`, `one of ${kind} (${format})`, hint);
  // An empty base is fine if a time range was applied to it.
  const baseIsEmpty = before.kind === 'steps' && before.steps.name.length === 0 && !before.transformed;
  check(!(now.kind === 'steps' && baseIsEmpty && now.steps.name.length > 0), 'a build to compare with', 'no step');
  const granularityOf = (p: Profile) => p.granularity ?? 'routine';
  check(granularityOf(now) === granularityOf(before), `a profile by ${granularityOf(now)}`, `one by ${granularityOf(before)}`);
  const cells = (p: Profile) => p.settings?.get(CELLS_SETTING) ?? '';
  const isOther = cells(now) !== cells(before) && cells(now) !== '' && cells(before) !== '';
  const sizes = (p: Profile) => (p.kind === 'inputs' ? p.inputs.metric : '') + (isOther ? cells(p) : '');
  check(sizes(now) === sizes(before), `sizes of input by ${sizes(now)}, as in this run`, `sizes by ${sizes(before)}`);
  const isKnown = ({ name }: Event) => before.events.some((e) => e.name === name);
  const nameOf = ({ name, unit }: Event) => (now.events.some(isKnown) ? `${name} (${unit})` : name);
  const [ours, theirs] = [now, before].map((p) => p.events.map(nameOf));
  const alike = comparableEvents(now, before).map(nameOf);
  const shared = ours.length === 0 || alike.some((event) => theirs.includes(event));
  const listed = (run: Profile, other: Profile, names: readonly string[]) =>
    (names.some((name) => ours.includes(name) && theirs.includes(name)) ? incomparableEvents(run, other) : names).join(', ');
  check(shared, `an event that this run has: ${listed(now, before, ours)}`, listed(before, now, theirs) || 'no event');
}

/**
 * The base's tables in the row order of both runs, with its own strings. Rows that the base lacks keep name 0; nothing refers
 * to them.
 */
function baseHead(before: Profile, matching: Matching): NameTables {
  const { files, objects, routines } = matching;
  const names = (rows: number, own: Uint32Array, of: ArrayLike<number>) => {
    const out = new Uint32Array(rows);
    // If several rows became one, the first one's name wins.
    for (let i = own.length - 1; i >= 0; i--) out[of[i]] = own[i];
    return out;
  };
  // A routine may have moved from one file to another; code without symbols is in none.
  const file = routines.file.slice();
  for (let r = matching.beforeRoutine.length - 1; r >= 0; r--) {
    const [own, row] = [before.routines.file[r], matching.beforeRoutine[r]];
    if (own >= 0 && file[row] >= 0) file[row] = matching.beforeFile[own];
  }
  const name = names(routines.name.length, before.routines.name, matching.beforeRoutine);
  const recorded = new Int32Array(routines.name.length).fill(-1);
  for (const [r, text] of before.routines.recorded?.entries() ?? []) recorded[matching.beforeRoutine[r]] = text;
  return {
    strings: before.strings,
    files: { name: names(files.name.length, before.files.name, matching.beforeFile) },
    objects: { name: names(objects.name.length, before.objects.name, matching.beforeObject) },
    routines: { ...routines, name, file, recorded },
  };
}

/** Periods that differ by more make counts of samples incomparable. Where samples differ among themselves, their mean varies with the program. */
const [MAX_PERIOD_RATIO, MAX_MEAN_PERIOD_RATIO] = [1.001, 1.5];

/** The cost of a sample, such as 10 ms; undefined if that is unknown, or nothing is sampled. */
const sampledEvent = ({ events }: Profile) => events.find(({ each, unit }) => each !== undefined && unit !== 'samples');

/** Whether the samples of both runs stand for the same, as far as that is known. */
function areSampledAlike(now: Profile, before: Profile): boolean {
  const [ours, theirs] = [sampledEvent(now), sampledEvent(before)];
  if (!ours?.each || !theirs?.each) {
    const [period, other] = [now, before].map((run) => run.settings?.get(PERIOD_SETTING));
    return period === undefined || other === undefined || period === other;
  }
  if (ours.name !== theirs.name && now.format === before.format) return false;
  if (ours.name !== theirs.name || ours.unit !== theirs.unit) return true;
  const most = ours.uneven || theirs.uneven ? MAX_MEAN_PERIOD_RATIO : MAX_PERIOD_RATIO;
  return ours.each <= theirs.each * most && theirs.each <= ours.each * most;
}

/** Whether two events of one name in one format mean the same. Descriptions of samples name their periods, which may differ. */
const meansTheSame = (a: Event, b: Event): boolean => {
  const isSampled = a.each !== undefined || b.each !== undefined;
  return hasSameFormula(a, b) && (isSampled || !a.longName || !b.longName || a.longName === b.longName);
};

/** The events of a run that mean the same in the other one, and are no counts of samples that the other run took at another rate. */
const comparableEvents = (run: Profile, other: Profile): readonly Event[] =>
  run.events.filter((event) => {
    // Other formats describe the same time in other words, but memory at the peak is not that at the end.
    const isAlike = (one: Event) => one.name === event.name && (run.format === other.format || event.unit === 'bytes');
    const theirs = other.events.find(isAlike);
    return (!theirs || meansTheSame(event, theirs)) && (event.unit !== 'samples' || areSampledAlike(run, other));
  });

/** Events that mean something else in the other run: `samples every 20 ms`, `MC = Ir + 5 Cyc`. */
function incomparableEvents(run: Profile, other: Profile): string[] {
  const { each, unit = 'count', name: of = '' } = sampledEvent(run) ?? {};
  const every = each
    ? formatCost(each, unit) + (unit === 'count' ? ` ${of}` : of === 'time' ? '' : ` of ${of}`)
    : run.settings?.get(PERIOD_SETTING);
  const kept = comparableEvents(run, other);
  return run.events.flatMap((event) => {
    if (kept.includes(event)) return [];
    const { name, formula, longName = '' } = event;
    return event.unit === 'samples'
      ? `${name} every ${every}`
      : `${name}${formula === undefined ? `: ${longName}` : ` = ${formula}`}`;
  });
}

function buildComparedProfile(now: Profile, before: Profile, matching: Matching, options: CompareOptions): Profile {
  const { normalize, samples, runs, appliedRenames } = options;
  /** Events of a run that the other one lacks, or has in another unit. */
  const only = (run: Profile, other: Profile) =>
    comparableEvents(run, other).flatMap(({ name, unit }) => {
      const same = other.events.find((e) => e.name === name);
      return same?.unit === unit ? [] : [same ? `${name} in ${unit}` : name];
    });
  const { match, routineSides, fileSides } = matching;
  const facts = {
    ...{ match, routineSides, fileSides, normalize },
    ...(samples ? { samples } : {}),
    ...(runs ? { runs } : {}),
    ...(appliedRenames ? { appliedRenames } : {}),
    onlyNow: [...only(now, before), ...incomparableEvents(now, before)],
    onlyBefore: [...only(before, now), ...incomparableEvents(before, now)],
  };
  if (now.kind !== before.kind) throw new Error('profiles of two kinds');
  // Nodes are those of a run. The compiler narrows one of a pair at a time.
  const { nodes: _, ...tables } = now.kind === 'callgraph' ? now : { ...now, nodes: undefined };
  const events = comparableEvents(now, before);
  return { ...tables, events, columns: now.columns + before.columns + 1, compared: { ...facts, now, before } } as Profile;
}

/** New numbers by old ones; undefined if they do not change. */
interface NewNumbers {
  readonly routine: Uint32Array | undefined;
  readonly file: Int32Array | undefined;
  readonly object: Int32Array | undefined;
}

/** The table that columns of a name refer to, in every table. */
const REFERENCED_TABLE: Readonly<Record<string, keyof NewNumbers>> = {
  routine: 'routine',
  callee: 'routine',
  targetRoutine: 'routine',
  program: 'routine',
  file: 'file',
  targetFile: 'file',
  object: 'object',
};

/** The table with the new numbers; -1 stays -1. */
function renumber<T extends object>(table: T, to: NewNumbers): T {
  return withColumns(table, (column, name) => {
    const ids = REFERENCED_TABLE[name] && to[REFERENCED_TABLE[name]];
    if (!ids) return column;
    const out = column.slice();
    for (let i = 0; i < out.length; i++) if (column[i] >= 0) out[i] = ids[column[i]];
    return out;
  });
}

/** The tables of all kinds of profiles whose columns refer to routines, files or objects. */
const REFERRING_TABLES: ReadonlySet<string> = new Set([
  ...['spans', 'calls', 'jumps', 'frames', 'places'],
  ...['inputs', 'contexts', 'steps', 'processes'],
]);

function renumberTables<P extends Profile>(profile: P, to: NewNumbers): P {
  const tables: [string, object][] = Object.entries(profile).filter(([name]) => REFERRING_TABLES.has(name));
  return { ...profile, ...Object.fromEntries(tables.map(([name, table]) => [name, renumber(table, to)])) };
}

/** The graph whose calls among routines that become one, as the parts into which a compiler split a function, count 0: they are none of its calls. */
function withoutInnerCalls(graph: ProfileOf<'callgraph'>, merged: Uint32Array): ProfileOf<'callgraph'> {
  const { calls, spans } = graph;
  if (!calls) return graph;
  const isInner = (from: number, callee: number) => from !== callee && merged[from] === merged[callee];
  const count = calls.count.map((n, i) => (isInner(spans.routine[calls.span[i]], calls.callee[i]) ? 0 : n));
  return { ...graph, calls: { ...calls, count } };
}

function renumberProfile(run: Profile, head: NameTables, to: NewNumbers): Profile {
  if (run.kind !== 'callgraph') return { ...renumberTables(run, to), ...head };
  const merged = to.routine && new Set(to.routine).size < to.routine.length ? to.routine : undefined;
  const profile = merged ? withoutInnerCalls(run, merged) : run;
  // If routines merge, the old ones become nodes, so calls among them are not taken for recursion.
  const unmerged: NodeGraph | undefined = merged &&
    profile.calls && { graph: profile, routineOf: Uint32Array.from(merged.keys()), nameless: true };
  const nodes = profile.nodes ?? unmerged;
  const { files, objects } = head;
  // Nodes keep their numbers and names.
  const renumberNodes = ({ graph, routineOf, ...kind }: NodeGraph): NodeGraph => ({
    ...kind,
    graph: { ...renumberTables(graph, { ...to, routine: undefined }), files, objects },
    routineOf: to.routine ? pickColumn(to.routine, routineOf) : routineOf,
  });
  const estimated = profile.estimated && mergeEstimates(profile.estimated, to.routine, head.routines.name.length);
  return {
    ...renumberTables(profile, to),
    ...head,
    ...(estimated ? { estimated } : {}),
    ...(nodes ? { nodes: renumberNodes(nodes) } : {}),
  };
}

// Recursion levels and callers of two runs: `f'2` and `f'main` are the function f, whose levels and callers depend on the options of the
// recording. If one run has more of them than the other, both are compared by function.

/** The names of routines that may have a level or callers, by routine. */
function quotedNames({ routines, strings }: ProfileOf<'callgraph'>): Map<number, string> {
  const names = Array.from(routines.name, (id, r) => [r, stringAt(strings, id)] as const);
  return new Map(names.filter(([, name]) => name.includes("'")));
}

const withoutCallers = (name: string): string => name.slice(0, name.length - namePartsOf(name).callers.length);

/** The run with one routine per function. `functionOf`: the name of the function of a routine. */
function mergeFunctions(profile: ProfileOf<'callgraph'>, functionOf: (name: string) => string, what: string): Profile {
  const graph = profile.nodes?.graph ?? profile;
  const draft = new RoutineDraft(graph);
  const rows = [...quotedNames(graph)].filter(([, name]) => functionOf(name) !== name);
  const { file, object } = graph.routines;
  const functions = runToEnd(
    draft.add(rows.map(([r, name]) => ({ name: functionOf(name), file: file[r], object: object[r], line: 0 }))),
  );
  const to = Uint32Array.from({ length: draft.count }, (_, r) => r);
  for (const [k, [r]] of rows.entries()) to[r] = functions[k];
  const merged = runToEnd(joinRoutines(graph, draft.head, to, () => true));
  const { nodes, ...folded } = profile.nodes ? runToEnd(foldNodes(merged)) : merged;
  const notes = [...(profile.notes ?? []), `${what} are merged: the two runs have other ones`];
  return { ...folded, notes, ...(nodes ? { nodes: { ...profile.nodes, ...nodes } } : {}) };
}

/** Both runs, with one routine per function if they have other recursion levels or callers. */
function withSameLevels(now: Profile, before: Profile): readonly [now: Profile, before: Profile] {
  if (now.kind !== 'callgraph' || before.kind !== 'callgraph') return [now, before];
  const most = (run: ProfileOf<'callgraph'>, countIn: (name: string) => number) =>
    [...quotedNames(run).values()].reduce((max, name) => Math.max(max, countIn(name)), 0);
  const differ = (countIn: (name: string) => number) => most(now, countIn) !== most(before, countIn);
  const mergeBoth = (functionOf: (name: string) => string, what: string) =>
    [mergeFunctions(now, functionOf, what), mergeFunctions(before, functionOf, what)] as const;
  const withoutLevel = (name: string) => splitLevel(name)[0];
  if (differ((name) => parseName(withoutLevel(name)).callers.length))
    return mergeBoth((name) => withoutCallers(withoutLevel(name)), 'callers in names');
  return differ((name) => splitLevel(name)[1]) ? mergeBoth(withoutLevel, 'recursion levels') : [now, before];
}
