// The few lines that make up most of the cost.
import { fileName } from '../../analysis/names/names.ts';
import { groupByKey } from '../../base/lists.ts';
import { hotLines, type RankedLine } from '../hottest.ts';
import { lineTarget, makeCostRule } from '../rule.ts';
import { asCount, asShare, EMPTY_PHRASE, eventName, joinWithAnd, locationText, routineText, say } from '../say.ts';
import { subjectByName } from './code-names.ts';

const MIN_SHARE = 0.5;
const MAX_NAMED_LINES = 4;
/** Minimum number of lines in the profile, as a multiple of the named lines. */
const MIN_LINES_FACTOR = 4;

/** Merges entries of one line, with the routine of the costliest entry. `others`: how many more have the line, such as other instances of a template. */
function mergeSameLines(lines: readonly RankedLine[]) {
  const places = [...groupByKey(lines, ({ file, line }) => `${file}:${line}`).values()];
  const sums = places.map((all) => ({
    ...all[0],
    others: all.length - 1,
    value: all.reduce((sum, { value }) => sum + value, 0),
  }));
  return sums.sort((a, b) => b.value - a.value || a.line - b.line);
}

export const fewLinesRule = makeCostRule({
  id: 'few-lines',
  question: 'Do a few source lines make up most of the cost?',
  evidence: 'the self cost of the lines of the 200 hottest routines',
  threshold: `1 to ${MAX_NAMED_LINES} lines make up half of the cost, and the profile has at least ${MIN_LINES_FACTOR} times as many lines`,
  requires: ['lines', 'self'],
  *find(e) {
    const { profile, whole } = e;
    const lines = mergeSameLines(yield* hotLines(e));
    let [sum, k] = [0, 0];
    while (k < lines.length && sum < MIN_SHARE * whole) sum += lines[k++].value;
    if (k === 0 || k > MAX_NAMED_LINES || sum < MIN_SHARE * whole || lines.length < MIN_LINES_FACTOR * k) return [];
    const [first] = lines;
    const names = lines.slice(0, k).map(({ file, line, routine, value, others }, i) => {
      const more = others > 0 ? say` and ${asCount(`others${i + 1}`, others, 'other routine')}` : EMPTY_PHRASE;
      const where = say`${locationText(fileName(profile, file), line)} in ${routineText(profile, routine)}${more}`;
      return k === 1 ? where : say`${where} (${asShare(e, `line${i + 1}`, value)})`;
    });
    const part = say`${asShare(e, 'self', sum)} of ${eventName(e)}`;
    return {
      ...(k === 1
        ? say`One line accounts for ${part}: ${joinWithAnd(names)}`
        : say`${asCount('few', k)} lines account for ${part}: ${joinWithAnd(names)}`),
      why: 'recorded self cost per line, callees excluded',
      // A single line has the subject of its routine, so that only one of the two findings is shown.
      subject: k === 1 ? (subjectByName(profile, first.routine) ?? `routine ${first.routine}`) : 'lines',
      share: sum / whole,
      target: lineTarget(first.routine, fileName(profile, first.file), first.line),
    };
  },
});
