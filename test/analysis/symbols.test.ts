// Symbol names: their parts, their short forms, and that no two names of a profile look the same.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { NameScan } from '../../src/analysis/names/grammar.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { enclosingScopes, type NameParts, namePartsOf, namespaceOf, parseName } from '../../src/analysis/names/parts.ts';
import { NAME_MODES, type NameMode, shortName } from '../../src/analysis/names/short.ts';
import { readablePath } from '../../src/base/paths.ts';
import { cellWidth, visible } from '../../src/base/text.ts';
import { loaders } from '../../src/formats/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { long, most, some } from '../support/long.ts';

const WIDTHS = [12, 14, 20, 28, 30, 40, 60, 100];

/** A profile whose routines have these names. */
async function profileOf(names: readonly string[]): Promise<Profile> {
  const callgrind = loaders.find((l) => l.name === 'callgrind');
  assert.ok(callgrind);
  return loadText(callgrind, `events: Ir\n${names.map((name) => `fn=${name}\n1 1\n`).join('')}`);
}

function joined({ prefix, result, segments, params, suffix, callers }: NameParts): string {
  return prefix + result + segments.map((s) => s.separator + s.identifier + s.args).join('') + params + suffix + callers;
}

const TOKENS = (
  "a|bc|std|operator|operator()|operator<<| operator<|::|.|/|<|>|(|)|[|]|{|}|'|'2|'lambda'| |,|&|*|-> |->|~|@plt|@|const| const|0x1f |" +
  '(anonymous namespace)|{lambda(int)#1}|[abi:cxx11]| [clone .cold]|.part.0|.isra.0| noexcept|&&|:12| x.c:3|func1|é|漢|$_0|#1|…'
).split('|');
const nameOf = fc.oneof(
  fc.array(fc.constantFrom(...TOKENS), { maxLength: 24 }).map((list) => list.join('')),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

test('the parts of any text, joined again, are the text; what stands around it in memory does not matter', () => {
  const scan = new NameScan();
  const segments = (bytes: Uint8Array, from: number, to: number) => {
    scan.scan(bytes, from, to);
    const ends = [scan.begin, scan.from, scan.resultTo, scan.paramsFrom, scan.suffixFrom, scan.callersFrom, scan.to];
    const own = [scan.identFrom, scan.identTo, scan.argsTo].flatMap((list) => [...list.subarray(0, scan.count)]);
    return [...ends, ...own].map((at) => at - from);
  };
  fc.assert(
    fc.property(nameOf, nameOf, nameOf, (before, name, after) => {
      assert.equal(joined(namePartsOf(name)), name);
      const { parts, callers, rest } = parseName(name);
      assert.equal(
        joined({ ...parts, callers: '' }) + callers.map((c) => `'${joined({ ...c, callers: '' })}`).join('') + rest,
        name,
      );
      const [a, b] = [before, name].map((text) => Buffer.from(text));
      const bytes = Buffer.concat([a, b, Buffer.from(after)]);
      assert.deepEqual(segments(bytes, a.length, a.length + b.length), segments(b, 0, b.length));
    }),
    { numRuns: 3000 },
  );
});

// What is found in real names: result, segments (with arguments), parameters, suffix.
const PARTS: [name: string, result: string, segments: string[], params: string, suffix: string][] = [
  [
    "geo::KdTree<float>::count(geo::Box<float> const&, int) const'2",
    '',
    ['geo', 'KdTree<float>', 'count'],
    '(geo::Box<float> const&, int) const',
    "'2",
  ],
  [
    'double demo::trace_power<double, 8ul>(demo::Matrix<double, 8ul> const&, unsigned int)',
    'double ',
    ['demo', 'trace_power<double, 8ul>'],
    '(demo::Matrix<double, 8ul> const&, unsigned int)',
    '',
  ],
  [
    'std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)',
    'std::ostream& ',
    ['std', 'operator<< <std::char_traits<char> >'],
    '(std::ostream&, char const*)',
    '',
  ],
  ['A<int>::operator<(A<int> const&) const', '', ['A<int>', 'operator<'], '(A<int> const&) const', ''],
  ['S::operator->() const', '', ['S', 'operator->'], '() const', ''],
  ['operator new[](unsigned long)', '', ['operator new[]'], '(unsigned long)', ''],
  ['operator"" _km(long double)', '', ['operator"" _km'], '(long double)', ''],
  ['Foo::operator std::vector<int>() const', '', ['Foo', 'operator std::vector<int>'], '() const', ''],
  [
    '(anonymous namespace)::Adder::operator()(int) const',
    '',
    ['(anonymous namespace)', 'Adder', 'operator()'],
    '(int) const',
    '',
  ],
  ['main::{lambda(int)#1}::operator()(int) const', '', ['main', '{lambda(int)#1}', 'operator()'], '(int) const', ''],
  [
    'demo::run(int)::{lambda()#2}::operator()() const &',
    '',
    ['demo', 'run(int)', '{lambda()#2}', 'operator()'],
    '() const &',
    '',
  ],
  ["f(int)::'lambda'(char)::operator()(char) const", '', ['f(int)', "'lambda'(char)", 'operator()'], '(char) const', ''],
  ['std::__cxx11::to_string[abi:cxx11](int)', '', ['std', '__cxx11', 'to_string[abi:cxx11]'], '(int)', ''],
  ['shop::Bag::~Bag()', '', ['shop', 'Bag', '~Bag'], '()', ''],
  ['f(int) const [clone .cold]', '', ['f'], '(int) const', ' [clone .cold]'],
  ['_dl_fixup.part.0.isra.0', '', ['_dl_fixup'], '', '.part.0.isra.0'],
  ['intel_check_word.constprop.0', '', ['intel_check_word'], '', '.constprop.0'],
  ['memcpy@@GLIBC_2.14', '', ['memcpy'], '', '@@GLIBC_2.14'],
  ['memcmp@plt', '', ['memcmp'], '', '@plt'],
  ['decltype(x) foo(int)', 'decltype(x) ', ['foo'], '(int)', ''],
  ['void f<(3>2)>()', 'void ', ['f<(3>2)>'], '()', ''],
  [
    'core::ops::function::FnOnce::call_once{{vtable.shim}}',
    '',
    ['core', 'ops', 'function', 'FnOnce', 'call_once{{vtable.shim}}'],
    '',
    '',
  ],
  ['<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop', '', ['<alloc::vec::Vec<T> as core::ops::drop::Drop>', 'drop'], '', ''],
  ['github.com/a/b.(*Server).Serve.func1', '', ['github.com', 'a', 'b', '(*Server)', 'Serve', 'func1'], '', ''],
  ['main.Map[go.shape.int].Get', '', ['main', 'Map[go.shape.int]', 'Get'], '', ''],
  [
    '/usr/lib/python3/json/decoder.py:343(raw_decode)',
    '',
    ['/usr', 'lib', 'python3', 'json', 'decoder.py:343(raw_decode)'],
    '',
    '',
  ],
  // Other text is one identifier.
  ['~:0 <built-in method builtins.print>', '', ['~:0 <built-in method builtins.print>'], '', ''],
  ['-[NSString length:]', '', ['-[NSString length:]'], '', ''],
  ['(below main)', '', ['(below main)'], '', ''],
  ['[kernel page fault]', '', ['[kernel page fault]'], '', ''],
  ['libstdc++.so.6', '', ['libstdc++.so'], '', '.6'],
  ['???', '', ['???'], '', ''],
];

test('the parts of real names', () => {
  for (const [name, result, segments, params, suffix] of PARTS) {
    const parts = namePartsOf(name);
    const found = [parts.result, parts.segments.map((s) => s.identifier + s.args), parts.params, parts.suffix];
    assert.deepEqual(found, [result, segments, params, suffix], name);
  }
  assert.deepEqual(namePartsOf("fstat'_dl_map_object(int)'main").callers, "'_dl_map_object(int)'main");
  assert.equal(namePartsOf('0x5563bed94349 unsigned int step<0>(unsigned int)').prefix, '0x5563bed94349 ');
  assert.equal(namePartsOf('void Sorter<int>::quick(int) sort.cpp:12').suffix, ' sort.cpp:12');
});

test('scopes for grouping', () => {
  assert.equal(namespaceOf('(anonymous namespace)::helper(int)'), '(anonymous namespace)');
  assert.equal(enclosingScopes('void demo::Matrix<int>::each<F>(F)'), 'demo::Matrix<int>');
  assert.equal(namespaceOf('main'), '(none)');
});

// Short forms where no other name is in the way, from wide to narrow.
const LADDERS: [name: string, ...shorts: (readonly [room: number, short: string])[]][] = [
  [
    "unsigned long geo::KdTree<float, std::allocator<float> >::count(geo::Box<float> const&, int) const'2",
    [100, "unsigned long geo::KdTree<float, std::allocator<float> >::count(geo::Box<float> const&, int) const'2"],
    [90, "geo::KdTree<float, std::allocator<float> >::count(geo::Box<float> const&, int) const'2"],
    [82, "geo::KdTree<float, std::allocator<…> >::count(geo::Box<float> const&, int) const'2"],
    [60, "geo::KdTree<…>::count(geo::Box<…> const&, int) const'2"],
    [40, "geo::KdTree<…>::count'2"],
    [20, "KdTree<…>::count'2"],
    [16, "KdTree::count'2"],
    [12, "KdTree…unt'2"],
  ],
  ['main::{lambda(int)#1}::operator()(int) const', [40, 'main::{lambda#1}::operator()'], [28, 'main::{lambda#1}::operator()']],
  [
    '(anonymous namespace)::Adder::operator()(int) const',
    [50, '(anonymous namespace)::Adder::operator()'],
    [20, 'Adder::operator()'],
  ],
  ['(anonymous namespace)::helper(int)', [20, 'helper'], [32, '(anonymous namespace)::helper']],
  ['std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)', [30, 'std::operator<< <…>']],
  ['github.com/a/b.(*Server).Serve.func1', [30, 'a/b.(*Server).Serve.func1'], [21, '(*Server).Serve.func1']],
  [
    '/usr/lib/python3/json/decoder.py:343(raw_decode)',
    [40, 'python3/json/decoder.py:343(raw_decode)'],
    [34, 'json/decoder.py:343(raw_decode)'],
  ],
  ['<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop', [30, '<Vec<T> as Drop>::drop']],
  ["fstat'_dl_map_object_from_fd(int)'openaux", [34, "fstat'_dl_map_object_from_fd'…"], [20, "fstat'…'openaux"], [8, "fstat'…"]],
  ['0x5563bed94349 unsigned int step<0>(unsigned int)', [30, '0x5563bed94349 step<…>'], [20, '0x5563bed94349 step']],
  [
    'void sorting::Sorter<int>::quick(int, int) sort.cpp:12',
    [46, 'sorting::Sorter<…>::quick sort.cpp:12'],
    [26, 'Sorter::quick sort.cpp:12'],
  ],
];

test('the ladder: return type, template arguments, parameters, namespaces; the class and its method stay', async () => {
  for (const [name, ...shorts] of LADDERS) {
    const profile = await profileOf([name]);
    for (const [room, short] of shorts) assert.equal(shortName(profile, 0, room), short, `${name} in ${room}`);
  }
});

test('what tells names apart stays', async () => {
  const profile = await profileOf([
    'geo::KdTree<float>::count(int) const',
    'geo::KdTree<double>::count(int) const',
    'std::print(std::ostream&, int)',
    'std::print(std::ostream&, long)',
    'std::print',
    'xcb_render_query_formats_reply',
    'xcb_render_query_index_values_reply',
  ]);
  const all = (room: number) => Array.from({ length: 7 }, (_, r) => shortName(profile, r, room));
  assert.deepEqual(all(26).slice(0, 5), [
    'geo::KdTree<float>::count',
    'geo::KdTree<double>::count',
    'std::print(ostream&, int)',
    'std::print(ostream&, long)',
    'std::print',
  ]);
  assert.deepEqual(all(16).slice(0, 2), ['KdTree::count#1', 'KdTree::count#2']);
  assert.deepEqual(all(20).slice(5), ['xcb_render…ats_reply', 'xcb_render…ues_reply']);
  assert.deepEqual(all(14).slice(5), ['xcb_re…reply#1', 'xcb_re…reply#2']);
  assert.equal(new Set(all(14)).size, 7);
  const matrices = await profileOf([
    'Matrix<unsigned int, 6ul>::row()',
    'Matrix<unsigned long, 6ul>::row()',
    'Matrix<double, 8ul>::row()',
  ]);
  const of = (room: number) => [0, 1, 2].map((r) => shortName(matrices, r, room));
  assert.deepEqual(of(29), ['Matrix<unsigned int…>::row', 'Matrix<unsigned long…>::row', 'Matrix<double, 8ul>::row()']);
  assert.deepEqual(of(20).slice(2), ['Matrix<double…>::row']);
  // A beginning that two names have tells nothing.
  assert.deepEqual(of(22).slice(0, 2), ['Matrix::row#1', 'Matrix::row#2']);
});

test('what tells names apart stays: types of Rust’s traits, files of PHP, and operator()', async () => {
  const iterators = 'int*, std::vector<int> >';
  const profile = await profileOf([
    '<alloc::vec::Vec<(u64, alloc::string::String)> as core::ops::drop::Drop>::drop',
    '<alloc::vec::Vec<(u32, alloc::string::String)> as core::ops::drop::Drop>::drop',
    '/srv/www/vendor/composer/Loader.php::loadClass',
    '/srv/www/vendor/other/Loader.php::loadClass',
    `bool __gnu_cxx::__ops::_Iter_less_iter::operator()<__normal_iterator<${iterators}, __normal_iterator<${iterators} >(int)`,
  ]);
  const all = (room: number) => Array.from(profile.routines.name.keys(), (r) => shortName(profile, r, room));
  assert.deepEqual(all(36), [
    '<Vec<(u64, String)> as Drop>::drop',
    '<Vec<(u32, String)> as Drop>::drop',
    '…composer/Loader.php::loadClass',
    '…vendor/other/Loader.php::loadClass',
    '_Iter_less_iter::operator()<…>',
  ]);
  assert.deepEqual(all(27), [
    '<Vec<…> as Drop>::drop#1',
    '<Vec<…> as Drop>::drop#2',
    '…Loader.php::loadClass#1',
    '…Loader.php::loadClass#2',
    '_Iter_less_iter::operator()',
  ]);
});

/** Profiles among the fixtures. */
function fixtureFiles(): string[] {
  const folders = ['callgrind', 'callgrind/edge', 'cachegrind', 'gperftools', 'gperftools/edge', 'aprof', 'aprof/edge'];
  const nested = readdirSync(join(FIXTURES, 'aprof'), { withFileTypes: true }).flatMap((e) =>
    e.isDirectory() ? [`aprof/${e.name}`] : [],
  );
  return [...new Set([...folders, ...nested])].flatMap((folder) =>
    readdirSync(join(FIXTURES, folder))
      .filter((name) => /\.(out|prof|aprof)(\.gz)?$/.test(name))
      .map((name) => join(FIXTURES, folder, name)),
  );
}

/** Names that share a text, and texts that are too wide. */
function faults(profile: Profile, room: number, mode: NameMode): string[] {
  const seen = new Map<string, string>();
  const wrong: string[] = [];
  for (let r = 0; r < profile.routines.name.length; r++) {
    const text = visible(shortName(profile, r, room, mode));
    const name = routineName(profile, r);
    const other = seen.get(text);
    if (other !== undefined && other !== name) wrong.push(`${room} ${mode}: ${text} is ${name} and ${other}`);
    if (mode !== 'whole' && cellWidth(text) > room) wrong.push(`${room} ${mode}: ${text} is too wide`);
    seen.set(text, name);
  }
  return wrong;
}

long('in every fixture, no two names look the same at any width', async () => {
  let names = 0;
  let files = 0;
  for (const file of some(fixtureFiles())) {
    const profile = await loadProfile([file]).catch(() => undefined);
    if (!profile) continue;
    files++;
    names += profile.routines.name.length;
    for (const room of WIDTHS) assert.deepEqual(faults(profile, room, 'fit'), [], file);
    for (const mode of NAME_MODES) assert.deepEqual(faults(profile, 28, mode), [], file);
  }
  assert.ok(files > most(60) && names > most(10_000), `${files} files, ${names} names`);
});

test('of generated names, no two look the same', async () => {
  const word = fc.constantFrom(
    'f',
    'g',
    'count',
    'count_all_of_them',
    'KdTree',
    'std',
    'operator()',
    '{lambda(int)#1}',
    '(anonymous namespace)',
  );
  const args = fc.constantFrom('', '<int>', '<std::vector<int> >', '<A, B>');
  const tail = fc.constantFrom(
    '',
    '(int)',
    '(long)',
    '(int) const',
    "(int)'2",
    "'2",
    '.cold',
    ' [clone .cold]',
    "'main",
    "(int)'g'main",
    '@plt',
  );
  const segment = fc.tuple(word, args).map((two) => two.join(''));
  const name = fc.tuple(fc.constantFrom('', 'void ', 'int '), fc.array(segment, { minLength: 1, maxLength: 4 }), tail);
  const text = name.map(([result, segments, end]) => (end.startsWith('(') ? result : '') + segments.join('::') + end);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(text, { minLength: 2, maxLength: 60 }), async (names) => {
      const profile = await profileOf(names);
      for (const room of [12, 20, 30]) assert.deepEqual(faults(profile, room, 'fit'), []);
    }),
    { numRuns: 150 },
  );
});

test('a short name depends on the profile, not on what was asked before', async () => {
  const file = join(FIXTURES, 'callgrind/default.callgrind.out');
  const [a, b] = [await loadProfile([file]), await loadProfile([file])];
  const n = a.routines.name.length;
  const down = Array.from({ length: n }, (_, r) => shortName(a, r, 20));
  for (let r = n - 1; r >= 0; r--) {
    shortName(b, r, 30, 'no-templates');
    assert.equal(shortName(b, r, 20), down[r]);
  }
});

test('modes: without template arguments, without parameters, whole', async () => {
  const profile = await profileOf(['int geo::KdTree<float>::count(geo::Box<float> const&)', 'a<b>::c(d)', 'a<e>::c(d)']);
  const of = (routine: number, mode: NameMode) => shortName(profile, routine, 80, mode);
  assert.equal(of(0, 'no-templates'), 'geo::KdTree<…>::count(geo::Box<…> const&)');
  assert.equal(of(0, 'no-parameters'), 'geo::KdTree<…>::count');
  assert.equal(of(0, 'whole'), 'int geo::KdTree<float>::count(geo::Box<float> const&)');
  // What tells two names apart is not left out by hand, either.
  assert.deepEqual([of(1, 'no-parameters'), of(2, 'no-parameters')], ['a<b>::c', 'a<e>::c']);
});

test('hostile names: brackets, quotes and scopes by the thousand', async () => {
  const names = [
    '<',
    'a<',
    '(',
    'a::',
    "'",
    "f'",
    'operator',
    'operator ',
    '{lambda(',
    'f(int)',
    'a.',
    'a/',
    '.cold',
    ' [clone',
    ':1(',
    '>',
    '->',
  ].flatMap((piece) => [piece.repeat(10_000 / piece.length), `${piece.repeat(10_000 / piece.length)}x`]);
  for (const name of names) assert.equal(joined(namePartsOf(name)), name);
  const profile = await profileOf(names.map((name) => `n${name}`));
  for (const room of [12, 40]) assert.deepEqual(faults(profile, room, 'fit'), []);
});

test('the time for a name grows with its length alone', { timeout: 60_000 }, async () => {
  const pieces = [
    '.1',
    '.part',
    '{lambda()}::',
    '<',
    '(',
    '::',
    ' ',
    'operator',
    'operator<',
    "a'",
    'a<b>(c)::',
    ' const',
    '[abi:x]',
  ];
  for (const piece of pieces) {
    const long = piece.repeat(Math.ceil(1_000_000 / piece.length));
    for (const name of [long, `f(${long})`]) assert.ok(joined(namePartsOf(name)).length === name.length);
    const names = ['f1', 'f2'].map((f) => `${f}<${long}>::g`);
    const profile = await profileOf(names);
    const shown = names.map((_, r) => shortName(profile, r, 40));
    assert.ok(shown[0] !== shown[1] && shown.every((text) => cellWidth(text) <= 40), piece);
  }
});

test('paths as people read them', () => {
  for (const [path, shown] of [
    ['./malloc/./malloc/malloc.c', 'malloc/malloc.c'],
    ['./sysdeps/unix/./sysdeps/unix/x.c', 'sysdeps/unix/x.c'],
    ['./elf/./dl-find_object.h', 'elf/dl-find_object.h'],
    ['./csu/../csu/libc-start.c', 'csu/../csu/libc-start.c'],
    ['a/a/x.c', 'a/a/x.c'],
    ['a/./a/x.c', 'a/a/x.c'],
    ['/src/././x.c', '/src/x.c'],
    ['./x.c', 'x.c'],
    ['../x.c', '../x.c'],
    ['x./y.c', 'x./y.c'],
    ['./', './'],
    ['', ''],
  ])
    assert.equal(readablePath(path), shown);
});
