// No regular expression of ours backtracks without bound over a text without bound.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import test from 'node:test';
import { isSafePattern } from 'redos-detector';
import { ROOT } from './support/fixtures.ts';
import { type Literal, regexesIn, textsIn } from './support/regexes.ts';

/** Where expressions are made from text, and why that is safe. */
const MADE: Readonly<Record<string, string>> = {
  'src/base/pattern.ts': 'users write them: only what has few ways to match',
  'src/base/ascii.ts': 'a class of our own marks',
  'src/formats/build-trace.ts': 'the key is ours',
  'src/formats/shared/build-output.ts': 'the escape of our own; each run of digits is looked at once',
  'src/io/builds/cmake-tree.ts': 'the name is ours',
  'src/reports/flame-svg.ts': 'in the browser of who types it, in a picture of their own',
};

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((e) =>
    e.isDirectory() ? filesIn(join(folder, e.name)) : [join(folder, e.name)],
  );
}

const sources = [...filesIn(join(ROOT, 'src')), ...filesIn(join(ROOT, 'bin'))].filter((f) => /\.(?:ts|tsx|js)$/.test(f));

/** Whether the time for a text may grow faster than the text. Without unbounded repetition it cannot. */
function backtracks({ source, flags }: Literal): boolean {
  if (!/[*+]|,\}/.test(source)) return false;
  const anchored = flags.includes('y') ? `^(?:${source})` : source;
  const has = (flag: string) => flags.includes(flag);
  const how = { unicode: has('u'), caseInsensitive: has('i'), dotAll: has('s'), multiLine: has('m') };
  return !isSafePattern(anchored, { ...how, maxSteps: 3000 }).safe;
}

test('expressions and texts are found among divisions, comments and templates', () => {
  const text = [
    "const a = 1 / 2 / 3; // it's /no/ expression",
    `const b = /a\\/b[/"]+/g.test(\`\${x / y} /no/ \${/in (it)/u.test(\`/no/\`)}\`);`,
    "call('/no/', /yes/, b / c, (d) / e / f);",
    '/* /no/ */ return /ret/i;',
    'const view = <Text a={b / c}>/no/</Text>;',
    'const s = x.split(/,\\s*/); // bounded: a line',
  ].join('\n');
  assert.deepEqual(
    regexesIn(text).map((r) => [r.line, r.source, r.flags, r.bounded]),
    [
      [2, 'a\\/b[/"]+', 'g', undefined],
      [2, 'in (it)', 'u', undefined],
      [3, 'yes', '', undefined],
      [4, 'ret', 'i', undefined],
      [6, ',\\s*', '', 'a line'],
    ],
  );
  assert.deepEqual(
    textsIn(text).map((t) => [t.line, t.text]),
    [
      [2, ''],
      [2, ' /no/ '],
      [2, '/no/'],
      [2, ''],
      [3, '/no/'],
    ],
  );
  const all = sources.flatMap((f) => regexesIn(readFileSync(f, 'utf8')));
  assert.ok(all.length > 250, String(all.length));
  for (const { source, flags } of all) assert.doesNotThrow(() => new RegExp(source, flags));
});

test('backtracking is found, exponential or polynomial', () => {
  const is = (source: string, flags = '') => backtracks({ source, flags, line: 1, bounded: undefined });
  for (const bad of ['(\\w+\\W*)+foo', '^(a|a)*b', '\\s+$', '^\\s*(.*?)\\s*$', '"a"\\s*:\\s*"']) assert.ok(is(bad), bad);
  for (const good of ['^[a-z]+$', '^\\d+,\\d+$', 'a{3}b', '[/*+]', '\\.gz$']) assert.ok(!is(good), good);
  assert.ok(is('a+b') && !is('a+b', 'y'));
});

test('no expression backtracks over a text without bound', () => {
  const found: string[] = [];
  for (const file of sources) {
    const name = relative(ROOT, file);
    for (const literal of regexesIn(readFileSync(file, 'utf8'))) {
      if (literal.bounded === undefined && backtracks(literal))
        found.push(`${name}:${literal.line} /${literal.source}/${literal.flags}`);
    }
  }
  assert.deepEqual(found, [], 'mend it, or say what bounds its text, or its time: // bounded: …');
});

test('expressions are made from text only where that is known to be safe', () => {
  const made = sources
    .map((f) => relative(ROOT, f))
    .filter((f) => /\bnew RegExp\(|\bRegExp\(/.test(readFileSync(join(ROOT, f), 'utf8')));
  assert.deepEqual(made.sort(), Object.keys(MADE).sort());
});
