// Every rule speaks of a profile where it must, and says nothing of one where it must not.
import assert from 'node:assert/strict';
import test from 'node:test';
import { bottleneckStepRule } from '../../src/findings/builds/advice.ts';
import { rules } from '../../src/findings/index.ts';
import { RULE_GROUPS } from '../../src/findings/rule.ts';
import { headlineOf, phraseText } from '../../src/findings/say.ts';
import { reports } from '../../src/reports/index.ts';
import { matchesGolden } from '../support/golden.ts';
import { CASES, caseOf, evidence, saidBy } from './cases.ts';

test('every rule has a name of its own, and a profile of either kind', () => {
  const ids = rules.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual([...ids].sort(), Object.keys(CASES).sort());
  for (const group of RULE_GROUPS) assert.ok(rules.some((r) => r.group === group));
});

const said: string[] = [];
for (const rule of rules) {
  test(`${rule.id}: speaks of one profile, not of another`, async () => {
    const { speaks, silent } = caseOf(rule);
    const remarks = saidBy(rule, evidence(await speaks()));
    assert.ok(remarks.length > 0, 'it says nothing');
    for (const remark of remarks) {
      const text = phraseText(remark);
      assert.match(text, /^.{20,600}$/u);
      assert.doesNotMatch(text, /undefined|NaN|Infinity|\[object|\?%| {2}/);
      assert.ok(remark.why.length > 5 && !/undefined|NaN/.test(remark.why), remark.why);
      assert.ok(remark.share === undefined || (remark.share > 0 && remark.share < 10), `${remark.share}`);
      for (const { name, value, text: shown } of remark.figures) {
        assert.ok(Number.isFinite(value), `${name}: ${value}`);
        assert.ok(text.includes(shown), `${name}: ${shown}`);
      }
    }
    said.push(...remarks.map((r) => `${rule.id}: ${phraseText(r)}`));
    assert.deepEqual(saidBy(rule, evidence(await silent())).map(phraseText), []);
  });
}

test('what the rules say can be read', () => matchesGolden('findings/said.txt', `${said.join('\n')}\n`));

test('a headline ends at our own punctuation, not at that of a name', async () => {
  const [remark] = saidBy(bottleneckStepRule, evidence(await caseOf({ id: 'waited-for' }).speaks()));
  assert.match(phraseText(remark), /^compile: src\/maps\.cpp \(4\.99s\) held up the build \(8\.09s\): removing/);
  assert.equal(headlineOf(remark), 'compile: src/maps.cpp (4.99s) held up the build (8.09s)');
});

test('where two runs are compared, findings lead to reports that hold two runs', async () => {
  for (const rule of rules.filter((r) => r.group === 'comparing')) {
    for (const { target } of saidBy(rule, evidence(await caseOf(rule).speaks()))) {
      const report = reports.find((r) => r.name === target.report);
      assert.ok(report?.compares, `${rule.id}: --print ${target.report}`);
    }
  }
});
