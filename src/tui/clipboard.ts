// Copies text to the clipboard: through tmux where it runs inside tmux, else by a sequence that the terminal may or may not act on.
import { spawn } from 'node:child_process';
import { findProgram } from '../io/programs.ts';

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
