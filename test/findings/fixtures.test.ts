// What holds of the findings of every fixture.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import test from 'node:test';
import { ROUTINE_GRANULARITY } from '../../src/analysis/profiles/granularity/stacks.ts';
import { buildShownProfile } from '../../src/analysis/profiles/shown.ts';
import type { Transform } from '../../src/analysis/profiles/transforms/transform.ts';
import { runToEnd } from '../../src/base/slices.ts';
import { gatherFindings } from '../../src/findings/gather.ts';
import { rules } from '../../src/findings/index.ts';
import type { Evidence, Finding } from '../../src/findings/rule.ts';
import { phraseText } from '../../src/findings/say.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { reports } from '../../src/reports/index.ts';
import { viewsOf } from '../../src/views/index.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { long, most, some } from '../support/long.ts';
import { evidence } from './cases.ts';

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}

const NO_PROFILES =
  /\.(md|txt|tsv|py|sh|c|cc|cpp|h|go|mjs|cjs|ninja|log)(\.gz)?$|truth|expected|kcachegrind|Makefile|\/(bin|src|tour)\//;

async function profileIn(path: string): Promise<Profile | undefined> {
  const isBundle = /fixtures\/cmake\/[^/]*json\.gz$/.test(path);
  try {
    return await loadProfile([isBundle ? join(unpack(path), 'build') : path]);
  } catch {
    // Fixtures that are to be refused.
    return undefined;
  }
}

/** What of a list of findings must not be. */
function faults(all: readonly Finding[], { analysis }: Evidence): string[] {
  const out: string[] = [];
  const wrong = (is: boolean, what: string) => is && out.push(what);
  wrong(all.length > 12, `${all.length} findings`);
  wrong(new Set(all.map((f) => f.subject)).size < all.length, 'two of one subject');
  wrong(new Set(all.map(phraseText)).size < all.length, 'two of one text');
  const shares = all.map((f) => f.share);
  const isNote = all.map((f) => f.isNote);
  wrong(
    isNote.some((remark, i) => i > 0 && isNote[i - 1] && !remark),
    'a remark about the profile before a finding',
  );
  const own = all.filter((f) => !f.isNote).map((f) => f.share);
  const statements = own.filter((s) => s === undefined).length;
  wrong(
    own.slice(0, statements).some((s) => s !== undefined),
    'statements do not come first',
  );
  const rest = own.slice(statements).map((s) => s ?? 0);
  wrong(
    shares.some((s) => s !== undefined && s < 0.01),
    'a share below 1 %',
  );
  // Growth comes before other costs.
  const grows = all.filter((f) => !f.isNote).map((f) => f.rule === 'grows');
  const ranks = rest.map((s, i) => s + Number(grows[statements + i]));
  wrong(
    ranks.some((s, i) => i > 0 && s > ranks[i - 1]),
    'not the most expensive first',
  );
  const views = viewsOf(analysis).map((v) => v.id as string);
  for (const f of all) {
    const { view, report, routine, event } = f.target;
    const text = phraseText(f);
    wrong(!views.includes(view), `${f.rule} leads to ${view}, which is not there`);
    const asks = reports.find((r) => r.name === report)?.requires;
    wrong(!asks?.every((q) => analysis.costing.can.has(q)), `${f.rule} names the report ${report}, which is not there`);
    wrong(
      routine !== undefined && !(routine >= 0 && routine < analysis.profile.routines.name.length),
      `${f.rule}: routine ${routine}`,
    );
    wrong(event !== undefined && !analysis.events.some((e) => e.name === event), `${f.rule}: event ${event}`);
    wrong(/undefined|NaN|Infinity|\[object/.test(text + f.why), `${f.rule}: ${text}`);
    wrong(
      f.figures.some(({ value }) => !Number.isFinite(value)),
      `${f.rule}: a figure that is no number`,
    );
  }
  return out;
}

long(
  'of every fixture: no subject twice, nothing below 1 %, at most twelve, and each leads to a place that is there',
  async () => {
    const spoke = new Set<string>();
    const wrong: string[] = [];
    let profiles = 0;
    for (const path of some(filesIn(FIXTURES).filter((file) => !NO_PROFILES.test(file)))) {
      const profile = await profileIn(path);
      if (!profile || profile.events.length === 0) continue;
      const e = evidence({ profile });
      const all = runToEnd(gatherFindings(e));
      profiles++;
      for (const { rule } of all) spoke.add(rule);
      wrong.push(...faults(all, e).map((fault) => `${relative(FIXTURES, path)}: ${fault}`));
    }
    assert.deepEqual(wrong, []);
    assert.ok(profiles > most(250) - 10, `${profiles} profiles`);
    // What compares two runs, and what needs more than a fixture, is tested alone.
    assert.ok(spoke.size > most(50) / 2, `${spoke.size} of ${rules.length} rules spoke`);
  },
);

test('with transforms: what was taken away is no finding, estimates are marked, and all else holds', async () => {
  const loaded = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
  let told = 0;
  for (const pattern of ['run_matrix', 'run_words', 'Matrix']) {
    const transforms: readonly Transform[] = [{ word: 'focus', pattern }];
    const profile = buildShownProfile(loaded, {
      granularity: ROUTINE_GRANULARITY,
      transforms,
      own: undefined,
      versus: undefined,
    });
    const e = evidence({ profile });
    const all = runToEnd(gatherFindings(e));
    assert.deepEqual(faults(all, e), [], pattern);
    told += all.length;
    assert.ok(
      all.every((f) => f.rule !== 'start-up' && !/outside/.test(phraseText(f))),
      pattern,
    );
    const doubts = e.analysis.totals.estimated;
    for (const { target, estimated } of all)
      if (doubts && target.routine !== undefined && doubts.inclusive[target.routine] === 1)
        assert.equal(estimated, true, pattern);
  }
  assert.ok(told > 1);
});
