// The Costing of call graphs.
import { Background, runToEnd } from '../../../base/slices.ts';
import { indexBy } from '../../../model/column.ts';
import { type ProfileOf, questionsOf } from '../../../model/profile.ts';
import { type CallSiteQuery, type Costing, totalsOf } from '../costing.ts';
import { instrCallsOf, mergeSitesByLine } from '../line-calls.ts';
import { lineCosting } from '../lines.ts';
import { type Active, activeIn, once } from '../once.ts';
import { callSiteFinder, countSitesOnce, inclusiveLines, jumpsOfRoutine, withinRoutine } from './call-sites.ts';
import { foldedCosting, type GraphCosting } from './folded.ts';
import { concatPaths, graphPaths } from './graph-paths.ts';
import { graphTree, graphTreeOfRoutines } from './graph-tree.ts';
import { graphGroups, sharesBelow } from './shares.ts';
import { summedTree } from './summed-tree.ts';
import { type GraphSums, type GraphTotals, graphSums, graphTotals, totalsSoFar } from './totals.ts';

interface GraphJobs {
  readonly sums: Background<GraphSums>;
  /** Begins with `sums`. */
  readonly graph: Background<GraphTotals>;
}

/** A cache of the graphs of whole profiles, which transforms also use. */
const graphCache = new WeakMap<object, GraphJobs>();

/** The graph of the active parts; that of all parts is cached. */
function jobsOf(profile: ProfileOf<'callgraph'>, active?: Active): GraphJobs {
  const known = active ? undefined : graphCache.get(profile);
  if (known) return known;
  const from = profile.transformed?.from;
  const source = from?.kind === 'callgraph' ? jobsOf(from, active).sums : undefined;
  const sums = new Background(graphSums(profile, active, source));
  const jobs = { sums, graph: new Background(graphTotals(profile, sums)) };
  if (!active) graphCache.set(profile, jobs);
  return jobs;
}

/** Takes the graph of another profile for that of `profile`: both have the same calls, and sums by routine. */
export const shareGraph = (profile: ProfileOf<'callgraph'>, from: ProfileOf<'callgraph'>) =>
  graphCache.set(profile, jobsOf(from));

/** The graph of all parts: its sums, which need no flow through cycles, and the whole. */
export const graphSumsOf = (profile: ProfileOf<'callgraph'>): Background<GraphSums> => jobsOf(profile).sums;
export const graphOf = (profile: ProfileOf<'callgraph'>): Background<GraphTotals> => jobsOf(profile).graph;

/** The maximum number of values in the graphs of single parts, roughly counted: about 200 MB. */
const MAX_PART_GRAPH_VALUES = 4_000_000;

export function callGraphCosting(profile: ProfileOf<'callgraph'>, partsOff: ReadonlySet<number>): Costing {
  const { nodes } = profile;
  const own = graphCosting(profile, partsOff);
  if (!nodes) return own;
  const estimated = profile.estimated?.self ?? new Uint8Array(profile.routines.name.length);
  const { code, ...folded } = foldedCosting(nodes, estimated, own, graphCosting(nodes.graph, partsOff));
  return { ...folded, ...(code && !nodes.nameless ? { code } : {}) };
}

/** Creates a costing that computes everything on demand. */
function graphCosting(profile: ProfileOf<'callgraph'>, partsOff: ReadonlySet<number>): GraphCosting {
  const active = activeIn(partsOff);
  const { spans, calls, jumps } = profile;
  const { sums, graph: job } = jobsOf(profile, active);
  const graph = () => job.now();
  const totals = once(() => totalsOf(sums.now().totals, () => graph().totals));
  /** The graphs of single parts; empty if they would be too large. */
  const parts = once(() => {
    const on = [...new Set(spans.part)].filter((part) => !partsOff.has(part));
    const each = (calls?.span.length ?? 0) + profile.routines.name.length;
    if (!calls || on.length < 2 || on.length * each * profile.columns > MAX_PART_GRAPH_VALUES) return [];
    // Unrecorded cost is known of all parts together: their own differences are partly what other parts record.
    if (sums.now().totals.unrecorded) return [];
    const sumsOfPart = (part: number) => new Background(graphSums(profile, (p) => p === part, sums));
    return on.map((part) => runToEnd(graphTotals(profile, sumsOfPart(part))));
  });
  const lines = lineCosting(profile, active, profile.estimated?.self);
  const jumpIndex = once(() => {
    const routine = (span: number) => (active && !active(spans.part[span]) ? -1 : spans.routine[span]);
    return indexBy(Int32Array.from(jumps?.span ?? [], routine), profile.routines.name.length);
  });
  const findSites = calls && callSiteFinder(profile, calls, lines.spansByFile, active);
  const sites = findSites && ((of: CallSiteQuery) => countSitesOnce(graph(), findSites(of)));
  const routinesTree: GraphCosting['routinesTree'] = (routines, alone, inverted) => {
    const hit = new Uint8Array(profile.routines.name.length);
    for (const routine of routines) hit[routine] = 1;
    const below = () => totals().self.map((_, c) => runToEnd(sharesBelow(graph(), hit, c)));
    return graphTreeOfRoutines(graph(), routines, alone, below, inverted);
  };
  const paths: NonNullable<Costing['paths']> = (event, least, most) => {
    const graphs = parts().length > 0 ? parts() : [graph()];
    return concatPaths(graphs.map((of) => graphPaths({ ...of.totals, self: of.leaves }, of.flow, event, least, most)));
  };
  return {
    can: questionsOf(profile),
    counts: {
      costLines: profile.lines.line.length,
      ...(calls ? { callSites: calls.span.length } : {}),
      ...(jumps ? { jumps: jumps.span.length } : {}),
    },
    totals,
    preparing: job,
    ...(profile.transformed ? {} : { totalsSoFar: () => totalsSoFar(sums.now()) }),
    edges: () => graph().edges,
    callSites: (of) => sites?.(of),
    lines: lines.lines,
    instrs: lines.instrs,
    instrCalls: (routine) => instrCallsOf(lines.instrs(routine), sites?.({ from: routine }), totals().cycles.of),
    jumps: (routine) => jumpsOfRoutine(profile, jumpIndex, routine),
    inclusiveLines(_, routine, self, found) {
      const costs = inclusiveLines(graph(), self, found);
      return totals().cycles.of[routine] > 0 ? withinRoutine(costs, totals(), routine) : costs;
    },
    lineCalls: (_, __, found) => mergeSitesByLine(found, totals().cycles.of),
    groups: (of) => (calls ? graphGroups(profile, of, graph()) : undefined),
    tree(inverted) {
      const trees = parts().map((of) => graphTree(of, inverted));
      return trees.length < 2 ? graphTree(graph(), inverted) : summedTree(trees, inverted);
    },
    ...(calls ? { paths } : {}),
    routineTree: (routine, inverted) => routinesTree([routine], totals().cycles.of[routine] === 0, inverted),
    routinesTree,
  };
}
