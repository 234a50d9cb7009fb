// Fields of perf script's samples: weights, labels of memory accesses, time off the processor, and what perf says was lost.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { valuesInSet } from '../../src/analysis/answers/stacks/tags.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { rules } from '../../src/findings/index.ts';
import { phraseText } from '../../src/findings/say.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { eventValue } from '../../src/model/head.ts';
import { saidBy } from '../findings/cases.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { random as randomOf } from '../support/random.ts';

async function load(text: string, weight?: string) {
  const profile = profileOf(await loadProfile(['out.perf'], { bytes: Buffer.from(text), weight }), 'stacks');
  assert.deepEqual(checkProfile(profile), []);
  return profile;
}

type Loaded = Awaited<ReturnType<typeof load>>;

/** Inclusive cost by routine. */
function inclusive(profile: Loaded, event: string): ReadonlyMap<string, number> {
  const wanted = profile.events.find((e) => e.name === event);
  assert.ok(wanted, `${event} of ${profile.events.map((e) => e.name)}`);
  const { totals } = analysisOf(profile, 'stacks');
  return new Map(Array.from(profile.routines.name, (_, r) => [routineName(profile, r), eventValue(wanted, totals.inclusive, r)]));
}

/** The times of samples add up to their events: what a range of time shows is what all views show. */
function timesAgree(profile: Loaded): void {
  assert.ok(profile.times);
  const { column, cost } = profile.times;
  for (const { name, terms } of profile.events.filter((e) => e.name !== 'samples')) {
    const [[, at]] = terms;
    const all = Array.from(profile.stacks.costs[at]).reduce((sum, value) => sum + value, 0);
    assert.equal(
      cost.reduce((sum, value, i) => sum + (column[i] === at ? value : 0), 0),
      all,
      name,
    );
  }
}

test('time off the processor: a program that sleeps 5 times 40 ms in a thread and 3 times 100 ms, and reads what the thread writes', async () => {
  const profile = profileOf(await loadProfile([join(FIXTURES, 'perf-script/waits.perf.gz')]), 'stacks');
  const costs = inclusive(profile, 'offcpu-time');
  const ms = (name: string) => (costs.get(name) ?? 0) / 1e6;
  assert.ok(ms('clock_nanosleep') >= 500 && ms('clock_nanosleep') < 510, String(ms('clock_nanosleep')));
  assert.ok(ms('anon_pipe_read') > 195 && ms('anon_pipe_read') < 210, String(ms('anon_pipe_read')));
  const sleeper = [...costs].filter(([name]) => name === 'writer').map(([, ns]) => ns / 1e6);
  assert.ok(sleeper[0] >= 200 && sleeper[0] < 205, String(sleeper));
  assert.equal(profile.events[0].unit, 'ns');
  assert.match(profile.warnings.map((w) => w.found).join(), /6 of 33 waits did not end in the recording.*perf record -a/);
  timesAgree(profile);
});

test('time off the processor: random schedules, with the idle thread, lost switches and both forms of the line', async () => {
  const random = randomOf(64);
  for (let run = 0; run < 20; run++) {
    const lines: string[] = [];
    /** By function: nanoseconds. Threads wait in the function that they are named after. */
    const truth = new Map<string, number>();
    const left = new Map<number, number>();
    let [ns, running, unknown, samples] = [1_000_000_000, 1, 0, 0];
    for (let i = 0; i < 200; i++) {
      ns += 1000 * (1 + Math.floor(random() * 1e6));
      let next = Math.floor(random() * 5);
      if (next === running) next = (next + 1) % 5;
      const name = running === 0 ? 'swapper' : `p ${running}`;
      const isRecorded = random() > 0.1;
      if (isRecorded) {
        const fields =
          run % 2 === 0
            ? `prev_comm=p ${running} prev_pid=${running} prev_prio=120 prev_state=S ==> next_comm=p ${next} next_pid=${next} next_prio=-${next}`
            : `${name}:${running} [120] S ==> p ${next}:${next} [100]`;
        const at = `${Math.floor(ns / 1e9)}.${String(ns % 1e9).padStart(9, '0')}`;
        lines.push(`${name} ${running} [001] ${at}: sched:sched_switch: ${fields}\n\t7f01 wait${running}+0x1 (/opt/p)\n\n`);
        samples++;
        if (left.has(running)) unknown++;
        const since = left.get(next);
        if (since !== undefined) truth.set(`wait${next}`, (truth.get(`wait${next}`) ?? 0) + ns - since);
        left.delete(next);
        if (running !== 0) left.set(running, ns);
      }
      running = next;
    }
    unknown += left.size;
    const profile = await load(lines.join(''));
    const costs = inclusive(profile, 'offcpu-time');
    for (const [name, wanted] of truth) assert.equal(costs.get(name), wanted, `${run}: ${name}`);
    assert.equal(
      [...costs.values()].reduce((a, b) => a + b),
      [...truth.values()].reduce((a, b) => a + b),
    );
    assert.equal(
      [...inclusive(profile, 'samples').values()].reduce((a, b) => a + b),
      samples,
    );
    assert.match(profile.warnings.map((w) => w.found).join(), new RegExp(`^${unknown} of \\d+ waits? did not end`));
    timesAgree(profile);
  }
});

test('switches whose end nobody recorded are samples, and no time', async () => {
  const line = (s: number) =>
    `w 7 [000] ${s}.5: sched:sched_switch: prev_comm=w prev_pid=7 prev_state=S ==> next_comm=x next_pid=9\n\t7f01 nap+0x1 (/opt/w)\n\n`;
  const profile = await load(line(1) + line(2));
  assert.deepEqual(
    profile.events.map((e) => e.name),
    ['samples'],
  );
  assert.equal(inclusive(profile, 'samples').get('nap'), 2);
});

const KMALLOC = [
  [64, 'parse'],
  [4096, 'grow'],
  [64, 'grow'],
] as const;
const kmalloc = KMALLOC.map(
  ([bytes, caller], i) =>
    `p 7 [000] 1.${i}: kmem:kmalloc: call_site=x+0x1 ptr=0xffff8881 bytes_req=${bytes - 8} bytes_alloc=${bytes} gfp_flags=GFP_KERNEL node=-1 accounted=false\n\t7f01 kmalloc+0x1 ([kernel.kallsyms])\n\t7f02 ${caller}+0x2 (/opt/p)\n\n`,
).join('');
const enter =
  'p 7 [000] 2.1: syscalls:sys_enter_read: fd: 0x00000003, buf: 0x7ffd0000, count: 0x00000400\n\t7f01 parse+0x1 (/opt/p)\n\n';

test('a field of a tracepoint is the weight of its samples', async () => {
  const profile = await load(kmalloc + enter, 'bytes_alloc');
  assert.deepEqual(
    profile.events.map((e) => [e.name, e.unit]),
    [
      ['bytes_alloc', 'bytes'],
      ['syscalls:sys_enter_read', 'samples'],
      ['samples', 'samples'],
    ],
  );
  assert.deepEqual([...inclusive(profile, 'bytes_alloc')].sort(), [
    ['grow', 4160],
    ['kmalloc', 4224],
    ['parse', 64],
  ]);
  assert.equal(inclusive(profile, 'samples').get('kmalloc'), 3);
  timesAgree(profile);
  const read = await load(kmalloc + enter, 'count');
  assert.equal(inclusive(read, 'count').get('parse'), 1024);
  assert.equal(inclusive(read, 'kmem:kmalloc').get('kmalloc'), 3);
});

test('the fields that can be weights are listed, and another one is refused with the list', async () => {
  const { notes = [] } = await load(kmalloc + enter);
  const listed = 'kmem:kmalloc: ptr, bytes_req, bytes_alloc; syscalls:sys_enter_read: fd, buf, count';
  assert.ok(notes.includes(`fields that can be weights (--weight FIELD): ${listed}`), notes.join('\n'));
  await assert.rejects(load(kmalloc + enter, 'bytes'), new RegExp(`a tracepoint with the number bytes.*found ${listed}`));
  await assert.rejects(load('a;b 3\n', 'count'), /perf script.*--weight.*found a folded profile/);
});

test('fields of a memory access are labels of its sample', async () => {
  const line = (level: string, weight: number, address: string) =>
    `app 7 1.1: 1 cpu/mem-loads,ldlat=30/P: ${address} 68100142 |OP LOAD|LVL ${level}|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A        ${weight}      85     0 ffffffff80001020 touch+0x30 (/opt/p)\n`;
  const profile = await load(
    line('L1 hit', 5, 'ffffb00000002000') + line('RAM hit', 300, 'ffffb00000002040') + line('L1 hit', 5, 'ffffb00000002000'),
  );
  assert.deepEqual([...inclusive(profile, 'samples')], [['touch', 3]]);
  const { labels, stacks } = profile;
  assert.ok(labels);
  const labelsOf = (set: number) =>
    ['operation', 'memory', 'weight', 'address'].map((key) => valuesInSet({ ...profile, labels }, set, key).join());
  assert.deepEqual(
    Array.from(labels.set, (set, row) => [stacks.costs[0][row], ...labelsOf(set)]),
    [
      [2, 'LOAD', 'L1 hit', '5', '0xffffb00000002000'],
      [1, 'LOAD', 'RAM hit', '300', '0xffffb00000002040'],
    ],
  );
});

test('samples that perf says were lost are a warning and the first finding; without any other the file is refused', async () => {
  await assert.rejects(load(`PERF_RECORD_LOST_SAMPLES lost 12\n${'x 1\n'.repeat(3)}`), /none: all 12 were lost/);
  const half = await load(`${enter}Warning:\nProcessed 8 samples and lost 50.00%!\n`);
  assert.ok(half.warnings.some((w) => w.sign === 'SAMPLES LOST' && w.found === '50.00% of the records were lost'));
  const lost = await load(`${enter}PERF_RECORD_LOST_SAMPLES lost 3\n${enter.replace('2.1', '2.2')}`);
  const [event] = lost.events;
  const analysis = analysisOf(lost, 'stacks');
  const found = [
    ...rules.flatMap((rule) => saidBy(rule, { analysis, profile: lost, totals: analysis.totals, event, whole: 2, newer: [] })),
  ];
  assert.match(phraseText(found[0]), /^60\.0% of the samples were lost \(3\): what they would have counted is in no number/);
  assert.ok(!found.some((remark) => /numbers may be wrong/.test(phraseText(remark))));
});

test('a stack with other labels is a row of its own, in every format that has labels', async () => {
  const austin = ['P7;T0:1;a.py:work:3 10', 'P7;T0:2;a.py:work:3 30', 'P7;T0:1;a.py:work:3 5'].join('\n');
  const threads = ['running', 'select', 'running'].map(
    (state, i) => `goroutine ${i + 1} [${state}]:\nmain.work()\n\t/a.go:3 +0x1d\n`,
  );
  for (const [text, key, expected] of [
    [
      `# austin: 3.7.0\n# interval: 10\n# mode: wall\n\n${austin}\n`,
      'thread',
      [
        ['1', 15],
        ['2', 30],
      ],
    ],
    [
      threads.join('\n'),
      'state',
      [
        ['running', 2],
        ['select', 1],
      ],
    ],
  ] as const) {
    const { labels, stacks, ...profile } = await load(text);
    assert.ok(labels);
    const rows = Array.from(labels.set, (set, row) => [
      valuesInSet({ ...profile, labels }, set, key).join(),
      stacks.costs[0][row],
    ]);
    assert.deepEqual(rows, expected, key);
  }
});
