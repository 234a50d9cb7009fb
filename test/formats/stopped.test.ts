// The outputs that failed steps have kept from being made: a case by hand, and builds of random rules that ninja itself ran with -k 0.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { readNinjaFile } from '../../src/formats/cmake/ninja-file.ts';
import { unbuiltOutputs } from '../../src/formats/cmake/stopped.ts';
import { Sink } from '../../src/model/sink.ts';
import { StepWriter } from '../../src/model/steps/writer.ts';

/** `ran`: by output, the exit code of its step. */
function stopped(text: string, ran: Readonly<Record<string, number>>): string[] {
  const file = readNinjaFile((name) => (name === 'build.ninja' ? Buffer.from(text) : undefined), 'build.ninja', '/b');
  assert.ok(file);
  const rows = new Sink().writerFor(StepWriter);
  const track = rows.trackId('1', '1');
  for (const [output, result] of Object.entries(ran))
    rows.add({ name: output, track, part: 0, startUs: 0, durationUs: 1, result, outputs: [{ path: output, bytes: Number.NaN }] });
  return unbuiltOutputs(rows, 0, file).map((path) => path.replace('/b/', ''));
}

const RULES = [
  'build a.o: CC a.c',
  'build b.o: CC b.c',
  'build lib.a lib.map: AR a.o b.o',
  'build alias: phony lib.a',
  'build app: LINK main.o || alias',
  'build main.o: CC main.c',
  'build other: LINK main.o',
  'build all: phony app other',
  'build CMakeFiles/install.util: CUSTOM_COMMAND all',
].join('\n');

test('outputs behind phony names, once a rule, the last ones first; commands beside the build do not count', () => {
  assert.deepEqual(stopped(RULES, { 'a.o': 1, 'b.o': 0, 'main.o': 0, other: 0 }), ['app', 'lib.a']);
  assert.deepEqual(stopped(RULES, { 'a.o': 0, 'b.o': 0, 'main.o': 1 }), ['app', 'other']);
  assert.deepEqual(stopped(RULES, { 'a.o': 0 }), []);
  // A ring of rules ends where it closes.
  assert.deepEqual(stopped('build x: A f y\nbuild y: A x\nbuild f: A', { f: 1 }).sort(), ['x', 'y']);
});

const without = spawnSync('ninja', ['--version']).error ? 'ninja is not installed' : false;

test('random builds: what ninja -k 0 did not make', { skip: without }, () => {
  for (let seed = 1; seed <= 8; seed++) {
    let state = seed * 7919;
    const random = (below: number) => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return Math.floor((state / 2147483648) * below);
    };
    const folder = mkdtempSync(join(tmpdir(), 'proftui-stopped-'));
    const names = Array.from({ length: 30 }, (_, k) => `o${k}`);
    const fails = new Set(names.filter(() => random(8) === 0));
    const rules = names.map((name, k) => {
      const inputs = names.slice(0, k).filter(() => random(12) === 0);
      const split = random(inputs.length + 1);
      const needs = `${inputs.slice(0, split).join(' ')} || ${inputs.slice(split).join(' ')}`;
      return random(5) === 0 ? `build ${name}: phony ${needs}` : `build ${name}: ${fails.has(name) ? 'fail' : 'make'} ${needs}`;
    });
    const text = [
      'rule make',
      '  command = touch $out',
      'rule fail',
      '  command = echo $out >> failed; false',
      ...rules,
      '',
    ].join('\n');
    writeFileSync(join(folder, 'build.ninja'), text);
    spawnSync('ninja', ['-k', '0'], { cwd: folder });
    const isPhony = (name: string) => rules[names.indexOf(name)].includes(': phony');
    const real = names.filter((name) => !isPhony(name));
    const ran = spawnSync('cat', ['failed'], { cwd: folder, encoding: 'utf8' })
      .stdout.split('\n')
      .filter((line) => line !== '');
    const made = real.filter((name) => existsSync(join(folder, name)));
    const expected = real.filter((name) => !made.includes(name) && !ran.includes(name));
    const codes = Object.fromEntries([...made.map((name) => [name, 0]), ...ran.map((name) => [name, 1])]);
    assert.deepEqual(stopped(text, codes).sort(), expected.sort(), `seed ${seed}`);
    rmSync(folder, { recursive: true });
  }
});
