// The Ink components, drawn by Ink.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { render } from 'ink-testing-library';
import { AREA_FILLS, changeFill, FILLS, HEAT_FILLS, heatFill, LESS_FILLS, MORE_FILLS } from '../../src/base/style.ts';
import { cellWidth } from '../../src/base/text.ts';
import { loadProfile } from '../../src/io/load.ts';
import { Chooser, handleChooserKey, newChooserState } from '../../src/tui/Chooser.tsx';
import { XTERM } from '../../src/tui/capabilities.ts';
import { Loading } from '../../src/tui/Loading.tsx';
import { Screen } from '../../src/tui/Screen.tsx';
import { keyName } from '../../src/tui/terminal.ts';
import { BAR_COLOURS, CHIPS, chooseTheme, fillCode, needsBackground, styledLine, TEXT_PALETTES } from '../../src/tui/theme.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { matchesGolden } from '../support/golden.ts';
import { play } from '../support/keys.ts';
import { long } from '../support/long.ts';

const THEME = { palette: undefined };
/** Without attributes. */
const bare = (frame: string | undefined) => (frame ?? '').replace(/\u001b\[[0-9;]*m/g, '').replace(/ +$/gm, '');

test('the screen has as many lines as the terminal, with a panel or without', async () => {
  const player = play(await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]), { width: 90, height: 24 });
  for (const keys of [[], ['?'], ['j', 'j']]) {
    player.press(...keys);
    const { lastFrame, unmount } = render(<Screen state={player.state} theme={THEME} />);
    assert.equal(lastFrame()!.split('\n').length, 24);
    unmount();
  }
});

for (const [name, keys] of [
  ['help', ['?']],
  ['events', ['v']],
  ['palette', [':', ...'hottest']],
] as const) {
  test(`panel ${name}`, async () => {
    const player = play(await loadProfile([join(FIXTURES, 'callgrind/cache-branch.callgrind.out.gz')]), {
      width: 80,
      height: 24,
    });
    player.press(...keys);
    const { lastFrame, unmount } = render(<Screen state={player.state} theme={THEME} />);
    // The tabs above it are of all views.
    matchesGolden(`panels/${name}.txt`, bare(lastFrame()).split('\n').slice(2, -2).join('\n') + '\n');
    unmount();
  });
}

test('with --ascii, panels are ASCII', async () => {
  const player = play(await loadProfile([existing(join(FIXTURES, 'aprof/sorts-cct/sorts_29653_0_4.aprof'))]), {
    width: 80,
    height: 24,
    ascii: true,
  });
  player.press('curve');
  for (const keys of [['?'], ['pagedown', 'pagedown', 'pagedown'], ['esc', 'v'], ['esc', ':']]) {
    player.press(...keys);
    const { lastFrame, unmount } = render(<Screen state={player.state} theme={THEME} />);
    assert.match(bare(lastFrame()), /^[\x0a\x20-\x7e]*$/);
    unmount();
  }
});

test('progress and chooser', () => {
  const progress = { path: 'callgrind.out.1', bytes: 50 << 20, size: 200 << 20, routines: 1234, rows: 5_000_000 };
  const loading = render(
    <Loading state={{ paths: ['callgrind.out.1'], progress, startedMs: 0, nowMs: 1000 }} width={60} height={24} ascii />,
  );
  assert.match(loading.lastFrame()!, /25%/);
  assert.match(loading.lastFrame()!, /50 MiB of 200 MiB, 50 MiB\/s/);
  assert.match(loading.lastFrame()!, /q cancels/);
  const preview = {
    event: 'Ir',
    total: 4000,
    routines: [
      { name: 'hot\u001b[2J', self: 3000 },
      { name: '', self: 1000 },
    ],
  };
  loading.rerender(
    <Loading
      state={{ paths: ['callgrind.out.1'], progress: { ...progress, preview }, startedMs: 0, nowMs: 1000 }}
      width={60}
      height={24}
      ascii
    />,
  );
  assert.match(bare(loading.lastFrame()), / self Ir +% +routine.*\n +3,000 +75\.00% +hot\?\[2J *\n +1,000 +25\.00% +\?\?\?/);
  loading.unmount();
  const found = ['a', 'b\u001b[2J'].map((path) => ({ path, format: 'callgrind', bytes: 1024, modifiedMs: 0 }));
  // The list of recent profiles names as many folders as tell them apart.
  const twins = ['/srv/one/app.out', '/srv/two/app.out'].map((path) => ({ ...found[0], path }));
  const recent = render(
    <Chooser state={{ ...newChooserState({ folder: undefined, found: twins }), nowMs: 60_000 }} width={60} height={10} ascii />,
  );
  assert.match(recent.lastFrame() ?? '', /one\/app\.out[\s\S]*two\/app\.out/);
  recent.unmount();
  const chooser = render(
    <Chooser state={{ ...newChooserState({ folder: '.', found }), row: 1, nowMs: 60_000 }} width={60} height={10} ascii />,
  );
  assert.match(bare(chooser.lastFrame()), /Profiles of callgrind in this folder: 2, newest first/);
  assert.match(bare(chooser.lastFrame()), /> +b\?\[2J +1 KiB +1 min ago/);
  chooser.unmount();
  const about = { what: 'build', hook: 'postBuild', steps: 12, durationMs: 1810, failed: true } as const;
  const kept = [{ path: 'build-2026-11-21.json.gz', format: 'cmake', bytes: 1, modifiedMs: 0, about }];
  for (const width of [80, 40]) {
    const list = render(
      <Chooser state={{ ...newChooserState({ folder: '.', found: kept }), nowMs: 60_000 }} width={width} height={10} ascii />,
    );
    assert.match(bare(list.lastFrame()), width < 70 ? />.* failed/ : />.* failed +1\.81s +build +12 +1 min ago/);
    list.unmount();
  }
});

test('kept builds are narrowed by what is shown of them', () => {
  const build = (path: string, failed: boolean) => ({
    ...{ path, format: 'cmake', bytes: 1, modifiedMs: 0 },
    about: { what: 'build', hook: 'postBuild', failed } as const,
  });
  const choice = {
    ...newChooserState({ folder: '.', found: [build('a.json.gz', false), build('b.json.gz', true)] }),
    text: 'failed',
  };
  assert.deepEqual(handleChooserKey(choice, 'enter', ''), { open: 'b.json.gz' });
});

test('the chooser is narrowed by /, opens what matches, and says what a key does not do', () => {
  const found = ['a.out', 'b.prof', 'c.out'].map((path, i) => ({ path, format: 'callgrind', bytes: 1, modifiedMs: i }));
  const press = (...keys: string[]) =>
    keys.reduce<ReturnType<typeof handleChooserKey>>(
      (choice, key) => ('open' in choice ? choice : handleChooserKey(choice, key, key.length === 1 ? key : '')),
      newChooserState({ folder: '.', found }),
    );
  assert.deepEqual(press('/', 'o', 'u', 'q', 'backspace', 'down', 'enter'), { open: 'c.out' });
  assert.deepEqual(press('/', 'z', 'esc', 'G', 'enter'), { open: 'c.out' });
  assert.match(JSON.stringify(press('/', 'z', 'enter')), /No profile matches z; Esc shows all/);
  assert.match(JSON.stringify(press('x')), /x does nothing here; \? lists the keys/);
  assert.match(JSON.stringify(press('?')), /narrow · Esc shows all/);
});

long('chooser and preview fit the terminal, whatever the names and the numbers are', () => {
  const found = Array.from({ length: 50 }, (_, i) => ({
    path: `${'很长e\u0301👨‍👩‍👧'.repeat(i % 9)}${'n'.repeat(i * 7)}\u001b[2J`,
    format: i % 2 ? 'gperftools' : 'cmake',
    bytes: 10 ** (i % 14),
    modifiedMs: 0,
  }));
  const routines = found.map((f, i) => ({ name: f.path, self: 10 ** (i % 15) }));
  for (const event of ['Ir', '%', '0', '__proto__', 'e'.repeat(500)])
    for (const [width, height] of [
      [200, 60],
      [80, 24],
      [40, 10],
    ] as const) {
      const progress = { path: 'x', bytes: 1, size: 2, routines: 1, rows: 1, preview: { event, total: 1e15, routines } };
      for (const screen of [
        <Chooser
          key="c"
          state={{ ...newChooserState({ folder: '.', found }), row: 33, nowMs: 1e12 }}
          width={width}
          height={height}
          ascii={false}
        />,
        <Loading
          key="l"
          state={{ paths: ['x'], progress, startedMs: 0, nowMs: 1 }}
          width={width}
          height={height}
          ascii={false}
        />,
      ]) {
        const { lastFrame, unmount } = render(screen);
        const lines = bare(lastFrame()).split('\n');
        assert.ok(lines.length <= height, `${lines.length} lines of ${height}`);
        for (const line of lines) assert.ok(cellWidth(line) <= width, `${cellWidth(line)} of ${width}: ${line}`);
        if (screen.type === Chooser) assert.equal(lines.filter((l) => l.includes('▶')).length, 1);
        // A number is never cut.
        assert.doesNotMatch(lines.join('\n'), /\d…/);
        unmount();
      }
    }
});

/** Red, green, blue from 0 to 255 of a colour of the 256-colour cube. */
function rgbOf(colour: number): readonly number[] {
  if (colour >= 232) return Array<number>(3).fill(8 + 10 * (colour - 232));
  const levels = [0, 95, 135, 175, 215, 255];
  const at = colour - 16;
  return [levels[Math.floor(at / 36)], levels[Math.floor(at / 6) % 6], levels[at % 6]];
}

/** Contrast as WCAG 2 defines it. */
function contrast(a: readonly number[], b: readonly number[]): number {
  const light = (rgb: readonly number[]) => {
    const [r, g, bl] = rgb.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl;
  };
  const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

test('the contrast that this test computes is that of WCAG 2', () => {
  assert.equal(contrast([0, 0, 0], [255, 255, 255]), 21);
  // Examples of the W3C: #767676 on white is the lightest grey that passes, #777777 does not.
  assert.ok(contrast([0x76, 0x76, 0x76], [255, 255, 255]) >= 4.5);
  assert.ok(contrast([0x77, 0x77, 0x77], [255, 255, 255]) < 4.5);
});

test('every colour of a theme has a contrast of 4.5 on its backgrounds', () => {
  const hex = (text: string) => [1, 3, 5].map((i) => Number.parseInt(text.slice(i, i + 2), 16));
  // White and black; of dark and light, also those of Solarized, One, Ubuntu, VS Code and GNOME.
  const dark = ['#000000', '#002b36', '#282c34', '#300a24', '#1e1e1e'];
  const light = ['#ffffff', '#fdf6e3', '#fafafa'];
  const backgrounds = { either: ['#000000', '#ffffff'], dark, light, 'high-contrast': [], basic: [] };
  for (const [name, palette] of Object.entries(TEXT_PALETTES)) {
    for (const background of backgrounds[name as keyof typeof backgrounds])
      for (const [style, colour] of Object.entries(palette)) {
        const got = contrast(rgbOf(colour), hex(background));
        assert.ok(got >= 4.5, `${name}: ${style} (${colour}) on ${background} has ${got.toFixed(2)}`);
      }
  }
  // Bars are no text. On the beige of Solarized they have 3.5.
  for (const [name, colour] of Object.entries(BAR_COLOURS))
    for (const background of backgrounds[name as keyof typeof backgrounds])
      assert.ok(contrast(rgbOf(colour), hex(background)) >= 3, `${name}: bars on ${background}`);
});

test('on an unknown background, heat and differences bring their own, without the blanks around the text', () => {
  const theme = { palette: 'either' } as const;
  assert.equal(styledLine({ spans: [['  21.99% ', 'hot']] }, theme), '  \u001b[1;38;5;16;48;5;208m21.99%\u001b[0m ');
  assert.equal(styledLine({ spans: [['  ', 'warm']] }, theme), '  ');
  for (const [style, background] of Object.entries(CHIPS)) {
    assert.ok(contrast([0, 0, 0], rgbOf(background)) >= 4.5, style);
    assert.doesNotMatch(styledLine({ spans: [['x', style as 'hot']] }, { palette: 'dark' }), /48;5/, 'a known one needs none');
  }
  assert.equal(new Set([CHIPS.hot, CHIPS.warm, CHIPS.less]).size, 3);
});

test('text on every fill has a contrast of 4.5, or 7, and heat, less and more have a colour for each step', () => {
  for (const palette of ['either', 'dark', 'light', 'high-contrast'] as const) {
    const least = palette === 'high-contrast' ? 7 : 4.5;
    for (const fill of FILLS) {
      const code = /38;5;(\d+);48;5;(\d+)$/.exec(fillCode(fill, palette));
      assert.ok(code, `${palette}: ${fill}`);
      const [text, background] = [Number(code[1]), Number(code[2])];
      // Black or white of the cube, which terminals do not redefine.
      assert.ok(text === 16 || text === 231);
      const got = contrast(rgbOf(text), rgbOf(background));
      assert.ok(got >= least, `${palette}: ${fill} (${text} on ${background}) has ${got.toFixed(2)}`);
      assert.ok(got >= contrast(rgbOf(text === 16 ? 231 : 16), rgbOf(background)), `${palette}: ${fill} has the other text`);
    }
  }
  for (const palette of ['either', 'dark', 'light', 'high-contrast', 'basic'] as const)
    for (const steps of [HEAT_FILLS, [...LESS_FILLS, 'same' as const, ...MORE_FILLS], AREA_FILLS])
      assert.equal(new Set(steps.map((fill) => fillCode(fill, palette))).size, steps.length, `${palette}: ${steps.join()}`);
});

test('with 16 colours, fills are black on green, yellow, cyan or white, and all other text has the default colours', () => {
  for (const fill of FILLS) assert.match(fillCode(fill, 'basic'), /^(4;)?30;4[2367]$/);
  const basic = { palette: 'basic' } as const;
  const styles = ['plain', 'dim', 'accent', 'hot', 'warm', 'match', 'error'] as const;
  for (const style of styles) assert.doesNotMatch(styledLine({ spans: [['x', style]] }, basic), /[[;][34]\d/);
  // Bold makes grey of black on some terminals.
  assert.equal(styledLine({ spans: [['x', 'heat4', true]] }, basic), '\u001b[7;30;43mx\u001b[0m');
  assert.equal(styledLine({ spans: [['x', 'heat4', true]] }, { palette: undefined }), '\u001b[7;1mx\u001b[0m');
  assert.equal(styledLine({ spans: [['x', 'heat4', true]] }, { palette: 'dark' }), '\u001b[7;1;38;5;16;48;5;208mx\u001b[0m');
});

test('a share has one of five steps, a difference one of three on each side', () => {
  const shares = [0, 0.0099, 0.01, 0.0499, 0.05, 0.1499, 0.15, 0.2999, 0.3, 1];
  assert.deepEqual(
    shares.map(heatFill),
    [1, 1, 2, 2, 3, 3, 4, 4, 5, 5].map((step) => `heat${step}`),
  );
  const changes = [-0.1, -0.01, -0.001, -0.0009, 0, 0.0009, 0.001, 0.01, 0.1];
  assert.deepEqual(changes.map(changeFill), ['less3', 'less2', 'less1', 'same', 'same', 'same', 'more1', 'more2', 'more3']);
});

test('styles: colours of the theme, none without one, and never those that terminals redefine', () => {
  const line = {
    spans: [
      ['12', 'hot', true],
      ['x', 'dim', true],
      ['y', 'dim'],
      ['z', 'call'],
    ],
    cursor: true,
  } as const;
  assert.equal(
    styledLine(line, { palette: 'either' }),
    '\u001b[7;1m12\u001b[0m\u001b[7mx\u001b[0m\u001b[38;5;243my\u001b[0m\u001b[38;5;29mz\u001b[0m',
  );
  assert.equal(styledLine(line, { palette: undefined }), '\u001b[7;1m12\u001b[0m\u001b[7mx\u001b[0m\u001b[2my\u001b[0mz');
});

test('the theme: of the flag, of the background where the terminal names it, and no colours where nothing is known of them', () => {
  const of = (theme: 'auto' | 'dark' | 'light' | 'none', colours = 256, env: NodeJS.ProcessEnv = {}, color = true) =>
    chooseTheme({ theme, color }, colours, env).palette;
  assert.deepEqual([of('dark'), of('light'), of('none'), of('auto')], ['dark', 'light', undefined, 'either']);
  assert.equal(of('auto', 256, { COLORFGBG: '0;15' }), 'light');
  assert.equal(of('auto', 256, { COLORFGBG: '15;default;0' }), 'dark');
  assert.equal(of('auto', 256, { COLORFGBG: 'default;default' }), 'either');
  assert.deepEqual([of('auto', 2), of('auto', 8), of('auto', 16), of('dark', 16)], [undefined, 'basic', 'basic', 'basic']);
  assert.equal(of('auto', 16, {}, false), undefined);
  assert.equal(of('auto', 16, { FORCE_COLOR: '1' }), 'either');
  assert.equal(of('dark', 256, {}, false), undefined);
});

test('the theme: of the background that the terminal names when it is asked, if its colours can be read there', () => {
  const of = (reply: string, theme: 'auto' | 'dark' = 'auto', env: NodeJS.ProcessEnv = {}, colours = 256) =>
    chooseTheme({ theme, color: true }, colours, env, reply).palette;
  assert.equal(of('11;rgb:0000/2b2b/3636'), 'dark');
  assert.equal(of('11;rgb:fd/f6/e3'), 'light');
  assert.equal(of('11;rgb:0/0/0'), 'dark');
  assert.equal(of('11;rgba:ffff/ffff/ffff/ffff'), 'light');
  // On this grey, neither palette has a contrast of 4.5.
  assert.equal(of('11;rgb:8080/8080/8080'), 'either');
  assert.equal(of('10;rgb:0/0/0'), 'either');
  assert.equal(of('11;rgb:ffff/ffff/ffff', 'dark'), 'dark');
  assert.equal(of('11;rgb:ffff/ffff/ffff', 'auto', { COLORFGBG: '15;0' }), 'light');
  assert.equal(of('11;rgb:0/0/0', 'auto', {}, 16), 'basic');
  const asks = (theme: 'auto' | 'light', env: NodeJS.ProcessEnv = {}, colours = 256) =>
    needsBackground({ theme, color: true }, chooseTheme({ theme, color: true }, colours, env), XTERM);
  assert.deepEqual(
    [asks('auto'), asks('light'), asks('auto', { COLORFGBG: '0;15' }), asks('auto', {}, 16), asks('auto', {}, 2)],
    [true, false, false, false, false],
  );
});

test('high contrast: no text is dim or has a colour', () => {
  const theme = { palette: 'high-contrast' } as const;
  for (const style of ['plain', 'dim', 'warm', 'comment', 'bar'] as const)
    assert.equal(styledLine({ spans: [['x', style]] }, theme), 'x', style);
  for (const style of ['hot', 'accent', 'more'] as const)
    assert.equal(styledLine({ spans: [['x', style]] }, theme), '\u001b[1mx\u001b[0m');
});

test('key names', () => {
  const named = [
    [keyName('j', { name: 'j', sequence: 'j' }), 'j'],
    [keyName('G', { name: 'g', sequence: 'G', shift: true }), 'G'],
    [keyName(undefined, { name: 'down', sequence: '\u001b[B' }), 'down'],
    [keyName('\u0004', { name: 'd', ctrl: true }), 'ctrl-d'],
    [keyName('\r', { name: 'return' }), 'enter'],
    [keyName(' ', { name: 'space' }), 'space'],
    [keyName('\t', { name: 'tab', shift: true }), 'shift-tab'],
    [keyName('%', { sequence: '%' }), '%'],
    [keyName(undefined, { name: 'f1' }), 'f1'],
    [keyName('é', { sequence: 'é' }), 'é'],
    [keyName('x', { name: 'x', meta: true }), undefined],
  ];
  for (const [got, wanted] of named) assert.equal(got, wanted);
});
