// Memory of the host that was nearly used up during a build.
import { formatBytes } from '../../base/units.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asShareOf, say } from '../say.ts';

const MIN_USED_SHARE = 0.85;
const BYTES_PER_KIB = 1024;

export const hostMemoryRule = makeBuildRule({
  id: 'memory',
  question: 'Was the memory of the host nearly used up?',
  evidence: 'host memory in use before and after each step',
  threshold: 'at least 85 % was used at some time',
  find({ profile }) {
    const { gauges, memoryBytes } = profile.steps;
    const gauge = gauges.find((g) => g.name === 'host memory' && g.unit === 'KiB');
    if (memoryBytes === null || !gauge) return [];
    const most = gauge.value.reduce((m, v) => Math.max(m, v), 0) * BYTES_PER_KIB;
    if (most < MIN_USED_SHARE * memoryBytes) return [];
    return {
      ...say`Up to ${asShareOf('used', most, memoryBytes)} of the host's memory was used (${formatBytes(most)} of ${formatBytes(memoryBytes)}); more parallel jobs may swap`,
      why: 'memory use of the whole host, measured before and after each step',
      ...viewSubject('memory', 'gantt'),
    };
  },
});
