// Display options before a profile is shown, from flags, from the folder's project file, and from settings.
import type { ShapingOptions } from '../analysis/profiles/shown.ts';
import type { KeptTransforms } from '../analysis/profiles/transforms/transform.ts';
import type { Syntax } from '../base/source-text.ts';
import type { Measure, OwnPaths } from '../model/head.ts';
import type { FlagChoices } from '../views/view.ts';

export interface DisplayOptions extends Pick<ShapingOptions, 'granularity' | 'transforms'> {
  readonly ascii: boolean;
  readonly event: string | undefined;
  /** Show only these parts, in the syntax of --parts. */
  readonly parts: string | undefined;
  readonly choices: FlagChoices;
  readonly derive: readonly string[];
  /** Names of events, parts and threads that initially have columns. */
  readonly columns: readonly string[];
  readonly filter: string;
  /** The routine in focus, in the syntax of --routine. */
  readonly routine: string | undefined;
  /** The saved stack of transforms; the focus panel offers it. */
  readonly keptTransforms: KeptTransforms;
  /** The folders that contain the user's own code. */
  readonly own: OwnPaths;
  readonly favourites: readonly string[];
  readonly measure: Measure;
  readonly syntax: Syntax;
}
