// The interface of an exporter: writes the shown profile (transforms, parts, base) for another tool.
import type { SafeText } from '../base/safe-text.ts';
import { writeJoined } from '../reports/pieces.ts';
import type { ReportContext } from '../reports/report.ts';

/** Writes a piece of the output. Text is safe for a terminal; bytes go only to files and pipes. */
export type WritePiece = (piece: SafeText | Uint8Array) => Promise<void>;

/** The profile and the event that an exporter accepts or refuses. */
export type ExportQuestion = Pick<ReportContext, 'analysis' | 'event'>;

export interface Exporter {
  readonly name: string;
  readonly title: string;
  /** The file name endings of the format, the usual one first. */
  readonly endings: readonly string[];
  /** The output is binary, always compressed with gzip, and never written to a terminal. */
  readonly gzip?: boolean;
  readonly ofRoutine?: boolean;
  /** The exporter writes a call graph exactly, without leaving out small costs. */
  readonly whole?: boolean;
  /** The reason why the shown profile cannot be exported; undefined if it can. */
  refusal(context: ExportQuestion): string | undefined;
  /** Throws ChoiceError or ReportError for problems found while writing. */
  write(context: ReportContext, version: string, put: WritePiece): Promise<void>;
}

/** The `write` of an exporter whose output is text. */
export const writerOf =
  (pieces: (context: ReportContext, version: string) => Iterable<SafeText>): Exporter['write'] =>
  async (context, version, put) =>
    writeJoined(pieces(context, version), put);
