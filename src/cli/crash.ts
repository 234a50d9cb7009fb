// The message about an error in the program itself: its kind in one line, and in a second one how to make a report. No stack, unless
// --debug asks for it.
import { arch, platform } from 'node:os';
import { quoteWord } from '../base/quote.ts';
import { type SafeText, safeLines, visible } from '../base/safe-text.ts';

/** Characters of a message that are shown: it may hold a whole file. */
const LONGEST = 300;

/** The lines for standard error. */
export function crashText(error: unknown, argv: readonly string[], version: string): SafeText {
  const message = error instanceof Error && error.message !== '' ? error.message : String(error);
  const line = message.length > LONGEST ? `${message.slice(0, LONGEST)} ...` : message;
  const what = `proftui: an error in the program itself: ${visible(line.replace(/\s+/g, ' '))}\n`;
  if (isDebug(argv)) return safeLines(`${what}proftui: please report it with these lines:\n${detailsOf(error, version)}`);
  const words = argv.map(quoteWord);
  const command = words.every((w) => w !== undefined)
    ? `proftui --debug ${words.join(' ')}`.trimEnd()
    : 'proftui --debug and the same arguments';
  return safeLines(`${what}proftui: please report it with the output of: ${command}`);
}

function isDebug(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--debug');
}

/** The stack and what the program runs on: nothing of the environment, and no path but the arguments'. */
function detailsOf(error: unknown, version: string): string {
  const { columns = '?', rows = '?' } = [process.stdout, process.stderr].find((s) => s.isTTY) ?? {};
  const runs = `proftui ${version}, Node ${process.versions.node}, ${platform()} ${arch()}`;
  const terminal = `TERM=${visible(process.env['TERM'] ?? '')}, ${columns}x${rows}`;
  return [...stackOf(error), `${runs}, ${terminal}`].map((line) => `  ${line}`).join('\n');
}

/** The calls of a stack, a line each, with files named without their folders. */
function stackOf(error: unknown): string[] {
  const stack = (error instanceof Error && error.stack) || '';
  const calls = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return calls.map((line) => visible(withoutFolders(line.trim())));
}

/** `at f (file:///opt/proftui/dist/main.js:1:2)` is `at f (main.js:1:2)`; files of Node itself stay as they are. */
function withoutFolders(call: string): string {
  const slash = call.lastIndexOf('/');
  const path = Math.max(call.lastIndexOf('(', slash), call.lastIndexOf(' ', slash)) + 1;
  return slash < 0 || call.startsWith('node:', path) ? call : call.slice(0, path) + call.slice(slash + 1);
}
