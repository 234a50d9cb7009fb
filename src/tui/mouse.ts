// Decodes mouse reports of the terminal, and converts them to actions.
import type { Action } from '../app/action.ts';

export interface MouseReport {
  readonly kind: 'press' | 'release' | 'wheel';
  /** 0 left, 1 middle, 2 right, from 8 on further ones; of a wheel: 0 up, 1 down, 2 left, 3 right. */
  readonly button: number;
  /** The cell, counted from 0. */
  readonly x: number;
  readonly y: number;
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
}

/** Presses and releases, no motion; then coordinates as decimal numbers. */
export const MOUSE_ON = '\u001b[?1000h\u001b[?1006h';
export const MOUSE_OFF = '\u001b[?1006l\u001b[?1000l';

/** A report in decimal numbers, behind `ESC [ <`. */
export function parseDecimalReport(text: string): MouseReport | undefined {
  const [, code, x, y, end] = /^(\d{1,3});(\d{1,5});(\d{1,5})([Mm])$/.exec(text) ?? [];
  return end === undefined ? undefined : makeReport(Number(code), Number(x), Number(y), end === 'm');
}

/** A report in three bytes: the same numbers plus 32. It does not contain which button was released. */
export function parseByteReport(text: string): MouseReport | undefined {
  const [code, x, y] = Array.from(text, (char) => char.charCodeAt(0) - 32);
  return makeReport(code, x, y, (code & 0x43) === 3);
}

/** `x` and `y` count from 1. undefined for motion and other reports that were not requested. */
function makeReport(code: number, x: number, y: number, released: boolean): MouseReport | undefined {
  const wheel = (code & 64) !== 0;
  const motion = (code & 32) !== 0;
  if (motion || x < 1 || y < 1 || (wheel && released)) return undefined;
  return {
    kind: wheel ? 'wheel' : released ? 'release' : 'press',
    button: (code & 3) + (code & 128 ? 8 : 0),
    ...{ x: x - 1, y: y - 1 },
    ...{ shift: (code & 4) !== 0, alt: (code & 8) !== 0, ctrl: (code & 16) !== 0 },
  };
}

/** The action of a report: only the left button and the wheel, without modifier keys, which terminals use themselves. */
export function pointerAction({ kind, button, x, y, shift, alt, ctrl }: MouseReport): Extract<Action, { x: number }> | undefined {
  if (shift || alt || ctrl) return undefined;
  if (kind === 'press' && button === 0) return { type: 'click', x, y };
  return kind === 'wheel' && button < 2 ? { type: 'wheel', by: button === 0 ? -1 : 1, x, y } : undefined;
}
