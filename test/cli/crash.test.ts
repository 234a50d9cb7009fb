// What is said of an error in the program itself, and of memory that is not enough.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { crashText } from '../../src/cli/crash.ts';
import { long } from '../support/long.ts';
import { run } from '../support/run.ts';

test('two lines: the message as one line without control characters, and the command with its arguments quoted', () => {
  const error = new Error('first\nsecond \u001b[31m');
  assert.equal(
    crashText(error, ['a file', '--filter', "it's"], '1.2.3'),
    "proftui: an error in the program itself: first second ␛[31m\nproftui 1.2.3: please report it at https://github.com/proftui/proftui/issues with the output of: proftui --debug 'a file' --filter 'it'\\''s'",
  );
  assert.match(crashText(error, [], '1'), /: proftui --debug$/);
  assert.match(crashText(error, ['a\u001bb'], '1'), /: proftui --debug and the same arguments$/);
  assert.match(crashText('x'.repeat(1000), [], '1').split('\n')[0], /^.{1,400} \.\.\.$/);
});

test('--debug adds the calls and what the program runs on, without folders and the environment', () => {
  const error = new Error('no\nat all');
  error.stack = [
    'Error: no',
    'at all',
    '    at f (file:///home/me/lib/dist/main.js:1:2)',
    '    at async file:///home/me/lib/dist/chunk.js:3:4',
    '    at g (/home/me/x.js:5:6)',
    '    at process.h (node:internal/process/task_queues:95:5)',
  ].join('\n');
  const lines = crashText(error, ['f', '--debug'], '1.2.3').trimEnd().split('\n');
  assert.deepEqual(lines.slice(0, -2), [
    'proftui: an error in the program itself: no at all',
    'proftui: please report it at https://github.com/proftui/proftui/issues with these lines:',
    '  at f (main.js:1:2)',
    '  at async chunk.js:3:4',
    '  at g (x.js:5:6)',
    '  at process.h (node:internal/process/task_queues:95:5)',
  ]);
  assert.match(lines.at(-2) ?? '', /^ {2}proftui 1\.2\.3 \(.*node v\d+\.\d+\.\d+, \S+\), \w+ \S+, \w+$/);
  assert.match(lines.at(-1) ?? '', /^ {2}TERM=.*, COLORTERM=.*, [\d?]+x[\d?]+, locale .*$/);
  // A path may have this name.
  assert.doesNotMatch(crashText(error, ['--', '--debug'], '1'), /with these lines/);
});

// Beyond 4 MB a thread reads, whose end is no end of the program.
long('a profile that does not fit into memory: the message says what to do, exit 1', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'proftui-')), 'a.cpuprofile');
  const node = (i: number) =>
    `{"id":${i + 1},"callFrame":{"functionName":"f${i}","url":"","lineNumber":${i}},"hitCount":1,"children":[]}`;
  const nodes = Array.from({ length: 600_000 }, (_, i) => node(i));
  writeFileSync(file, `{"nodes":[${nodes.join()}],"samples":[1],"timeDeltas":[1]}`);
  const { code, out, err } = run([file, '--print', 'summary'], { env: { NODE_OPTIONS: '--max-old-space-size=12' } });
  assert.deepEqual([code, out], [1, '']);
  assert.match(
    err,
    /^.*a\.cpuprofile: expected a profile that fits into memory, found .*\nhint: NODE_OPTIONS=--max-old-space-size=\d+ .*\n$/,
  );
});

test('a thread that ends without an answer: two lines, exit 70', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'proftui-')), 'trace.json.gz');
  // Beyond 4 MB a thread reads it.
  writeFileSync(file, 'x'.repeat(5 << 20));
  const { code, err } = run([file], { env: { PROFTUI_TEST_CRASH: 'thread' } });
  assert.equal(code, 70);
  assert.match(
    err,
    /^proftui: an error in the program itself: .*\nproftui \S+: please report it .*: proftui --debug .*trace\.json\.gz\n$/,
  );
});
