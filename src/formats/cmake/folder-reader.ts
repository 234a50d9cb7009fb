// Reads CMake's data folder: index files, the snippets listed in them, and the content files that describe targets.
import { type LimitName, limitProblem } from '../../base/limits.ts';
import { FormatError } from '../../base/problem.ts';
import { plural } from '../../base/units.ts';
import type { Sink } from '../../model/sink.ts';
import { StepWriter } from '../../model/steps/writer.ts';
import type { Folder, FolderEntry } from '../loader.ts';
import { isObject, type JsonObject, jsonExcerpt, listOf, numberOf, readJson, textOf, textOfAny } from '../shared/json.ts';
import { byteOrderMarkLength } from '../shared/stream.ts';
import type { StepTrace } from '../trace-events/compile-totals.ts';
import { isSnippet, joinPaths } from './data-folder.ts';
import { buildIdOf, parseSnippet, stageOf, WHOLE_ROLES, writeGauges } from './snippet.ts';

/** The problem of a data version, if any. Minor versions add fields; a major version may change their meaning. */
function versionProblem(value: unknown): { expected: string; found: string; hint: string } | undefined {
  const major = isObject(value) ? value['major'] : value;
  if (major === undefined || major === 1) return undefined;
  return {
    expected: 'CMake instrumentation data of version 1',
    found: `version ${jsonExcerpt(value)}`,
    hint: 'a newer major version may give the same fields another meaning',
  };
}

/** How a file that cannot be read is reported: as one with steps, or without. */
type FileReport = 'leaveOut' | 'warn';

/** By writer: the paths of the snippets that it has the steps of. An index for each hook may list the same ones. */
const readSnippets = new WeakMap<StepWriter, Set<string>>();

export class FolderReader {
  private signal: AbortSignal | undefined;
  private readonly rows: StepWriter;
  readonly track: number;
  private readonly contents = new Set<string>();
  /** The hook of the last index; '' before the first index. */
  hook = '';
  /** The roles of the steps in the current set of snippets. */
  private readonly roles = new Set<string>();
  /** By step: the id of its build, if the snippets have one. */
  private readonly builds = new Map<number, string>();
  /** Compiler traces that CMake moved into the data folder. */
  readonly traces: StepTrace[] = [];

  constructor(
    private readonly folder: Folder,
    private readonly data: string,
    private readonly sink: Sink,
  ) {
    this.rows = sink.writerFor(StepWriter);
    this.track = this.rows.untitledTrack('cmake', 'steps');
    this.rows.stageOf = stageOf;
    sink.creator ??= 'CMake';
  }

  private pathOf(relative: string): string {
    return `${this.folder.path}/${joinPaths(this.data, relative)}`;
  }

  private warn(relative: string, expected: string, found: string): void {
    this.sink.warn({ path: this.pathOf(relative), expected, found });
  }

  private leaveOut(relative: string, expected: string, found: string): void {
    this.sink.leaveOut({ path: this.pathOf(relative), expected, found }, 'STEPS LEFT OUT');
  }

  private isTooLong(limit: LimitName, length: number, relative: string, report: FileReport = 'leaveOut'): boolean {
    if (length <= this.sink.limits[limit]) return false;
    const { expected, found } = limitProblem(this.sink.limits, limit, length);
    this[report](relative, expected, `${found}; left out`);
    return true;
  }

  /** Reads a JSON object; returns undefined, with a warning, for anything else. */
  private readObject(relative: string, what: string, given?: Uint8Array, report: FileReport = 'leaveOut') {
    const bytes = given ?? this.folder.read(joinPaths(this.data, relative));
    // While the build runs, a file may be half-written; the next reading will find it complete.
    const mayBeTorn = this.folder.running !== undefined;
    if (!bytes) {
      if (!mayBeTorn) this[report](relative, what, 'no such file');
      return undefined;
    }
    if (this.isTooLong('value', bytes.length, relative, report)) return undefined;
    const json = readJson(bytes, byteOrderMarkLength(bytes));
    if (json.wrong !== undefined) {
      if (!mayBeTorn) this[report](relative, `${what} as JSON`, bytes.length === 0 ? 'an empty file' : `${json.wrong}; left out`);
    } else if (isObject(json.value)) return json.value;
    else this[report](relative, `${what} that is a JSON object`, `${jsonExcerpt(json.value)}; left out`);
    return undefined;
  }

  private checkVersion(value: unknown, relative: string): void {
    const problem = versionProblem(value);
    if (problem) throw new FormatError({ path: this.pathOf(relative), ...problem });
  }

  /** Whether snippets were left out because they had been read already. */
  hasRepeats = false;

  /** Loads the sets of snippets in the folder, each as a part. */
  async load(signal: AbortSignal, onlyIndex?: string): Promise<void> {
    this.signal = signal;
    const indexes = this.folder.list(joinPaths(this.data, 'index')).filter((n) => !n.folder && n.name.endsWith('.json'));
    const available = new Map<string, FolderEntry>();
    for (const entry of this.folder.list(this.data)) if (!entry.folder && isSnippet(entry.name)) available.set(entry.name, entry);
    const listed = new Set<string>();
    const asked = onlyIndex === undefined ? indexes : indexes.filter((n) => n.name === onlyIndex);
    const chosen = this.withoutContained(asked);
    for (const { name } of chosen) await this.readIndex(`index/${name}`, available, listed);
    if (chosen.length === 0 && available.size > 0)
      await this.readSet([...available.values()], 'all snippets of the folder; no index lists them', {});
    else {
      const rest = [...available.keys()].filter((name) => !listed.has(name));
      const found = `${rest.length} snippets that no index lists: ${rest.slice(0, 3).join(', ')}; left out`;
      if (onlyIndex === undefined && rest.length > 0) this.warn('', 'every snippet in an index', found);
    }
  }

  /** The indexes without those whose snippets are all in another: each hook writes an index, and the one at the end has the whole build. */
  private withoutContained(indexes: readonly FolderEntry[]): readonly FolderEntry[] {
    if (indexes.length < 2) return indexes;
    const sets = indexes.map(({ name }) => {
      const bytes = this.folder.read(joinPaths(this.data, `index/${name}`));
      // Faults of the files are reported where they are read.
      const value = bytes && bytes.length <= this.sink.limits.value && readJson(bytes, byteOrderMarkLength(bytes)).value;
      return new Set(listOf(isObject(value) ? value['snippets'] : undefined).map((snippet) => textOf(snippet) ?? ''));
    });
    const isWithin = (k: number, j: number) =>
      (sets[k].size < sets[j].size || (sets[k].size === sets[j].size && j < k)) &&
      [...sets[k]].every((name) => sets[j].has(name));
    const kept = indexes.filter((_, k) => sets[k].size === 0 || !sets.some((_set, j) => j !== k && isWithin(k, j)));
    const twice = indexes.length - kept.length;
    if (twice > 0)
      this.warn('index', 'each snippet in one index', `${twice} of the indexes have snippets of another only; counted once`);
    return kept;
  }

  private async readIndex(relative: string, available: ReadonlyMap<string, FolderEntry>, listed: Set<string>): Promise<void> {
    const index = this.readObject(relative, 'an index');
    if (!index) return;
    this.checkVersion(index['version'], relative);
    const set = new Map<string, FolderEntry>();
    for (const snippet of listOf(index['snippets'])) {
      const listedName = textOf(snippet) ?? '';
      const name = listedName.startsWith('.') ? listedName.replace(/^(\.\/)+/, '') : listedName;
      // Only plain names are accepted: an index must not point outside its folder.
      if (name === '' || name.includes('/') || name.includes('\\') || name === '..')
        this.leaveOut(relative, 'the name of a snippet', `${jsonExcerpt(snippet)}; not opened`);
      else {
        const entry = available.get(name);
        if (entry) set.set(name, entry);
        else this.leaveOut(relative, 'every listed snippet', `snippet ${name} missing`);
      }
    }
    for (const name of set.keys()) listed.add(name);
    const known = readSnippets.get(this.rows) ?? new Set();
    readSnippets.set(this.rows, known);
    const fresh = [...set.values()].filter(({ name }) => !known.has(this.pathOf(name)));
    for (const { name } of fresh) known.add(this.pathOf(name));
    const twice = set.size - fresh.length;
    this.hasRepeats ||= twice > 0;
    if (twice > 0)
      this.warn(relative, 'each snippet in one index', `${plural(twice, 'snippet')} that another index lists, too; counted once`);
    const given = index['staticSystemInformation'];
    const info = isObject(given) ? given : {};
    const cores = numberOf(info['numberOfLogicalCPU']) ?? 0;
    if (cores > 0) this.rows.facts.cores = cores;
    const memoryMib = numberOf(info['totalPhysicalMemory']) ?? 0;
    if (memoryMib > 0) this.rows.facts.memoryBytes = memoryMib * 2 ** 20;
    this.hook = textOf(index['hook']) ?? '???';
    if (fresh.length > 0 || twice === 0) await this.readSet(fresh, `set of the hook ${this.hook}`, info);
  }

  private async readSet(entries: readonly FolderEntry[], what: string, info: JsonObject): Promise<void> {
    const part = this.sink.parts.length;
    let steps = 0;
    this.roles.clear();
    const before = this.rows.rows;
    const { folder, data } = this;
    let read = 0;
    for await (const files of folder.readAll?.(data, entries) ??
      entries.map(({ name }) => [folder.read(joinPaths(data, name))])) {
      this.signal?.throwIfAborted();
      for (const bytes of files) if (this.readSnippet(entries[read++].name, bytes, part)) steps++;
    }
    // File names consist of command hash and time. Steps that never ran have time 0, some no command, so names may collide.
    let never = 0;
    for (let row = before; row < this.rows.rows; row++) if (this.rows.columns.hasNoStart(row)) never++;
    const has = (...roles: readonly string[]) => roles.some((role) => this.roles.has(role));
    const lacksEnd = has('compile', 'link') && !has('build', 'cmakeBuild') && !folder.running;
    const system = ['OSName', 'OSPlatform', 'OSRelease', 'modelName', 'numberOfLogicalCPU', 'totalPhysicalMemory'].flatMap((k) =>
      info[k] === null || info[k] === undefined ? [] : [`${k} ${textOfAny(info[k]).slice(0, 200)}`],
    );
    const earlier = this.splitByBuild(before, part);
    for (const count of earlier)
      this.sink.addPart({
        ...{ path: this.folder.path, events: ['time'], older: true },
        notes: [`an earlier build, whose end is not recorded: ${plural(count, 'step')}`],
      });
    steps -= earlier.reduce((sum, count) => sum + count, 0);
    this.markInterrupted(before, part + earlier.length);
    this.sink.addPart({
      path: this.folder.path,
      notes: [
        `${what}: ${steps} ${steps === 1 ? 'step' : 'steps'}`,
        ...(lacksEnd ? ['no step of the whole build: its end is not in this record'] : []),
        ...(never > 0 ? [`${never} of them never ran; there may be more, since CMake overwrites those without a program`] : []),
        ...(system.length > 0 ? [`host: ${system.join(', ')}`] : []),
      ],
      events: ['time'],
    });
  }

  /**
   * Gives the steps from row `first` on, of part `part`, a part for each build: an interrupted build has no end, so the next index lists its
   * steps, too. Steps without a build are of the newest. Returns the number of steps of each earlier build.
   */
  private splitByBuild(first: number, part: number): number[] {
    const { builds, rows } = this;
    const start = new Map<string, number>();
    for (let row = first; row < rows.rows; row++) {
      const id = builds.get(row);
      if (id !== undefined) start.set(id, Math.min(start.get(id) ?? Number.POSITIVE_INFINITY, rows.columns.startUs.data[row]));
    }
    const order = new Map([...start].sort(([, a], [, b]) => a - b).map(([id], k) => [id, k]));
    const counts = Array.from({ length: Math.max(0, order.size - 1) }, () => 0);
    for (let row = first; row < rows.rows && counts.length > 0; row++) {
      const k = order.get(builds.get(row) ?? '') ?? counts.length;
      rows.columns.part.data[row] = part + k;
      if (k < counts.length) counts[k]++;
    }
    return counts;
  }

  /** Says of a whole build that ended with 2 although no step failed why that may be: CMake 4.3 records no signals. */
  private markInterrupted(first: number, part: number): void {
    const { rows } = this;
    const own = Array.from({ length: rows.rows - first }, (_, k) => first + k).filter(
      (row) => rows.columns.part.data[row] === part,
    );
    const isWhole = (row: number) => WHOLE_ROLES.has(rows.text('role', row) ?? '');
    if (own.some((row) => !isWhole(row) && rows.columns.result.get(row) > 0)) return;
    for (const row of own)
      if (isWhole(row) && rows.columns.result.get(row) === 2 && rows.text('caveat', row) === undefined)
        rows.setWord('caveat', row, 'interrupted, or failed outside of the recorded steps');
  }

  private readSnippet(name: string, bytes: Uint8Array | undefined, part: number): boolean {
    const value = this.readObject(name, 'a snippet', bytes);
    if (!value) return false;
    // A snippet of another version is skipped, and the others are read.
    const problem = versionProblem(value['version']);
    if (!problem) return this.addStep(value, name, part);
    this.leaveOut(name, problem.expected, `${problem.found}; left out`);
    return false;
  }

  loadSnippet(value: JsonObject, name: string): void {
    this.checkVersion(value['version'], name);
    this.addStep(value, name, this.sink.parts.length);
  }

  private addStep(value: JsonObject, name: string, part: number): boolean {
    const step = parseSnippet(value, part, this.track);
    if (typeof step === 'string') {
      this.leaveOut(name, 'a step with role, timeStart and duration', `${step}; left out`);
      return false;
    }
    if (this.isTooLong('name', step.name.length, name)) return false;
    this.roles.add(step.role ?? '');
    const trace = this.traceOf(value['traceFile'], name);
    const build = buildIdOf(value);
    const row = this.rows.add({ ...step, trace: trace === undefined ? undefined : this.pathOf(trace) });
    if (build !== undefined) this.builds.set(row, build);
    if (trace !== undefined) this.traces.push({ step: row, relative: joinPaths(this.data, trace) });
    if (step.kind !== 'unrun') writeGauges(this.rows, value, step);
    const content = value['cmakeContent'];
    if (typeof content === 'string') this.readContent(content, name);
    return true;
  }

  /** The path of a step's compiler trace. Paths that leave the data folder are rejected. */
  private traceOf(given: unknown, from: string): string | undefined {
    if (typeof given !== 'string' || given === '') return undefined;
    if (!given.startsWith('/') && !given.split(/[/\\]/).includes('..')) return given;
    this.warn(from, 'a traceFile inside the data folder', `${jsonExcerpt(given)}; not opened`);
    return undefined;
  }

  /** Reads the project's targets. Only a file in content/ is accepted, whatever path the step gives. */
  private readContent(given: string, from: string): void {
    if (this.contents.has(given)) return;
    this.contents.add(given);
    const m = /^content\/([^/\\]+\.json)$/.exec(given);
    if (!m) return this.warn(from, 'a cmakeContent inside content/', `${jsonExcerpt(given)}; not opened`);
    if (!this.folder.read(joinPaths(this.data, given))) return;
    const content = this.readObject(given, 'a content file', undefined, 'warn');
    if (!content) return;
    this.sink.command ??= textOf(content['project']) ?? null;
    const targets = content['targets'];
    for (const [name, target] of Object.entries(isObject(targets) ? targets : {})) {
      if (!isObject(target)) continue;
      this.rows.targets.set(name, { type: textOf(target['type']) ?? null, labels: listOf(target['labels']).map(textOfAny) });
    }
    const { custom } = content;
    if (isObject(custom) && Object.keys(custom).length > 0) this.sink.notes.push(`custom content: ${JSON.stringify(custom)}`);
  }

  /** Reads all content files. Traces need this, since they do not name the content files. */
  readAllContents(): void {
    for (const { name, folder } of this.folder.list(joinPaths(this.data, 'content')))
      if (!folder && name.endsWith('.json')) this.readContent(`content/${name}`, '');
  }

  get latestTrace(): string | undefined {
    const files = this.folder.list(joinPaths(this.data, 'trace'));
    return files.findLast((n) => !n.folder && /\.json(\.gz)?$/.test(n.name))?.name;
  }
}
