// Numbers and texts that programs stumble over.

import { utf8 } from './input.ts';
import type { Random } from './random.ts';

const NUMBERS = [
  '0',
  '1',
  '-1',
  '-0',
  '2',
  '255',
  '256',
  '65535',
  '65536',
  '2147483647',
  '2147483648',
  '-2147483648',
  '4294967295',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551615',
  '18446744073709551616',
  '1e308',
  '-1e308',
  '1e999',
  '-1e999',
  '1e-320',
  '1.5',
  '.5',
  '5.',
  'NaN',
  'Infinity',
  '0x0',
  '0x1f',
  '0xffffffff',
  '0xffffffffffffffff',
  '0x',
  '+1',
  '+0',
  '--1',
  '++1',
  '*',
  '+*',
  '007',
  '1_000',
  '1,000',
  '１２',
  '',
  ' ',
];

const ESCAPES = [
  '\u001b[31m',
  '\u001b]0;owned\u0007',
  '\u001b[2J',
  '\u001bP1$r\u001b\\',
  '\u009b2J',
  '\u0085',
  '\u0000',
  '\u0007',
  '\b\b\b',
  '\r',
  '\t',
  '\u007f',
  '\u000b\u000c',
  '\u202e\u202dabc\u202c',
  '\u2066\u2069',
  '\u200b\u200e\u200f',
  '\ufeff',
  '\u2028\u2029',
  '\ufff9\ufffb',
];

const WORDS = [
  '',
  ' ',
  '.',
  '..',
  '/',
  '//',
  '-',
  '--flag',
  '???',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'prototype',
  'length',
  'null',
  'true',
  '"',
  "'",
  '\\',
  '`',
  '$(x)',
  '$\u007bx}',
  '%s%n',
  '<',
  '>',
  '<<<<',
  '>>>>',
  '((((',
  '))))',
  'a<b>::c(d)',
  'operator<',
  'operator()',
  'operator->*<int>',
  '(anonymous namespace)::f',
  '_ZN1aIS_E',
  '_ZSt4moveIRSsEONSt16remove_referenceIT_E4typeEOS2_',
  "f'2",
  '(1)',
  '(0) x',
  '(4294967296) y',
  '=',
  ':',
  ',',
  ';',
  '&',
  '#',
  '../../../../etc/passwd',
  '/dev/null',
  'C:\\x\\y.c',
  'file:///x',
  'Ä\u0308',
  'e\u0301\u0301\u0301\u0301',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!͖̬̰̙̗̿̋ͥͥ̂ͣ̐́́͜͞',
  '日本語の関数',
  'ｗｉｄｅ',
  '👩‍👩‍👧‍👦',
  '🇩🇪🇫',
  '\u0301',
  '\u200d\u200d',
  'ﷺ',
  'นี้',
  '\u{10ffff}',
];

/** Bytes that are no UTF-8: cut and lone characters, surrogates, longer than needed, beyond Unicode. */
const BROKEN = [
  '\xff',
  '\xc3',
  '\xe2\x82',
  '\xed\xa0\x80',
  '\xed\xbf\xbf',
  '\xc0\x80',
  '\xf5\x80\x80\x80',
  '\xf0\x9f\x98',
  '\x80',
  '\x9b31m',
];

export function hostileNumber(random: Random): string {
  if (random.chance(0.1)) return String(random.pick([2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63]) + random.between(-2, 2));
  if (random.chance(0.05)) return '9'.repeat(random.between(16, 400));
  if (random.chance(0.03)) return '0'.repeat(random.between(1, 400)) + '1';
  if (random.chance(0.2)) return String(random.below(random.pick([3, 100, 100_000, 2 ** 31])));
  return utf8(random.pick(NUMBERS));
}

/** A character for each byte of the text. */
export function hostileText(random: Random): string {
  const kind = random.below(20);
  if (kind < 5) return utf8(random.pick(ESCAPES));
  if (kind < 6) return utf8(`a${random.pick(ESCAPES)}b`);
  if (kind < 8) return random.pick(BROKEN);
  if (kind < 9)
    return utf8(random.pick(['x', 'ab::', '日', '\u0301', '<', '(', 'a ', '/', '👩‍👩', '\u001b[', '"', '_'])).repeat(
      random.pick([100, 1000, 10_000]),
    );
  if (kind < 10) return hostileNumber(random);
  return utf8(random.pick(WORDS));
}

/** The same as a string of JSON's: also lone surrogates, which bytes cannot say. */
export function hostileString(random: Random): string {
  if (random.chance(0.1)) return random.pick(['\ud800', '\udc00x', 'a\ud83d', '\udc00\ud800']);
  const text = hostileText(random);
  return random.chance(0.8) ? Buffer.from(text, 'latin1').toString('utf8') : text;
}
