// What rules make of names, and the dearest routines against a plain sort.
import assert from 'node:assert/strict';
import test from 'node:test';
import { orderByNumber } from '../../src/analysis/answers/order.ts';
import { plainName } from '../../src/analysis/names/origin.ts';
import { hasPurpose, isNameless } from '../../src/findings/cost/code-names.ts';
import { largestRows } from '../../src/findings/hottest.ts';
import { random } from '../support/programs.ts';

test('the qualified name alone', () => {
  for (const [name, bare] of [
    ['main', 'main'],
    ["quicksort'2", 'quicksort'],
    ['exp@@GLIBC_2.29', 'exp'],
    ['Index::add(int, std::vector<int> const&)', 'Index::add'],
    ['void std::sort<int*, less<int> >(int*, int*, less<int>)', 'std::sort'],
    ['std::vector<int, std::allocator<int> >::push_back(int const&)', 'std::vector::push_back'],
    ['std::map<int, std::pair<int, int> >::operator[](int const&)', 'std::map::operator[]'],
    ['bool operator< <char>(A<char> const&, A<char> const&)', 'operator<'],
    ['Bag::operator==(Bag const&) const', 'Bag::operator=='],
    ['std::operator<<(std::ostream&, char const*)', 'std::operator<<'],
    ['(anonymous namespace)::hash(char const*)', '(anonymous namespace)::hash'],
    ['operator new(unsigned long)', 'operator new'],
    ['main.(*node).insert', 'main.(*node).insert'],
    ['runtime.mallocgc', 'runtime.mallocgc'],
    ['broken<unclosed', 'broken<unclosed'],
    ['(below main)', '(below main)'],
    ['tcache_init.part.0', 'tcache_init'],
  ])
    assert.equal(plainName(name).bare, bare, name);
});

test('names that say what a routine does, and names that only look like it', () => {
  const does = (id: Parameters<typeof hasPurpose>[0], name: string) => hasPurpose(id, plainName(name));
  for (const name of ['malloc', '__libc_malloc', '_int_free', 'operator new(unsigned long)', 'runtime.mallocgc', 'tcache_put'])
    assert.ok(does('allocation', name), name);
  for (const name of ['mallocator_test', 'tc_parse', 'je_ne', 'free_list', 'newton']) assert.ok(!does('allocation', name), name);
  for (const name of ['__memcpy_avx_unaligned_erms', 'memset', '__memmove_avx512_unaligned_erms'])
    assert.ok(does('copying', name), name);
  for (const name of ['strlen', '__strchr_avx2', 'vsnprintf', 'std::string::append(char const*)', '_IO_puts'])
    assert.ok(does('strings', name), name);
  for (const name of ['strange', 'structure', 'stream_open', '_IO_doallocbuf', '_IO_file_overflow', '_IO_switch_to_get_mode'])
    assert.ok(!does('strings', name), name);
  for (const name of [
    '__memcmp_avx2_movbe',
    'strcmp',
    'Bag::operator==(Bag const&)',
    'node_compare',
    'bool A::operator<(A const&)',
  ])
    assert.ok(does('comparing', name), name);
  for (const [id, names, others] of [
    [
      'regexes',
      [
        'std::__detail::_Executor<char const*, std::allocator<char>, std::regex_traits<char>, true>::_M_dfs(long)',
        'bool std::regex_match<char>(char const*, std::__cxx11::basic_regex<char> const&)',
        'boost::re_detail_107400::perl_matcher<char>::match_all_states()',
        're_search_internal',
        'sift_states_backward',
        'regexec@@GLIBC_2.3.4',
        'regexp.(*machine).step',
      ],
      ['re_render', 'regular', 'std::__detail::_Map_base<int>::at(int)', 'check_matching_orders'],
    ],
    // Heaps are queues, too.
    [
      'sorting',
      [
        'void std::__introsort_loop<int*, long>(int*, int*, long)',
        'void std::__unguarded_linear_insert<int*>(int*)',
        'std::__move_merge_adaptive<int*>(int*)',
        'void std::sort<int*>(int*, int*)',
        'std::__1::__sort5<int*>(int*)',
        'qsort_r',
        'sort.insertionSort',
      ],
      ['quicksort', 'sort_key', 'std::__adjust_heap<int*>(int*)', 'std::__merge<int>(int)', 'std::vector<int>::sort'],
    ],
    [
      'locking',
      [
        'pthread_mutex_lock',
        '__pthread_mutex_unlock_usercnt',
        '__lll_lock_wait',
        '___pthread_rwlock_rdlock',
        'std::mutex::lock()',
      ],
      ['pthread_create', 'lock_step', 'pthread_mutex_init', 'blocked'],
    ],
    [
      'exceptions',
      ['_Unwind_RaiseException', '__gxx_personality_v0', '__cxa_throw', 'uw_update_context_1', 'execute_cfa_program'],
      ['__cxa_atexit', 'throw_dice', 'unwind', '__cxa_finalize'],
    ],
    [
      'compression',
      ['deflate_slow', 'inflate_fast', 'ZSTD_compressBlock_fast', 'LZ4_decompress_safe', 'HUF_decompress4X1', 'BZ2_blockSort'],
      ['deflated_price', 'BZ', 'FSE', 'compress', 'inflate_balloon'],
    ],
  ] as const) {
    for (const name of names) assert.ok(does(id, name), name);
    for (const name of others) assert.ok(!does(id, name), name);
  }
  assert.ok(does('library', 'std::vector<int>::push_back(int const&)') && !does('library', 'std::string::append(char const*)'));
  for (const name of ['_dl_lookup_symbol_x', 'do_lookup_x', 'check_match']) assert.ok(does('linking', name), name);
  for (const name of ['do_lookup', 'dl_items', 'lookup']) assert.ok(!does('linking', name), name);
  for (const name of ['0x4a63000', '???', '[unknown]', '0x... [spin]', 'UnknownFn???', '']) assert.ok(isNameless(name), name);
  for (const name of ['main', 'f(int)', '(anonymous)', 'a'.repeat(10_000)]) assert.ok(!isNameless(name), name.slice(0, 20));
});

test('the dearest routines are those of a plain sort, whatever they cost', () => {
  const next = random(7);
  for (const make of [
    () => Math.floor(next() * 1000),
    () => next() * 1e12,
    () => (next() < 0.5 ? 0 : 1e-9 * next()),
    () => 5,
    () => -next(),
  ]) {
    const value = Float64Array.from({ length: 50_000 }, make);
    const among = largestRows(value);
    const order = orderByNumber(value, true, among);
    const wanted = Array.from(orderByNumber(value, true)).filter((r) => value[r] > 0);
    assert.ok(order.length >= Math.min(20_000, wanted.length));
    assert.deepEqual(Array.from(order.subarray(0, 20_000)), wanted.slice(0, order.length).slice(0, 20_000));
  }
});
