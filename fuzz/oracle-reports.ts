// Every report of a profile, in every form: nothing is thrown, no raw character gets out, JSON is JSON, lines keep to the width.

import type { Analysis } from '../src/analysis/answers/analysis.ts';
import { ChoiceError } from '../src/base/errors.ts';
import { cellWidth } from '../src/base/text.ts';
import { reports } from '../src/reports/index.ts';
import type { Report } from '../src/reports/print.ts';
import { ReportError } from '../src/reports/report.ts';
import type { Plan } from './plan.ts';
import type { Random } from './random.ts';
import { contextFor, FORMS, type Form } from './shown.ts';
import type { Steps } from './steps.ts';
import { rawIn, type Words } from './texts.ts';

export async function checkReports(analysis: Analysis, plan: Plan, random: Random, steps: Steps, words: Words): Promise<void> {
  // As the command line does: of two runs, labels have no costs side by side.
  const usable = reports.filter((r) => r.requires.every((q) => analysis.costing.can.has(q)));
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
    const context = contextFor(report.sorts, form, analysis, random);
    try {
      const text = report.isArray ? 'json' : 'text';
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
  const problem = wrongIn(text, report.isArray && form.startsWith('text') ? 'json' : kind);
  if (problem) steps.fail({ ...problem, step: step.replace(/ \d+$/, '') });
  const odd = words.oddIn(text);
  if (odd) steps.fail({ kind: 'text', step: step.replace(/ \d+$/, ''), cause: odd.word, detail: odd.around });
}

export interface Wrong {
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

export function wrongJson(text: string): Wrong | undefined {
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
