// Makes the pictures of the documentation from real frames of real profiles: npm run screenshots.
import { mkdirSync, writeFileSync } from 'node:fs';
import { drawScreen } from '../src/app/draw.ts';
import type { AppState } from '../src/app/state.ts';
import { type Fill, isFill, type Style } from '../src/base/style.ts';
import { cellWidth } from '../src/base/text.ts';
import { loadProfile } from '../src/io/load.ts';
import { fillCode } from '../src/tui/theme.ts';
import { type Player, play } from '../test/support/keys.ts';
import { versus as versusOf } from '../test/support/versus.ts';

const WIDTH = 110;
const HEIGHT = 28;
const FIXTURES = 'fixtures';
const CELL = { width: 8.4, height: 18 };
const COLOURS: Record<Exclude<Style, Fill>, string> = {
  plain: '#d8dee9',
  dim: '#7b8596',
  bold: '#eceff4',
  accent: '#88c0d0',
  header: '#eceff4',
  title: '#2e3440',
  hot: '#bf616a',
  warm: '#ebcb8b',
  call: '#88c0d0',
  match: '#b48ead',
  error: '#bf616a',
  keyword: '#b48ead',
  literal: '#a3be8c',
  comment: '#7b8596',
};

/** A colour of the 256-colour cube. */
function cube(colour: number): string {
  const level = (at: number) => [0, 95, 135, 175, 215, 255][at % 6];
  const grey = 8 + 10 * (colour - 232);
  const at = colour - 16;
  return `rgb(${colour >= 232 ? [grey, grey, grey] : [level(Math.floor(at / 36)), level(Math.floor(at / 6)), level(at)]})`;
}

/** Text and background of a style; no background for most. */
function coloursOf(style: Style, lit: boolean): readonly [text: string, background: string | undefined] {
  if (!isFill(style)) {
    if (lit) return ['#2e3440', COLOURS[style]];
    return style === 'title' ? ['#2e3440', '#d8dee9'] : [COLOURS[style], undefined];
  }
  const [text, fill] = Array.from(fillCode(style, 'dark').matchAll(/8;5;(\d+)/g), ([, colour]) => cube(Number(colour)));
  return lit ? [fill, text] : [text, fill];
}

interface Picture {
  readonly file: string;
  readonly paths: readonly string[];
  readonly base?: readonly string[];
  readonly sources?: readonly string[];
  readonly height?: number;
  /** What is done before the picture is taken. */
  readonly press: (player: Player) => unknown;
}

const PICTURES: readonly Picture[] = [
  {
    file: 'docs/screen.svg',
    paths: ['callgrind/default.callgrind.out'],
    sources: ['callgrind'],
    press: (p) => p.press('/').type('skip_spa').press('enter', '4'),
  },
  { file: 'docs/screens/why-slow.svg', paths: ['callgrind/default.callgrind.out'], height: 20, press: (p) => p.press('3', ']') },
  {
    file: 'docs/screens/slower.svg',
    paths: ['compare/v2/shop.callgrind.out.gz'],
    base: ['compare/v1/shop.callgrind.out.gz'],
    height: 20,
    press: (p) => p,
  },
  { file: 'docs/screens/headers.svg', paths: ['clang-traces/whole-build'], height: 20, press: (p) => p.press('1') },
  { file: 'docs/screens/quadratic.svg', paths: ['aprof/sorts/sorts_29651_0_4.aprof.gz'], height: 24, press: (p) => p.press('5') },
  {
    file: 'docs/screens/build-waits.svg',
    paths: ['ninja-log/mbedtls/.ninja_log.gz'],
    height: 24,
    press: (p) => p.press('4', ']'),
  },
];

process.chdir(new URL('..', import.meta.url).pathname);
mkdirSync('docs/screens', { recursive: true });
for (const picture of PICTURES) writeFileSync(picture.file, await drawn(picture));

async function drawn({ paths, base, sources = [], height = HEIGHT, press }: Picture): Promise<string> {
  const load = (names: readonly string[]) => loadProfile(names.map((name) => `${FIXTURES}/${name}`));
  const profile = await load(paths);
  const versus = base ? versusOf(await load(base)) : undefined;
  const player = play(
    profile,
    { width: WIDTH, height, ...(versus ? { versus } : {}) },
    sources.map((name) => `${FIXTURES}/${name}`),
  );
  press(player);
  return svg(player.state, height);
}

function svg(state: AppState, height: number): string {
  const xml = (t: string) => t.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const rows: string[] = [];
  drawScreen(state).forEach((line, y) => {
    let x = 0;
    for (const [text, style, lit] of line.spans) {
      const [colour, background] = coloursOf(style, lit === true);
      const width = cellWidth(text) * CELL.width;
      const left = 10 + x * CELL.width;
      const top = 10 + y * CELL.height;
      if (background)
        rows.push(
          `<rect x="${left.toFixed(1)}" y="${top}" width="${width.toFixed(1)}" height="${CELL.height}" fill="${background}"/>`,
        );
      if (text.trim() !== '') {
        const weight = style === 'bold' || style === 'header' || style === 'hot' ? ' font-weight="bold"' : '';
        rows.push(
          `<text x="${left.toFixed(1)}" y="${top + 13}" fill="${colour}"${weight} textLength="${width.toFixed(1)}" xml:space="preserve">${xml(text)}</text>`,
        );
      }
      x += cellWidth(text);
    }
  });
  const w = Math.ceil(WIDTH * CELL.width + 20);
  const h = height * CELL.height + 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">\n<rect width="100%" height="100%" rx="6" fill="#2e3440"/>\n${rows.join('\n')}\n</svg>\n`;
}
