// Keys on a profile, without a terminal: nothing is thrown, the screen is as large as it should be, and no raw character is on it.
import { drawScreen } from '../src/app/draw.ts';
import { initialState } from '../src/app/first-state.ts';
import { pasteAction } from '../src/app/input.ts';
import { actionForKey } from '../src/app/keymap.ts';
import { panelRows } from '../src/app/panels.ts';
import { printCommand } from '../src/app/print-command.ts';
import type { AppState, Effect, UpdateResult } from '../src/app/state.ts';
import { applyAnswer, prepareForKeys, update } from '../src/app/update.ts';
import { cellWidth } from '../src/base/text.ts';
import type { Profile } from '../src/model/profile.ts';
import { wholeViewText } from '../src/tui/write-view.ts';
import { LOADED_PLAINLY } from '../test/support/loaded-with.ts';
import type { Failure } from './failure.ts';
import { comparable, versusOf } from './oracle-compare.ts';
import type { Plan } from './plan.ts';
import type { Steps } from './steps.ts';
import { rawIn, type Words } from './texts.ts';

/** Half of the files have a text; the same ones each time. */
function sourceFor(file: string, ofBase: boolean) {
  if (file.length % 2 === 0) return 'no such file';
  const lines = ['int main() {', '\tint a;\u001b[31m', '\u65e5\u672c\u0301', '', '}'.repeat(300)];
  // Lines that moved, one that is gone and one that is new.
  return { path: file, newer: false, lines: ofBase ? ['// old', ...lines.slice(1), 'gone'] : lines };
}

const OFFERS = [{ path: 'old \u001b[31m', name: 'other', description: 'older' }];

/** The effects that change what is seen, answered without a machine. */
function effected(state: AppState, effects: readonly Effect[], loaded: Profile, base: Profile | undefined, depth = 0): AppState {
  let now = state;
  const go = ([next, more]: UpdateResult) => {
    now = depth < 20 ? effected(next, more, loaded, base, depth + 1) : next;
  };
  for (const effect of effects) {
    if (effect.type === 'source') {
      const { file, base: ofBase = false } = effect;
      go(applyAnswer(now, { type: 'source-read', file, text: sourceFor(file, ofBase), base: ofBase }));
    } else if (effect.type === 'find-bases') go(applyAnswer(now, { type: 'bases-found', offers: OFFERS }));
    else if (effect.type === 'load-base' && base)
      go(applyAnswer(now, { type: 'base-loaded', versus: versusOf(base), path: effect.path }));
    else if (effect.type === 'source-dir') go(applyAnswer(now, { type: 'source-dir', dir: effect.dir }));
    else if (effect.type === 'disassemble')
      go(applyAnswer(now, { type: 'disassembled', routine: effect.routine, text: 'no object', asked: effect.asked }));
    else if (effect.type === 'reload')
      go(applyAnswer(now, { type: 'loaded', profile: loaded, derive: [], siblings: [], why: 'reloaded' }));
    else if (effect.type === 'open') go(applyAnswer(now, { type: 'opened', notes: [], profile: loaded }));
    else if (effect.type === 'copy-command') printCommand(now, LOADED_PLAINLY);
  }
  return now;
}

function pressed(state: AppState, key: string): UpdateResult {
  const size = /^(\d+)x(\d+)$/.exec(key);
  if (size) return update(state, { type: 'resize', width: Number(size[1]), height: Number(size[2]) });
  const cell = /^@(\d+),(\d+)([+-]?)$/.exec(key);
  if (cell) {
    const [x, y] = [Number(cell[1]), Number(cell[2])];
    return update(state, cell[3] === '' ? { type: 'click', x, y } : { type: 'wheel', by: cell[3] === '+' ? 1 : -1, x, y });
  }
  if (key.length > 1 && key.startsWith('"')) return update(state, pasteAction(state, key.slice(1)));
  return update(state, actionForKey(state, key, key.length === 1 ? key : key === 'space' ? ' ' : ''));
}

export async function checkKeys(
  loaded: Profile,
  base: Profile | undefined,
  plan: Plan,
  steps: Steps,
  words: Words,
): Promise<void> {
  let state = await steps.run('first screen', () => {
    const { width, height, ascii } = plan;
    const versus = base && comparable(loaded, base) ? versusOf(base) : undefined;
    const [next, effects] = update(initialState(loaded, { width, height, ascii, versus }), { type: 'none' });
    return effected(next, effects, loaded, base);
  });
  const seen = new Set<string>();
  const look = (now: AppState) => {
    for (const failure of wrongOn(now, words)) {
      // One wrong line stays on the screen for many keys.
      const key = `${failure.kind} ${failure.step} ${failure.cause}`;
      if (!seen.has(key)) steps.fail(failure);
      seen.add(key);
    }
  };
  for (const key of ['', ...plan.keys]) {
    if (!state) return;
    const before = state;
    const next = await steps.run(key === '' ? 'drawing' : `key in ${before.view}`, () => {
      const now = key === '' ? before : effected(...pressed(before, key), loaded, base);
      if (now.panel) panelRows(now);
      look(now);
      return now;
    });
    // What threw is not pressed further.
    if (!next) return;
    state = next;
  }
  const last = state;
  if (!last) return;
  await steps.run('written view', () => {
    prepareForKeys(last);
    const raw = rawIn(wholeViewText(last).replaceAll('\n', ''));
    if (raw !== undefined)
      steps.fail({
        kind: 'control',
        step: `written ${last.view}`,
        cause: 'a raw character',
        detail: `${raw}: ${JSON.stringify(wholeViewText(last).slice(0, 500))}`,
      });
    const command = printCommand(last, LOADED_PLAINLY);
    const odd = 'command' in command ? rawIn(command.command) : undefined;
    if (odd !== undefined)
      steps.fail({
        kind: 'control',
        step: 'copied command',
        cause: 'a raw character',
        detail: `${odd}: ${JSON.stringify(command)}`,
      });
  });
}

/** What is wrong with the screen, at most one thing of a sort. */
function wrongOn(state: AppState, words: Words): Failure[] {
  const out = new Map<string, Failure>();
  const step = `screen ${state.view}`;
  const { width, height } = state;
  const size = `${width}x${height}`;
  const add = (kind: string, cause: string, detail: string) => {
    if (!out.has(kind)) out.set(kind, { kind, step, cause, detail: `${size}: ${detail}` });
  };
  const lines = drawScreen(state);
  if (lines.length !== height)
    add('height', `${lines.length < height ? 'fewer' : 'more'} lines than the screen`, `${lines.length} lines`);
  for (const line of lines) {
    const text = line.spans.map(([t]) => t).join('');
    // Escape sequences come between spans: a character of two code units must not be in two of them.
    const raw = line.spans.map(([t]) => rawIn(t)).find((found) => found !== undefined);
    if (raw !== undefined) add('control', 'a raw character', `${raw}: ${JSON.stringify(text.slice(0, 300))}`);
    if (cellWidth(text) > width)
      add('width', 'a line that is too wide', `${cellWidth(text)} cells: ${JSON.stringify(text.slice(0, 300))}`);
    const odd = words.oddIn(text);
    if (odd) add('text', odd.word, text.trim());
  }
  return [...out.values()];
}
