// A report that is one text in a format of other tools: no rows, no columns.

import type { Write } from './pieces.ts';
import type { Form, Report } from './print.ts';
import { type ReportContext, ReportError } from './report.ts';

/** `array`: the text is JSON. `why`: the reason for which it has no other form, and what has. */
export function oneText(
  head: Pick<Report, 'name' | 'title' | 'asks' | 'array'>,
  why: string,
  text: (context: ReportContext, write: Write, version: string) => Promise<void>,
): Report {
  const forms = new Set<Form>(head.array ? ['text', 'json'] : ['text']);
  const refuse = (form: Form) => new ReportError(head.array ? why : `--${form}: ${why}`);
  return {
    ...head,
    ...{ sorts: [], columns: [], compares: false, uncut: true, forms },
    async write(form, context, version, write) {
      if (!forms.has(form)) throw refuse(form);
      await text(context, write, version);
    },
    records() {
      throw refuse('jsonl');
    },
  };
}
