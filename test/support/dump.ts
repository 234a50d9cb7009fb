// A profile as text, independent of how its bytes arrived: for tests that compare loads. One line per row, in table order.
import { formatAddress } from '../../src/base/units.ts';
import type { CallGraph, LineTables } from '../../src/model/callgraph/tables.ts';
import { exactValue, type Head } from '../../src/model/head.ts';
import { INPUT_FIELDS, type InputCosts } from '../../src/model/inputs/tables.ts';
import type { ProcessTrace } from '../../src/model/processes/tables.ts';
import { type Profile, questionsOf } from '../../src/model/profile.ts';
import type { SampleLabels } from '../../src/model/stacks/labels.ts';
import type { StackSamples } from '../../src/model/stacks/tables.ts';
import type { Timeline } from '../../src/model/steps/tables.ts';
import { stringAt } from '../../src/model/strings.ts';

/** Formats a string of the profile. */
type Name = (string: number | undefined) => string;

export function* dumpProfile(profile: Profile): Generator<string> {
  const { strings, routines, files, objects } = profile;
  const name = (id: number | undefined) => (id === undefined || id < 0 ? '-' : JSON.stringify(stringAt(strings, id)));
  yield `format ${profile.format}`;
  yield `command ${JSON.stringify(profile.command)}`;
  for (const e of profile.events)
    yield `event ${e.name}${e.formula ? ` = ${e.formula}` : ''}${e.longName ? ` : ${e.longName}` : ''} [${e.unit}]`;
  for (const p of profile.parts) {
    const list = (v: readonly (number | bigint)[] | null) => (v ? v.join(' ') : '-');
    yield `part ${p.part ?? '-'} thread ${p.thread ?? '-'} pid ${p.pid ?? '-'} summary ${list(p.summary)} totals ${list(p.totals)}`;
  }
  // Programs are named by the executables of processes.
  const named = questionsOf(profile).has('routines') ? routines.name.length : 0;
  for (let r = 0; r < named; r++) {
    yield `routine ${r} ${name(routines.name[r])} file ${name(files.name[routines.file[r]])} object ${name(objects.name[routines.object[r]])}${routines.line?.[r] ? ` line ${routines.line[r]}` : ''}`;
  }
  yield* tablesOf(profile, name);
  for (const w of profile.warnings) yield `warning ${w.line ?? w.offset ?? '-'} ${w.found}`;
  if (profile.cut) yield `cut ${profile.cut.line ?? profile.cut.offset ?? '-'} ${profile.cut.found}`;
}

function tablesOf(profile: Profile, name: Name): Iterable<string> {
  switch (profile.kind) {
    case 'callgraph':
      return dumpCallGraph(profile, name);
    case 'stacks':
      return dumpStacks(profile, name);
    case 'inputs':
      return dumpInputs(profile);
    case 'steps':
      return dumpSteps(profile, name);
    case 'processes':
      return dumpProcesses(profile, name);
  }
}

function* dumpLines(profile: Head & LineTables, name: Name): Generator<string> {
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

function* dumpCallGraph(profile: Head & CallGraph, name: Name): Generator<string> {
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

function* dumpStacks(profile: Head & StackSamples, name: Name): Generator<string> {
  const { places, frames, stacks, files, objects, events, labels } = profile;
  yield* dumpLines(profile, name);
  if (places)
    for (let p = 0; p < places.high.length; p++)
      yield `place ${p} ${formatAddress(places.high[p], places.low[p])} object ${name(objects.name[places.object[p]])}`;
  for (let f = 0; f < frames.routine.length; f++) {
    const place = places ? ` place ${places.ofFrame[f]}` : '';
    const inlined = frames.inlined?.[f] === 1 ? ' inlined' : '';
    yield `frame ${f}${place} routine ${frames.routine[f]} ${name(files.name[frames.file[f]])}:${frames.line[f]}${inlined}`;
  }
  for (let s = 0; s < stacks.part.length; s++) {
    const list = stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]).join(' ');
    const set = labels && labels.set[s] > 0 ? ` labels ${labelsOf(labels, labels.set[s], name)}` : '';
    yield `stack part ${stacks.part[s]}${set} ${events.map((e) => exactValue(e, stacks.costs, s)).join(' ')}: ${list}`;
  }
}

function labelsOf(labels: SampleLabels, set: number, name: Name): string {
  const out: string[] = [];
  for (let row = labels.start[set]; row < labels.start[set + 1]; row++) {
    const unit = labels.unit[row] < 0 ? '' : ` ${name(labels.unit[row])}`;
    out.push(`${name(labels.key[row])}=${labels.value[row] < 0 ? `${labels.number[row]}${unit}` : name(labels.value[row])}`);
  }
  return out.join(' ');
}

function* dumpInputs({ inputs, contexts }: InputCosts): Generator<string> {
  if (contexts)
    for (let c = 0; c < contexts.id.length; c++)
      yield `context ${c} id ${contexts.id[c]} parent ${contexts.parent[c]} end ${contexts.end[c]} routine ${contexts.routine[c]} part ${contexts.part[c]}`;
  for (let i = 0; i < inputs.size.length; i++) {
    const fields = INPUT_FIELDS.flatMap((f) => {
      const column = inputs[f];
      return column ? [`${f} ${inputs.beyond.get(f)?.get(i) ?? column[i]}`] : [];
    });
    const counted = inputs.counted[i] ? '' : ' (not counted)';
    yield `point routine ${inputs.routine[i]} context ${inputs.context[i]} part ${inputs.part[i]} size ${inputs.size[i]}${counted}: ${fields.join(' ')}`;
  }
}

function* dumpSteps({ steps: s }: Timeline, name: Name): Generator<string> {
  for (let i = 0; i < s.name.length; i++) {
    const outputs = s.outputStart[i + 1] - s.outputStart[i];
    yield `step ${name(s.name[i])} part ${s.part[i]} track ${s.track[i]} parent ${s.parent[i]} kind ${s.kind[i]} start ${s.startUs[i]} duration ${s.durationUs[i]} result ${s.result[i]} outputs ${outputs}`;
  }
}

function* dumpProcesses({ processes: p }: ProcessTrace, name: Name): Generator<string> {
  for (let i = 0; i < p.id.length; i++) {
    const args = Array.from(p.args.subarray(p.argStart[i], p.argStart[i + 1]), (a) => name(a));
    yield `process ${name(p.id[i])} parent ${p.parent[i]} line ${p.line[i]} ${name(p.executable[i])}: ${args.join(' ')}`;
  }
}
