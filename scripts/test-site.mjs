// Looks at the site of the documentation in a real browser: `npm run test:site`, with Debian's chromium or the browser that $CHROMIUM names.
// It builds the site into a folder of its own, and fails for a link that leads nowhere, a search that misses, an error in the console, a page
// that scrolls sideways, or text of little contrast. `--shots FOLDER` also writes pictures of four pages, for people to look at.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({ options: { shots: { type: 'string' } } });
const shots = flags.shots && resolve(flags.shots);
process.chdir(new URL('..', import.meta.url).pathname);

/** Widths of a phone and of a desktop, with heights. */
const SIZES = [
  [1280, 800],
  [390, 844],
];
const SCHEMES = ['light', 'dark'];
/** The least contrast of text by WCAG 2, level AA. */
const MIN_CONTRAST = 4.5;
/** Words that the search must find. */
const SOUGHT = ['POST_BUILD', 'inclusive'];
/** Pages where words are looked for: the links of hits depend on the folder. */
const SEARCH_PAGES = ['index.html', 'docs/keys.html', 'docs/tasks/why-slow.html'];
const SHOT_PAGES = ['index.html', 'docs/keys.html', 'docs/numbers.html', 'docs/tasks/why-slow.html'];
const ANSWER_MS = 60_000;

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const browserPath = [process.env['CHROMIUM'] ?? '', ...NAMES].find(
  (name) => name !== '' && spawnSync(name, ['--version', '--no-sandbox'], { stdio: 'ignore' }).status === 0,
);
if (browserPath === undefined) {
  process.stderr.write('test:site needs Chromium: apt-get install chromium, or CHROMIUM=PATH names one\n');
  process.exit(2);
}

const work = mkdtempSync(join(tmpdir(), 'proftui-site-'));
const site = join(work, 'site');
execFileSync(process.execPath, ['scripts/site.mjs', site], { stdio: 'inherit' });
const files = new Set(
  readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(join(site, file)).isFile()),
);
const pages = [...files].filter((file) => file.endsWith('.html')).sort();

/** The files of the site as a server would give them, on this machine only. */
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.svg': 'image/svg+xml' };
const server = createServer((request, response) => {
  const file = decodeURIComponent(new URL(request.url, 'http://site').pathname).slice(1);
  if (!files.has(file)) return response.writeHead(404).end();
  response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'text/plain' });
  return createReadStream(join(site, file)).pipe(response);
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const address = `http://127.0.0.1:${server.address().port}/`;

// The DevTools protocol over two pipes: messages of JSON, each ended by a zero byte.
const browser = spawn(
  browserPath,
  [
    ...['--headless', '--remote-debugging-pipe', `--user-data-dir=${join(work, 'profile')}`],
    ...['--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ...['--no-first-run', '--disable-dev-shm-usage'],
    // Its sandbox does not work for root, as in containers; the pages are our own.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    'about:blank',
  ],
  { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
);
const [, , , toBrowser, fromBrowser] = browser.stdio;
// The end of the browser is reported by its exit.
toBrowser.on('error', () => {});
const waiting = new Map();
const listeners = new Set();
let nextId = 1;
let received = '';
const take = (message) => {
  if (message.id === undefined) {
    for (const listener of listeners) listener(message);
    return;
  }
  const { done, fail } = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.error) fail(new Error(message.error.message));
  else done(message.result);
};
fromBrowser.setEncoding('utf8').on('data', (text) => {
  const parts = (received + text).split('\0');
  received = parts.pop();
  for (const part of parts) take(JSON.parse(part));
});
browser.on('exit', (code) => {
  for (const { fail } of waiting.values()) fail(new Error(`the browser ended with ${code}`));
});

/** Calls a method of the protocol. */
function call(method, params = {}, sessionId = undefined) {
  const id = nextId++;
  const answer = new Promise((done, fail) => waiting.set(id, { done, fail }));
  const timer = setTimeout(() => waiting.get(id)?.fail(new Error(`${method}: no answer in ${ANSWER_MS / 1000} s`)), ANSWER_MS);
  toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  return answer.finally(() => clearTimeout(timer));
}

const { targetId } = await call('Target.createTarget', { url: 'about:blank' });
const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });
const send = (method, params) => call(method, params, sessionId);
for (const domain of ['Page', 'Runtime', 'Log']) await send(`${domain}.enable`);

/** The value of a function that runs in the page. */
async function evaluate(run, ...args) {
  const expression = `(${run})(...${JSON.stringify(args)})`;
  const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

const problems = [];
let current = '';
const report = (text) => {
  const line = `${current}: ${text}`;
  if (!problems.includes(line)) problems.push(line);
};
listeners.add(({ method, params }) => {
  if (method === 'Runtime.exceptionThrown')
    report(`exception: ${params.exceptionDetails.exception?.description ?? params.exceptionDetails.text}`);
  if (method === 'Runtime.consoleAPICalled' && ['error', 'assert', 'warning'].includes(params.type))
    report(`console.${params.type}: ${params.args.map((arg) => arg.value ?? arg.description).join(' ')}`);
  if (method === 'Log.entryAdded' && params.entry.level === 'error')
    report(`console: ${params.entry.text} ${params.entry.url ?? ''}`);
});

/** Loads an address, and waits until its resources are there. */
async function open(url) {
  const loaded = new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`${url} does not load`)), ANSWER_MS);
    const listener = ({ method }) => {
      if (method !== 'Page.loadEventFired') return;
      listeners.delete(listener);
      clearTimeout(timer);
      done();
    };
    listeners.add(listener);
  });
  const { errorText } = await send('Page.navigate', { url });
  if (errorText) throw new Error(`${url}: ${errorText}`);
  await loaded;
}

/** Sets the size of the window, and waits until the page has taken it. */
async function resize([width, height]) {
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  await evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
}
const setScheme = (value) => send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });

/** In the page: its anchors, where its links lead, and the resources that it shows. */
function linksInPage() {
  const all = [...document.querySelectorAll('[id]')].map((e) => e.id);
  return {
    ids: all,
    twice: all.filter((id, i) => all.indexOf(id) !== i),
    links: [...document.querySelectorAll('a[href]')].map((a) => [a.getAttribute('href'), a.href]),
    resources: [
      ...[...document.querySelectorAll('img[src], script[src]')].map((e) => e.src),
      ...[...document.querySelectorAll('source[srcset]')].map((e) => new URL(e.getAttribute('srcset'), document.baseURI).href),
    ],
    title: document.title,
    lang: document.documentElement.lang,
  };
}

/** In the page: the pictures that cannot be shown. Those of the other theme and those far below are loaded, too. */
async function brokenPicturesInPage() {
  const sources = [...document.querySelectorAll('source[srcset]')].map((source) => source.getAttribute('srcset'));
  const isShown = (address) => {
    const image = new Image();
    image.src = address;
    return image.decode().then(
      () => true,
      () => false,
    );
  };
  const addresses = [...[...document.images].map((image) => image.src), ...sources];
  const shown = await Promise.all(addresses.map(isShown));
  return addresses.filter((_, i) => !shown[i]);
}

/** In the page: the widest elements, if it scrolls sideways. A phone shows a wide page whole, and then innerWidth is more than its own width. */
function overflowInPage(width) {
  const root = document.documentElement;
  const most = Math.min(width, innerWidth);
  if (root.scrollWidth <= most) return undefined;
  const wide = [...document.body.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > most + 0.5);
  const named = wide.slice(-3).map((e) => `<${e.localName}> ${e.textContent.trim().slice(0, 40)}`);
  return `${root.scrollWidth} pixels wide of ${most}: ${named.join('; ')}`;
}

/** In the page: texts whose contrast with their background is below `least`, and the least contrast found. */
function contrastInPage(least) {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const colours = new Map();
  // The canvas knows all ways to write a colour.
  const parse = (text) => {
    if (!colours.has(text)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      colours.set(text, [r, g, b, a / 255]);
    }
    return colours.get(text);
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((c, i) => c * a + below[i] * (1 - a));
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const probe = document.createElement('div');
  probe.style.cssText = 'position:absolute;color:CanvasText;background:Canvas';
  document.body.append(probe);
  const canvasColour = parse(getComputedStyle(probe).backgroundColor).slice(0, 3);
  probe.remove();
  const backgroundOf = (element) => {
    if (element === null) return canvasColour;
    const own = parse(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own.slice(0, 3) : over(own, backgroundOf(element.parentElement));
  };
  const found = new Map();
  let lowest = 21;
  let texts = 0;
  const opacityOf = (element) => (element === null ? 1 : getComputedStyle(element).opacity * opacityOf(element.parentElement));
  const check = (element, style, text) => {
    const background = backgroundOf(element);
    const [red, green, blue, alpha] = parse(style.color);
    const seen = over([red, green, blue, alpha * style.opacity * opacityOf(element.parentElement)], background);
    const [a, b] = [luminance(seen), luminance(background)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    texts++;
    lowest = Math.min(lowest, contrast);
    if (contrast < least)
      found.set(
        `<${element.localName}> ${style.color} on ${background.map(Math.round)}: ${contrast.toFixed(2)}`,
        text.trim().slice(0, 40),
      );
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: element, data } = walker.currentNode;
    if (data.trim() === '' || /^(?:script|style)$/.test(element.localName)) continue;
    if (element.checkVisibility({ checkVisibilityCSS: true })) check(element, getComputedStyle(element), data);
  }
  for (const input of document.querySelectorAll('input')) {
    check(input, getComputedStyle(input), 'typed text');
    if (input.placeholder) check(input, getComputedStyle(input, '::placeholder'), input.placeholder);
  }
  return { found: [...found].map(([what, text]) => `${what}, in "${text}"`), lowest, texts };
}

/** In the page: opens what is folded, so that its text is looked at. */
const unfoldInPage = () => {
  for (const details of document.querySelectorAll('details')) details.open = true;
};

/** Links to pages and anchors, by the page that has them; checked when all anchors are known. */
const linksFrom = new Map();
const idsOf = new Map();
let lowest = 21;
let texts = 0;

async function lookAt(page) {
  await resize(SIZES[0]);
  await open(address + page);
  const { ids, twice, links, resources, title, lang } = await evaluate(linksInPage);
  idsOf.set(page, new Set(ids));
  linksFrom.set(page, links);
  for (const id of new Set(twice)) report(`the anchor ${id} is there more than once`);
  if (title === '' || lang === '') report('no title or no language');
  for (const url of resources)
    if (url.startsWith(address) && !files.has(decodeURIComponent(url.slice(address.length)))) report(`${url} is missing`);
  for (const url of await evaluate(brokenPicturesInPage)) report(`the picture ${url} cannot be shown`);
  for (const size of SIZES) {
    await resize(size);
    const overflow = await evaluate(overflowInPage, size[0]);
    if (overflow) report(`scrolls sideways at ${size[0]}: ${overflow}`);
  }
  for (const size of SIZES) {
    await resize(size);
    await evaluate(unfoldInPage);
    const overflow = await evaluate(overflowInPage, size[0]);
    if (overflow) report(`scrolls sideways at ${size[0]}, unfolded: ${overflow}`);
    for (const scheme of SCHEMES) {
      await setScheme(scheme);
      const contrast = await evaluate(contrastInPage, MIN_CONTRAST);
      lowest = Math.min(lowest, contrast.lowest);
      texts += contrast.texts;
      for (const what of contrast.found) report(`contrast below ${MIN_CONTRAST} in ${scheme}: ${what}`);
    }
  }
  await setScheme('light');
}

/** Links within the site must lead to a page and an anchor of it, or to a picture. */
function checkLinks() {
  let count = 0;
  for (const [page, links] of linksFrom) {
    current = page;
    for (const [written, url] of links) {
      if (!url.startsWith(address)) {
        if (!/^(?:https?|mailto):/.test(url)) report(`${written} leads outside of the site`);
        continue;
      }
      count++;
      const { pathname, hash } = new URL(url);
      const file = decodeURIComponent(pathname).slice(1);
      const anchor = decodeURIComponent(hash.slice(1));
      if (!pages.includes(file) && !(files.has(file) && file.endsWith('.svg'))) report(`the link ${written} leads to no page`);
      else if (anchor !== '' && !idsOf.get(file)?.has(anchor)) report(`the link ${written} leads to no anchor of ${file}`);
    }
  }
  return count;
}

/** Types words into the search of a page as a person does, and follows the first hit. */
async function search(page, words) {
  current = page;
  await open(address + page);
  await evaluate(() => document.querySelector('#site-search').focus());
  await send('Input.insertText', { text: words });
  const hits = await evaluate(() => [...document.querySelectorAll('#site-found a')].map((a) => [a.href, a.textContent]));
  if (hits.length === 0) return report(`the search finds nothing for ${words}`);
  for (const scheme of SCHEMES) {
    await setScheme(scheme);
    const { found } = await evaluate(contrastInPage, MIN_CONTRAST);
    for (const what of found) report(`contrast below ${MIN_CONTRAST} in ${scheme}, with hits: ${what}`);
  }
  for (const size of SIZES) {
    await resize(size);
    const overflow = await evaluate(overflowInPage, size[0]);
    if (overflow) report(`scrolls sideways at ${size[0]}, with hits: ${overflow}`);
  }
  for (const [url, text] of hits) {
    const { pathname, hash } = new URL(url);
    const file = pathname.slice(1);
    if (!pages.includes(file)) report(`the hit ${text} for ${words} leads to no page: ${url}`);
    else if (hash !== '' && !idsOf.get(file)?.has(decodeURIComponent(hash.slice(1))))
      report(`the hit ${text} for ${words} leads to no anchor: ${url}`);
  }
  await open(hits[0][0]);
  const isThere = await evaluate(
    (sought) => document.querySelector('main').textContent.toLowerCase().includes(sought),
    words.toLowerCase(),
  );
  if (!isThere) report(`the first hit for ${words}, ${hits[0][0].slice(address.length)}, does not contain it`);
  return undefined;
}

async function takeShots() {
  mkdirSync(shots, { recursive: true });
  for (const page of SHOT_PAGES)
    for (const size of SIZES)
      for (const scheme of SCHEMES) {
        await resize(size);
        await setScheme(scheme);
        await open(address + page);
        const { data } = await send('Page.captureScreenshot', { format: 'png' });
        const name = `${page.replace(/\.html$/, '').replaceAll('/', '-')}-${size[0]}-${scheme}.png`;
        writeFileSync(join(shots, name), Buffer.from(data, 'base64'));
        console.log(join(shots, name));
      }
}

try {
  for (const page of pages) {
    current = page;
    await lookAt(page);
  }
  const links = checkLinks();
  for (const words of SOUGHT) for (const page of SEARCH_PAGES) await search(page, words);
  if (shots) await takeShots();
  console.log(
    `${pages.length} pages, ${links} links within the site, ${texts} texts of contrast ${lowest.toFixed(2)} or more, ${problems.length} problems`,
  );
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  const ended = new Promise((done) => browser.on('exit', done));
  await call('Browser.close').catch(() => browser.kill('SIGKILL'));
  await ended;
  server.close();
  server.closeAllConnections();
  rmSync(work, { recursive: true, force: true });
}
