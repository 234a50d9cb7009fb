// The options of the screen, from flags.
import type { BaseRun } from '../analysis/profiles/compare/compare.ts';
import type { DisplayOptions } from '../app/first-state.ts';
import type { LoadFlags } from '../app/print-command.ts';
import type { PreferredSettings } from '../app/start.ts';
import type { AppState } from '../app/state.ts';
import type { BaseSourcePaths } from '../io/sources/source-text.ts';
import type { SymbolOptions } from '../io/symbols/find-object.ts';
import type { Profile } from '../model/profile.ts';
import type { ChooserState } from './Chooser.tsx';
import type { LoadingState } from './Loading.tsx';
import type { ThemeOptions } from './theme.ts';

export interface ScreenOptions extends DisplayOptions, LoadFlags, ThemeOptions {
  readonly paths: readonly string[];
  /** The names of the flags given on the command line. */
  readonly given: ReadonlySet<string>;
  readonly symbols: SymbolOptions;
  /** Preferences from the user's settings, applied where the profile supports them. */
  readonly wishes: PreferredSettings & { readonly keys: ReadonlyMap<string, string>; readonly panes: 'one' | 'two' };
  readonly basePlaces: (now: Profile, base: Profile) => BaseSourcePaths;
  readonly base: readonly string[];
  /** Loads the base that the opened files are compared with. Rejects with FormatError. */
  readonly versus: (
    bases: readonly string[],
    opened: readonly string[],
    load: (paths: readonly string[]) => Promise<Profile>,
  ) => Promise<BaseRun | undefined>;
  /** The content of standard input, if it was already read. */
  readonly input: Uint8Array | undefined;
  /** Disassemble any object file, even if only an untrusted profile names it. */
  readonly disassemble: boolean;
  /** Let proftui handle clicks and the wheel instead of the terminal. */
  readonly mouse: boolean;
  /** Reload files while they are being written. */
  readonly follow: boolean;
  readonly record: string | undefined;
  readonly play: string | undefined;
  /** The folder in which the replayed session was recorded. Absent: the current folder. */
  readonly playedIn?: string;
  readonly tour: boolean;
}

// The phases of the screen: choosing a profile, loading it, exploring it.

export type ScreenPhase =
  | { readonly kind: 'choose'; readonly choice: ChooserState }
  | ({ readonly kind: 'load' } & Omit<LoadingState, 'nowMs'>)
  | { readonly kind: 'explore'; readonly state: AppState };
