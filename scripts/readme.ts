// Writes the generated parts of the README: flags, keys, formats, views. With --check: fails where they are not fresh.
import { readFileSync, writeFileSync } from 'node:fs';
import { globalBindings, keyLabel } from '../src/app/keymap.ts';
import { helpText } from '../src/cli/flags.ts';
import { loaders } from '../src/formats/index.ts';
import { reports } from '../src/reports/index.ts';
import { views } from '../src/views/index.ts';

const path = new URL('../README.md', import.meta.url);
const cell = (text: string) => text.replaceAll('|', '\\|');
const keysOf = (b: { readonly keys: readonly string[] }) => cell(b.keys.map((k) => `\`${keyLabel(k)}\``).join(' '));

const seen = new Set<string>();
const moves = views.flatMap((v) => v.keys.filter((b) => b.group === 'move')).filter((b) => !seen.has(b.help) && seen.add(b.help));
const parts: Record<string, string> = {
  flags: `\`\`\`\n${helpText()}\n\`\`\``,
  keys: [
    '| key | everywhere |',
    '| --- | --- |',
    ...globalBindings.map((b) => `| ${keysOf(b)} | ${cell(b.help)} |`),
    '',
    '| key | moving (in the views that have rows) |',
    '| --- | --- |',
    ...moves.map((b) => `| ${keysOf(b)} | ${cell(b.help)} |`),
    ...views.flatMap((v) => [
      '',
      `| key | ${v.title} |`,
      '| --- | --- |',
      ...v.keys.filter((b) => b.group !== 'move').map((b) => `| ${keysOf(b)} | ${cell(b.help)} |`),
    ]),
  ].join('\n'),
  formats: [
    '| format | what | how to make one |',
    '| --- | --- | --- |',
    ...loaders.map((l) => `| ${l.name} | ${cell(l.title)} | \`${l.make}\` |`),
  ].join('\n'),
  reports: ['| `--print` | what |', '| --- | --- |', ...reports.map((r) => `| \`${r.name}\` | ${cell(r.title)} |`)].join('\n'),
};

const old = readFileSync(path, 'utf8');
let text = old;
for (const [name, body] of Object.entries(parts)) {
  const mark = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!mark.test(text)) throw new Error(`README.md has no place for ${name}`);
  text = text.replace(mark, (_, a: string, b: string) => a + body + '\n' + b);
}
if (process.argv.includes('--check')) {
  if (text !== old) {
    process.stderr.write('README.md is not fresh: npm run readme\n');
    process.exitCode = 1;
  }
} else writeFileSync(path, text);
