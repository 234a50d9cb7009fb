// Signals while the screen is open: those that end, suspend (Ctrl-Z) or resume the program.
import { constants } from 'node:os';

/** Signals of Ctrl-C and Ctrl-\. While an editor uses the terminal, they are meant for the editor. */
const KEYBOARD_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

/**
 * Signals sent by others to end a program. Left out are signals of machine faults (a handler would return to the fault),
 * and SIGPIPE and SIGXFSZ, which come with a failed write.
 */
const ENDING_SIGNALS: readonly NodeJS.Signals[] = [
  ...KEYBOARD_SIGNALS,
  ...(['SIGHUP', 'SIGTERM', 'SIGABRT', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM', 'SIGXCPU'] as const),
  ...(['SIGTRAP', 'SIGSYS', 'SIGIO', 'SIGPWR', 'SIGSTKFLT'] as const),
];

/** If the process still runs this many milliseconds after SIGTSTP, it cannot be suspended. */
const STOP_TIMEOUT_MS = 100;

/** A listener for SIGXFSZ (file too large). Without a listener, Ink would end the program. */
const ignoreSignal = (): void => {};

export interface SignalEvents {
  /** Called to end the program with this exit code. */
  end(code: number): void;
  /** Called on SIGTSTP. It must restore the terminal, and then call stopProcessGroup(). */
  stop(): void;
  /** Called when the process continues. `stopped` is false if it could not be suspended, because no shell controls it. */
  resume(stopped: boolean): void;
}

export class SignalHandling {
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

  /** Gives the terminal to another program: Ctrl-C is then meant for that program, and SIGTSTP has its default effect. */
  lend(): void {
    this.isLent = true;
    process.off('SIGTSTP', this.onStop);
  }

  takeBack(): void {
    process.on('SIGTSTP', this.onStop);
    // Handle signals that arrived in the meantime before `isLent` changes: they come after the first of two turns, which may be the end
    // of the one in which the other program ended.
    setImmediate(() =>
      setImmediate(() => {
        this.isLent = false;
      }),
    );
  }

  private resume(stopped: boolean): void {
    clearTimeout(this.stopTimer);
    this.stopTimer = undefined;
    if (!process.listeners('SIGTSTP').includes(this.onStop)) process.on('SIGTSTP', this.onStop);
    this.events.resume(stopped);
  }
}
