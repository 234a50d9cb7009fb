// Groups of routines (--by): against perf report, against sums over the lines of Cachegrind's files, and against the totals of every profile.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { chooseGrouping } from '../../src/analysis/profiles/choices.ts';
import { ROUTINE_KEYS } from '../../src/analysis/profiles/granularity/groups.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { printCommand } from '../../src/app/print-command.ts';
import { openSession } from '../../src/app/start.ts';
import { baseName, readablePath } from '../../src/base/paths.ts';
import { loadProfile } from '../../src/io/load.ts';
import { type Profile, questionsOf } from '../../src/model/profile.ts';
import { reports } from '../../src/reports/index.ts';
import { existing, FIXTURES, namesIn, readMaybeGz } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { LOADED_PLAINLY } from '../support/loaded-with.ts';
import { contextOf } from '../support/reports.ts';
import { versus } from '../support/versus.ts';
import { runWarm } from '../support/warm.ts';

interface Row {
  readonly level: number;
  readonly by: Readonly<Record<string, string | null>>;
  readonly self: Readonly<Record<string, number>>;
  readonly inclusive: Readonly<Record<string, number>> | null;
  readonly estimated?: boolean;
}

async function groupsOf(profile: Profile, grouping: string): Promise<Row[]> {
  const report = reports.find((r) => r.name === 'groups');
  const texts: string[] = [];
  const context = { ...contextOf(profile), routine: undefined, limit: Number.POSITIVE_INFINITY, grouping };
  await report?.write('json', context, '0', async (text) => {
    texts.push(text);
  });
  return JSON.parse(texts.join('')).rows;
}

test('comm, dso, cpu and symbol of samples are those of perf report; a command after exec is told apart', async () => {
  const profile = await loadProfile([join(FIXTURES, 'perf-script/commands.perf.gz')]);
  const sections = readFileSync(join(FIXTURES, 'perf-script/commands.report.txt'), 'utf8').split('# --sort ').slice(1);
  let compared = 0;
  for (const section of sections) {
    const [keys, ...lines] = section.trim().split('\n');
    const words = keys.replace('sym', 'routine').split(',');
    const rows = (await groupsOf(profile, words.join(','))).filter((row) => row.level === words.length);
    const found = new Map<string, string>();
    for (const { by, self } of rows) {
      if (self['samples'] === 0) continue;
      const name = words.map((key) => baseName(by[key] ?? '')).join('|');
      found.set(name, `${self['cpu-clock']} ${self['samples']}`);
    }
    // Code without a symbol is one routine of its object here, an address there.
    const expected = lines.map((line) => line.split('|')).filter((cells) => !/0x[0-9a-f]{16}$/.test(cells.at(-1) ?? ''));
    for (const [period, samples, ...names] of expected) {
      const name = names.map((text) => text.replace(/^\[[.k]\] /, '').replace(/^0+(?=\d)/, '')).join('|');
      assert.equal(found.get(name), `${period} ${samples}`, `${keys}: ${name}`);
      compared++;
    }
    if (!words.includes('routine')) assert.equal(found.size, expected.length, keys);
  }
  assert.ok(compared > 45, `${compared}`);
});

test('cachegrind: files and functions in files cost what their lines cost', async () => {
  for (const name of namesIn(`${FIXTURES}/cachegrind`, /^(demo|heat|heat20|heat-branch)\.cachegrind\.out\.gz$/)) {
    const path = join(FIXTURES, 'cachegrind', name);
    const files = new Map<string, number>();
    const functions = new Map<string, number>();
    let [file, fn] = ['', ''];
    for (const line of readMaybeGz(path).toString().split('\n')) {
      if (line.startsWith('fl=')) file = readablePath(line.slice(3));
      else if (line.startsWith('fn=')) fn = line.slice(3);
      else if (/^\d/.test(line)) {
        const cost = Number(line.split(' ')[1]);
        files.set(file, (files.get(file) ?? 0) + cost);
        functions.set(`${file}\n${fn}`, (functions.get(`${file}\n${fn}`) ?? 0) + cost);
      }
    }
    const rows = await groupsOf(await loadProfile([path]), 'file:routine');
    const costs = (level: number) =>
      rows.filter((row) => row.level === level && row.self['Ir'] !== 0).map((row) => row.self['Ir']);
    const sorted = (of: Iterable<number>) => [...of].filter((cost) => cost !== 0).sort((a, b) => a - b);
    assert.deepEqual(sorted(costs(1)), sorted(files.values()), name);
    assert.deepEqual(sorted(costs(2)), sorted(functions.values()), name);
    const known = new Map(rows.filter((row) => row.level === 1).map((row) => [row.by['file'], row.self['Ir']]));
    for (const [path, cost] of files) if (path !== '???') assert.equal(known.get(path), cost, path);
    // One event descends.
    assert.deepEqual(
      costs(1),
      costs(1).toSorted((a, b) => b - a),
    );
  }
});

const PROFILES = [
  'callgrind/default.callgrind.out',
  'callgrind/real-git.callgrind.out.gz',
  'callgrind/parts.callgrind.out',
  'callgrind/cache-branch.callgrind.out.gz',
  'perf-script/commands.perf.gz',
  'perf-script/inlined.perf.gz',
  'pprof/cpu.pb.gz',
  'folded/perf.folded',
  'cpuprofile/sort.cpuprofile.gz',
  'firefox/threads.json',
];
test('groups add up: self to the profile, groups within another to it; inclusive costs are at least self costs', async () => {
  let profiles = 0;
  for (const name of PROFILES) {
    const profile = await loadProfile([join(FIXTURES, name)]);
    if (!questionsOf(profile).has('self')) continue;
    profiles++;
    const { analysis } = contextOf(profile);
    const [event] = analysis.events;
    const whole = analysis.totals.self.map((column) => column.reduce((sum: number, cost) => sum + cost, 0));
    const labels = profile.kind === 'stacks' ? ['comm,dso,routine', 'thread,file', 'dso'] : [];
    for (const grouping of [...ROUTINE_KEYS, 'object,file,routine', 'namespace,class,routine', ...labels]) {
      if (!canGroup(profile, grouping)) continue;
      const rows = await groupsOf(profile, grouping);
      const sums = new Map<string, number>();
      const add = (key: string, cost: number) => sums.set(key, (sums.get(key) ?? 0) + cost);
      const path = ({ by, level }: Row) => JSON.stringify(Object.values(by).slice(0, level));
      for (const row of rows) add(JSON.stringify(Object.values(row.by).slice(0, row.level - 1)), row.self[event.name]);
      const close = (a: number, b: number) =>
        assert.ok(Math.abs(a - b) <= 1e-6 * Math.abs(b) + 1e-6, `${name} ${grouping}: ${a}, not ${b}`);
      const [[, column]] = event.terms;
      if (event.terms.length === 1) close(sums.get('[]') ?? 0, whole[column] * event.terms[0][0]);
      for (const row of rows) if (sums.has(path(row))) close(sums.get(path(row)) ?? 0, row.self[event.name]);
      for (const row of rows)
        if (row.inclusive && !row.estimated)
          assert.ok(row.inclusive[event.name] >= row.self[event.name] - 1e-6, `${name} ${grouping} ${path(row)}`);
      // Samples have one value of a label each: what it costs with its callees is what it costs.
      if (grouping.startsWith('comm') && profile.kind === 'stacks')
        for (const row of rows.filter((r) => r.level === 1)) assert.equal(row.inclusive?.[event.name], row.self[event.name]);
    }
  }
  assert.ok(profiles >= 6, `${profiles}`);
});

function canGroup(profile: Profile, grouping: string): boolean {
  try {
    return chooseGrouping(profile, { name: grouping, unknowns: 'object' }) !== undefined;
  } catch {
    return false;
  }
}

test('a group costs what it costs without the groups within it', async () => {
  let groups = 0;
  // Its routines have lines in several files, and costs of calls that do not add up.
  for (const name of [...PROFILES, 'gperftools/mixed-files.callgrind.out']) {
    const profile = await loadProfile([join(FIXTURES, name)]);
    for (const key of ['object', 'code', 'class'])
      for (const inner of ['file', 'directory']) {
        if (!canGroup(profile, `${key},${inner}`)) continue;
        const named = (rows: readonly Row[]) =>
          new Map(rows.filter((r) => r.level === 1).map((r) => [r.by[key], [r.self, r.inclusive, r.estimated]]));
        const [outer, both] = [await groupsOf(profile, key), await groupsOf(profile, `${key},${inner}`)].map(named);
        assert.deepEqual(both, outer, `${name} ${key},${inner}`);
        groups += outer.size;
      }
  }
  assert.ok(groups > 100, `${groups}`);
});

test('on the screen --by opens Routines with groups within groups; an open group lists what is within it', async () => {
  const profile = await loadProfile([join(FIXTURES, 'perf-script/commands.perf.gz')]);
  const options = { width: 100, height: 30, granularity: { name: 'comm,dso', unknowns: 'object' } } as const;
  const player = play(profile, options);
  [player.state] = openSession(profile, options);
  const lines = () =>
    toPlainText(drawScreen(player.state))
      .split('\n')
      .map((line) => line.trimEnd());
  assert.match(
    lines().slice(3, 6).join('\n'),
    /76\.1 ms +40\.43%.* ▸ sh \(24\)[\s\S]*63\.1 ms.* ▸ awk \(7\)[\s\S]*43\.0 ms.* ▸ gzip/,
  );
  player.press('enter');
  assert.match(lines().slice(3, 5).join('\n'), /▾ sh \(24\)\n.*41\.0 ms.* {3}▸ libc\.so\.6 \(14\)/);
  player.press('j', 'enter');
  assert.match(lines().slice(5, 7).join('\n'), /16\.0 ms.* {4}__strcmp_evex/);
});

test('labels of samples are not compared: the flag is refused, and a comparison begins ungrouped', async () => {
  const profile = await loadProfile([join(FIXTURES, 'perf-script/commands.perf.gz')]);
  const granularity = { name: 'comm,dso', unknowns: 'object' } as const;
  const size = { width: 100, height: 30 };
  assert.throws(
    () => openSession(profile, { ...size, granularity, versus: versus(profile) }),
    /--by comm,dso: labels of samples/,
  );
  for (const name of ['object,class', 'object,routine']) {
    const [compared] = openSession(profile, { ...size, granularity: { ...granularity, name }, versus: versus(profile) });
    assert.match(toPlainText(drawScreen(compared)), new RegExp(`by ${name}[\\s\\S]*▸ libc\\.so\\.6`));
  }
  const [plain] = openSession(profile, { ...size, granularity });
  assert.match(toPlainText(drawScreen(plain)), /67 routines by comm,dso/);
});

test('groups of sampled stacks are by the key that is named, with all costs of its routines; E prints what u shows', async () => {
  const file = existing(join(FIXTURES, 'pprof/cpu.pb.gz'));
  const groupsOf = (...args: string[]) => JSON.parse(runWarm([file, '--print', 'groups', '--json', ...args]).out).rows;
  assert.deepEqual(groupsOf('--by', 'file'), groupsOf(), 'by file without a key');
  const routines: { object: string; self: { cpu: number } }[] = JSON.parse(
    runWarm([file, '--print', 'routines', '--json']).out,
  ).rows;
  const sums = new Map<string, number>();
  for (const { object, self } of routines) sums.set(object, (sums.get(object) ?? 0) + self.cpu);
  const byObject: { by: { object: string }; self: { cpu: number } }[] = groupsOf('--by', 'object');
  assert.deepEqual(new Map(byObject.map(({ by, self }) => [by.object, self.cpu])), sums);
  for (const [view, key] of [
    ['labels', 'file'],
    ['groups', 'address'],
    ['groups', 'routine,file'],
  ]) {
    const { code, err } = runWarm([file, '--print', view, '--by', key]);
    assert.equal(code, 2, `${view} ${key}`);
    assert.match(err, /--by/);
  }
  const p = play(await loadProfile([file]), { width: 120, height: 40, choices: { grouping: 'object' } }).press('routines');
  const printed = printCommand(p.state, LOADED_PLAINLY);
  assert.ok('command' in printed, JSON.stringify(printed));
  const words = printed.command.split(' ').slice(1);
  assert.deepEqual(words.slice(1), ['--print', 'groups', '--sort', 'self:desc', '--by', 'object']);
  assert.deepEqual(JSON.parse(runWarm([...words, '--json']).out).rows, byObject);
});
