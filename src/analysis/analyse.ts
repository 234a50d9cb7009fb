// Makes the analysis of a profile: the only place that picks a Costing by the profile's kind.
import type { Event } from '../model/head.ts';
import type { Profile } from '../model/profile.ts';
import type { Analysis } from './analysis.ts';
import { callGraphCosting } from './callgraph/costing.ts';
import type { Costing } from './costing.ts';
import { inputCosting } from './inputs/costing.ts';
import { once } from './once.ts';
import { processCosting } from './processes/costing.ts';
import { stackCosting } from './stacks/costing.ts';
import { stepCosting } from './steps/costing.ts';

function costingOf(profile: Profile, partsOff: ReadonlySet<number>): Costing {
  switch (profile.kind) {
    case 'callgraph':
      return callGraphCosting(profile, partsOff);
    case 'stacks':
      return stackCosting(profile, partsOff);
    case 'inputs':
      return inputCosting(profile, partsOff);
    case 'steps':
      return stepCosting(profile, partsOff);
    case 'processes':
      return processCosting(profile, partsOff);
  }
}

export function analyse(profile: Profile, events: readonly Event[], partsOff: ReadonlySet<number> = new Set()): Analysis {
  const costing = costingOf(profile, partsOff);
  const totals = once(() => costing.totals());
  const edges = once(() => costing.edges());
  return {
    profile,
    events,
    partsOff,
    costing,
    get totals() {
      return totals();
    },
    get edges() {
      return edges();
    },
  };
}
