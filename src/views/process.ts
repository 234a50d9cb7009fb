// Process: everything that is known of the process under the cursor: its command, its folder, what it compiles, and what its
// environment differs in.
import { compilesOf, processAt } from '../analysis/processes.ts';
import { formatCount } from '../base/units.ts';
import { stringAt } from '../model/strings.ts';
import { detailView, type Say } from './parts/detail-view.ts';
import type { ViewContext } from './view.ts';

/** The command as it was given; the program where it has no arguments. */
export function commandText(c: ViewContext, i: number): string {
  const { args, executable } = processAt(c.analysis.profile, i);
  return args.length > 0 ? args.join(' ') : executable;
}

const compilesAt = (c: ViewContext, i: number) => compilesOf(c.analysis).list.filter((x) => x.process === i);

function sayProcess(i: number, c: ViewContext, say: Say): void {
  const { profile } = c.analysis;
  const p = profile.processes!;
  const id = (k: number) => stringAt(profile.strings, p.id[k]);
  const { executable, directory, args, env } = processAt(profile, i);
  say('id', id(i) || '?');
  const parent = p.parent[i];
  say('parent', parent < 0 ? 'none in the file' : `${id(parent)}  ${commandText(c, parent).slice(0, 200)}`);
  say('program', executable);
  say('folder', directory ?? '?');
  for (const { file, language } of compilesAt(c, i)) say('compiles', language === null ? file : `${file}  (${language})`, 'hot');
  // One argument a row: blanks inside of one are told from those between.
  args.forEach((a, k) => {
    say(k === 0 ? `${formatCount(args.length)} args` : `  ${k}`, a === '' ? '""' : a);
  });
  if (env.length === 0) say('env', 'no difference is written', 'dim');
  for (const [name, value] of env)
    if (value === null) say('env', `- ${name} (removed)`, 'warm');
    else say('env', `  ${name}=${value}`);
  say('line', formatCount(profile.processes!.line[i]), 'dim');
}

export const process = detailView({
  id: 'process',
  title: 'Process',
  digit: '9',
  requires: ['processes'],
  report: 'processes',
  none: 'no process is chosen: Processes (3) has them',
  count: (c) => c.analysis.profile.processes!.id.length,
  name: (i, c) => commandText(c, i),
  say: sayProcess,
  file: (i, c) => compilesAt(c, i)[0]?.file ?? null,
});
