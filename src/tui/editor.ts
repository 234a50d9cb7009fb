// The command line of the user's editor, at a line of a file.
import { resolve } from 'node:path';
import { parseArgsStringToArgv } from 'string-argv';
import { findProgram } from '../io/programs.ts';

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
