// The Costing of call graphs.
import { Background } from '../../../base/background.ts';
import { atOnce } from '../../../base/slices.ts';
import { indexBy } from '../../../model/column.ts';
import { questionsOf } from '../../../model/kinds.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { Costing } from '../costing.ts';
import { instrCallsOf } from '../instr-calls.ts';
import { mergeSites, staysInside } from '../line-calls.ts';
import { lineCosting } from '../lines.ts';
import { activeIn, once } from '../once.ts';
import { arrivalsOf } from './arrivals.ts';
import { callSiteFinder } from './call-sites.ts';
import { callGraph } from './edges.ts';
import { graphPaths } from './graph-paths.ts';
import { graphCallers, graphTree } from './graph-tree.ts';
import { graphGroups } from './group-costs.ts';
import { jumpsOfRoutine } from './jumps.ts';
import { routineTotals } from './totals.ts';

export function callGraphCosting(profile: ProfileOf<'callgraph'>, partsOff: ReadonlySet<number>): Costing {
  const active = activeIn(partsOff);
  const { spans, calls, jumps } = profile;
  const edgeJob = new Background(callGraph(profile, active));
  const totalJob = new Background(routineTotals(profile, edgeJob.wait(), active));
  const [edges, totals] = [() => edgeJob.now(), () => totalJob.now()];
  const arrivals = once(() => atOnce(arrivalsOf(edges(), totals())));
  const lines = lineCosting(profile, active, profile.transformed?.estimated?.self);
  const jumpIndex = once(() => {
    const routine = (span: number) => (active && !active(spans.part[span]) ? -1 : spans.routine[span]);
    return indexBy(Int32Array.from(jumps?.span ?? [], routine), profile.routines.name.length);
  });
  const sites = calls && callSiteFinder(profile, calls, lines.spansByFile, active);
  return {
    can: questionsOf(profile),
    counts: {
      costLines: profile.lines.line.length,
      ...(calls ? { callSites: calls.span.length } : {}),
      ...(jumps ? { jumps: jumps.span.length } : {}),
    },
    totals,
    preparing: () => totalJob.wait(),
    edges,
    callSites: (of) => sites?.(of),
    lines: lines.lines,
    instrs: lines.instrs,
    instrCalls: (routine) => instrCallsOf(lines.instrs(routine), sites?.({ from: routine }), totals().cycles.of),
    jumps: (routine) => jumpsOfRoutine(profile, jumpIndex, routine),
    inclusiveLines(_, __, self, found) {
      const out = self.costs.map((column) => column.slice());
      if (!found) return out;
      const { of } = totals().cycles;
      for (let i = 0; i < found.line.length; i++) {
        const row = self.rowOf.get(found.line[i]);
        const caller = found.caller[i];
        if (row === undefined || staysInside(of, caller, found.callee[i])) continue;
        for (let c = 0; c < out.length; c++) out[c][row] += found.costs[c][i];
      }
      return out;
    },
    lineCalls: (_, __, found) => mergeSites(found, totals().cycles.of),
    groups: (of) => (calls ? graphGroups(of, totals(), arrivals()) : undefined),
    tree: (inverted) => graphTree(profile.columns, totals(), arrivals(), inverted),
    ...(calls ? { paths: (event, least, most) => graphPaths(totals(), arrivals(), event, least, most) } : {}),
    callersOf: (routine) => graphCallers(profile.columns, totals(), arrivals(), routine),
  };
}
