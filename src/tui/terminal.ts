// Sets up the terminal for the screen, and restores it however the program ends.
import { openSync, writeSync } from 'node:fs';
import { emitKeypressEvents } from 'node:readline';
import { Readable } from 'node:stream';
import { ReadStream } from 'node:tty';
import { MAX_PASTE_LENGTH } from '../app/input.ts';
import { EXIT_HUNG_UP, SessionError } from '../base/errors.ts';
import { systemReason } from '../base/problem.ts';
import { capabilitiesOf, XTERM } from './capabilities.ts';
import { FrameWriter } from './frame-writer.ts';
import { InputDecoder, type InputPiece } from './input-decoder.ts';
import { DISABLE_MOUSE, ENABLE_MOUSE, type PointerAction } from './mouse.ts';
import { ASK_STATUS, Pacer } from './pacing.ts';
import { SignalHandling } from './signals.ts';

// Alternate screen, hidden cursor, no line wrap, bracketed paste.
const ENTER_SCREEN = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?2004h\u001b[2J';
// Erases the screen before leaving it, because some terminals mix up both screens after a resize.
const LEAVE_SCREEN = '\u001b[r\u001b[m\u001b[H\u001b[J\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l';
const BEGIN_SYNC = '\u001b[?2026h';
const END_SYNC = '\u001b[?2026l';
/** Minimum length of a frame, in characters, for a synchronized update. Shorter frames show no tearing. */
const MIN_SYNC_LENGTH = 1000;

/** The longest wait for a late answer before the terminal is given away. */
const MAX_WAIT_MS = 2000;

/** The time after which a single ESC is the Esc key. With Node's default of 500 ms, the next key would be lost. */
const ESCAPE_TIMEOUT_MS = 40;

export interface TerminalEvents {
  key(name: string, typed: string): void;
  paste(text: string): void;
  mouse(action: PointerAction): void;
  /** Called with the terminal's reply to a query. */
  reply(text: string): void;
  resize(width: number, height: number): void;
  /** Called when the process continues. `stopped` is false if it could not be suspended, because no shell controls it. */
  resumed(stopped: boolean): void;
}

export class Terminal {
  private readonly stdin: ReadStream;
  /** The input without mouse reports and replies, which Node parses into keys. */
  private readonly keyInput = new Readable({ read() {} });
  private decoder: InputDecoder;
  private escapeTimer: NodeJS.Timeout | undefined;
  readonly can = capabilitiesOf(process.env['TERM']) ?? XTERM;
  private readonly writer = new FrameWriter(this.can);
  private readonly pacer = new Pacer();
  private answerTimer: NodeJS.Timeout | undefined;
  private heldTimer: NodeJS.Timeout | undefined;
  private readonly answerWaiters: (() => void)[] = [];
  private isActive = false;
  private isWriteBlocked = false;
  private heldFrame: readonly string[] | undefined;
  /** The text pasted so far; undefined while nothing is being pasted. */
  private pasted: string | undefined;
  private readonly onKey = (typed: string | undefined, key: Keypress): void => {
    if (this.collectPaste(typed, key)) return;
    const name = keyName(typed, key);
    this.pacer.addKey(performance.now());
    if (name !== undefined) this.events.key(name, typed ?? '');
  };
  private readonly onData = (bytes: Buffer): void => {
    const { decoder } = this;
    clearTimeout(this.escapeTimer);
    for (const piece of decoder.read(bytes, () => this.pasted !== undefined)) this.takePiece(piece);
    if (decoder.isWaiting) this.escapeTimer = setTimeout(() => this.takePiece(decoder.flush()), ESCAPE_TIMEOUT_MS);
  };
  private readonly onResize = (): void => {
    this.writer.invalidate();
    this.events.resize(this.width, this.height);
  };
  private readonly onExit = (): void => this.leaveScreen();
  /** Called when the terminal no longer exists: reading ends or writing fails. No signal may announce it. */
  private readonly onTerminalLost = (): void => {
    this.isActive = false;
    process.exit(EXIT_HUNG_UP);
  };
  private readonly signals = new SignalHandling({
    end: (code) => process.exit(code),
    stop: () => this.suspend(),
    resume: (stopped) => {
      // The shell may have changed the terminal modes, so all of them are set again.
      if (this.isActive) this.stdin.setRawMode(false);
      this.enterScreen();
      this.events.resumed(stopped);
    },
  });

  /**
   * Reads keys from standard input, or from /dev/tty if that is a pipe (perhaps the profile). `reportsMouse`: the terminal
   * reports clicks and the wheel. Throws SessionError without a source of keys.
   */
  constructor(
    readonly stdout: NodeJS.WriteStream,
    private readonly reportsMouse: boolean,
    private readonly events: TerminalEvents,
  ) {
    this.stdin = process.stdin.isTTY ? process.stdin : openKeyInput();
    this.decoder = new InputDecoder(reportsMouse);
    // Keys need no long timeout here: InputDecoder has its own for Esc.
    emitKeypressEvents(this.keyInput, { escapeCodeTimeout: 1 } as never);
  }

  private takePiece(piece: InputPiece): void {
    if (Buffer.isBuffer(piece)) this.keyInput.emit('data', piece);
    else if ('type' in piece) this.events.mouse(piece);
    else if (piece.kind === 'reply') this.events.reply(piece.text);
    else if (piece.kind === 'status') {
      this.pacer.addAnswer(performance.now());
      this.showHeldFrame();
    } else this.events.key('esc', '');
  }

  /** Collects pasted text, so that its letters do not act as keys. True if the key belongs to a paste. */
  private collectPaste(typed: string | undefined, key: Keypress): boolean {
    if (key.name === 'paste-start') {
      this.pasted = '';
      return true;
    }
    if (this.pasted === undefined) return false;
    const { pasted } = this;
    // Ctrl-C also ends a paste, in case its end marker got lost: terminals do not paste control characters.
    if (key.name === 'paste-end' || (key.ctrl && key.name === 'c')) {
      this.pasted = undefined;
      this.events.paste(pasted);
    } else if (pasted.length <= MAX_PASTE_LENGTH) this.pasted = pasted + (typed ?? key.sequence ?? '');
    return true;
  }

  get width(): number {
    return this.stdout.columns || 80;
  }

  get height(): number {
    return this.stdout.rows || 24;
  }

  open(): void {
    process.on('exit', this.onExit);
    this.signals.open();
    this.stdin.on('end', this.onTerminalLost).on('error', this.onTerminalLost);
    this.stdout.on('error', this.onTerminalLost);
    // If the size changes back at once, stdout emits no resize event, but the terminal has lost its text. SIGWINCH always comes.
    process.on('SIGWINCH', this.onResize);
    this.enterScreen();
  }

  /** Restores the terminal, and calls `then`. */
  close(then: () => void): void {
    this.whenAnswered(() => {
      this.leaveScreen();
      process.off('exit', this.onExit);
      this.signals.close();
      this.stdin.off('end', this.onTerminalLost);
      process.off('SIGWINCH', this.onResize);
      this.stdin.pause();
      if (this.stdin !== process.stdin) this.stdin.destroy();
      then();
    });
  }

  /** Shows a frame. While output is blocked or the terminal is behind, only the newest frame is kept. */
  showFrame(lines: readonly string[]): void {
    if (!this.isActive) return;
    const wait = this.isWriteBlocked ? undefined : this.pacer.waitMs(performance.now());
    clearTimeout(this.heldTimer);
    if (wait !== 0) {
      this.heldFrame = lines;
      if (wait !== undefined) this.heldTimer = setTimeout(() => this.showHeldFrame(), wait);
      return;
    }
    const out = this.writer.renderFrame(lines, this.width, this.height);
    if (out === '') return;
    const question = this.pacer.addFrame(out.length, performance.now()) ? ASK_STATUS : '';
    const isReady = this.stdout.write((out.length >= MIN_SYNC_LENGTH ? BEGIN_SYNC + out + END_SYNC : out) + question);
    clearTimeout(this.answerTimer);
    this.answerTimer = setTimeout(() => {
      this.pacer.giveUp();
      this.showHeldFrame();
    }, this.pacer.timeoutMs).unref();
    if (isReady) return;
    this.isWriteBlocked = true;
    this.stdout.once('drain', () => {
      this.isWriteBlocked = false;
      this.showHeldFrame();
    });
  }

  private showHeldFrame(): void {
    const { heldFrame } = this;
    this.heldFrame = undefined;
    if (heldFrame) this.showFrame(heldFrame);
    if (!this.pacer.mayBeAnswered(performance.now())) this.releaseWaiters();
  }

  /** Calls `go` once no answer of the terminal is on its way, which another program would read as keys. */
  private whenAnswered(go: () => void): void {
    this.heldFrame = undefined;
    if (!this.pacer.mayBeAnswered(performance.now())) return go();
    this.answerWaiters.push(go);
    setTimeout(() => this.releaseWaiters(), MAX_WAIT_MS);
  }

  private releaseWaiters(): void {
    for (const go of this.answerWaiters.splice(0)) go();
  }

  /** Makes the next frame redraw the complete screen. */
  invalidate(): void {
    this.writer.invalidate();
  }

  /** Sends a sequence that is not part of a frame, such as a copy to the clipboard. */
  send(sequence: string): void {
    if (this.isActive) this.stdout.write(sequence);
  }

  /** Gives the terminal to `use` (an editor), takes it back afterwards, and calls `then`. */
  lend(use: () => void, then: () => void): void {
    this.whenAnswered(() => {
      this.leaveScreen();
      this.stdin.pause();
      this.signals.lend();
      try {
        use();
      } finally {
        this.signals.takeBack();
        this.enterScreen();
      }
      then();
    });
  }

  /** Suspends the program with all processes of its job, and gives the terminal to the shell. */
  suspend(): void {
    this.whenAnswered(() => {
      this.leaveScreen();
      this.signals.stopProcessGroup();
    });
  }

  private enterScreen(): void {
    this.isActive = true;
    this.pacer.giveUp();
    this.stdin.setRawMode(true);
    this.keyInput.off('keypress', this.onKey).on('keypress', this.onKey);
    this.decoder = new InputDecoder(this.reportsMouse);
    this.stdin.off('data', this.onData).on('data', this.onData);
    this.stdin.resume();
    this.stdout.write(this.reportsMouse ? ENTER_SCREEN + ENABLE_MOUSE : ENTER_SCREEN);
    this.writer.invalidate();
  }

  private leaveScreen(): void {
    if (!this.isActive) return;
    this.isActive = false;
    clearTimeout(this.heldTimer);
    this.keyInput.off('keypress', this.onKey);
    this.stdin.off('data', this.onData);
    clearTimeout(this.escapeTimer);
    writeSynchronously(this.stdout, this.reportsMouse ? DISABLE_MOUSE + LEAVE_SCREEN : LEAVE_SCREEN);
    this.stdin.setRawMode(false);
  }
}

function openKeyInput(): ReadStream {
  try {
    return new ReadStream(openSync('/dev/tty', 'r'));
  } catch (error) {
    throw new SessionError(
      `keys come from the terminal, and /dev/tty cannot be opened: ${systemReason(error)}; --print VIEW prints`,
    );
  }
}

/** Writes synchronously: at exit, buffered output would be lost. */
function writeSynchronously(stream: NodeJS.WriteStream, text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  for (let tries = 0; at < bytes.length && tries < 1000; tries++) {
    try {
      at += writeSync((stream as { fd?: number }).fd ?? 1, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
    }
  }
}

/** Node's event of a key. If several keys arrive in one read, each has its own event. */
export interface Keypress {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
}

const KEY_NAMES: Record<string, string> = { return: 'enter', enter: 'enter', escape: 'esc', linefeed: 'enter' };

/** The name of a key: `j`, `G`, `down`, `ctrl-d`, `space`; undefined for other input, such as a terminal reply. */
export function keyName(typed: string | undefined, key: Keypress): string | undefined {
  const { name } = key;
  if (key.ctrl && name) return name === 'space' || name === '`' ? undefined : `ctrl-${name}`;
  if (name === 'tab') return key.shift ? 'shift-tab' : 'tab';
  if (name && KEY_NAMES[name]) return KEY_NAMES[name];
  if (name && name.length > 1 && name !== 'undefined') return name;
  // Alt with a letter is no command, and must not act like the letter without Alt.
  if (key.meta) return undefined;
  return typed !== undefined && typed >= ' ' && typed !== '\u007f' ? typed : undefined;
}
