// A small site of the documentation in site/: a page for each Markdown file, with the same names and links. `npm run site`.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Marked } from 'marked';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);
const OUT = process.argv[2] ?? 'site';
rmSync(OUT, { recursive: true, force: true });

const pages = [
  'README.md',
  'CHANGELOG.md',
  'ARCHITECTURE.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((f) => `docs/${f}`),
]
  .filter((f) => f.endsWith('.md'))
  .sort();
const pageOf = (path) => (path === 'README.md' ? 'index.html' : path.replace(/\.md$/, '.html'));
/** As GitHub names headings, so that links work in both. */
const anchorOf = (text) =>
  text
    .toLowerCase()
    .replace(/<[^>]*>/g, '')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:0 auto;padding:1rem;color:#222;background:#fff}
nav{font-size:.9rem;border-bottom:1px solid #ddd;padding-bottom:.5rem}nav a{margin-right:.8rem}
pre{background:#f4f4f4;padding:.7rem;overflow-x:auto}code{font:.9em ui-monospace,monospace}table{border-collapse:collapse;display:block;overflow-x:auto}
td,th{border:1px solid #ddd;padding:.2rem .5rem;text-align:left;vertical-align:top}img{max-width:100%}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}pre{background:#262626}a{color:#8ab4f8}td,th,nav{border-color:#444}}`;

const titles = new Map();
for (const path of pages) titles.set(path, /^# (.*)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? path);
const tasks = pages.filter((p) => p.startsWith('docs/tasks/'));

for (const path of pages) {
  const to = join(OUT, pageOf(path));
  const link = (target) => relative(dirname(to), join(OUT, pageOf(target)));
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
    walkTokens(token) {
      if (token.type !== 'link' || /^[a-z]+:/.test(token.href)) return;
      const [file, anchor] = token.href.split('#');
      if (!file.endsWith('.md')) return;
      const target = relative('.', join(dirname(path), file));
      if (pages.includes(target)) token.href = link(target) + (anchor ? `#${anchor}` : '');
    },
  });
  const nav = ['README.md', ...tasks, 'docs/keys.md', 'docs/scripting.md']
    .map((target) => `<a href="${link(target)}">${target === 'README.md' ? 'proftui' : titles.get(target)}</a>`)
    .join('');
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${titles.get(path)}</title><style>${STYLE}</style><nav>${nav}</nav>\n${marked.parse(readFileSync(path, 'utf8'))}</html>\n`;
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, html);
}
mkdirSync(join(OUT, 'docs'), { recursive: true });
cpSync('docs/screen.svg', join(OUT, 'docs/screen.svg'));
cpSync('docs/screens', join(OUT, 'docs/screens'), { recursive: true });
console.log(`${OUT}: ${pages.length} pages`);
