// The commands of ninja's steps: a log has only their hashes, so a rule of build.ninja is expanded, and the command is taken if its hash is the
// logged one. Expansion: https://ninja-build.org/manual.html, "Evaluation and scoping".

import { commandHash } from '../shared/command-hash.ts';
import { absoluteFrom, type BuildEdge, expandText, parseBuildLine } from './ninja-file.ts';

/** Maximum number of variables in a command: rules may name each other in circles. */
const MAX_LOOKUPS = 1000;
const ENCODER = new TextEncoder();

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
  let lookups = 0;
  const resolve = (name: string): string => {
    if (++lookups > MAX_LOOKUPS) return '';
    const raw = rule?.get(name);
    return own.get(name) ?? (raw === undefined ? edge.scope.valueOf(name) : expandText(raw, resolve));
  };
  const command = resolve('command');
  const content = resolve('rspfile_content');
  return [command, content === '' ? command : `${command};rspfile=${content}`];
}

/** The command of an edge, if it is the one with this hash in a log of this version; else undefined. */
export function loggedCommand(edge: BuildEdge, high: number, low: number, version: number): string | undefined {
  const [command, hashed] = expandCommand(edge);
  const [ownHigh, ownLow] = commandHash(ENCODER.encode(hashed), version);
  return command !== '' && ownHigh === high && ownLow === low ? command : undefined;
}
