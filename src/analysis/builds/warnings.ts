// Warnings in the messages of steps, as GCC, Clang, MSVC and linkers write them.

import { addToList, memo } from '../../base/lists.ts';
import type { Analysis } from '../answers/analysis.ts';
import { activeSteps, stepText } from '../answers/steps/steps.ts';

/** `warning:` or `warning C4996:`, and the place before it: `src/a.h:3:9: `, `a.h(3): `. Other words for a warning are not counted. */
const WARNING = /\bwarning(?: [A-Z]{1,4}\d{1,6})?:/;
const PLACE = /^(.{1,500}?)(?::\d{1,9}(?::\d{1,9})?|\(\d{1,9}(?:,\d{1,9})?\)) ?: $/; // bounded: counted repeats

/**
 * The warnings of all active steps; undefined if no step has messages. `counts`: by step, its number of warnings; steps without
 * any are absent. `byFile`: by the file that a warning names, the steps that wrote it, once for each warning.
 */
export const stepWarnings = memo((analysis: Analysis<'steps'>) => {
  const { profile } = analysis;
  if (!profile.steps.messages.some((text) => text >= 0)) return undefined;
  const counts = new Map<number, number>();
  const byFile = new Map<string, number[]>();
  let total = 0;
  for (const step of activeSteps(analysis))
    for (const line of stepText(profile, 'messages', step)?.split('\n') ?? []) {
      const at = line.search(WARNING);
      if (at < 0) continue;
      counts.set(step, (counts.get(step) ?? 0) + 1);
      const file = PLACE.exec(line.slice(0, at))?.[1];
      if (file !== undefined) addToList(byFile, file, step);
      total++;
    }
  return { counts, byFile, total };
}, 2);
