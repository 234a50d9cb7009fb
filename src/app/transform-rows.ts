// The rows of the focus panel: the stack of transforms, and transforms to add for the routine or file under the cursor.

import { routineFile, routineName, routineObject } from '../analysis/names/names.ts';
import { refusalReason, rootKeys } from '../analysis/profiles/transforms/apply.ts';
import { partKeys } from '../analysis/profiles/transforms/call-graph-roots.ts';
import {
  exactPattern,
  type PatternTarget,
  type Transform,
  transformLabel,
  transformText,
} from '../analysis/profiles/transforms/transform.ts';
import { readablePath } from '../base/paths.ts';
import { fit, visible } from '../base/text.ts';
import { matchingRows, type PanelRow } from './panel-row.ts';
import { type AppState, contextOf, cursorRoutine, openView } from './state.ts';

/** The effect of each transform, as shown in the focus panel. */
const TRANSFORM_MEANINGS = {
  focus: 'keep only stacks with it',
  ignore: 'drop stacks with it',
  hide: 'drop its frames; their cost goes to the callers',
  show: 'keep only its frames',
  'show-from': 'keep it and its callees, drop its callers',
  'prune-from': 'its callees become its self cost',
  merge: 'merge its frames into one',
} as const;

type OfferedWord = keyof typeof TRANSFORM_MEANINGS;
const ROUTINE_WORDS: readonly OfferedWord[] = ['focus', 'ignore', 'hide', 'show-from', 'prune-from'];
const FILE_WORDS: readonly OfferedWord[] = ['focus', 'ignore', 'hide', 'show', 'merge'];

const PROFILE_TRANSFORMS: readonly (readonly [Transform, string])[] = [
  [{ word: 'only-own' }, 'code outside the source folders is charged to its caller'],
  [{ word: 'collapse', what: 'recursion' }, 'each routine appears once per stack'],
  [{ word: 'collapse', what: 'chains' }, 'chains of single calls become one frame'],
];

/** The stack of transforms, then transforms to add. The last row adds the typed text as a transform. */
export function transformRows(state: AppState): PanelRow[] {
  const text = state.panel?.text.trim() ?? '';
  const row = (what: string, means: string, action: PanelRow['action'], off?: string): PanelRow => ({
    // The last 44 cells show the effect of the transform.
    cells: { focus: fit(what, Math.max(20, state.width - 44), 'left', 'middle').trimEnd(), '': means },
    action,
    off,
  });
  const add = (transform: Transform, means: string, label?: string) => {
    const actionText = transformText(transform);
    return row(
      visible(label ?? transformLabel(transform)),
      means,
      { type: 'transform', text: actionText },
      refusalReason(state.loaded, transform),
    );
  };
  const rows = [
    ...state.transforms.map(({ transform, on }, at) =>
      row(
        `${on ? '*' : ' '} ${visible(transformLabel(transform))}`,
        on ? 'on; Space switches it off, Del removes it, ← → move it' : 'off; Space switches it on, Del removes it',
        { type: 'change-transform', at, change: 'toggle' },
      ),
    ),
    ...offeredTargets(state).flatMap(([target, name, words]) =>
      name === null
        ? []
        : words.map((word) =>
            add(
              { word, pattern: exactPattern(target, name) },
              TRANSFORM_MEANINGS[word],
              target === 'routine' ? undefined : `${word} ${target} ${readablePath(name)}`,
            ),
          ),
    ),
    ...rootKeys(state.loaded)
      .slice(0, MAX_LABEL_ROWS)
      .map((key) =>
        add({ word: 'tag-root', pattern: key }, ROOT_FRAME_MEANINGS[partKeys(state.loaded).includes(key) ? 'parts' : 'labels']),
      ),
    ...PROFILE_TRANSFORMS.map(([transform, means]) => add(transform, means)),
    ...(state.transforms.length > 0 ? [row('save', 'this focus for the folder', { type: 'keep-transforms' })] : []),
    ...(state.transformsBefore.length > 0 ? [row('undo', 'undo the last change', { type: 'undo-transforms' })] : []),
    ...Array.from(state.keptTransforms, ([name, kept]) =>
      row(visible(`apply ${name || 'saved'}`), visible(kept.map(transformLabel).join(', ')), { type: 'take-kept', name }),
    ),
  ];
  const found = matchingRows(text, rows);
  if (text === '') return found;
  const isSet = state.transforms.some(({ on }) => on);
  const canSave = isSet ? !/=/.test(text) : state.keptTransforms.has(text);
  const keep = { type: 'keep-transforms', name: text } as const;
  const named = row(visible(`${isSet ? 'save as' : 'remove'} ${text}`), 'the focus of this name', keep);
  return [...found, row(visible(text), 'as typed', { type: 'transform', text }), ...(canSave ? [named] : [])];
}

const ROOT_FRAME_MEANINGS = { parts: 'add a root frame per thread or part', labels: 'add a root frame per value of this label' };

/** Maximum labels that are offered, one row each. */
const MAX_LABEL_ROWS = 20;

/** The subjects of offered transforms: the routine under the cursor, its source line, file and object; null if unknown. */
function offeredTargets(state: AppState): (readonly [PatternTarget, name: string | null, readonly OfferedWord[]])[] {
  const { profile, costing } = state.analysis;
  const routine = cursorRoutine(state);
  const location = openView(state).sourcePosition(contextOf(state));
  const hasLine = location && location.line > 0 && costing.can.has('stacks');
  return [
    ['routine', routine < 0 ? null : routineName(profile, routine), ROUTINE_WORDS],
    ['line', hasLine ? `${location.file}:${location.line}` : null, ['focus', 'ignore']],
    ['file', location?.file ?? (routine < 0 ? null : routineFile(profile, routine)), FILE_WORDS],
    ['object', routine < 0 ? null : routineObject(profile, routine), FILE_WORDS],
  ];
}
