// The message about an internal error: one line with the error, one with instructions for a report. The stack only with --debug.
import { arch, platform, release } from 'node:os';
import { quoteWord, type SafeText, safeLines, visible } from '../base/safe-text.ts';
import { versionText } from './version.ts';

const ISSUES = 'https://github.com/proftui/proftui/issues';
/** Maximum length of an error message, which may contain a whole file. */
const MAX_MESSAGE_LENGTH = 300;

/** The message about an internal error, for standard error. */
export function crashText(error: unknown, argv: readonly string[], version: string): SafeText {
  const message = error instanceof Error && error.message !== '' ? error.message : String(error);
  const line = message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)} ...` : message;
  const firstLine = `proftui: an error in the program itself: ${visible(line.replace(/\s+/g, ' '))}\n`;
  const end = argv.indexOf('--');
  if (argv.slice(0, end < 0 ? undefined : end).includes('--debug')) {
    const details = [...stackLines(error), ...systemLines(version)].map((text) => `\n  ${text}`);
    return safeLines(`${firstLine}proftui: please report it at ${ISSUES} with these lines:${details.join('')}`);
  }
  const words = argv.map(quoteWord);
  const command = words.every((w) => w !== undefined)
    ? `proftui --debug ${words.join(' ')}`.trimEnd()
    : 'proftui --debug and the same arguments';
  return safeLines(`${firstLine}proftui ${version}: please report it at ${ISSUES} with the output of: ${command}`);
}

/** Versions, terminal and locale. No other variables of the environment, and no paths. */
export function systemLines(version: string): string[] {
  const { columns = '?', rows = '?' } = [process.stdout, process.stderr].find((s) => s.isTTY) ?? {};
  const { TERM = '', COLORTERM = '', LC_ALL, LC_CTYPE, LANG = '' } = process.env;
  return [
    `${versionText(version, false)}, ${platform()} ${release()}, ${arch()}`,
    `TERM=${visible(TERM)}, COLORTERM=${visible(COLORTERM)}, ${columns}x${rows}, locale ${visible(LC_ALL || LC_CTYPE || LANG)}`,
  ];
}

/** The calls of a stack, one line each; file names without their folders. */
function stackLines(error: unknown): string[] {
  const stack = (error instanceof Error && error.stack) || '';
  const calls = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return calls.map((line) => visible(stripFolders(line.trim())));
}

/** Shortens `at f (file:///opt/proftui/dist/main.js:1:2)` to `at f (main.js:1:2)`; keeps `node:` files. */
function stripFolders(call: string): string {
  const slash = call.lastIndexOf('/');
  const path = Math.max(call.lastIndexOf('(', slash), call.lastIndexOf(' ', slash)) + 1;
  return slash < 0 || call.startsWith('node:', path) ? call : call.slice(0, path) + call.slice(slash + 1);
}
