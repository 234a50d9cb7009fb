// Turns stack samples of a trace (`samples`, `stackFrames`; "Global Samples" in the specification) into slices.
// A frame's slice lasts from the first sample that contains it to the next sample of its thread without it.
// Durations of samples are not recorded: a sample lasts at most ten times the thread's usual gap, so that sleep costs nothing.
import { addToList } from '../../base/lists.ts';
import { medianOf } from '../../base/median.ts';
import { isValidTime, type StepWriter } from '../../model/steps/writer.ts';
import { isObject, objectOf, textOfAny } from '../shared/json.ts';
import { numberOrNumericText } from './titles.ts';

interface TraceSample {
  readonly us: number;
  readonly frame: string;
}

/** A frame of a tree: `parent` is the caller. */
interface TraceFrame {
  readonly name: string;
  readonly parent: string | undefined;
}

const MAX_GAP_FACTOR = 10;

/**
 * Turns samples into slices. `ends`: by thread, when its profile ended; the last sample then lasts until that time. `word`: converts a name to a
 * text and checks its length. Returns the number of samples that became slices, that lack a known stack or time, and that belong to other
 * events than the first.
 */
export function addSamples(
  rows: StepWriter,
  part: number,
  { samples, frames, ends }: Readonly<{ samples: readonly unknown[]; frames: unknown; ends?: ReadonlyMap<string, number> }>,
  word: (value: unknown) => string,
): { readonly read: number; readonly wrong: number; readonly others: number } {
  const known = parseFrames(frames, word);
  const threads = new Map<string, TraceSample[]>();
  let event: string | undefined;
  let [wrong, others] = [0, 0];
  for (const given of samples) {
    const sample = objectOf(given);
    const [us, frame] = [numberOrNumericText(sample['ts']), textOfAny(sample['sf'])];
    if (us === undefined || !isValidTime(us) || !known.has(frame)) wrong++;
    else if (word(sample['name']) !== (event ??= word(sample['name']))) others++;
    else addToList(threads, word(sample['tid']), { us, frame });
  }
  for (const [tid, list] of threads) new ThreadSlices(rows, part, rows.trackId('', tid), known).write(list, ends?.get(tid));
  return { read: samples.length - wrong - others, wrong, others };
}

/** Frames by id, without frames whose callers are missing or form a cycle. */
function parseFrames(given: unknown, word: (value: unknown) => string): Map<string, TraceFrame> {
  const called = new Map<string | undefined, [string, TraceFrame][]>();
  for (const [id, frame] of Object.entries(objectOf(given)))
    if (isObject(frame)) {
      const parent = (frame['parent'] ?? null) === null ? undefined : textOfAny(frame['parent']);
      addToList(called, parent, [id, { name: word(frame['name']), parent }]);
    }
  const rootedFrames = new Map(called.get(undefined));
  // The map grows while it is walked, so each frame adds the frames that it calls.
  for (const id of rootedFrames.keys()) for (const [callee, frame] of called.get(id) ?? []) rootedFrames.set(callee, frame);
  return rootedFrames;
}

class ThreadSlices {
  /** The open frames with their rows, outermost first. */
  private readonly open: { readonly id: string; readonly row: number }[] = [];
  private readonly depths = new Map<string, number>();

  constructor(
    private readonly rows: StepWriter,
    private readonly part: number,
    private readonly track: number,
    private readonly frames: ReadonlyMap<string, TraceFrame>,
  ) {}

  write(samples: TraceSample[], endUs?: number): void {
    samples.sort((a, b) => a.us - b.us);
    const gaps = samples.slice(1).map(({ us }, k) => us - samples[k].us);
    const usual = gaps.length > 0 ? medianOf(gaps) : 0;
    samples.forEach(({ us, frame }, k) => {
      this.enterStack(frame, us);
      const last = endUs === undefined ? usual : Math.max(0, endUs - us);
      const end = us + Math.min(gaps[k] ?? last, MAX_GAP_FACTOR * usual);
      if (k + 1 === samples.length || end < samples[k + 1].us) this.closeFrames(0, end);
    });
  }

  /** Opens the frames of a stack and closes all others. An open frame's callers are open, too, so the walk stops there. */
  private enterStack(leaf: string, us: number): void {
    const newFrames: string[] = [];
    let id: string | undefined = leaf;
    for (; id !== undefined && !this.depths.has(id); id = this.frames.get(id)?.parent) newFrames.push(id);
    this.closeFrames(id === undefined ? 0 : (this.depths.get(id) ?? 0) + 1, us);
    for (const each of newFrames.reverse()) {
      this.depths.set(each, this.open.length);
      const name = this.frames.get(each)?.name ?? '';
      this.open.push({ id: each, row: this.rows.add({ name, track: this.track, part: this.part, startUs: us, durationUs: 0 }) });
    }
  }

  private closeFrames(depth: number, us: number): void {
    const { startUs, durationUs } = this.rows.columns;
    for (const { id, row } of this.open.splice(depth)) {
      durationUs.data[row] = us - startUs.data[row];
      this.depths.delete(id);
    }
  }
}
