// Reloads a profile while another program writes it: at most once a second, if files changed or a build step is running.
import type { AppState } from '../app/state.ts';
import { FormatError } from '../base/problem.ts';
import { inputStamp, pathsToFollow } from '../io/follow.ts';
import type { ProfileLoadOptions } from '../io/load.ts';
import { canReadAgain } from '../io/sources/source.ts';
import { startLoading } from '../io/start-loading.ts';
import type { Profile } from '../model/profile.ts';

const POLL_MS = 1000;

export class PathFollower {
  private timer: NodeJS.Timeout | undefined;
  private stamp = '';
  /** The files of the last load. */
  private readPaths: readonly string[] = [];
  private isRunning = false;
  private isLoading = false;

  /** `path`: as the user gave it. `failed`: called once for each state of the files, as the next state may be complete. */
  constructor(
    readonly path: string,
    private readonly options: ProfileLoadOptions,
    private readonly show: (profile: Profile) => void,
    private readonly failed: (error: unknown) => void,
  ) {}

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
    if (this.isLoading || (inputStamp(this.path, this.readPaths) === this.stamp && !this.isRunning)) return;
    this.isLoading = true;
    this.load()
      .then(
        (profile) => {
          this.isRunning = profile.kind === 'steps' && (profile.steps.live?.running.step.length ?? 0) > 0;
          if (this.timer) this.show(profile);
        },
        (error: unknown) => {
          if (this.timer) this.failed(error);
        },
      )
      .finally(() => {
        this.isLoading = false;
      });
  }

  /** Loads the profile. Rejects with FormatError, also if a folder currently has no profile. */
  private async load(): Promise<Profile> {
    try {
      this.readPaths = pathsToFollow(this.path);
    } finally {
      this.stamp = inputStamp(this.path, this.readPaths);
    }
    // The file may have been replaced by a pipe, which could block and cannot be read twice.
    const pipe = this.readPaths.find((path) => !canReadAgain(path));
    if (pipe !== undefined)
      throw new FormatError({ path: pipe, expected: 'a regular file', found: 'a FIFO, which cannot be followed' });
    return startLoading(this.readPaths, { ...this.options, live: true }, () => {}).profile;
  }
}

/** Reloads the shown profile while following is on. A nested profile is followed by its own path. */
export class Follower {
  private pathFollower: PathFollower | undefined;

  /** `namedPath`: the path that the user gave, possibly a folder. */
  constructor(
    private readonly namedPath: string | undefined,
    private readonly options: ProfileLoadOptions,
    private readonly show: (profile: Profile) => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Starts or stops following, according to the state. */
  sync({ following, outer, loaded }: AppState): void {
    const path = following ? ((outer ? undefined : this.namedPath) ?? loaded.paths[0]) : undefined;
    if (path === this.pathFollower?.path) return;
    this.stop();
    if (path === undefined) return;
    this.pathFollower = new PathFollower(path, this.options, this.show, this.failed);
    this.pathFollower.start();
  }

  stop(): void {
    this.pathFollower?.stop();
    this.pathFollower = undefined;
  }
}
