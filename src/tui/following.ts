// Reloads a profile while another program writes it: at most once a second, if files changed or a build step is running.
import type { AppState } from '../app/state.ts';
import { FormatError } from '../base/problem.ts';
import { inputStamp, pathsToFollow } from '../io/find.ts';
import type { ProfileLoadOptions } from '../io/load.ts';
import { canReadAgain } from '../io/sources/source.ts';
import { startLoading } from '../io/start-loading.ts';
import type { Profile } from '../model/profile.ts';

const POLL_MS = 1000;

/**
 * Follows a path until the returned function is called. `path`: as the user gave it. `failed`: called once for each state of the files, as the
 * next state may be complete.
 */
export function followPath(
  path: string,
  options: ProfileLoadOptions,
  show: (profile: Profile) => void,
  failed: (error: unknown) => void,
): () => void {
  let stamp = '';
  /** The files of the last load. */
  let readPaths: readonly string[] = [];
  let [isRunning, isLoading, isStopped] = [false, false, false];
  /** Loads the profile. Rejects with FormatError, also if a folder currently has no profile. */
  const load = async (): Promise<Profile> => {
    try {
      readPaths = pathsToFollow(path);
    } finally {
      stamp = inputStamp(path, readPaths);
    }
    // The file may have been replaced by a pipe, which could block and cannot be read twice.
    const pipe = readPaths.find((file) => !canReadAgain(file));
    if (pipe !== undefined)
      throw new FormatError({ path: pipe, expected: 'a regular file', found: 'a FIFO, which cannot be followed' });
    return startLoading(readPaths, { ...options, live: true });
  };
  const pass = (profile: Profile) => {
    isRunning = profile.kind === 'steps' && (profile.steps.live?.running.step.length ?? 0) > 0;
    if (!isStopped) show(profile);
  };
  const checkForChanges = () => {
    if (isLoading || (inputStamp(path, readPaths) === stamp && !isRunning)) return;
    isLoading = true;
    load()
      .then(pass, (error: unknown) => isStopped || failed(error))
      .finally(() => {
        isLoading = false;
      });
  };
  const timer = setInterval(checkForChanges, POLL_MS);
  checkForChanges();
  return () => {
    clearInterval(timer);
    isStopped = true;
  };
}

/** Reloads the shown profile while following is on. A nested profile is followed by its own path. */
export class Follower {
  private path: string | undefined;
  private stopFollowing = () => {};

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
    if (path === this.path) return;
    this.stop();
    if (path === undefined) return;
    this.path = path;
    this.stopFollowing = followPath(path, this.options, this.show, this.failed);
  }

  stop(): void {
    this.stopFollowing();
    this.path = undefined;
  }
}
