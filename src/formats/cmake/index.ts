// CMake's instrumentation data (4.3 and later, and the experimental folders of 4.0 to 4.2): a build tree, or any part of it. A set
// is the snippets that an index file lists; without an index, all snippets; if CMake has deleted them after indexing, the latest
// trace. Paths inside the data are not trusted: files are only looked up next to what was opened.
import { beyondLimit } from '../../base/limits.ts';
import { FormatError } from '../../base/problem.ts';
import type { Sink } from '../../model/sink.ts';
import { StepPairs, StepWriter } from '../../model/steps/writer.ts';
import { decodeBytes } from '../../model/strings.ts';
import type { Detection, Folder, Loader, Source } from '../loader.ts';
import { isObject, type JsonObject, listOf, numberOf, readJson, shownOf, textOf, wordOf } from '../shared/json.ts';
import { headText, markLength, readValue } from '../shared/stream.ts';
import { traceEvents } from '../trace-events/index.ts';
import { aboutKept } from './about.ts';
import { addTraces } from './compiler-traces.ts';
import { dataFolder, INDEX, isSnippet, join, TREE } from './data-folder.ts';
import { BUILD_FILE, isKept, KEPT_FOLDER, KeptFiles } from './kept.ts';
import { needsOf, outputsOf, readNinja } from './ninja-file.ts';
import { beginOf, setOrigin } from './origin.ts';
import { gaugesOf, stepOf } from './snippet.ts';

/** Minor versions add fields; a major one may change them. */
function versionProblem(value: unknown): { expected: string; found: string; hint: string } | undefined {
  const major = isObject(value) ? value['major'] : value;
  if (major === undefined || major === 1) return undefined;
  return {
    expected: 'CMake instrumentation data of version 1',
    found: `version ${shownOf(value)}`,
    hint: 'a newer major version may give the same fields another meaning',
  };
}

class Reader {
  private readonly folder: Folder;
  private readonly data: string;
  private readonly sink: Sink;
  private readonly rows: StepWriter;
  private readonly track: number;
  private readonly contents = new Set<string>();

  constructor(folder: Folder, data: string, sink: Sink) {
    this.folder = folder;
    this.data = data;
    this.sink = sink;
    this.rows = sink.tables(StepWriter);
    this.track = this.rows.untitledTrack('cmake', 'steps');
    this.rows.parallel.add(this.track);
    sink.creator ??= 'CMake';
  }

  private pathOf(relative: string): string {
    return `${this.folder.path}/${join(this.data, relative)}`;
  }

  private warn(relative: string, expected: string, found: string): void {
    this.sink.warn({ path: this.pathOf(relative), expected, found });
  }

  /** A JSON object; otherwise undefined, with a warning. */
  private json(relative: string, what: string): JsonObject | undefined {
    const bytes = this.folder.read(join(this.data, relative));
    if (!bytes) {
      this.warn(relative, what, 'no such file');
      return undefined;
    }
    const { limits } = this.sink;
    if (bytes.length > limits.value) {
      const { expected, found } = beyondLimit(limits, 'value', bytes.length);
      this.warn(relative, expected, `${found}; left out`);
      return undefined;
    }
    const json = readJson(bytes, markLength(bytes));
    if (json.wrong !== undefined)
      this.warn(relative, `${what} as JSON`, bytes.length === 0 ? 'an empty file' : `${json.wrong}; left out`);
    else if (isObject(json.value)) return json.value;
    else this.warn(relative, `${what} that is a JSON object`, `${shownOf(json.value)}; left out`);
    return undefined;
  }

  private checkVersion(value: unknown, relative: string): void {
    const problem = versionProblem(value);
    if (problem) throw new FormatError({ path: this.pathOf(relative), ...problem });
  }

  /** Loads the folder's sets, each as a part. */
  load(only?: string): void {
    const indexes = this.folder.list(join(this.data, 'index')).filter((n) => !n.folder && n.name.endsWith('.json'));
    const there = new Set(
      this.folder
        .list(this.data)
        .filter((n) => !n.folder && isSnippet(n.name))
        .map((n) => n.name),
    );
    const listed = new Set<string>();
    const chosen = only === undefined ? indexes : indexes.filter((n) => n.name === only);
    for (const { name } of chosen) this.index(`index/${name}`, there, listed);
    if (chosen.length === 0 && there.size > 0) this.set([...there], 'all snippets of the folder; no index lists them', null);
    else {
      const rest = [...there].filter((n) => !listed.has(n));
      if (only === undefined && rest.length > 0)
        this.warn(
          '',
          'every snippet in an index',
          `${rest.length} snippets that no index lists: ${rest.slice(0, 3).join(', ')}; left out`,
        );
    }
  }

  private index(relative: string, there: ReadonlySet<string>, listed: Set<string>): void {
    const index = this.json(relative, 'an index');
    if (!index) return;
    this.checkVersion(index['version'], relative);
    const set = new Set<string>();
    for (const given of listOf(index['snippets'])) {
      const name = (textOf(given) ?? '').replace(/^(\.\/)+/, '');
      // A plain name, not a path: an index must not point outside its folder.
      if (name === '' || name.includes('/') || name.includes('\\') || name === '..')
        this.warn(relative, 'the name of a snippet', `${shownOf(given)}; not opened`);
      else if (!there.has(name)) this.warn(relative, 'every listed snippet', `snippet ${name} missing`);
      else set.add(name);
    }
    for (const name of set) listed.add(name);
    const info = index['staticSystemInformation'];
    if (isObject(info)) {
      const cores = numberOf(info['numberOfLogicalCPU']) ?? 0;
      if (cores > 0) this.rows.cores = cores;
    }
    const hook = textOf(index['hook']) ?? '???';
    this.set([...set], `set of the hook ${hook}`, isObject(info) ? info : null);
  }

  private set(names: readonly string[], what: string, info: JsonObject | null): void {
    const part = this.sink.parts.length;
    let steps = 0;
    const before = this.rows.rows;
    for (const name of names) if (this.snippet(name, part)) steps++;
    // File names are built from command and time; steps that never ran have time 0, and some have no command, so names collide.
    let never = 0;
    for (let row = before; row < this.rows.rows; row++) if (this.rows.columns.neverRan(row)) never++;
    const system = info
      ? ['OSName', 'OSPlatform', 'OSRelease', 'modelName', 'numberOfLogicalCPU', 'totalPhysicalMemory'].flatMap((k) =>
          info[k] === null || info[k] === undefined ? [] : [`${k} ${wordOf(info[k]).slice(0, 200)}`],
        )
      : [];
    this.sink.addPart({
      path: this.folder.path,
      notes: [
        `${what}: ${steps} steps`,
        ...(never > 0
          ? [`${never} of them never ran; CMake writes those without a program over each other, so there may be more`]
          : []),
        ...(system.length > 0 ? [`host: ${system.join(', ')}`] : []),
      ],
      events: ['time'],
    });
  }

  private snippet(name: string, part: number): boolean {
    const value = this.json(name, 'a snippet');
    if (!value) return false;
    // One snippet that cannot be read is no reason to show none.
    const problem = versionProblem(value['version']);
    if (!problem) return this.step(value, name, part);
    this.warn(name, problem.expected, `${problem.found}; left out`);
    return false;
  }

  /** A snippet that was opened by itself. */
  only(value: JsonObject, name: string): void {
    this.checkVersion(value['version'], name);
    this.step(value, name, this.sink.parts.length);
  }

  private step(value: JsonObject, name: string, part: number): boolean {
    const step = stepOf(value, part, this.track);
    if (typeof step === 'string') {
      this.warn(name, 'a step with role, timeStart and duration', `${step}; left out`);
      return false;
    }
    const { limits } = this.sink;
    if (step.name.length > limits.name) {
      const { expected, found } = beyondLimit(limits, 'name', step.name.length);
      this.warn(name, expected, `${found}; left out`);
      return false;
    }
    this.rows.add({ ...step, trace: this.traceOf(value['traceFile'], name) });
    if (!step.neverRan)
      for (const g of gaugesOf(value))
        this.rows.gauge(g.name, undefined, g.unit, step.startUs + (g.after ? step.durationUs : 0), g.value);
    const content = value['cmakeContent'];
    if (typeof content === 'string') this.content(content, name);
    return true;
  }

  /** The trace of a step's compiler: a file in the data folder, never a path out of it. */
  private traceOf(given: unknown, from: string): string | undefined {
    if (typeof given !== 'string' || given === '') return undefined;
    if (!given.startsWith('/') && !given.split(/[/\\]/).includes('..')) return this.pathOf(given);
    this.warn(from, 'a traceFile inside the data folder', `${shownOf(given)}; not opened`);
    return undefined;
  }

  /** Reads the project's targets. Only a file in content/ is accepted, whatever path the step gives. */
  private content(given: string, from: string): void {
    if (this.contents.has(given)) return;
    this.contents.add(given);
    const m = /^content\/([^/\\]+\.json)$/.exec(given);
    if (!m) return this.warn(from, 'a cmakeContent inside content/', `${shownOf(given)}; not opened`);
    if (!this.folder.read(join(this.data, given))) return;
    const content = this.json(given, 'a content file');
    if (!content) return;
    this.sink.command ??= textOf(content['project']) ?? null;
    const targets = content['targets'];
    for (const [name, target] of Object.entries(isObject(targets) ? targets : {})) {
      if (!isObject(target)) continue;
      this.rows.targets.set(name, { type: textOf(target['type']) ?? null, labels: listOf(target['labels']).map(wordOf) });
    }
    if (isObject(content['custom'])) this.sink.notes.push(`custom content: ${JSON.stringify(content['custom'])}`);
  }

  /** Reads all content files, for a trace, which names none. */
  allContents(): void {
    for (const { name, folder } of this.folder.list(join(this.data, 'content')))
      if (!folder && name.endsWith('.json')) this.content(`content/${name}`, '');
  }

  get latestTrace(): string | undefined {
    return this.folder
      .list(join(this.data, 'trace'))
      .filter((n) => !n.folder && /\.json(\.gz)?$/.test(n.name))
      .at(-1)?.name;
  }
}

/** Roles whose steps run in the folder of ninja. */
const MADE = new Set(['link', 'compile']);

/**
 * Dependencies of the steps from `first` on, by the build.ninja four folders above the data. The folder that ninja ran in is taken
 * from the steps: the tree may have been copied since. Custom commands run in folders of their own.
 */
function readGraph(folder: Folder, data: string, rows: StepWriter, first: number): void {
  const read = (name: string) => folder.read(join(data, name === 'build.ninja' ? BUILD_FILE : `../../../../${name}`));
  let made = first;
  while (made < rows.rows && !MADE.has(rows.text('role', made) ?? '')) made++;
  const file = readNinja(read, 'build.ninja', made < rows.rows ? rows.text('directory', made) : undefined);
  const pairs = rows.needs ?? new StepPairs();
  // A build file of another tree knows none of the steps.
  if (!file || needsOf(rows, first, file, pairs).known === 0) return;
  rows.needs = pairs;
  rows.builds = [...(rows.builds ?? []), ...outputsOf(file)];
}

async function loadFolder(folder: Folder, sink: Sink, signal: AbortSignal): Promise<void> {
  const data = dataFolder(folder);
  if (data === undefined)
    throw new FormatError({
      path: folder.path,
      expected: 'a CMake build tree with instrumentation data',
      found: 'none',
      hint: 'run proftui cmake enable BUILD, then build',
    });
  const begin = beginOf(sink);
  const reader = new Reader(folder, data, sink);
  reader.load();
  if (
    sink.tables(StepWriter).rows === begin.rows.steps &&
    sink.parts.slice(begin.part).every((p) => p.notes[0].endsWith(': 0 steps'))
  ) {
    const trace = reader.latestTrace;
    const bytes = trace === undefined ? undefined : folder.read(join(data, `trace/${trace}`));
    if (bytes) {
      sink.parts.length = begin.part;
      sink.notes.push(`from the trace ${trace}: CMake has deleted the snippets after indexing them`);
      const source: Source = {
        path: `${folder.path}/${join(data, `trace/${trace}`)}`,
        size: bytes.length,
        chunks: async function* () {
          yield bytes;
        },
      };
      await traceEvents.load(source, sink, signal);
      reader.allContents();
    }
  }
  if (sink.parts.length === begin.part) {
    sink.warn({ path: folder.path, expected: 'steps', found: 'none: nothing has been built, or a callback has removed them' });
    sink.addPart({
      path: folder.path,
      notes: ['no data'],
      events: ['time'],
    });
  }
  addTraces(sink.tables(StepWriter), begin.rows.steps, folder, join(data, TREE));
  setOrigin(sink, begin);
  readGraph(folder, data, sink.tables(StepWriter), begin.rows.steps);
}

function detect(head: Uint8Array, path: string): Detection {
  const text = headText(head).trimStart();
  if (text.startsWith('{"proftuiBuild":')) return 'yes';
  if (!text.startsWith('{') || /"traceEvents"/.test(text)) return 'no';
  const isIndex = /"snippets"\s*:\s*\[/.test(text) && /"(hook|dataDir|buildDir)"\s*:/.test(text); // bounded: the head of a file
  const isStep = /"role"\s*:\s*"/.test(text) && /"(timeStart|duration|workingDir)"\s*:/.test(text); // bounded: the head of a file
  const name = path.slice(path.lastIndexOf('/') + 1);
  return isIndex || isStep ? 'yes' : INDEX.test(name) || isSnippet(name) ? 'maybe' : 'no';
}

/** A build kept by `proftui cmake collect`. */
function loadKept(folder: Folder, beside: Folder | undefined, sink: Sink): void {
  const begin = beginOf(sink);
  const rows = sink.tables(StepWriter);
  new Reader(folder, '', sink).load();
  // Compiler traces inside this file cannot be opened on their own.
  for (let row = begin.rows.steps; row < rows.rows; row++) rows.setText('trace', row, undefined);
  if (beside) addTraces(rows, begin.rows.steps, beside, '..');
  setOrigin(sink, begin);
  readGraph(folder, '', rows, begin.rows.steps);
}

/** An index file, a single snippet, or a kept build. */
async function load(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const kept = new KeptFiles(source.path, sink);
  const bytes = await readValue(source, sink.limits, signal, (piece) => kept.take(piece));
  if (kept.lines > 0) {
    kept.finish(bytes);
    return loadKept(kept, source.folder, sink);
  }
  const json = readJson(bytes, markLength(bytes));
  if (json.wrong !== undefined)
    throw new FormatError({
      path: source.path,
      offset: 0,
      expected: 'an index file or a snippet in JSON',
      found: bytes.length === 0 ? 'an empty file' : json.wrong,
    });
  const { value } = json;
  if (!isObject(value)) throw new FormatError({ path: source.path, offset: 0, expected: 'a JSON object', found: shownOf(value) });
  const name = source.path.slice(source.path.lastIndexOf('/') + 1);
  const folder: Folder = source.folder ?? { path: '.', list: () => [], read: () => undefined };
  const begin = beginOf(sink);
  if (Array.isArray(value['snippets'])) {
    new Reader(folder, '..', sink).load(name);
  } else {
    const reader = new Reader(folder, '', sink);
    reader.only(value, name);
    sink.addPart({
      path: source.path,
      notes: ['one snippet'],
      events: ['time'],
    });
  }
  const isIndex = Array.isArray(value['snippets']);
  addTraces(sink.tables(StepWriter), begin.rows.steps, folder, isIndex ? join('..', TREE) : TREE);
  setOrigin(sink, begin);
  if (isIndex) readGraph(folder, '..', sink.tables(StepWriter), begin.rows.steps);
}

export const cmake: Loader = {
  name: 'cmake',
  title: 'CMake instrumentation of a build tree (4.3 and later), its index files and snippets',
  provides: ['steps'],
  make: 'proftui cmake enable BUILD, then build',
  fileNames: /^(build-\d{4}-.*\.json\.gz|index-\d{4}-.*\.json|[A-Za-z]+-[0-9a-f]{20}-\d{4}-.*\.json)$/,
  detect,
  keeps: KEPT_FOLDER,
  about: (head) => (isKept(head) ? aboutKept(decodeBytes(head, 0, head.length)) : undefined),
  ownsFolder: (folder) => dataFolder(folder) !== undefined,
  load,
  loadFolder,
};
