// Makes docs/screen.svg from a real frame: npm run screenshot.
import { writeFileSync } from 'node:fs';
import { drawScreen } from '../src/app/draw.ts';
import type { Style } from '../src/base/style.ts';
import { cellWidth } from '../src/base/text.ts';
import { loadProfile } from '../src/io/load.ts';
import { play } from '../test/support/keys.ts';

const WIDTH = 110;
const HEIGHT = 28;
const CELL = { width: 8.4, height: 18 };
const COLOURS: Record<Style, string> = {
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
  hue1: '#88c0d0',
  hue2: '#ebcb8b',
  hue3: '#a3be8c',
  hue4: '#b48ead',
  hue5: '#d08770',
};

process.chdir(new URL('..', import.meta.url).pathname);
const profile = await loadProfile(['fixtures/callgrind/default.callgrind.out']);
const player = play(profile, { width: WIDTH, height: HEIGHT }, ['fixtures/callgrind']);
player.press('/').type('skip_spa').press('enter', '4');
const xml = (t: string) => t.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const rows: string[] = [];
drawScreen(player.state).forEach((line, y) => {
  let x = 0;
  for (const [text, style, lit] of line.spans) {
    const inverse = lit || style === 'title';
    const width = cellWidth(text) * CELL.width;
    const left = 10 + x * CELL.width;
    const top = 10 + y * CELL.height;
    if (inverse)
      rows.push(
        `<rect x="${left.toFixed(1)}" y="${top}" width="${width.toFixed(1)}" height="${CELL.height}" fill="${lit ? COLOURS[style] : '#d8dee9'}"/>`,
      );
    if (text.trim() !== '') {
      const weight = style === 'bold' || style === 'header' || style === 'hot' ? ' font-weight="bold"' : '';
      rows.push(
        `<text x="${left.toFixed(1)}" y="${top + 13}" fill="${inverse ? '#2e3440' : COLOURS[style]}"${weight} textLength="${width.toFixed(1)}" xml:space="preserve">${xml(text)}</text>`,
      );
    }
    x += cellWidth(text);
  }
});
const w = Math.ceil(WIDTH * CELL.width + 20);
const h = HEIGHT * CELL.height + 20;
writeFileSync(
  'docs/screen.svg',
  `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">\n<rect width="100%" height="100%" rx="6" fill="#2e3440"/>\n${rows.join('\n')}\n</svg>\n`,
);
