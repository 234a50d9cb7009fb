// Loads Austin's text: one sample of a Python thread per line, outermost frame first, between lines of metadata.
//   # mode: wall
//   P100;T0:101;/srv/app/run.py:<module>:12;/srv/app/job.py:work:40 500
// Specification: Austin's README. The metric is microseconds of wall or CPU time, or a change of memory in bytes; in mode `full`,
// microseconds, 1 for an idle thread, and bytes: `500,0,2048`. Memory that is freed has negative numbers.
import { getOrMake } from '../base/lists.ts';
import { plural } from '../base/units.ts';
import type { RecordedType } from '../model/stacks/samples.ts';
import type { FrameNames } from '../model/stacks/writer.ts';
import { decodeBytes } from '../model/strings.ts';
import type { Detection, Loader } from './loader.ts';
import { headText, makeLineLoader, StackReader } from './shared/stream.ts';

const METADATA = /^# (\w{1,40}): (.*)$/; // bounded: the limit of a line
const SAMPLE = /^P(\d{1,15});T([\w:]{1,40})(?:;(.*))? (-?\d{1,15}(?:,-?\d{1,15}){0,2})$/; // bounded: the limit of a line
const FRAME = /^(.*):([^:]*):(\d{1,9})$/; // bounded: the limit of a name

function detect(head: Uint8Array): Detection {
  const lines = headText(head)
    .split('\n')
    .filter((line) => line !== '');
  if (/^# austin: \d/.test(lines[0] ?? '')) return 'yes';
  const samples = lines.slice(0, -1).filter((line) => !line.startsWith('#'));
  return samples.length > 0 && samples.every((line) => SAMPLE.test(line.trimEnd())) ? 'yes' : 'no';
}

const TIME: RecordedType = { name: 'time', unit: 'us', longName: 'time between samples', column: 0 };
const MEMORY: RecordedType = { name: 'memory', unit: 'bytes', longName: 'memory allocated minus memory freed', column: 0 };
const MODES: Readonly<Record<string, readonly RecordedType[]>> = {
  wall: [{ ...TIME, longName: 'wall time' }],
  cpu: [{ ...TIME, longName: 'CPU time' }],
  memory: [MEMORY],
  full: [
    { ...TIME, longName: 'wall time' },
    { ...TIME, name: 'cpu', longName: 'time of threads that are not idle', column: 1 },
    { ...MEMORY, column: 2 },
  ],
};

class AustinReader extends StackReader {
  private readonly metadata = new Map<string, string>();
  private readonly frames = new Map<string, number>();
  private samples = 0;
  /** How many numbers each sample has: 3 in mode `full`. */
  private numbers = 0;

  readLine(bytes: Uint8Array, from: number, to: number): void {
    this.lineNo++;
    const text = decodeBytes(bytes, from, to).trimEnd();
    const [metadata, sample] = [METADATA.exec(text), SAMPLE.exec(text)];
    if (metadata) this.metadata.set(metadata[1], metadata[2]);
    else if (sample) this.addSample(sample);
    else if (text !== '') this.countOtherLine(text);
  }

  private addSample([, process, thread, stack = '', metrics]: RegExpExecArray): void {
    const { writer } = this;
    const numbers = metrics.split(',').map(Number);
    if (this.numbers === 0) this.numbers = numbers.length;
    if (numbers.length !== this.numbers || numbers.length === 2)
      throw this.error(this.position, this.numbers === 3 ? 'three numbers, as of mode full' : 'one number', metrics);
    const frames = stack === '' ? [writer.frame('(no stack)')] : stack.split(';').map((name) => this.frameNamed(name));
    frames.reverse();
    // Austin 3 writes the interpreter before the thread's number.
    const labelsOf = () => [['process', process] as const, ['thread', thread.slice(thread.indexOf(':') + 1)] as const];
    const labels = writer.labelSetOf(`${process} ${thread}`, labelsOf);
    const row = writer.row(this.part, Uint32Array.from(frames), frames.length, labels);
    const [first, isIdle, memory] = numbers;
    writer.addTo(0, row, first);
    if (numbers.length === 3) {
      writer.addTo(1, row, isIdle === 0 ? first : 0);
      writer.addTo(2, row, memory);
    }
    this.samples++;
  }

  private frameNamed(name: string): number {
    this.checkLimit('name', name.length, this.position);
    return getOrMake(this.frames, name, () => this.writer.frameOf(frameOf(name)));
  }

  /** Finishes the profile. `rest`: an unterminated last line, which may be incomplete. */
  finish(rest: Uint8Array): void {
    const { sink, path, metadata, writer } = this;
    if (rest.length > 0)
      this.markCut({ line: this.lineNo + 1 }, 'the end of a line', 'the file was cut off: only whole lines are shown');
    if (this.samples === 0)
      throw this.error({ line: this.lineNo + 1 }, 'a sample: P, a process, T, a thread, and frames', 'the end of the file');
    this.warnOfOtherLines('a sample of Austin');
    const types =
      MODES[metadata.get('mode') ?? ''] ??
      (this.numbers === 3 ? MODES['full'] : [{ ...TIME, longName: 'metric of each sample' }]);
    if ((types.length === 3) !== (this.numbers === 3))
      throw this.error(this.position, `samples of mode ${metadata.get('mode')}`, plural(this.numbers, 'number'));
    writer.types = types;
    sink.creator ??= `Austin ${metadata.get('austin') ?? ''}`.trimEnd();
    const about = ['mode', 'interval', 'python', 'sampling', 'saturation', 'errors'].filter((key) => metadata.has(key));
    sink.addPart({
      path,
      events: types.map(({ name }) => name),
      notes: [plural(this.samples, 'sample'), ...about.map((key) => `${key}: ${metadata.get(key)}`)],
    });
  }
}

/** The names of a frame `file:function:line`; the file may contain colons. */
function frameOf(text: string): FrameNames {
  const [, file, name, line] = FRAME.exec(text) ?? [];
  return name === undefined || name === '' ? { name: text } : { name, file: file === '' ? null : file, line: Number(line) };
}

export const austin: Loader = {
  name: 'austin',
  title: 'Austin: samples of Python as text, of time, of memory, or both',
  provides: ['routines', 'calls', 'trees', 'lines'],
  make: 'austin -o out.austin python3 program.py',
  fileNames: /\.austin(\.gz)?$/,
  detect,
  load: makeLineLoader(AustinReader, 'samples of Austin'),
};
