// The initial state of a profile, from defaults and flags.

import { analyse } from '../analysis/answers/analyse.ts';
import { defaultEvent } from '../analysis/answers/analysis.ts';
import { allEvents } from '../analysis/answers/events.ts';
import { marksIn, notesOf } from '../analysis/answers/notes.ts';
import { inactiveParts } from '../analysis/answers/parts.ts';
import { ROUTINE_GRANULARITY } from '../analysis/profiles/granularity/stacks.ts';
import { buildShownProfile, type ShapingOptions } from '../analysis/profiles/shown.ts';
import { type KeptTransforms, transformLabel } from '../analysis/profiles/transforms/transform.ts';
import { warningText } from '../base/problem.ts';
import { visible } from '../base/safe-text.ts';
import { plural } from '../base/units.ts';
import type { OwnPaths } from '../model/head.ts';
import type { KeptNote, Profile } from '../model/profile.ts';
import { HOME_VIEW, type ViewId } from '../views/index.ts';
import type { AppState, StatusMessage } from './state.ts';

/** Options before a profile is shown, from flags, from the folder's project file, and from settings. */
export interface DisplayOptions
  extends Pick<ShapingOptions, 'granularity' | 'transforms'>,
    Pick<AppState, 'ascii' | 'choices' | 'filter' | 'keptTransforms' | 'measure' | 'syntax'> {
  readonly event: string | undefined;
  /** Show only these parts, in the syntax of --parts. */
  readonly parts: string | undefined;
  readonly derive: readonly string[];
  /** Names of events, parts and threads that initially have columns. */
  readonly columns: readonly string[];
  /** The routine in focus, in the syntax of --routine. */
  readonly routine: string | undefined;
  /** The folders that contain the user's own code. */
  readonly own: OwnPaths;
  readonly favourites: readonly string[];
}

export interface StartOptions
  extends Partial<DisplayOptions>,
    Pick<AppState, 'width' | 'height'>,
    Partial<Pick<AppState, 'siblings' | 'versus'>> {
  /** The first view. Absent: the Overview. */
  readonly view?: ViewId;
  readonly notes?: readonly KeptNote[];
  /** The columns that the user chose earlier: kind of profile, view and names. */
  readonly chosenColumns?: readonly string[];
  /** True at the user's first start: the footer then explains the most important keys. */
  readonly isNew?: boolean;
  /** Whether the terminal has colours; true by default. */
  readonly fills?: boolean;
  /** The time budget of a key; unlimited by default, for replays and tests. */
  readonly timeBudgetMs?: number;
}

/** The message at the start. Warnings about the profile take precedence over hints for the user. */
function initialMessage(
  { warnings, paths }: Profile,
  siblings: readonly string[],
  kept: KeptTransforms,
  isNew: boolean,
): StatusMessage | undefined {
  const wrong = warnings.filter((w) => w.sign !== undefined).at(-1);
  if (wrong) return { text: warningText(wrong, paths), kind: 'error' };
  if (kept.size > 0) {
    const names = Array.from(kept, ([name, list]) => name || list.map(transformLabel).join(', '));
    return { text: `S has a saved focus for this folder: ${visible(names.join('; '))}`, kind: 'info' };
  }
  if (siblings.length === 0)
    return isNew ? { text: 'Enter opens a row, q returns here; ? lists the keys', kind: 'info' } : undefined;
  const text = `${plural(siblings.length, 'other file')} of this run ${siblings.length === 1 ? 'is' : 'are'} here: o merges`;
  return { text, kind: 'info' };
}

const INITIAL_FIELDS = {
  transformsBefore: [],
  percent: 'usual',
  names: 'fit',
  detailRows: 1,
  views: new Map(),
  focus: -1,
  wholeCycle: false,
  step: -1,
  filter: '',
  search: '',
  marking: false,
  typed: new Map(),
  sources: new Map(),
  baseSources: new Map(),
  linedFiles: 0,
  withheld: new Map(),
  disassembly: new Map(),
  sourceDirs: [],
  unfinished: false,
  awaitsSubject: false,
  back: [],
  forward: [],
} satisfies Partial<AppState>;

export function initialState(loaded: Profile, options: StartOptions): AppState {
  const { granularity = ROUTINE_GRANULARITY, own, versus, keptTransforms = new Map(), siblings = [], choices = {} } = options;
  const { width, height, ascii = false, fills = true, measure = 'delta', syntax = 'att' } = options;
  const { timeBudgetMs = Number.POSITIVE_INFINITY } = options;
  // Inlined functions are added after the first frame, because debug information takes time to read.
  const transforms = (options.transforms ?? []).filter(({ word }) => word !== 'inlined');
  const profile = buildShownProfile(loaded, { granularity, transforms, own, versus });
  const off = inactiveParts(profile, options.parts);
  const analysis = analyse(profile, allEvents(profile.events, options.derive ?? []), off);
  const notes = notesOf(options.notes ?? []);
  const event = analysis.events.find((e) => e.name === options.event) ?? defaultEvent(analysis);
  return {
    ...INITIAL_FIELDS,
    ...{ loaded, granularity, own, versus, keptTransforms, siblings, choices, analysis, notes },
    ...{ width, height, ascii, fills, measure, syntax, timeBudgetMs },
    transforms: transforms.map((transform) => ({ transform, on: true })),
    event: event.name,
    extraColumns: [
      ...(options.columns ?? []),
      ...analysis.events.flatMap((e) => (e.name === choices.sort?.column && e !== event ? [e.name] : [])),
    ],
    // Such as `callgraph routines: self, routine`.
    chosenColumns: new Map(
      (options.chosenColumns ?? []).map((text) => text.split(': ')).map(([place, names = '']) => [place, names.split(', ')]),
    ),
    view: options.view ?? HOME_VIEW,
    message: initialMessage(loaded, siblings, keptTransforms, options.isNew ?? false),
    favourites: new Set(options.favourites),
    marks: marksIn(notes, analysis.profile),
  };
}
