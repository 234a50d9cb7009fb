// All exporters. A new one needs a new file, or a report in an external format, and a line here.
import { otlp, trace } from '../reports/builds/spans.ts';
import { dot } from '../reports/dot.ts';
import type { Report } from '../reports/print.ts';
import { callgrind } from './callgrind.ts';
import type { Exporter } from './exporter.ts';
import { firefox } from './firefox.ts';
import { folded } from './folded.ts';
import { pprof } from './pprof.ts';
import { speedscope } from './speedscope.ts';

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

export const exporters: readonly Exporter[] = [
  ...[pprof, speedscope, firefox, folded, callgrind],
  exporterOfReport(trace, 'Trace Event JSON, for Perfetto and chrome://tracing: steps', ['.trace.json']),
  exporterOfReport(otlp, 'OTLP JSON spans, for Jaeger, Tempo and other stores of traces: steps', ['.otlp.json']),
  exporterOfReport(dot, 'the call graph for Graphviz', ['.dot', '.gv']),
];

/** The exporter for the ending of a file name, ignoring .gz; undefined if there is none. */
export function exporterForPath(path: string): Exporter | undefined {
  const lowerCase = path.toLowerCase();
  const hasEnding = (ending: string) => lowerCase.endsWith(ending) || lowerCase.endsWith(`${ending}.gz`);
  return (
    exporters.find((e) => e.endings.some(hasEnding)) ??
    (lowerCase.slice(lowerCase.lastIndexOf('/') + 1).startsWith('callgrind.out') ? callgrind : undefined)
  );
}
