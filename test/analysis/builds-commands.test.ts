// The compile commands of CMake's steps, against the compile_commands.json that CMake wrote for the same builds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { argumentsOfCommand } from '../../src/analysis/builds/commands.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { runWarm } from '../support/warm.ts';

/** The words of a command as a shell splits it, where it quotes by `"` and `\` only. */
const shellWords = (command: string): string[] =>
  Array.from(command.matchAll(/(?:"(?:[^"\\]|\\.)*"|\\.|[^ "\\])+/g), ([word]) =>
    word.replace(/\\(.)|"/g, (_, escaped: string | undefined) => escaped ?? ''),
  );

/** Without what CMake adds for dependencies when the compiler runs. */
const withoutDependencies = (words: readonly string[]) =>
  words.filter((word, k) => word !== '-MD' && !['-MT', '-MF'].some((flag) => flag === word || flag === words[k - 1]));

for (const name of ['tidepool-ninja-accumulated', 're2-make'])
  test(`the compile commands of ${name} are those of CMake`, () => {
    const build = join(unpack(join(FIXTURES, `cmake/${name}.json.gz`)), 'build');
    const truth = JSON.parse(readFileSync(join(build, 'compile_commands.json'), 'utf8'));
    const { code, out, err } = runWarm([build, '--print', 'compile-commands']);
    assert.equal(code, 0, err);
    const wordsByOutput = (all: readonly Record<string, string>[], words: (of: Record<string, string>) => readonly string[]) =>
      new Map(all.map((of) => [resolve(of['directory'], of['output']), [of['file'], ...withoutDependencies(words(of))]]));
    assert.ok(truth.length > 10);
    assert.deepEqual(
      wordsByOutput(JSON.parse(out), (of) => Array.from(of['arguments'])),
      wordsByOutput(truth, (of) => shellWords(of['command'])),
    );
  });

test('a quote ends an argument only where it began one with a blank', () => {
  for (const words of [
    ['cc', '-DA="b c"', '-c', 'a b.c'],
    ['cc', '"plain"', '-x', ' leading', 'trailing '],
    ['cc', '-DQ="', '-DE=""', 'x'],
  ]) {
    const command = words.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ');
    assert.deepEqual(argumentsOfCommand(command), words);
  }
  // A quote that nothing closes is part of its word.
  assert.deepEqual(argumentsOfCommand('cc "-DA=b c'), ['cc', '"-DA=b', 'c']);
});
