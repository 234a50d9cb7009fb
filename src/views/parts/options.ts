// Choices that a menu lists, and that an action without a value goes through one by one.
import type { Kind } from '../../model/profile.ts';
import type { Options } from '../view.ts';

/** The value that is asked for; without one, the next (or previous) after the present one. */
export function chosen<T extends string>(values: readonly T[], now: T, wanted?: string, by = 1): T {
  return values.find((value) => value === wanted) ?? values[(values.indexOf(now) + by + values.length) % values.length];
}

/** Options that are on or off. */
export function onOrOff<S, K extends Kind>(of: string, isOn: (state: S) => boolean): Options<S, K> {
  return { of, values: () => ON_OFF, now: (state) => (isOn(state) ? 'on' : 'off') };
}

const ON_OFF = ['on', 'off'] as const;

/** The other of two, or the one that is asked for. */
export const switched = (isOn: boolean, wanted?: string): boolean => (wanted === undefined ? !isOn : wanted === 'on');
