// Compiles of a build trace without optimization, where only the arguments tell, and where the environment may.
import assert from 'node:assert/strict';
import test from 'node:test';
import { unoptimizedCompiles } from '../../src/analysis/builds/compile-sets.ts';
import { buildTrace } from '../../src/formats/build-trace.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';

async function countsOf(commands: readonly (readonly [command: string, env?: Readonly<Record<string, string>>])[]) {
  const events = commands.map(([command, env], i) => {
    const args = command.split(' ');
    return {
      id: i + 2,
      parent_id: 1,
      work_dir: '/src',
      executable: `/bin/${args[0]}`,
      args,
      ...(env ? { 'env-diff': env } : {}),
    };
  });
  const lines = [
    { version: '101' },
    { id: 1, parent_id: 0, work_dir: '/src', executable: '/bin/make', args: ['make'] },
    ...events,
  ];
  const profile = await loadText(buildTrace, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { all, without, unknown } = unoptimizedCompiles(analysisOf(profileOf(profile, 'processes'), 'processes'));
  return { all: all.length, without: without.map(({ file }) => file.replace(/.*\//, '')), unknown };
}

test('options in CL and _CL_ of the environment leave it unknown whether MSVC optimizes', async () => {
  const commands = [
    ['cl /c a.cpp'],
    ['cl /c b.cpp', { CL: '/O2' }],
    ['cl.exe /c c.cpp', { _CL_: '/Od' }],
    ['clang-cl /c d.cpp', { cl: '/O2' }],
    ['cl /O2 /c e.cpp', { INCLUDE: 'x' }],
    // GCC reads no such variable.
    ['gcc -c f.c', { CL: '/O2' }],
  ] as const;
  assert.deepEqual(await countsOf(commands), { all: 3, without: ['a.cpp', 'f.c'], unknown: 3 });
});
