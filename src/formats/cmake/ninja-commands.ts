// The commands of ninja's steps: a log has only their hashes, so a rule of build.ninja is expanded, and the command is taken if its hash is the
// logged one. Expansion: https://ninja-build.org/manual.html, "Evaluation and scoping".

import { commandHash } from '../shared/command-hash.ts';
import { absoluteFrom, type BuildEdge, expandText, parseBuildLine } from './ninja-file.ts';

/** Limit of the text from variables in a command, each of which counts as 8000 characters more: rules may name themselves. */
const MAX_EXPANSION = 1 << 23;
const VARIABLE_SIZE = 8000;

/** ninja quotes paths with other characters than these for the shell. */
const quoteForShell = (path: string): string => (/^[\w+./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** The command that the edge runs now, and the text that ninja hashes: it includes the content of the response file. */
function expandCommand(edge: BuildEdge): readonly [command: string, hashed: string] {
  const [outputs, [, ...inputs], , [explicitOutputs, explicitWords]] = parseBuildLine(edge.statement, edge.scope);
  const paths = (list: readonly string[], end: number) => list.slice(0, end).map((path) => quoteForShell(absoluteFrom('', path)));
  const sources = paths(inputs, explicitWords - 1);
  const own = new Map(edge.bindings)
    .set('in', sources.join(' '))
    .set('in_newline', sources.join('\n'))
    .set('out', paths(outputs, explicitOutputs).join(' '));
  const rule = edge.scope.ruleOf(edge.rule);
  let expanded = 0;
  const resolve = (name: string): string => {
    const raw = rule?.get(name);
    const value = own.get(name) ?? raw ?? edge.scope.valueOf(name);
    expanded += VARIABLE_SIZE + value.length;
    if (expanded > MAX_EXPANSION) return '';
    return raw !== undefined && !own.has(name) ? expandText(raw, resolve) : value;
  };
  const command = resolve('command');
  const content = resolve('rspfile_content');
  return [command, content === '' ? command : `${command};rspfile=${content}`];
}

/** The command of an edge, if it is the one with this hash in a log of this version; else undefined. */
export function loggedCommand(edge: BuildEdge, high: number, low: number, version: number): string | undefined {
  const [command, hashed] = expandCommand(edge);
  const [ownHigh, ownLow] = commandHash(Buffer.from(hashed), version);
  return command !== '' && ownHigh === high && ownLow === low ? command : undefined;
}
