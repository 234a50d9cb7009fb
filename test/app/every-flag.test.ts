// Every flag that the screen takes: it shows in the first screen, or is refused by name.
import assert from 'node:assert/strict';
import test from 'node:test';
import { rejectUnfitFlags } from '../../src/analysis/profiles/choices.ts';
import { drawScreen } from '../../src/app/draw.ts';
import { openSession } from '../../src/app/start.ts';
import { AnswerError, ChoiceError } from '../../src/base/errors.ts';
import { flagSpecs } from '../../src/cli/flag-table.ts';
import { parseFlags } from '../../src/cli/flags.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { reports } from '../../src/reports/index.ts';
import { linesOf, namesFlag, subjects } from '../support/flag-walk.ts';

const ENV = { LANG: 'C.UTF-8' };

/** The first screen with these words; the message if they are refused. */
async function firstScreen(profile: Profile, words: readonly string[]): Promise<string> {
  const options = await parseFlags(words, ENV);
  const { sort, inverted, contexts, disassemble, at } = options;
  try {
    rejectUnfitFlags(profile, options.given);
    const choices = { sort, inverted, contexts, disassemble, at };
    const [state, effects] = openSession(profile, { ...options, notes: [], choices, width: 100, height: 30 });
    const lines = drawScreen(state).map((line) => line.spans.map(([text]) => text).join(''));
    // What is still to be read, such as a disassembly, shows as it comes.
    return [...lines, ...effects.map(({ type }) => type)].join('\n');
  } catch (error) {
    if (!(error instanceof ChoiceError || error instanceof AnswerError)) throw error;
    return `refused: ${error.message}`;
  }
}

/** Flags that the session does not have: what they do is done before, around it, or in views that open later. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  ...{ print: 'opens no screen', brief: 'opens no screen', annotate: 'opens no screen', 'fail-if': 'opens no screen' },
  ...{ export: 'opens no screen', output: 'opens no screen', check: 'opens no screen', remember: 'saves folders' },
  ...{ base: 'loads a second profile', format: 'chooses a loader', max: 'is of loading', weight: 'is of loading' },
  ...{ log: 'is of loading', 'run-perf': 'is of loading', compiler: 'is of loading', binary: 'is of loading' },
  ...{ 'symbol-path': 'is of loading', 'symbols-anyway': 'is of loading', debug: 'is for messages' },
  ...{ 'source-dir': 'is for sources, which a view reads', 'path-map': 'is for sources, which a view reads' },
  ...{ columns: 'is for lists', syntax: 'is for a disassembly, which comes later' },
  ...{ color: 'is of the terminal', 'no-color': 'is of the terminal', theme: 'is of the terminal' },
};

for (const name of ['calls', 'samples', 'folded', 'inputs', 'build'])
  test(`flags show in the first screen of ${name}, or are refused`, async () => {
    const subject = subjects.find((one) => one.name === name);
    const report = reports.find((one) => one.name === (name === 'build' ? 'steps' : 'routines'));
    assert.ok(subject && report);
    const profile = await loadProfile(subject.paths);
    const plain = await firstScreen(profile, []);
    const silent: string[] = [];
    for (const flag of flagSpecs) {
      if (flag.printed || flag.screen || flag.group === 'compare' || flag.group === 'about' || flag.name in ELSEWHERE) continue;
      const lines = linesOf({ subject, report, flag });
      const shown = await Promise.all(lines.map((words) => firstScreen(profile, words)));
      const isRefused = (text: string, k: number) => text.startsWith('refused: ') && namesFlag(lines[k], text);
      const isSeen = shown.some((text) => !text.startsWith('refused: ') && text !== plain);
      if (!isSeen && !shown.every(isRefused)) silent.push(`--${flag.name}: ${shown.join(' / ').slice(0, 200)}`);
    }
    assert.deepEqual(silent, []);
  });
