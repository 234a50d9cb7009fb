// What is done with an input beside loading it: which reports, which keys. As data, so that it can be repeated and made shorter.
import { globalBindings } from '../src/app/keymap.ts';
import { views } from '../src/views/index.ts';
import type { Random } from './random.ts';

export interface Plan {
  /** Seeds the borders of chunks, and the options of reports. */
  readonly seed: string;
  /** The file is loaded in other chunks and in other ways, and what comes out is compared. */
  readonly compare: boolean;
  /** So many reports in one form each; 'all': every report in every form. */
  readonly reports: number | 'all';
  /** Names of keys as the keymap has them; `80x24` resizes, `"text` pastes, `@3,1` clicks, `@3,1+` and `@3,1-` turn the wheel. */
  readonly keys: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly ascii: boolean;
  /** What it is compared with: `self`, or the input that this name makes. */
  readonly base?: string | undefined;
}

const KEYS = [...new Set([...globalBindings, ...views.flatMap((v) => v.keys)].flatMap((b) => [...b.keys]))].filter(
  (k) => !['q', 'ctrl-c', 'ctrl-z'].includes(k),
);
const DIGITS = KEYS.filter((k) => /^\d$/.test(k));
const MOVES = ['down', 'up', 'pagedown', 'pageup', 'home', 'end', 'left', 'right', 'enter', 'space', 'tab', 'j', 'k', 'l', 'h'];

const CLICKS = ['@3,1', '@30,2', '@9,2', '@20,5', '@20,5', '@4,9', '@70,12', '@9,23', '@20,7+', '@20,7-'];

/** What is typed after a key that asks for text. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  '&': [
    'a',
    'e',
    '!a',
    '/./',
    '/^[a-m]/',
    '/(a+)+$/',
    '/(\\w+\\W*)+foo/',
    '/(/',
    '/[/',
    '!/a|b/i',
    '\u65e5',
    '  ',
    'main',
    '\u0301',
    '!',
    '/',
    '//',
    'zzzzzz',
  ],
  '/': ['a', 'A', '/./', '/$/', '/(/', '/\\b/', 'main', '\u65e5', '.', ''],
  ':': [
    '12',
    '0',
    '999999999',
    'derive X=Ir',
    'derive X=2 Ir',
    'derive X=Ir/Ir',
    'derive X=1e308 Ir',
    'derive X=',
    'derive =',
    'derive __proto__=Ir',
    'derive Y=time',
    'derive Z=1000 samples',
    'derive Q=-1 time',
    'derive X=Ir+',
    'derive Ir=Ir',
    'derive X=time',
    'column Ir',
    'column __proto__',
    'filter /(/',
    'search a',
    'a',
    'go',
    'source-dir /',
    'write x.json',
    'export x.pb.gz',
    'note a',
    'set theme=dark',
    'base old',
    'zz',
  ],
  s: ['', 'incl', 'self', 'name', 'zz'],
  o: ['', 'o', 'e', 'on', 'off', 'file', 'next', 'group', 'colour'],
  E: ['', 'write', 'export', 'command'],
  S: ['', 'focus', 'ignore', 'hide=a', 'undo', 'own', 'tag'],
  m: ['a', '1'],
  "'": ['a', '1', '-'],
  v: ['a', '', 'Ir', 't'],
  '?': ['a', 'enter', ''],
};

/** So many keys; moves, digits and prompts more often than the rest. */
function someKeys(count: number, random: Random): string[] {
  const out: string[] = [];
  while (out.length < count) {
    const kind = random.below(20);
    if (kind < 6) out.push(random.pick(MOVES));
    else if (kind < 10) out.push(random.pick(DIGITS));
    else if (kind < 12) {
      const key = random.pick(Object.keys(TYPED));
      out.push(key, ...[...random.pick(TYPED[key])].map((c) => (c === ' ' ? 'space' : c)));
      if (random.chance(0.3)) out.push(random.pick(['left', 'backspace', 'ctrl-w', 'ctrl-u', 'home', 'delete', 'down']));
      out.push(random.chance(0.8) ? 'enter' : 'esc');
    } else if (kind < 13) out.push(sizeKey(random));
    else if (kind < 14) out.push(random.pick(['esc', 'esc', '"a\nb\t\u001b[0mc', '"\u65e5\u672c', ...CLICKS]));
    else out.push(random.pick(KEYS));
  }
  return out;
}

const sizeKey = (random: Random): string => {
  const [width, height] = random.chance(0.3)
    ? [random.between(1, 12), random.between(1, 6)]
    : [random.between(1, 250), random.between(1, 60)];
  return `${width}x${height}`;
};

/** A plan for a quick look, seldom for a thorough one. */
export function makePlan(seed: string, random: Random): Plan {
  const thorough = random.chance(0.006);
  const [width, height] = random.chance(0.6) ? [80, 24] : [random.between(1, 250), random.between(1, 60)];
  return {
    seed,
    compare: thorough || random.chance(0.08),
    reports: thorough ? 'all' : 1,
    keys: someKeys(thorough ? random.between(30, 100) : random.pick([0, 0, 2, 4, 10]), random),
    width,
    height,
    ascii: random.chance(0.1),
    // A base takes a trial twice as long.
    base: random.pick([undefined, undefined, undefined, undefined, undefined, undefined, 'self', `base ${seed}`]),
  };
}

/** Everything, for finds that were kept. */
export function wholePlan(seed: string, random: Random): Plan {
  return { seed, compare: true, reports: 'all', keys: someKeys(100, random), width: 80, height: 24, ascii: false, base: 'self' };
}
