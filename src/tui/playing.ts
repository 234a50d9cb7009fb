// Replays a session for --play or --resume. Each action waits until the previous one has finished loading.
import { resolve } from 'node:path';
import type { Action } from '../app/action.ts';
import type { Effect } from '../app/state.ts';

/**
 * Effects outside the screen. Replaying skips them: the session may be from somebody else, or the effects were done before
 * (--resume).
 */
const OUTSIDE_EFFECTS: ReadonlySet<Effect['type']> = new Set<Effect['type']>([
  ...(['edit', 'copy', 'copy-command', 'suspend', 'write', 'export', 'set'] as const),
  ...(['keep-panes', 'keep-favourite', 'keep-notes', 'keep-transforms'] as const),
]);
/** Effects whose answers later actions depend on. */
const LOADING_EFFECTS: ReadonlySet<Effect['type']> = new Set<Effect['type']>([
  'open-file',
  'open',
  'reload',
  'load-base',
  'merge',
]);

export class SessionPlayer {
  private isPlaying = false;
  private isLoading = false;
  private resumePlaying: (() => void) | undefined;
  private skippedCount = 0;

  /** `folder`: where the session was recorded; its paths are relative to it. Undefined: the current folder. */
  constructor(private readonly folder: string | undefined) {}

  /** Replays all actions; resolves to the number of skipped effects. */
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

  /** The effects to run: while replaying, without those outside the screen, and with paths resolved in the recorded folder. */
  filterEffects(effects: readonly Effect[]): readonly Effect[] {
    if (!this.isPlaying) return effects;
    const allowed = effects.filter(({ type }) => !OUTSIDE_EFFECTS.has(type));
    this.skippedCount += effects.length - allowed.length;
    this.isLoading ||= allowed.some(({ type }) => LOADING_EFFECTS.has(type));
    const { folder } = this;
    return allowed.map((effect) => {
      if (effect.type === 'source-dir' && folder !== undefined) return { ...effect, dir: resolve(folder, effect.dir) };
      const hasPath = effect.type === 'open' || effect.type === 'open-file' || effect.type === 'load-base';
      return hasPath && folder !== undefined ? { ...effect, path: resolve(folder, effect.path) } : effect;
    });
  }

  /** Called when a load has ended, successfully or not. */
  loadEnded(): void {
    this.isLoading = false;
    this.resumePlaying?.();
    this.resumePlaying = undefined;
  }
}
