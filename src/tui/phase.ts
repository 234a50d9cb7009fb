// The screen from the start of the program on: a choice of profiles, progress, then the profile.
import type { AppState } from '../app/state.ts';
import type { Progress } from '../io/load.ts';
import type { Choice } from './Chooser.tsx';

export type Phase =
  | { readonly kind: 'choose'; readonly choice: Choice }
  | {
      readonly kind: 'load';
      readonly paths: readonly string[];
      readonly progress: Progress | undefined;
      readonly startedMs: number;
    }
  | { readonly kind: 'explore'; readonly state: AppState };
