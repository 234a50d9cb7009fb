// What a profile was loaded with, for copied commands: no flags.
import type { LoadFlags } from '../../src/app/print-command.ts';
import { DEFAULT_LIMITS } from '../../src/base/limits.ts';

export const LOADED_PLAINLY: LoadFlags = {
  format: undefined,
  limits: DEFAULT_LIMITS,
  compiler: [],
  symbols: { binaries: [], dirs: [] },
  sourceDirs: [],
  pathMaps: [],
};
