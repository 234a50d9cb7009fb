// The terminal: taken over once, and restored whatever happens.
import { openSync, writeSync } from 'node:fs';
import { emitKeypressEvents } from 'node:readline';
import { Readable } from 'node:stream';
import { ReadStream } from 'node:tty';
import { LONGEST_PASTE } from '../app/keymap.ts';
import { HUNG_UP, SessionError } from '../base/errors.ts';
import { systemReason } from '../base/problem.ts';
import { FrameWriter } from './frame-writer.ts';
import { InputDecoder } from './input-decoder.ts';
import { type Keypress, keyName } from './key-names.ts';
import { MOUSE_OFF, MOUSE_ON, type MouseReport } from './mouse.ts';
import { Signals } from './signals.ts';

// Alternate screen, cursor hidden, no wrapping at the right edge, pasted text in brackets.
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?2004h\u001b[2J';
// Erased before leaving: some terminals mix up the screens if resized in between.
const LEAVE = '\u001b[r\u001b[m\u001b[H\u001b[J\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l';
const BEGIN_SYNC = '\u001b[?2026h';
const END_SYNC = '\u001b[?2026l';
/** Tearing is not visible in frames shorter than this (characters). */
const SYNC_FROM = 1000;

/** A lone Esc is recognized by a timeout; Node's default of half a second would swallow the next key. */
const ESCAPE_MS = 40;

export interface TerminalEvents {
  key(name: string, typed: string): void;
  paste(text: string): void;
  mouse(report: MouseReport): void;
  /** The terminal answered a question (Reply). */
  reply(text: string): void;
  resize(width: number, height: number): void;
  /** Back from the shell; `stopped` is false if there is no shell that could let the program go on. */
  resumed(stopped: boolean): void;
}

export class Terminal {
  private readonly stdin: ReadStream;
  /** The input that Node parses into keys: what is neither a report of the mouse nor a reply. */
  private readonly keys = new Readable({ read() {} });
  private decoder: InputDecoder;
  private escape: NodeJS.Timeout | undefined;
  private readonly writer = new FrameWriter();
  private active = false;
  private waiting = false;
  private held: readonly string[] | undefined;
  /** The text pasted so far; undefined while nothing is being pasted. */
  private pasted: string | undefined;
  private readonly onKey = (typed: string | undefined, key: Keypress): void => {
    if (this.paste(typed, key)) return;
    const name = keyName(typed, key);
    if (name !== undefined) this.events.key(name, typed ?? '');
  };
  private readonly onData = (bytes: Buffer): void => {
    const { decoder } = this;
    clearTimeout(this.escape);
    for (const piece of decoder.read(bytes, () => this.pasted !== undefined))
      if (Buffer.isBuffer(piece)) this.keys.emit('data', piece);
      else if (piece.kind === 'reply') this.events.reply(piece.text);
      else this.events.mouse(piece);
    if (decoder.waits) this.escape = setTimeout(() => this.keys.emit('data', decoder.flush()), ESCAPE_MS);
  };
  private readonly onResize = (): void => {
    this.writer.forget();
    this.events.resize(this.width, this.height);
  };
  private readonly onExit = (): void => this.leave();
  /** The terminal has gone: reading ends or fails, and so does writing. No signal need have come. */
  private readonly onGone = (): void => {
    this.active = false;
    process.exit(HUNG_UP);
  };
  private readonly signals = new Signals({
    end: (code) => process.exit(code),
    stop: () => this.suspend(),
    goOn: (stopped) => {
      // The shell may have set the terminal up for itself: nothing of ours is taken for granted.
      if (this.active) this.stdin.setRawMode(false);
      this.enter();
      this.events.resumed(stopped);
    },
  });

  /**
   * Keys come from standard input, or from /dev/tty if that is a pipe (maybe the profile). `mouse`: the terminal reports clicks and the wheel.
   * Throws SessionError if there is nothing that keys could come from.
   */
  constructor(
    readonly stdout: NodeJS.WriteStream,
    private readonly mouse: boolean,
    private readonly events: TerminalEvents,
  ) {
    this.stdin = process.stdin.isTTY ? process.stdin : openKeys();
    this.decoder = new InputDecoder(mouse);
    // The decoder has waited already before it gives on an Esc.
    emitKeypressEvents(this.keys, { escapeCodeTimeout: 1 } as never);
  }

  /** Collects pasted text: it is text, whatever keys its letters are. True if the key was part of it. */
  private paste(typed: string | undefined, key: Keypress): boolean {
    if (key.name === 'paste-start') {
      this.pasted = '';
      return true;
    }
    if (this.pasted === undefined) return false;
    const { pasted } = this;
    // Ctrl-C frees the keys where the end of a paste got lost; terminals do not paste control characters.
    if (key.name === 'paste-end' || (key.ctrl && key.name === 'c')) {
      this.pasted = undefined;
      this.events.paste(pasted);
    } else if (pasted.length <= LONGEST_PASTE) this.pasted = pasted + (typed ?? key.sequence ?? '');
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
    this.stdin.on('end', this.onGone).on('error', this.onGone);
    this.stdout.on('error', this.onGone);
    // Not the event of stdout: a size that changed and changed back is none to that, but the terminal has lost its text.
    process.on('SIGWINCH', this.onResize);
    this.enter();
  }

  close(): void {
    this.leave();
    process.off('exit', this.onExit);
    this.signals.close();
    this.stdin.off('end', this.onGone);
    process.off('SIGWINCH', this.onResize);
    this.stdin.pause();
    if (this.stdin !== process.stdin) this.stdin.destroy();
  }

  /** Shows a frame; while output is blocked, only the newest one is kept waiting. */
  show(lines: readonly string[]): void {
    if (!this.active) return;
    if (this.waiting) {
      this.held = lines;
      return;
    }
    const out = this.writer.frame(lines, this.width, this.height);
    if (out === '') return;
    const ready = this.stdout.write(out.length >= SYNC_FROM ? BEGIN_SYNC + out + END_SYNC : out);
    if (ready) return;
    this.waiting = true;
    this.stdout.once('drain', () => {
      this.waiting = false;
      const { held } = this;
      this.held = undefined;
      if (held) this.show(held);
    });
  }

  /** Redraws the whole screen with the next frame. */
  forget(): void {
    this.writer.forget();
  }

  /** Sends a sequence that is not part of a frame, such as a copy to the clipboard. */
  send(sequence: string): void {
    if (this.active) this.stdout.write(sequence);
  }

  /** Hands the terminal to `use` (an editor) and takes it back. */
  lend(use: () => void): void {
    this.leave();
    this.stdin.pause();
    this.signals.lend();
    try {
      use();
    } finally {
      this.signals.takeBack();
      this.enter();
    }
  }

  /** Gives the terminal to the shell, with all processes of the job stopped. */
  suspend(): void {
    this.leave();
    this.signals.stopGroup();
  }

  private enter(): void {
    this.active = true;
    this.stdin.setRawMode(true);
    this.keys.off('keypress', this.onKey).on('keypress', this.onKey);
    this.decoder = new InputDecoder(this.mouse);
    this.stdin.off('data', this.onData).on('data', this.onData);
    this.stdin.resume();
    this.stdout.write(this.mouse ? ENTER + MOUSE_ON : ENTER);
    this.writer.forget();
  }

  private leave(): void {
    if (!this.active) return;
    this.active = false;
    this.keys.off('keypress', this.onKey);
    this.stdin.off('data', this.onData);
    clearTimeout(this.escape);
    writeNow(this.stdout, this.mouse ? MOUSE_OFF + LEAVE : LEAVE);
    this.stdin.setRawMode(false);
  }
}

function openKeys(): ReadStream {
  try {
    return new ReadStream(openSync('/dev/tty', 'r'));
  } catch (error) {
    throw new SessionError(
      `keys come from the terminal, and /dev/tty cannot be opened: ${systemReason(error)}; --print VIEW prints`,
    );
  }
}

/** Writes synchronously: at exit, buffered output would be lost. */
function writeNow(stream: NodeJS.WriteStream, text: string): void {
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
