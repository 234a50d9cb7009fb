// Which code is which by its name: allocation, copying and the like, and what is no code of one's own.
import { routineFile, routineName, routineObject } from '../../analysis/names.ts';
import type { Profile } from '../../model/profile.ts';

/** The dynamic linker. */
export const LINKER =
  /^(?:_dl_|dl_|do_lookup|check_match|elf_dynamic|elf_machine|strcmp_ld|_rtld|_dl_start|do_lookup_x|lookup_malloc_symbol|rtld_)/;

export interface CodeName {
  readonly id: string;
  /** What the code does, for sentences. */
  readonly noun: string;
  /** The start of its sentence. */
  readonly title: string;
  /** Names of routines, without their parameters. */
  readonly pattern: RegExp;
  readonly words: string;
}

const NAMES = {
  allocation: {
    noun: 'allocating and freeing memory',
    title: 'Allocating and freeing memory takes',
    words:
      'malloc, free, calloc, realloc, operator new and delete, and what is inside them; the allocators of Go, jemalloc and tcmalloc',
    pattern:
      /^(?:_*(?:libc_)?(?:malloc|free|calloc|realloc|memalign|posix_memalign|aligned_alloc|cfree)(?:_[a-z_]+)?|_?int_(?:malloc|free|realloc|memalign)\S*|_mid_memalign|sysmalloc|systrim\S*|unlink_chunk\S*|arena_get\S*|tcache_\w+|alloc_perturb|operator (?:new|delete)(?:\[\])?|brk|sbrk|__sbrk|tc_\w+|je_\w+|runtime\.(?:malloc\w*|mallocgc\w*|newobject|makeslice\w*|growslice|\(\*m(?:cache|central|heap|span)\)\..*|gcBgMarkWorker.*|gcDrain.*|scanobject|greyobject|sweepone|bgsweep|heapBits.*|memclr\w*|nextFree\w*))$/,
  },
  copying: {
    noun: 'copying and filling memory',
    title: 'Copying and filling memory takes',
    words: 'memcpy, memmove, memset, bcopy and their variants for processors; runtime.memmove of Go',
    pattern:
      /^_*(?:(?:mem(?:p?cpy|move|set|ccpy)|bcopy|bzero)(?:_[a-z0-9_]+)?|w?mem(?:cpy|move|set|pcpy)_\w+|runtime\.(?:memmove|typedmemmove|typedslicecopy))$/,
  },
  strings: {
    noun: 'string handling',
    title: 'String handling takes',
    words: 'str*, sprintf and scanf with what is inside them, strto*, std::string and streams',
    pattern:
      /^(?:_*(?:str(?:n?len|n?cpy|n?cat|r?chr|str|pbrk|c?spn|tok|tok_r|n?dup|sep|chrnul|to[a-z]+)(?:_[a-z0-9_]+)?|rawmemchr\S*|memchr\S*|v?s?n?f?printf\S*|_IO_\w+|v?f?s?scanf\S*|_itoa\S*|ato[ifl]+|[a-z_]*strto\w+_l?_?internal|__mbrtowc|mb\w+)|std::(?:__cxx11::)?(?:basic_)?(?:string|ostream|istream|stringbuf|streambuf|filebuf)\b.*|std::(?:operator<<|operator>>|getline|to_string|num_put|num_get|ostream|istream)\b.*)$/,
  },
  hashing: {
    noun: 'hashing',
    title: 'Hashing takes',
    words: 'names with hash, crc32, adler32, md5, sha1, sha256, fnv, murmur, siphash or cityhash in them',
    pattern:
      /(?:^|[^a-z])(?:\w*(?:[hH]ash)\w*|crc32\w*|adler32\w*|md5\w*|sha(?:1|256|512)\w*|fnv1?a?\w*|murmur\w*|siphash\w*|cityhash\w*)$/,
  },
  comparing: {
    noun: 'comparing',
    title: 'Comparing takes',
    words: 'strcmp, memcmp, bcmp and their variants; routines named compare, cmp or less; operator<, > and ==',
    pattern:
      /^_*(?:(?:str(?:n?case)?n?cmp|strcoll|w?memcmp|bcmp)(?:_[a-z0-9_]+)?|w?memcmp_\w+|(?:\w*::)*(?:\w+_)?(?:compare|cmp|less)(?:_\w+)?|(?:\w*::)*operator(?:<|>|<=|>=|==|!=|<=>)|runtime\.memequal\w*|cmpbody)$/,
  },
  library: {
    noun: 'the C++ standard library (std::)',
    title: 'The C++ standard library (std::) takes',
    words: 'names in std:: and __gnu_cxx::',
    pattern: /^(?:[\w:]+ )?(?:std|__gnu_cxx)::/,
  },
  linking: {
    noun: 'the dynamic linker',
    title: 'The dynamic linker takes',
    words: '_dl_*, do_lookup_x and what else ld.so has by that name',
    pattern: LINKER,
  },
} as const satisfies Record<string, Omit<CodeName, 'id'>>;

export type CodeId = keyof typeof NAMES;
export const codeName = (id: CodeId): CodeName => ({ id, ...NAMES[id] });

/** Longer names are not looked at beyond this. */
const LONGEST = 300;

/** Without what stands in angle brackets, but for the operators that are made of these. */
function withoutTemplates(name: string): string {
  let [out, depth] = ['', 0];
  for (let i = 0; i < name.length; i++) {
    const c = name[i];
    const isOperator = /operator[<>=-]*$/.test(name.slice(Math.max(0, i - 12), i)); // bounded: twelve characters
    if (c === '<' && !isOperator) depth++;
    else if (c === '>' && depth > 0) depth--;
    else if (depth === 0) out += c;
  }
  return out;
}

/** The qualified name alone: without template arguments, parameters, return type, symbol version and recursion level. */
export function bareName(profile: Profile, r: number): string {
  const name = routineName(profile, r)
    .slice(0, LONGEST)
    .replace(/@@?[A-Z][\w.]*$/, '') // bounded: LONGEST
    .replace(/'\d+$/, ''); // bounded: LONGEST
  const plain = withoutTemplates(name).replaceAll('(anonymous namespace)', '{anonymous}');
  // Go's methods: runtime.(*mcache).refill
  if (/^[\w/.]+\.\(/.test(plain)) return plain; // bounded: LONGEST
  const operator = plain.indexOf('operator');
  const paren = plain.indexOf('(', operator < 0 ? 1 : plain.startsWith('operator()', operator) ? operator + 10 : operator);
  const bare = paren > 0 ? plain.slice(0, paren) : plain;
  return operator < 0 ? bare.slice(bare.lastIndexOf(' ') + 1) : bare;
}

const SYSTEM_OBJECT =
  /^\/(?:usr\/)?lib(?:32|64|x32)?\/|\/ld(?:-linux)?[-.][^/]*$|\/lib(?:c|m|stdc\+\+|pthread|gcc_s|dl)[-.][^/]*$/;
const SYSTEM_FILE =
  /^\/usr\/(?:include|lib|src|local\/go)\/|\/c\+\+\/\d|\/go\/src\/|\/(?:glibc|sysdeps|elf|csu|malloc|stdio-common)\/|^\.\/(?:elf|malloc|string|stdlib|csu|sysdeps|nptl)\//;
const SYSTEM_NAME = /^(?:(?:[\w:]+ )?(?:std|__gnu_cxx)::|runtime\.|_start$|__|_IO_|_int_|\(below main\)|0x|\?\?\?)/;

/** Code without a name: an address, ???, or all that an object has of that. */
const NAMELESS =
  /^(?:0x(?:[0-9a-f]+|\.\.\.)|\?+|\[unknown\]|\[[^\]]{1,200}\](?:\+?0x[0-9a-f]+)?|[^ ()]{1,200}\+0x[0-9a-f]+)?(?: \[[^\]]{1,200}\])?$/i; // bounded: LONGEST

export const isNameless = (name: string): boolean => name.length <= LONGEST && NAMELESS.test(name);

/** Code of which there is nothing to tell by itself: the dynamic linker's, and what has no name. */
export const isUntold = (profile: Profile, r: number): boolean => isLinker(profile, r) || isNameless(routineName(profile, r));

/** What anyone may call a routine of one's own: the others are names of libraries. */
const ORDINARY: ReadonlySet<string> = new Set<CodeId>(['hashing', 'comparing']);

/** Library code that a rule tells by what it does, with its cause. */
export function isToldByName(profile: Profile, r: number): boolean {
  const bare = bareName(profile, r);
  return Object.entries(NAMES).some(([id, { pattern }]) => pattern.test(bare) && (!ORDINARY.has(id) || isLibrary(profile, r)));
}

export const isLinker = (profile: Profile, r: number): boolean => LINKER.test(bareName(profile, r));

/** Whether code is a library's by its object, file or name; what says nothing of these is taken for one's own. */
export function isLibrary(profile: Profile, r: number): boolean {
  return (
    SYSTEM_OBJECT.test((routineObject(profile, r) ?? '').slice(0, 1000)) ||
    SYSTEM_FILE.test((routineFile(profile, r) ?? '').slice(0, 1000)) ||
    SYSTEM_NAME.test(bareName(profile, r))
  );
}
