// Whether the program does right with an input: it loads, or says why not; what it loaded is sound, the same in every way of reading,
// and can be printed and looked at.
import { gunzipSync, gzipSync } from 'node:zlib';
import { FormatError, formatProblem } from '../src/base/problem.ts';
import type { LineReaderOptions } from '../src/formats/callgrind/line-reader.ts';
import { loaders } from '../src/formats/index.ts';
import type { Loader } from '../src/formats/loader.ts';
import { chooseLoader } from '../src/io/load.ts';
import { checkProfile } from '../src/model/check.ts';
import type { Profile } from '../src/model/profile.ts';
import { dumpProfile } from '../test/support/dump.ts';
import { normal } from './failure.ts';
import { type Input, isGzip, sizeOf, toText } from './input.ts';
import { load, type Room } from './load.ts';
import { makeInput } from './mutate.ts';
import { checkElf } from './oracle-elf.ts';
import { checkExports } from './oracle-exports.ts';
import { checkKeys } from './oracle-keys.ts';
import { checkReports } from './oracle-reports.ts';
import { checkViews } from './oracle-views.ts';
import type { Plan } from './plan.ts';
import { Random } from './random.ts';
import { seedsOf } from './seeds.ts';
import { someAnalysis } from './shown.ts';
import type { Steps } from './steps.ts';
import { rawIn, Words } from './texts.ts';

export interface Trial {
  readonly target: string;
  readonly input: Input;
  readonly plan: Plan;
}

export async function check(trial: Trial, room: Room, steps: Steps): Promise<void> {
  const { target, input, plan } = trial;
  if (target === 'elf') {
    await checkElf(input.files[0]?.bytes ?? new Uint8Array(0), plan, steps);
    steps.done();
    return;
  }
  const loader = loaders.find((l) => l.name === target);
  if (!loader) throw new Error(`no format ${target}`);
  for (const { path, bytes } of input.files.slice(0, input.opened)) await steps.run('detect', () => detects(bytes, path));
  const loaded = await steps.run('load', () => load(loader, input, room, plan.seed));
  if (loaded instanceof FormatError) checkMessage(loaded, steps);
  if (loaded && plan.compare) await compare(loaded, loader, trial, room, steps);
  if (loaded && !(loaded instanceof FormatError)) {
    steps.loaded = true;
    if (plan.compare && input.opened === 1) await checkCutGzip(loader, input, room, steps);
    await steps.run('check', () => {
      for (const broken of checkProfile(loaded))
        steps.fail({ kind: 'invariant', step: 'check', cause: normal(broken), detail: broken });
    });
    // The base's names are shown, too.
    const said = [
      textOf(input),
      ...(plan.base === undefined || plan.base === 'self' ? [] : [textOf(otherInput(loader, plan.base))]),
    ];
    const words = new Words(sizeOf(input) > 1 << 18 || said.includes(undefined) ? undefined : said.join('\n'));
    const base =
      plan.base === undefined ? undefined : plan.base === 'self' ? loaded : await otherRun(loader, plan.base, room, steps);
    const random = new Random(`reports ${plan.seed}`);
    const analysis = await someAnalysis(loaded, base, random, steps);
    if (analysis) {
      await checkViews(analysis, steps);
      await checkReports(analysis, plan, random, steps, words);
      await checkExports(analysis, plan, room, steps, words);
    }
    await checkKeys(loaded, base, plan, steps, words);
  }
  steps.done();
}

const otherInput = (loader: Loader, name: string): Input => makeInput(seedsOf(loader.name), new Random(name));

/** The run to compare with; undefined if it does not load, which is the business of another input. */
async function otherRun(loader: Loader, name: string, room: Room, steps: Steps): Promise<Profile | undefined> {
  const other = await steps.run('load the base', () => load(loader, otherInput(loader, name), room, name));
  return other instanceof FormatError ? undefined : other;
}

/** All that the input says; undefined where it cannot be unpacked here. */
function textOf({ files }: Input): string | undefined {
  try {
    return files.map(({ bytes }) => toText(isGzip(bytes) ? gunzipSync(bytes, { maxOutputLength: 1 << 22 }) : bytes)).join('\n');
  } catch {
    return undefined;
  }
}

/** Detection never throws; that nothing knows the file is an answer. */
function detects(bytes: Uint8Array, path: string): void {
  try {
    chooseLoader(bytes.subarray(0, 4096), path);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
}

function checkMessage(error: FormatError, steps: Steps): void {
  const { path, expected, found } = error.problem;
  const fail = (cause: string) =>
    steps.fail({ kind: 'message', step: 'load', cause, detail: JSON.stringify(error.problem).slice(0, 1000) });
  if (typeof path !== 'string' || path === '') fail('an error without a path');
  if (expected === '' || found === '') fail('an error that does not say what was expected, or found');
  const raw = rawIn(formatProblem(error.problem).replaceAll('\n', ''));
  if (raw !== undefined) fail(`a raw character in the message that expected ${normal(expected)}`);
  if (error.message.includes('\n')) fail('a message of several lines');
}

/** The ways of reading that have to agree: as one chunk, in others; with and without the digest. */
async function compare(
  loaded: Profile | FormatError,
  loader: Loader,
  { input, plan }: Trial,
  room: Room,
  steps: Steps,
): Promise<void> {
  const digests: readonly LineReaderOptions[] =
    loader.name === 'callgrind' || loader.name === 'cachegrind'
      ? [{ scannerOnly: true }, { scannedBytes: 1 }, { scannedBytes: 1, mostBytes: 300 }]
      : [];
  const reference = said(loaded);
  const all = [undefined, ...digests];
  // One way is enough for an input that is one of many.
  const ways = plan.reports === 'all' ? all : [new Random(`ways ${plan.seed}`).pick(all)];
  for (const reading of ways) {
    const step = reading ? `load ${JSON.stringify(reading)}` : 'load in one chunk';
    const other = await steps.run(step, () => load(loader, input, room, undefined, reading));
    if (!other) continue;
    const differs = firstDifference(reference, said(other));
    if (differs) steps.fail({ kind: 'differs', step, cause: normal(differs.split(' ')[0]), detail: differs });
  }
}

/** The same file as two members of gzip, the second of them without its end: whatever was read of it, it is called cut. */
async function checkCutGzip(loader: Loader, input: Input, room: Room, steps: Steps): Promise<void> {
  const [{ path, bytes }] = input.files;
  if (isGzip(bytes) || bytes.length < 2) return;
  const middle = bytes.length >> 1;
  const packed = Buffer.concat([gzipSync(bytes.subarray(0, middle)), gzipSync(bytes.subarray(middle)).subarray(0, -9)]);
  const files = [{ path, bytes: packed }, ...input.files.slice(1)];
  const loaded = await steps.run('load cut gzip', () => load(loader, { ...input, files }, room, undefined));
  if (loaded && !(loaded instanceof FormatError) && !loaded.cut)
    steps.fail({ kind: 'cut', step: 'load cut gzip', cause: 'no word of the cut', detail: `${packed.length} bytes` });
}

/** Errors are the same if they are of the same place: how much of what was found is quoted, chunks may decide. */
function said(loaded: Profile | FormatError): readonly string[] {
  if (!(loaded instanceof FormatError)) return [...dumpProfile(loaded)];
  const { path, line, offset, expected } = loaded.problem;
  return [`error ${path} ${line ?? ''} ${offset ?? ''} ${expected}`];
}

function firstDifference(a: readonly string[], b: readonly string[]): string | undefined {
  for (let i = 0; i < Math.max(a.length, b.length); i++)
    if (a[i] !== b[i]) return `${(a[i] ?? 'nothing').slice(0, 300)}\n   in another way: ${(b[i] ?? 'nothing').slice(0, 300)}`;
  return undefined;
}
