// The profile as text, the same for the same profile however its bytes arrived. For tests that compare loads.
import { formatAddress } from '../base/units.ts';
import { exactValue } from './event-value.ts';
import { INPUT_FIELDS } from './inputs.ts';
import type { Profile } from './profile.ts';
import { stringAt } from './strings.ts';

/** One line a row, in the order of the tables. */
export function* dumpProfile(profile: Profile): Generator<string> {
  const { strings, routines, files, objects, spans, lines, calls, jumps, events } = profile;
  const name = (id: number | undefined) => (id === undefined || id < 0 ? '-' : JSON.stringify(stringAt(strings, id)));
  const recorded = events.filter((e) => !e.formula);
  yield `format ${profile.format}`;
  yield `command ${JSON.stringify(profile.command)}`;
  for (const e of events)
    yield `event ${e.name}${e.formula ? ` = ${e.formula}` : ''}${e.longName ? ` : ${e.longName}` : ''} [${e.unit}]`;
  for (const p of profile.parts) {
    const list = (v: readonly (number | bigint)[] | null) => (v ? v.join(' ') : '-');
    yield `part ${p.part ?? '-'} thread ${p.thread ?? '-'} pid ${p.pid ?? '-'} summary ${list(p.summary)} totals ${list(p.totals)}`;
  }
  for (let r = 0; r < routines.name.length; r++) {
    yield `routine ${r} ${name(routines.name[r])} file ${name(files.name[routines.file[r]])} object ${name(objects.name[routines.object[r]])}`;
  }
  if (spans && lines) {
    for (let s = 0; s < spans.routine.length; s++) {
      yield `span ${s} routine ${spans.routine[s]} file ${name(files.name[spans.file[s]])} part ${spans.part[s]} high ${spans.high[s]}`;
      for (let i = spans.start[s]; i < spans.start[s + 1]; i++) {
        const at = lines.address ? `@${lines.address[i].toString(16)} ` : '';
        yield `  line ${at}${lines.line[i]} ${recorded.map((e) => exactValue(e, lines.costs, i)).join(' ')}`;
      }
    }
  }
  for (let i = 0; i < (calls?.span.length ?? 0); i++) {
    const at = calls!.address ? `@${calls!.address[i].toString(16)} ` : '';
    const cost = recorded.map((e) => exactValue(e, calls!.costs, i)).join(' ');
    yield `call span ${calls!.span[i]} ${at}line ${calls!.line[i]} -> ${calls!.callee[i]} count ${calls!.count[i]} ${cost}`;
  }
  for (let i = 0; i < (jumps?.span.length ?? 0); i++) {
    const j = jumps!;
    yield `jump span ${j.span[i]} line ${j.line[i]} -> ${j.targetFile[i]}:${j.targetLine[i]}${j.targetAddress ? ` @${j.targetAddress[i].toString(16)}` : ''} ${j.taken[i]}/${j.executed[i]}`;
  }
  const { places, frames, stacks } = profile;
  if (places && frames && stacks) {
    for (let p = 0; p < places.high.length; p++)
      yield `place ${p} ${formatAddress(places.high[p], places.low[p])} object ${name(objects.name[places.object[p]])}`;
    for (let f = 0; f < frames.place.length; f++)
      yield `frame ${f} place ${frames.place[f]} routine ${frames.routine[f]} ${name(files.name[frames.file[f]])}:${frames.line[f]}`;
    for (let s = 0; s < stacks.part.length; s++) {
      const list = stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]).join(' ');
      yield `stack part ${stacks.part[s]} ${events.map((e) => exactValue(e, stacks.costs, s)).join(' ')}: ${list}`;
    }
  }
  const { inputs, contexts } = profile;
  for (let c = 0; c < (contexts?.id.length ?? 0); c++)
    yield `context ${c} id ${contexts!.id[c]} parent ${contexts!.parent[c]} end ${contexts!.end[c]} routine ${contexts!.routine[c]} part ${contexts!.part[c]}`;
  for (let i = 0; i < (inputs?.size.length ?? 0); i++) {
    const fields = INPUT_FIELDS.filter((f) => inputs![f]).map((f) => `${f} ${inputs!.beyond.get(f)?.get(i) ?? inputs![f]![i]}`);
    yield `point routine ${inputs!.routine[i]} context ${inputs!.context[i]} part ${inputs!.part[i]} size ${inputs!.size[i]}${inputs!.counted[i] ? '' : ' (not counted)'}: ${fields.join(' ')}`;
  }
  const { steps, processes } = profile;
  for (let i = 0; i < (steps?.name.length ?? 0); i++) {
    const outputs = steps!.outputStart[i + 1] - steps!.outputStart[i];
    yield `step ${name(steps!.name[i])} part ${steps!.part[i]} track ${steps!.track[i]} parent ${steps!.parent[i]} kind ${steps!.kind[i]} start ${steps!.startUs[i]} duration ${steps!.durationUs[i]} result ${steps!.result[i]} outputs ${outputs}`;
  }
  for (let i = 0; i < (processes?.id.length ?? 0); i++) {
    const p = processes!;
    const args = Array.from(p.args.subarray(p.argStart[i], p.argStart[i + 1]), (a) => name(a));
    yield `process ${name(p.id[i])} parent ${p.parent[i]} line ${p.line[i]} ${name(p.executable[i])}: ${args.join(' ')}`;
  }
  for (const w of profile.warnings) yield `warning ${w.line ?? w.offset ?? '-'} ${w.found}`;
  if (profile.cut) yield `cut ${profile.cut.line ?? profile.cut.offset ?? '-'} ${profile.cut.found}`;
}
