// Names of a profile cannot leave their place in what other programs read: Graphviz and the quickfix lists of editors. CSV is in
// test/cli/safety.test.ts, Markdown in markdown.test.ts, SVG in flame.test.ts.
import assert from 'node:assert/strict';
import test from 'node:test';
import { rawIn } from '../../fuzz/texts.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import type { Profile } from '../../src/model/profile.ts';
import { reports } from '../../src/reports/index.ts';
import type { OutputFormat } from '../../src/reports/print.ts';
import { loadText } from '../support/load.ts';
import { contextOf } from '../support/reports.ts';

const HOSTILE = [
  '</script><script>alert(1)</script>',
  '"><img src=x>',
  '"]; evil [label="',
  'ends with \\',
  '\\"',
  '`=system("id")`',
  'a | b',
  '=cmd|x!A1',
  'x\u2028y\u001b]52;c;AA\u0007',
  '/etc/passwd:1: root',
];

const profileOf = (): Promise<Profile> => {
  const calls = HOSTILE.map((name, i) => `cfi=${name}\ncfn=${name}\ncalls=1 1\n1 ${100 + i}\n`).join('');
  const own = HOSTILE.map((name, i) => `ob=${name}\nfl=${name}\nfn=${name}\n${i + 1} ${100 + i}\n`).join('');
  return loadText(callgrind, `events: Ir\nfn=main\n1 10\n${calls}${own}`);
};

async function printed(profile: Profile, report: string, form: OutputFormat): Promise<string> {
  const found = reports.find((r) => r.name === report);
  assert.ok(found, report);
  let text = '';
  await found.write(
    form,
    { ...contextOf(profile), routine: undefined, width: 10_000 },
    '1.0',
    async (piece) => void (text += piece),
  );
  return text;
}

test('Graphviz: what is outside of quotes is ours, and every name is in quotes', async () => {
  const text = await printed(await profileOf(), 'dot', 'text');
  assert.equal(rawIn(text.replaceAll('\n', '')), undefined);
  // The grammar of the language: a quote inside a string has a backslash before it.
  const outside = text.replace(/"(?:\\[\s\S]|[^"\\])*"/g, 'Q');
  assert.doesNotMatch(outside, /["\\`<|]|evil|script|img|cmd|passwd/);
  assert.match(outside, /^digraph \w+ \{\n(?: {2}(?:\w+ \[[^\n]*\]|n\d+ -> n\d+ \[[^\n]*\]);\n)+\}\n$/);
  for (const name of ['alert(1)', 'evil', 'system(', 'img']) assert.ok(text.includes(name), name);
});

test('quickfix: a line for each row, with its own file and line before the text', async () => {
  const profile = await profileOf();
  const text = await printed(profile, 'lines', 'quickfix');
  const lines = text.split('\n').filter((line) => line !== '');
  assert.equal(lines.length, HOSTILE.length);
  for (const line of lines) {
    assert.equal(rawIn(line), undefined);
    assert.match(line, /^.+?:\d+: [\d,]+ [\d.]+% ./);
  }
  for (const [i, name] of HOSTILE.entries())
    if (rawIn(name) === undefined)
      assert.ok(
        lines.some((line) => line.startsWith(`${name}:${i + 1}: `)),
        name,
      );
});
