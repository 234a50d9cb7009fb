// What everything waited for, and what it would gain to make it otherwise.
import { basisText, criticalPath, criticalPathOf } from '../../analysis/steps/critical.ts';
import { type Chance, chancesOf } from '../../analysis/steps/narrow.ts';
import { shortStepName } from '../../analysis/steps/step-names.ts';
import { windowOf } from '../../analysis/steps/steps.ts';
import { type Evidence, ruleFor } from '../rule.ts';
import { about, cutName, listed, part, type Said, say, time } from '../say.ts';

const LEAST = 0.03;

const WORDS: Readonly<Record<Chance['what'], string>> = {
  'two parallel halves': 'if it were two parallel halves',
  'not waited for': 'if nothing waited for it',
  'no time': 'if it took no time',
};
const NAMES: Readonly<Record<Chance['what'], string>> = {
  'two parallel halves': 'halved',
  'not waited for': 'unawaited',
  'no time': 'removed',
};

const gain = (e: Evidence, { what, gainUs }: Chance): Said => say`${about(e)}${time(NAMES[what], gainUs)} ${WORDS[what]}`;
/** Gains of less than this share of the build are not told beside a larger one. */
const WORTH = 0.01;

export const waitedFor = ruleFor({
  kind: 'steps',
  id: 'waited-for',
  group: 'builds',
  question: 'What did everything wait for, and what would it gain to split, speed up or reorder it?',
  evidence:
    'the longest steps of the longest chain of dependencies; the build simulated without each, in halves, and not waited for',
  threshold:
    'a gain of at least 3 % of the build; only where the build as it was, simulated, is within 10 % of what was measured',
  assumes: 'steps take as long as they did, whatever runs beside them, and start in the same order',
  asks: ['steps'],
  *find(e) {
    const { analysis } = e;
    const { profile } = analysis;
    while (!criticalPathOf(analysis).run(0)) yield;
    const [from, to] = windowOf(analysis);
    const wall = to - from;
    if (!(wall > 0) || criticalPath(analysis).basis === 'lanes') return [];
    const job = chancesOf(analysis);
    while (!job.run(0)) yield;
    const [first, ...others] = job.now();
    if (!first || first.gainUs < LEAST * wall) return [];
    const all = others.filter((c) => c.step === first.step && c.gainUs >= WORTH * wall);
    const most = say`${about(e)}${time(NAMES[first.what], first.gainUs)} earlier (${part('gain', first.gainUs, wall)}) ${WORDS[first.what]}`;
    const gains = listed([most, ...all.map((c) => gain(e, c))]);
    return [
      {
        ...say`The build of ${time('wall', wall)} waited for ${cutName(shortStepName(profile, first.step))}, which took ${time('took', profile.steps.durationUs[first.step])}: it would end ${gains}`,
        why: `simulated, ${basisText(analysis, 'text')}`,
        subject: `step ${first.step}`,
        share: first.gainUs / wall,
        estimated: true,
        target: { view: 'critical', report: 'criticalpath', step: first.step },
      },
    ];
  },
});
