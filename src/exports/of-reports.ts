// Exporters made from reports that are already in an external format.

import { otlp, trace } from '../reports/builds/spans.ts';
import { dot } from '../reports/dot.ts';
import type { Report } from '../reports/print.ts';
import type { Exporter } from './exporter.ts';

function exporterOfReport(report: Report, title: string, endings: readonly string[]): Exporter {
  return {
    name: report.name,
    title,
    endings,
    ofRoutine: report === dot,
    whole: true,
    refusal({ analysis }) {
      const missing = report.requires.find((question) => !analysis.costing.can.has(question));
      if (missing) return `it needs ${missing}, which the profile does not have`;
      return analysis.profile.compared && !report.compares ? 'it has no room for two runs' : undefined;
    },
    write: (context, version, put) => report.write('text', context, version, put),
  };
}

export const reportExporters: readonly Exporter[] = [
  exporterOfReport(trace, 'Trace Event JSON, for Perfetto and chrome://tracing: steps', ['.trace.json']),
  exporterOfReport(otlp, 'OTLP JSON spans, for Jaeger, Tempo and other stores of traces: steps', ['.otlp.json']),
  exporterOfReport(dot, 'the call graph for Graphviz', ['.dot', '.gv']),
];
