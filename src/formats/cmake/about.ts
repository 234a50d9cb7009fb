// What a kept build was, in a few words: whether anything was built, how many steps, how long, with what result. It is written into
// the first line of the file, so that a list of builds need not unpack them.
import type { About } from '../loader.ts';
import { isObject, listOf, numberOf, parseJson, textOf } from '../shared/json.ts';

/** The roles of steps that make something. */
const MAKES = new Set(['compile', 'link']);
const CLEAN = /(?:^|\s)(?:--target|-t)[ =]clean(?:\s|$)/;
/** The target `test` runs CTest as a custom command. */
const TESTS = /(?:^|[/\\])ctest(?:\.exe)?"?(?:\s|$)/;

/** What the hook says, where steps do not. */
const HOOKED: ReadonlyMap<string, About['what']> = new Map([
  ['postCMakeInstall', 'install'],
  ['postCTest', 'tests'],
  ['postGenerate', 'configure'],
]);

const text = (value: unknown): string => textOf(value) ?? '';

function whatOf(roles: ReadonlySet<string>, clean: boolean, custom: boolean): About['what'] {
  if (roles.has('compile') || roles.has('link')) return 'build';
  if (clean) return 'clean';
  if (roles.has('test') || roles.has('ctest')) return 'tests';
  if (roles.has('install') || roles.has('cmakeInstall')) return 'install';
  if (custom) return 'build';
  if (roles.has('configure')) return 'configure';
  return roles.has('custom') ? 'tests' : 'nothing';
}

/** Of the snippets that an index lists; broken ones do not count. */
export function aboutSteps(hook: string, snippets: Iterable<string>): About {
  const roles = new Set<string>();
  const configs = new Set<string>();
  let [steps, failed, from, to] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [clean, custom] = [false, false];
  for (const snippet of snippets) {
    const s = parseJson(snippet);
    if (!isObject(s)) continue;
    const [role, command, start, duration, result] = [
      text(s['role']),
      text(s['command']),
      numberOf(s['timeStart']) ?? 0,
      numberOf(s['duration']) ?? -1,
      numberOf(s['result']) ?? 0,
    ];
    roles.add(role);
    if (MAKES.has(role)) configs.add(text(s['config']));
    clean ||= CLEAN.test(command);
    custom ||= role === 'custom' && !TESTS.test(command);
    if (role !== 'test' && result !== 0) failed++;
    steps++;
    // A test that never ran has no start.
    if (!(start > 0 && duration >= 0)) continue;
    from = Math.min(from, start);
    to = Math.max(to, start + duration);
  }
  return {
    what: whatOf(roles, clean, custom),
    hook,
    steps,
    durationMs: to >= from ? to - from : 0,
    failed: failed > 0,
    configs: [...configs].slice(0, 8),
  };
}

/** From the first lines of a kept build; of older ones, only what the hook says. */
export function aboutKept(head: string): About | undefined {
  const [first, second = ''] = head.split('\n', 2);
  const said = parseJson(first);
  if (said === undefined) return undefined;
  const about = isObject(said) ? said['about'] : undefined;
  const hook = /\\"hook\\"\s*:\s*\\"(\w+)\\"/.exec(second)?.[1] ?? ''; // bounded: each run is looked at once
  if (!isObject(about)) return hook === '' ? undefined : { what: HOOKED.get(hook) ?? 'build', hook };
  const { what, failed } = about;
  const [steps, durationMs] = [numberOf(about['steps']), numberOf(about['durationMs'])];
  return {
    what: WHATS.find((w) => w === what) ?? 'build',
    hook: text(about['hook']),
    ...(steps !== undefined && durationMs !== undefined ? { steps, durationMs } : {}),
    ...(typeof failed === 'boolean' ? { failed } : {}),
    ...(Array.isArray(about['configs']) ? { configs: listOf(about['configs']).map(text) } : {}),
  };
}

const WHATS: readonly About['what'][] = ['build', 'clean', 'install', 'tests', 'configure', 'nothing'];
