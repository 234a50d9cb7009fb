// Replays a session for --play or --resume. Each action waits until profiles requested by earlier ones are loaded.
import { resolve } from 'node:path';
import type { Action } from '../app/action.ts';
import type { Effect } from '../app/state.ts';

/**
 * Effects outside the screen, which a replay skips: the session may come from another person, or --resume would repeat effects
 * that were already done.
 */
const OUTSIDE_EFFECTS: ReadonlySet<Effect['type']> = new Set([
  ...(['edit', 'copy', 'copy-command', 'suspend', 'write', 'export', 'set'] as const),
  ...(['keep-panes', 'keep-columns', 'keep-favourite', 'keep-notes', 'keep-transforms'] as const),
]);
/** Effects that the next actions must wait for. */
const LOADING_EFFECTS: ReadonlySet<Effect['type']> = new Set(['open-file', 'add-file', 'open', 'reload', 'load-base', 'merge']);

export class SessionPlayer {
  private isPlaying = false;
  private isLoading = false;
  private resumePlaying: (() => void) | undefined;
  private skippedCount = 0;

  /** `folder`: the folder in which the session was recorded, to resolve its paths. Undefined: the current folder. */
  constructor(private readonly folder: string | undefined) {}

  /** Replays all actions. Resolves to the number of effects that were skipped. */
  async play(actions: readonly Action[], act: (action: Action) => void): Promise<number> {
    this.isPlaying = true;
    for (const action of actions) {
      act(action);
      if (this.isLoading)
        await new Promise<void>((resolve) => {
          this.resumePlaying = resolve;
        });
    }
    this.isPlaying = false;
    return this.skippedCount;
  }

  /** The effects to run. While replaying, effects outside the screen are skipped, and paths are relative to `folder`. */
  filterEffects(effects: readonly Effect[]): readonly Effect[] {
    if (!this.isPlaying) return effects;
    const allowed = effects.filter(({ type }) => !OUTSIDE_EFFECTS.has(type));
    this.skippedCount += effects.length - allowed.length;
    this.isLoading ||= allowed.some(({ type }) => LOADING_EFFECTS.has(type));
    const { folder } = this;
    return allowed.map((effect) => {
      if (effect.type === 'source-dir' && folder !== undefined) return { ...effect, dir: resolve(folder, effect.dir) };
      const hasPath = LOADING_EFFECTS.has(effect.type) && 'path' in effect && effect.path !== undefined;
      return hasPath && folder !== undefined ? { ...effect, path: resolve(folder, effect.path) } : effect;
    });
  }

  /** Must be called when loading a profile has ended, successfully or not. */
  loadEnded(): void {
    this.isLoading = false;
    this.resumePlaying?.();
    this.resumePlaying = undefined;
  }
}
