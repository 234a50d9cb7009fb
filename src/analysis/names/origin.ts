// Tells whose code a routine is: the user's own, or that of a library, the loader, the kernel or a language runtime.
import { memo } from '../../base/lists.ts';
import { baseName, isPathBelow, mappedPath, normalizedPath, programName, readablePath, withSlashes } from '../../base/paths.ts';
import { fillInSlices, NAMES_PER_SLICE, type Sliced } from '../../base/slices.ts';
import type { OwnPaths } from '../../model/head.ts';
import { codeRowsOf, type Profile } from '../../model/profile.ts';
import { fileName, nameWithoutNumber, objectName } from './names.ts';
import { namePartsOf } from './parts.ts';

/** `own`, a tag (`std`, `libc`, `loader`, `kernel`, `runtime` …), or the name of a library. */
export type CodeOrigin = string;

export const OWN: CodeOrigin = 'own';
export const LOADER: CodeOrigin = 'loader';

/** Code without a name, file and object. */
const UNKNOWN: CodeOrigin = 'unknown';

/** How many path components must match for a program built elsewhere. One name is too weak. */
const MIN_MATCHING_NAMES = 2;
const MAX_MATCHING_NAMES = 4;
const MAX_PATH_LENGTH = 1000;
export const MAX_NAME_LENGTH = 4000;

type OriginRules = readonly (readonly [pattern: RegExp, origin: CodeOrigin])[];

/** Files of packages and runtimes, even below the user's folders. `$1` is the name of the library. */
const PACKAGE_FILES: OriginRules = [
  [/^(?:php:internal$|node:|<frozen |<built-in>|~$|\[C\]$)/, 'runtime'],
  [/(?:^|\/)node_modules\/((?:@[^/]{1,99}\/)?[^/]{1,99})\//, '$1'],
  [/\/(?:site|dist)-packages\/([^/.]{1,99})/, '$1'],
  [/\/\.cargo\/registry\/src\/[^/]{1,99}\/([^/]{1,99}?)-\d/, '$1'],
  [/\/pkg\/mod\/(?:[^/@]{1,99}\/){0,9}([^/@]{1,99})@/, '$1'],
  [/\/rustc\/[0-9a-f]{40}\/|\/rustlib\/src\/rust\//, 'std'],
  [/^\/usr\/local\/go\/|^\/usr\/lib\/go|\/go\/src\/(?![^/]{0,99}\.)/, 'runtime'],
  [/\/lib(?:64)?\/python\d[\d.]{0,9}\//, 'runtime'],
];

const SYSTEM_FILES: OriginRules = [
  // Valgrind's JSON and texts have names of files without their folders.
  [
    /^(?:stl_\w{1,30}|(?:new_|debug_)?allocator|alloc_traits|basic_(?:string|ios)|char_traits|predefined_ops)\.h$|^[a-z_]{3,30}\.tcc$/,
    'std',
  ],
  [/^(?:shared|unique)_ptr(?:_base)?\.h$|^(?:hashtable(?:_policy)?|unordered_(?:map|set)|std_(?:function|thread))\.h$/, 'std'],
  [/^(?:dl-[\w-]{1,40}|rtld(?:-[a-z]{1,20})?)\.[chS]$/, LOADER],
  [/^(?:libc-start|libc_start_call_main|pthread_create|allocatestack)\.[chS]$|^start\.S$/, 'libc'],
  [
    /^(?:tuple|vector|string|utility|functional|memory|map|set|list|deque|array|optional|variant|thread|mutex|future|[a-z]{0,2}stream)$/,
    'std',
  ],
  [/(?:^|\/)c\+\+\/|\/libstdc\+\+-v3\//, 'std'],
  [/^\.{1,2}\/(?:elf)\//, LOADER],
  [/^\.{1,2}\/(?:malloc|string|stdlib|csu|ctype|libio|nptl|stdio-common|sysdeps)\//, 'libc'],
  [/\/sysdeps\/|\/include\/(?:[a-z0-9_]{1,20}-linux-gnu[a-z0-9]{0,9}\/)?bits\/|^\/(?:build|usr\/src)\/glibc/, 'libc'],
  [/^\/build\/gcc-|^\/usr\/src\/gcc|\/libgcc\//, 'libgcc'],
  [/^\/usr\/(?:local\/)?include\/(?:[a-z0-9_]{1,20}-linux-gnu[a-z0-9]{0,9}\/)?([^/.]{1,99})\//, '$1'],
  [/^\/usr\/(?:local\/)?include\//, 'libc'],
  [
    /^\/(?:usr\/(?!src\/(?!debug\/|linux))|lib(?:32|64|x32)?\/|s?bin\/|(?:nix|gnu)\/store\/|System\/|Library\/)|^[A-Z]:\/(?:Windows|Program Files)/i,
    'system',
  ],
];

const OBJECTS: OriginRules = [
  [/^ld(?:-linux[^/]{0,99}|-\d[\d.]{0,9}|64|-musl-[^/]{1,99})?\.so/, LOADER],
  // Without a version, names as short as libutil.so are also those of projects.
  [/^lib(?:c|m|mvec|pthread|dl|rt|util|resolv|nsl|nss_[a-z]{1,20}|crypt|anl)(?:\.so\.\d|-\d\.\d{1,3}(?:\.\d{1,3})?\.so)/, 'libc'],
  [/^lib(?:c|m|dl)\.(?:so|dylib)$|^libsystem_|^libc\.musl/, 'libc'],
  [/^(?:libstdc\+\+)/, 'libstdc++'],
  [/^vgpreload_/, 'valgrind'],
  [/^(lib[^/]{1,99}?)(?:-\d[\d.]{0,20})?\.(?:so|dylib|dll)\b/, '$1'],
  [/^([^/]{1,99}?)(?:\.cpython[^/]{1,99})?\.(?:so|dylib|dll)\b/, '$1'],
];

/** The dynamic linker's routines. */
export const LINKER_NAMES =
  /^(?:_dl_\w+|dl_(?:main|open_worker|iterate_phdr|init\w*|relocate\w*)|do_lookup_(?:x|unique)|check_match|elf_dynamic_do_\w+|elf_machine_\w+|_?rtld_\w+|lookup_malloc_symbol)$/;

/** Names that no program gives its own code. */
const NAMES: OriginRules = [
  [LINKER_NAMES, LOADER],
  [/^(?:std|__gnu_cxx|__cxxabiv1)::|^operator (?:new|delete)/, 'std'],
  [/^<?(?:core|alloc)::[a-z_]{1,30}::/, 'std'],
  [/^runtime[./]|^\((?:idle|program|root|garbage collector)\)$/, 'runtime'],
  [/^\[(?:idle|GC_active|deoptimization|(?:[^\]]{0,99} )?tid=\d{1,9}|(?:break|no|not|skipped|unknown)_\w{1,40})\]$/, 'runtime'],
  [/^L?(?:java|javax|jdk|sun|com[./]sun)[./]/, 'runtime'],
  [/^(?:\(below main\)|_start|__libc_(?:start\w{1,30}|csu_\w{1,9})|start_thread|clone3?)$/, 'libc'],
  [/_\[k\]$|^(?:entry_SYSCALL_64|do_syscall_64|__x64_sys_|asm_(?:exc|sysvec)_)/, 'kernel'],
];

/** Names of the C library, where no object says whose they are. */
const C_NAMES =
  /^(?:__|_IO_|_int_(?:malloc|free|realloc)|tcache_|(?:malloc_consolidate|sysmalloc|unlink_chunk|arena_for_chunk|checked_request2size)$|msort_with_tmp|(?:asuint|asdouble|top12)(?:64)?$|(?:exp|pow|sqrt|sin|cos|tan)f?$|is(?:alnum|alpha|digit|space|upper|lower|punct)$|to(?:lower|upper)$)|^(?:malloc|free|calloc|realloc|(?:mem|str)(?:cpy|set|move|cmp|chr|len|dup|cat|str|tok)|[vsnf]{0,3}(?:printf|scanf)|qsort|pthread_\w{1,40})(?:_avx\w{0,40}|_sse\w{0,40}|_evex\w{0,40})?$/;

/** Texts that stand for code without a name, or for no code: `(V8 API)`, `(no stack)`, `[Missed User Stack]`, `--` between two stacks. */
const NOT_A_NAME =
  /^(?:0x|\?\?\?|\[unknown\]|\[Missed [A-Z]\w{1,20} Stack\]|--$|UnknownFn|\((?:[A-Z][A-Z\d_ ]{0,40}|no (?:stack|frame)|below \w{1,20}'s threshold|stacks not recorded|frames elided)\)$)/;

function matchRules(rules: OriginRules, text: string): CodeOrigin | undefined {
  for (const [pattern, origin] of rules) {
    const found = pattern.exec(text);
    if (found) return origin === '$1' ? found[1] : origin;
  }
  return undefined;
}

export type PlainName = ReturnType<typeof plainName>;

/** A name without template arguments, parameters, return type and suffixes: `bare` with its scopes, `lastSegment` without. */
export function plainName(name: string) {
  const { segments } = namePartsOf(name.slice(0, MAX_NAME_LENGTH));
  const bare = segments.map(({ separator, identifier }) => separator + identifier).join('');
  return { bare: bare.trimEnd(), lastSegment: (segments.at(-1)?.identifier ?? '').trimEnd() };
}

class Origins {
  /** By file: whose code it has; undefined for unknown files. */
  readonly files: readonly (CodeOrigin | undefined)[];
  /** By object: whose code it has; undefined for a program. */
  readonly objects: readonly (CodeOrigin | undefined)[];
  /** By object: 1 if it belongs to the system, so that none of its code is own. */
  private readonly isSystem: Uint8Array;
  /** By routine: 1 if it has a line in an own file. */
  private readonly hasOwnLine: Uint8Array;
  /** By routine, as far as somebody asked: several views and findings ask for all. */
  private readonly known: (CodeOrigin | undefined)[];

  constructor(private readonly profile: Profile) {
    const objects = Array.from(profile.objects.name, (_, o) => (objectName(profile, o) ?? '').slice(0, MAX_PATH_LENGTH));
    const commands = [profile.command, ...profile.parts.map(({ command }) => command)];
    const programs = new Set(commands.map((command) => programName(command?.split(' ')[0] ?? '')));
    this.files = Array.from(profile.files.name, (_, f) => originOfFile(fileName(profile, f) ?? '', profile.own));
    this.objects = objects.map((path) => originOfObject(path, programs));
    this.isSystem = Uint8Array.from(objects, (path) =>
      Number(/^(?:\[|(?:\/usr)?\/lib)|^ld-|^lib(?:c|m|stdc\+\+)(?:\.so|-\d)/.test(path)),
    );
    this.hasOwnLine = new Uint8Array(profile.routines.name.length);
    this.known = new Array<CodeOrigin | undefined>(profile.routines.name.length);
    const code = codeRowsOf(profile);
    for (let i = 0; code && i < code.file.length; i++)
      if (code.file[i] >= 0 && this.files[code.file[i]] === OWN) this.hasOwnLine[code.routine[i]] = 1;
  }

  of(r: number): CodeOrigin {
    return (this.known[r] ??= this.find(r));
  }

  private find(r: number): CodeOrigin {
    const { file, object } = this.profile.routines;
    const inObject = this.objects[object[r]];
    if (inObject !== undefined && this.isSystem[object[r]] === 1) return inObject;
    const inFile = this.files[file[r]];
    if (inFile === OWN) return OWN;
    const name = nameWithoutNumber(this.profile, r);
    const byName = matchRules(NAMES, /[(<> ]/.test(name) ? plainName(name).bare : name);
    // Callgrind's file of a routine is that of its first instruction, which may be inlined from a library.
    // A name of a file alone, without its folder, is of Valgrind's frames, each of which is a function in its own file.
    const isOfFrame = this.profile.kind !== 'callgraph' && !fileName(this.profile, file[r])?.includes('/');
    const isOfFirst = inFile === 'std' && !isOfFrame && !/^(?:_|operator\b)/.test(name);
    const mayBeInlined = this.hasOwnLine[r] === 1 || isOfFirst;
    if (mayBeInlined && byName === undefined) return OWN;
    if (inFile !== undefined) return inFile;
    if (byName !== undefined) return byName;
    if (inObject !== undefined) return inObject;
    if (/^[^?]/.test(objectName(this.profile, object[r]) ?? '')) return OWN;
    const [, inBrackets = ''] = /^\[([^\]]{1,200})\]$/.exec(name) ?? [];
    const ofBrackets = matchRules(OBJECTS, inBrackets);
    if (ofBrackets !== undefined) return ofBrackets;
    return C_NAMES.test(name) ? 'libc' : NOT_A_NAME.test(name) ? UNKNOWN : OWN;
  }
}

/** An object without the name of a shared library is a program, and so is what the command names. */
function originOfObject(path: string, programs: ReadonlySet<string>): CodeOrigin | undefined {
  const name = baseName(path);
  if (path === '' || path.startsWith('?') || path === '[unknown]' || programs.has(programName(path))) return undefined;
  if (path.startsWith('[')) return 'kernel';
  return matchRules(OBJECTS, name);
}

/** The origin of a file's code, by its path and the user's folders; undefined if it is unknown. */
function originOfFile(recorded: string, own: OwnPaths | undefined): CodeOrigin | undefined {
  if (recorded === '' || /^(?:\?|UnknownFile)/.test(recorded)) return undefined;
  const name = withSlashes(recorded).slice(0, MAX_PATH_LENGTH);
  const fromPackage = matchRules(PACKAGE_FILES, name);
  if (fromPackage !== undefined) return fromPackage;
  return own && isInFolders(recorded, own) ? OWN : (matchRules(SYSTEM_FILES, name) ?? OWN);
}

/** Whether a file lies in one of the user's folders, or one of them has a file of that relative path, or of the last names of a path from elsewhere. */
export function isInFolders(name: string, { folders, maps, hasFile }: OwnPaths): boolean {
  const [mapped] = maps.flatMap((map) => mappedPath(name, map) ?? []);
  const path = normalizedPath(readablePath(mapped ?? withSlashes(name)));
  if (!/^(?:[A-Z]:)?\//.test(path)) return !path.startsWith('..') && hasFile(path);
  if (folders.some((folder) => folder !== '/' && isPathBelow(normalizedPath(folder), path))) return true;
  const names = path.split('/').slice(1);
  for (let n = Math.min(MAX_MATCHING_NAMES, names.length); n >= MIN_MATCHING_NAMES; n--)
    if (hasFile(names.slice(-n).join('/'))) return true;
  return false;
}

const originsOf = memo((profile: Profile) => new Origins(profile), 4);

/** The origin of a routine, by its object, its file and those of its lines, and its name. */
export const originOf = (profile: Profile, routine: number): CodeOrigin => originsOf(profile).of(routine);

/** The origin of a routine, and the object of code that is not the program's: `loader  ld-linux-x86-64.so.2`. */
export function originWithObject(profile: Profile, routine: number): string {
  const origin = originOf(profile, routine);
  const object = profile.routines.object[routine];
  return originsOf(profile).objects[object] === undefined ? origin : `${origin}  ${baseName(objectName(profile, object) ?? '')}`;
}

/** Whether the routines of a profile are code, so that some of it may be the user's own. */
export const hasCode = ({ kind }: Profile): boolean => kind === 'callgraph' || kind === 'stacks' || kind === 'inputs';

/** By routine: 1 if the user can edit it. Yields between slices: some names have to be parsed. */
export function markOwnRoutines(profile: Profile): Sliced<Uint8Array> {
  const own = new Uint8Array(profile.routines.name.length);
  return fillInSlices(own, (r) => Number(isOwnRoutine(profile, r)), NAMES_PER_SLICE);
}

/** Whether a name in brackets is that of a state, thread or gap of the sampler: `[idle]`, `[main tid=7]`. Others are objects of unnamed code. */
export const isSamplerState = (name: string): boolean =>
  name.startsWith('[') && name !== '[unknown]' && (matchRules(NAMES, name) !== undefined || NOT_A_NAME.test(name));

/** Whether the user can edit the routine. */
export const isOwnRoutine = (profile: Profile, routine: number): boolean => originOf(profile, routine) === OWN;

/** Whether a file is the user's. */
export const isOwnFile = (profile: Profile, file: number): boolean => originsOf(profile).files[file] === OWN;
