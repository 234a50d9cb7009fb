// The command that folded stacks begin with, as a label: told by what all stacks have in common, and not where a doubt is left.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { labelsOf } from '../../src/analysis/answers/stacks/tags.ts';
import { folded } from '../../src/formats/folded.ts';
import { loadProfile } from '../../src/io/load.ts';
import { stringAt } from '../../src/model/strings.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';

/** The cost of each command, in order of name. */
function costsOfCommands(profile: ReturnType<typeof profileOf<'stacks'>>): Record<string, number> {
  const labelled = labelsOf(profile);
  const sums: Record<string, number> = {};
  if (!labelled) return sums;
  const { labels, strings } = labelled;
  profile.stacks.part.forEach((_, s) => {
    for (let row = labels.start[labels.set[s]]; row < labels.start[labels.set[s] + 1]; row++)
      if (stringAt(strings, labels.key[row]) === 'comm') {
        const name = stringAt(strings, labels.value[row]);
        sums[name] = (sums[name] ?? 0) + profile.stacks.costs[0][s];
      }
  });
  return sums;
}
const load = async (text: string) => profileOf(await loadText(folded, text), 'stacks');

test('stacks of perf begin with the command', async () => {
  const profile = profileOf(await loadProfile([join(FIXTURES, 'folded/perf.folded')]), 'stacks');
  // The sum of the counts of all lines, which all begin with `words`.
  assert.deepEqual(costsOfCommands(profile), { words: 98_294_882 });
});

test('commands, of any names and costs, as they were made', async () => {
  const comm = fc.constantFrom('cc1plus', 'git', 'kworker/0:1', 'ninja', 'swapper');
  const stack = fc.record({
    comm,
    frames: fc.array(fc.constantFrom('f', 'g', 'h'), { minLength: 1, maxLength: 4 }),
    count: fc.integer({ min: 1, max: 99 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(stack, { minLength: 1, maxLength: 20 }), async (stacks) => {
      const made: Record<string, number> = {};
      for (const { comm, count } of stacks) made[comm] = (made[comm] ?? 0) + count;
      const text = stacks.map(({ comm, frames, count }) => `${[comm, ...frames, 'sys_read_[k]'].join(';')} ${count}\n`).join('');
      assert.deepEqual(costsOfCommands(await load(text)), made);
    }),
    { numRuns: 30 },
  );
});

test('no command where a first frame may be a function', async () => {
  for (const text of [
    // Without frames of the kernel, nothing tells that a profiler of the system made it.
    'words;main;f 3\nwords;main;g 4\n',
    'main;f;sys_read_[k] 3\n',
    '_start;main;sys_read_[k] 3\n',
    // The first frame is a frame elsewhere, too.
    'sort;main;sort;sys_read_[k] 3\n',
    // A stack of one frame.
    'git;f;sys_read_[k] 3\ngit 2\n',
  ])
    assert.deepEqual(costsOfCommands(await load(text)), {}, text);
});
