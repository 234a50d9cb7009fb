// --log: what ninja printed, as messages of the steps. The log and .ninja_log below are of one real build.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import fc from 'fast-check';
import { neverRan, stepName, stepText } from '../../src/analysis/answers/steps/steps.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { profileOf } from '../support/kinds.ts';
import { runWarm } from '../support/warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
after(() => rmSync(folder, { recursive: true }));

const NINJA_LOG = `# ninja log v5
0	2	1	gen.h	1
2	17	2	CMakeFiles/lib.dir/a.c.o	2
17	33	3	CMakeFiles/lib.dir/b.c.o	3
33	173	4	liblib.a	4
173	189	5	CMakeFiles/app.dir/main.c.o	5
`;
const PRINTED = `ninja: Entering directory \`build'
[1/6] Generating gen.h
gen.sh: warning: made by hand
[2/6] Building C object CMakeFiles/lib.dir/a.c.o
/tmp/nb/a.c: In function ‘a’:
/tmp/nb/a.c:1:19: \u001b[35mwarning:\u001b[m unused variable ‘unused’ [-Wunused-variable]
[3/6] Building C object CMakeFiles/lib.dir/b.c.o
[4/6] Linking C static library liblib.a
[5/6] Building C object CMakeFiles/app.dir/main.c.o
[6/6] Linking C executable app
FAILED: app 
: && /usr/bin/cc   CMakeFiles/app.dir/main.c.o -o app  liblib.a && :
/usr/bin/ld: CMakeFiles/app.dir/main.c.o: in function \`main':
main.c:(.text+0x16): undefined reference to \`undefined_thing'
collect2: error: ld returned 1 exit status
ninja: build stopped: cannot make progress due to previous errors.
`;

async function messagesOf(printed: string, log = NINJA_LOG) {
  const [build, output] = [join(folder, '.ninja_log'), join(folder, 'ninja.out')];
  writeFileSync(build, log);
  writeFileSync(output, printed);
  const profile = profileOf(await loadProfile([build], { log: output }), 'steps');
  const steps = Array.from(profile.steps.name.keys());
  const messages = new Map(steps.map((i) => [stepName(profile, i), stepText(profile, 'messages', i)]));
  return { messages, warnings: profile.warnings };
}

test('each step has what its command wrote; a failed command without a step is one', async () => {
  const { messages, warnings } = await messagesOf(PRINTED);
  assert.equal(messages.get('gen.h'), 'gen.sh: warning: made by hand');
  assert.equal(
    messages.get('CMakeFiles/lib.dir/a.c.o'),
    '/tmp/nb/a.c: In function ‘a’:\n/tmp/nb/a.c:1:19: warning: unused variable ‘unused’ [-Wunused-variable]',
  );
  assert.deepEqual([...messages.values()].filter((text) => text !== null).length, 3);
  assert.match(messages.get('app') ?? '', /undefined reference to `undefined_thing'\ncollect2/);
  assert.deepEqual(warnings, []);
});

test('the log says that the build failed, and findings and limits say so', async () => {
  const log = join(folder, '.ninja_log');
  await messagesOf(PRINTED);
  const printed = join(folder, 'ninja.out');
  const found = runWarm([log, '--log', printed, '--print', 'findings']).out;
  assert.match(found, /The build failed in 1 step: app \(failed, by the log, which has no times\); first error: main\.c:/);
  assert.doesNotMatch(found, /came to its end/);
  assert.equal(runWarm([log, '--log', printed, '--fail-if', 'build failed']).code, 3);
  // ninja 1.13 tells the exit code.
  writeFileSync(printed, PRINTED.replace('FAILED: app', 'FAILED: [code=7] app'));
  const { rows } = JSON.parse(runWarm([log, '--log', printed, '--print', 'steps', '--json']).out);
  assert.deepEqual(
    rows
      .filter((row: { readonly result: unknown }) => row.result !== 0)
      .map((row: { readonly name: string; readonly result: unknown }) => [row.name, row.result]),
    [['app', 7]],
  );
});

test('a command that failed by the log did run: only its time is unknown', async () => {
  await messagesOf(PRINTED);
  const log = join(folder, 'ninja.out');
  const profile = profileOf(await loadProfile([join(folder, '.ninja_log')], { log }), 'steps');
  const [failed, ...others] = Array.from(profile.steps.name.keys()).filter((i) => Number.isNaN(profile.steps.startUs[i]));
  assert.deepEqual([stepName(profile, failed), others], ['app', []]);
  assert.equal(neverRan(profile.steps, failed), false);
  const player = play(profile, { width: 100, height: 24 });
  const screen = () => toPlainText(drawScreen(player.state));
  player.press('2');
  assert.match(screen(), /5 of 6 steps have a start time/);
  player.press('3', 'G');
  assert.match(screen(), /▶ +\? .* ✗ +app/);
  assert.match(screen(), / app: no time is recorded, result failed/);
  player.press('enter');
  assert.match(screen(), /time +not recorded/);
  assert.doesNotMatch(screen(), /never/);
});

test('outputs, texts and orders of any build', async () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}(\/[a-z .+-]{1,8})?\.o$/), { minLength: 1, maxLength: 8 });
  const lines = fc.array(fc.constantFrom('a.c:1: warning: x', '  1 | int a;', 'note: [3/4]', ''), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(names, fc.array(lines, { minLength: 8, maxLength: 8 }), async (outputs, texts) => {
      const log = `# ninja log v5\n${outputs.map((name, k) => `${k}\t${k + 1}\t1\t${name}\t${k}\n`).join('')}`;
      const printed = outputs
        .map((name, k) => [`[${k + 1}/${outputs.length}] Building C object ${name}`, ...texts[k], ''].join('\n'))
        .join('');
      const { messages, warnings } = await messagesOf(printed, log);
      for (const [k, name] of outputs.entries()) assert.equal(messages.get(name) ?? '', texts[k].join('\n').trim(), name);
      assert.equal(warnings.length, 0);
    }),
    { numRuns: 60 },
  );
});

test('commands without a step are counted; other files, profiles and bases are told apart', async () => {
  const { warnings } = await messagesOf(
    '[1/2] Building C object x.o\nx.c:1: warning: a\n[2/2] Building C object y.o\nwarning: b\n',
  );
  assert.deepEqual(
    warnings.map(({ found }) => found),
    ['2 commands without one, the first Building C object x.o'],
  );
  await assert.rejects(
    messagesOf('make: nothing to do\n'),
    /expected the output of ninja, with lines such as \[1\/10\] Building …/,
  );
  const printed = join(folder, 'printed');
  writeFileSync(printed, PRINTED);
  const calls = runWarm([join(FIXTURES, 'callgrind/instr-jumps.callgrind.out.gz'), '--log', printed, '--print', 'routines']);
  assert.equal(calls.code, 1);
  assert.match(calls.err, /expected a build, to whose steps the messages of the log belong, found a callgrind profile/);
  writeFileSync(join(folder, '.ninja_log'), NINJA_LOG);
  const build = join(folder, '.ninja_log');
  const compared = runWarm([build, '--base', build, '--log', printed, '--print', 'steps', '--json']);
  assert.equal(compared.code, 0, compared.err);
  assert.match(runWarm([build, '--log', printed, '--print', 'findings']).out, /The commands wrote 2 warnings/);
});

// The hashes are of ninja's, for these commands.
test('with ninja -v, the status is the command: its step is found by that', async () => {
  const cc = (name: string) =>
    `/usr/bin/cc    -MD -MT CMakeFiles/app.dir/${name}.c.o -MF CMakeFiles/app.dir/${name}.c.o.d -o CMakeFiles/app.dir/${name}.c.o -c /tmp/nv/${name}.c`;
  const own = mkdtempSync(join(folder, 'verbose'));
  const edges = ['main', 'warn'].map(
    (name) => `build CMakeFiles/app.dir/${name}.c.o: C_COMPILER__app_ /tmp/nv/${name}.c\n  DEP_FILE = x\n`,
  );
  writeFileSync(
    join(own, 'build.ninja'),
    `rule C_COMPILER__app_\n  command = /usr/bin/cc    -MD -MT $out -MF $out.d -o $out -c $in\n\n${edges.join('\n')}`,
  );
  writeFileSync(
    join(own, '.ninja_log'),
    '# ninja log v5\n0\t54\t1796014039233458641\tCMakeFiles/app.dir/main.c.o\t7b0a4f3bade610b2\n3\t57\t1796014039246126709\tCMakeFiles/app.dir/warn.c.o\tb2246c23a72f7e18\n',
  );
  const output = join(own, 'ninja.out');
  writeFileSync(output, `[1/3] ${cc('warn')}\nwarn.c:1:35: warning: from int\n[2/3] ${cc('main')}\n`);
  const profile = profileOf(await loadProfile([join(own, '.ninja_log')], { log: output }), 'steps');
  const of = (name: string) => Array.from(profile.steps.name.keys()).find((i) => stepName(profile, i).endsWith(name)) ?? -1;
  assert.equal(stepText(profile, 'messages', of('warn.c.o')), 'warn.c:1:35: warning: from int');
  assert.equal(stepText(profile, 'messages', of('main.c.o')), null);
  assert.deepEqual(
    profile.warnings.map(({ found }) => found).filter((found) => found.includes('command')),
    [],
  );
});

test('commands that failed by Build.xml are steps of a log of ninja, with and without launchers', async () => {
  const launched = `<Failure type="Error"><Action><OutputFile>CMakeFiles/bad.dir/bad.c.o</OutputFile></Action>
    <Command><WorkingDirectory>/tmp/nv</WorkingDirectory></Command>
    <Result><StdOut/><StdErr>bad.c:1:23: error: no y</StdErr><ExitCondition>1</ExitCondition></Result></Failure>`;
  const plain = `<Error><Text>bad.c:1:23: error: no y</Text><SourceFile>bad.c</SourceFile>
    <PreContext>[1/5] Building C object CMakeFiles/bad.dir/bad.c.o
FAILED: CMakeFiles/bad.dir/bad.c.o 
/usr/bin/cc -c bad.c
</PreContext></Error>`;
  for (const [element, code] of [
    [launched, 1],
    [plain, Number.POSITIVE_INFINITY],
  ] as const)
    for (const start of [1_000, 5_000]) {
      const own = mkdtempSync(join(folder, 'failed'));
      mkdirSync(join(own, 'Testing/20261130-0448'), { recursive: true });
      writeFileSync(join(own, 'Testing/TAG'), '20261130-0448\nExperimental\n');
      const xml = join(own, 'Testing/20261130-0448/Build.xml');
      writeFileSync(xml, `<Site><Build><StartBuildTime>${start}</StartBuildTime>${element}</Build></Site>`);
      writeFileSync(join(own, '.ninja_log'), NINJA_LOG);
      writeFileSync(join(own, 'build.ninja'), 'rule r\n  command = x\n');
      utimesSync(join(own, '.ninja_log'), 2_000, 2_000);
      utimesSync(xml, 9_000, 9_000);
      const profile = profileOf(await loadProfile([join(own, '.ninja_log')]), 'steps');
      const bad = Array.from(profile.steps.name.keys()).find((i) => stepName(profile, i) === 'CMakeFiles/bad.dir/bad.c.o');
      // The log is of an earlier build than the second file.
      assert.equal(bad === undefined, start > 2_000, `${code} ${start}`);
      if (bad === undefined) continue;
      assert.equal(profile.steps.result[bad], code);
      assert.equal(stepText(profile, 'messages', bad), 'bad.c:1:23: error: no y');
    }
});
