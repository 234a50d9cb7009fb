// Every report of a profile, in every form: nothing is thrown, no raw character gets out, JSON is JSON, lines keep to the width.

import { analyse } from '../src/analysis/answers/analyse.ts';
import type { Analysis } from '../src/analysis/answers/analysis.ts';
import { measured } from '../src/analysis/answers/compared/measure.ts';
import { allEvents } from '../src/analysis/answers/events.ts';
import { type Granularity, grainsOf } from '../src/analysis/profiles/granularity/stacks.ts';
import { shownProfile } from '../src/analysis/profiles/shown.ts';
import { NOTHING_OWN } from '../src/analysis/profiles/transforms/own-code.ts';
import { ChoiceError } from '../src/base/choice-error.ts';
import { compileFilter } from '../src/base/match.ts';
import { cellWidth } from '../src/base/text.ts';
import { MEASURES } from '../src/model/head.ts';
import type { Profile } from '../src/model/profile.ts';
import { reports } from '../src/reports/index.ts';
import type { Report } from '../src/reports/print.ts';
import { matchesIn, type ReportContext, ReportError } from '../src/reports/report.ts';
import { comparable, versusOf } from './oracle-compare.ts';
import type { Plan } from './plan.ts';
import { Random } from './random.ts';
import { someTransforms } from './some-transforms.ts';
import type { Steps } from './steps.ts';
import { rawIn, type Words } from './texts.ts';

const FORMS = ['json', 'csv', 'tsv', 'text 40', 'text 80', 'text 200', 'markdown', 'svg'] as const;
type Form = (typeof FORMS)[number];

export async function checkReports(
  loaded: Profile,
  base: Profile | undefined,
  plan: Plan,
  steps: Steps,
  words: Words,
): Promise<void> {
  const random = new Random(`reports ${plan.seed}`);
  const by: Granularity = { grain: random.chance(0.8) ? 'routine' : random.pick(grainsOf(loaded)), unknowns: 'object' };
  const profile = await steps.run('regrain', () =>
    shownProfile(loaded, {
      granularity: by,
      transforms: someTransforms(loaded, base, random),
      own: NOTHING_OWN,
      versus: base && comparable(loaded, base, by) ? versusOf(base) : undefined,
    }),
  );
  const analysis = profile && (await steps.run('analyse', () => analyse(profile, allEvents(profile.events, []))));
  if (!profile || !analysis) return;
  // As the command line does: of two runs, labels have no costs side by side.
  const usable = reports.filter((r) => r.asks.every((q) => analysis.costing.can.has(q)));
  const all = usable.flatMap((report) => FORMS.map((form) => ({ report, form })));
  const chosen = plan.reports === 'all' ? all : Array.from({ length: plan.reports }, () => random.pick(all));
  for (const { report, form } of chosen) await checkReport(report, form, analysis, random, steps, words);
}

async function checkReport(
  report: Report,
  form: Form,
  analysis: Analysis,
  random: Random,
  steps: Steps,
  words: Words,
): Promise<void> {
  const { name } = report;
  if ((form === 'svg' || form === 'markdown') && !report.forms.has(form)) return;
  const step = `report ${name} ${form}`;
  const text = await steps.run(step, async () => {
    const pieces: string[] = [];
    const write = async (piece: string) => {
      pieces.push(piece);
    };
    const context = contextFor(report, form, analysis, random);
    try {
      const text = report.array ? 'json' : 'text';
      const own = form === 'text 200' || form === 'text 80' || form === 'text 40' ? text : form;
      await report.write(own, context, '0', write);
    } catch (error) {
      if (!(error instanceof ReportError || error instanceof ChoiceError)) throw error;
    }
    return pieces.join('');
  });
  if (!text) return;
  // The text of some reports is JSON.
  // Text for Graphviz has no width, as Markdown has none.
  const kind = report.name === 'dot' ? 'markdown' : form;
  const problem = wrongIn(text, report.array && form.startsWith('text') ? 'json' : kind);
  if (problem) steps.fail({ ...problem, step: step.replace(/ \d+$/, '') });
  const odd = words.oddIn(text);
  if (odd) steps.fail({ kind: 'text', step: step.replace(/ \d+$/, ''), cause: odd.word, detail: odd.around });
}

function contextFor(report: Report, form: Form, analysis: Analysis, random: Random): ReportContext {
  const { profile, events } = analysis;
  const chosen = random.chance(0.7) ? events[0] : random.pick(events);
  const event = analysis.before ? measured(analysis, chosen, random.pick(MEASURES)) : chosen;
  const filter = random.chance(0.8) ? '' : random.pick(['a', '!a', '/./', '\u65e5', 'main']);
  const routines = profile.routines.name.length;
  const sortName = random.pick([undefined, undefined, ...report.sorts]);
  const medium = 'text' as const;
  const context = {
    analysis,
    event,
    extraEvents: random.chance(0.2) ? events.filter((e) => e !== chosen) : [],
    extraParts: [],
    percent: random.pick(['total', 'parent', 'none'] as const),
    names: random.pick(['fit', 'no-templates', 'no-parameters', 'whole'] as const),
    width: form.startsWith('text') ? Number(form.slice(5)) : 200,
    favourites: new Set<string>(),
    medium,
    sort:
      sortName === undefined
        ? undefined
        : { column: sortName === 'EVENT' ? event.name : sortName, descending: random.pick([undefined, true, false]) },
    limit: form.startsWith('text') || form === 'markdown' ? 40 : random.pick([Number.POSITIVE_INFINITY, 1, 0]),
    matches: matchesIn(profile, compileFilter(filter)),
    filtered: filter !== '',
    routine: routines > 0 && random.chance(0.6) ? random.below(routines) : undefined,
    inverted: random.chance(0.3),
    threshold: random.pick([undefined, undefined, 0, 100]),
    byContext: random.chance(0.3),
    at: random.pick([undefined, 0, 1000, 1e15]),
    ascii: random.chance(0.1),
    base: analysis.before,
    instrText: () => undefined,
    run: 'run',
    csvSafe: random.chance(0.2),
    source: (file: string) =>
      random.chance(0.5) ? 'no such file' : { path: file, newer: false, lines: ['int a;', '\u001b[31m', '\u65e5\t{', ''] },
  };
  return context;
}

interface Wrong {
  readonly kind: string;
  readonly cause: string;
  readonly detail: string;
}

function wrongIn(text: string, form: Form): Wrong | undefined {
  const kept =
    form === 'csv' ? text.replaceAll('\r\n', '') : form === 'tsv' ? text.replace(/[\n\t]/g, '') : text.replaceAll('\n', '');
  const raw = rawIn(kept);
  if (raw !== undefined) return { kind: 'control', cause: 'a raw character', detail: `${raw}: ${around(text, raw)}` };
  if (form === 'json') return wrongJson(text);
  if (form === 'csv' || form === 'tsv') return wrongTable(text, form);
  if (!form.startsWith('text')) return undefined;
  const width = Number(form.slice(5));
  const wide = text.split('\n').find((line) => cellWidth(line) > width);
  return wide === undefined
    ? undefined
    : {
        kind: 'width',
        cause: 'a line that is too wide',
        detail: `${cellWidth(wide)} cells in ${width}: ${JSON.stringify(wide)}`,
      };
}

function around(text: string, raw: string): string {
  const at = text.indexOf(String.fromCharCode(Number.parseInt(raw.slice(2), 16)));
  return JSON.stringify(text.slice(Math.max(0, at - 80), at + 80));
}

function wrongJson(text: string): Wrong | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return { kind: 'json', cause: 'no JSON', detail: `${String(error)}: ${text.slice(0, 300)}` };
  }
}

/** All rows have as many cells as the heading. */
function wrongTable(text: string, form: 'csv' | 'tsv'): Wrong | undefined {
  const bare = form === 'csv' ? text.replace(/"(?:[^"]|"")*"/g, 'q') : text;
  const rows = bare.split(form === 'csv' ? '\r\n' : '\n').filter((row) => row !== '');
  const cells = (row: string) => row.split(form === 'csv' ? ',' : '\t').length;
  const odd = rows.find((row) => cells(row) !== cells(rows[0]));
  return odd === undefined
    ? undefined
    : { kind: 'json', cause: 'rows of other lengths', detail: `${rows[0]}\n${odd}`.slice(0, 1000) };
}
