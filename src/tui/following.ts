// Reads again what is being written: at most once a second, and only if it has changed or something of it runs.
import type { AppState } from '../app/state.ts';
import { FormatError } from '../base/problem.ts';
import { livePaths, stampOf } from '../io/follow.ts';
import type { LoadOptions } from '../io/load.ts';
import { canReadAgain } from '../io/sources/source.ts';
import { startLoading } from '../io/start-loading.ts';
import type { Profile } from '../model/profile.ts';

const EVERY_MS = 1000;

export class Following {
  private readonly show: (profile: Profile) => void;
  private readonly failed: (error: unknown) => void;
  private timer: NodeJS.Timeout | undefined;
  private stamp = '';
  /** The files that were read last. */
  private read: readonly string[] = [];
  private runs = false;
  private loading = false;

  /** `path`: what the user named. `failed` is told once for each state of the files: they may be whole the next time. */
  constructor(
    readonly path: string,
    private readonly options: LoadOptions,
    show: (profile: Profile) => void,
    failed: (error: unknown) => void,
  ) {
    this.show = show;
    this.failed = failed;
  }

  start(): void {
    this.stop();
    this.timer = setInterval(() => this.look(), EVERY_MS);
    this.look();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private look(): void {
    if (this.loading || (stampOf(this.path, this.read) === this.stamp && !this.runs)) return;
    this.loading = true;
    this.load()
      .then(
        (profile) => {
          this.runs = profile.kind === 'steps' && (profile.steps.live?.running.step.length ?? 0) > 0;
          if (this.timer) this.show(profile);
        },
        (error: unknown) => {
          if (this.timer) this.failed(error);
        },
      )
      .finally(() => {
        this.loading = false;
      });
  }

  /** Rejects with FormatError, too if a folder has no profile for the moment. */
  private async load(): Promise<Profile> {
    try {
      this.read = livePaths(this.path);
    } finally {
      this.stamp = stampOf(this.path, this.read);
    }
    // Somebody may have put a pipe in place of the file: reading it could wait for ever, and it has no second time.
    const pipe = this.read.find((path) => !canReadAgain(path));
    if (pipe !== undefined)
      throw new FormatError({ path: pipe, expected: 'a regular file', found: 'a FIFO, which cannot be followed' });
    return startLoading(this.read, { ...this.options, live: true }, () => {}).profile;
  }
}

/** Follows what is shown, if that is wanted; what was opened from it is followed by its own path. */
export class Follower {
  private live: Following | undefined;
  private readonly show: (profile: Profile) => void;
  private readonly failed: (error: unknown) => void;

  /** `given`: what the user named, which may be a folder. */
  constructor(
    private readonly given: string | undefined,
    private readonly options: LoadOptions,
    show: (profile: Profile) => void,
    failed: (error: unknown) => void,
  ) {
    this.show = show;
    this.failed = failed;
  }

  /** Starts or stops, as the state says. */
  sync({ following, outer, loaded }: AppState): void {
    const path = following ? ((outer ? undefined : this.given) ?? loaded.paths[0]) : undefined;
    if (path === this.live?.path) return;
    this.stop();
    if (path === undefined) return;
    this.live = new Following(path, this.options, this.show, this.failed);
    this.live.start();
  }

  stop(): void {
    this.live?.stop();
    this.live = undefined;
  }
}
