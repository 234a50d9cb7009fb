// --export: writes the profile in the format of another tool, to a file or to standard output.

import { fileName, objectName } from '../analysis/names/names.ts';
import { AnswerError, UsageError } from '../base/errors.ts';
import { noSuchText } from '../base/match.ts';
import { baseName } from '../base/paths.ts';
import type { Exporter, WritePiece } from '../exports/exporter.ts';
import { exporterForPath, exporters } from '../exports/index.ts';
import { compressPieces, writePieces } from '../io/disk/pieces.ts';
import { RefusedError, refusalText } from '../io/disk/regular.ts';
import { overwrittenInput } from '../io/disk/writing.ts';
import type { Profile } from '../model/profile.ts';
import type { ReportContext } from '../reports/report.ts';
import type { FlagSpec } from './flag-spec.ts';
import { flagSpecs } from './flag-table.ts';
import type { FlagOptions } from './flags.ts';
import type { InputOptions } from './input-options.ts';
import { OutputError, writeOutput } from './output.ts';

/** Flags that --export supports, besides those of `SUPPORTED_GROUPS`. */
const SUPPORTED_FLAGS: ReadonlySet<string> = new Set([
  ...['export', 'output', 'event', 'derive', 'parts', 'by', 'unknown', 'threshold', 'routine'],
  ...['format', 'max', 'debug', 'no-color', 'color', 'theme', 'ascii'],
]);
const SUPPORTED_GROUPS: ReadonlySet<FlagSpec['group']> = new Set(['counts', 'compare', 'places']);

/** The exporter that --export names, else the one for the file ending of -o. Throws UsageError for flags it does not support. */
export function exporterFor({ export: name, output, given }: FlagOptions): Exporter {
  const ignored = flagSpecs.find((f) => given.has(f.name) && !SUPPORTED_FLAGS.has(f.name) && !SUPPORTED_GROUPS.has(f.group));
  if (ignored) throw new UsageError(`--${ignored.name} does not go with ${name === undefined ? '--output' : '--export'}`);
  const names = exporters.map((e) => e.name);
  const found = name === undefined ? exporterForPath(output ?? '') : exporters.find((e) => e.name === name);
  if (!found)
    throw new UsageError(
      name === undefined
        ? `-o ${output}: --export FORMAT selects the format: ${names.join(', ')}`
        : `--export ${name}: ${noSuchText('format', name, names)}`,
    );
  if (found.gzip && isStandardOutput(output) && process.stdout.isTTY)
    throw new UsageError(`--export ${found.name} is binary, and not written to a terminal: -o FILE, or a pipe`);
  return found;
}

const isStandardOutput = (output: string | undefined) => output === undefined || output === '-';

/** Throws UsageError if -o names a file that is read: the profile, its base, a source or an object. */
export function refuseToOverwrite(options: InputOptions, profile: Profile, base: Profile | undefined): void {
  const { output, binary, sourceDir, symbolPath } = options;
  if (output === undefined) return;
  const runs = base ? [profile, base] : [profile];
  const recorded = runs.flatMap((run) => [
    ...Array.from(run.files.name, (_, file) => fileName(run, file)),
    ...Array.from(run.objects.name, (_, object) => objectName(run, object)),
  ]);
  const named = recorded.filter((name): name is string => name !== null && name !== '');
  const input = overwrittenInput(output, {
    paths: [...runs.flatMap((run) => run.paths), ...binary.map(([, path]) => path), ...named],
    searched: [...sourceDir, ...symbolPath],
    names: new Set(named.map(baseName)),
  });
  if (input !== undefined) throw new UsageError(`-o ${output}: that is an input, ${input}; give another name`);
}

/** Writes an export. Throws AnswerError if the format cannot hold the profile, OutputError if the file cannot be written. */
export async function exportTo(exporter: Exporter, context: ReportContext, output: string | undefined, version: string) {
  const why = exporter.refusal(context);
  if (why !== undefined) throw new AnswerError(`--export ${exporter.name}: ${why}`);
  const writeTo = (put: WritePiece) => exporter.write(context, version, put);
  if (isStandardOutput(output)) return exporter.gzip ? compressPieces(writeTo, writeOutput) : writeTo(writeOutput);
  try {
    await writePieces(output, { replace: true, gzip: exporter.gzip || output.endsWith('.gz') }, writeTo);
  } catch (error) {
    const ofSystem = error instanceof RefusedError || (error instanceof Error && 'syscall' in error);
    throw ofSystem ? new OutputError(`${output}: ${refusalText(error)}`) : error;
  }
}
