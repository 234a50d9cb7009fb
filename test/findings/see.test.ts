// Every `see:` command of every fixture's findings runs, and shows the routine that the finding is about.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import stringArgv from 'string-argv';
import { addressInObject } from '../../src/analysis/names/names.ts';
import { requireRoutine } from '../../src/analysis/profiles/choices.ts';
import { parseFlags } from '../../src/cli/flags.ts';
import { loadProfile } from '../../src/io/load.ts';
import { reports } from '../../src/reports/index.ts';
import type { ReportContext } from '../../src/reports/report.ts';
import { FIXTURES, namesIn } from '../support/fixtures.ts';
import { long, most, some } from '../support/long.ts';
import { contextOf } from '../support/reports.ts';

const FOLDERS = [
  'callgrind',
  'cachegrind',
  'gperftools',
  'gprof',
  'pprof',
  'perf-script',
  'folded',
  'cpuprofile',
  'heapprofile',
  'speedscope',
  'aprof',
  'ninja-log',
  'cmake/kept',
];
const FILES = FOLDERS.flatMap((folder) => namesIn(join(FIXTURES, folder), /^[^.][^/]*$/).map((name) => join(folder, name)));

/** A command as a shell takes it apart: the quote between two texts is one of theirs. */
const words = (command: string) =>
  stringArgv(command.replaceAll("'\\''", '\u0001')).map((word) => word.replaceAll('\u0001', "'"));

async function written(name: string, context: ReportContext, form: 'json' | 'text'): Promise<string> {
  const report = reports.find((r) => r.name === name);
  assert.ok(report, name);
  let out = '';
  await report.write(form, context, '0', async (text) => {
    out += text;
  });
  return out;
}

long('every see: command of every fixture runs', async () => {
  let seen = 0;
  const wrong: string[] = [];
  for (const file of some(FILES)) {
    const profile = await loadProfile([join(FIXTURES, file)]).catch(() => undefined);
    if (!profile) continue;
    const context = { ...contextOf(profile), width: 10_000, limit: 40 };
    const text = await written('findings', context, 'text');
    const { rows } = JSON.parse(await written('findings', context, 'json')) as { rows: { routine: string | null }[] };
    const commands = [...text.matchAll(/^ *see: (.*)$/gm)].map(([, command]) => command);
    assert.equal(commands.length, rows.length, file);
    for (const [i, command] of commands.entries()) {
      try {
        const { print = '', event, routine } = await parseFlags(words(command), {});
        const shown = context.analysis.events.find((e) => e.name === (event ?? context.event.name));
        assert.ok(shown, 'the event is there');
        const named: number | undefined = routine === undefined ? undefined : requireRoutine(profile, routine);
        // Data have the suffixes of clones, which the command leaves out.
        if (rows[i].routine !== null && routine !== undefined && !routine.includes(rows[i].routine ?? ''))
          assert.equal(requireRoutine(profile, rows[i].routine ?? ''), named, 'the routine is named');
        await written(print, { ...context, event: shown, routine: named }, 'text');
        seen++;
      } catch (error) {
        wrong.push(`${file}: ${command}: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
      }
    }
  }
  assert.ok(seen > most(100), `${seen} commands`);
  assert.deepEqual(wrong, []);
});

test('code without a name is named as the screen shows it, by its object and address', async () => {
  const profile = await loadProfile([join(FIXTURES, 'callgrind/real-git.callgrind.out.gz')]);
  let named = 0;
  for (const r of profile.routines.name.keys()) {
    const shown = addressInObject(profile, r);
    if (shown === undefined) continue;
    assert.equal(requireRoutine(profile, shown), r, shown);
    named++;
  }
  assert.ok(named > 100, `${named}`);
});
