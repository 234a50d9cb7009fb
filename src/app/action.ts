// Actions of keys: plain data, so that a session can be recorded and replayed.
import type { AnyViewAction, ViewId } from '../views/index.ts';

export type PromptKind = 'search' | 'filter' | 'write' | 'export' | 'derive';
export const PANELS = ['help', 'events', 'palette', 'bases', 'transforms', 'sort', 'options', 'save'] as const;
export type PanelKind = (typeof PANELS)[number];
/** A change to a transform of the stack. */
export const CHANGES = ['toggle', 'remove', 'earlier', 'later'] as const;
export type Change = (typeof CHANGES)[number];
/** Editing of a line of text. */
export type Edit = 'backspace' | 'delete' | 'left' | 'right' | 'home' | 'end' | 'clear' | 'word';

export type AppAction =
  | {
      readonly type:
        | 'none'
        | 'work'
        | 'redraw'
        | 'quit'
        | 'suspend'
        | 'escape'
        | 'back'
        | 'leave'
        | 'forward'
        | 'percent'
        | 'names'
        | 'all-parts'
        | 'panel-toggle'
        | 'accept'
        | 'grain'
        | 'unknowns'
        | 'edit'
        | 'show-source'
        | 'copy'
        | 'copy-command'
        | 'reload'
        | 'follow-file'
        | 'merge'
        | 'measure'
        | 'accept-guess'
        | 'choose-base'
        | 'base-before'
        | 'no-base'
        | 'follow'
        | 'only-own'
        | 'undo-transforms'
        | 'keep-transforms'
        | 'take-kept';
    }
  /** Adds a transform, as --apply has it. */
  | { readonly type: 'transform'; readonly text: string }
  | { readonly type: 'change-transform'; readonly at: number; readonly change: Change }
  /** To a row by its number, in Source to a line. */
  | { readonly type: 'go-to'; readonly number: number }
  | { readonly type: 'resize'; readonly width: number; readonly height: number }
  | { readonly type: 'say'; readonly text: string }
  /** The next key names a mark, to set or to go to. */
  | { readonly type: 'wait'; readonly kind: 'mark' | 'to-mark' }
  | { readonly type: 'mark' | 'to-mark'; readonly letter: string }
  | { readonly type: 'digit'; readonly digit: string }
  | { readonly type: 'view'; readonly view: ViewId }
  | { readonly type: 'next-view'; readonly by: 1 | -1 }
  | { readonly type: 'show'; readonly view: ViewId; readonly routine: number; readonly context?: number }
  | { readonly type: 'event' | 'extra-event'; readonly name: string }
  | { readonly type: 'toggle-part' | 'only-part'; readonly part: number }
  | { readonly type: 'prompt'; readonly kind: PromptKind }
  | { readonly type: 'panel'; readonly kind: PanelKind }
  | { readonly type: 'split'; readonly how: 'beside' | 'below' | 'next' }
  /** Two views side by side, where the screen is wide enough for them. */
  | { readonly type: 'split-wide' }
  | { readonly type: 'panel-move'; readonly by: number }
  /** Changes the transform in the panel's row. */
  | { readonly type: 'panel-change'; readonly change: Change }
  | { readonly type: 'input' | 'input-set'; readonly text: string }
  | { readonly type: 'input-edit'; readonly edit: Edit }
  /** An earlier text of such a prompt: older by 1, newer by -1. */
  | { readonly type: 'input-older'; readonly by: 1 | -1 }
  | { readonly type: 'command'; readonly name: CommandName; readonly argument: string }
  /** A command of a view: prompts for its argument, or runs with it. */
  | { readonly type: 'ask'; readonly view: ViewId; readonly command: string }
  | { readonly type: 'view-command'; readonly view: ViewId; readonly name: string; readonly argument: string }
  | { readonly type: 'search'; readonly by: 1 | -1 }
  | { readonly type: 'favourite'; readonly name: string }
  | { readonly type: 'want-disassembly'; readonly routine: number }
  | { readonly type: 'open-profile'; readonly path: string }
  /** The left button on a cell of the screen, counted from 0; one step of the wheel there, down (1) or up (-1). */
  | { readonly type: 'click'; readonly x: number; readonly y: number }
  | { readonly type: 'wheel'; readonly by: 1 | -1; readonly x: number; readonly y: number };

export type Action = AppAction | { readonly type: 'in-view'; readonly view: ViewId; readonly action: AnyViewAction };

/** Commands available in every view that take an argument. */
export const COMMANDS = [
  { name: 'apply', arg: 'focus=RE', help: 'narrow the profile: focus=, ignore=, hide=, show=, merge=, time=, only-own …' },
  { name: 'derive', arg: 'NAME=FORMULA', help: 'define an event by a formula' },
  { name: 'write', arg: 'FILE', help: 'write the view to a file' },
  { name: 'export', arg: 'FILE', help: 'export the shown profile for another tool; the file ending selects the format' },
  { name: 'open', arg: 'PATH', help: 'open another profile; Backspace goes back to this one' },
  { name: 'set', arg: 'NAME VALUE', help: 'keep a setting: theme, ascii, mouse, sort, columns, source-dir, keys …' },
  { name: 'note', arg: 'TEXT', help: 'add a note to the routine under the cursor; - removes it' },
  { name: 'filter', arg: 'TEXT', help: 'show only matching rows' },
  { name: 'search', arg: 'TEXT', help: 'search in this view' },
  { name: 'source-dir', arg: 'DIR', help: 'look for sources in this folder, too' },
  { name: 'base', arg: 'PATH', help: 'compare with this profile, folder or build' },
  { name: 'column', arg: 'NAME', help: 'show or hide a column for an event, a part or a thread' },
] as const;

export type CommandName = (typeof COMMANDS)[number]['name'];
