// Signals while the screen is open: those that end the program, and those that stop it and let it go on.
import { constants } from 'node:os';

/**
 * Signals that others send to end a program. Those that a fault of the machine raises are left out: a handler would return to the fault.
 * So are SIGPIPE and SIGXFSZ: writes raise them, and fail.
 */
const ENDING: readonly NodeJS.Signals[] = [
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

/** Keys of a terminal in its usual mode: an editor that has the terminal is who they are for. */
const FROM_KEYS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

/** A process that was told to stop does so at once; one that still runs after this time (ms) cannot be stopped. */
const STOPPED_MS = 100;

/** Node ignores SIGXFSZ (a file that becomes too long), but Ink ends the program by it unless somebody listens. */
const nothing = (): void => {};

export interface SignalEvents {
  /** To end with this exit code. */
  end(code: number): void;
  /** To hand back the terminal, and then to call stopGroup(). */
  stop(): void;
  /** Going on after a stop, or after a stop that no shell was there to take over from (`stopped` is false). */
  goOn(stopped: boolean): void;
}

export class Signals {
  private lent = false;
  private stopping: NodeJS.Timeout | undefined;
  private readonly onEnd = (signal: NodeJS.Signals): void => {
    if (!this.lent || !FROM_KEYS.includes(signal)) this.events.end(128 + constants.signals[signal]);
  };
  private readonly onStop = (): void => this.events.stop();
  private readonly onContinue = (): void => this.goOn(true);

  constructor(private readonly events: SignalEvents) {}

  open(): void {
    for (const signal of ENDING) process.on(signal, this.onEnd);
    process.on('SIGXFSZ', nothing);
    process.on('SIGTSTP', this.onStop);
    process.on('SIGCONT', this.onContinue);
  }

  /** From here on, signals do what they do to any program. */
  close(): void {
    clearTimeout(this.stopping);
    for (const signal of ENDING) process.off(signal, this.onEnd);
    process.off('SIGXFSZ', nothing);
    process.off('SIGTSTP', this.onStop);
    process.off('SIGCONT', this.onContinue);
  }

  /**
   * Stops all processes of the job, as Ctrl-Z does where a terminal makes a signal of it: a shell or npm between us and the user's shell
   * would wait for us for ever. SIGTSTP, unlike SIGSTOP, does nothing where nobody could let us go on.
   */
  stopGroup(): void {
    process.off('SIGTSTP', this.onStop);
    process.kill(0, 'SIGTSTP');
    this.stopping = setTimeout(() => this.goOn(false), STOPPED_MS);
  }

  /** While a program has the terminal: its keys are not ours, and with it we stop at once. */
  lend(): void {
    this.lent = true;
    process.off('SIGTSTP', this.onStop);
  }

  takeBack(): void {
    process.on('SIGTSTP', this.onStop);
    // Signals that came meanwhile are told before this.
    setImmediate(() => {
      this.lent = false;
    });
  }

  private goOn(stopped: boolean): void {
    clearTimeout(this.stopping);
    this.stopping = undefined;
    if (!process.listeners('SIGTSTP').includes(this.onStop)) process.on('SIGTSTP', this.onStop);
    this.events.goOn(stopped);
  }
}
