// The report of the costs of changing a header.
import { allUnitsUs, rebuildsOf } from '../../analysis/builds/rebuilds.ts';
import { plural } from '../../base/units.ts';
import { rebuildList } from '../../columns/builds/rebuilds.ts';
import { baseOf } from '../../columns/listing.ts';
import { paired } from '../../columns/paired.ts';
import { ms, time } from '../../columns/times.ts';
import { listReport } from '../print.ts';

export const rebuilds = listReport({
  ...paired(rebuildList, (context) => {
    const base = baseOf(context, 'steps');
    return base?.profile.steps.rebuilds ? base : undefined;
  }),
  title: 'units that are compiled again when a header changes, and their time',
  sorts: ['duration', 'units', 'name'],
  usual: 'durationMs',
  extra({ analysis }) {
    const { us } = rebuildsOf(analysis).units;
    return { unitsMs: ms(allUnitsUs(analysis)), units: us.length, untimed: us.filter(Number.isNaN).length };
  },
  head({ analysis }) {
    const { us } = rebuildsOf(analysis).units;
    const untimed = us.filter(Number.isNaN).length;
    const without = untimed > 0 ? `; ${untimed} without a recorded time` : '';
    return [`${plural(us.length, 'unit')}, ${time(allUnitsUs(analysis))} together${without}`];
  },
});
