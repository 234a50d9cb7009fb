// The rules of the house: who imports whom, how long files are, no key twice, generated parts of the README fresh.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import test from 'node:test';
import { analyse } from '../src/analysis/answers/analyse.ts';
import { globalBindings } from '../src/app/keymap.ts';
import { loaders } from '../src/formats/index.ts';
import { loadProfile } from '../src/io/load.ts';
import { reports } from '../src/reports/index.ts';
import { MOST_DIGITS, views, viewsOf } from '../src/views/index.ts';
import { existing, ROOT } from './support/fixtures.ts';
import { long } from './support/long.ts';
import { textsIn } from './support/regexes.ts';

/** Folder: the folders of src that it may import; `node` and `npm:NAME` are what else it may have. */
const MAY: Record<string, string[]> = {
  base: [
    'npm:string-width',
    'npm:fuzzysort',
    'npm:re2js',
    'npm:@eslint-community/regexpp',
    'npm:simple-statistics',
    'npm:tinyqueue',
  ],
  model: ['base'],
  formats: ['model', 'base', 'npm:sax'],
  analysis: ['model', 'base', 'npm:simple-statistics', 'npm:diff'],
  columns: ['analysis', 'model', 'base'],
  pictures: ['columns', 'analysis', 'model', 'base'],
  findings: ['columns', 'analysis', 'model', 'base'],
  reports: ['findings', 'pictures', 'columns', 'analysis', 'model', 'base'],
  exports: ['reports', 'columns', 'analysis', 'model', 'base', 'npm:pbf'],
  views: [
    'findings',
    'pictures',
    'columns',
    'analysis',
    'model',
    'base',
    'npm:highlight.js/lib/core',
    'npm:highlight.js/lib/languages/c',
    'npm:highlight.js/lib/languages/cpp',
    'npm:highlight.js/lib/languages/go',
    'npm:highlight.js/lib/languages/python',
    'npm:highlight.js/lib/languages/rust',
  ],
  app: ['exports', 'views', 'columns', 'analysis', 'model', 'base'],
  io: ['formats', 'model', 'base', 'node', 'npm:gecko-profiler-demangle/index_bg.js'],
  tui: [
    'app',
    'io',
    'exports',
    'reports',
    'views',
    'columns',
    'analysis',
    'model',
    'base',
    'node',
    'npm:ink',
    'npm:react',
    'npm:ink-table',
    'npm:string-argv',
  ],
  library: ['exports', 'reports', 'findings', 'columns', 'io', 'formats', 'analysis', 'model', 'base', 'node'],
  cli: ['tui', 'exports', 'reports', 'columns', 'io', 'formats', 'analysis', 'model', 'base', 'node', 'npm:meow'],
};

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((e) =>
    e.isDirectory() ? filesIn(join(folder, e.name)) : [join(folder, e.name)],
  );
}

const sources = filesIn(join(ROOT, 'src'));
const fuzzer = filesIn(join(ROOT, 'fuzz')).filter((f) => f.endsWith('.ts'));

test('every import is allowed', () => {
  const wrong: string[] = [];
  for (const file of sources) {
    const folder = relative(join(ROOT, 'src'), file).split('/')[0];
    const allowed = MAY[folder];
    assert.ok(allowed, `${folder} is in the table`);
    for (const [, from, lazy] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export|\}) .*from '([^']+)';$|\bimport\('([^']+)'\)/gm,
    )) {
      const target = from ?? lazy;
      const kind = target.startsWith('.')
        ? relative(join(ROOT, 'src'), join(file, '..', target)).split('/')[0]
        : target.startsWith('node:')
          ? 'node'
          : `npm:${target}`;
      if (kind !== folder && !allowed.includes(kind)) wrong.push(`${relative(ROOT, file)} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

/** What a file imports, types included: other files of src. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, target]) => join(file, '..', target));
}

/** The rooms of src/analysis: each may import those before it. */
const ROOMS = ['names', 'answers', 'builds', 'growth', 'profiles', 'limits'];

test('analysis has six rooms, and no import goes up', () => {
  const folder = join(ROOT, 'src/analysis');
  const roomOf = (file: string) => ROOMS.indexOf(relative(folder, file).split('/')[0]);
  const inside = sources.filter((file) => file.startsWith(`${folder}/`));
  const wrong = inside.flatMap((file) =>
    importsOf(file)
      .filter((target) => target.startsWith(`${folder}/`) && roomOf(target) > roomOf(file))
      .map((target) => `${relative(folder, file)} imports ${relative(folder, target)}`),
  );
  assert.deepEqual(wrong, []);
  assert.deepEqual([...new Set(inside.map(roomOf))].sort(), [0, 1, 2, 3, 4, 5]);
});

/** Registries, which know all domains: the only general code that imports them. */
const REGISTRIES = /^(exports|findings|reports|views)\/index\.ts$|^analysis\/limits\/|^cli\/cmake\.ts$/;
test('only registries and the same domain import a folder named builds or growth', () => {
  const domainOf = (path: string) => /(?:^|\/)(builds|growth)\//.exec(path)?.[1];
  const crossings = sources.flatMap((file) => {
    const from = relative(join(ROOT, 'src'), file);
    if (REGISTRIES.test(from)) return [];
    return importsOf(file)
      .map((target) => relative(join(ROOT, 'src'), target))
      .filter((to) => domainOf(to) !== undefined && domainOf(to) !== domainOf(from))
      .map((to) => `${from} imports ${to}`);
  });
  assert.deepEqual(crossings, []);
});

test('no file imports itself by way of others, for its types either', () => {
  const imports = new Map(sources.map((file) => [file, importsOf(file)]));
  // What imports nothing that is left is in no circle; nor is what only that imports.
  for (let before = -1; before !== imports.size; ) {
    before = imports.size;
    for (const [file, targets] of imports) if (!targets.some((t) => imports.has(t))) imports.delete(file);
  }
  assert.deepEqual(
    [...imports.keys()].map((f) => relative(ROOT, f)),
    [],
  );
});

/** The code without what its comments, texts and patterns say. */
function codeOf(text: string): string {
  return text.replace(
    /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:?&|![{;]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g,
    (match) => (/^[`'"]/.test(match) ? "''" : ''),
  );
}

test('types are seldom overruled: at most 5 ! and 3 as in 1,000 lines', () => {
  let lines = 0;
  let bangs = 0;
  let casts = 0;
  for (const file of sources) {
    const text = readFileSync(file, 'utf8');
    lines += text.split('\n').length;
    const code = codeOf(text).replace(/^(?:import|export) [^;]*? from ''/gm, '');
    bangs += code.match(/[\w\])'}]!(?=[\s.,;:)\]}[(?+*/<>-]|$)/gm)?.length ?? 0;
    casts += code.match(/\bas (?!const\b)[\w({[]/g)?.length ?? 0;
    assert.doesNotMatch(code, /[:<,(|&] ?any\b|\bas any\b/, file);
  }
  assert.ok(lines > 10_000);
  assert.ok(bangs * 1000 <= 5 * lines, `${bangs} in ${lines} lines`);
  assert.ok(casts * 1000 <= 3 * lines, `${casts} in ${lines} lines`);
});

test('formats read JSON in one place, and make no text of what they do not know', () => {
  // String(), toString() and JSON.parse() throw, or never end, for objects that a file may hold.
  const found = sources
    .filter((file) => /\/src\/formats\//.test(file) && !file.endsWith('/shared/json.ts'))
    .filter((file) => /\bJSON\.parse\(|\bString\(|\bmap\(String\)/.test(codeOf(readFileSync(file, 'utf8'))))
    .map((file) => relative(ROOT, file));
  assert.deepEqual(found, []);
});

test('nothing outside formats knows a format by its name', () => {
  // `folded` is an ordinary word, too: as a format, it stands in quotes.
  const words = loaders.map((l) => (l.name === 'folded' ? `'${l.name}'` : `\\b${l.name}\\b`));
  const names = new RegExp(`(${words.join('|')})`, 'i');
  // `proftui cmake` asks CMake for what its loader reads.
  const exempt = /^src\/(formats\/|exports\/|cli\/cmake\.ts|io\/(builds\/cmake-(builds|tree)|running)\.ts)/;
  const found = sources
    .filter((file) => !exempt.test(relative(ROOT, file)))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .split('\n')
        .filter((line) => names.test(line.replace(/(^|\s)\/\/ .*/, '').replace(/proftui cmake|'\.\/cmake\.ts'/g, '')))
        .map((line) => `${relative(ROOT, file)}: ${line.trim()}`),
    );
  assert.deepEqual(found, []);
});

/** Calls of the file system that throw, and those of Node that ask it. */
const FILE_CALL =
  /\b(?:(?:access|chmod|fstat|fsync|link|lstat|mkdir|opendir|open|readdir|readFile|readlink|read|realpath|rename|rm|stat|statfs|write)Sync|realpathSync\.native|process\.cwd|homedir)\(/;
/** The files whose errors their callers expect: what opens and reads. */
const FILE_ROOM = /^io\/(?:disk\/|sources\/source\.ts|stat\.ts)/;

test('a call of the file system outside io/disk is tried, or its function says what it throws', () => {
  const wrong: string[] = [];
  for (const path of sources) {
    const file = relative(join(ROOT, 'src'), path);
    if (FILE_ROOM.test(file)) continue;
    const lines = readFileSync(path, 'utf8').split('\n');
    for (const [at, line] of lines.entries())
      if (FILE_CALL.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line) && !isTried(lines, at))
        wrong.push(`${file}:${at + 1} ${line.trim()}`);
  }
  assert.deepEqual(wrong, []);
});

/** True if the line is inside of `try` or `attempt`, by its indentation, or in a declaration whose comment says what it throws. */
function isTried(lines: readonly string[], at: number): boolean {
  if (/\battempt\(/.test(lines[at])) return true;
  let indent = lines[at].search(/\S/);
  for (let k = at - 1; k >= 0; k--) {
    const own = lines[k].search(/\S/);
    const isComment = /^\s*(?:\/\/|\/?\*)/.test(lines[k]);
    if (isComment && own <= indent + 1 && /[Tt]hrows/.test(lines[k])) return true;
    if (own < 0 ? indent === 0 : own >= indent || isComment) continue;
    indent = own;
    if (/\btry \{$|\battempt\(/.test(lines[k])) return true;
    if (own === 0 && k > 0 && !/\*\/$|^\/\//.test(lines[k - 1])) return false;
  }
  return false;
}

test('no source file is longer than 400 lines', () => {
  const long = [...sources, ...fuzzer, ...filesIn(join(ROOT, 'assembly'))]
    .map((f) => [relative(ROOT, f), readFileSync(f, 'utf8').split('\n').length] as const)
    .filter(([, n]) => n > 401);
  assert.deepEqual(long, []);
});

test('every source file says in its first line what it is for', () => {
  const without = [...sources, ...fuzzer]
    .filter((f) => !/^(\/\/|\/\*\*)/.test(readFileSync(f, 'utf8')))
    .map((f) => relative(ROOT, f));
  assert.deepEqual(without, []);
});

/** Type names that may be declared in more than two files: none. One name has one meaning. */
test('no type name is declared more than twice', () => {
  const counts = new Map<string, number>();
  for (const file of sources)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(
      /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm,
    ))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  assert.deepEqual(
    [...counts].filter(([, count]) => count > 2).map(([name]) => name),
    [],
  );
});

test('comments name their subject: none begins with What, Whose, Those, That or Of', () => {
  const wrong = sources.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        /^\s*(?:\/\/|\/\*\*|\*) (?:What|Whose|Those|That|Of)\b/.test(line) ? [`${relative(ROOT, file)}:${i + 1}`] : [],
      ),
  );
  // Lines of a longer comment may begin so in the middle of a sentence.
  const begins = wrong.filter((at) => {
    const [file, line] = [at.slice(0, at.lastIndexOf(':')), Number(at.slice(at.lastIndexOf(':') + 1))];
    const before = readFileSync(join(ROOT, file), 'utf8').split('\n')[line - 2] ?? '';
    return !/^\s*(?:\/\/|\*) .*[^.:]$/.test(before);
  });
  assert.deepEqual(begins, []);
});

/** Words that texts do not use, since the field has others: expensive, report, distinguish, represent. Ids such as `high-self-cost` stay. */
const BANNED =
  /\b(?:dear(?:er|est|ly)?(?!-)|told|of late|for good|stands?|standing|speaks?|keeps? silent|(?:take[ns]?|took) for granted|all in all|in sentences|as it (?:is|was|stands)|what counts|next to nothing)\b/i;

test('texts and documents use the words of the field', () => {
  const said = sources.flatMap((file) =>
    textsIn(readFileSync(file, 'utf8'))
      .filter(({ text }) => !/^\.{1,2}\//.test(text) && BANNED.test(text))
      .map(({ text, line }) => `${relative(ROOT, file)}:${line}: ${text}`),
  );
  const pages = filesIn(join(ROOT, 'docs')).filter((file) => file.endsWith('.md'));
  const written = [...pages, join(ROOT, 'README.md'), join(ROOT, 'CHANGELOG.md')].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, i) => (BANNED.test(line) ? [`${relative(ROOT, file)}:${i + 1}: ${line}`] : [])),
  );
  assert.deepEqual([...said, ...written], []);
});

test('no key stands twice in a view, and none of a view hides the key of another view, Tab, ?, : or q', () => {
  const kept = ['tab', '?', ':', 'q', 'ctrl-c', 'esc', '/', 'n', 'N'];
  for (const view of views) {
    const keys = view.keys.flatMap((b) => b.keys);
    assert.equal(new Set(keys).size, keys.length, `${view.id}: ${keys.filter((k, i) => keys.indexOf(k) !== i)}`);
    assert.deepEqual(
      keys.filter((k) => kept.includes(k) || /^[1-9!]$/.test(k)),
      [],
      view.id,
    );
  }
  const keys = globalBindings.flatMap((b) => b.keys);
  assert.equal(new Set(keys).size, keys.length);
});

test('the digits of a profile count its views without gaps, and all keys together are at most 60', async () => {
  for (const file of ['callgrind/default.callgrind.out', 'aprof/sorts-cct/sorts_29653_0_4.aprof', 'build-trace/harbor.trace']) {
    const profile = await loadProfile([existing(join(ROOT, 'fixtures', file))]);
    const shown = viewsOf(analyse(profile, profile.events));
    const digits = shown.flatMap(({ digit }) => (digit === '' ? [] : [digit]));
    assert.deepEqual(
      digits,
      digits.map((_, i) => `${i + 1}`),
      file,
    );
    const tabs = shown.filter(({ partOf }) => partOf === undefined).length;
    assert.equal(digits.length, Math.min(tabs, MOST_DIGITS), file);
  }
  // Digits count one each; arrows, Home, End, the keys for pages and F1 are second names.
  const second = /^(up|down|left|right|home|end|page.*|ctrl-[fb]|f1|=)$/;
  const keys = new Set([...globalBindings, ...views.flatMap((v) => v.keys)].flatMap((b) => b.keys));
  const first = [...keys].filter((key) => !second.test(key));
  assert.ok(first.length <= 60, `${first.length}: ${first.join(' ')}`);
});

test('names in the registries are different', () => {
  for (const names of [loaders.map((l) => l.name), views.map((v) => v.id), reports.map((r) => r.name)])
    assert.equal(new Set(names).size, names.length);
});

test('every view writes a report that there is', () => {
  for (const view of views)
    assert.ok(
      reports.some((r) => r.name === view.report.name),
      view.id,
    );
});

test('every format has a guide, and no link of the documents leads nowhere', () => {
  for (const { name } of loaders) assert.ok(existsSync(join(ROOT, `docs/${name}.md`)), `docs/${name}.md is missing`);
  const documents = [
    'README.md',
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    ...filesIn(join(ROOT, 'docs')).map((file) => relative(ROOT, file)),
  ].filter((n) => n.endsWith('.md'));
  for (const document of documents)
    for (const [, target] of readFileSync(join(ROOT, document), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g))
      assert.ok(existsSync(join(ROOT, document, '..', target)), `${document}: ${target}`);
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8').trimEnd().split('\n').length;
  assert.ok(readme <= 80, `README.md has ${readme} lines; at most 80: move some into a guide`);
});

test('the tables of the documents are made from the registries', () => {
  // test/reports/schema.test.ts holds the schemas against what they are made from.
  const words = ['--import', 'tsx', join(ROOT, 'scripts/readme.ts'), '--check', '--without-schemas'];
  execFileSync(process.execPath, words, { cwd: ROOT, stdio: 'pipe' });
});

test('the map and the design pages name only what there is, by whole paths', () => {
  const pages = ['ARCHITECTURE.md', ...readdirSync(join(ROOT, 'docs/design')).map((name) => `docs/design/${name}`)];
  const gone = pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/`([\w./-]+(?:\.(?:tsx?|mjs|md)|\/))`/g)]
      .filter(([, path]) => !path.startsWith('dist/') && !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, 'src', path)))
      .map(([, path]) => `${page}: ${path}`),
  );
  assert.deepEqual(gone, []);
});

test('every folder of src has a line in the map, which has at most 200; a design page has at most 150', () => {
  const map = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  assert.ok(map.split('\n').length <= 201);
  const folders = [...new Set(sources.map((file) => basename(dirname(file))))];
  assert.deepEqual(
    folders.filter((name) => name !== 'src' && !map.includes(`${name}/`)),
    [],
  );
  for (const page of readdirSync(join(ROOT, 'docs/design')))
    assert.ok(readFileSync(join(ROOT, 'docs/design', page), 'utf8').split('\n').length <= 151, page);
});

long('the WebAssembly in src is made from its sources', () => {
  execFileSync(process.execPath, [join(ROOT, 'scripts/wasm.mjs'), '--check'], { cwd: ROOT, stdio: 'pipe' });
});
