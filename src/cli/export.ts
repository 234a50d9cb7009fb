// --export: what is shown, as another tool reads it, to a file or to standard output.
import { ChoiceError, UsageError } from '../base/errors.ts';
import { systemReason } from '../base/problem.ts';
import type { Exporter, Put } from '../exports/exporter.ts';
import { exporterOf, exporters } from '../exports/index.ts';
import { compressed, writePieces } from '../io/disk/pieces.ts';
import { RefusedError } from '../io/disk/regular.ts';
import type { ReportContext } from '../reports/report.ts';
import type { FlagSpec } from './flag-spec.ts';
import { flagSpecs } from './flag-table.ts';
import type { Options } from './flags.ts';
import { OutputError, write, writeBytes } from './output.ts';

/** Flags that --export follows, beside those of whole groups. */
const FOLLOWED: ReadonlySet<string> = new Set([
  ...['export', 'output', 'event', 'derive', 'parts', 'by', 'unknown', 'threshold', 'routine'],
  ...['format', 'max', 'debug', 'no-color', 'theme', 'ascii'],
]);
const GROUPS: ReadonlySet<FlagSpec['group']> = new Set(['counts', 'compare', 'places']);

/** The exporter that the flags name: by its name, else by the ending of -o. Throws UsageError for what it could not follow. */
export function exporterFor({ export: name, output, given }: Options): Exporter {
  const ignored = flagSpecs.find((f) => given.has(f.name) && !FOLLOWED.has(f.name) && !GROUPS.has(f.group));
  if (ignored) throw new UsageError(`--${ignored.name} does not go with --export`);
  const names = exporters.map((e) => e.name).join(', ');
  const found = name === undefined ? exporterOf(output ?? '') : exporters.find((e) => e.name === name);
  if (!found)
    throw new UsageError(
      name === undefined
        ? `-o ${output}: --export FORMAT selects the format: ${names}`
        : `--export ${name}: no such format; there are ${names}`,
    );
  if (found.binary && toStandardOutput(output) && process.stdout.isTTY)
    throw new UsageError(`--export ${found.name} is binary, and not written to a terminal: -o FILE, or a pipe`);
  return found;
}

const toStandardOutput = (output: string | undefined) => output === undefined || output === '-';

/** Throws ChoiceError where the profile cannot be written so, and OutputError where the file cannot. */
export async function exportTo(
  exporter: Exporter,
  context: ReportContext,
  output: string | undefined,
  version: string,
): Promise<void> {
  const why = exporter.refusal(context);
  if (why !== undefined) throw new ChoiceError(`--export ${exporter.name}: ${why}`);
  const run = (put: Put) => exporter.write(context, version, put);
  if (output === undefined || output === '-') {
    const put: Put = (piece) => (typeof piece === 'string' ? write(piece) : writeBytes(piece));
    return exporter.gzip ? compressed(run, writeBytes) : run(put);
  }
  try {
    await writePieces(output, { replace: true, gzip: exporter.gzip || output.endsWith('.gz') }, run);
  } catch (error) {
    const ofSystem = error instanceof RefusedError || (error instanceof Error && 'syscall' in error);
    if (!ofSystem) throw error;
    throw new OutputError(`${output}: ${error instanceof RefusedError ? error.message : systemReason(error)}`);
  }
}
