// Short names of routines. The grammar says which parts can be dropped, the width how many must be. The profile's other names
// decide which parts must stay, because no two names may look the same.
import { getOrCache, getOrMake, memo } from '../../base/lists.ts';
import { cellWidth, cutEnd, ELLIPSIS, fit, visible } from '../../base/text.ts';
import type { Head } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { decodeBytes, stringAt, stringCount } from '../../model/strings.ts';
import { NameGroups } from './groups.ts';
import { routineNumber, UNKNOWN_NAME } from './names.ts';
import { isPath, type NameForm, nameText, type ParsedName, parseName, UNLIMITED } from './parts.ts';

/** Name modes: fit to the width, without template arguments, without parameters, or complete. */
export const NAME_MODES = ['fit', 'no-templates', 'no-parameters', 'whole'] as const;
export type NameMode = (typeof NAME_MODES)[number];

/** The maximum number of similar names that are compared with each other. Larger groups are numbered. */
const MAX_COMPARED_NAMES = 2000;
const MAX_CACHED_NAMES = 20_000;
const MAX_CACHED_GROUPS = 500;
const MAX_SHORT_ARGUMENTS = 250;
/** How many characters of template arguments to keep, if only they distinguish names. */
const KEPT_ARGUMENT_LENGTHS = [24, 18, 13, 9, 6, 4];
/** The maximum width of a text. Longer texts fit nowhere. */
const MAX_TEXT_CELLS = 4096;
/** The maximum bytes of a parsed name, and of names that are compared: more would take longer than a key press may. */
const MAX_PARSED_BYTES = 32_768;
const MAX_COMPARED_BYTES = 300_000;
/** The maximum number of bytes per cell: bytes of a code unit times code units of a cell, as in cutEnd(). */
const MAX_BYTES_PER_CELL = 3 * 8;

/** A name in brackets that is not code, such as `(below the threshold)`, or all code of an object: `0x... [libc.so.6]`. */
const BRACKETED_NAME = /^(\([^()]*\)|0x\.\.\. \[.*\])$/;

/** An address in place of a name, as Valgrind writes it. */
const ADDRESS_NAME = /^0x0+([1-9a-f][0-9a-f]*|0)$/;

const encoder = new TextEncoder();

/** The numbers of scopes to drop: one by one, and in larger steps if there are many. */
function scopeDropCounts(scope: number): number[] {
  const all = Array.from({ length: Math.min(scope, 4) }, (_, k) => k + 1);
  return scope > 4 ? [...all, scope >> 1, scope - 1, scope] : all;
}

/** The forms in order of preference. `starts`: the mode that starts here; after the last follow forms that distinguish a name from others. */
function shorteningLadder({ parts, callers }: ParsedName): (NameForm & { readonly starts?: NameMode })[] {
  const { scope, params } = parts;
  const bare = { params: false, without: scope };
  const some = Math.min(callers.length, 8);
  const fewer = Array.from({ length: Math.max(0, some - 1) }, (_, k) => some - 1 - k);
  // Most names have no arguments to fold.
  const folds =
    callers.length > 0 || params.includes('<') || parts.segments.some((s) => s.args !== '' || s.identifier.includes('<'));
  // Only the folded part of long names fits.
  const isLong = params.length + parts.segments.reduce((n, s) => n + s.args.length, 0) > MAX_SHORT_ARGUMENTS;
  const ifShort = (...forms: NameForm[]) => (folds && !isLong ? forms : []);
  const ifFolds = (...forms: NameForm[]) => (folds ? forms : []);
  const ifParams = (...forms: NameForm[]) => (folds || params !== '' ? forms : []);
  return [
    { result: true, depth: UNLIMITED, params: true, without: 0, starts: 'fit' },
    { depth: UNLIMITED, params: true, without: 0 },
    ...ifShort({ depth: 2, params: true, without: 0 }, { depth: 1, params: true, without: 0 }),
    { depth: 0, params: true, without: 0, starts: 'no-templates' },
    { depth: 0, params: false, without: 0, starts: 'no-parameters' },
    ...scopeDropCounts(scope).map((without) => ({ depth: 0, params: false, without })),
    ...ifFolds({ ...bare, depth: -1 }),
    ...fewer.map((kept) => ({ ...bare, depth: -1, callers: kept })),
    ...fewer.map((kept) => ({ ...bare, depth: -1, only: kept })),
    ...(callers.length > 0 ? [{ ...bare, depth: -1, callers: 0 }] : []),
    ...ifShort({ depth: UNLIMITED, params: false, without: 0 }, { ...bare, depth: UNLIMITED }),
    ...ifFolds({ ...bare, depth: 1 }),
    ...ifShort({ ...bare, depth: UNLIMITED, bare: true }),
    ...ifFolds({ ...bare, depth: 1, bare: true }),
    ...ifShort({ ...bare, depth: -1, ownDepth: UNLIMITED, bare: true }, { ...bare, depth: UNLIMITED, ownDepth: -1, bare: true }),
    ...ifParams(
      { depth: 0, params: true, without: scope },
      { depth: 0, params: true, without: scope, bare: true },
      { depth: -1, params: true, without: scope, bare: true },
    ),
    ...ifShort({ depth: UNLIMITED, params: true, without: scope, bare: true }),
    ...(parts.segments.some(({ identifier }) => isPath(identifier)) ? [2, 1, 0] : []).map((folders) => ({
      ...bare,
      depth: 0,
      folders,
    })),
    ...ifFolds(...KEPT_ARGUMENT_LENGTHS.map((argsTo) => ({ ...bare, depth: 1, bare: true, argsTo }))),
  ];
}

const visibleWidth = (text: string) => cellWidth(visible(text));

class ShortNames {
  private readonly groups = memo(() => new NameGroups(this.head));
  private readonly kept = new Map<string, string>();
  /** By the first name of a group: the name that owns each text; -1 if several share it. */
  private readonly owners = new Map<number, ReadonlyMap<string, number>>();
  private readonly tails = new Map<number, ReadonlyMap<string, number>>();

  constructor(private readonly head: Head) {}

  shortNameOf(id: number, width: number, mode: NameMode): string {
    const { strings } = this.head;
    const bytes = strings.start[id + 1] - strings.start[id];
    // No text has more cells than bytes, or few that `visible` makes longer.
    if (bytes === 0 || mode === 'whole') return stringAt(strings, id) || UNKNOWN_NAME;
    if (bytes > MAX_PARSED_BYTES) {
      const from = strings.start[id];
      const to = from + Math.min(bytes, (width + 2) * MAX_BYTES_PER_CELL);
      return cutWithNumber(decodeBytes(strings.bytes, from, to), width, id);
    }
    return getOrCache(this.kept, `${id} ${width} ${mode}`, MAX_CACHED_NAMES, () => {
      const name = stringAt(strings, id);
      const fits = mode === 'fit' && bytes < MAX_TEXT_CELLS && visibleWidth(name) <= width;
      const digits = fits ? undefined : ADDRESS_NAME.exec(name)?.[1];
      return fits ? name : ((digits && this.shortAddress(digits, width)) ?? this.shorten(id, name, width, mode));
    });
  }

  /** An address without leading zeros, or only its last digits if they are unique; undefined if neither fits. */
  private shortAddress(digits: string, width: number): string | undefined {
    if (digits.length + 2 <= width) return `0x${digits}`;
    const tail = digits.slice(1 - width);
    return width > 1 && this.countTails(tail.length).get(tail) === 1 ? ELLIPSIS + tail : undefined;
  }

  /** By last digits: the number of addresses that end in them. */
  private countTails(length: number): ReadonlyMap<string, number> {
    return getOrMake(this.tails, length, () => {
      const { strings } = this.head;
      const counts = new Map<string, number>();
      for (let id = 0; id < stringCount(strings); id++) {
        const from = strings.start[id];
        // 0x0
        if (strings.bytes[from] !== 48 || strings.bytes[from + 1] !== 120 || strings.bytes[from + 2] !== 48) continue;
        const tail = ADDRESS_NAME.exec(stringAt(strings, id))?.[1].slice(-length);
        if (tail !== undefined) counts.set(tail, (counts.get(tail) ?? 0) + 1);
      }
      return counts;
    });
  }

  private shorten(id: number, name: string, width: number, mode: NameMode): string {
    const groups = this.groups();
    const group = groups.groupOf(id);
    const parsed = parseName(name);
    const steps = shorteningLadder(parsed);
    const owners = group.length > 1 ? this.ownersOf(group) : undefined;
    const first = steps.findIndex((step) => step.starts === mode);
    // A mode chosen by the user shows more only if the name would be ambiguous.
    // Steps before one that is too wide itself are wider still.
    const folded = steps.findIndex((step) => step.starts === 'no-templates');
    const tooWide = visibleWidth(nameText(parsed, steps[folded])) > width;
    for (let k = first; k < steps.length + first; k++) {
      if (tooWide && k % steps.length <= folded) continue;
      const text = nameText(parsed, steps[k % steps.length]);
      if (text.length > MAX_TEXT_CELLS || visibleWidth(text) > width || (owners && owners.get(text) !== id && text !== name))
        continue;
      if (text === name || groups.fitsGroup(id, encoder.encode(text))) return text;
    }
    return this.numberedName(id, group, width);
  }

  /** Whether the names can be compared with each other. */
  private areComparable(group: Uint32Array): boolean {
    const { start } = this.head.strings;
    return (
      group.length <= MAX_COMPARED_NAMES && group.reduce((sum, id) => sum + start[id + 1] - start[id], 0) <= MAX_COMPARED_BYTES
    );
  }

  private ownersOf(group: Uint32Array): ReadonlyMap<string, number> {
    return getOrCache(this.owners, group[0], MAX_CACHED_GROUPS, () => {
      const owners = new Map<string, number>();
      if (!this.areComparable(group)) return owners;
      for (const id of group) {
        const parsed = parseName(stringAt(this.head.strings, id));
        for (const form of shorteningLadder(parsed)) {
          const text = nameText(parsed, form);
          if (text.length <= MAX_TEXT_CELLS) owners.set(text, (owners.get(text) ?? id) === id ? id : -1);
        }
      }
      return owners;
    });
  }

  /** The form of paths and of Rust's `<T as Trait>` that is numbered if several names have it. */
  private bareText(id: number): string {
    const parsed = parseName(stringAt(this.head.strings, id));
    return nameText(parsed, { depth: 1, params: false, without: parsed.parts.scope, bare: true, folders: 0 });
  }

  /** The last resort: the parts that all short forms keep, cut in the middle if needed, with a number if ambiguous. */
  private numberedName(id: number, group: Uint32Array, width: number): string {
    const groups = this.groups();
    const key = groups.keyOf(id);
    if (BRACKETED_NAME.test(key)) {
      const cut = (other: number) => fit(visible(stringAt(this.head.strings, other)), width, 'left', 'middle').trimEnd();
      if (this.areComparable(group) && !group.some((other) => other !== id && cut(other) === cut(id))) return cut(id);
    }
    if (key.startsWith('<') || isPath(key)) {
      const text = this.bareText(id);
      const alike = this.areComparable(group) ? group.filter((other) => this.bareText(other) === text) : group;
      const number = `#${alike.indexOf(id) + 1}`;
      return visibleWidth(text) + number.length <= width ? text + number : cutWithNumber(text, width, id);
    }
    const same = this.areComparable(group) ? Array.from(group).filter((other) => groups.keyOf(other) === key) : group;
    const own = `#${same.indexOf(id) + 1}`;
    const isInGroup = groups.fitsGroup(id, encoder.encode(key));
    if (isInGroup && same.length > 1 && visibleWidth(key) + own.length <= width) return key + own;
    const leastTail = groups.leastTail(id);
    if (!isInGroup || leastTail === undefined || !/^[ -~]*$/.test(key)) return cutWithNumber(key, width, id);
    for (let digits = 0; digits < 8; digits++) {
      const ends = width - 1 - (digits > 0 ? digits + 1 : 0);
      // The sign of a destructor is not cut.
      const destructor = key.length - key.lastIndexOf('~');
      const tail = Math.max(leastTail, ends >> 1, destructor <= ends - 3 ? destructor : 0);
      const head = ends - tail;
      const alike = head < 3 || ends >= key.length ? undefined : groups.namesWithSameEnds(id, head, tail);
      if (!alike) break;
      const position = alike.indexOf(id) + 1;
      const number = digits === 0 ? '' : `#${position}`;
      if (position === 0 || (digits === 0 ? alike.length > 1 : number.length > digits + 1)) continue;
      return key.slice(0, head) + ELLIPSIS + key.slice(key.length - tail) + number;
    }
    return cutWithNumber(key, width, id);
  }
}

function cutWithNumber(text: string, width: number, id: number): string {
  const number = `#${id}`;
  const cut = cutEnd(visible(text), width - number.length - 1);
  return cut.endsWith(ELLIPSIS) ? cut + number : cut + ELLIPSIS + number;
}

const shortNames = memo((head: Head) => new ShortNames(head), 4);

/** The routine's name in at most `width` cells, if the mode allows it. It is stable and unique within a profile. */
export function shortName(profile: Profile, routine: number, width: number, mode: NameMode = 'fit'): string {
  const number = routineNumber(profile, routine);
  return shortNames(profile).shortNameOf(profile.routines.name[routine], Math.max(1, width - number.length), mode) + number;
}
