// The values of menu options. An action without a value selects the next one.
import type { Kind } from '../../model/profile.ts';
import { type Binding, key } from '../view.ts';

/** `wanted`, if it is one of the values; else the value after `now`, or before it for `by` -1. */
export const nextValue = <T extends string>(values: readonly T[], now: T, wanted?: string, by = 1): T =>
  values.find((value) => value === wanted) ?? values[(values.indexOf(now) + by + values.length) % values.length];

/** The binding of an option that is on or off, without a key: the menu `o` offers both. `label`: what is on, in the menu. */
export const onOffKey = <S, const T extends string, K extends Kind>(
  type: T,
  help: string,
  label: string,
  isOn: (state: S) => boolean,
  own: Pick<Binding<S, { readonly type: T }, K>, 'off' | 'usable'> = {},
): Binding<S, { readonly type: T }, K> => {
  const options = { label, values: () => ON_OFF_VALUES, current: (state: S) => (isOn(state) ? 'on' : 'off') };
  return key('', { type }, 'show', help, { ...own, options });
};

const ON_OFF_VALUES = ['on', 'off'] as const;

/** Whether the option is on after the action: as wanted, or switched if nothing is wanted. */
export const nextOnOff = (isOn: boolean, wanted?: string): boolean => (wanted === undefined ? !isOn : wanted === 'on');
