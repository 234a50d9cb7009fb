// What the screen is opened with: the flags that concern it.

import type { Versus } from '../analysis/compare/versus.ts';
import type { Granularity } from '../analysis/stacks/granularity.ts';
import type { OwnPlaces } from '../analysis/transforms/own-code.ts';
import type { Transform } from '../analysis/transforms/transform.ts';
import type { Wishes } from '../app/start.ts';
import type { Limits } from '../base/limits.ts';
import type { ThemeName } from '../base/style.ts';
import type { BasePlaces } from '../io/base-source.ts';
import type { SymbolOptions } from '../io/load.ts';
import type { Measure } from '../model/head.ts';
import type { Profile } from '../model/profile.ts';
import type { Choices } from '../views/view.ts';

export interface ScreenOptions {
  readonly paths: readonly string[];
  readonly format: string | undefined;
  readonly event: string | undefined;
  readonly derive: readonly string[];
  readonly columns: readonly string[];
  readonly filter: string;
  readonly routine: string | undefined;
  readonly choices: Choices;
  /** What the user's settings wish: followed where the profile can. */
  readonly wishes: Wishes & { readonly keys: ReadonlyMap<string, string> };
  readonly parts: string | undefined;
  readonly granularity: Granularity;
  readonly transforms: readonly Transform[];
  readonly keptTransforms: readonly Transform[];
  /** Where one's own code is. */
  readonly own: OwnPlaces;
  readonly favourites: readonly string[];
  /** Where the base's sources are. */
  readonly basePlaces: (now: Profile, base: Profile) => BasePlaces;
  /** What --base names. */
  readonly bases: readonly string[];
  /** Loads what `bases` name as the run to compare the opened files with; throws FormatError. */
  readonly versus: (
    bases: readonly string[],
    opened: readonly string[],
    load: (paths: readonly string[]) => Promise<Profile>,
  ) => Promise<Versus | undefined>;
  readonly measure: Measure;
  readonly symbols: SymbolOptions;
  /** What has been read of standard input already. */
  readonly input: Uint8Array | undefined;
  readonly limits: Limits;
  readonly sourceDirs: readonly string[];
  readonly pathMaps: readonly (readonly [from: string, to: string])[];
  /** Run objdump on any object, also on those that a profile of unknown origin names. */
  readonly disassemble: boolean;
  readonly color: boolean;
  readonly theme: ThemeName;
  readonly ascii: boolean;
  /** Clicks and the wheel are ours, not the terminal's. */
  readonly mouse: boolean;
  /** Read again whatever is being written. */
  readonly follow: boolean;
  readonly record: string | undefined;
  readonly play: string | undefined;
  readonly tour: boolean;
}
