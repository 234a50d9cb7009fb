// Reloads files that are being written: at most once a second, and only if they changed or a step of the build runs.
import type { AppState } from '../app/state.ts';
import { FormatError } from '../base/problem.ts';
import { livePaths, stampOf } from '../io/follow.ts';
import type { ProfileLoadOptions } from '../io/load.ts';
import { canReadAgain } from '../io/sources/source.ts';
import { startLoading } from '../io/start-loading.ts';
import type { Profile } from '../model/profile.ts';

const POLL_MS = 1000;

export class PathFollower {
  private readonly onProfile: (profile: Profile) => void;
  private readonly onError: (error: unknown) => void;
  private timer: NodeJS.Timeout | undefined;
  private stamp = '';
  /** The files that were read last. */
  private readPaths: readonly string[] = [];
  private isRunning = false;
  private isLoading = false;

  /** `path`: as the user gave it. `failed` is called once per state of the files: the next state may be complete. */
  constructor(
    readonly path: string,
    private readonly options: ProfileLoadOptions,
    show: (profile: Profile) => void,
    failed: (error: unknown) => void,
  ) {
    this.onProfile = show;
    this.onError = failed;
  }

  start(): void {
    this.stop();
    this.timer = setInterval(() => this.checkForChanges(), POLL_MS);
    this.checkForChanges();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private checkForChanges(): void {
    if (this.isLoading || (stampOf(this.path, this.readPaths) === this.stamp && !this.isRunning)) return;
    this.isLoading = true;
    this.load()
      .then(
        (profile) => {
          this.isRunning = profile.kind === 'steps' && (profile.steps.live?.running.step.length ?? 0) > 0;
          if (this.timer) this.onProfile(profile);
        },
        (error: unknown) => {
          if (this.timer) this.onError(error);
        },
      )
      .finally(() => {
        this.isLoading = false;
      });
  }

  /** Rejects with FormatError, also if a folder has no profile at the moment. */
  private async load(): Promise<Profile> {
    try {
      this.readPaths = livePaths(this.path);
    } finally {
      this.stamp = stampOf(this.path, this.readPaths);
    }
    // The file may have been replaced by a pipe, which could block and cannot be read twice.
    const pipe = this.readPaths.find((path) => !canReadAgain(path));
    if (pipe !== undefined)
      throw new FormatError({ path: pipe, expected: 'a regular file', found: 'a FIFO, which cannot be followed' });
    return startLoading(this.readPaths, { ...this.options, live: true }, () => {}).profile;
  }
}

/** Follows the shown profile while following is on. A profile opened from another one is followed by its own path. */
export class Follower {
  private pathFollower: PathFollower | undefined;
  private readonly onProfile: (profile: Profile) => void;
  private readonly onError: (error: unknown) => void;

  /** `namedPath`: the path that the user gave, possibly a folder. */
  constructor(
    private readonly namedPath: string | undefined,
    private readonly options: ProfileLoadOptions,
    show: (profile: Profile) => void,
    failed: (error: unknown) => void,
  ) {
    this.onProfile = show;
    this.onError = failed;
  }

  /** Starts or stops following, according to the state. */
  sync({ following, outer, loaded }: AppState): void {
    const path = following ? ((outer ? undefined : this.namedPath) ?? loaded.paths[0]) : undefined;
    if (path === this.pathFollower?.path) return;
    this.stop();
    if (path === undefined) return;
    this.pathFollower = new PathFollower(path, this.options, this.onProfile, this.onError);
    this.pathFollower.start();
  }

  stop(): void {
    this.pathFollower?.stop();
    this.pathFollower = undefined;
  }
}
