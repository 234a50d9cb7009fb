// Programs outside: the clipboard and the editor.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgsStringToArgv } from 'string-argv';
import { findProgram } from '../io/programs.ts';

// Copies text to the clipboard: through tmux where it runs inside tmux, else by a sequence that the terminal may or may not act on.

/** The result of a copy, for its message. */
export type Copied = 'copied' | 'copied to the buffer of tmux' | 'sent to the terminal';

/**
 * tmux with its default settings takes no OSC 52 of a program, but passes on what it is given with -w. Before 3.2, it did not know -w:
 * then the text is in its buffer alone.
 */
export async function copyText(text: string, send: (sequence: string) => void, env: NodeJS.ProcessEnv): Promise<Copied> {
  if (env['TMUX']) {
    if (await loadBuffer(['-w', '-'], text)) return 'copied';
    if (await loadBuffer(['-'], text)) return 'copied to the buffer of tmux';
  }
  send(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  return 'sent to the terminal';
}

const PATIENCE_MS = 2000;

/** True if tmux took it. */
function loadBuffer(args: readonly string[], text: string): Promise<boolean> {
  const program = findProgram('tmux');
  if (program === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const tmux = spawn(program, ['load-buffer', ...args], { stdio: ['pipe', 'ignore', 'ignore'], timeout: PATIENCE_MS });
    tmux.on('error', () => resolve(false));
    tmux.on('close', (code) => resolve(code === 0));
    // It may have ended before it read anything.
    tmux.stdin.on('error', () => {});
    tmux.stdin.end(text);
  });
}

// The command line of the user's editor, at a line of a file.

/** How editors are told the line. Paths are absolute, so none is taken for an option; `--` says so where the editor knows it. */
const PLACES: readonly { readonly editors: RegExp; readonly args: (path: string, line: number) => readonly string[] }[] = [
  { editors: /^(?:code|code-insiders|codium|vscodium|cursor)$/, args: (path, line) => ['--goto', `${path}:${line}`] },
  { editors: /^(?:subl|zed|hx|helix|micro)$/, args: (path, line) => [`${path}:${line}`] },
  { editors: /^(?:[gm]?vim?|nvim|view|vimdiff|nano|pico|ex)$/, args: (path, line) => [`+${line}`, '--', path] },
  {
    editors: /^(?:idea|clion|goland|pycharm|webstorm|rustrover|rider)(?:\.sh|64)?$/,
    args: (path, line) => ['--line', `${line}`, path],
  },
];

/** The program and its arguments; undefined where `command` ($EDITOR) names none. Quotes in it count as in a shell. */
export function editorCommand(
  command: string,
  file: string,
  line: number,
): { readonly program: string; readonly found: boolean; readonly args: readonly string[] } | undefined {
  const [program, ...args] = parseArgsStringToArgv(command);
  if (program === undefined || program === '') return undefined;
  const name = program.slice(program.lastIndexOf('/') + 1);
  // As every program: not from a folder of PATH that is relative.
  const found = program.includes('/') ? program : findProgram(program);
  const path = resolve(file);
  const place = PLACES.find(({ editors }) => editors.test(name))?.args(path, line) ?? [`+${line}`, path];
  return { program: found ?? program, found: found !== undefined, args: [...args, ...place] };
}
