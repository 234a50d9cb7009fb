// A small site of the documentation in site/: a page for each Markdown file, with the same names and links. `npm run site`.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  'CONTRIBUTING.md',
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

/** Files of the repository that are not on the site are shown by its host. */
const FILES_AT = `${JSON.parse(readFileSync('package.json', 'utf8')).repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`;

const STYLE = `:root{color-scheme:light dark}*{box-sizing:border-box}body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#222;background:#fff}
.page{display:grid;grid-template-columns:16rem minmax(0,1fr);max-width:84rem;margin:0 auto}
nav{padding:0 1rem 1rem;font-size:.9rem;border-right:1px solid #ddd;position:sticky;top:0;height:100vh;overflow-y:auto}
nav h2{font-size:.8rem;text-transform:uppercase;letter-spacing:.05em;margin:1.2rem 0 .3rem;color:#666}nav a{display:block;padding:.1rem 0;text-decoration:none}
nav a[aria-current]{font-weight:bold}nav input{width:100%;padding:.3rem;font:inherit;color:inherit;background:transparent;border:1px solid #888}
.seek{position:sticky;top:0;margin:0 -1rem;padding:1rem 1rem .5rem}.page,nav,.seek{background:inherit}nav summary{display:none}nav input::placeholder{color:#666;opacity:1}
main{padding:1rem 2rem 4rem;overflow-wrap:break-word}main>:is(p,ul,ol):not(:has(img)){max-width:50rem}#site-found{list-style:none;margin:.5rem 0;padding:0}#site-found small{display:block;color:#666}
code.short,.flag{white-space:nowrap}pre{background:#f4f4f4;padding:.7rem;overflow-x:auto}code{font:.9em ui-monospace,monospace}table{border-collapse:collapse;display:block;overflow-x:auto}
td,th{border:1px solid #ddd;padding:.2rem .5rem;text-align:left;vertical-align:top}img{max-width:100%;height:auto}
.views{display:grid;grid-template-columns:repeat(auto-fill,minmax(22rem,1fr));gap:1rem}figure{margin:0}figcaption{font-size:.9rem}
@media(max-width:50rem){.page{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid #ddd}nav a{padding:.3rem 0}
nav summary{display:list-item;padding:.6rem 0 0;cursor:pointer}main{padding:1rem 1rem 3rem}h1{font-size:1.6rem}.views{grid-template-columns:minmax(0,1fr)}}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}pre{background:#262626}a{color:#8ab4f8}td,th,nav{border-color:#444}nav h2,#site-found small,nav input::placeholder{color:#aaa}}`;

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
  const input = document.getElementById('site-search'), list = document.getElementById('site-found');
  input.addEventListener('input', () => {
    list.closest('nav').scrollTop = 0;
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
for (const path of pages) titles.set(path, (/^# (.*)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? path).replaceAll('`', ''));
const inTable = new Set(
  [...readFileSync('docs/formats.md', 'utf8').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file]) => `docs/${file}`),
);
const USE = ['keys', 'focus', 'comparing', 'findings', 'numbers', 'settings'].map((name) => `docs/${name}.md`);
const listed = new Set(['README.md', ...inTable, ...USE]);
const isForDevelopers = (path) => /^(?:ARCHITECTURE|CONTRIBUTING|docs\/design\/)/.test(path);
/** The sidebar: every page once. */
const GROUPS = [
  ['Start', ['README.md', ...pages.filter((p) => p.startsWith('docs/tasks/'))]],
  ['On the screen', USE],
  ['Formats', ['docs/formats.md', ...pages.filter((p) => inTable.has(p))]],
  ['More', pages.filter((p) => !listed.has(p) && p !== 'docs/formats.md' && !p.startsWith('docs/tasks/') && !isForDevelopers(p))],
  ['Development', pages.filter(isForDevelopers)],
];

/** The picture of a view as the reader's theme wants it. It is loaded late, so its place needs a size. */
function picture(view) {
  const file = `docs/screens/views/${view}-80x24`;
  const [, width, height] = /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(readFileSync(`${file}-light.svg`, 'utf8'));
  return `<picture><source media="(prefers-color-scheme: dark)" srcset="${file}-dark.svg"><img src="${file}-light.svg" alt="${view}" width="${width}" height="${height}" loading="lazy"></picture>`;
}
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

const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
/** The text that a reader sees of HTML. */
const textOf = (html) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(lt|gt|amp|quot|#39);/g, (_, name) => ENTITIES[name])
    .replace(/\s+/g, ' ')
    .trim();
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const marked = new Marked({ gfm: true });
/** Code of at most this many characters is never broken, nor is a flag in ordinary text: it reads badly in two lines. */
const SHORT_CODE = 20;
marked.use({
  renderer: {
    codespan({ text }) {
      return `<code${text.length <= SHORT_CODE ? ' class="short"' : ''}>${escaped(text)}</code>`;
    },
    heading({ tokens, depth, anchor }) {
      return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
  },
});

/** HTML with flags (--print) in its texts that are not broken. */
const withWholeFlags = (html) =>
  html
    .split(/(<(pre|code)\b[\s\S]*?<\/\2>|<[^>]*>)/)
    .filter((_, i) => i % 3 !== 2)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(/(?<![\w-])--[a-z][\w-]*/g, '<span class="flag">$&</span>')))
    .join('');

/** The tokens of a page, with anchors for its headings and addresses for its links. */
function tokensOf(path, link) {
  const tokens = marked.lexer(readFileSync(path, 'utf8'));
  const counts = new Map();
  marked.walkTokens(tokens, (token) => {
    if (token.type === 'heading') {
      // A heading that is there again has a number, as on GitHub.
      const anchor = anchorOf(token.text);
      const count = counts.get(anchor) ?? 0;
      counts.set(anchor, count + 1);
      token.anchor = count === 0 ? anchor : `${anchor}-${count}`;
    }
    if (token.type !== 'link' || /^[a-z]+:/.test(token.href)) return;
    const [file, anchor] = token.href.split('#');
    if (file === '') return;
    const target = relative('.', join(dirname(path), file));
    if (pages.includes(target)) {
      token.href = link(target) + (anchor ? `#${anchor}` : '');
      // A page has no ending for its readers.
      for (const part of token.tokens) if (part.type === 'text') part.text = part.text.replace(/^([\w-]+)\.md$/, '$1');
    } else if (!target.endsWith('.svg') && existsSync(target)) token.href = FILES_AT + target + (anchor ? `#${anchor}` : '');
  });
  return tokens;
}

/** Title, heading, address and words of each section. */
const index = [];
function addToIndex(path, tokens) {
  const sections = [];
  for (const token of tokens) {
    if (sections.length === 0 || (token.type === 'heading' && token.depth <= 3)) sections.push([]);
    sections.at(-1).push(token);
  }
  for (const section of sections) {
    const [first] = section;
    const isTop = first.type !== 'heading' || first.depth === 1;
    const heading = isTop ? '' : textOf(marked.parser([first]));
    const address = pageOf(path) + (isTop ? '' : `#${first.anchor}`);
    index.push([titles.get(path), heading, address, textOf(marked.parser(section)).toLowerCase()]);
  }
}

/** Runs behind the list of pages: on small screens it is folded, so that the page itself is seen. */
const FOLD = `{const narrow=matchMedia('(max-width:50rem)'),all=document.querySelector('nav details'),fold=()=>{all.open=!narrow.matches};fold();narrow.addEventListener('change',fold);
const here=all.querySelector('[aria-current]'),nav=all.closest('nav');if(!narrow.matches)nav.scrollTop=Math.max(0,here.offsetTop-nav.clientHeight/2)}`;

for (const path of pages) {
  const to = join(OUT, pageOf(path));
  const link = (target) => relative(dirname(to), join(OUT, pageOf(target)));
  const tokens = tokensOf(path, link);
  addToIndex(path, tokens);
  const item = (target) =>
    `<a href="${link(target)}"${target === path ? ' aria-current="page"' : ''}>${escaped(titles.get(target))}</a>`;
  const nav = GROUPS.map(([title, targets]) => `<h2>${title}</h2>${targets.map(item).join('')}`).join('\n');
  const at = relative(dirname(to), OUT);
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escaped(titles.get(path))}</title><link rel="icon" href="data:,"><style>${STYLE}</style>`;
  const search = `<div class="seek"><input id="site-search" type="search" placeholder="Search" aria-label="Search the documentation"></div><ul id="site-found"></ul>`;
  const scripts = `<script>const root = ${JSON.stringify(at === '' ? '' : `${at}/`)};</script><script src="${join(at, 'search.js')}"></script>`;
  const html = `<!doctype html><html lang="en"><head>${head}</head><body><div class="page"><nav>${search}<details open><summary>All pages</summary>\n${nav}</details></nav><script>${FOLD}</script>\n<main>${withWholeFlags(marked.parser(tokens))}${path === 'README.md' ? landing() : ''}</main></div>${scripts}</body></html>\n`;
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, html);
}
// The hits in guides come first among equals.
const isAside = ([, , url]) => isForDevelopers(url) || url.startsWith('CHANGELOG');
index.sort((a, b) => isAside(a) - isAside(b));
// A text in a script must not end it, nor begin a comment of HTML.
writeFileSync(join(OUT, 'search.js'), `const index = ${JSON.stringify(index).replaceAll('<', '\\u003c')};\n${SEARCH}`);
mkdirSync(join(OUT, 'docs'), { recursive: true });
for (const theme of ['dark', 'light']) cpSync(`docs/screen-${theme}.svg`, join(OUT, `docs/screen-${theme}.svg`));
cpSync('docs/screens', join(OUT, 'docs/screens'), { recursive: true });
console.log(`${OUT}: ${pages.length} pages`);
