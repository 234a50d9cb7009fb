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

const STYLE = `*{box-sizing:border-box}body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#222;background:#fff}
.page{display:grid;grid-template-columns:16rem minmax(0,1fr);max-width:84rem;margin:0 auto}
nav{padding:1rem;font-size:.9rem;border-right:1px solid #ddd;position:sticky;top:0;height:100vh;overflow-y:auto}
nav h2{font-size:.8rem;text-transform:uppercase;letter-spacing:.05em;margin:1.2rem 0 .3rem;color:#666}nav a{display:block;padding:.1rem 0;text-decoration:none}
nav a[aria-current]{font-weight:bold}nav input{width:100%;padding:.3rem;font:inherit;color:inherit;background:transparent;border:1px solid #999}
main{padding:1rem 2rem 4rem}#found{list-style:none;padding:0}#found small{display:block;color:#666}
pre{background:#f4f4f4;padding:.7rem;overflow-x:auto}code{font:.9em ui-monospace,monospace}table{border-collapse:collapse;display:block;overflow-x:auto}
td,th{border:1px solid #ddd;padding:.2rem .5rem;text-align:left;vertical-align:top}img{max-width:100%}
.views{display:grid;grid-template-columns:repeat(auto-fill,minmax(22rem,1fr));gap:1rem}figure{margin:0}figcaption{font-size:.9rem}
@media(max-width:50rem){.page{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid #ddd}}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}pre{background:#262626}a{color:#8ab4f8}td,th,nav{border-color:#444}nav h2,#found small{color:#aaa}}`;

/** Runs in the browser, beside `index` (title, heading, address, words of each section): sections with all the words, those with one in a heading first. */
const SEARCH = `function find(index, query) {
  const words = query.toLowerCase().split(/\\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const hits = [];
  for (const [title, heading, url, text] of index) {
    const head = (title + ' ' + heading).toLowerCase();
    const body = head + ' ' + text;
    if (words.every((w) => body.includes(w))) hits.push({ title, heading, url, score: words.filter((w) => head.includes(w)).length });
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, 20);
}
if (typeof document !== 'undefined') {
  const input = document.getElementById('search'), list = document.getElementById('found');
  input.addEventListener('input', () => {
    list.replaceChildren(...find(index, input.value).map((hit) => {
      const item = document.createElement('li'), link = document.createElement('a'), of = document.createElement('small');
      link.href = root + hit.url;
      link.textContent = hit.heading || hit.title;
      of.textContent = hit.title;
      item.append(link, of);
      return item;
    }));
  });
}
`;

const titles = new Map();
for (const path of pages) titles.set(path, /^# (.*)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? path);
const inTable = new Set(
  [...readFileSync('docs/formats.md', 'utf8').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file]) => `docs/${file}`),
);
const USE = ['keys', 'focus', 'comparing', 'findings', 'numbers', 'settings'].map((name) => `docs/${name}.md`);
const listed = new Set(['README.md', ...inTable, ...USE]);
/** The sidebar: every page once. */
const GROUPS = [
  ['Start', ['README.md', ...pages.filter((p) => p.startsWith('docs/tasks/'))]],
  ['On the screen', USE],
  ['Formats', ['docs/formats.md', ...pages.filter((p) => inTable.has(p))]],
  ['More', pages.filter((p) => !listed.has(p) && p !== 'docs/formats.md' && !p.startsWith('docs/tasks/'))],
];

/** The picture of a view as the reader's theme wants it. */
const picture = (view) =>
  `<picture><source media="(prefers-color-scheme: dark)" srcset="docs/screens/views/${view}-80x24-dark.svg"><img src="docs/screens/views/${view}-80x24-light.svg" alt="${view}" loading="lazy"></picture>`;
const views = readdirSync('docs/screens/views').flatMap((file) => /^(.*)-80x24-dark\.svg$/.exec(file)?.[1] ?? []);
/** Behind the README, which the site begins with: the tasks, and a picture of every view. */
const landing = () => `<h2 id="tasks">Tasks</h2>
<ul>${pages
  .filter((p) => p.startsWith('docs/tasks/'))
  .map((p) => `<li><a href="${pageOf(p)}">${titles.get(p)}</a></li>`)
  .join('')}</ul>
<h2 id="views">Every view</h2>
<p>At 80x24; each picture leads to the same view at 200x60.</p>
<div class="views">${views.map((v) => `<figure><a href="docs/screens/views/${v}-200x60-light.svg">${picture(v)}</a><figcaption>${v[0].toUpperCase()}${v.slice(1)}</figcaption></figure>`).join('\n')}</div>
`;

/** Title, heading, address and words of each section. */
const index = [];
const plain = (text) =>
  text
    .replace(/<[^>]*>/g, ' ')
    .replace(/[`*_|[\]()#]/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase();

for (const path of pages) {
  const to = join(OUT, pageOf(path));
  const link = (target) => relative(dirname(to), join(OUT, pageOf(target)));
  const source = readFileSync(path, 'utf8');
  for (const section of source.split(/^(?=#{1,3} )/m)) {
    const [, level, heading = ''] = /^(#{1,3}) (.*)/.exec(section) ?? [];
    const title = titles.get(path);
    const anchor = level && level !== '#' ? `#${anchorOf(heading)}` : '';
    index.push([title, level === '#' ? '' : heading, pageOf(path) + anchor, plain(section)]);
  }
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
  const item = (target) => `<a href="${link(target)}"${target === path ? ' aria-current="page"' : ''}>${titles.get(target)}</a>`;
  const nav = GROUPS.map(([title, targets]) => `<h2>${title}</h2>${targets.map(item).join('')}`).join('\n');
  const at = relative(dirname(to), OUT);
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${titles.get(path)}</title><style>${STYLE}</style>`;
  const search = `<input id="search" type="search" placeholder="Search" aria-label="Search the documentation"><ul id="found"></ul>`;
  const scripts = `<script>const root = ${JSON.stringify(at === '' ? '' : `${at}/`)};</script><script src="${join(at, 'search.js')}"></script>`;
  const html = `<!doctype html><html lang="en"><head>${head}</head><body><div class="page"><nav>${search}\n${nav}</nav>\n<main>${marked.parse(source)}${path === 'README.md' ? landing() : ''}</main></div>${scripts}</body></html>\n`;
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, html);
}
// A text in a script must not end it, nor begin a comment of HTML.
writeFileSync(join(OUT, 'search.js'), `const index = ${JSON.stringify(index).replaceAll('<', '\\u003c')};\n${SEARCH}`);
mkdirSync(join(OUT, 'docs'), { recursive: true });
for (const theme of ['dark', 'light']) cpSync(`docs/screen-${theme}.svg`, join(OUT, `docs/screen-${theme}.svg`));
cpSync('docs/screens', join(OUT, 'docs/screens'), { recursive: true });
console.log(`${OUT}: ${pages.length} pages`);
