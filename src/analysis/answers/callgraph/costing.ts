// The Costing of call graphs.
import { Background } from '../../../base/background.ts';
import { atOnce } from '../../../base/slices.ts';
import { indexBy } from '../../../model/column.ts';
import { questionsOf } from '../../../model/kinds.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { CallSiteQuery, Costing } from '../costing.ts';
import { instrCallsOf } from '../instr-calls.ts';
import { mergeSites } from '../line-calls.ts';
import { lineCosting } from '../lines.ts';
import { activeIn, once } from '../once.ts';
import { callSiteFinder, inclusiveLines, sitesOnce } from './call-sites.ts';
import { foldedCosting, type GraphCosting } from './folded.ts';
import { graphPaths, joinedPaths } from './graph-paths.ts';
import { graphCallers, graphTree } from './graph-tree.ts';
import { graphGroups } from './group-costs.ts';
import { jumpsOfRoutine } from './jumps.ts';
import { sharesBelow } from './shares.ts';
import { summedTree } from './summed-tree.ts';
import { type GraphTotals, graphTotals } from './totals.ts';

type GraphProfile = ProfileOf<'callgraph'>;

/** The graphs of whole profiles, as long as they are in use: transforms ask for them, too. */
const known = new WeakMap<object, Background<GraphTotals>>();

export function graphOf(profile: GraphProfile): Background<GraphTotals> {
  const job = known.get(profile) ?? new Background(graphTotals(profile, undefined));
  known.set(profile, job);
  return job;
}

/** Numbers that the graphs of single parts may take, by a rough count: some 200 MB. */
const MOST_NUMBERS = 4_000_000;

export function callGraphCosting(profile: GraphProfile, partsOff: ReadonlySet<number>): Costing {
  const { nodes } = profile;
  const own = graphCosting(profile, partsOff);
  if (!nodes) return own;
  const { code, ...folded } = foldedCosting(nodes, profile.routines.name.length, own, graphCosting(nodes.graph, partsOff));
  return { ...folded, ...(code && !nodes.nameless ? { code } : {}) };
}

/** Nothing is worked out before it is asked for. */
function graphCosting(profile: GraphProfile, partsOff: ReadonlySet<number>): GraphCosting {
  const active = activeIn(partsOff);
  const { spans, calls, jumps } = profile;
  const job = active ? new Background(graphTotals(profile, active)) : graphOf(profile);
  const graph = () => job.now();
  const totals = () => graph().totals;
  /** The graphs of single parts; none where there are too many. */
  const parts = once(() => {
    const on = [...new Set(spans.part)].filter((part) => !partsOff.has(part));
    const each = (calls?.span.length ?? 0) + profile.routines.name.length;
    if (!calls || on.length * each * profile.columns > MOST_NUMBERS) return [];
    return on.length < 2 ? [] : on.map((part) => atOnce(graphTotals(profile, (p) => p === part)));
  });
  const lines = lineCosting(profile, active, profile.transformed?.estimated?.self);
  const jumpIndex = once(() => {
    const routine = (span: number) => (active && !active(spans.part[span]) ? -1 : spans.routine[span]);
    return indexBy(Int32Array.from(jumps?.span ?? [], routine), profile.routines.name.length);
  });
  const found = calls && callSiteFinder(profile, calls, lines.spansByFile, active);
  const sites = found && ((of: CallSiteQuery) => sitesOnce(graph(), found(of)));
  const callersOfAll: GraphCosting['callersOfAll'] = (routines, alone) => {
    const hit = new Uint8Array(profile.routines.name.length);
    for (const routine of routines) hit[routine] = 1;
    return graphCallers(graph(), routines, alone, () => totals().self.map((_, c) => atOnce(sharesBelow(graph(), hit, c))));
  };
  return {
    can: questionsOf(profile),
    counts: {
      costLines: profile.lines.line.length,
      ...(calls ? { callSites: calls.span.length } : {}),
      ...(jumps ? { jumps: jumps.span.length } : {}),
    },
    totals,
    preparing: () => job.wait(),
    edges: () => graph().edges,
    callSites: (of) => sites?.(of),
    lines: lines.lines,
    instrs: lines.instrs,
    instrCalls: (routine) => instrCallsOf(lines.instrs(routine), sites?.({ from: routine }), totals().cycles.of),
    jumps: (routine) => jumpsOfRoutine(profile, jumpIndex, routine),
    inclusiveLines: (_, __, self, found) => inclusiveLines(graph(), self, found),
    lineCalls: (_, __, found) => mergeSites(found, totals().cycles.of),
    groups: (of) => (calls ? graphGroups(profile, of, graph()) : undefined),
    tree(inverted) {
      const alone = parts();
      if (alone.length < 2) return graphTree(graph(), inverted);
      return summedTree(
        alone.map((of) => graphTree(of, inverted)),
        inverted,
      );
    },
    ...(calls
      ? {
          paths: (event, least, most) =>
            joinedPaths(
              (parts().length > 0 ? parts() : [graph()]).map((of) => graphPaths(of.totals, of.flow, event, least, most)),
            ),
        }
      : {}),
    callersOf: (routine) => callersOfAll([routine], totals().cycles.of[routine] === 0),
    callersOfAll,
  };
}
