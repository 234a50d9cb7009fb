// The options of the screen, from flags.
import type { Versus } from '../analysis/profiles/compare/versus.ts';
import type { Look } from '../app/display-options.ts';
import type { LoadedWith } from '../app/print-command.ts';
import type { Wishes } from '../app/start.ts';
import type { AppState } from '../app/state.ts';
import type { Progress, SymbolOptions } from '../io/load.ts';
import type { BasePlaces } from '../io/sources/base-source.ts';
import type { Profile } from '../model/profile.ts';
import type { Choice } from './Chooser.tsx';
import type { ThemeWishes } from './theme.ts';

export interface ScreenOptions extends Look, LoadedWith, ThemeWishes {
  readonly paths: readonly string[];
  /** The names of the flags on the command line. */
  readonly given: ReadonlySet<string>;
  readonly symbols: SymbolOptions;
  /** The wishes of the user's settings: followed where the profile can. */
  readonly wishes: Wishes & { readonly keys: ReadonlyMap<string, string>; readonly panes: 'one' | 'two' };
  /** Where the base's sources are. */
  readonly basePlaces: (now: Profile, base: Profile) => BasePlaces;
  /** Paths after --base. */
  readonly base: readonly string[];
  /** Loads what `bases` name as the run to compare the opened files with; throws FormatError. */
  readonly versus: (
    bases: readonly string[],
    opened: readonly string[],
    load: (paths: readonly string[]) => Promise<Profile>,
  ) => Promise<Versus | undefined>;
  /** The bytes already read from standard input. */
  readonly input: Uint8Array | undefined;
  /** Run objdump on any object, also on those that a profile of unknown origin names. */
  readonly disassemble: boolean;
  /** Clicks and the wheel are ours, not the terminal's. */
  readonly mouse: boolean;
  /** Read again whatever is being written. */
  readonly follow: boolean;
  readonly record: string | undefined;
  readonly play: string | undefined;
  /** The folder in which that was recorded. Absent: this one. */
  readonly playedIn?: string;
  readonly tour: boolean;
}

// The screen from the start of the program on: a choice of profiles, progress, then the profile.

export type Phase =
  | { readonly kind: 'choose'; readonly choice: Choice }
  | {
      readonly kind: 'load';
      readonly paths: readonly string[];
      readonly progress: Progress | undefined;
      readonly startedMs: number;
    }
  | { readonly kind: 'explore'; readonly state: AppState };
