// A terminal without a window, and what its cells hold.
import xterm from '@xterm/headless';

export type Emulator = InstanceType<typeof xterm.Terminal>;

export const openEmulator = (cols: number, rows: number): Emulator => new xterm.Terminal({ cols, rows, allowProposedApi: true });

/** Control sequences that terminals of a name do not know, by their last characters: as terminfo's entries have them. */
const UNKNOWN_TO: Readonly<Record<string, string>> = {
  vt100: 'STXGdLMP@bE`',
  vt220: 'STGdbE`',
  ansi: 'XdbE',
  linux: 'STb',
  screen: 'STb',
};
/** The names of terminals for which `openTerminalOf` leaves sequences out. */
export const POOR_TERMINALS = Object.keys(UNKNOWN_TO);

/** An emulator that ignores all that terminals of this name do not know. */
export function openTerminalOf(term: string, cols: number, rows: number): Emulator {
  const terminal = openEmulator(cols, rows);
  for (const final of UNKNOWN_TO[term] ?? '') terminal.parser.registerCsiHandler({ final }, () => true);
  return terminal;
}

export const write = (terminal: Emulator, text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));

/** Text and attributes of every cell, as far as they can be seen: of a blank, its background and its line. */
export function cellsOf(terminal: Emulator): string[] {
  const out: string[] = [];
  const buffer = terminal.buffer.active;
  for (let y = 0; y < terminal.rows; y++) {
    const line = buffer.getLine(buffer.baseY + y)!;
    for (let x = 0; x < terminal.cols; x++) {
      const c = line.getCell(x)!;
      const blank = c.getChars() === '' && c.getWidth() > 0;
      const text = blank ? ' ' : c.getChars();
      const hasInk = text !== ' ' || c.isInverse() !== 0 || c.isUnderline() !== 0;
      const flags = [hasInk && c.isBold(), hasInk && c.isDim(), c.isUnderline(), c.isInverse()]
        .map((on) => (on ? 1 : 0))
        .join('');
      const ink = hasInk && !c.isFgDefault() ? c.getFgColor() : '';
      out.push(`${text}|${flags}|${ink}|${c.isBgDefault() ? '' : c.getBgColor()}`);
    }
  }
  return out;
}
