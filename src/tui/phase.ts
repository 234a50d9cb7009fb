// The screen from the start of the program on: a choice of profiles, progress, then the profile.
import type { AppState } from '../app/state.ts';
import type { Found } from '../io/find.ts';
import type { Progress } from '../io/load.ts';

export type Phase =
  | { readonly kind: 'choose'; readonly folder: string | undefined; readonly found: readonly Found[]; readonly row: number }
  | {
      readonly kind: 'load';
      readonly paths: readonly string[];
      readonly progress: Progress | undefined;
      readonly startedMs: number;
    }
  | { readonly kind: 'explore'; readonly state: AppState };
