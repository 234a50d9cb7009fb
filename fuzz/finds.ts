// Finds as files: an input is a file, or a bundle of files as JSON; beside it a plan, where the failure needs one.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Failure, keyOf } from './failure.ts';
import { type Input, toBytes, toText } from './input.ts';
import type { Trial } from './oracle.ts';
import { type Plan, wholePlan } from './plan.ts';
import { Random } from './random.ts';
import { TARGETS } from './seeds.ts';

const BUNDLE = '.bundle.json';
const PLAN = '.plan.json';

/** A name that says what it is: `callgrind.exception.rowsOf`. */
export function findName(target: string, failure: Failure): string {
  const cause = /^(\w+ in )?([\w.$<>]+) \(/.exec(failure.cause)?.[2] ?? `${failure.step} ${failure.cause}`;
  const word = cause
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  return `${target}.${failure.kind}.${word || 'x'}`.toLowerCase();
}

/** Writes a find into a folder; returns its file. */
export function writeFind(folder: string, name: string, { input, plan }: Trial, failure: Failure): string {
  mkdirSync(folder, { recursive: true });
  const single = input.opened === 1 && input.files.length === 1;
  const path = join(folder, single ? name : `${name}${BUNDLE}`);
  const bundle = { opened: input.opened, files: Object.fromEntries(input.files.map((f) => [f.path, toText(f.bytes)])) };
  writeFileSync(path, single ? input.files[0].bytes : JSON.stringify(bundle, null, 1) + '\n');
  const { step, detail } = failure;
  writeFileSync(
    join(folder, `${name}${PLAN}`),
    JSON.stringify({ find: keyOf(failure), step, detail: detail.slice(0, 1500), plan }, null, 1) + '\n',
  );
  return path;
}

export function readInput(path: string): Input {
  const bytes = new Uint8Array(readFileSync(path));
  if (!path.endsWith(BUNDLE)) return { files: [{ path: 'fuzzed', bytes }], opened: 1 };
  const { opened, files }: { opened: number; files: Record<string, string> } = JSON.parse(toText(bytes));
  return { opened, files: Object.entries(files).map(([name, text]) => ({ path: name, bytes: toBytes(text) })) };
}

/** What is done with a kept input: as it was when it was found, and everything there is. */
export function trialsOf(path: string, target: string): Trial[] {
  const input = readInput(path);
  const beside = path.replace(/\.bundle\.json$/, '') + PLAN;
  const found: { plan: Plan }[] = existsSync(beside) ? [JSON.parse(readFileSync(beside, 'utf8'))] : [];
  const plans = [...found.map(({ plan }) => plan), wholePlan('whole', new Random('whole'))];
  return plans.map((plan) => ({ target, input, plan }));
}

/** The finds of a folder, with their targets, which start their names. */
export function findsIn(folder: string): { readonly path: string; readonly target: string }[] {
  return readdirSync(folder)
    .filter((name) => !name.endsWith(PLAN) && !name.endsWith('.md'))
    .sort()
    .map((name) => ({ path: join(folder, name), target: TARGETS.find((t) => name.startsWith(`${t}.`)) ?? '' }));
}
