// npm run bench:findings-truth -- [tune | kept | all] [SEED]: findings against an answer key (bench/findings-truth/truth.json), which an
// engineer wrote who had not seen the rules: for 60 profiles what matters first. Rules are tuned on one half; the other half is only scored.
// Generated profiles are made anew from the seed. Prints how often the key's first point is found, at which rank, how many sentences there are,
// and what is wrong or missing. Run `npm run build` before.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpack } from '../test/support/bundle.ts';
import { FIXTURES, ROOT } from '../test/support/fixtures.ts';

type Place = string | { readonly bundle: string; readonly inside: string } | { readonly generated: string };

/** An entry of the key. An alternative holds if one sentence matches all of its expressions. */
interface Entry {
  readonly name: string;
  readonly open: readonly Place[];
  readonly base?: readonly Place[];
  readonly half: 'tune' | 'kept';
  readonly planted: boolean;
  /** Empty: nothing has to be said. */
  readonly first: readonly (readonly string[])[];
  readonly wrong: readonly string[];
}

interface Row {
  readonly finding: string;
  readonly why: string;
  readonly try: string | null;
  readonly remark: boolean;
}

const [half = 'tune', seed = '1'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'proftui-truth-'));
const made = spawnSync(process.execPath, [join(ROOT, 'bench/findings-truth/generate.mjs'), folder, seed], { stdio: 'inherit' });
if (made.status !== 0) process.exit(1);
const unpacked: string[] = [];

function pathOf(place: Place): string {
  if (typeof place === 'string') return join(FIXTURES, place);
  if ('generated' in place) return join(folder, place.generated);
  const bundle = unpack(join(FIXTURES, place.bundle));
  unpacked.push(bundle);
  return join(bundle, place.inside);
}

function findingsIn({ open, base = [] }: Entry): Row[] {
  const words = [join(ROOT, 'bin/proftui.js'), ...open.map(pathOf), ...base.flatMap((place) => ['--base', pathOf(place)])];
  const { stdout, stderr, status } = spawnSync(process.execPath, [...words, '--print', 'findings', '--json'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  return (JSON.parse(stdout) as { readonly rows: Row[] }).rows;
}

const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const percent = (part: number, whole: number) => `${part} of ${whole} (${Math.round((part / Math.max(1, whole)) * 100)} %)`;

const entries = (JSON.parse(readFileSync(join(ROOT, 'bench/findings-truth/truth.json'), 'utf8')) as Entry[]).filter(
  (entry) => half === 'all' || entry.half === half,
);
const sizes: number[] = [];
const ranks: number[] = [];
let [planted, found, asked, wrongs] = [0, 0, 0, 0];
for (const entry of entries) {
  const rows = findingsIn(entry);
  const texts = rows.map((row) => `${row.finding}; ${row.why}; ${row.try ?? ''}`);
  sizes.push(rows.length);
  const holds = (text: string) => entry.first.some((all) => all.every((one) => new RegExp(one, 'i').test(text)));
  const rank = texts.findIndex(holds) + 1;
  const wrong = texts.filter((text) => entry.wrong.some((one) => new RegExp(one, 'i').test(text)));
  wrongs += wrong.length;
  if (entry.first.length > 0) {
    asked++;
    if (rank > 0) ranks.push(rank);
    if (entry.planted) planted++;
    if (entry.planted && rank > 0) found++;
  }
  const isGood = wrong.length === 0 && (entry.first.length === 0 || rank === 1 || rank === 2);
  const what = entry.first.length === 0 ? 'nothing is asked' : rank > 0 ? `rank ${rank}` : 'missing';
  console.log(`${isGood ? ' ' : '!'} ${entry.name}: ${what}, ${rows.length} sentences`);
  if (isGood) continue;
  for (const text of wrong) console.log(`    wrong: ${text}`);
  if (rank === 0 && entry.first.length > 0) console.log(`    wanted: ${JSON.stringify(entry.first)}`);
  for (const row of rows.slice(0, 5)) console.log(`    ${row.remark ? '(remark) ' : ''}${row.finding}`);
}
console.log(`planted problems that are found: ${percent(found, planted)}`);
console.log(`first useful finding at rank 1 or 2: ${percent(ranks.filter((rank) => rank <= 2).length, asked)}`);
console.log(`sentences a profile, median: ${median(sizes)}; the most ${Math.max(...sizes)}; wrong or trivial ones: ${wrongs}`);
rmSync(folder, { recursive: true, force: true });
for (const path of unpacked) rmSync(path, { recursive: true, force: true });
