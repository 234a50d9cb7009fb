// Presses keys without a terminal: the same way from key to action to state as on the screen.

import assert from 'node:assert/strict';
import type { Action } from '../../src/app/action.ts';
import { initialState, type StartOptions } from '../../src/app/first-state.ts';
import { actionForKey, actionOfBinding, bindingsOf, disabledReason } from '../../src/app/keymap.ts';
import { panelRows } from '../../src/app/panels.ts';
import { type AppState, activeView, type UpdateResult } from '../../src/app/state.ts';
import { applyAnswer, update } from '../../src/app/update.ts';
import { isWithheld } from '../../src/base/source-text.ts';
import { readSource } from '../../src/io/sources/source-text.ts';
import type { Profile } from '../../src/model/profile.ts';
import { viewNamed, viewsOf } from '../../src/views/index.ts';

export interface Player {
  state: AppState;
  readonly effects: string[];
  press(...keys: string[]): Player;
  type(text: string): Player;
  act(action: Action): Player;
  /** Takes the row with this text of the menu of options, or of another; `of`: the row has this word, too. */
  choose(text: string, menu?: string, of?: string): Player;
}

/** The initial state with the first list or picture of the profile instead of the Overview, unless the options name a view. */
export function openedState(profile: Profile, options: StartOptions): AppState {
  const state = initialState(profile, options);
  const first = viewsOf(state.analysis).find(({ id }) => id !== 'overview' && id !== 'findings');
  return options.view || !first ? state : { ...state, view: first.id };
}

export function play(profile: Profile, options: StartOptions, sourceDirs: readonly string[] = []): Player {
  const run = ([state, effects]: UpdateResult): void => {
    player.state = state;
    for (const effect of effects) {
      player.effects.push(effect.type);
      if (effect.type === 'source-dir') run(applyAnswer(player.state, { type: 'source-dir', dir: effect.dir }));
      if (effect.type !== 'source') continue;
      const dirs = [...player.state.sourceDirs, ...sourceDirs];
      const text = readSource(effect.file, { dirs, maps: [], profiles: [] });
      // When a checkout was made says nothing of the profile.
      const read = typeof text === 'string' || isWithheld(text) ? text : { ...text, newer: false };
      run(applyAnswer(player.state, { type: 'source-read', file: effect.file, text: read }));
    }
  };
  const player: Player = {
    state: openedState(profile, options),
    effects: [],
    press(...keys) {
      for (const key of keys)
        player.act(
          namedAction(player.state, key) ?? actionForKey(player.state, key, key.length === 1 ? key : key === 'space' ? ' ' : ''),
        );
      return player;
    },
    type(text) {
      return player.press(...[...text].map((c) => (c === ' ' ? 'space' : c)));
    },
    choose(text, menu = 'o', of = '') {
      player.press(menu);
      const row = panelRows(player.state).findIndex(({ cells }) => {
        const texts = Object.values(cells).map((cell) => cell.replace(/^[* ] /, ''));
        return texts.includes(text) && texts.join(' ').includes(of);
      });
      assert.ok(row >= 0, `the menu of ${menu} has no ${text}`);
      player.act({ type: 'panel-move', by: row - (player.state.panel?.row ?? 0) });
      return player.press('enter');
    },
    act(action) {
      run(update(player.state, action));
      return player;
    },
  };
  return player.act({ type: 'none' });
}

/** The action of a word: a view by its id, or an action without a key by its type, as the palette has them. */
function namedAction(state: AppState, word: string): Action | undefined {
  const view = viewNamed(word);
  if (view) {
    const shown = viewsOf(state.analysis).find(({ id }) => id === word);
    return shown?.digit ? { type: 'digit', digit: shown.digit } : { type: 'view', view: view.id };
  }
  if (word.length < 2) return undefined;
  const binding = bindingsOf(activeView(state)).find((b) => b.keys.length === 0 && b.action.type === word);
  if (!binding) return undefined;
  const reason = disabledReason(state, binding);
  return reason === undefined ? actionOfBinding(state, binding) : { type: 'say', text: reason };
}

/** `<text>` is typed, `{o:row}` is a row of the menu on that key; all else is a key. */
export function pressIn(player: Player, key: string): void {
  const [, text, menu, row] = /^<(.*)>$|^\{(.):(.*)\}$/.exec(key) ?? [];
  if (menu !== undefined) player.choose(row, menu);
  else if (text !== undefined) player.type(text);
  else player.press(key);
}
