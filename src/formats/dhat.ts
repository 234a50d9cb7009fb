// Loads DHAT files of Valgrind (--tool=dhat), version 2: program points, which are stacks with allocations, reads and writes.
// Modes `copy` and `ad-hoc` count copied bytes and custom units. https://valgrind.org/docs/manual/dh-manual.html; dh_view.js.
//   "pps":[{"tb":6225,"tbk":50,"tl":77324,"gb":0,"gbk":0,"eb":0,"ebk":0,"rb":6225,"wb":6225,"fs":[1,2,3]}],
//   "ftbl":["[root]","0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_dhat-amd64-linux.so)","0x109190: make (alloc.c:3)"]
// In real files the frame table comes last, frames are innermost first, and fields that a mode lacks are absent.
import { getOrMake } from '../base/lists.ts';
import { plural } from '../base/units.ts';
import type { RecordedType } from '../model/stacks/samples.ts';
import { NamedStackWriter } from '../model/stacks/writer.ts';
import type { Detection, Loader } from './loader.ts';
import { amountOf, type JsonObject, jsonExcerpt, listOf, numberOf, textOf, textOfAny } from './shared/json.ts';
import { makeObjectLoader, ObjectReader } from './shared/json-object.ts';
import { headText } from './shared/stream.ts';
import { parseValgrindFrame } from './shared/valgrind-frame.ts';

const detect = (head: Uint8Array): Detection =>
  /^\s{0,99}\{\s{0,99}"dhatFileVersion"\s{0,9}:/.test(headText(head)) ? 'yes' : 'no';

const SUPPORTED_VERSION = 2;

/** Fields of program points in heap mode. */
const HEAP_FIELDS: readonly (readonly [field: string, name: string, unit: RecordedType['unit'], longName: string])[] = [
  ['tb', 'alloc_space', 'bytes', 'bytes allocated'],
  ['tbk', 'alloc_objects', 'count', 'blocks allocated'],
  ['gb', 'peak_space', 'bytes', 'bytes in use at the peak'],
  ['gbk', 'peak_objects', 'count', 'blocks in use at the peak of bytes'],
  ['eb', 'inuse_space', 'bytes', 'bytes in use at the end'],
  ['ebk', 'inuse_objects', 'count', 'blocks in use at the end'],
  ['rb', 'reads', 'bytes', 'bytes read of the blocks'],
  ['wb', 'writes', 'bytes', 'bytes written to the blocks'],
  ['tl', 'lifetimes', 'count', 'summed lifetimes of the blocks'],
];
const OTHER_MODE_FIELDS: ReadonlyMap<string, typeof HEAP_FIELDS> = new Map(
  Object.entries<typeof HEAP_FIELDS>({
    copy: [
      ['tb', 'copied_space', 'bytes', 'bytes copied by memcpy, strcpy and the like'],
      ['tbk', 'copies', 'count', 'calls of these functions'],
    ],
    'ad-hoc': [
      ['tb', 'units', 'count', 'units that the program counted'],
      ['tbk', 'events', 'count', 'events that the program counted'],
    ],
  }),
);

class DhatReader extends ObjectReader {
  protected readonly element = 'a program point';
  private readonly writer = this.sink.writerFor(NamedStackWriter);
  /** Points are collected first: the frame table comes last in the file. */
  private readonly points: { readonly values: JsonObject; readonly offset: number }[] = [];
  private table: readonly unknown[] | undefined;
  private mode = 'heap';
  private readonly header = new Map<string, string>();
  private readonly frames = new Map<number, { readonly id: number; readonly isAllocator: boolean }>();

  readObject(values: JsonObject, offset: number): void {
    this.points.push({ values, offset });
  }

  readMember(key: string, value: unknown): void {
    if (key === 'ftbl') this.table = listOf(value);
    else if (key === 'mode') this.mode = textOf(value) ?? 'heap';
    else if (key === 'dhatFileVersion' && value !== SUPPORTED_VERSION)
      throw this.errorAt(0, `version ${SUPPORTED_VERSION} of DHAT's file`, `version ${jsonExcerpt(value)}`);
    else if (typeof value === 'string' || typeof value === 'number') this.header.set(key, textOfAny(value));
  }

  finish(end: number): void {
    const { sink, path, writer, mode } = this;
    if (!this.table) throw this.errorAt(end, 'ftbl, a table of frames', 'none');
    const fields = (OTHER_MODE_FIELDS.get(mode) ?? HEAP_FIELDS).filter(([field]) =>
      this.points.some(({ values }) => field in values),
    );
    if (fields.length === 0)
      throw this.errorAt(end, 'program points with tb', `${plural(this.points.length, 'point')} without it`);
    const pid = Number(this.header.get('pid') ?? Number.NaN);
    const unit = this.header.get('tu') ?? 'instrs';
    const part = sink.addPart({
      path,
      command: this.header.get('cmd') ?? null,
      events: fields.map(([, name]) => name),
      ...(Number.isFinite(pid) ? { pid } : {}),
      notes: [`${plural(this.points.length, 'program point')}; mode ${mode}; lifetimes are in ${unit}`],
    });
    let hidden = 0;
    const incomplete = this.points.filter(({ values }) => fields.some(([field]) => values[field] === undefined));
    const expected = `${fields.map(([field]) => field).join(', ')} of every program point`;
    const found = `${plural(incomplete.length, 'point')} without one of them; it counts as 0`;
    if (incomplete.length > 0) sink.warn({ path, offset: incomplete[0].offset, expected, found });
    for (const { values, offset } of this.points) {
      const whole = listOf(values['fs']).map((at) => this.frameAt(at, offset));
      // The allocator's frames are dropped: allocations belong to its callers.
      const first = whole.findIndex((f) => !f.isAllocator);
      const own = first > 0 ? whole.slice(first) : whole;
      hidden += whole.length - own.length;
      const ids = Uint32Array.from(own.length > 0 ? own.map((f) => f.id) : [writer.frame('(no stack)')]);
      const row = writer.row(part, ids, ids.length);
      fields.forEach(([field], column) => {
        const value = values[field] === undefined ? 0 : amountOf(values[field]);
        if (value === undefined) throw this.errorAt(offset, `a number as ${field}`, jsonExcerpt(values[field]));
        writer.addTo(column, row, value);
      });
    }
    if (hidden > 0)
      sink.notes.push(`${plural(hidden, 'frame')} of Valgrind's allocator left out: allocations belong to its callers`);
    writer.types = fields.map(([, name, of, longName], column) => ({ name, unit: of, longName, column }));
    sink.command ??= this.header.get('cmd') ?? null;
    sink.creator ??= 'DHAT';
  }

  private frameAt(value: unknown, offset: number) {
    const at = numberOf(value);
    const text = at === undefined ? undefined : textOf(this.table?.[at]);
    if (at === undefined || text === undefined) throw this.errorAt(offset, 'the number of a frame', jsonExcerpt(value));
    return getOrMake(this.frames, at, () => {
      this.checkLimit('name', text.length, { offset });
      const names = parseValgrindFrame(text);
      const isAllocator = ALLOCATOR_OBJECT.test(names.object ?? '') || names.file === 'vg_replace_malloc.c';
      return { id: this.writer.frameOf(names), isAllocator };
    });
  }
}

const ALLOCATOR_OBJECT = /\/vgpreload_\w{1,40}-[\w.-]{1,40}\.so$/;

export const dhat: Loader = {
  name: 'dhat',
  title: 'DHAT of Valgrind: allocations with reads, writes and lifetimes; copies; ad-hoc events',
  provides: ['routines', 'calls', 'trees', 'lines'],
  purpose: 'allocations',
  make: 'valgrind --tool=dhat ./program',
  fileNames: /^dhat\.out\.|\.dhat(\.json)?(\.gz)?$/, // bounded: a file name
  detect,
  load: makeObjectLoader('pps', DhatReader),
};
