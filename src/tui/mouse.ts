// Decodes mouse reports of the terminal into actions.
import type { Action } from '../app/action.ts';

export interface MouseReport {
  readonly kind: 'press' | 'release' | 'wheel';
  /** 0 left, 1 middle, 2 right, from 8 on additional buttons. For the wheel: 0 up, 1 down, 2 left, 3 right. */
  readonly button: number;
  /** The cell, counted from 0. */
  readonly x: number;
  readonly y: number;
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
}

/** Turns on reports of presses and releases, without motion, and coordinates as decimal numbers. */
export const ENABLE_MOUSE = '\u001b[?1000h\u001b[?1006h';
export const DISABLE_MOUSE = '\u001b[?1006l\u001b[?1000l';

/** Parses a report in decimal numbers, the text after `ESC [ <`. */
export function parseDecimalReport(text: string): MouseReport | undefined {
  const [, code, x, y, end] = /^(\d{1,3});(\d{1,5});(\d{1,5})([Mm])$/.exec(text) ?? [];
  return end === undefined ? undefined : makeReport(Number(code), Number(x), Number(y), end === 'm');
}

/** Parses a report in three bytes, each a number plus 32. It does not tell which button was released. */
export function parseByteReport(text: string): MouseReport | undefined {
  const [code, x, y] = Array.from(text, (char) => char.charCodeAt(0) - 32);
  return makeReport(code, x, y, (code & 0x43) === 3);
}

/** Makes a report from coordinates that count from 1; undefined for motion and other unrequested reports. */
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

/** The action of a mouse report. Only the left button and the wheel have one; terminals use modifier keys themselves. */
export function pointerAction({ kind, button, x, y, shift, alt, ctrl }: MouseReport): Extract<Action, { x: number }> | undefined {
  if (shift || alt || ctrl) return undefined;
  if (kind === 'press' && button === 0) return { type: 'click', x, y };
  return kind === 'wheel' && button < 2 ? { type: 'wheel', by: button === 0 ? -1 : 1, x, y } : undefined;
}
