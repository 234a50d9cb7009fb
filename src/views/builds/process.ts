// Process: everything known about the process under the cursor: its command, its folder, what it compiles, and how its
// environment differs.
import { compilesOf, processAt } from '../../analysis/answers/processes/processes.ts';
import { formatCount } from '../../base/units.ts';
import { commandText } from '../../columns/builds/processes.ts';
import { stringAt } from '../../model/strings.ts';
import { type AddField, detailView } from '../parts/detail-view.ts';
import type { ViewContext } from '../view.ts';

const compilesAt = (c: ViewContext<'processes'>, i: number) => compilesOf(c.analysis).list.filter((x) => x.process === i);

function addProcessFields(i: number, c: ViewContext<'processes'>, addField: AddField): void {
  const { profile } = c.analysis;
  const p = profile.processes;
  const id = (k: number) => stringAt(profile.strings, p.id[k]);
  const { executable, directory, args, env } = processAt(profile, i);
  addField('id', id(i) || '?');
  const parent = p.parent[i];
  const parentText = parent < 0 ? 'none in the file' : `${id(parent)}  ${commandText(processAt(profile, parent)).slice(0, 200)}`;
  addField('parent', parentText, 'plain', parent < 0 ? undefined : parent);
  addField('program', executable);
  addField('folder', directory ?? '?');
  for (const { file, language } of compilesAt(c, i))
    addField('compiles', language === null ? file : `${file}  (${language})`, 'hot');
  // Each argument has its own row, so that blanks in arguments do not look like separators.
  args.forEach((a, k) => {
    addField(k === 0 ? `${formatCount(args.length)} args` : `  ${k}`, a === '' ? '""' : a);
  });
  if (env.length === 0) addField('env', 'no difference is written', 'dim');
  for (const [name, value] of env)
    if (value === null) addField('env', `- ${name} (removed)`, 'warm');
    else addField('env', `  ${name}=${value}`);
  addField('line', formatCount(profile.processes.line[i]), 'dim');
}

export const processView = detailView({
  id: 'process',
  title: 'Process',
  partOf: 'processes',
  kind: 'processes',
  none: 'no process is chosen: choose one in Processes',
  count: (c) => c.analysis.profile.processes.id.length,
  name: (i, c) => commandText(processAt(c.analysis.profile, i)),
  say: addProcessFields,
  file: (i, c) => compilesAt(c, i)[0]?.file ?? null,
});
