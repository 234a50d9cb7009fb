// Short names of 20,000 real names: the symbols of the Node that runs the tests, which is a large C++ program.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { routineName } from '../../src/analysis/names/names.ts';
import { plainName } from '../../src/analysis/names/origin.ts';
import { shortName } from '../../src/analysis/names/short.ts';
import { cellWidth } from '../../src/base/text.ts';
import { loadProfile } from '../../src/io/load.ts';
import { openElf } from '../../src/io/symbols/elf.ts';
import { forEachSymbol, nameAtOffset, symbolTablesOf } from '../../src/io/symbols/symbol-table.ts';
import { checkProfile } from '../../src/model/check.ts';
import { long, most } from '../support/long.ts';

const NAMES = 20_000;
const MAX_NAME_LENGTH = 1000;

/** Mangled names, evenly from the whole symbol table. */
async function mangledNames(path: string): Promise<string[]> {
  const elf = openElf(path);
  if (typeof elf === 'string') return [];
  const all = new Set<string>();
  for (const { table, strings } of symbolTablesOf(elf))
    await forEachSymbol(elf, table, (symbol) => {
      const name = nameAtOffset(elf, strings, symbol.name);
      if (/^_Z\w+$/.test(name) && name.length < MAX_NAME_LENGTH) all.add(name);
    });
  const step = Math.max(1, Math.floor(all.size / most(NAMES)));
  return [...all].filter((_, i) => i % step === 0).slice(0, most(NAMES));
}

const TYPES = [
  'Loader',
  'LoaderFactory',
  'Session',
  'SessionStore',
  'Http2Frame',
  'Http2FrameHeader',
  'Row',
  'RowGroup',
  'Parser',
  'ParserError',
];
const METHODS = ['load', 'loadClass', 'drop', 'next', 'next_token', 'readLine', 'flush', 'poll_next', 'insert', 'ServeHTTP'];

/** Names as Rust, PHP, Java and Go write them. */
const otherNames = (): string[] =>
  TYPES.flatMap((type) =>
    METHODS.flatMap((method) => [
      `<alloc::vec::Vec<(u64, my_crate::net::${type})> as core::ops::drop::Drop>::${method}`,
      `<my_crate::net::${type}<'_, T> as core::iter::traits::iterator::Iterator>::${method}::{{closure}}`,
      `core::ptr::drop_in_place<core::option::Option<alloc::boxed::Box<my_crate::${type}::${method}>>>`,
      `/srv/www/vendor/${type.toLowerCase()}/Loader.php::${method}`,
      `Composer\\Autoload\\${type}->${method}`,
      `App\\Http\\${type}::{closure:/srv/www/vendor/app/${method}.php:30-34}`,
      `com/example/server/net/${type}.${method}`,
      `com.example.server.net.${type}$Inner.${method}`,
      `github.com/example/server/internal/net.(*${type}).${method}`,
      `github.com/example/server/internal/net.(*${type}[...]).${method}.func1`,
    ]),
  );

const isBalanced = (text: string): boolean => {
  const bare = text.replaceAll(/operator(?:<=>|->\*?|<<=?|>>=?|<=?|>=?|\(\))/g, '');
  return [...'<([{'].every((open, k) => bare.split(open).length === bare.split('>)]}'[k]).length);
};

/** What is wrong with the short names of a profile. */
async function faultsOf(recorded: readonly string[]): Promise<string[]> {
  const path = join(mkdtempSync(join(tmpdir(), 'proftui-')), 'callgrind.out.1');
  writeFileSync(path, `events: Ir\n${recorded.map((name) => `fn=${name}\n1 1\n`).join('')}`);
  const profile = await loadProfile([path]);
  assert.deepEqual(checkProfile(profile), []);
  const names = Array.from(profile.routines.name.keys(), (r) => routineName(profile, r));
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.filter((name) => name.startsWith('_Z')).length <= names.length / 100, 'most are demangled');
  const wrong: string[] = [];
  for (const room of [28, 60]) {
    const seen = new Map<string, string>();
    for (const [r, name] of names.entries()) {
      const text = shortName(profile, r, room);
      const other = seen.get(text);
      if (other !== undefined) wrong.push(`${room}: ${text} is ${name} and ${other}`);
      seen.set(text, name);
      if (cellWidth(text) > room) wrong.push(`${room}: ${text} is too wide`);
      // Neither cut nor numbered.
      if (/[…#]/.test(text.replaceAll(/<[^<>]*…[^<>]*>|<…>/g, ''))) continue;
      const last = plainName(name).lastSegment;
      if (!text.includes(last)) wrong.push(`${room}: ${text} lacks ${last} of ${name}`);
      if (isBalanced(name) && !isBalanced(text)) wrong.push(`${room}: ${text} is not balanced, as ${name} is`);
    }
  }
  return wrong;
}

test('short names of Rust, PHP, Java and Go differ, keep the last component, and balance their brackets', async () => {
  assert.deepEqual((await faultsOf(otherNames())).slice(0, 20), []);
});

long('short names of real names differ, keep the last component, and balance their brackets', async () => {
  const recorded = await mangledNames(process.execPath);
  // A Node without symbols has other tests of names only.
  if (recorded.length >= 1000) assert.deepEqual((await faultsOf(recorded)).slice(0, 20), []);
});
