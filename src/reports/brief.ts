// One short answer about a profile (--brief): what it is, findings, where the cost of own code is or what held a build up, and the commands
// that show more. Its JSON has at most MAX_BYTES for any profile, and is the same each time.
import { percentageBase } from '../analysis/answers/analysis.ts';
import { annotateRoutine } from '../analysis/answers/annotate.ts';
import { isAnyEstimated } from '../analysis/answers/edges.ts';
import { hotLines } from '../analysis/answers/hot-lines.ts';
import { type NeighbourSide, neighboursOf } from '../analysis/answers/neighbours.ts';
import { fileName, nameInData, routineName } from '../analysis/names/names.ts';
import { hasCode, isOwnRoutine } from '../analysis/names/origin.ts';
import { flagWords, routineWord } from '../analysis/profiles/choices.ts';
import { sortedByKey } from '../base/lists.ts';
import { joinSafe, safeJson, safeText } from '../base/safe-text.ts';
import { formatPercent, plural } from '../base/units.ts';
import { isJsonObject, type Json } from '../columns/column.ts';
import { costJson, costText } from '../columns/costs.ts';
import { routineKey } from '../columns/names.ts';
import { routinesBySelf } from '../columns/routines.ts';
import { timeText } from '../columns/times.ts';
import { phraseText } from '../findings/say.ts';
import { eventValue, exactValue } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { findingRows, findingSentence, seeFlags, shellText } from './findings.ts';
import { makeReport, type Report, SCHEMA_VERSION } from './print.ts';
import { reportFacts } from './readable.ts';
import { type JsonFields, type ReportContext, routineMatches, type Sentence } from './report.ts';

/** The limit of the JSON text, in bytes of UTF-8. */
const MAX_BYTES = 12_000;
/** Longer texts are cut: a name may have a million characters. */
const MAX_TEXT = 240;
const [MAX_ROUTINES, MAX_NEIGHBOURS, MAX_LINES, MAX_ROWS, MAX_PATHS, MAX_LINKED] = [10, 3, 3, 10, 4, 3];
/** Lines of source before and after a line with cost. */
const SOURCE_LINES = 2;

interface BriefItem {
  readonly title: string;
  readonly json: JsonFields;
  readonly sentence: Sentence;
}

/** `name`: the member in JSON. */
interface BriefSection {
  readonly name: string;
  readonly items: BriefItem[];
  /** How many items are left out. */
  left: number;
}

const plainSentence = (lead: string, name: string, detailLines: readonly string[] = []): Sentence => ({
  lead,
  parts: [{ text: name, isName: true }],
  detailLines: detailLines.map((text) => ({ text, own: ['', ''] as const })),
});

function findingSection(context: ReportContext): BriefSection {
  const items = findingRows(context).map((f): BriefItem => {
    const { rule, share = null, estimated = false, why, target } = f;
    const sentence = findingSentence(f, context);
    const place = { file: target.file ?? null, line: target.line ?? null };
    const routine = target.routine === undefined ? null : nameInData(context.analysis.profile, target.routine);
    const advice = f.try === undefined ? {} : { try: f.try };
    const json = { rule, share, estimated, finding: phraseText(f), why, ...advice, routine, ...place, see: seeFlags(context, f) };
    return { title: 'What matters', json, sentence };
  });
  return { name: 'findings', items: items.slice(0, MAX_ROWS), left: Math.max(0, items.length - MAX_ROWS) };
}

/** The hottest routines of own code by self cost, or of all code if none is own, with callers, callees and lines. */
function routineSection(context: ReportContext): BriefSection {
  const { analysis, event } = context;
  const { profile, totals, costing } = analysis;
  const costly = [...routinesBySelf(analysis, event)].filter((r) => eventValue(event, totals.self, r) !== 0);
  const withCost = costly.filter((r) => routineMatches(context, r));
  const own = withCost.filter((r) => isOwnRoutine(profile, r));
  const shown = own.length > 0 ? own : withCost;
  const title =
    own.length > 0 ? 'Hottest routines of own code, by self cost' : 'Hottest routines, by self cost: none is known to be own';
  const share = (value: number) => (event.per ? '' : formatPercent(value, percentageBase(analysis, event)));
  const items = shown.slice(0, MAX_ROUTINES).map((r): BriefItem => {
    const self = eventValue(event, totals.self, r);
    const neighbours = (way: NeighbourSide) =>
      costing.can.has('calls')
        ? neighboursOf(analysis, event, r, 0, way)
            .slice(0, MAX_NEIGHBOURS)
            .map(({ routine, value, edges }) => {
              const estimated = isAnyEstimated(analysis.edges, edges);
              const inclusive = estimated ? Math.round(value) : value;
              const text = `${routineName(profile, routine)} ${estimated ? '≈' : ''}${share(inclusive)}`.trim();
              return { text, json: { routine: nameInData(profile, routine), inclusive, estimated } };
            })
        : [];
    const sides = { callers: neighbours('callers'), callees: neighbours('callees') };
    const lines = costing.can.has('lines') ? hottestLines(context, r) : [];
    const listed = (word: string, all: typeof sides.callers) =>
      all.length === 0 ? [] : [`${word} ${all.map(({ text }) => text).join(', ')}`];
    const inclusive = costing.can.has('inclusive') ? { inclusive: costJson(event, totals.inclusive, r) } : {};
    return {
      title,
      json: {
        ...routineKey(analysis, r),
        ...{ self: costJson(event, totals.self, r), ...inclusive, estimated: totals.selfEstimated?.[r] === 1 },
        callers: sides.callers.map(({ json }) => json),
        callees: sides.callees.map(({ json }) => json),
        lines: lines.map(({ texts: _, ...line }) => line),
      },
      sentence: plainSentence(share(self), routineName(profile, r), [
        `${costText(context, exactValue(event, totals.self, r))} self`,
        ...listed('called by', sides.callers),
        ...listed('calls', sides.callees),
        ...lines.flatMap(({ texts }) => texts),
      ]),
    };
  });
  return { name: 'routines', items, left: shown.length - items.length };
}

/** The costliest lines of a routine with the source around them, as far as it can be read. */
function hottestLines(context: ReportContext, routine: number) {
  const { analysis, event, source } = context;
  const { profile } = analysis;
  const files = annotateRoutine(analysis, routine);
  return hotLines(files, event, profile, routine)
    .slice(0, MAX_LINES)
    .map(({ file, row }) => {
      const { line: lines, self, inclusive, file: number, estimated } = files[file];
      const line = lines[row];
      const name = fileName(profile, number) ?? '';
      const text = name === '' || line === 0 ? '' : source(name);
      const first = Math.max(1, line - SOURCE_LINES);
      const around = typeof text === 'string' ? [] : text.lines.slice(first - 1, line + SOURCE_LINES);
      const [own, all] = [self, inclusive].map((costs) => exactValue(event, costs, row));
      const cost = `${costText(context, own)} self${own === all ? '' : `, ${costText(context, all, estimated?.inclusive[row] === 1)} with calls`}`;
      return {
        ...{ file: name, line, self: costJson(event, self, row), source: around },
        texts: [`${name}:${line}: ${cost}`, ...around.map((code, i) => `${first + i === line ? '▸' : ' '} ${code}`)],
      };
    });
}

/** How the first rows of another report are listed. */
interface ListedReport extends Readonly<Record<'name' | 'report' | 'title' | 'label', string>> {
  readonly facts: (row: JsonFields, context: ReportContext) => readonly string[];
  /** The members of a row in JSON; absent: all. */
  readonly members?: readonly string[];
  /** Rows are listed by this number, the largest first. */
  readonly largest?: string;
}

function listedSection(context: ReportContext, report: Report, of: ListedReport): BriefSection {
  const all = { ...context, limit: Number.POSITIVE_INFINITY, sort: undefined };
  const rows = [...report.records(all)].map(({ run: _, path: __, ...row }) => row);
  const { largest, members } = of;
  const ordered = largest === undefined ? rows : sortedByKey(rows, (row) => numberIn(row[largest]), true);
  const items = ordered.slice(0, MAX_ROWS).map((row): BriefItem => {
    const json = members ? Object.fromEntries(members.map((member) => [member, row[member]])) : row;
    const name = String(row[of.label] ?? row['name'] ?? row['target'] ?? '');
    return { title: of.title, json, sentence: plainSentence('', name, [of.facts(row, context).join(', ')]) };
  });
  return { name: of.name, items, left: rows.length - items.length };
}

const numberIn = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);

/** Milliseconds of a row in words; none where they are unknown. */
const timeOf = (row: JsonFields, member: string, behind = ''): string[] =>
  typeof row[member] === 'number' ? [timeText(row[member] * 1e3) + behind] : [];

const CRITICAL: ListedReport = {
  ...{ name: 'critical', title: 'Longest steps of the critical path', label: 'name', report: 'criticalpath' },
  largest: 'durationMs',
  facts: (row) => [...timeOf(row, 'durationMs'), String(row['why'] ?? '')],
};
const TARGETS: ListedReport = {
  ...{ name: 'targets', title: 'Largest targets', label: 'target', largest: 'durationMs', report: 'targets' },
  facts: (row) => [
    plural(numberIn(row['steps']), 'step'),
    ...timeOf(row, 'durationMs'),
    ...timeOf(row, 'criticalMs', ' on the critical path'),
    ...(numberIn(row['failed']) > 0 ? [`${numberIn(row['failed'])} failed`] : []),
  ],
};
const CHANGES: ListedReport = {
  ...{ name: 'changes', title: 'Largest changes', label: 'routine', report: 'changes' },
  facts(row, { event }) {
    const of = (member: string): string[] => {
      const side = row[member];
      if (side === undefined || !isJsonObject(side)) return [];
      const self = side['self'];
      if (self !== undefined && isJsonObject(self)) return [`${member} ${jsonText(self[event.name] ?? null)} ${event.name} self`];
      return timeOf(side, 'durationMs').map((text) => `${member} ${text}`);
    };
    const state = row['kind'] ?? row['state'];
    return [...(typeof state === 'string' && state !== 'both' ? [state] : []), ...of('before'), ...of('now')];
  },
};
const LAWS: ListedReport = {
  ...{ name: 'laws', title: 'Growth', label: 'routine', report: 'curves' },
  members: 'routine file object points calls best exponent r2 undecided tenfold cost hiddenInput'.split(' '),
  facts: (row, { event }) => [
    typeof row['best'] === 'string' ? `law ${row['best']}${row['undecided'] === true ? ' ?' : ''}` : 'no law',
    plural(numberIn(row['points']), 'input size'),
    ...(isJsonObject(row['cost'] ?? null) ? [`cost ${jsonText(Object(row['cost'])[event.name] ?? null)}`] : []),
  ],
};

/** Names, numbers and lists as JSON writes them, texts as they are. */
const jsonText = (value: Json): string => (typeof value === 'string' ? value : safeJson(value));

const STAGES: ListedReport = {
  ...{ name: 'stages', title: 'Stages', label: 'name', report: 'stages' },
  facts: (row) => timeOf(row, 'durationMs'),
};

function sectionsOf(context: ReportContext, reports: readonly Report[]): BriefSection[] {
  const { profile, costing, before } = context.analysis;
  const isOfRoutines = hasCode(profile) && costing.can.has('self');
  const listed = before ? [CHANGES] : profile.kind === 'inputs' ? [LAWS] : isOfRoutines ? [] : [STAGES, CRITICAL, TARGETS];
  return [
    findingSection(context),
    ...(listed.length === 0 ? [routineSection(context)] : []),
    ...listed.flatMap((of) => {
      const report = reports.find(({ name }) => name === of.report);
      return report?.requires.every((question) => costing.can.has(question)) ? [listedSection(context, report, of)] : [];
    }),
  ];
}

/** The commands that show more: of the first findings, then of the first routines. */
function nextCommands(context: ReportContext, sections: readonly BriefSection[]) {
  const { profile, before } = context.analysis;
  const runs = ['proftui', ...profile.paths, ...(before?.profile.paths.flatMap((path) => flagWords('base', path)) ?? [])];
  const found = findingRows(context)
    .slice(0, MAX_LINKED)
    .map((f) => ({ title: f.rule, argv: [...runs, ...seeFlags(context, f)] }));
  const routines = sections.find(({ name }) => name === 'routines')?.items.length ?? 0;
  const hottest = [...routinesBySelf(context.analysis, context.event)].filter((r) => routines > 0 && isOwnRoutine(profile, r));
  const ofRoutines = hottest.slice(0, MAX_LINKED).flatMap((r) => {
    const word = routineWord(profile, r);
    if (word === undefined) return [];
    return [{ title: `calls of ${routineName(profile, r)}`, argv: [...runs, '--print', 'calls', ...flagWords('routine', word)] }];
  });
  const all = [...found, ...ofRoutines, { title: 'everything, on the screen', argv: runs }];
  return all.filter(({ argv }, i) => all.findIndex((other) => other.argv.join('\n') === argv.join('\n')) === i);
}

function shortened(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return value.length <= MAX_TEXT ? value : `${value.slice(0, MAX_TEXT)}…`;
  if (Array.isArray(value)) return value.map((one) => shortened(one) ?? null);
  if (value !== undefined && isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
  return value;
}

/** The answer as JSON, in which sections have lost their last items until it fits. */
function briefOf(context: ReportContext, version: string, reports: readonly Report[]) {
  const { analysis, event } = context;
  const { profile, totals, before } = analysis;
  const { paths, warnings } = reportFacts('brief', context);
  const sections = sectionsOf(context, reports);
  const next = nextCommands(context, sections);
  const about = {
    ...{ format: profile.format, paths: paths.slice(0, MAX_PATHS), pathCount: paths.length, command: profile.command },
    ...{ event: event.name, unit: event.unit, total: costJson(event, totals.total, 0) },
    ...(before ? { base: { paths: before.profile.paths.slice(0, MAX_PATHS) } } : {}),
    warnings: warnings.slice(0, MAX_LINKED),
  };
  const jsonOf = () =>
    safeJson(
      shortened({
        ...{ proftui: version, schemaVersion: SCHEMA_VERSION, view: 'brief', kind: profile.kind, profile: about },
        ...Object.fromEntries(sections.map(({ name, items }) => [name, items.map(({ json }) => json)])),
        leftOut: Object.fromEntries(sections.map(({ name, left }) => [name, left])),
        next: next.map(({ title, argv }) => ({ title, argv })),
      }),
    );
  const sizeOf = ({ items }: BriefSection) => (items.length < 2 ? 0 : safeJson(items.map(({ json }) => json)).length);
  const bytes = (text: string) => new TextEncoder().encode(text).length + 1;
  let json = jsonOf();
  while (bytes(json) > MAX_BYTES) {
    const largest = sections.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
    if (sizeOf(largest) === 0 && next.length > 1) next.pop();
    else if (largest.items.pop()) largest.left++;
    else break;
    json = jsonOf();
  }
  return { json, sections, next };
}

/** The report; it lists rows of `reports`. */
export function makeBriefReport(reports: readonly Report[]): Report {
  const readable = makeReport<BriefItem, Kind>({
    name: 'brief',
    title: 'one short answer: findings, hottest own code or critical steps, and what to look at next (--brief)',
    requires: [],
    table: () => ({ columns: () => [] }),
    *rows(context) {
      const { sections, next } = briefOf(context, '', reports);
      for (const { items } of sections) yield* items;
      for (const { title, argv } of next)
        yield { title: 'Next', json: {}, sentence: plainSentence('', shellText(argv), [title]) };
    },
    group: ({ title }) => title,
    sentence: ({ sentence }) => sentence,
  });
  return {
    ...readable,
    forms: new Set(['text', 'markdown', 'json']),
    async write(form, context, version, write) {
      if (form !== 'json') return readable.write(form, { ...context, limit: Number.POSITIVE_INFINITY }, version, write);
      await write(joinSafe([briefOf(context, version, reports).json, safeText``], '\n'));
    },
  };
}
