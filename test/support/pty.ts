// The real program in a real pseudo-terminal, its output in a headless emulator. Waits for text, never for time.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pty from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { ROOT } from './fixtures.ts';

const PATIENCE_MS = 15_000;
/** What the program remembers of these sessions is not the user's. */
const XDG_STATE_HOME = mkdtempSync(join(tmpdir(), 'proftui-state-'));

const children = new Set<{ kill(signal: string): void }>();

/** Ends what a failed test left running: a child keeps the test runner from ending. */
export function endAll(): void {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
}

export interface Session {
  readonly pid: number;
  /** All bytes that the program has written. */
  readonly output: () => string;
  readonly screen: () => string;
  send(text: string): void;
  resize(cols: number, rows: number): void;
  kill(signal: string): void;
  /** A link that takes nothing until it is told to go on. */
  stall(): void;
  goOn(): void;
  /** Resolves when the screen matches; rejects with the screen after half a minute. */
  until(pattern: RegExp): Promise<string>;
  /** The same for all that was written. */
  untilOutput(pattern: RegExp): Promise<string>;
  /** Closes the terminal, as a window or a connection does; the first process gets SIGHUP. */
  hangUp(): void;
  readonly exited: Promise<{ exitCode: number; signal: number | undefined }>;
  /** Alternate screen or main, and whether the cursor is shown. */
  readonly modes: () => { alternate: boolean; cursorHidden: boolean };
}

export function openPty(
  args: readonly string[],
  options: {
    cols?: number;
    rows?: number;
    env?: Record<string, string>;
    node?: string;
    program?: string;
    cwd?: string;
    silent?: boolean;
  } = {},
): Session {
  const cols = options.cols ?? 80;
  const rows = options.rows ?? 24;
  const env: Record<string, string> = {
    ...(process.env as Record<string, string>),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    XDG_STATE_HOME,
    ...options.env,
  };
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'NODE_OPTIONS']) if (!(options.env && name in options.env)) delete env[name];
  const program = options.program ?? join(ROOT, 'bin/proftui.js');
  // The program in one file, with nothing on the PATH (scripts/sea.mjs).
  const { PROFTUI_TEST_EXECUTABLE: alone } = process.env;
  const isAlone = alone !== undefined && options.program === undefined && options.node === undefined;
  if (isAlone) env['PATH'] = options.env?.['PATH'] ?? '';
  const command = isAlone ? [alone] : [options.node ?? process.execPath, program];
  const child = pty.spawn(command[0], [...command.slice(1), ...args], { cols, rows, cwd: options.cwd ?? ROOT, env });
  children.add(child);
  const terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true });
  let output = '';
  let written = 0;
  const waiting = new Set<() => void>();
  child.onData((data) => {
    output += data;
    terminal.write(data, () => {
      written += data.length;
      for (const check of [...waiting]) check();
    });
  });
  // The answers of a terminal to questions.
  if (!options.silent) terminal.onData((reply) => child.write(reply));
  const screen = () => {
    const { active } = terminal.buffer;
    return Array.from({ length: terminal.rows }, (_, y) => active.getLine(active.baseY + y)?.translateToString(true) ?? '').join(
      '\n',
    );
  };
  const wait = (pattern: RegExp, text: () => string) =>
    new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(check);
        reject(new Error(`waited for ${pattern}; the screen is\n${screen()}`));
      }, PATIENCE_MS);
      const check = () => {
        if (!pattern.test(text())) return;
        clearTimeout(timer);
        waiting.delete(check);
        resolve(screen());
      };
      waiting.add(check);
      check();
    });
  const exited = new Promise<{ exitCode: number; signal: number | undefined }>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      children.delete(child);
      // What was written last may still be on its way through the emulator.
      const done = () => (written >= output.length ? resolve({ exitCode, signal }) : setTimeout(done, 5));
      setTimeout(done, 20);
    });
  });
  return {
    pid: child.pid,
    output: () => output,
    screen,
    send: (text) => child.write(text),
    resize(c, r) {
      terminal.resize(c, r);
      child.resize(c, r);
    },
    kill: (signal) => child.kill(signal),
    stall: () => child.pause(),
    goOn: () => child.resume(),
    until: (pattern) => wait(pattern, screen),
    untilOutput: (pattern) => wait(pattern, () => output),
    hangUp() {
      // The type of the module leaves it out.
      if ('destroy' in child && typeof child.destroy === 'function') child.destroy();
    },
    exited,
    modes: () => ({
      alternate: terminal.buffer.active.type === 'alternate',
      cursorHidden: output.lastIndexOf('\u001b[?25l') > output.lastIndexOf('\u001b[?25h'),
    }),
  };
}
