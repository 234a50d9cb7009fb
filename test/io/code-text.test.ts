// Instruction text: only of the object that ran, and only of objects that can be trusted.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import type { CodeRequest, Syntax } from '../../src/base/source-text.ts';
import { distrustReason, readCode } from '../../src/io/code-text.ts';
import { findDifferingName, identifierOf } from '../../src/io/symbols/names-at.ts';
import { FIXTURES } from '../support/fixtures.ts';

const HEAT = join(FIXTURES, 'callgrind/bin/heat');
/** quicksort of `heat`, as nm has it: its first byte, and the first behind it. */
const [FROM, TO] = [0x11f8, 0x12a3];
const NO_SYMBOLS = { binaries: [], dirs: [], maps: [] };
const skip = spawnSync('objdump', ['--version']).error ? 'objdump is not installed' : false;

const folder = mkdtempSync(join(tmpdir(), 'proftui-code-'));
test.after(() => rmSync(folder, { recursive: true }));

/** The instructions of quicksort by objdump itself. */
function addressesOf(path: string): bigint[] {
  const { stdout } = spawnSync('objdump', ['-d', `--start-address=${FROM}`, `--stop-address=${TO}`, path], { encoding: 'utf8' });
  return [...stdout.matchAll(/^\s+([0-9a-f]+):\t/gm)].map((m) => BigInt(`0x${m[1]}`));
}

const request = (object: string, symbol: string | undefined, addresses: bigint[]): CodeRequest => ({
  object,
  isMain: true,
  symbol,
  addresses,
});
const read = (wanted: CodeRequest, profiles: string[] = [], asked = true, syntax: Syntax = 'att') =>
  readCode(wanted, { dirs: [], maps: [], profiles }, NO_SYMBOLS, asked, syntax);

test('the text of the object that ran, with the instructions between those that ran', { skip }, async () => {
  const all = addressesOf(HEAT);
  const ran = all.filter((_, i) => i % 3 !== 1);
  const code = await read(request(HEAT, "quicksort'2", ran));
  assert.ok(typeof code === 'object', String(code));
  assert.equal(code.doubt, undefined);
  for (const a of all.slice(0, -2)) assert.ok(code.instructions.has(`0x${a.toString(16)}`));
});

test('in Intel syntax the same instructions have no % before registers; their bytes are those of objdump', { skip }, async () => {
  const ran = addressesOf(HEAT);
  const [att, intel] = [
    await read(request(HEAT, "quicksort'2", ran)),
    await read(request(HEAT, "quicksort'2", ran), [], true, 'intel'),
  ];
  assert.ok(typeof att === 'object' && typeof intel === 'object');
  assert.deepEqual([...intel.instructions.keys()], [...att.instructions.keys()]);
  assert.deepEqual(intel.bytes, att.bytes);
  assert.ok([...att.instructions.values()].some((text) => text.includes('%r')));
  assert.ok(![...intel.instructions.values()].some((text) => text.includes('%r')));
  // Instructions follow each other without gaps, so the bytes of each reach up to the next one.
  const places = [...att.bytes].map(([address, bytes]) => ({ at: Number(address), length: bytes.split(' ').length }));
  for (const [k, { at, length }] of places.slice(0, -1).entries()) assert.equal(at + length, places[k + 1].at);
});

test('an object whose code moved is found out: recorded addresses begin no instruction', { skip }, async () => {
  const path = join(folder, 'moved');
  const bytes = readFileSync(HEAT);
  // The file offset is the address here. One byte more at the start moves the whole function.
  bytes.copyWithin(FROM + 1, FROM, TO - 1);
  bytes[FROM] = 0x90;
  writeFileSync(path, bytes);
  const code = await read(request(path, 'quicksort', addressesOf(HEAT)));
  assert.match(String(code), /was rebuilt since: \d+ of \d+ recorded addresses do not start an instruction there/);
});

test('an object with another function at the addresses is found out by its symbols', { skip }, async () => {
  assert.match(
    String(await read(request(HEAT, 'op_sum', addressesOf(HEAT).slice(0, 6)))),
    /has quicksort at these addresses: it may have been rebuilt/,
  );
  const name = (routine: string) => findDifferingName(HEAT, routine, BigInt(FROM + 4));
  assert.equal(await name('quicksort'), undefined);
  assert.equal(await name("quicksort'2"), undefined);
  assert.equal(await name('op_sum'), 'quicksort');
  // Nothing can be said of these.
  for (const routine of ['0x00000000000011f8', '(below main)', 'S::operator()(int)', '???'])
    assert.equal(await name(routine), undefined, routine);
  assert.equal(await findDifferingName(HEAT, 'op_sum', 0x900000n), undefined);
});

test('the identifier of a name', () => {
  assert.equal(identifierOf('void std::__merge<It<f(int)::{lambda()#1}>, 8ul>(It<g>, bool (*)(int))'), '__merge');
  assert.equal(identifierOf('(anonymous namespace)::helper(int)'), 'helper');
  assert.equal(identifierOf('memcmp@plt'), 'memcmp');
  assert.equal(identifierOf('A::~A()'), undefined);
  assert.equal(identifierOf('f(int)::{lambda(int)#1}::operator()(int) const'), undefined);
});

test('an object newer than the profile is shown with a doubt', { skip }, async () => {
  const path = join(folder, 'newer');
  copyFileSync(HEAT, path);
  const profile = join(folder, 'callgrind.out.1');
  writeFileSync(profile, '');
  utimesSync(profile, 1e9, 1e9);
  const code = await read(request(path, 'quicksort', addressesOf(HEAT)), [profile]);
  assert.ok(typeof code === 'object');
  assert.match(code.doubt ?? '', /newer than the profile/);
});

test('unasked, only trusted objects are read', { skip }, async () => {
  const path = join(folder, 'mine');
  copyFileSync(HEAT, path);
  chmodSync(path, 0o755);
  const unasked = (object: string) => read(request(object, 'quicksort', addressesOf(HEAT)), [join(folder, 'profile')], false);
  assert.equal(typeof (await unasked(path)), 'object', 'where the profile says it is, and mine');
  // Found beside the profile, not where it says: anyone may have put it there.
  assert.match(String(await unasked('/nowhere/mine')), /not where the profile says/);
  assert.equal(
    distrustReason(path, '/nowhere/mine', { ...NO_SYMBOLS, binaries: [[null, path]] }),
    undefined,
    'named by --binary',
  );
  assert.equal(distrustReason(path, '/nowhere/mine', { ...NO_SYMBOLS, dirs: [folder] }), undefined, 'under --symbol-path');
  const link = join(folder, 'link');
  symlinkSync(path, link);
  assert.equal(distrustReason(link, link, NO_SYMBOLS), undefined, 'what a link leads to counts');
  chmodSync(path, 0o777);
  assert.match(String(await unasked(path)), /can be written by all users; o has 'disassemble'/);
});

test('what is wrong is said, not thrown', { skip }, async () => {
  assert.match(String(await read(request('???', undefined, [1n]))), /does not say which object/);
  assert.match(String(await read(request('/nowhere/x', undefined, [1n]))), /not found/);
  const text = join(folder, 'text');
  writeFileSync(text, 'no object');
  assert.match(String(await read(request(text, 'main', [1n]))), /objdump: /);
});
