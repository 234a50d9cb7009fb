// Commands of ninja's steps: expanded from build.ninja, and taken where ninja logged their hash. Both logs were written by ninja (1.11: version 5,
// 1.14: version 7); compdb.json is what `ninja -t compdb` prints.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { shellWords } from '../../src/analysis/builds/commands.ts';
import { FIXTURES, readJson } from '../support/fixtures.ts';
import { runWarm } from '../support/warm.ts';

const FOLDER = join(FIXTURES, 'ninja-log/commands');
const FILES = ['build.ninja', 'rules.ninja', 'sub.ninja'];

interface Step {
  readonly name: string;
  readonly command: string | null;
}

/** A folder with a log of this version and, edited, the files of the build. */
function folderOf(version: 5 | 7, edit = (text: string) => text): string {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-ninja-'));
  for (const name of FILES) writeFileSync(join(folder, name), edit(readFileSync(join(FOLDER, name), 'utf8')));
  copyFileSync(join(FOLDER, `v${version}.ninja_log`), join(folder, '.ninja_log'));
  return folder;
}

const stepsIn = (folder: string): readonly Step[] =>
  JSON.parse(runWarm([join(folder, '.ninja_log'), '--print', 'steps', '--json']).out).rows;

const printed = new Map(
  readJson<readonly { readonly output: string; readonly command: string }[]>(join(FOLDER, 'compdb.json')).map((e) => [
    e.output,
    e.command,
  ]),
);

for (const version of [5, 7] as const) {
  test(`all commands of a log of version ${version} are known, and as ninja prints them`, () => {
    const steps = stepsIn(folderOf(version));
    assert.equal(steps.length, 55);
    let compared = 0;
    for (const { name, command } of steps) {
      assert.notEqual(command, null, name);
      // ninja prints no commands of edges without inputs; these have the length in their name.
      const length = /^len(\d+)$/.exec(name)?.[1];
      if (length !== undefined) assert.equal(command?.length, Number(length));
      if (!printed.has(name)) continue;
      assert.equal(command, printed.get(name));
      compared++;
    }
    assert.equal(compared, printed.size);
  });

  test(`a command that is not the logged one is unknown in version ${version}`, () => {
    const steps = stepsIn(folderOf(version, (text) => text.replaceAll('-MF', '-MQ')));
    for (const { name, command } of steps) assert.equal(command === null, printed.get(name)?.includes('-MF') ?? false, name);
  });
}

test('rules that name themselves end, and their commands are unknown', () => {
  const steps = stepsIn(
    folderOf(5, (text) => text.replaceAll('description = of level $level', 'description = $description$description')),
  );
  assert.equal(steps.find(({ name }) => name === 'nested')?.command, null);
});

test('words of shell commands are those of a shell', () => {
  for (const [command, words] of [
    [`cc -DA='b c' "-DB=\\"x\\"" d\\ e ''`, ['cc', '-DA=b c', '-DB="x"', 'd e', '']],
    [`a'b'"c"\\d`, ['abcd']],
    ['  ', []],
    ['cd x && cc a.c', undefined],
    ['cc $FLAGS', undefined],
    ['cc "$FLAGS"', undefined],
    ['cc `pkg`', undefined],
    ["cc 'open", undefined],
  ] as const)
    assert.deepEqual(shellWords(command), words, command);
});
