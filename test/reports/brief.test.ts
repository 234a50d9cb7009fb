// --brief: at most 12 kB of JSON for every fixture and for profiles with endless names, the same bytes each time, numbers of the other
// reports, and commands that run.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fixtureNames, placeOf } from '../../scripts/schema-cases.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { reports } from '../../src/reports/index.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES, ROOT } from '../support/fixtures.ts';
import { some } from '../support/long.ts';
import { contextOf } from '../support/reports.ts';
import { runWarm } from '../support/warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-brief-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function written(profile: Profile, form: 'json' | 'text' | 'markdown'): Promise<string> {
  const texts: string[] = [];
  const context = { ...contextOf(profile), routine: undefined };
  await reports
    .find((r) => r.name === 'brief')
    ?.write(form, context, '0', async (text) => {
      texts.push(text);
    });
  return texts.join('');
}

test('every fixture has a brief answer of at most 12 kB, with the same bytes each time', async () => {
  let [tried, findings] = [0, 0];
  for (const name of some(fixtureNames)) {
    const profile = await loadProfile([placeOf(name)]).catch(() => undefined);
    if (!profile) continue;
    tried++;
    const json = await written(profile, 'json');
    assert.ok(Buffer.byteLength(json) <= 12_000, `${name}: ${Buffer.byteLength(json)}`);
    assert.equal(await written(await loadProfile([placeOf(name)]), 'json'), json, name);
    const answer = JSON.parse(json);
    assert.equal(answer.kind, profile.kind);
    findings += answer.findings.length;
    assert.ok(answer.next.length > 0, name);
    for (const { argv } of answer.next) assert.equal(argv[0], 'proftui');
    assert.ok((await written(profile, 'text')).length > 0);
  }
  assert.ok(tried > 20 && findings > 20, `${tried} ${findings}`);
});

test('names without end, thousands of files and deep stacks fit, too, and what is left out is counted', async () => {
  const name = (k: number) => `f${k}_${'ä"\\'.repeat(300)}`;
  const stacks = Array.from({ length: 400 }, (_, k) => `${name(k % 30)};${name(k % 7)};${name(k)} ${k + 1}\n`);
  const path = join(folder, 'long.folded');
  writeFileSync(path, stacks.join(''));
  const json = await written(await loadProfile([path]), 'json');
  assert.ok(Buffer.byteLength(json) <= 12_000, `${Buffer.byteLength(json)}`);
  const answer = JSON.parse(json);
  assert.equal(answer.routines.length + answer.leftOut.routines, 400);
});

test('the numbers are those of the other reports, and source is around the lines', () => {
  const args = [join(FIXTURES, 'callgrind/default.callgrind.out'), '--source-dir', join(FIXTURES, 'callgrind/src')];
  const brief = JSON.parse(runWarm([...args, '--brief', '--json']).out);
  const routines: { routine: string; self: { Ir: number }; inclusive: { Ir: number }; code: string }[] = JSON.parse(
    runWarm([...args, '--print', 'routines', '--json']).out,
  ).rows;
  const own = routines.filter(({ code, self }) => code === 'own' && self.Ir > 0);
  assert.deepEqual(
    brief.routines.map(({ routine, self, inclusive }: { routine: string; self: number; inclusive: number }) => [
      routine,
      self,
      inclusive,
    ]),
    own.slice(0, brief.routines.length).map(({ routine, self, inclusive }) => [routine, self.Ir, inclusive.Ir]),
  );
  const [{ lines }] = brief.routines;
  assert.deepEqual([lines[0].line, lines[0].self], [21, 253440]);
  assert.equal(lines[0].source[2].trim(), 'for (std::size_t k = 0; k < N; ++k)');
  const findings = JSON.parse(runWarm([...args, '--print', 'findings', '--json']).out).rows;
  assert.deepEqual(
    brief.findings.map((f: { finding: string; share: number; see: string[] }) => [f.finding, f.share, f.see]),
    findings.map((f: { finding: string; share: number; see: string[] }) => [f.finding, f.share, f.see]),
  );
  const calls = JSON.parse(runWarm([...args, '--print', 'calls', '--routine', brief.routines[0].routine, '--json']).out).rows;
  const callers = new Map<string, number>();
  for (const { caller, callee, inclusive } of calls)
    if (callee.routine === brief.routines[0].routine)
      callers.set(caller.routine, (callers.get(caller.routine) ?? 0) + inclusive.Ir);
  for (const { routine, inclusive } of brief.routines[0].callers) assert.equal(callers.get(routine), inclusive, routine);
});

test('every next command and every see runs', () => {
  const build = unpack(join(FIXTURES, 'cmake/pools.json.gz'));
  for (const args of [
    [join(FIXTURES, 'callgrind/default.callgrind.out')],
    [join(FIXTURES, 'pprof/cpu.pb.gz')],
    [join(FIXTURES, 'ninja-log/mbedtls')],
    [join(FIXTURES, 'aprof/readlog-rms')],
    [join(FIXTURES, 'callgrind/default.callgrind.out'), '--base', join(FIXTURES, 'callgrind/args.callgrind.out')],
    [join(build, 'ninja-4'), '--base', join(build, 'ninja-1')],
  ]) {
    const { code, out, err } = runWarm([...args, '--brief', '--json']);
    assert.equal(code, 0, err);
    const { findings, next } = JSON.parse(out);
    const shown: string[][] = next
      .map(({ argv }: { argv: string[] }) => argv.slice(1))
      .filter((argv: string[]) => argv.includes('--print'));
    assert.ok(shown.length > 0 || findings.length === 0, args.join(' '));
    for (const argv of [...shown, ...findings.map(({ see }: { see: string[] }) => [...args, ...see])]) {
      const outcome = runWarm([...argv, '--json'], { cwd: ROOT });
      assert.equal(outcome.code, 0, `${argv.join(' ')}: ${outcome.err}`);
      assert.ok(JSON.parse(outcome.out).rows.length > 0, argv.join(' '));
    }
  }
});

test('--brief is refused beside another view, and for forms that it does not have', () => {
  const path = join(FIXTURES, 'callgrind/default.callgrind.out');
  for (const flags of [['--print', 'calls'], ['--csv'], ['--export', 'dot']]) {
    const { code, err } = runWarm([path, '--brief', ...flags]);
    assert.equal(code, 2, err);
  }
  const text = runWarm([path, '--brief', '--markdown']).out;
  assert.match(text, /^### brief: `.*default\.callgrind\.out`$/m);
  assert.match(text, /^#### What matters$/m);
});
