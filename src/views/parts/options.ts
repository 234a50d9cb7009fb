// The values of menu options. An action without a value selects the next one.
import type { Kind } from '../../model/profile.ts';
import type { MenuOptions } from '../view.ts';

/** `wanted`, if it is one of the values; else the value after `now`, or before it for `by` -1. */
export const nextValue = <T extends string>(values: readonly T[], now: T, wanted?: string, by = 1): T =>
  values.find((value) => value === wanted) ?? values[(values.indexOf(now) + by + values.length) % values.length];

export const onOffOptions = <S, K extends Kind>(label: string, isOn: (state: S) => boolean): MenuOptions<S, K> => ({
  label,
  values: () => ON_OFF_VALUES,
  current: (state) => (isOn(state) ? 'on' : 'off'),
});

const ON_OFF_VALUES = ['on', 'off'] as const;

/** Whether the option is on after the action: as wanted, or switched if nothing is wanted. */
export const nextOnOff = (isOn: boolean, wanted?: string): boolean => (wanted === undefined ? !isOn : wanted === 'on');
