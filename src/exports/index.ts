// All exports. A new one takes a new file and a line here.
import { callgrind } from './callgrind.ts';
import type { Exporter } from './exporter.ts';
import { firefox } from './firefox.ts';
import { folded } from './folded.ts';
import { ofReports } from './of-reports.ts';
import { pprof } from './pprof.ts';
import { speedscope } from './speedscope.ts';

export const exporters: readonly Exporter[] = [pprof, speedscope, firefox, folded, callgrind, ...ofReports];

/** The exporter whose files end like this name, a further .gz left out; undefined if there is none. */
export function exporterOf(path: string): Exporter | undefined {
  const plain = path.toLowerCase();
  const ends = (ending: string) => plain.endsWith(ending) || plain.endsWith(`${ending}.gz`);
  return (
    exporters.find((e) => e.endings.some(ends)) ??
    (plain.slice(plain.lastIndexOf('/') + 1).startsWith('callgrind.out') ? callgrind : undefined)
  );
}
