// The words of the command line: flags with their values, and paths. Whatever is wrong with them is refused here, by name:
// meow would take an unknown flag, a cluster of letters, or `--limit abc`, which becomes NaN.
import { rank } from '../base/match.ts';
import type { FlagSpec } from './flag-spec.ts';
import { flagSpecs } from './flag-table.ts';
import { UsageError } from './usage-error.ts';

/** A flag as it was typed; `value` is undefined for those that take none. */
export interface Word {
  readonly flag: FlagSpec;
  readonly value: string | undefined;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i; // bounded: an argument

/** Throws UsageError. */
export function readWords(argv: readonly string[]): { readonly words: readonly Word[]; readonly paths: readonly string[] } {
  const words: Word[] = [];
  const paths: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i];
    if (arg === '--') {
      paths.push(...argv.slice(i + 1));
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) {
      paths.push(arg);
      continue;
    }
    const flag = flagOf(arg);
    const equals = arg.indexOf('=');
    if (flag.type === 'boolean') {
      if (equals >= 0) throw new UsageError(`--${flag.name} takes no value`);
      words.push({ flag, value: undefined });
      continue;
    }
    // `--filter -x`: the next word is the value, even if it starts with a dash; with two, it is a flag.
    const value = equals >= 0 ? arg.slice(equals + 1) : argv[++i];
    if (value === undefined || (equals < 0 && value.startsWith('--')))
      throw new UsageError(`--${flag.name} needs a value: ${flag.arg}`);
    words.push({ flag, value });
  }
  checkValues(words);
  return { words, paths };
}

/** The flag that a word names. Throws UsageError if there is none. */
function flagOf(arg: string): FlagSpec {
  if (!arg.startsWith('--')) {
    const found = flagSpecs.find((f) => f.short !== undefined && `-${f.short}` === arg);
    if (found) return found;
    throw new UsageError(`unknown flag ${arg}; flags start with two dashes, as in --help`);
  }
  const name = arg.slice(2).split('=', 1)[0];
  const found = flagSpecs.find((f) => f.name === name);
  if (found) return found;
  const names = flagSpecs.map((f) => f.name);
  const [close] = rank(name.replace(/^no-/, ''), names, (n) => n);
  throw new UsageError(`unknown flag ${arg}${close ? `; did you mean --${close}?` : ''}`);
}

function checkValues(words: readonly Word[]): void {
  for (const { flag, value } of words) {
    const times = words.filter((w) => w.flag === flag).length;
    if (flag.type !== 'boolean' && !flag.many && times > 1)
      throw new UsageError(`--${flag.name} was given ${times} times; it takes one value`);
    if (flag.type === 'number' && !NUMBER.test(value ?? '')) throw new UsageError(`--${flag.name} takes a number, not ${value}`);
  }
}
