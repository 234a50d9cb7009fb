// Short names of routines: the grammar of the name says what can go, the width how much must, and the other names of the profile what
// has to stay, since no two names may look the same.
import { getOrMake } from '../../base/lists.ts';
import { memo } from '../../base/memo.ts';
import { cellWidth, cutEnd, ELLIPSIS, fit, visible } from '../../base/text.ts';
import type { Head } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { decodeBytes, stringAt, stringCount } from '../../model/strings.ts';
import { NameGroups } from './groups.ts';
import { UNKNOWN } from './names.ts';
import { ALL, type Form, type Parsed, parseName, textOf } from './parts.ts';

/** The shown part of a name: as much as there is room for; never template arguments; nor parameters; all of it. */
export const NAME_MODES = ['fit', 'no-templates', 'no-parameters', 'whole'] as const;
export type NameMode = (typeof NAME_MODES)[number];

/** Names of a group that are compared with each other. Where there are more, they are numbered. */
const MOST_COMPARED = 2000;
/** Short names and groups that are kept. */
const MOST_KEPT = 20_000;
const MOST_GROUPS = 500;
const LONG_ARGUMENTS = 250;
/** Characters of template arguments by which a name may be told where nothing else does. */
const BEGINNINGS = [24, 18, 13, 9, 6, 4];
/** Longer texts fit nowhere. */
const LONGEST = 4096;
/** Bytes of names that are taken apart, and of names that are compared with each other: more would take longer than a key may. */
const MOST_PARSED = 32_768;
const MOST_BYTES = 300_000;
/** Bytes of a code unit, at most, and code units of a cell, at most, as `cutEnd` has it. */
const BYTES_OF_CELL = 3 * 8;

/** `(below the threshold)`: no code. */
const REMARK = /^\([^()]*\)$/;

/** An address in place of a name, as Valgrind writes it. */
const ADDRESS = /^0x0+([1-9a-f][0-9a-f]*|0)$/;

const encoder = new TextEncoder();

/** How far scopes are left out: one by one, and in steps where there are many. */
function dropsOf(scope: number): number[] {
  const all = Array.from({ length: Math.min(scope, 4) }, (_, k) => k + 1);
  return scope > 4 ? [...all, scope >> 1, scope - 1, scope] : all;
}

interface Step {
  /** The modes that start here. */
  readonly starts?: NameMode;
  readonly form: Form;
}

/** The ladder: what goes first, and, after the last `starts`, what else a name can be told by where others look the same. */
function ladderOf({ parts, callers }: Parsed): Step[] {
  const { scope, params } = parts;
  const bare = { params: false, without: scope };
  const some = Math.min(callers.length, 8);
  const fewer = Array.from({ length: Math.max(0, some - 1) }, (_, k) => some - 1 - k);
  // Most names have no arguments to fold.
  const folds =
    callers.length > 0 || params.includes('<') || parts.segments.some((s) => s.args !== '' || s.identifier.includes('<'));
  // Only the folded part of long names fits.
  const isLong = params.length + parts.segments.reduce((n, s) => n + s.args.length, 0) > LONG_ARGUMENTS;
  const ifShort = (...forms: Form[]): Step[] => (folds && !isLong ? forms.map((form) => ({ form })) : []);
  const ifFolds = (...forms: Form[]): Step[] => (folds ? forms.map((form) => ({ form })) : []);
  const ifParams = (...forms: Form[]): Step[] => (folds || params !== '' ? forms.map((form) => ({ form })) : []);
  return [
    { form: { result: true, depth: ALL, params: true, without: 0 }, starts: 'fit' },
    { form: { depth: ALL, params: true, without: 0 } },
    ...ifShort({ depth: 2, params: true, without: 0 }, { depth: 1, params: true, without: 0 }),
    { form: { depth: 0, params: true, without: 0 }, starts: 'no-templates' },
    { form: { depth: 0, params: false, without: 0 }, starts: 'no-parameters' },
    ...dropsOf(scope).map((without): Step => ({ form: { depth: 0, params: false, without } })),
    ...ifFolds({ ...bare, depth: -1 }),
    ...fewer.map((kept): Step => ({ form: { ...bare, depth: -1, callers: kept } })),
    ...fewer.map((kept): Step => ({ form: { ...bare, depth: -1, only: kept } })),
    ...(callers.length > 0 ? [{ form: { ...bare, depth: -1, callers: 0 } }] : []),
    ...ifShort({ depth: ALL, params: false, without: 0 }, { ...bare, depth: ALL }),
    ...ifFolds({ ...bare, depth: 1 }),
    ...ifShort({ ...bare, depth: ALL, bare: true }),
    ...ifFolds({ ...bare, depth: 1, bare: true }),
    ...ifShort({ ...bare, depth: -1, ownDepth: ALL, bare: true }, { ...bare, depth: ALL, ownDepth: -1, bare: true }),
    ...ifParams(
      { depth: 0, params: true, without: scope },
      { depth: 0, params: true, without: scope, bare: true },
      { depth: -1, params: true, without: scope, bare: true },
    ),
    ...ifShort({ depth: ALL, params: true, without: scope, bare: true }),
    ...ifFolds(...BEGINNINGS.map((argsTo): Form => ({ ...bare, depth: 1, bare: true, argsTo }))),
  ];
}

const widthOf = (text: string) => cellWidth(visible(text));

class ShortNames {
  private made: NameGroups | undefined;
  private readonly kept = new Map<string, string>();
  /** By the first name of a group: the name that each text stands for; -1 where there are several. */
  private readonly owners = new Map<number, ReadonlyMap<string, number>>();

  private readonly tails = new Map<number, ReadonlyMap<string, number>>();

  constructor(private readonly head: Head) {}

  private get groups(): NameGroups {
    this.made ??= new NameGroups(this.head);
    return this.made;
  }

  of(id: number, room: number, mode: NameMode): string {
    const { strings } = this.head;
    const bytes = strings.start[id + 1] - strings.start[id];
    // No text has more cells than bytes, or few that `visible` makes longer.
    if (bytes === 0 || mode === 'whole') return stringAt(strings, id) || UNKNOWN;
    if (bytes > MOST_PARSED) {
      const from = strings.start[id];
      return withNumber(decodeBytes(strings.bytes, from, Math.min(from + bytes, from + (room + 2) * BYTES_OF_CELL)), room, id);
    }
    const place = `${id} ${room} ${mode}`;
    let short = this.kept.get(place);
    if (short === undefined) {
      const name = stringAt(strings, id);
      const fits = mode === 'fit' && bytes < LONGEST && widthOf(name) <= room;
      const digits = fits ? undefined : ADDRESS.exec(name)?.[1];
      short = fits ? name : ((digits && this.addressIn(digits, room)) ?? this.shorten(id, name, room, mode));
      if (this.kept.size >= MOST_KEPT) this.kept.clear();
      this.kept.set(place, short);
    }
    return short;
  }

  /** Without the zeros before it, and its last digits alone where these are no other's; undefined where that has no room. */
  private addressIn(digits: string, room: number): string | undefined {
    if (digits.length + 2 <= room) return `0x${digits}`;
    const tail = digits.slice(1 - room);
    return room > 1 && this.tailsOf(tail.length).get(tail) === 1 ? ELLIPSIS + tail : undefined;
  }

  /** How many addresses have the same last digits. */
  private tailsOf(length: number): ReadonlyMap<string, number> {
    return getOrMake(this.tails, length, () => {
      const { strings } = this.head;
      const counts = new Map<string, number>();
      for (let id = 0; id < stringCount(strings); id++) {
        const from = strings.start[id];
        // 0x0
        if (strings.bytes[from] !== 48 || strings.bytes[from + 1] !== 120 || strings.bytes[from + 2] !== 48) continue;
        const tail = ADDRESS.exec(stringAt(strings, id))?.[1].slice(-length);
        if (tail !== undefined) counts.set(tail, (counts.get(tail) ?? 0) + 1);
      }
      return counts;
    });
  }

  private shorten(id: number, name: string, room: number, mode: NameMode): string {
    const { groups } = this;
    const around = groups.around(id);
    const parsed = parseName(name);
    const steps = ladderOf(parsed);
    const owners = around.length > 1 ? this.ownersOf(around) : undefined;
    const first = steps.findIndex((step) => step.starts === mode);
    // A mode chosen by hand shows more only where less does not tell the name from others.
    // Steps before one that is too wide itself are wider still.
    const folded = steps.findIndex((step) => step.starts === 'no-templates');
    const tooWide = widthOf(textOf(parsed, steps[folded].form)) > room;
    for (let k = first; k < steps.length + first; k++) {
      if (tooWide && k % steps.length <= folded) continue;
      const text = textOf(parsed, steps[k % steps.length].form);
      if (text.length > LONGEST || widthOf(text) > room || (owners && owners.get(text) !== id && text !== name)) continue;
      if (text === name || groups.isAround(id, encoder.encode(text))) return text;
    }
    return this.numbered(id, around, room);
  }

  /** Whether the names can be compared with each other. */
  private areFew(around: Uint32Array): boolean {
    const { start } = this.head.strings;
    return around.length <= MOST_COMPARED && around.reduce((sum, id) => sum + start[id + 1] - start[id], 0) <= MOST_BYTES;
  }

  private ownersOf(around: Uint32Array): ReadonlyMap<string, number> {
    let owners = this.owners.get(around[0]);
    if (!owners) {
      const made = new Map<string, number>();
      if (this.areFew(around))
        for (const id of around) {
          const parsed = parseName(stringAt(this.head.strings, id));
          for (const { form } of ladderOf(parsed)) {
            const text = textOf(parsed, form);
            if (text.length <= LONGEST) made.set(text, (made.get(text) ?? id) === id ? id : -1);
          }
        }
      owners = made;
      if (this.owners.size >= MOST_GROUPS) this.owners.clear();
      this.owners.set(around[0], owners);
    }
    return owners;
  }

  /** The last resort: what all short forms keep, cut in the middle if need be, with a number where others would look the same. */
  private numbered(id: number, around: Uint32Array, room: number): string {
    const { groups } = this;
    const key = groups.keyOf(id);
    if (REMARK.test(key)) {
      const cut = (other: number) => fit(visible(stringAt(this.head.strings, other)), room, 'left', 'middle').trimEnd();
      if (this.areFew(around) && !around.some((other) => other !== id && cut(other) === cut(id))) return cut(id);
    }
    const same = this.areFew(around) ? Array.from(around).filter((other) => groups.keyOf(other) === key) : around;
    const own = `#${same.indexOf(id) + 1}`;
    const sound = groups.isAround(id, encoder.encode(key));
    if (sound && same.length > 1 && widthOf(key) + own.length <= room) return key + own;
    const leastTail = groups.leastTail(id);
    if (!sound || leastTail === undefined || !/^[ -~]*$/.test(key)) return withNumber(key, room, id);
    for (let digits = 0; digits < 8; digits++) {
      const ends = room - 1 - (digits > 0 ? digits + 1 : 0);
      const tail = Math.max(leastTail, ends >> 1);
      const head = ends - tail;
      const alike = head < 3 || ends >= key.length ? undefined : groups.alike(id, head, tail);
      if (!alike) break;
      const place = alike.indexOf(id) + 1;
      const number = digits === 0 ? '' : `#${place}`;
      if (place === 0 || (digits === 0 ? alike.length > 1 : number.length > digits + 1)) continue;
      return key.slice(0, head) + ELLIPSIS + key.slice(key.length - tail) + number;
    }
    return withNumber(key, room, id);
  }
}

function withNumber(text: string, room: number, id: number): string {
  const number = `#${id}`;
  const cut = cutEnd(visible(text), room - number.length - 1);
  return cut.endsWith(ELLIPSIS) ? cut + number : cut + ELLIPSIS + number;
}

const shortNames = memo((head: Head) => new ShortNames(head), 4);

/** The routine's name in at most `room` cells where the mode allows it: for one profile, always the same, and no other name's. */
export function shortName(profile: Profile, routine: number, room: number, mode: NameMode = 'fit'): string {
  return shortNames(profile).of(profile.routines.name[routine], Math.max(1, room), mode);
}
