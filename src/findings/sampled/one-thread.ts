// Threads that do all the work.
import { analyse } from '../../analysis/answers/analyse.ts';
import { threadNames } from '../../analysis/answers/part-columns.ts';
import { groupByKey } from '../../base/lists.ts';
import { eventValue } from '../../model/head.ts';
import { type Evidence, makeSampledRule, profileSubject } from '../rule.ts';
import { asCount, asShare, cutName, eventName, say } from '../say.ts';

/** Minimum share of the busiest thread, or if it alone ran its program; and minimum number of threads. */
const [MIN_BUSIEST_SHARE, MIN_OTHER_SHARE] = [0.75, 0.1];
const MIN_THREADS = 2;
/** Maximum number of threads: profiles with more are not examined. */
const MAX_THREADS = 256;

const ROWS_PER_SLICE = 1 << 16;

/** The total cost of each part; 0 for hidden parts. Adds up rows if possible: analysing each part takes far longer. */
function* totalsOfParts({ analysis, event }: Evidence): Generator<undefined, Float64Array> {
  const { profile, partsOff } = analysis;
  const out = new Float64Array(profile.parts.length);
  if (profile.kind === 'callgraph' || profile.kind === 'stacks') {
    const { spans, lines } = profile;
    for (let s = 0, rows = 0; s < spans.part.length; s++) {
      if (partsOff.has(spans.part[s])) continue;
      for (let i = spans.start[s]; i < spans.start[s + 1]; i++) {
        out[spans.part[s]] += eventValue(event, lines.costs, i);
        if (++rows % ROWS_PER_SLICE === 0) yield;
      }
    }
    return out;
  }
  for (const p of out.keys()) {
    if (partsOff.has(p)) continue;
    const others = new Set(Array.from(out.keys()).filter((other) => other !== p));
    out[p] = eventValue(event, analyse(profile, analysis.events, others).totals.total, 0);
    yield;
  }
  return out;
}

export const oneThreadRule = makeSampledRule({
  id: 'one-thread',
  question: 'Does one thread do nearly all the work?',
  evidence: 'the total of each thread, where the profile has threads',
  onlyNotes: true,
  threshold: `${MIN_THREADS} or more threads with cost, one of them at least 75 %, or 10 % and the only one of its program`,
  *find(e) {
    const { analysis, event, whole } = e;
    const { parts } = analysis.profile;
    // Without commands, a thread that ran another program has one name.
    const names = threadNames(parts.map((part) => ({ ...part, command: null })));
    const threads = [...groupByKey(parts.keys(), (p) => names[p])].flatMap(([name, own]) =>
      name === null ? [] : [{ name, parts: own }],
    );
    if (threads.length < MIN_THREADS || threads.length > MAX_THREADS) return [];
    const byPart = yield* totalsOfParts(e);
    let [most, busiest, working] = [0, threads[0], 0];
    for (const thread of threads) {
      const value = thread.parts.reduce((sum, p) => sum + byPart[p], 0);
      // Threads without cost, or switched off, do not count.
      if (value > 0) working++;
      if (value > most) [most, busiest] = [value, thread];
    }
    const [{ command: program }] = busiest.parts.map((p) => parts[p]);
    const isOther = parts.every(({ command }, p) => command !== program || busiest.parts.includes(p));
    if (working < MIN_THREADS || most < (isOther ? MIN_OTHER_SHARE : MIN_BUSIEST_SHARE) * whole) return [];
    const others = working === 2 ? say`thread takes` : say`${asCount('others', working - 1, 'thread')} share`;
    const [command, another] = new Set(busiest.parts.map((p) => parts[p].command));
    const who = command && another === undefined ? say`${busiest.name} (${cutName(command)})` : say`${busiest.name}`;
    return {
      ...say`${who} takes ${asShare(e, 'thread', most)} of ${eventName(e)}; the other ${others} the rest`,
      why: `the total ${event.name} of each thread`,
      ...profileSubject('threads'),
      share: most / whole,
    };
  },
});
