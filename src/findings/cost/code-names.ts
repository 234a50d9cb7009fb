// Recognizes code by its name: by purpose (allocation, copying …), and whether it is library code.

import { nameWithoutNumber, routineFile, routineName } from '../../analysis/names/names.ts';
import {
  isOwnRoutine,
  isSamplerState,
  LINKER_NAMES,
  LOADER,
  MAX_NAME_LENGTH,
  originOf,
  type PlainName,
  plainName,
} from '../../analysis/names/origin.ts';
import { OUTSIDE_NAME } from '../../analysis/profiles/transforms/call-graph-hide.ts';
import type { Profile } from '../../model/profile.ts';

export interface CodePurpose {
  /** The purpose of the code, as a noun phrase. */
  readonly noun: string;
  /** The first words of the finding. Absent: the noun takes. */
  readonly title?: string;
  readonly words: string;
  /** Names with this purpose, without parameters. Patterns are anchored or word lists. */
  readonly patterns: readonly RegExp[];
  /** The patterns apply only to the last part of a name. */
  readonly ofLastSegment?: true;
}

const PURPOSES = {
  allocation: {
    noun: 'allocating and freeing memory',
    words:
      'malloc, free, calloc, realloc, operator new and delete, and their internals; the allocators of Go, jemalloc and tcmalloc',
    patterns: [
      /^_{0,4}(?:libc_)?(?:malloc|free|calloc|realloc|memalign|posix_memalign|aligned_alloc|cfree)(?:_hook_ini|_check)?$/,
      /^malloc_(?:consolidate|printerr|usable_size|trim)$/,
      /^_?int_(?:malloc|free|realloc|memalign)/,
      /^(?:_mid_memalign|sysmalloc|systrim|unlink_chunk|arena_get_retry|arena_get2|alloc_perturb|operator new|operator delete)/,
      /^(?:tcache_(?:get|put|init|thread_shutdown|key_initialize)\w*|(?:tc|je)_(?:malloc|free|calloc|realloc|new|delete|memalign)\w*)$/,
      /^_*s?brk$/,
      /^runtime\.(?:malloc|newobject|makeslice|growslice|gcBgMark|gcDrain|scanobject|greyobject|sweepone|bgsweep|heapBits|memclr|nextFree)/,
      /^runtime\.\(\*m(?:cache|central|heap|span)\)/,
    ],
  },
  copying: {
    noun: 'copying and filling memory',
    words: 'memcpy, memmove, memset, bcopy and their variants for processors; runtime.memmove of Go',
    patterns: [
      /^_*w?mem(?:cpy|pcpy|move|set|ccpy)(?:_[a-z0-9_]+)?$/,
      /^_*(?:bcopy|bzero)(?:_[a-z0-9_]+)?$/,
      /^runtime\.(?:memmove|typedmemmove|typedslicecopy)$/,
    ],
  },
  strings: {
    noun: 'string handling',
    words: 'str*, printf and scanf and their internals, strto*, std::string and streams',
    patterns: [
      /^_*str(?:n?len|n?cpy|n?cat|r?chr|str|pbrk|c?spn|tok|n?dup|sep|chrnul|to[a-z]{1,9})(?:_[a-z0-9_]+)?$/,
      /^_*(?:raw)?memr?chr(?:_[a-z0-9_]+)?$/,
      /^(?:__GI_)?_{0,4}[vsnf]{0,4}(?:printf|scanf)/,
      // Functions of _IO_ for buffers and files are input and output, not strings.
      /^_IO_(?:w?str_|w?padn|default_xsputn|f?puts|\w{0,9}(?:printf|scanf))/,
      /^(?:_itoa|__mbrtowc|mbs?to|mbr)/,
      /^ato[ifl]{1,2}$/,
      /strto[a-z]{1,9}_l?_?internal$/,
      /^std::(?:__cxx11::)?(?:basic_)?(?:string|ostream|istream|stringbuf|streambuf|filebuf)\b/,
      /^std::(?:operator<<|operator>>|getline|to_string|num_put|num_get)/,
    ],
  },
  hashing: {
    noun: 'hashing',
    words: 'names that contain hash, crc32, adler32, md5, sha1, sha256, sha512, fnv or murmur',
    patterns: [/hash(?!tag|bang|i?e?sh)|crc32|adler32|md5|sha1|sha256|sha512|^fnv|murmur/i],
    ofLastSegment: true,
  },
  comparing: {
    noun: 'comparing',
    words: 'strcmp, memcmp, bcmp and their variants; routines named compare, cmp or less; operator<, > and ==',
    patterns: [
      /^_*(?:str(?:case)?n?(?:case)?cmp|strcoll|w?memcmp|bcmp)(?:_[a-z0-9_]+)?$/,
      /(?:^|_)(?:compare|cmp|less|Compare|Less)(?:_|$)/,
      /^operator(?:<=>|[<>=!]=|[<>])$/,
      /^(?:memequal\w*|cmpbody)$/,
    ],
    ofLastSegment: true,
  },
  regexes: {
    noun: 'regular expressions',
    title: 'Regular expressions take',
    words: 'std::regex and its internals, Boost, RE2, PCRE, and those of the C library, Python, Perl, Rust and Go',
    patterns: [
      /^std::__detail::_(?:Executor|Scanner|Compiler|NFA|AnyMatcher|CharMatcher|BracketMatcher|RegexTranslator|StateSeq)\b/,
      /^std::(?:__cxx11::|__1::)?(?:basic_regex|regex_\w+|match_results|sub_match)\b/,
      /^(?:boost::(?:re_detail|regex|basic_regex|xpressive)|re2::|regex(?:_automata|_syntax)?::|regexp(?:\/syntax)?\.)/,
      // The C library's regex functions, including its internal functions that have the cost.
      /^(?:_*reg(?:exec|comp)|re_(?:search|match|acquire|string|node_set|compile)_\w+|sift_states_\w+|transit_state\w*|build_trtable|check_matching)$/,
      /^(?:pcre2?_(?:exec|match|dfa_match|jit_match|compile)(?:_8|_16|_32)?|sre_(?:ucs[124]_)?match|S_regmatch|Perl_(?:regexec_flags|re_op_compile))$/,
    ],
  },
  sorting: {
    noun: 'sorting',
    words: 'std::sort, stable_sort and their internals, qsort, and sort and slices of Go; comparisons not included',
    patterns: [
      /^std::(?:__1::)?_*(?:intro)?(?:stable_|partial_|inplace_stable_)?sort(?:_loop|_adaptive|[345])?$/,
      /^std::__(?:final_insertion|insertion|unguarded_insertion|chunk_insertion)_sort(?:_loop)?$/,
      /^std::__(?:unguarded_linear_insert|unguarded_partition(?:_pivot)?|move_median_to_first|introselect)$/,
      /^std::__(?:move_merge|merge_adaptive|merge_sort|merge_without_buffer)\w*$/,
      /^(?:qsort(?:_r)?|msort_with_tmp|_quicksort)$/,
      /^(?:sort|slices)\.(?:pdqsort|insertionSort|heapSort|stable|symMerge|quickSort)/,
    ],
  },
  locking: {
    noun: 'locking',
    words: 'pthread_mutex_lock and the like, futexes, spin locks of the kernel, std::mutex; only time in which a processor ran',
    patterns: [
      /^_*pthread_(?:mutex|rwlock|spin)_[a-z]{0,7}lock(?:_usercnt|_full)?$/,
      /^_*pthread_cond_[a-z]{0,5}(?:wait|signal|broadcast)$/,
      /^_*(?:lll_(?:try|un|clock)?lock\w*|futex_(?:wait|wake|lock)\w*|futex_abstimed_\w+)$/,
      /^(?:native_queued_spin_lock_slowpath|_raw_spin_(?:try|un)?lock\w*|osq_lock|mutex_spin_on_owner|do_futex)$/,
      /^std::(?:__1::)?(?:mutex|recursive_mutex|shared_mutex|lock_guard|unique_lock|condition_variable)\b/,
      /^(?:absl::(?:\w+::)?Mutex|runtime\.(?:lock2|unlock2|futex)|sync\.\(\*(?:RW)?Mutex\))/,
    ],
  },
  exceptions: {
    noun: 'exceptions',
    title: 'Throwing and catching exceptions takes',
    words: '_Unwind_*, __cxa_throw, __gxx_personality_v0 and the internals of libgcc',
    patterns: [
      /^(?:_Unwind_\w+|__gxx_personality_v0|__cxa_(?:throw|rethrow|begin_catch|end_catch|allocate_exception|free_exception)|__cxa_get_globals\w*)$/,
      /^(?:uw_(?:frame|update|init|install|advance)_\w+|execute_(?:cfa_program|stack_op)\w*|extract_cie_info|(?:linear|binary)_search_\w*fdes)$/,
      /^(?:read_encoded_value\w*|parse_lsda_header|classify_object_over_fdes|frame_(?:heapsort|downheap)|get_cie_encoding)$/,
    ],
  },
  compression: {
    noun: 'compression',
    title: 'Compressing and decompressing takes',
    words: 'zlib, zstd, LZ4, bzip2, liblzma, Brotli, Snappy, and compress of Go',
    patterns: [
      /^_*(?:deflate|inflate)(?:_(?:fast|slow|stored|rle|huff|table))?$/,
      /^(?:longest_match|compress_block|_tr_(?:flush|stored|align|tally)\w*|fill_window)$/,
      /^(?:(?:ZSTD|HUF|FSE|LZ4|LZ4HC|BZ2|lzma|lz_encoder|lz_decoder)_|Brotli)[A-Za-z]\w*$/,
      /^(?:snappy::|compress\/(?:flate|bzip2|gzip|lzw|zlib)\.)/,
    ],
  },
  io: {
    noun: 'input and output',
    title: 'Reading and writing takes',
    words: 'read, write, open, send, receive and sync calls of the system, the files of the C library, and std::filebuf',
    patterns: [
      /^(?:__)?(?:libc_|GI_)?_{0,2}(?:p?(?:read|write)v?(?:64|2)?|open(?:at)?(?:64)?|close|fsync|fdatasync|send(?:to|msg|file)?|recv(?:from|msg)?)(?:_nocancel)?$/,
      /^(?:_IO_(?:new_)?(?:file|do)_\w{1,30}|_IO_f(?:read|write|flush|gets|open|close)\w{0,9}|f(?:read|write|flush|gets|puts|open|close)(?:64|_unlocked)?)$/,
      /^(?:vfs_(?:read|write|open|fsync)|ksys_\w{1,20}|__x64_sys_(?:p?read|p?write|open|fsync)\w{0,9}|entry_(?:read|write))$/,
      /^std::(?:__1::)?(?:basic_filebuf|__basic_file)\b/,
      /^(?:os\.\(\*File\)|internal\/poll\.|syscall\.(?:read|write|Read|Write|Syscall))/,
    ],
  },
  sleeping: {
    noun: 'sleeping and waiting',
    title: 'Sleeping and waiting for others takes',
    words: 'nanosleep, select, poll, epoll_wait, waitpid, pthread_join, and the system calls behind them',
    patterns: [
      /^_{0,4}(?:GI___|libc_|x64_sys_)?(?:clock_|hrtimer_|do_|common_)?n(?:ano)?sleep\w{0,12}$/,
      /^_{0,4}(?:GI___|libc_|x64_sys_|do_sys_|do_)?(?:u?sleep|p?select6?|p?poll|epoll_p?wait2?|wait(?:pid|id|[34])|sigwait\w{0,6})(?:_nocancel)?$/,
      /^_*pthread_(?:timed|clock)?join\w{0,10}$/,
    ],
  },
  library: {
    noun: 'the C++ standard library (std::)',
    title: 'Other code of the C++ standard library (std::) takes',
    words: 'names in std:: and __gnu_cxx:: that none of the other rules cover',
    patterns: [/^(?:std|__gnu_cxx)::/],
  },
  linking: {
    noun: 'the dynamic linker',
    words: 'routines of ld.so by object, file or name: _dl_*, do_lookup_x',
    patterns: [LINKER_NAMES],
  },
} as const satisfies Record<string, CodePurpose>;

export type PurposeId = keyof typeof PURPOSES;
export const PURPOSE_IDS: readonly PurposeId[] = Object.keys(PURPOSES).filter((id): id is PurposeId => id in PURPOSES);
export const codePurpose = (id: PurposeId): CodePurpose => PURPOSES[id];

export const plainNameOf = (profile: Profile, r: number): PlainName => plainName(nameWithoutNumber(profile, r));

/** Names of unnamed code: an address, ???, or the unnamed code of an object. */
const NAMELESS_PATTERN =
  /^(?:0x(?:[0-9a-f]+|\.\.\.)|\?+|UnknownFn\?\?\?|\[unknown\]|\[[^\]]{1,200}\](?:\+?0x[0-9a-f]+)?|[^ ()]{1,200}\+0x[0-9a-f]+)?(?: \[[^\]]{1,200}\])?$/i; // bounded: MAX_NAME_LENGTH

/** An address with a level of recursion or its callers: `0x4005d0'2`, `0x4005d0'main`. */
const NAMELESS_LEVEL = /^0x[0-9a-f]{1,16}'/i;

export const isNameless = (name: string): boolean =>
  name.length <= MAX_NAME_LENGTH && (NAMELESS_PATTERN.test(name) || NAMELESS_LEVEL.test(name)) && !isSamplerState(name);

/** Whether a routine gets no findings: the dynamic linker, unnamed code, and code outside the program. */
export const hasNoFinding = (profile: Profile, r: number): boolean =>
  isLinker(profile, r) || isNameless(routineName(profile, r)) || isOutsideProgram(profile, r);

/** The names that samplers give to idle time. */
const IDLE_NAMES = ['(idle)', '[idle]'];

/** Whether a routine is not code of the program: it stands for all unselected code, or for idle time. */
export const isOutsideProgram = (profile: Profile, r: number): boolean =>
  [OUTSIDE_NAME, ...IDLE_NAMES].includes(routineName(profile, r));

function matchesPurpose(id: PurposeId, { bare, lastSegment }: PlainName): boolean {
  const { patterns, ofLastSegment } = codePurpose(id);
  return patterns.some((pattern) => pattern.test(ofLastSegment ? lastSegment : bare));
}

/** Whether a name has the purpose `id`. Names in std:: that have another purpose do not count as `library`. */
export function hasPurpose(id: PurposeId, plain: PlainName): boolean {
  if (!matchesPurpose(id, plain)) return false;
  return id !== 'library' || !PURPOSE_IDS.some((other) => other !== id && matchesPurpose(other, plain));
}

/** C library names and their ending. Known endings mark variants of the C library; other endings may be anyone's. */
const ENDING_PATTERN =
  /^(?:w?mem(?:cpy|pcpy|move|set|ccpy|chr|rchr|cmp)|rawmemchr|bcopy|bzero|bcmp|str[a-z]{2,9}|[vsnf]{0,4}(?:printf|scanf))_?([a-z0-9]{1,99})/;
const KNOWN_ENDING =
  /^(?:chk|l|r|internal|generic|ifunc|finish|(?:avx|s?sse|evex|sve|neon)[a-z0-9]{0,9}|erms|unaligned|aligned|asimd|mops|vg)$/;

/** Whether the ending of the name of a C routine is that of a variant; undefined without an ending. */
function isKnownVariant(bare: string): boolean | undefined {
  const ending = ENDING_PATTERN.exec(bare)?.[1];
  return ending === undefined ? undefined : KNOWN_ENDING.test(ending);
}

/** Purposes of the program's own routines, too: the others are those of libraries, as whose a program may call a routine of its own. */
const OWN_PURPOSES: ReadonlySet<PurposeId> = new Set<PurposeId>(['hashing', 'comparing']);

/** Whether a routine's name has the purpose; an ambiguous name counts only if the routine is library code. */
export const routineHasPurpose = (profile: Profile, r: number, id: PurposeId, plain: PlainName): boolean =>
  // As in the table of whose code it is.
  (id === 'linking' ? isLinker(profile, r) : hasPurpose(id, plain)) &&
  (isKnownVariant(plain.bare) !== false || isLibrary(profile, r)) &&
  (OWN_PURPOSES.has(id) || mayBeLibrary(profile, r) || isReservedName(profile, r, plain.bare));

/** Names that C reserves for libraries, and those of variants: a program has routines of such names only by linking a library into itself. */
const isReservedName = (profile: Profile, r: number, bare: string): boolean =>
  (bare.startsWith('_') || isKnownVariant(bare) === true) && C_FILE.test(routineFile(profile, r) ?? '');
const C_FILE = /\.(?:[ch]|cc|cpp|cxx|hh|hpp|inc|s|asm)$/i;

/** Whether a routine with the name of a library's is one, as far as is known: its file says so, or nothing says otherwise. */
export function mayBeLibrary(profile: Profile, r: number): boolean {
  const file = routineFile(profile, r);
  return file === null || file === '' || file.startsWith('?') || isLibrary(profile, r);
}

/** Allocator wrappers such as `xmalloc` and `Perl_safesysmalloc`: their callers cause the cost. */
const WRAPPERS = /(?:malloc|calloc|realloc|alloc_?|free)$/i;
export const isAllocatorWrapper = (profile: Profile, r: number): boolean => WRAPPERS.test(plainNameOf(profile, r).lastSegment);

/** Purposes with ordinary names that any program may use: such names count only in libraries. */
const AMBIGUOUS_PURPOSES: ReadonlySet<PurposeId> = new Set<PurposeId>(['hashing', 'comparing', 'compression']);

/** The subject of the rule that reports the routine by its purpose; undefined for other code. */
export function subjectByName(profile: Profile, r: number): string | undefined {
  const plain = plainNameOf(profile, r);
  const id = PURPOSE_IDS.find(
    (code) => routineHasPurpose(profile, r, code, plain) && (!AMBIGUOUS_PURPOSES.has(code) || isLibrary(profile, r)),
  );
  return id && `code ${id}`;
}

/** Whether a rule reports the routine by its purpose. */
export const isCoveredByName = (profile: Profile, r: number): boolean => subjectByName(profile, r) !== undefined;

export const isLinker = (profile: Profile, r: number): boolean => originOf(profile, r) === LOADER;

/** Whether a routine is library code. Code of the program, and code of which nothing is known, is not. */
export const isLibrary = (profile: Profile, r: number): boolean =>
  !isOwnRoutine(profile, r) || isNameless(routineName(profile, r));
