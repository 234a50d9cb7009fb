// Mutations of lines, numbers, names and ids. Texts have a character for each byte.
import { hostileNumber, hostileText } from './hostile.ts';
import { utf8 } from './input.ts';
import type { Random } from './random.ts';

export type TextMutation = (text: string, random: Random, other: () => string) => string;

/** The place of a random match, found without listing all of them: the first one after a random place. */
function anyMatch(text: string, pattern: RegExp, random: Random): RegExpExecArray | undefined {
  const sticky = new RegExp(pattern.source, 'g');
  sticky.lastIndex = random.below(text.length);
  const found = sticky.exec(text);
  if (found) return found;
  sticky.lastIndex = 0;
  return sticky.exec(text) ?? undefined;
}

function replaced(text: string, match: RegExpExecArray | undefined, by: (old: string) => string): string {
  if (!match) return text;
  return text.slice(0, match.index) + by(match[0]) + text.slice(match.index + match[0].length);
}

const NUMBER = /(?<![\w.])[-+*]?(?:0x[\da-fA-F]+|\d+(?:\.\d+)?)(?![\w])|\*/;
const NAME = /(?<=[=:\t"( ]|^)[A-Za-z_/.~][^\n"\t]*(?=\n|"|\t|$)/;
const WORD = /[A-Za-z_][\w:.<>/-]*/;
const ID = /\(\d+\)/;

const number: TextMutation = (text, random) =>
  replaced(text, anyMatch(text, NUMBER, random), (old) =>
    random.chance(0.2) ? `${old}${hostileNumber(random)}` : hostileNumber(random),
  );

/** The same number wherever it stands, so that what refers to it still does. */
const sameNumbers: TextMutation = (text, random) => {
  const found = anyMatch(text, NUMBER, random)?.[0];
  if (found === undefined || found === '') return text;
  const by = hostileNumber(random);
  return text.split(found).slice(0, 200).join(by);
};

const name: TextMutation = (text, random) =>
  replaced(text, anyMatch(text, random.chance(0.5) ? NAME : WORD, random), (old) =>
    random.chance(0.3)
      ? old.slice(0, random.below(old.length)) + hostileText(random) + old.slice(random.below(old.length))
      : hostileText(random),
  );

const id: TextMutation = (text, random) => {
  const match = anyMatch(text, ID, random);
  const known = anyMatch(text, ID, random)?.[0] ?? '(1)';
  const made = random.pick([
    known,
    `(${hostileNumber(random)})`,
    `(${random.below(1000)})`,
    `${known} ${hostileText(random)}`,
    '()',
    '(1',
    `${known} `,
  ]);
  return match ? replaced(text, match, () => made) : number(text, random, () => '');
};

const insert: TextMutation = (text, random) => {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + hostileText(random) + text.slice(at);
};

const cut: TextMutation = (text, random) =>
  random.chance(0.5) ? text.slice(0, random.below(text.length + 1)) : text.slice(0, text.length - random.small(40));

type Lines = (lines: string[], random: Random, other: () => string) => void;

const onLines =
  (change: Lines): TextMutation =>
  (text, random, other) => {
    const lines = text.split('\n');
    change(lines, random, other);
    return lines.join('\n');
  };

const anyLine = (lines: readonly string[], random: Random) => random.below(lines.length);

const LINES: readonly Lines[] = [
  (lines, random) => lines.splice(anyLine(lines, random), random.small(10)),
  (lines, random) => {
    const [a, b] = [anyLine(lines, random), anyLine(lines, random)];
    [lines[a], lines[b]] = [lines[b], lines[a]];
  },
  (lines, random) => {
    const from = anyLine(lines, random);
    lines.splice(anyLine(lines, random), 0, ...lines.slice(from, from + random.small(20)));
  },
  (lines, random) => {
    const at = anyLine(lines, random);
    const line = lines[at];
    // Far fewer than a large file has, and enough for what is quadratic to show.
    const times = random.small(random.chance(0.05) ? 5000 : 60);
    lines.splice(at, 0, ...new Array<string>(Math.min(times, Math.floor(300_000 / (line.length + 1)) + 1)).fill(line));
  },
  (lines, random, other) => {
    const theirs = other().split('\n');
    const from = anyLine(theirs, random);
    lines.splice(anyLine(lines, random), random.small(5), ...theirs.slice(from, from + random.small(20)));
  },
  (lines, random) => {
    const at = anyLine(lines, random);
    lines[at] += random.pick(['\r', ' ', '\t', '  x', ' 1', ' 1 2 3 4 5 6 7 8 9', '\u0000', '=', '#']);
  },
  (lines, random) => {
    const at = anyLine(lines, random);
    lines.splice(at, 2, (lines[at] ?? '') + (lines[at + 1] ?? ''));
  },
  (lines, random) => {
    const at = anyLine(lines, random);
    const words = lines[at].split(' ');
    const w = random.below(words.length);
    if (random.chance(0.5)) words.splice(w, 1);
    else words.splice(w, 0, ...words.slice(0, random.between(1, 3)), hostileNumber(random));
    lines[at] = words.join(' ');
  },
  (lines, random) => {
    // Numbered copies: many different names, as ids in files of long runs.
    const line = lines[anyLine(lines, random)];
    const times = random.small(400);
    const copies = Array.from({ length: times }, (_, i) => line.replace(/\d+|$/, `$&${i}`));
    if (line.length * times < 200_000) lines.splice(anyLine(lines, random), 0, ...copies);
  },
  (lines) => lines.reverse(),
];

const whole: TextMutation = (text, random) => {
  switch (random.below(6)) {
    case 0:
      return text.replaceAll('\n', '\r\n');
    case 1:
      return utf8('\ufeff') + text;
    case 2:
      return text.replace(/\n$/, '');
    case 3:
      return text.replaceAll('\n', '\r');
    case 4:
      return `${text}\n${text}`;
    default:
      return repeated(text, random);
  }
};

/** A block again and again, seldom up to a megabyte. */
function repeated(text: string, random: Random): string {
  if (text.length === 0) return text;
  const from = random.below(text.length);
  const block = text.slice(from, from + random.between(1, Math.min(4000, text.length)));
  const most = random.chance(0.02) ? 1 << 20 : random.pick([2000, 20_000]);
  return text.slice(0, from) + block.repeat(Math.max(1, Math.floor(most / block.length))) + text.slice(from);
}

const MUTATIONS: readonly (readonly [weight: number, TextMutation])[] = [
  [5, number],
  [1, sameNumbers],
  [5, name],
  [2, id],
  [2, insert],
  [1, cut],
  [6, (text, random, other) => onLines(random.pick(LINES))(text, random, other)],
  [1, whole],
];

const TOTAL = MUTATIONS.reduce((sum, [weight]) => sum + weight, 0);

export const mutateText: TextMutation = (text, random, other) => {
  let at = random.below(TOTAL);
  const found = MUTATIONS.find(([weight]) => {
    at -= weight;
    return at < 0;
  });
  return found ? found[1](text, random, other) : text;
};
