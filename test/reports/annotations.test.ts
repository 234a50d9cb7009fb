// --annotate: findings and exceeded limits for GitHub, GitLab and SARIF, at paths relative to the repository.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { ROOT } from '../support/fixtures.ts';
import { runWarm } from '../support/warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-annotate-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const CALLGRIND = ['fixtures/callgrind/default.callgrind.out', '--source-dir', 'fixtures/callgrind/src'];
const annotate = (form: string, ...more: string[]) => runWarm([...CALLGRIND, '--annotate', form, ...more], { cwd: ROOT });
interface Row {
  readonly rule: string;
  readonly finding: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly remark: boolean;
}
const findings: Row[] = JSON.parse(runWarm([...CALLGRIND, '--print', 'findings', '--json'], { cwd: ROOT }).out).rows;

test('github: a command per finding and exceeded limit, and the exit code of limits', () => {
  const { out, err, code } = annotate('github', '--fail-if', 'Ir > 3M', '--fail-if', 'Ir > 9G');
  assert.equal(code, 3);
  assert.match(err, /Ir > 3M/);
  const lines = out.trimEnd().split('\n');
  assert.equal(lines.length, findings.length + 1);
  assert.equal(lines[0], '::error title=proftui%3A limit-exceeded::the limit Ir > 3M is exceeded: 3117398');
  const at = findings.findIndex(({ file }) => file !== null);
  assert.ok(at >= 0);
  assert.equal(
    lines[at + 1],
    `::warning file=fixtures/callgrind/src/matrix.hpp,line=21,title=proftui%3A ${findings[at].rule}::${findings[at].finding.replaceAll('%', '%25')}`,
  );
});

test('github: names cannot make commands or properties of their own', () => {
  const path = join(folder, 'evil.callgrind.out');
  const name = 'f%0A::error::x,line=9:\u0007';
  writeFileSync(path, `events: Ir\nfl=a,line=7::b.c\nfn=${name}\n3 500000\nfn=main\n9 100\n`);
  const { out, code } = runWarm([path, '--annotate', 'github']);
  assert.equal(code, 0);
  const lines = out.trimEnd().split('\n');
  assert.ok(lines.length > 0 && out.includes('error'), out);
  for (const line of lines) {
    const [, properties, data] = /^::(?:warning|notice) (.*?)::(.*)$/.exec(line) ?? [];
    assert.match(properties, /^(?:file=[^,:]+,line=\d+,)?title=[^,:]+$/);
    assert.doesNotMatch(data, /%(?!25|0A|0D)|[\u0000-\u001f]/);
  }
});

test('gitlab: an issue for each, with a place and a fingerprint that stays while only numbers change', () => {
  const issues = JSON.parse(annotate('gitlab').out);
  assert.equal(issues.length, findings.length);
  for (const [i, issue] of issues.entries()) {
    assert.equal(issue.check_name, findings[i].rule);
    assert.ok(issue.description.startsWith(findings[i].finding));
    assert.match(issue.fingerprint, /^[0-9a-f]{16}$/);
    assert.ok(['info', 'minor'].includes(issue.severity));
    assert.ok(issue.location.path !== '' && issue.location.lines.begin >= 1);
  }
  assert.equal(new Set(issues.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size, issues.length);
  const fingerprints = (cost: number) => {
    const path = join(folder, 'numbers.callgrind.out');
    writeFileSync(path, `events: Ir\nfl=a.c\nfn=work\n3 ${cost}\nfn=main\n9 1000\n`);
    return JSON.parse(runWarm([path, '--annotate', 'gitlab']).out).map(({ fingerprint }: { fingerprint: string }) => fingerprint);
  };
  assert.deepEqual(fingerprints(500_000), fingerprints(700_000));
});

test('sarif: results have rules, levels and places, as SARIF 2.1.0 wants them', () => {
  const log = JSON.parse(annotate('sarif', '--fail-if', 'Ir > 3M').out);
  assert.equal(log.version, '2.1.0');
  const [{ tool, results }] = log.runs;
  assert.equal(results.length, findings.length + 1);
  for (const { ruleId, ruleIndex, level, message, locations = [] } of results) {
    assert.equal(tool.driver.rules[ruleIndex].id, ruleId);
    assert.ok(['error', 'warning', 'note'].includes(level));
    assert.ok(message.text !== '');
    for (const { physicalLocation } of locations) {
      assert.doesNotMatch(physicalLocation.artifactLocation.uri, /^[/.]|[ %\\]/);
      assert.ok(physicalLocation.region.startLine >= 1);
    }
  }
  assert.deepEqual([results[0].ruleId, results[0].level], ['limit-exceeded', 'error']);
});

test('other forms and views beside it are refused', () => {
  for (const flags of [['--json'], ['--print', 'calls'], ['--brief'], ['--export', 'dot']]) {
    const { code, err } = annotate('sarif', ...flags);
    assert.deepEqual([code, /one of them at a time/.test(err)], [2, true], err);
  }
  assert.equal(annotate('gerrit').code, 2);
  assert.equal(annotate('sarif', '--print', 'findings').code, 0);
});
