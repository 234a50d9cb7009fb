// Other programs: the clipboard and the editor.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgsStringToArgv } from 'string-argv';
import { findProgram } from '../io/programs.ts';
import { capabilitiesOf } from './capabilities.ts';

// Copying text to the clipboard: inside tmux through tmux, inside GNU screen wrapped for the terminal outside, else with OSC 52, which
// not all terminals support.

/**
 * Returns where the text was copied to, as shown in the message. By default, tmux ignores OSC 52 from programs, but `load-buffer -w` passes
 * text to the terminal. tmux before 3.2 has no -w: then the text is only in the buffer of tmux.
 */
export async function copyText(text: string, send: (sequence: string) => void, env: NodeJS.ProcessEnv): Promise<string> {
  if (capabilitiesOf(env['TERM'])?.readsStrings === false) return 'this terminal has no clipboard';
  if (env['TMUX']) {
    if (await loadTmuxBuffer(['-w', '-'], text)) return 'copied';
    if (await loadTmuxBuffer(['-'], text)) return 'copied to the buffer of tmux';
  }
  const sequence = `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`;
  if (env['STY']) {
    // GNU screen passes the contents of device control strings on, if each is short.
    send(sequence.replace(/[\s\S]{1,200}/g, '\u001bP$&\u001b\\'));
    return 'sent through screen to the terminal';
  }
  send(sequence);
  return 'sent to the terminal';
}

const TMUX_TIMEOUT_MS = 2000;

/** Passes text to the buffer of tmux; true if tmux accepted it. */
function loadTmuxBuffer(args: readonly string[], text: string): Promise<boolean> {
  const program = findProgram('tmux');
  if (program === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const tmux = spawn(program, ['load-buffer', ...args], { stdio: ['pipe', 'ignore', 'ignore'], timeout: TMUX_TIMEOUT_MS });
    tmux.on('error', () => resolve(false));
    tmux.on('close', (code) => resolve(code === 0));
    // tmux may exit before it reads the text; the resulting write error is ignored.
    tmux.stdin.on('error', () => {});
    tmux.stdin.end(text);
  });
}

// Opening the user's editor at a line of a file.

/** Command-line arguments for a file and line, by editor. Absolute paths cannot be mistaken for options. */
const EDITOR_ARGS: readonly { readonly editors: RegExp; readonly args: (path: string, line: number) => readonly string[] }[] = [
  { editors: /^(?:code|code-insiders|codium|vscodium|cursor)$/, args: (path, line) => ['--goto', `${path}:${line}`] },
  { editors: /^(?:subl|zed|hx|helix|micro)$/, args: (path, line) => [`${path}:${line}`] },
  { editors: /^(?:[gm]?vim?|nvim|view|vimdiff|nano|pico|ex)$/, args: (path, line) => [`+${line}`, '--', path] },
  {
    editors: /^(?:idea|clion|goland|pycharm|webstorm|rustrover|rider)(?:\.sh|64)?$/,
    args: (path, line) => ['--line', `${line}`, path],
  },
];

/** The editor program and its arguments; undefined if `command` ($EDITOR) is empty. Quotes work as in a shell. */
export function editorCommand(command: string, file: string, line: number) {
  const [program, ...args] = parseArgsStringToArgv(command);
  if (program === undefined || program === '') return undefined;
  const name = program.slice(program.lastIndexOf('/') + 1);
  // Relative folders in PATH are not searched.
  const found = program.includes('/') ? program : findProgram(program);
  const path = resolve(file);
  const fileArgs = EDITOR_ARGS.find(({ editors }) => editors.test(name))?.args(path, line) ?? [`+${line}`, path];
  return { program: found ?? program, found: found !== undefined, args: [...args, ...fileArgs] };
}
