// Writes the generated parts of README.md and docs/: formats, views, options, keys, the manual page and the schemas. With --check:
// fails if they are not up to date. With --without-schemas: all but those, which take most of a minute.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globalBindings, keyLabel } from '../src/app/keymap.ts';
import { groupViewsBySort, helpText } from '../src/cli/help.ts';
import { rules } from '../src/findings/index.ts';
import { RULE_GROUPS } from '../src/findings/rule.ts';
import { loaders } from '../src/formats/index.ts';
import { reports } from '../src/reports/index.ts';
import { views } from '../src/views/index.ts';
import { configSchema } from './config-schema.ts';
import { keyTableRows } from './key-table.ts';
import { manPage } from './man.ts';
import { schemaTexts } from './schema.ts';

const cell = (text: string) => text.replaceAll('|', '\\|');
const MAN = 'docs/proftui.1';
const pathOf = (file: string) => new URL(`../${file}`, import.meta.url);
const code = (text: string) => `\`${text}\``;
const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** A key in code marks; two of them around a mark. */
const keyCode = (key: string) => (key === '`' ? '`` ` ``' : code(keyLabel(key)));
/** The keys of the menus that have actions without a key. */
const MENU_KEYS = { options: 'o', events: 'v', transforms: 'S', save: 'E' } as const;
const menuKey = (menu: string | undefined) => Object.entries(MENU_KEYS).find(([kind]) => kind === menu)?.[1] ?? ':';

const TITLES: Readonly<Record<(typeof RULE_GROUPS)[number], string>> = {
  profile: 'The profile itself',
  cost: 'Cost',
  events: 'Events',
  sampled: 'Sampled',
  growth: 'Growth',
  builds: 'Builds',
  comparing: 'Comparing',
};

function rulesOf(group: (typeof RULE_GROUPS)[number]): string {
  const list = rules.filter((r) => r.group === group);
  return table(
    ['rule', 'question', 'evidence', 'threshold'],
    list.map((r) => [code(r.id), r.question, r.evidence, r.assumes ? `${r.threshold}. Assumes: ${r.assumes}` : r.threshold]),
  );
}

const PARTS: readonly { readonly file: string; readonly name: string; readonly text: string }[] = [
  {
    file: 'docs/formats.md',
    name: 'formats',
    text: table(
      ['format', 'how to make one', 'guide'],
      loaders.map((l) => [l.title, `\`${l.make}\``, `[${l.name}](${l.name}.md)`]),
    ),
  },
  {
    file: 'docs/scripting.md',
    name: 'reports',
    text: table(
      ['`--print`', 'what'],
      reports.map((r) => [`\`${r.name}\``, r.title]),
    ),
  },
  {
    file: 'docs/scripting.md',
    name: 'sorts',
    text: table(
      ['`--print`', 'columns for `--sort`'],
      groupViewsBySort(reports).map(([names, columns]) => [names.map(code).join(', '), columns.map(code).join(', ')]),
    ),
  },
  { file: 'docs/scripting.md', name: 'flags', text: `\`\`\`\n${helpText()}\n\`\`\`` },
  {
    file: 'docs/keys.md',
    name: 'keys',
    text: table(
      ['key', 'what it does'],
      keyTableRows().map(({ keys, meaning }) => [keys.map(keyCode).join(' '), meaning]),
    ),
  },
  {
    file: 'docs/keys.md',
    name: 'menus',
    text: table(
      ['menu', 'view', 'rows'],
      [
        ...Object.values(MENU_KEYS).map((key) => [
          code(key),
          'every view',
          globalBindings.flatMap((b) => (b.keys.length === 0 && menuKey(b.menu) === key ? [b.help] : [])).join('; '),
        ]),
        ...views.flatMap((v) => {
          const rows = v.keys.flatMap((b) => (b.keys.length === 0 ? [b.help] : []));
          return rows.length === 0 ? [] : [[code('o'), v.title, rows.join('; ')]];
        }),
      ],
    ),
  },
  {
    file: 'docs/findings.md',
    name: 'rules',
    text: RULE_GROUPS.map((group) => `\n### ${TITLES[group]}\n\n${rulesOf(group)}\n`).join(''),
  },
];

/** Writes a file whose text is made; with --check, only says that it is not up to date. */
function put(file: string, old: string, text: string): void {
  if (text === old) return;
  if (process.argv.includes('--check')) {
    process.stderr.write(`${file} is not up to date: npm run readme\n`);
    process.exitCode = 1;
  } else writeFileSync(pathOf(file), text);
}

for (const file of new Set(PARTS.map((p) => p.file))) {
  const old = readFileSync(pathOf(file), 'utf8');
  let text = old;
  for (const { name, text: body } of PARTS.filter((p) => p.file === file)) {
    const mark = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
    if (!mark.test(text)) throw new Error(`${file} has no place for ${name}`);
    text = text.replace(mark, (_, a: string, b: string) => `${a}${body}\n${b}`);
  }
  put(file, old, text);
}
/** Writes a file that is made as a whole. */
function putWhole(file: string, text: string): void {
  const path = pathOf(file);
  mkdirSync(dirname(fileURLToPath(path)), { recursive: true });
  put(file, existsSync(path) ? readFileSync(path, 'utf8') : '', text);
}

const { description } = JSON.parse(readFileSync(pathOf('package.json'), 'utf8'));
putWhole(MAN, manPage(description));
putWhole('docs/config.schema.json', `${JSON.stringify(configSchema(), null, 2)}\n`);
if (!process.argv.includes('--without-schemas')) for (const [file, text] of await schemaTexts()) putWhole(file, text);
