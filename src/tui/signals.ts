// Signals while the screen is open: those that end, stop (Ctrl-Z) and continue the program.
import { constants } from 'node:os';

/**
 * Signals sent by others to end a program. Left out are signals of machine faults (a handler would return to the fault),
 * and SIGPIPE and SIGXFSZ, which come with a failed write.
 */
const ENDING_SIGNALS: readonly NodeJS.Signals[] = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGABRT',
  'SIGUSR1',
  'SIGUSR2',
  'SIGALRM',
  'SIGTERM',
  'SIGXCPU',
  'SIGVTALRM',
  'SIGTRAP',
  'SIGSYS',
  'SIGIO',
  'SIGPWR',
  'SIGSTKFLT',
];

/** Signals of Ctrl-C and Ctrl-\; while an editor has the terminal, they are meant for the editor. */
const KEYBOARD_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

/** A process that still runs this long (ms) after SIGTSTP cannot be stopped. */
const STOP_TIMEOUT_MS = 100;

/** A listener for SIGXFSZ (file too large): without any, Ink would end the program. */
const ignoreSignal = (): void => {};

export interface SignalEvents {
  /** Called to end the program with this exit code. */
  end(code: number): void;
  /** Called on SIGTSTP: must restore the terminal, then call stopProcessGroup(). */
  stop(): void;
  /** Called after SIGCONT, or with `stopped` false after a stop without effect: no shell controls the program. */
  resume(stopped: boolean): void;
}

export class Signals {
  private isLent = false;
  private stopTimer: NodeJS.Timeout | undefined;
  private readonly onEnd = (signal: NodeJS.Signals): void => {
    if (!this.isLent || !KEYBOARD_SIGNALS.includes(signal)) this.events.end(128 + constants.signals[signal]);
  };
  private readonly onStop = (): void => this.events.stop();
  private readonly onContinue = (): void => this.resume(true);

  constructor(private readonly events: SignalEvents) {}

  open(): void {
    for (const signal of ENDING_SIGNALS) process.on(signal, this.onEnd);
    process.on('SIGXFSZ', ignoreSignal);
    process.on('SIGTSTP', this.onStop);
    process.on('SIGCONT', this.onContinue);
  }

  /** Restores the default handling of signals. */
  close(): void {
    clearTimeout(this.stopTimer);
    for (const signal of ENDING_SIGNALS) process.off(signal, this.onEnd);
    process.off('SIGXFSZ', ignoreSignal);
    process.off('SIGTSTP', this.onStop);
    process.off('SIGCONT', this.onContinue);
  }

  /**
   * Stops the whole process group, as Ctrl-Z does: otherwise a wrapper (npm, a script) would keep waiting for us. SIGTSTP, unlike
   * SIGSTOP, has no effect if no shell could continue us.
   */
  stopProcessGroup(): void {
    process.off('SIGTSTP', this.onStop);
    process.kill(0, 'SIGTSTP');
    this.stopTimer = setTimeout(() => this.resume(false), STOP_TIMEOUT_MS);
  }

  /** Another program has the terminal: Ctrl-C is meant for it, and SIGTSTP stops us like any program. */
  lend(): void {
    this.isLent = true;
    process.off('SIGTSTP', this.onStop);
  }

  takeBack(): void {
    process.on('SIGTSTP', this.onStop);
    // Signals that arrived in the meantime are handled first.
    setImmediate(() => {
      this.isLent = false;
    });
  }

  private resume(stopped: boolean): void {
    clearTimeout(this.stopTimer);
    this.stopTimer = undefined;
    if (!process.listeners('SIGTSTP').includes(this.onStop)) process.on('SIGTSTP', this.onStop);
    this.events.resume(stopped);
  }
}
