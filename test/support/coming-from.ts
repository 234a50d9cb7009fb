// The tables of docs/coming-from.md, and what proftui answers to a command of another tool.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import stringArgv from 'string-argv';
import { existing, FIXTURES, ROOT } from './fixtures.ts';
import { runWarm } from './warm.ts';

export interface Line {
  readonly there: string;
  readonly here: string;
}

/** The sections of the guide with the rows of their tables. */
export function sections(): Map<string, Line[]> {
  const text = readFileSync(join(ROOT, 'docs/coming-from.md'), 'utf8');
  return new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((part) => [
        part.slice(0, part.indexOf('\n')),
        [...part.matchAll(/^\| (.*?) \| (.*) \|$/gm)].slice(2).map(([, there, here]) => ({ there, here })),
      ]),
  );
}

/** The command line of the guide that answers one of another tool, in words. */
export function wordsFor(tool: string, there: string): string[] {
  const line = sections()
    .get(tool)
    ?.find((row) => row.there === there);
  const command = /^`proftui ([^`]*)`/.exec(line?.here ?? '')?.[1];
  assert.ok(command !== undefined, `docs/coming-from.md: ${tool}: ${there}`);
  return stringArgv(command);
}

/** What the words print; words that name a file of the guide name that of the fixtures. */
export function print(words: readonly string[], files: Readonly<Record<string, string>>): string {
  const args = words.map((word) => (files[word] === undefined ? word : existing(join(FIXTURES, files[word]))));
  const { code, out, err } = runWarm(args);
  assert.equal(code, 0, `${words.join(' ')}: ${err}`);
  return out;
}

/** The rows of a report as JSON. */
export function rowsOf<Row>(words: readonly string[], files: Readonly<Record<string, string>>): Row[] {
  return JSON.parse(print([...words, '--json'], files)).rows;
}
