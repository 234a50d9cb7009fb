// Loads Go's text dumps: goroutine and threadcreate profiles (debug=1), the stacks of all goroutines (debug=2, a crash or SIGQUIT),
// and contention profiles of blocking and mutexes (debug=1). Written by runtime/pprof and runtime/traceback.go.
//   goroutine profile: total 8             --- mutex:                     goroutine 6 [chan receive, 5 minutes]:
//   7 @ 0x4378b6 0x40619b                  cycles/second=2600011770       main.blocked(0x0?)
//   # labels: {"kind":"worker"}            sampling period=1              	/srv/go/main.go:5 +0x1b
//   #	0x4b415a	main.f+0x1a	/srv/main.go:5   301399688 79 @ 0x4b46aa        created by main.main in goroutine 1
// Blocked time is a number of cycles; a mutex profile samples one of `sampling period` events, as pprof's legacy_profile.go has it.
import { plural } from '../base/units.ts';
import type { FrameNames } from '../model/stacks/writer.ts';
import { decodeBytes } from '../model/strings.ts';
import type { Detection, Loader } from './loader.ts';
import { isObject, parseJson, textOfAny } from './shared/json.ts';
import { headText, makeLineLoader, StackReader } from './shared/stream.ts';

const COUNT_HEADER = /^(goroutine|threadcreate) profile: total (\d{1,15})$/;
const CONTENTION_HEADER = /^--- (contention|mutex):$/;
const GOROUTINE_HEADER = /^goroutine (\d{1,15})(?: gp=\S{1,20})?(?: m=\S{1,20}(?: mp=\S{1,20})?)? \[([^\]]{1,200})\]:$/;
const SETTING = /^(cycles\/second|sampling period)=(\d{1,15})$/;
const SITE = /^(\d{1,15}) (?:(\d{1,15}) )?@((?: 0x[0-9a-f]{1,16})*)$/;
/** `#	0x4b415a	main.blocked+0x1a	/srv/main.go:5`: the address of a site, its function and line. */
const SITE_FRAME = /^#\s+0x[0-9a-f]{1,16}\s+(\S.*?)(?:\+0x[0-9a-f]{1,16})?\s+(\S.*):(\d{1,9})$/; // bounded: the limit of a line
const LABELS = /^# labels: (\{.*\})$/; // bounded: the limit of a line
/** The line below a function of a goroutine. */
const PLACE = /^\t(\S.*?):(\d{1,9})(?: \+0x[0-9a-f]{1,16})?$/; // bounded: the limit of a line
/** A function with its arguments. Types in brackets and receivers in parentheses belong to the name. */
const CALL = /^(\S.*)\([^()]*\)$/; // bounded: the limit of a line
const CREATED_BY = /^created by (.+?)(?: in goroutine \d{1,15})?$/; // bounded: the limit of a line

function detect(head: Uint8Array): Detection {
  const lines = headText(head)
    .split('\n')
    .map((line) => line.trimEnd());
  const first = lines.find((line) => line !== '') ?? '';
  // C++ writes blanks around the equals sign, and names no functions.
  const isGoContention = CONTENTION_HEADER.test(first) && lines.some((line) => /^cycles\/second=\d/.test(line));
  if (COUNT_HEADER.test(first) || isGoContention) return 'yes';
  const at = lines.findIndex((line) => GOROUTINE_HEADER.test(line));
  return at >= 0 && (CALL.test(lines[at + 1] ?? '') || at === lines.length - 1) ? 'yes' : 'no';
}

/** A stack that is being read: its cost by column, and its frames, innermost first. */
interface OpenStack {
  readonly costs: readonly number[];
  readonly frames: FrameNames[];
  readonly labels: [key: string, value: string][];
  /** The site's addresses: the frames of a program without symbols. */
  readonly addresses: string;
}

class GoTextReader extends StackReader {
  private form: 'counts' | 'contention' | 'goroutines' | undefined;
  private open: OpenStack | undefined;
  /** The name of the last function of a goroutine, whose place is on the next line. */
  private call: string | undefined;
  private stacks = 0;
  private total = 0;
  /** The number of goroutines or threads that the first line records. */
  private recordedTotal: number | undefined;
  private noun = 'goroutine';
  private cyclesPerSecond = 0;
  private period = 1;

  readLine(bytes: Uint8Array, from: number, to: number): void {
    this.lineNo++;
    const text = decodeBytes(bytes, from, to).trimEnd();
    if (text === '') return this.endStack();
    if (this.form !== 'counts' && this.form !== 'contention' && this.readGoroutineLine(text)) return;
    if (this.form !== 'goroutines' && this.readSiteLine(text)) return;
    this.countOtherLine(text);
  }

  /** Reads a line of the stacks of goroutines; false for another line, as those of the program before it crashed. */
  private readGoroutineLine(text: string): boolean {
    const header = GOROUTINE_HEADER.exec(text);
    if (header) {
      this.endStack();
      this.form = 'goroutines';
      const [state, ...more] = header[2].split(', ');
      const wait = more.find((word) => /^\d+ minutes$/.test(word));
      const labels: OpenStack['labels'] = [['state', state], ...(wait === undefined ? [] : [['wait', wait] as [string, string]])];
      this.open = { costs: [1], frames: [], labels, addresses: '' };
      return true;
    }
    const { open } = this;
    if (!open) return false;
    const place = PLACE.exec(text);
    if (place) {
      if (this.call !== undefined) open.frames.push({ name: this.call, file: place[1], line: Number(place[2]) });
      this.call = undefined;
      return true;
    }
    this.endCall();
    const created = CREATED_BY.exec(text);
    if (created) open.labels.push(['created by', created[1]]);
    else if (text === '...additional frames elided...') open.frames.push({ name: '(frames elided)' });
    else this.call = CALL.exec(text)?.[1] ?? text.trim();
    return true;
  }

  /** A function without a place is a frame, too. */
  private endCall(): void {
    if (this.call !== undefined) this.open?.frames.push({ name: this.call });
    this.call = undefined;
  }

  private readSiteLine(text: string): boolean {
    const counts = COUNT_HEADER.exec(text);
    const setting = SETTING.exec(text);
    const site = this.form === undefined ? null : SITE.exec(text);
    if (counts) {
      this.form = 'counts';
      this.recordedTotal = Number(counts[2]);
      this.noun = counts[1] === 'goroutine' ? 'goroutine' : 'thread';
    } else if (CONTENTION_HEADER.test(text)) this.form = 'contention';
    else if (setting?.[1] === 'cycles/second') this.cyclesPerSecond = Number(setting[2]);
    else if (setting) this.period = Math.max(1, Number(setting[2]));
    else if (site) {
      this.endStack();
      const [, first, count, addresses] = site;
      if ((count === undefined) !== (this.form === 'counts')) return false;
      const costs = count === undefined ? [Number(first)] : [this.nanoseconds(Number(first)), Number(count) * this.period];
      this.open = { costs, frames: [], labels: [], addresses };
    } else return this.readSiteDetail(text);
    return true;
  }

  private readSiteDetail(text: string): boolean {
    const [labels, frame] = [LABELS.exec(text), SITE_FRAME.exec(text)];
    const json = labels && parseJson(labels[1]);
    if (isObject(json))
      this.open?.labels.push(...Object.entries(json).map(([key, value]): [string, string] => [key, textOfAny(value)]));
    if (frame) this.open?.frames.push({ name: frame[1], file: frame[2], line: Number(frame[3]) });
    return text.startsWith('#');
  }

  /** The time of a number of cycles. Without the clock's rate, the number stays as it is. */
  private nanoseconds(cycles: number): number {
    return this.cyclesPerSecond > 0 ? Math.round((cycles * this.period * 1e9) / this.cyclesPerSecond) : cycles * this.period;
  }

  private endStack(): void {
    this.endCall();
    const { open, writer } = this;
    this.open = undefined;
    if (!open) return;
    const addresses = open.addresses.trim().split(' ');
    const named = open.frames.length > 0 ? open.frames : addresses.map((name) => ({ name }));
    const frames = Uint32Array.from(named, ({ name, ...at }) => {
      this.checkLimit('name', name.length, this.position);
      return writer.frameOf({ name: name || '(no stack)', ...at });
    });
    const labels = open.labels.length > 0 ? writer.labelSetOf(JSON.stringify(open.labels), () => open.labels) : 0;
    const row = writer.row(this.part, frames, frames.length, labels);
    for (let column = 0; column < open.costs.length; column++) writer.addTo(column, row, open.costs[column]);
    this.stacks++;
    this.total += open.costs[0];
  }

  /** Finishes the profile. `rest`: an unterminated last line, which may be incomplete. */
  finish(rest: Uint8Array): void {
    const { sink, path, writer } = this;
    if (rest.length > 0) this.readLine(rest, 0, rest.length);
    this.endStack();
    if (this.stacks === 0)
      throw this.error({ line: this.lineNo + 1 }, 'a stack of a goroutine, or a site with a count', 'the end of the file');
    this.warnOfOtherLines("a line of Go's dump");
    const { recordedTotal, form, noun } = this;
    if (recordedTotal !== undefined && this.total < recordedTotal)
      this.markCut(
        { line: this.lineNo + 1 },
        `${plural(recordedTotal, noun)}, as the first line says`,
        `${this.total} of them are shown`,
      );
    writer.types =
      form === 'contention'
        ? [
            this.cyclesPerSecond > 0
              ? { name: 'delay', unit: 'ns', longName: 'time blocked', column: 0 }
              : { name: 'cycles', unit: 'count', longName: 'cycles blocked', column: 0 },
            { name: 'contentions', unit: 'count', longName: 'times blocked', column: 1 },
          ]
        : [{ name: `${noun}s`, unit: 'count', longName: `${noun}s with this stack`, column: 0 }];
    sink.creator ??= 'Go';
    sink.addPart({ path, events: writer.types.map(({ name }) => name), notes: [plural(this.stacks, 'stack')] });
  }
}

export const goText: Loader = {
  name: 'go-text',
  title: 'Go dumps as text: goroutines (debug=1, debug=2, crashes), threadcreate, block and mutex (debug=1)',
  provides: ['routines', 'calls', 'trees', 'lines'],
  make: "curl 'HOST/debug/pprof/goroutine?debug=2' > goroutines.txt",
  fileNames: /^goroutines?(\.\w{1,9})?\.txt(\.gz)?$/,
  detect,
  load: makeLineLoader(GoTextReader, 'a dump of Go'),
};
