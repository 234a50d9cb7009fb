// The few lines that make up most of the cost.
import { fileName } from '../../analysis/names/names.ts';
import { type HotLine, hotLines } from '../hottest.ts';
import { atLine, costRule } from '../rule.ts';
import { count, eventName, listed, named, placed, say, share } from '../say.ts';
import { subjectByName } from './code-names.ts';

const MOST = 0.5;
const MOST_NAMED = 4;
/** There are at least so many times as many lines. */
const OF = 4;

/** Each line once: of routines that have it, the most expensive one is named. */
function merged(lines: readonly HotLine[]): readonly HotLine[] {
  const byPlace = new Map<string, HotLine>();
  for (const line of lines) {
    const key = `${line.file}:${line.line}`;
    const sum = byPlace.get(key);
    byPlace.set(key, sum ? { ...sum, value: sum.value + line.value } : line);
  }
  return [...byPlace.values()].sort((a, b) => b.value - a.value || a.line - b.line);
}

export const fewLines = costRule({
  id: 'few-lines',
  question: 'Do a few source lines make up most of the cost?',
  evidence: 'the self cost of the lines of the 200 hottest routines',
  threshold: `1 to ${MOST_NAMED} lines make up half of the cost, and the profile has at least ${OF} times as many lines`,
  asks: ['lines', 'self'],
  *find(e) {
    const { profile, whole } = e;
    const lines = merged(yield* hotLines(e));
    let [sum, k] = [0, 0];
    while (k < lines.length && sum < MOST * whole) sum += lines[k++].value;
    if (k === 0 || k > MOST_NAMED || sum < MOST * whole || lines.length < OF * k) return [];
    const [first] = lines;
    const names = lines.slice(0, k).map(({ file, line, routine, value }, i) => {
      const where = say`${placed(fileName(profile, file), line)} in ${named(profile, routine)}`;
      return k === 1 ? where : say`${where} (${share(e, `line${i + 1}`, value)})`;
    });
    const part = say`${share(e, 'self', sum)} of ${eventName(e)}`;
    return {
      ...(k === 1
        ? say`One line accounts for ${part}: ${listed(names)}`
        : say`${count('few', k)} lines account for ${part}: ${listed(names)}`),
      why: 'recorded self cost per line, callees excluded',
      // A single line is shown with its routine.
      subject: k === 1 ? (subjectByName(profile, first.routine) ?? `routine ${first.routine}`) : 'lines',
      share: sum / whole,
      target: atLine(first.routine, fileName(profile, first.file), first.line),
    };
  },
});
