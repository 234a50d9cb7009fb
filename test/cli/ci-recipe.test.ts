// The script of docs/ci.md, run as CI runs it: with sh, and with a valgrind that hands out profiles made here.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { parseLimit } from '../../src/analysis/limits/limits.ts';
import { helpText } from '../../src/cli/help.ts';
import { ROOT } from '../support/fixtures.ts';
import { long } from '../support/long.ts';

const guide = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8');
const script = /```sh\n(#!\/bin\/sh\n[\s\S]*?)^```$/m.exec(guide)?.[1] ?? '';

const profile = (main: number, parse: number) =>
  `events: Ir\nfl=a.c\nfn=main\n1 ${main}\ncfn=parse\ncalls=1 1\n2 ${parse}\nfn=parse\n3 ${parse}\n`;

/** A project with the script, and the programs that it calls. */
class Project {
  // Blanks show where quotes are missing.
  readonly folder = mkdtempSync(join(tmpdir(), 'proftui ci '));
  readonly kept = join(this.folder, '.profiles');

  constructor() {
    mkdirSync(join(this.folder, 'ci'));
    mkdirSync(join(this.folder, 'bin'));
    this.write('ci/profile.sh', script);
    this.program('proftui', `exec '${process.execPath}' '${join(ROOT, 'bin/proftui.js')}' "$@"`);
    this.program(
      'valgrind',
      `[ "$1" = --tool=callgrind ] && [ "$3" = './a program' ] && [ "$4" = 'an argument' ] || exit 99
       cp profile "\${2#--callgrind-out-file=}"
       exit "$(cat status)"`,
    );
  }

  private write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  private program(name: string, text: string): void {
    this.write(`bin/${name}`, `#!/bin/sh\n${text}\n`);
    chmodSync(join(this.folder, 'bin', name), 0o755);
  }

  /** Runs the script in a program that leaves this profile and ends with this status. */
  run(profile: string, { env = {}, status = 0 }: { env?: Record<string, string>; status?: number } = {}) {
    this.write('profile', profile);
    this.write('status', String(status));
    const summary = join(this.folder, 'the summary.md');
    writeFileSync(summary, '');
    const { status: code, stderr } = spawnSync('sh', ['ci/profile.sh', './a program', 'an argument'], {
      cwd: this.folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(this.folder, 'bin')}:${process.env['PATH']}`, SUMMARY: summary, ...env },
    });
    return { code, err: stderr, summary: readFileSync(summary, 'utf8') };
  }

  base(): string | undefined {
    const path = join(this.kept, 'base.out');
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }
}

const MAIN = { env: { UPDATE: '1' } };

long('the script of the guide fails with 3 beyond a limit, and passes otherwise', () => {
  assert.ok(script.includes('--print changes --markdown'));
  const project = new Project();
  const before = profile(100_000, 50_000);

  const first = project.run(before);
  assert.deepEqual([first.code, first.err], [0, 'There is no profile of the main branch yet.\n']);
  assert.equal(project.base(), undefined, 'only the main branch says what others are compared with');
  assert.equal(project.run(before, MAIN).code, 0);
  assert.equal(project.base(), before);

  const same = project.run(before);
  assert.deepEqual([same.code, same.err], [0, '']);
  assert.match(same.summary, /parse|main|no /);
  assert.equal(project.run(profile(101_000, 50_500)).code, 0, 'exactly 1 %');

  const slower = project.run(profile(101_000, 50_501));
  assert.equal(slower.code, 3);
  assert.equal(slower.err, 'Ir > +1%: exceeded: 150,000 -> 151,501 (+1.00%, +1,501)\n');
  assert.match(slower.summary, /parse[\s\S]*\n```\nIr > \+1%: exceeded: .*\n```\n$/);
  const shifted = project.run(profile(95_000, 55_000));
  assert.equal(shifted.code, 3);
  assert.match(shifted.err, /^any routine inclusive Ir > \+2% of total: exceeded: .* in parse\n$/);
  assert.equal(project.base(), before);

  // Merged all the same: that is what counts from then on.
  assert.equal(project.run(profile(200_000, 50_000), MAIN).code, 3);
  assert.equal(project.run(profile(200_000, 50_000)).code, 0);
});

test('a program that fails, and a profile that is cut off, end the script and keep the base', () => {
  const project = new Project();
  const before = profile(100_000, 50_000);
  project.run(before, MAIN);
  assert.equal(project.run(profile(1, 1), { ...MAIN, status: 7 }).code, 7);
  assert.equal(project.base(), before);
  const cut = project.run(`${before}cfn=main\ncalls=1 1\n`, MAIN);
  assert.deepEqual([cut.code, project.base()], [1, before]);
  const fresh = new Project();
  assert.equal(fresh.run(`${before}cfn=main\ncalls=1 1\n`, MAIN).code, 1);
  assert.equal(fresh.base(), undefined);
});

test('without SUMMARY the summary is kept with the profiles', () => {
  const project = new Project();
  project.run(profile(1000, 500), MAIN);
  assert.equal(project.run(profile(1000, 500), { env: { SUMMARY: '' } }).code, 0);
  assert.ok(readFileSync(join(project.kept, 'summary.md'), 'utf8').length > 0);
});

test('all limits in the documents are limits', () => {
  const documents = ['ci', 'scripting'].map((name) => readFileSync(join(ROOT, `docs/${name}.md`), 'utf8'));
  const given = [guide, ...documents].flatMap((text) => [...text.matchAll(/--fail-if '([^']+)'/g)].map((m) => m[1]));
  const listed = [...guide.matchAll(/^\|[^|]*\|(.*)\|$/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`([^`]+ (?:[<>]=? .*?|worse))`/g)].map((m) => m[1]),
  );
  const helped = [
    ...helpText()
      .replace(/\s+/g, ' ')
      .matchAll(/'([^']+ > [^']+)'/g),
  ].map((m) => m[1]);
  for (const [expressions, least] of [
    [given, 8],
    [listed, 8],
    [helped, 3],
  ] as const) {
    assert.ok(expressions.length >= least, expressions.join('\n'));
    for (const expr of expressions) assert.equal(parseLimit(expr).expr, expr);
  }
});
