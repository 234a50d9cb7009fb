// Routines that were renamed are offered as such: in generated programs whose renames are known, and in a real one.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../../src/analysis/answers/analysis.ts';
import { withStandardEvents } from '../../../src/analysis/answers/events.ts';
import { fileName, routineName } from '../../../src/analysis/names/names.ts';
import { compareProfiles } from '../../../src/analysis/profiles/compare/compare.ts';
import { compareRuns, findRenameOffers, type RenameOffer, toRenames } from '../../../src/analysis/profiles/compare/offered.ts';
import type { Rename } from '../../../src/analysis/profiles/compare/renames.ts';
import { ChoiceError } from '../../../src/base/errors.ts';
import { callgrind } from '../../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../../src/io/load.ts';
import { MATCH_KINDS, type Profile } from '../../../src/model/profile.ts';
import { Sink } from '../../../src/model/sink.ts';
import { NamedStackWriter } from '../../../src/model/stacks/writer.ts';
import { FIXTURES } from '../../support/fixtures.ts';
import { loadText } from '../../support/load.ts';
import { long } from '../../support/long.ts';
import { type Changes, program, random, type Shape, type Versions, versions, written } from '../../support/programs.ts';
import { PLAINLY } from '../../support/versus.ts';

function compared(now: Profile, before: Profile, renames: readonly Rename[] = []): Analysis {
  const profile = compareProfiles(now, before, { ...PLAINLY, renames });
  return analyse(profile, withStandardEvents(profile.events));
}

const comparedTexts = async (before: string, now: string) =>
  compared(await loadText(callgrind, now), await loadText(callgrind, before));

const named = (analysis: Analysis, { removed: gone, now }: RenameOffer) =>
  [routineName(analysis.profile, gone), routineName(analysis.profile, now)] as const;

/** `old -> new`, the surest first. */
const offersOf = (analysis: Analysis): string[] => findRenameOffers(analysis).map((offer) => named(analysis, offer).join(' -> '));

async function judged({ before, now, truth }: Versions, flat = false) {
  const analysis = await comparedTexts(written(before, flat), written(now, flat));
  const offers = findRenameOffers(analysis);
  const right = offers.filter((offer) => {
    const [old, name] = named(analysis, offer);
    return truth.get(old) === name;
  }).length;
  const sides = analysis.profile.compared?.routineSides;
  for (const list of [offers.map((o) => o.removed), offers.map((o) => o.now)])
    assert.equal(new Set(list).size, list.length, 'a routine is in one offer');
  for (const { removed: gone, now, likeness, why } of offers) {
    assert.deepEqual([sides?.[gone], sides?.[now]], [2, 1]);
    assert.ok(likeness >= 0.8 && likeness <= 1, `${likeness}`);
    assert.match(why, /\bcost\b/);
  }
  return { offers: offers.length, right, renamed: truth.size };
}

const USUAL: Shape = { routines: 200 };
const CHANGES: Changes = { renamed: 20, gone: 8, added: 8 };
const GENERATED: Record<string, { shape?: Shape; changes?: Partial<Changes>; flat?: boolean }> = {
  'a program of 200 routines': {},
  'a program of many files': { shape: { routines: 200, files: 20 } },
  'many callers': { shape: { routines: 200, callers: 8 } },
  'many renames': { changes: { renamed: 60 } },
  'one in ten calls more or less': { changes: { counts: 0.1 } },
  'a renamed class': { changes: { renamed: 40, together: true } },
  'half of a program renamed, all of it together': { changes: { renamed: 100, together: true } },
  'no calls': { shape: { routines: 200, files: 20 }, flat: true },
  'no calls, and one file': { shape: { routines: 200, files: 1 }, flat: true },
};

for (const [name, { shape = USUAL, changes = {}, flat }] of Object.entries(GENERATED))
  test(`of ${name}: 95 of 100 offers are right, and 80 of 100 renames are offered`, async () => {
    const sum = { offers: 0, right: 0, renamed: 0 };
    for (let seed = 1; seed <= 10; seed++) {
      const next = random(seed);
      const found = await judged(versions(next, program(next, shape), { ...CHANGES, ...changes }), flat);
      sum.offers += found.offers;
      sum.right += found.right;
      sum.renamed += found.renamed;
    }
    assert.ok(sum.right >= 0.95 * sum.offers, `right: ${sum.right} of ${sum.offers}`);
    assert.ok(sum.right >= 0.8 * sum.renamed, `offered: ${sum.right} of ${sum.renamed}`);
  });

test('where nothing was renamed, next to nothing is offered', async () => {
  for (const flat of [false, true]) {
    let offers = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const next = random(seed);
      const whole = program(next, { routines: 200, files: 20 });
      offers += (await judged(versions(next, whole, { renamed: 0, gone: 20, added: 20 }), flat)).offers;
    }
    assert.ok(offers <= 4, `${offers} of 200`);
  }
});

for (const tool of ['callgrind', 'cachegrind'])
  test(`in two versions of a real program, the one rename is all that is offered: ${tool}`, async () => {
    const load = (version: string) => loadProfile([join(FIXTURES, 'compare', version, `shop.${tool}.out.gz`)]);
    const analysis = compared(await load('v2'), await load('v1'));
    const offers = findRenameOffers(analysis);
    assert.deepEqual(
      offers.map((offer) => named(analysis, offer).map((name) => name.slice(0, name.indexOf('(')))),
      [['normalize', 'stem']],
    );
    const files = offers.map(({ removed: gone, now }) =>
      [gone, now].map((r) => fileName(analysis.profile, analysis.profile.routines.file[r])),
    );
    for (const [before, now] of files) assert.equal(before, now);
    if (tool === 'callgrind') assert.equal(offers[0].why, 'same callers and callees, inclusive cost -0.46%');
    else assert.match(offers[0].why, /^same file and place, cost -0\.\d\d%$/);
    assert.equal(findRenameOffers(analysis), offers);
  });

/** A caller of routines, each called once, that cost as much as is said and call nothing. */
function caller(costs: Record<string, number>, file: (name: string) => string = () => 'a.c'): string {
  const names = Object.keys(costs);
  const rest = Array.from({ length: 30 }, (_, i) => `fl=a.c\nfn=other_${i}\n1 ${10 ** (1 + i / 8)}\n`.replace(/\.\d+/, ''));
  return [
    'events: Ir\nfl=a.c\nfn=main\n1 10\n',
    ...names.map((name) => `cfi=${file(name)}\ncfn=${name}\ncalls=7 1\n1 ${costs[name]}\n`),
    ...names.map((name) => `fl=${file(name)}\nfn=${name}\n0 ${costs[name]}\n`),
    ...rest,
  ].join('');
}

test('of two that are equally likely none is offered, unless the names tell them apart', async () => {
  const twins = await comparedTexts(caller({ reads: 5000, writes: 5000 }), caller({ alpha: 5000, beta: 5000 }));
  assert.deepEqual(offersOf(twins), []);
  const one = await comparedTexts(caller({ reads: 5000 }), caller({ alpha: 5000, beta: 5000 }));
  assert.deepEqual(offersOf(one), []);
  const told = await comparedTexts(
    caller({ read_line: 5000, write_line: 5000 }),
    caller({ 'io::readLine': 5000, 'io::writeLine': 5000 }),
  );
  assert.deepEqual(offersOf(told).sort(), ['read_line -> io::readLine', 'write_line -> io::writeLine']);
  const alone = await comparedTexts(caller({ reads: 5000 }), caller({ alpha: 5050 }));
  assert.deepEqual(offersOf(alone), ['reads -> alpha']);
});

test('a similar name alone makes no offer: not at other costs, and not from other callers', async () => {
  const costs = await comparedTexts(caller({ read_line: 5000 }), caller({ 'io::read_line': 50 }));
  assert.deepEqual(offersOf(costs), []);
  const by = (name: string, of: string) =>
    `events: Ir\nfl=a.c\nfn=${of}\n0 5\ncfn=${name}\ncalls=7 1\n0 5000\nfn=${name}\n0 5000\n`;
  const both = 'fn=first\n0 5\nfn=second\n0 5\n';
  const callers = await comparedTexts(by('read_line', 'first') + both, by('io::read_line', 'second') + both);
  assert.deepEqual(offersOf(callers), []);
});

test('renamed routines that know nobody but each other are found by way of the one that others call', async () => {
  const chain = (prefix: string) => {
    const names = ['open', 'parse', 'token', 'blank', 'digit', 'close'].map((name) => `${prefix}${name}`);
    const costs = names.map((_, i) => 3 ** (7 - i) * 11);
    return names
      .map((name, i) => {
        const call = i + 1 < names.length ? `cfn=${names[i + 1]}\ncalls=${2 ** i * 5} 1\n0 ${costs[i + 1] * 2}\n` : '';
        return `fn=${name}\n0 ${costs[i]}\n${call}`;
      })
      .join('');
  };
  const whole = (prefix: string) =>
    caller({ known: 777 }).replace('1 10\n', `1 10\ncfn=${prefix}open\ncalls=3 1\n1 90000\n`) + chain(prefix);
  const analysis = await comparedTexts(whole('x'), whole('y'));
  assert.equal(findRenameOffers(analysis).length, 6, offersOf(analysis).join());
  for (const [old, name] of findRenameOffers(analysis).map((o) => named(analysis, o))) assert.equal(old.slice(1), name.slice(1));
});

/** Folded stacks, outermost first. */
function stacks(folded: Record<string, number>): Profile {
  const sink = new Sink();
  const writer = sink.writerFor(NamedStackWriter);
  writer.periods.push(0);
  sink.paths.push('folded.txt');
  sink.addPart({ path: 'folded.txt', events: ['samples'] });
  for (const [stack, count] of Object.entries(folded)) {
    const frames = stack.split(';').map((name) => writer.frame(name, 'a.c'));
    writer.add(0, frames.reverse(), count);
  }
  return sink.finish('folded');
}

test('sampled costs may differ by chance, and what few samples saw may not be gone at all', () => {
  const run = (name: string, hot: number, cold: number) => {
    const others = Array.from({ length: 20 }, (_, i) => [`main;work_${i};leaf_${i}`, 3 * (i + 1)] as const);
    return stacks({
      ...Object.fromEntries(others),
      [`main;work_3;${name};leaf_4`]: hot,
      [`main;work_5;rare_${name};leaf_6`]: cold,
    });
  };
  assert.deepEqual(offersOf(compared(run('new', 117, 3), run('old', 100, 3))), ['old -> new']);
  assert.deepEqual(offersOf(compared(run('new', 300, 3), run('old', 100, 3))), []);
});

test('nothing is offered of one run, of a run beside itself, or of code without a name', async () => {
  const text = caller({ reads: 5000 });
  const profile = await loadText(callgrind, text);
  assert.deepEqual(findRenameOffers(analyse(profile, profile.events)), []);
  assert.deepEqual(offersOf(compared(profile, profile)), []);
  assert.deepEqual(offersOf(await comparedTexts(text, caller({ '???': 5000 }))), []);
  const addresses = (name: string) => `ob=/lib/x.so\n${caller({ [name]: 5000 })}`;
  assert.deepEqual(offersOf(await comparedTexts(addresses('0x1000'), addresses('reads'))), []);
});

test('an accepted offer matches its two routines, and no others of the same names', async () => {
  const file = (name: string) => (name === 'alpha' ? 'c.c' : /_b|beta/.test(name) ? 'b.c' : 'a.c');
  const costs = { helper: 5000, helper_b: 81 };
  // Two static functions of one name: one was renamed and moved to another file, one is gone.
  const before = await loadText(callgrind, caller(costs, file).replaceAll('helper_b', 'helper'));
  const now = await loadText(callgrind, caller({ alpha: 5000, beta: 70_000 }, file));
  const analysis = compared(now, before);
  const offers = findRenameOffers(analysis);
  assert.deepEqual(offersOf(analysis), ['helper -> alpha']);
  const renames = toRenames(offers, analysis.profile);
  assert.deepEqual(
    renames.map(({ text }) => text),
    ['helper=alpha'],
  );
  const { profile } = compared(now, before, renames);
  const rows = Array.from(profile.routines.name.keys())
    .filter((r) => !/other|main/.test(routineName(profile, r)))
    .map((r) => [
      routineName(profile, r),
      fileName(profile, profile.routines.file[r]),
      MATCH_KINDS[profile.compared?.match[r] ?? 0],
      profile.compared?.routineSides[r],
    ]);
  assert.deepEqual(rows, [
    ['alpha', 'c.c', 'renamed', 3],
    ['beta', 'b.c', 'none', 1],
    ['helper', 'b.c', 'none', 2],
  ]);
  assert.deepEqual(offersOf(compared(now, before, renames)), []);
  // A run in which it is not new.
  assert.throws(() => compared(before, before, renames), ChoiceError);
});

long(
  'all offers can be accepted at once, and a program of many routines takes no longer for it',
  {
    timeout: 60_000,
  },
  async () => {
    const next = random(1);
    const whole = program(next, { routines: 20_000, files: 400 });
    // Everything is also called from one place.
    const calls = [...whole.calls, ...whole.routines.slice(1).map((_, i) => ({ from: 0, to: i + 1, count: 3 }))];
    const two = versions(next, { ...whole, calls }, { renamed: 2000, gone: 200, added: 200 });
    const [before, now] = [await loadText(callgrind, written(two.before)), await loadText(callgrind, written(two.now))];
    const analysis = compared(now, before);
    const started = performance.now();
    const offers = findRenameOffers(analysis);
    assert.ok(performance.now() - started < 10_000);
    assert.ok(offers.length > 1600, `${offers.length}`);
    const renames = toRenames(offers, analysis.profile);
    const then = performance.now();
    const { profile } = compared(now, before, renames);
    assert.ok(performance.now() - then < 10_000);
    const renamed = profile.compared?.match.filter((step) => MATCH_KINDS[step] === 'renamed').length;
    assert.equal(renamed, offers.length);
  },
);

/** main calls a routine, which calls two others; 30 more routines are the same in both runs. */
function renamedProgram(name: string, self: number, callee = 'leaf'): string {
  const others = Array.from({ length: 30 }, (_, i) => `fn=other${i}\n${100 + i} ${1000 * (i + 1)}\n`).join('');
  const below = `cfn=${callee}\ncalls=7 60\n12 700\ncfn=helper\ncalls=2 70\n13 90\n`;
  const calls = Array.from({ length: 30 }, (_, i) => `cfn=other${i}\ncalls=1 ${100 + i}\n2 ${1000 * (i + 1)}\n`).join('');
  return (
    `events: Ir\nfl=a.c\n${others}fn=${callee}\n60 700\nfn=helper\n70 90\n` +
    `fn=${name}\n11 ${self}\n${below}fn=main\n1 50\ncfn=${name}\ncalls=3 11\n2 ${self + 790}\n${calls}`
  );
}

test('a rename is applied only with the same callers and callees, and costs within 2 %', async () => {
  const before = await loadText(callgrind, renamedProgram('old_name', 5000));
  const applied = async (name: string, self: number, callee?: string, noRenames = false) => {
    const now = await loadText(callgrind, renamedProgram(name, self, callee));
    const compared = compareRuns(now, before, { ...PLAINLY, noRenames });
    return compared.compared?.appliedRenames?.map((text) => text.replace(/ \(.*/, '')) ?? [];
  };
  assert.deepEqual(await applied('new_name', 5000), ['old_name → new_name']);
  assert.deepEqual(await applied('quite_another', 5060), ['old_name → quite_another']);
  assert.deepEqual(await applied('new_name', 5000, 'leaf', true), []);
  assert.deepEqual(await applied('new_name', 5300), []);
  assert.deepEqual(await applied('new_name', 5000, 'leaf_of_another_kind'), []);
});
