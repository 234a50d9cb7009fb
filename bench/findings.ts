// npm run bench:findings -- [FILE ...]: how long findings take beyond the load, and how long a key would wait for one slice of that.
// Without files: a million routines with calls and lines, and 100,000 build steps that need each other.
import { analyse } from '../src/analysis/answers/analyse.ts';
import { allEvents } from '../src/analysis/answers/events.ts';
import { selectFindings } from '../src/findings/gather.ts';
import { prepareRankings } from '../src/findings/hottest.ts';
import { rules } from '../src/findings/index.ts';
import { evidenceOf, type Finding, type RuleResult } from '../src/findings/rule.ts';
import { loadProfile } from '../src/io/load.ts';
import type { Profile } from '../src/model/profile.ts';
import { manyRoutines } from './many-routines.ts';
import { manySteps } from './many-steps.ts';

const ROUTINES = 1_000_000;
const STEPS = 100_000;

function* nothing(job: Generator<undefined, void>): Generator<undefined, readonly RuleResult[]> {
  yield* job;
  return [];
}

function measure(name: string, profile: Profile): void {
  const analysis = analyse(profile, allEvents(profile.events, []));
  // What the first frame needs anyway.
  void analysis.totals;
  void analysis.edges;
  const [event] = analysis.events;
  if (!event) return;
  const cpu = process.cpuUsage();
  const evidence = evidenceOf(analysis, event, []);
  const found: Finding[] = [];
  const slowest: (readonly [ms: number, rule: string])[] = [];
  let longest: readonly [number, string] = [0, ''];
  const turns = [{ id: 'ranking', applies: () => true, find: () => nothing(prepareRankings(evidence)) }, ...rules];
  for (const rule of turns) {
    if (!rule.applies(evidence)) continue;
    const start = performance.now();
    let from = start;
    const turn = () => {
      const now = performance.now();
      if (now - from > longest[0]) longest = [now - from, rule.id];
      from = now;
    };
    const remarks = rule.find(evidence);
    for (let step = remarks.next(); ; step = remarks.next()) {
      turn();
      if (!step.done) continue;
      found.push(...step.value.map((r) => ({ ...r, rule: rule.id, isNote: false })));
      break;
    }
    turn();
    slowest.push([performance.now() - start, rule.id]);
  }
  const all = selectFindings(found);
  const { user, system } = process.cpuUsage(cpu);
  const ms = (n: number) => `${Math.round(n)} ms`;
  slowest.sort((a, b) => b[0] - a[0]);
  process.stdout.write(
    `${name}: ${all.length} findings in ${ms((user + system) / 1000)} of CPU; longest slice ${ms(longest[0])} (${longest[1]}); slowest rules ${slowest
      .slice(0, 5)
      .map(([t, rule]) => `${rule} ${ms(t)}`)
      .join(', ')}\n`,
  );
}

const files = process.argv.slice(2);
for (const file of files) measure(file, await loadProfile([file]));
if (files.length === 0) {
  measure(`${ROUTINES} routines`, await manyRoutines(ROUTINES));
  measure(`${ROUTINES} routines, a few of them hot`, await manyRoutines(ROUTINES, true));
  measure(`${STEPS} steps`, manySteps(STEPS));
}
