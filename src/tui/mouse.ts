// Decodes mouse reports of the terminal into actions. Cells count from 0.
import type { Action } from '../app/action.ts';

/** A click with the left button, or a step of the wheel. */
export type PointerAction = Extract<Action, { x: number }>;

/** Turns on reports of presses and releases, without motion, and coordinates as decimal numbers. */
export const ENABLE_MOUSE = '\u001b[?1000h\u001b[?1006h';
export const DISABLE_MOUSE = '\u001b[?1006l\u001b[?1000l';

/** Parses a report in decimal numbers, the text after `ESC [ <`. */
export function parseDecimalReport(text: string): PointerAction | undefined {
  const [, code, x, y, end] = /^(\d{1,3});(\d{1,5});(\d{1,5})([Mm])$/.exec(text) ?? [];
  return end === 'M' ? pointerAction(Number(code), Number(x), Number(y)) : undefined;
}

/** Parses a report in three bytes, each a number plus 32. A release has the number 3. */
export function parseByteReport(text: string): PointerAction | undefined {
  const [code, x, y] = Array.from(text, (char) => char.charCodeAt(0) - 32);
  return pointerAction(code, x, y);
}

/** The bits of motion, of modifier keys, which terminals use themselves, and of additional buttons. */
const IGNORED_BITS = 0xbc;
/** The number of the wheel: 64 up, 65 down, 66 left, 67 right. */
const WHEEL_UP = 64;

/** The action of a report, whose coordinates count from 1. Only the left button and the wheel have one. */
function pointerAction(code: number, x: number, y: number): PointerAction | undefined {
  if ((code & IGNORED_BITS) !== 0 || x < 1 || y < 1) return undefined;
  const button = code & (WHEEL_UP | 3);
  const cell = { x: x - 1, y: y - 1 };
  if (button === 0) return { type: 'click', ...cell };
  return button === WHEEL_UP || button === WHEEL_UP + 1
    ? { type: 'wheel', by: button === WHEEL_UP ? -1 : 1, ...cell }
    : undefined;
}
