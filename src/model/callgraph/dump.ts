// Lines, calls and jumps as text.
import { exactValue } from '../event-value.ts';
import type { Head } from '../head.ts';
import type { CallGraph, LineTables } from './tables.ts';

export function* dumpLines(profile: Head & LineTables, name: (string: number | undefined) => string): Generator<string> {
  const { spans, lines, files } = profile;
  const recorded = profile.events.filter((e) => !e.formula);
  for (let s = 0; s < spans.routine.length; s++) {
    yield `span ${s} routine ${spans.routine[s]} file ${name(files.name[spans.file[s]])} part ${spans.part[s]} high ${spans.high[s]}`;
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) {
      const at = lines.address ? `@${lines.address[i].toString(16)} ` : '';
      yield `  line ${at}${lines.line[i]} ${recorded.map((e) => exactValue(e, lines.costs, i)).join(' ')}`;
    }
  }
}

export function* dumpCallGraph(profile: Head & CallGraph, name: (string: number | undefined) => string): Generator<string> {
  const { calls, jumps } = profile;
  const recorded = profile.events.filter((e) => !e.formula);
  yield* dumpLines(profile, name);
  if (calls)
    for (let i = 0; i < calls.span.length; i++) {
      const at = calls.address ? `@${calls.address[i].toString(16)} ` : '';
      const cost = recorded.map((e) => exactValue(e, calls.costs, i)).join(' ');
      yield `call span ${calls.span[i]} ${at}line ${calls.line[i]} -> ${calls.callee[i]} count ${calls.count[i]} ${cost}`;
    }
  if (jumps)
    for (let i = 0; i < jumps.span.length; i++) {
      const to = jumps.targetAddress ? ` @${jumps.targetAddress[i].toString(16)}` : '';
      yield `jump span ${jumps.span[i]} line ${jumps.line[i]} -> ${jumps.targetFile[i]}:${jumps.targetLine[i]}${to} ${jumps.taken[i]}/${jumps.executed[i]}`;
    }
}
