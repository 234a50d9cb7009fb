// What mutations start from: the fixtures of a format, ELF files from hand and from the fixtures, and whole build trees.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { keptHeadLine, keptTextLine } from '../src/formats/cmake/kept.ts';
import { loaders } from '../src/formats/index.ts';
import { buildElf, stripElf } from '../test/support/elf.ts';
import { FIXTURES } from '../test/support/fixtures.ts';
import { type Input, type InputFile, isGzip, sizeOf, toText } from './input.ts';
import { fewerMessages } from './mutate-messages.ts';
import type { Random } from './random.ts';

/** What can be fuzzed: every format, and the object files that symbols come from. */
export const TARGETS: readonly string[] = [...loaders.map((l) => l.name), 'elf'];

export type Shape = 'text' | 'json' | 'binary' | 'messages';

/** How the bytes of a format, or of a file that lies beside one, are best mutated. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  cmake: 'json',
  'trace-events': 'json',
  'build-trace': 'json',
  'clang-traces': 'json',
  gperftools: 'binary',
  pprof: 'messages',
  cpuprofile: 'json',
  heapprofile: 'json',
  speedscope: 'json',
  firefox: 'json',
  dhat: 'json',
  elf: 'binary',
  '.ninja_deps': 'binary',
};

export interface Seeds {
  readonly target: string;
  readonly shape: Shape;
  readonly inputs: readonly Input[];
}

const LARGEST = 64 << 10;

const unpacked = (path: string): Uint8Array => {
  const bytes = readFileSync(path);
  return new Uint8Array(isGzip(bytes) ? gunzipSync(bytes) : bytes);
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => join(e.parentPath, e.name))
    .sort();

const read = new Map<string, Seeds>();

/** Read once. */
export function seedsOf(target: string): Seeds {
  let seeds = read.get(target);
  if (!seeds) read.set(target, (seeds = readSeeds(target)));
  return seeds;
}

function readSeeds(target: string): Seeds {
  const shape = SHAPES[target] ?? 'text';
  const inputs =
    target === 'elf'
      ? elfSeeds()
      : target === 'cmake'
        ? treeSeeds()
        : [...(FOLDERS.has(target) ? folderSeeds(target) : []), ...(target === 'clang-traces' ? [] : fileSeeds(target))];
  if (inputs.length === 0) throw new Error(`there are no fixtures of ${target}`);
  return { target, shape, inputs };
}

/** Formats that are folders, or can be, and how many of their files make an input. */
const FOLDERS: ReadonlyMap<string, number> = new Map([
  ['clang-traces', 3],
  ['ctest', 20],
]);

/** Formats that a slice of a file is never of. */
const WHOLE: ReadonlySet<string> = new Set(['cpuprofile', 'dhat', 'firefox', 'heapprofile', 'massif', 'speedscope']);

/** Formats whose fixtures are named `.txt`; beside those of others, such a file is a report on a fixture. */
const TEXT_FILES: ReadonlySet<string> = new Set(['austin', 'go-text']);

function folderSeeds(target: string): Input[] {
  const most = FOLDERS.get(target) ?? 1;
  return readdirSync(join(FIXTURES, target), { withFileTypes: true })
    .filter((e) => e.isDirectory())
    .flatMap(({ name }) => {
      const root = join(FIXTURES, target, name);
      const files = filesIn(root)
        .filter((path) => !/ClangBuildAnalyzer/.test(path))
        .map((path) => ({ path: path.slice(root.length + 1).replace(/\.gz$/, ''), bytes: unpacked(path) }))
        .filter(({ bytes }) => bytes.length < LARGEST);
      return Array.from({ length: Math.ceil(files.length / most) }, (_, k) => ({
        files: files.slice(k * most, (k + 1) * most),
        opened: 0,
      }));
    });
}

const single = (path: string, bytes: Uint8Array): Input => ({ files: [{ path, bytes }], opened: 1 });

function fileSeeds(target: string): Input[] {
  const loader = loaders.find((l) => l.name === target);
  if (!loader) throw new Error(`no format ${target}; there are ${TARGETS.join(', ')}`);
  const out: Input[] = [];
  for (const path of filesIn(join(FIXTURES, target))) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (/truth|expected|README|\.(md|py|sh|tsv|ninja)(\.gz)?$/.test(name)) continue;
    if (!TEXT_FILES.has(target) && /\.txt(\.gz)?$/.test(name)) continue;
    const bytes = unpacked(path);
    const wanted = loader.fileNames.test(name) || loader.detect(bytes.subarray(0, 4096), name) === 'yes';
    if (wanted && bytes.length > 0) out.push(single(name.replace(/\.gz$/, ''), bytes));
  }
  if (target !== 'ninja-log') return out;
  // With what lies beside a log.
  const graph = { path: 'build.ninja', bytes: unpacked(join(FIXTURES, 'cmake/tidepool.build.ninja.gz')) };
  const ferry = bundled(join(FIXTURES, 'ninja-log/ferry.json.gz')).filter(({ path }) => /ninja/.test(path));
  ferry.sort((a, b) => Number(b.path === '.ninja_log') - Number(a.path === '.ninja_log'));
  return out.flatMap((input) => [input, { ...input, files: [...input.files, graph] }, { files: ferry, opened: 1 }]);
}

const bundled = (path: string): InputFile[] =>
  Object.entries<string>(JSON.parse(toText(unpacked(path)))).map(([name, text]) => ({
    path: name,
    bytes: new Uint8Array(Buffer.from(text, 'latin1')),
  }));

function elfSeeds(): Input[] {
  const symbols = [
    { name: 'main', value: 0x10000, size: 0x40, type: 2, bind: 1 },
    { name: '_ZN3abc3defEi', value: 0x10040, size: 0x40, type: 2, bind: 2 },
    { name: 'no_size', value: 0x100c0, size: 0, type: 0, bind: 0 },
    { name: 'versioned@@GLIBC_2.2.5', value: 0x10100, size: 0x80, type: 10, bind: 1 },
  ];
  const made = [true, false].flatMap((wide) =>
    [true, false].flatMap((little) => [false, true].map((dynamic) => buildElf(wide, little, symbols, dynamic))),
  );
  const paths = [...filesIn(join(FIXTURES, 'gperftools/bin')), ...filesIn(join(FIXTURES, 'callgrind/bin'))];
  const real = paths.map((path) => new Uint8Array(readFileSync(path))).filter((b) => toText(b.subarray(1, 4)) === 'ELF');
  return [...made, ...real, ...real.slice(0, 2).map((b) => stripElf(b))].map((bytes) => single('object', bytes));
}

/** The bundles of build trees: each folder with instrumentation data, the same as a kept build, and single files of it. */
function treeSeeds(): Input[] {
  const out: Input[] = [];
  for (const path of filesIn(join(FIXTURES, 'cmake')).filter((p) => /\/cmake\/[^/]+\.json(\.gz)?$/.test(p))) {
    const roots = new Map<string, InputFile[]>();
    for (const { path: name, bytes } of bundled(path)) {
      const at = name.indexOf('.cmake/');
      if (at < 0 || !name.endsWith('.json')) continue;
      roots.set(name.slice(0, at), [...(roots.get(name.slice(0, at)) ?? []), { path: name.slice(at), bytes }]);
    }
    for (const list of roots.values()) out.push(...inputsOf(list));
  }
  const graph = { path: 'build.ninja', bytes: unpacked(join(FIXTURES, 'cmake/tidepool.build.ninja.gz')) };
  const ferry = bundled(join(FIXTURES, 'cmake/ferry-make.json.gz'));
  return [
    ...out.map((input, i) => (input.opened === 0 && i % 7 === 0 ? { ...input, files: [...input.files, graph] } : input)),
    { files: ferry.filter(({ path }) => !path.endsWith('compiler_depend.make')), opened: 0 },
    { files: ferry.filter(({ path }) => !path.endsWith('.d')), opened: 0 },
  ];
}

function inputsOf(list: readonly InputFile[]): Input[] {
  const files: InputFile[] = [];
  for (const file of list) if (sizeOf({ files, opened: 0 }) + file.bytes.length < LARGEST) files.push(file);
  const data = files.filter((f) => f.path.includes('/data/'));
  if (data.length === 0) return [];
  const lines = data.map((f) => keptTextLine(f.path.replace(/.*\/data\//, ''), Buffer.from(f.bytes).toString('utf8')));
  const kept = keptHeadLine({ what: 'build', hook: 'postBuild', steps: data.length }) + lines.join('');
  return [
    { files, opened: 0 },
    { files, opened: 0 },
    { files, opened: 0 },
    single('build-1.json', new Uint8Array(Buffer.from(kept))),
    single(data[0].path.slice(data[0].path.lastIndexOf('/') + 1), data[0].bytes),
  ];
}

/** A slice of the input that is quick to read: whole lines of a text, its head always among them. */
export function sliceOf({ inputs, shape, target }: Seeds, random: Random): Input {
  const seed = random.pick(inputs);
  const most = random.chance(0.82) ? random.pick([300, 1000, 4000]) : random.chance(0.88) ? 16 << 10 : LARGEST;
  if (seed.opened === 0) return { ...seed, files: someFiles(seed.files, most, random) };
  // Object files are found by offsets, and these are one value of JSON each: a slice of them is none.
  if (target === 'elf' || WHOLE.has(target)) return seed;
  return { ...seed, files: seed.files.map((f) => ({ ...f, bytes: slice(f.bytes, most, SHAPES[f.path] ?? shape, random) })) };
}

function someFiles(files: readonly InputFile[], most: number, random: Random): InputFile[] {
  let room = most;
  const start = random.below(files.length);
  const out = [...files.slice(start), ...files.slice(0, start)].filter((f) => {
    if (room <= 0 && !/index-|build\.ninja|CMakeCache|TargetDirectories/.test(f.path)) return false;
    room -= f.bytes.length;
    return true;
  });
  return out.map((f) => (f.bytes.length > LARGEST ? { ...f, bytes: f.bytes.slice(0, LARGEST) } : f));
}

/** Names and headers stand at the start, so half of a slice is from there. */
function slice(bytes: Uint8Array, most: number, shape: Shape, random: Random): Uint8Array {
  if (bytes.length <= most) return bytes;
  if (shape === 'messages') return fewerMessages(bytes, most, random);
  if (shape === 'binary') return bytes.slice(0, Math.min(bytes.length, LARGEST));
  const lineEnd = (from: number) => {
    const at = bytes.indexOf(10, from);
    // Lines of a megabyte are cut.
    return at < 0 || at > from + most ? Math.min(bytes.length, from + most) : at + 1;
  };
  const head = bytes.subarray(0, lineEnd(random.chance(0.5) ? most : Math.floor(most / 2)));
  const from = lineEnd(random.below(bytes.length));
  const tail =
    head.length >= most ? new Uint8Array(0) : bytes.subarray(from, Math.min(bytes.length, lineEnd(from + most - head.length)));
  return new Uint8Array(Buffer.concat([head, tail]));
}
