// npm run fuzz -- FORMAT [--minutes N | --seconds N] [--inputs N] [--seed S] [--keep DIR], or --replay FILE FORMAT. README.md says more.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { visible } from '../src/base/text.ts';
import { Child } from './child.ts';
import { keyOf } from './failure.ts';
import { findName, trialsOf, writeFind } from './finds.ts';
import { type Find, fuzz, judged, type Result } from './fuzz.ts';
import { sizeOf } from './input.ts';
import { TARGETS } from './seeds.ts';

const WATCHDOG_MS = 10_000;
const SHRINK_SECONDS = 20;

const say = (text: string) => process.stdout.write(`${text}\n`);
const lines = (text: string) => text.split('\n').map(visible).join('\n  ');

function number(name: string, text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`--${name} takes a whole number, not ${text}`);
}

async function replay(path: string, target: string, child: Child): Promise<number> {
  let wrong = 0;
  for (const trial of trialsOf(path, target))
    for (const failure of await judged(child, trial, WATCHDOG_MS)) {
      wrong++;
      say(`${keyOf(failure)}\n  ${lines(failure.detail)}`);
    }
  say(wrong === 0 ? 'nothing is wrong' : `${wrong} failures`);
  return wrong === 0 ? 0 : 1;
}

function tell(find: Find, folder: string): void {
  const { target, input, failure, trial } = find;
  const path = writeFind(folder, findName(target, failure), trial, failure);
  const keys = trial.plan.keys.length > 0 ? `; keys: ${trial.plan.keys.join(' ')}` : '';
  say(`FIND ${keyOf(failure)}\n  ${path}: ${sizeOf(trial.input)} bytes, from input ${input}${keys}\n  ${lines(failure.detail)}`);
}

function table(results: readonly Result[]): string {
  const rows = [
    ['format', 'inputs', 'read', 'finds', 'seconds', 'inputs/s'],
    ...results.map((r) =>
      [r.target, r.inputs, r.loaded, r.finds.length, r.seconds.toFixed(0), (r.inputs / r.seconds).toFixed(0)].map(String),
    ),
  ];
  const widths = rows[0].map((_, c) => Math.max(...rows.map((row) => row[c].length)));
  return rows
    .map((row) => row.map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c]))).join('  '))
    .join('\n');
}

const README = new URL('README.md', import.meta.url);

/** Replaces the rows of these formats in the table of README.md: the newest run of each format is kept. */
function recordRuns(results: readonly Result[], seed: string): void {
  let text = readFileSync(README, 'utf8');
  for (const { target, inputs, loaded, finds, seconds } of results) {
    const row = `| ${target} | ${seed} | ${seconds.toFixed(0)} | ${inputs} | ${loaded} | ${finds.length} |`;
    text = text.replace(new RegExp(`^\\| ${target} \\|.*$`, 'm'), () => row);
  }
  writeFileSync(README, text);
}

async function main(child: Child): Promise<number> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { minutes: text, seconds: text, inputs: text, seed: text, keep: text, replay: text },
  });
  const [target = 'all'] = positionals;
  if (target !== 'all' && !TARGETS.includes(target)) throw new Error(`${target}: there are all, ${TARGETS.join(', ')}`);
  if (values.replay !== undefined) return replay(values.replay, target, child);
  const seed = values.seed ?? new Date().toISOString().slice(0, 10);
  const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'proftui-finds-'));
  const targets = target === 'all' ? TARGETS : [target];
  const seconds =
    values.minutes !== undefined
      ? (number('minutes', values.minutes) * 60) / targets.length
      : values.seconds === undefined && values.inputs === undefined
        ? 60
        : number('seconds', values.seconds);
  say(`seed ${seed}; finds go to ${folder}`);
  const results: Result[] = [];
  for (const each of targets) {
    results.push(
      await fuzz(each, child, {
        seed,
        seconds,
        inputs: number('inputs', values.inputs),
        watchdogMs: WATCHDOG_MS,
        shrinkSeconds: SHRINK_SECONDS,
        onFind: (find) => tell(find, folder),
      }),
    );
    say(table(results.slice(-1)).split('\n')[1]);
  }
  say(`\n${table(results)}`);
  if (values.minutes !== undefined) recordRuns(results, seed);
  return results.some((r) => r.finds.length > 0) ? 1 : 0;
}

const child = new Child();
try {
  process.exitCode = await main(child);
} catch (error) {
  process.stderr.write(`fuzz: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
} finally {
  child.close();
}
