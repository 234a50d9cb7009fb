// The Costing of sampled stacks.
import { Background } from '../../../base/background.ts';
import { questionsOf } from '../../../model/kinds.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { Costing } from '../costing.ts';
import { lineCosting } from '../lines.ts';
import { activeIn, once } from '../once.ts';
import { noJumps } from '../without.ts';
import { codeOfStacks, stackLineCalls } from './lines.ts';
import { stackCallers, stackTree } from './stack-tree.ts';
import { inclusiveStackLines, stackCallSites, stackEdges, stackGroups, totalsInSlices } from './stacks.ts';

export function stackCosting(profile: ProfileOf<'stacks'>, partsOff: ReadonlySet<number>): Costing {
  const active = activeIn(partsOff);
  const totals = new Background(totalsInSlices(profile, active));
  const { lines, instrs } = lineCosting(profile, active);
  return {
    can: questionsOf(profile),
    counts: {
      stacks: profile.stacks.part.length,
      ...(profile.places ? { addresses: profile.places.high.length } : {}),
      costLines: profile.lines.line.length,
    },
    totals: () => totals.now(),
    preparing: totals,
    edges: once(() => stackEdges(profile, active)),
    callSites: (of) => stackCallSites(profile, active, of),
    lines,
    instrs,
    // A sampled stack records where calls return to.
    instrCalls: () => undefined,
    jumps: noJumps,
    ...codeOfStacks(profile, active),
    inclusiveLines: (file, routine, self) => inclusiveStackLines(profile, active, file, routine, self),
    groups: (of) => stackGroups(profile, active, of),
    lineCalls: (file, routine) => stackLineCalls(profile, active, file, routine),
    tree: (inverted) => stackTree(profile, active, inverted),
    callersOf: (routine) => stackCallers(profile, active, routine),
  };
}
