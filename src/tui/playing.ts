// A session that is played back, by --play or --resume: action after action, each after what the one before it loads.
import { resolve } from 'node:path';
import type { Action } from '../app/action.ts';
import type { Effect } from '../app/state.ts';

/**
 * Effects outside of the screen. They are not repeated: the file may be somebody else's, and of one's own last session they were done
 * already.
 */
const OUTSIDE: ReadonlySet<Effect['type']> = new Set<Effect['type']>([
  ...(['edit', 'copy', 'copy-command', 'suspend', 'write', 'export', 'set'] as const),
  ...(['keep-panes', 'keep-favourite', 'keep-notes', 'keep-transforms'] as const),
]);
/** Effects with an answer that later actions build on. */
const LOADS: ReadonlySet<Effect['type']> = new Set<Effect['type']>(['open-file', 'open', 'reload', 'load-base', 'merge']);

export class Playing {
  private isPlaying = false;
  private isLoading = false;
  private goOn: (() => void) | undefined;
  private left = 0;

  /** `folder`: where the session was recorded, which its paths are relative to. Absent: here. */
  constructor(private readonly folder: string | undefined) {}

  /** Plays all actions; resolves to the number of effects that were left out. */
  async play(actions: readonly Action[], act: (action: Action) => void): Promise<number> {
    this.isPlaying = true;
    for (const action of actions) {
      act(action);
      if (this.isLoading)
        await new Promise<void>((resolve) => {
          this.goOn = resolve;
        });
    }
    this.isPlaying = false;
    return this.left;
  }

  /** The effects that may happen now. */
  allowed(effects: readonly Effect[]): readonly Effect[] {
    if (!this.isPlaying) return effects;
    const allowed = effects.filter(({ type }) => !OUTSIDE.has(type));
    this.left += effects.length - allowed.length;
    this.isLoading ||= allowed.some(({ type }) => LOADS.has(type));
    const { folder } = this;
    return allowed.map((effect) => {
      if (effect.type === 'source-dir' && folder !== undefined) return { ...effect, dir: resolve(folder, effect.dir) };
      const hasPath = effect.type === 'open' || effect.type === 'open-file' || effect.type === 'load-base';
      return hasPath && folder !== undefined ? { ...effect, path: resolve(folder, effect.path) } : effect;
    });
  }

  /** The load has ended, with a profile or without one. */
  answered(): void {
    this.isLoading = false;
    this.goOn?.();
    this.goOn = undefined;
  }
}
