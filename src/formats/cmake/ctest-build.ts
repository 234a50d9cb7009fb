// Reads what failed and warning commands wrote from the Build.xml of `ctest -D …` with CTEST_USE_LAUNCHERS (else it names no outputs):
//   <Failure type="Error"><Action><OutputFile>CMakeFiles/a.dir/a.c.o</OutputFile>…<Result><StdOut/><StdErr>a.c:2:10: error: …
import { absolutePath } from '../../base/paths.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import type { Folder } from '../loader.ts';
import { lastStepByOutput } from '../shared/build-output.ts';
import { type XmlHandler, XmlReader } from '../shared/xml.ts';
import { ctestFile } from './tests.ts';

const TEXT_ELEMENTS: ReadonlySet<string> = new Set(['StartBuildTime', 'OutputFile', 'WorkingDirectory', 'StdOut', 'StdErr']);
/** Maximum length of what a command wrote; the rest is left out. */
const MAX_TEXT_LENGTH = 1 << 16;
/** CTest's notes at the start of lines that it suppressed or counted. */
const CTEST_NOTE = /^\[CTest: warning (?:matched|suppressed)\] /gm;

class FailureReader implements XmlHandler {
  /** By output: what the command that made it wrote. */
  readonly messages = new Map<string, string>();
  /** When the build started, in seconds since 1970; NaN if unknown. */
  startSeconds = Number.NaN;
  private readonly texts = new Map<string, string>();
  private element = '';

  get wantsText(): boolean {
    return this.element !== '';
  }

  onOpen(name: string): void {
    if (name === 'Failure') this.texts.clear();
    this.element = TEXT_ELEMENTS.has(name) ? name : '';
  }

  onText(piece: string): void {
    this.texts.set(this.element, ((this.texts.get(this.element) ?? '') + piece).slice(0, MAX_TEXT_LENGTH));
  }

  onClose(name: string): void {
    this.element = '';
    const text = (of: string) => this.texts.get(of)?.trimEnd() ?? '';
    if (name === 'StartBuildTime') this.startSeconds = Number(text(name));
    if (name !== 'Failure') return;
    const written = ['StdOut', 'StdErr'].flatMap((of) => text(of) || []).join('\n');
    const output = text('OutputFile');
    if (output !== '' && written !== '')
      this.messages.set(absolutePath(text('WorkingDirectory'), output), written.replace(CTEST_NOTE, ''));
  }
}

/** Adds CTest's messages to steps from `first` on that have none and ran in the build of Build.xml. Needs times since 1970. */
export function addCtestMessages(rows: StepWriter, first: number, folder: Folder, tree: string): void {
  const path = ctestFile(folder, tree, 'Build.xml');
  const bytes = path === undefined ? undefined : folder.read(path);
  if (path === undefined || !bytes) return;
  const reader = new FailureReader();
  new XmlReader(reader).take(bytes, true);
  const { messages, startSeconds } = reader;
  const writtenUs = (folder.modifiedMs?.(path) ?? Number.POSITIVE_INFINITY) * 1000;
  const byOutput = lastStepByOutput(rows);
  for (const [output, text] of messages) {
    const row = byOutput.get(output) ?? -1;
    const startUs = rows.columns.startUs.data[row];
    const isOfBuild = row >= first && startUs >= startSeconds * 1e6 && startUs <= writtenUs;
    if (isOfBuild && rows.text('messages', row) === undefined) rows.setText('messages', row, text);
  }
}
