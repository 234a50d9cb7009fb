// Reads build.ninja: the inputs and the rule of each output. Format: https://ninja-build.org/manual.html, "Ninja file reference".
// Commands are in ninja-commands.ts.
// Variables in paths are replaced by their top-level values. ninja would also use the variables of the build block.

import { addToList, firstIndexWhere, getOrMake } from '../../base/lists.ts';
import { absolutePath, normalizedPath } from '../../base/paths.ts';
import { formatCount, plural } from '../../base/units.ts';
import type { Sink } from '../../model/sink.ts';
import { linkCommandOutputs } from '../../model/steps/link-commands.ts';
import type { StepPairs, StepWriter } from '../../model/steps/writer.ts';
import type { Folder } from '../loader.ts';
import { isBelow, logicalLines, NinjaFiles, type NinjaProblem } from './ninja-lines.ts';

/** A build statement: how some outputs are made. */
export interface BuildEdge {
  readonly rule: string;
  /** Absolute paths of the explicit, implicit and order-only (||) inputs, in this order. ninja waits for all of them. */
  readonly inputs: string[];
  /** Index of the first order-only input. A change of an order-only input does not rebuild the outputs. */
  orderOnly: number;
  /** The file with inputs that ninja learns while it builds, such as imported modules; as written. */
  dyndep?: string | undefined;
  /** The folder in which CMake puts the objects of the edge's target, such as `CMakeFiles/app.dir`. */
  objects?: string | undefined;
  /** The pool named by the edge itself; '' for none, even if its rule has a pool. */
  pool?: string | undefined;
  /** The statement as written, without `build`; the variables of its block, expanded; the names of its file. */
  readonly statement: string;
  readonly bindings: (readonly [name: string, value: string])[];
  readonly scope: NinjaScope;
}

export interface BuildFile {
  /** By absolute path of an output: the edge that builds it. */
  readonly edges: ReadonlyMap<string, BuildEdge>;
  /** By pool: the maximum number of edges that run at once. Pools without a limit are left out. */
  readonly pools: ReadonlyMap<string, number>;
  /** The folder that relative paths refer to; '' if unknown. */
  readonly root: string;
  /** Missing files and wrong lines: their edges are unknown. */
  readonly problems: readonly NinjaProblem[];
}

/** Limit of the text from variables, which may double from line to line. Beyond it, variables are empty. */
const MAX_EXPANDED_LENGTH = 64 << 20;
const MAX_EARLIER_COMMANDS = 16;
/** Limit of the dependencies between steps: thousands of steps may each wait for thousands of outputs. */
const MAX_NEEDS = 6_000_000;

/**
 * Reads a build file and its includes; undefined if there is none. `folder`: ninja's working folder; default: as in the file. `configs`: the
 * configurations that were built, each of which has a file of its own in Ninja Multi-Config.
 */
export function readNinjaFile(read: Folder['read'], name: string, folder: string | undefined, configs: readonly string[] = []) {
  const edges = new Map<string, BuildEdge>();
  const top = new NinjaScope();
  let scope = top;
  const scopes = new Map<object, NinjaScope>();
  const pools = new Map([['console', 1]]);
  const root = () =>
    folder ??
    top.values
      .get('cmake_ninja_workdir')
      ?.trimEnd()
      .replace(/(?<=.)\/$/, '') ??
    '';
  const files = new NinjaFiles(read);
  if (!files.enter(name)) return undefined;
  let last: BuildEdge | undefined;
  let block: readonly [kind: string, name: string] = ['', ''];
  const readProperty = (own: string) => {
    const [, name = '', raw = ''] = BINDING.exec(own) ?? [];
    if (block[0] === 'rule') getOrMake(scope.rules, block[1], () => new Map<string, string>()).set(name, raw);
    const value = scope.expand(raw);
    // Blanks at the end belong to a command, but to no name and no number.
    const word = value.trimEnd();
    last?.bindings.push([name, value]);
    if (last && name === 'OBJECT_DIR') last.objects = word;
    if (last && name === 'dyndep') last.dyndep = word;
    if (last && name === 'pool') last.pool = word;
    if (block[0] === 'pool' && name === 'depth' && /^\d{1,9}$/.test(word)) pools.set(block[1], Number(word));
  };
  for (const line of files.lines()) {
    scope = scopes.get(files.at) ?? top;
    if (/^\s/.test(line)) {
      readProperty(line.trimStart());
      continue;
    }
    last = undefined;
    const [, kind = '', named = ''] = /^(rule|pool|default) +(\S+)/.exec(line) ?? []; // bounded: one start, and each run is looked at once
    block = [kind, named];
    const included = /^(include|subninja) (.+)$/.exec(line);
    if (included) {
      const [[path = '']] = parseBuildLine(included[2].replaceAll(':', '$:'), scope);
      // Ninja Multi-Config has a file for each configuration.
      for (const own of CONFIG_FILE.test(path) ? configs.map(configFile).filter(isBelow) : []) if (own !== path) files.enter(own);
      const at = files.enter(path);
      if (at) scopes.set(at, included[1] === 'include' ? scope : new NinjaScope(scope));
    } else if (line.startsWith('build ')) {
      const statement = line.slice(6);
      const [left, right, orderOnly] = parseBuildLine(statement, scope);
      // ninja refuses a file without a line feed at its end, too: it may have been cut off.
      if (right.length === 0 || files.at.isCut) files.addProblem(right.length === 0 ? 'a colon and a rule' : 'a line feed', line);
      if (right.length === 0) continue;
      const [rule = '', ...inputs] = right;
      const absolute = inputs.map((path) => absoluteFrom(root(), path));
      last = { rule, inputs: absolute, orderOnly: Math.max(0, orderOnly - 1), statement, bindings: [], scope };
      for (const out of left) edges.set(absoluteFrom(root(), out), last);
    } else {
      const [, variable, raw] = BINDING.exec(line) ?? [];
      if (variable !== undefined) scope.values.set(variable, scope.expand(raw));
      else if (kind === '') files.addProblem('a statement of ninja', line);
    }
  }
  readDyndeps(edges, root(), (path) => (isBelow(path) ? read(path) : undefined));
  // Depth 0 means unlimited.
  for (const [name, depth] of pools) if (depth === 0) pools.delete(name);
  return { edges, root: root(), pools, problems: files.problems };
}

/** The file with the edges of a configuration, in Ninja Multi-Config. */
const CONFIG_FILE = /^CMakeFiles\/impl-[^/]+\.ninja$/;
const configFile = (config: string): string => (config === '' ? '' : `CMakeFiles/impl-${config}.ninja`);

/** Adds the inputs in dyndep files to their edges. The edges of a file that is gone keep its name: inputs of theirs are unknown. */
function readDyndeps(edges: Map<string, BuildEdge>, root: string, read: (path: string) => Uint8Array | undefined): void {
  const absolute = (path: string) => absoluteFrom(root, path);
  for (const path of new Set(Array.from(edges.values(), ({ dyndep }) => dyndep))) {
    const bytes = path === undefined ? undefined : read(path);
    for (const line of bytes ? logicalLines(bytes) : []) {
      if (!line.startsWith('build ')) continue;
      const [[out = '', ...others], [, ...inputs]] = parseBuildLine(line.slice(6), new NinjaScope());
      const edge = edges.get(absolute(out));
      if (!edge) continue;
      edge.inputs.splice(edge.orderOnly, 0, ...inputs.map(absolute));
      edge.orderOnly += inputs.length;
      edge.dyndep = undefined;
      for (const other of others) edges.set(absolute(other), edge);
    }
  }
}

/** The files that a build file needs beside itself to be read later: those of the configurations, and dyndep files. */
export function filesToKeep(bytes: Uint8Array, configs: Iterable<string>): string[] {
  const files = new Set<string>();
  for (const line of logicalLines(bytes)) {
    const [, dyndep] = /^\s+dyndep *= *(\S+)$/.exec(line) ?? []; // bounded: one start, and each run is looked at once
    const [, included] = /^include (\S+)$/.exec(line) ?? [];
    if (dyndep !== undefined) files.add(dyndep);
    if (included !== undefined && CONFIG_FILE.test(included)) for (const config of configs) files.add(configFile(config));
  }
  return [...files].filter(isBelow);
}

function poolOfEdge({ pool, rule, scope }: BuildEdge, { pools }: BuildFile): string | undefined {
  const name = pool ?? scope.expand(scope.ruleOf(rule)?.get('pool') ?? '').trimEnd();
  return pools.has(name) ? name : undefined;
}

const BINDING = /^([\w.-]+) *= *(.*)$/s; // bounded: one start, and each run is looked at once

/** The variables and rules of a file: those of `include` belong to the file that includes it, those of `subninja` hide those of its file. */
export class NinjaScope {
  readonly values = new Map<string, string>();
  readonly rules = new Map<string, Map<string, string>>();
  private readonly expanded: { chars: number };

  constructor(private readonly parent?: NinjaScope) {
    this.expanded = parent?.expanded ?? { chars: 0 };
  }

  /** The value of a variable; '' if it is not set. */
  valueOf(name: string): string {
    const value = this.values.get(name);
    if (value === undefined) return this.parent?.valueOf(name) ?? '';
    this.expanded.chars += value.length;
    return this.expanded.chars > MAX_EXPANDED_LENGTH ? '' : value;
  }

  /** The variables of a rule, not expanded. */
  ruleOf(name: string): ReadonlyMap<string, string> | undefined {
    return this.rules.get(name) ?? this.parent?.ruleOf(name);
  }

  readonly expand = (raw: string): string => expandText(raw, (name) => this.valueOf(name));
}

const TOKEN_PATTERN = /\$([ :$])|\$\{([\w.-]+)\}|\$([\w-]+)|([^$\s:|]+)|(\|\||[:|\s])|(\$)/g; // bounded: each run is looked at once

const VARIABLE_PATTERN = /\$(?:([ :$])|\{([\w.-]+)\}|([\w-]+))/g; // bounded: each run is looked at once

/** The text with its variables and escapes replaced. */
export const expandText = (raw: string, resolve: (name: string) => string): string =>
  raw.includes('$')
    ? raw.replace(
        VARIABLE_PATTERN,
        (_, escaped?: string, braced?: string, plain?: string) => escaped ?? resolve(braced ?? plain ?? ''),
      )
    : raw;

/** The words before and after the colon, without bars; how many of the right side come before `||`, and how many of each before any bar. */
export function parseBuildLine(
  text: string,
  scope: NinjaScope,
): [left: string[], right: string[], orderOnly: number, explicit: [left: number, right: number]] {
  const sides: [string[], string[]] = [[], []];
  let orderOnly = Number.POSITIVE_INFINITY;
  const explicit: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let side: 0 | 1 = 0;
  let word = '';
  const end = () => {
    if (word !== '') sides[side].push(word);
    word = '';
  };
  for (const m of text.matchAll(TOKEN_PATTERN)) {
    if (m[5] === undefined) word += m[1] ?? (m[4] || (m[6] ?? scope.valueOf(m[2] ?? m[3])));
    else if (m[5] === ':' && side === 1) word += ':';
    else {
      end();
      if (m[5].startsWith('|')) explicit[side] = Math.min(explicit[side], sides[side].length);
      if (m[5] === ':') side = 1;
      else if (m[5] === '||' && side === 1) orderOnly = Math.min(orderOnly, sides[1].length);
    }
  }
  end();
  // `|@` starts validations: no output waits for them.
  const at = sides[1].indexOf('@');
  return [sides[0], at < 0 ? sides[1] : sides[1].slice(0, at), orderOnly, explicit];
}

/** ninja drops `./` in front of a path. */
export const absoluteFrom = (folder: string, path: string): string =>
  normalizedPath(absolutePath(folder, path.replace(/^(?:\.\/+)+/, '')));

/** The lines of a ninja file that define or name pools, each after the head line of its block. */
export function poolLinesIn(bytes: Uint8Array): string {
  const kept: string[] = [];
  let head = '';
  for (const line of logicalLines(bytes)) {
    if (/^\S/.test(line)) head = line;
    else if (/^(pool|depth) *=/.test(line.trimStart())) kept.push(head, line); // bounded: one start, and each run is looked at once
  }
  return kept.map((line) => `${line}\n`).join('');
}

/** A path of the build file, relative to its folder. */
export const relativeToRoot = ({ root }: Pick<BuildFile, 'root'>, path: string): string =>
  root !== '' && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;

/** Sets the needs of the steps of all files, and adds the outputs of this build file, relative to its folder. */
export function setNeeds(rows: StepWriter, needs: StepPairs, file: BuildFile): void {
  rows.needs = needs;
  rows.facts.builds = [...(rows.facts.builds ?? []), ...Array.from(file.edges.keys(), (path) => relativeToRoot(file, path))];
}

/** The absolute outputs of a step. Relative paths refer to the build file's folder, else to the step's folder. */
export function outputsOfStep(rows: StepWriter, row: number, { edges, root }: BuildFile): string[] {
  const directory = rows.text('directory', row);
  return rows.outputsOf(row).map((path) => {
    const whole = absoluteFrom(root, path);
    return edges.has(whole) || directory === undefined ? whole : absoluteFrom(directory, path);
  });
}

export const unknownNeedsText = (built: number, unknown: number): string | undefined =>
  unknown === 0 ? undefined : `dependencies of ${unknown} of ${plural(built, 'step')} are unknown`;

export function warnOfProblems({ problems }: BuildFile, folder: string, sink: Sink): void {
  for (const { file, ...problem } of problems) sink.warn({ path: `${folder}/${file}`, ...problem });
}

/**
 * Writes the needs and pools of the steps from `from` on, also through files that no recorded step made. Returns the number of steps with outputs
 * (`asked`), and of those with one that the file builds (`known`); the number of compiles, links and custom commands (`built`), and the first
 * outputs of those with inputs that the file does not tell (`unknown`).
 */
export function writeStepNeeds(rows: StepWriter, from: number, file: BuildFile, pairs: StepPairs) {
  const { edges, pools } = file;
  const { startUs, durationUs } = rows.columns;
  let [asked, known] = [0, 0];
  const unknown: string[] = [];
  const isBuilt = (row: number) => BUILT_ROLES.has(rows.text('role', row) ?? '');
  const added = Array.from({ length: rows.rows - from }, (_, k) => from + k);
  const ownOutputs = added.map((row) => outputsOfStep(rows, row, file));
  const linkOutputs = linkCommandOutputs(added, {
    text: (name, row) => rows.text(name, row),
    outputs: (row) => ownOutputs[row - from],
  });
  const outputs = added.map((row) => {
    const paths = linkOutputs.get(row) ?? ownOutputs[row - from];
    if (paths.length > 0) asked++;
    if (paths.some((path) => edges.has(path))) known++;
    if (isBuilt(row) && !paths.some((path) => edges.has(path) && edges.get(path)?.dyndep === undefined))
      unknown.push(rows.outputsOf(row)[0] ?? '');
    return paths;
  });
  const built = added.filter(isBuilt).length;
  if (known === 0) return { asked, known, unknown, built };
  const start = (i: number) => startUs.data[i] || 0;
  const byStart = (a: number, b: number) => start(a) - start(b) || durationUs.data[a] - durationUs.data[b] || a - b;
  const madeBy = new Map<string, number[]>();
  for (const [k, list] of outputs.entries()) for (const path of list) addToList(madeBy, path, from + k);
  for (const makers of madeBy.values()) makers.sort(byStart);
  const reached = stepsBehindFiles(file, madeBy);
  const found = new Set<number>();
  let isCut = false;
  outputs.forEach((list, k) => {
    const i = from + k;
    const made = list.map((path) => edges.get(path)).find((e) => e !== undefined);
    const pool = made && poolOfEdge(made, file);
    if (pool !== undefined) {
      rows.setText('pool', i, pool);
      rows.pools.set(pool, pools.get(pool) ?? 1);
    }
    isCut ||= pairs.from.length > MAX_NEEDS || reached.isCut();
    if (isCut) return;
    found.clear();
    for (const path of list)
      for (const input of edges.get(path)?.inputs ?? []) for (const m of madeBy.get(input) ?? reached.from(input)) found.add(m);
    // Commands for the same output run in sequence, such as rm, ar and ranlib.
    for (const path of list) {
      const makers = madeBy.get(path) ?? [];
      const own = firstIndexWhere(makers.length, (m) => byStart(makers[m], i) >= 0);
      for (const m of makers.slice(Math.max(0, own - MAX_EARLIER_COMMANDS), own)) found.add(m);
    }
    found.delete(i);
    for (const m of found) pairs.push(i, m);
  });
  if (isCut)
    rows.facts.needsCaveat ??= `the build file lists more than ${formatCount(MAX_NEEDS)} dependencies: the rest are left out`;
  return { asked, known, unknown, built };
}

/** Roles of steps that ninja runs because of an edge. */
const BUILT_ROLES: ReadonlySet<string> = new Set(['compile', 'link', 'custom']);

/** Finds the steps behind a file that no step made: the makers of its direct or indirect inputs. Cycles of files are cut. */
function stepsBehindFiles({ edges }: BuildFile, madeBy: ReadonlyMap<string, readonly number[]>) {
  const known = new Map<string, readonly number[]>();
  const isDone = new Set<string>();
  let kept = 0;
  const from = (path: string): readonly number[] => {
    const open = isDone.has(path) ? [] : [path];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const inputs = isDone.has(top) || kept > MAX_NEEDS ? [] : (edges.get(top)?.inputs ?? []);
      const isFirst = !known.has(top);
      if (isFirst) known.set(top, NO_STEPS);
      const below = isFirst ? inputs.filter((input) => !madeBy.has(input) && !known.has(input)) : [];
      if (below.length > 0) {
        for (const input of below) open.push(input);
        continue;
      }
      open.pop();
      if (isDone.has(top)) continue;
      isDone.add(top);
      const found = new Set<number>();
      for (const input of inputs) for (const m of madeBy.get(input) ?? known.get(input) ?? NO_STEPS) found.add(m);
      if (found.size > 0) known.set(top, [...found]);
      kept += found.size;
    }
    return known.get(path) ?? NO_STEPS;
  };
  return { from, isCut: () => kept > MAX_NEEDS };
}

const NO_STEPS: readonly number[] = [];
