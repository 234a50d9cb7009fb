// A report that is one text in the format of another tool, without rows and columns.

import type { SafeText } from '../base/safe-text.ts';
import { writeJoined } from './pieces.ts';
import type { OutputFormat, Report } from './print.ts';
import { type ReportContext, ReportError } from './report.ts';

/** A report that is one text. `head.isArray`: the text is JSON. `reason`: the message for unsupported forms. */
export function makeTextReport(
  head: Pick<Report, 'name' | 'title' | 'requires' | 'isArray'>,
  reason: string,
  pieces: (context: ReportContext, version: string) => Iterable<SafeText>,
): Report {
  const forms = new Set<OutputFormat>(head.isArray ? ['text', 'json'] : ['text']);
  const refusalOf = (form: OutputFormat) => new ReportError(head.isArray ? reason : `--${form}: ${reason}`);
  return {
    ...head,
    ...{ sorts: [], columns: [], compares: false, uncut: true, forms },
    async write(form, context, version, write) {
      if (!forms.has(form)) throw refusalOf(form);
      await writeJoined(pieces(context, version), write);
    },
    records() {
      throw refusalOf('jsonl');
    },
  };
}
