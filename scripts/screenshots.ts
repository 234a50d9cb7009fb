// Makes the pictures of the documentation from real frames of real profiles: npm run screenshots.
import { mkdirSync, writeFileSync } from 'node:fs';
import { drawScreen } from '../src/app/draw.ts';
import type { AppState } from '../src/app/state.ts';
import { type Fill, isFill, type Style } from '../src/base/style.ts';
import { cellWidth } from '../src/base/text.ts';
import { loadProfile } from '../src/io/load.ts';
import { BAR_COLOURS, fillCode, TEXT_PALETTES } from '../src/tui/theme.ts';
import { type ViewId, views } from '../src/views/index.ts';
import { type Player, play } from '../test/support/keys.ts';
import { versus as versusOf } from '../test/support/versus.ts';

const WIDTH = 110;
const HEIGHT = 28;
const FIXTURES = 'fixtures';
const CELL = { width: 8.4, height: 18 };
/** A colour of the 256-colour cube. */
function cube(colour: number): string {
  const level = (at: number) => [0, 95, 135, 175, 215, 255][at % 6];
  const grey = 8 + 10 * (colour - 232);
  const at = colour - 16;
  return `rgb(${colour >= 232 ? [grey, grey, grey] : [level(Math.floor(at / 36)), level(Math.floor(at / 6)), level(at)]})`;
}

type ThemeOf = 'dark' | 'light';

/** The terminal's own text and background. */
const GROUND: Readonly<Record<ThemeOf, readonly [text: string, background: string]>> = {
  dark: ['#e4e4e4', '#1c1c1c'],
  light: ['#1c1c1c', '#ffffff'],
};

function textColour(style: Exclude<Style, Fill>, theme: ThemeOf): string {
  const palette: Partial<Record<Style, number>> = TEXT_PALETTES[theme];
  const colour = style === 'bar' ? BAR_COLOURS[theme] : palette[style];
  return colour === undefined ? GROUND[theme][0] : cube(colour);
}

/** Text and background of a style, as a terminal with 256 colours has them; no background for most. */
function coloursOf(style: Style, lit: boolean, theme: ThemeOf): readonly [text: string, background: string | undefined] {
  const [text, background] = GROUND[theme];
  if (!isFill(style))
    return lit || style === 'title' ? [background, textColour(style, theme)] : [textColour(style, theme), undefined];
  const [on = text, fill] = Array.from(fillCode(style, theme).matchAll(/8;5;(\d+)/g), ([, colour]) => cube(Number(colour)));
  return lit ? [fill ?? background, on] : [on, fill];
}

interface Picture {
  readonly file: string;
  readonly paths: readonly string[];
  readonly base?: readonly string[];
  readonly sources?: readonly string[];
  readonly width?: number;
  readonly height?: number;
  readonly theme?: ThemeOf;
  /** What is done before the picture is taken. */
  readonly press: (player: Player) => unknown;
}

const PICTURES: readonly Picture[] = [
  ...(['dark', 'light'] as const).map((theme) => ({
    ...{ file: `docs/screen-${theme}.svg`, theme, width: 120, height: 26 },
    ...{ paths: ['tour/words.out.gz'], sources: ['tour'] },
    press: (p: Player) => p.press('overview'),
  })),
  {
    file: 'docs/screens/why-slow.svg',
    paths: ['callgrind/default.callgrind.out'],
    height: 20,
    press: (p) => p.press('tree', ']'),
  },
  {
    file: 'docs/screens/slower.svg',
    paths: ['compare/v2/shop.callgrind.out.gz'],
    base: ['compare/v1/shop.callgrind.out.gz'],
    height: 20,
    press: (p) => p.press('overview'),
  },
  { file: 'docs/screens/headers.svg', paths: ['clang-traces/whole-build'], height: 20, press: (p) => p.press('compilers') },
  {
    file: 'docs/screens/quadratic.svg',
    paths: ['aprof/sorts/sorts_29651_0_4.aprof.gz'],
    height: 24,
    press: (p) => p.press('growth'),
  },
  {
    file: 'docs/screens/build-waits.svg',
    paths: ['ninja-log/mbedtls/.ninja_log.gz'],
    height: 24,
    press: (p) => p.press('gantt', ']'),
  },
];

/** Profiles that have all views between them: the first routine or step opens those of one. */
const OF_VIEWS: readonly { readonly paths: readonly string[]; readonly base?: readonly string[]; readonly views: string }[] = [
  {
    paths: ['callgrind/instr-jumps.callgrind.out.gz'],
    views: 'overview findings routines calls tree source instrs lines info flame graph',
  },
  { paths: ['aprof/sorts-cct/sorts_29653_0_4.aprof.gz'], views: 'growth curve' },
  { paths: ['ninja-log/mbedtls/.ninja_log.gz'], views: 'gantt waterfall steps targets critical utilization step' },
  { paths: ['clang-traces/whole-build'], views: 'compilers' },
  { paths: ['ctest/fates'], views: 'tests' },
  { paths: ['build-trace/harbor.trace.gz'], views: 'processes programs compiles process' },
  { paths: ['pprof/cpu.pb.gz'], views: 'labels stacks' },
  { paths: ['perf-script/phases.perf.gz'], views: 'timeline' },
  { paths: ['massif/stages.massif.out'], views: 'snapshots' },
];

/** The views on a small and a large screen, dark and light. */
function everyView(): Picture[] {
  const sizes = [
    [80, 24],
    [200, 60],
  ] as const;
  return OF_VIEWS.flatMap(({ views, ...profile }) =>
    views.split(' ').flatMap((view) =>
      sizes.flatMap(([width, height]) =>
        (['dark', 'light'] as const).map((theme) => ({
          ...profile,
          ...{ width, height, theme, sources: ['callgrind'], file: `docs/screens/views/${view}-${width}x${height}-${theme}.svg` },
          press: (p: Player) => p.act({ type: 'split-wide' }).act({ type: 'view', view: viewId(view) }),
        })),
      ),
    ),
  );
}

function viewId(name: string): ViewId {
  const view = views.find(({ id }) => id === name);
  if (!view) throw new Error(`there is no view ${name}`);
  return view.id;
}

process.chdir(new URL('..', import.meta.url).pathname);
mkdirSync('docs/screens/views', { recursive: true });
for (const picture of [...PICTURES, ...everyView()]) writeFileSync(picture.file, await drawn(picture));

async function drawn({
  paths,
  base,
  sources = [],
  width = WIDTH,
  height = HEIGHT,
  theme = 'dark',
  press,
}: Picture): Promise<string> {
  const load = (names: readonly string[]) => loadProfile(names.map((name) => `${FIXTURES}/${name}`));
  const profile = await load(paths);
  const versus = base ? versusOf(await load(base)) : undefined;
  const player = play(
    profile,
    { width, height, ...(versus ? { versus } : {}) },
    sources.map((name) => `${FIXTURES}/${name}`),
  );
  press(player);
  return svg(player.state, width, height, theme);
}

function svg(state: AppState, columns: number, height: number, theme: ThemeOf): string {
  const xml = (t: string) => t.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const rows: string[] = [];
  drawScreen(state).forEach((line, y) => {
    let x = 0;
    for (const [text, style, lit] of line.spans) {
      const [colour, background] = coloursOf(style, lit === true, theme);
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
  const w = Math.ceil(columns * CELL.width + 20);
  const h = height * CELL.height + 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">\n<rect width="100%" height="100%" rx="6" fill="${GROUND[theme][1]}"/>\n${rows.join('\n')}\n</svg>\n`;
}
