// Threads that do all the work.
import { analysisOfColumn, partColumns } from '../../analysis/part-columns.ts';
import { eventValue } from '../../model/event-value.ts';
import { rule } from '../rule.ts';
import { count, cutName, say, share } from '../say.ts';

/** The dearest thread takes at least this share, of so many threads or more. */
const NEARLY_ALL = 0.75;
const LEAST_THREADS = 2;
/** Of more threads than this, the others are not added up. */
const MOST_THREADS = 256;

export const oneThread = rule({
  id: 'one-thread',
  group: 'sampled',
  question: 'Does one thread do nearly all the work?',
  evidence: 'the total of each thread, where the profile has threads',
  threshold: `${LEAST_THREADS} or more threads that cost anything, of which one takes 75 % or more`,
  *find(e) {
    const { analysis, event, whole } = e;
    const threads = partColumns(analysis.profile).filter(({ name }) => name.startsWith('thread '));
    if (threads.length < LEAST_THREADS || threads.length > MOST_THREADS) return [];
    let [most, busiest, working] = [0, threads[0], 0];
    for (const thread of threads) {
      const own = analysisOfColumn(analysis, thread.name);
      const value = own ? eventValue(event, own.totals.total, 0) : 0;
      // Threads that are switched off, or did nothing, share no work.
      if (value > 0) working++;
      if (value > most) [most, busiest] = [value, thread];
      yield;
    }
    if (working < LEAST_THREADS || most < NEARLY_ALL * whole) return [];
    const others = working === 2 ? say`thread does` : say`${count('others', working - 1, 'thread')} do`;
    const [first] = busiest.parts;
    const command = analysis.profile.parts[first]?.command;
    const who = command ? say`${busiest.name} (${cutName(command)})` : say`${busiest.name}`;
    return [
      {
        ...say`${who} does ${share(e, 'thread', most)} of the work; the other ${others} the rest`,
        why: `the total ${event.name} of each thread`,
        subject: 'threads',
        share: most / whole,
        target: { view: 'info', report: 'summary' },
      },
    ];
  },
});
