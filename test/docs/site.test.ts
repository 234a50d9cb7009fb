// The site builds, and every link of it leads somewhere: to a file, and to a heading in it. Guides name views and flags that there are.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { flagSpecs } from '../../src/cli/flag-table.ts';
import { exporters } from '../../src/exports/index.ts';
import { loaders } from '../../src/formats/index.ts';
import { reports } from '../../src/reports/index.ts';
import { ROOT } from '../support/fixtures.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
after(() => rmSync(folder, { recursive: true, force: true }));
execFileSync(process.execPath, [join(ROOT, 'scripts/site.mjs'), folder], { encoding: 'utf8' });
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.html'));
const textOf = (page: string) => readFileSync(join(folder, page), 'utf8');

test('every link leads to a file and a heading', () => {
  assert.ok(pages.length > 30);
  const broken: string[] = [];
  for (const page of pages)
    for (const [, , target] of textOf(page).matchAll(/(href|src)="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [file, anchor] = target.split('#');
      const to = file === '' ? page : join(dirname(page), file);
      // Files of the repository that are no pages.
      if (!existsSync(join(folder, to)) && !existsSync(join(ROOT, to))) broken.push(`${page}: ${target}`);
      else if (anchor && to.endsWith('.html') && !textOf(to).includes(`id="${anchor}"`)) broken.push(`${page}: ${target}`);
    }
  assert.deepEqual(broken, []);
});

test('every format has a page; pictures are of tasks, and are there', () => {
  for (const { name } of loaders) assert.ok(pages.includes(`docs/${name}.html`), `docs/${name}.md is missing`);
  const tasks = pages.filter((p) => p.startsWith('docs/tasks/'));
  assert.ok(tasks.length >= 5);
  for (const task of tasks) assert.match(textOf(task), /<img src="\.\.\/screens\/[\w-]+\.svg"/, task);
});

test('the first page leads to every task, and shows every view in both themes', () => {
  const text = textOf('index.html');
  const main = text.slice(text.indexOf('<main>'));
  for (const page of pages.filter((p) => p.startsWith('docs/tasks/'))) assert.ok(main.includes(`<li><a href="${page}">`), page);
  const files = readdirSync(join(ROOT, 'docs/screens/views')).filter((f) => f.includes('-80x24-'));
  assert.ok(files.length > 40);
  for (const file of files) assert.match(main, new RegExp(`(src|srcset)="docs/screens/views/${file}"`));
});

test('the search finds sections by their words, headings first', () => {
  const context: {
    find?: (index: unknown, query: string) => { title: string; heading: string; url: string }[];
    index?: unknown;
  } = {};
  runInNewContext(`${readFileSync(join(folder, 'search.js'), 'utf8')}\nthis.find = find; this.index = index;`, context);
  const { find, index } = context;
  assert.ok(find);
  assert.equal(find(index, '').length, 0);
  assert.equal(find(index, 'nosuchwordanywhere').length, 0);
  for (const [query, url] of [
    ['inlined functions callgrind', 'docs/callgrind.html#inlined-functions'],
    ['duckdb', 'docs/fleet.html#duckdb'],
    ['growth laws', 'docs/numbers.html#growth-laws'],
    ['POST_BUILD', 'docs/cmake.html#dependencies'],
  ]) {
    const hits = find(index, query);
    assert.ok(
      hits.slice(0, 3).some((hit) => hit.url === url),
      `${query}: ${hits.map((h) => h.url)}`,
    );
  }
  for (const { url } of find(index, 'the')) assert.ok(existsSync(join(folder, url.split('#')[0])));
});

test('the sidebar has every page once, and rows of tables have the cells of their headings', () => {
  for (const page of pages) {
    const text = textOf(page);
    const [nav = ''] = /<nav>[\s\S]*?<\/nav>/.exec(text) ?? [];
    const targets = [...nav.matchAll(/href="([^"]*)"/g)].map(([, href]) => join(dirname(page), href));
    assert.deepEqual([...targets].sort(), [...pages].sort(), page);
    for (const [table] of text.matchAll(/<table>[\s\S]*?<\/table>/g)) {
      const cells = [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row]) => row.split(/<t[dh]/).length - 1);
      assert.ok(
        cells.every((n) => n === cells[0]),
        `${page}: ${table.slice(0, 200)}`,
      );
    }
  }
  // Marked drops cells beyond the heading's: they are counted in the text.
  for (const file of [
    'README.md',
    ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((f) => `docs/${f}`),
  ]) {
    if (!file.endsWith('.md')) continue;
    let heads = 0;
    for (const line of readFileSync(join(ROOT, file), 'utf8')
      .replaceAll(/```[\s\S]*?```/g, '')
      .split('\n')) {
      const cells = line.startsWith('|') ? line.replaceAll('\\|', '').split('|').length : 0;
      if (cells > 0 && heads > 0) assert.equal(cells, heads, `${file}: ${line}`);
      heads = cells;
    }
  }
});

test('what commands in the guides name, there is', () => {
  const flags = new Set(flagSpecs.flatMap((f) => [`--${f.name}`, ...(f.short ? [`-${f.short}`] : [])]));
  const wrong: string[] = [];
  for (const file of readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.md'))) {
    const text = readFileSync(join(ROOT, 'docs', file), 'utf8');
    for (const [, block] of text.matchAll(/```\n([\s\S]*?)```/g))
      for (const line of block.split('\n').filter((l) => l.startsWith('proftui ') && !l.startsWith('proftui cmake'))) {
        const words = line
          .replace(/ #.*| [|>&;].*/, '')
          .replace(/'[^']*'|"[^"]*"/g, 'X')
          .split(/\s+/);
        words.forEach((word, i) => {
          if (/^--?[a-z]/.test(word) && !flags.has(word.split('=')[0])) wrong.push(`${file}: ${word}`);
          const value = words[i + 1] ?? '';
          if (word === '--print' && /^[a-z]/.test(value) && !reports.some((r) => r.name === value))
            wrong.push(`${file}: --print ${value}`);
          if (word === '--export' && !exporters.some((e) => e.name === value)) wrong.push(`${file}: --export ${value}`);
        });
      }
  }
  assert.deepEqual(wrong, []);
});
