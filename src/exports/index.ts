// All exporters. A new one needs a new file and a line here.
import { callgrind } from './callgrind.ts';
import type { Exporter } from './exporter.ts';
import { firefox } from './firefox.ts';
import { folded } from './folded.ts';
import { reportExporters } from './of-reports.ts';
import { pprof } from './pprof.ts';
import { speedscope } from './speedscope.ts';

export const exporters: readonly Exporter[] = [pprof, speedscope, firefox, folded, callgrind, ...reportExporters];

/** The exporter for the ending of a file name, ignoring .gz; undefined if there is none. */
export function exporterForPath(path: string): Exporter | undefined {
  const lowerCase = path.toLowerCase();
  const hasEnding = (ending: string) => lowerCase.endsWith(ending) || lowerCase.endsWith(`${ending}.gz`);
  return (
    exporters.find((e) => e.endings.some(hasEnding)) ??
    (lowerCase.slice(lowerCase.lastIndexOf('/') + 1).startsWith('callgrind.out') ? callgrind : undefined)
  );
}
