// Times as people read them are rounded, also where they become the next unit.
import assert from 'node:assert/strict';
import test from 'node:test';
import { timeText } from '../../src/columns/times.ts';

test('a time is within half of its last digit of what it stands for, and as long as others near it', () => {
  for (const [us, text] of [
    [87_754_000, '1m28s'],
    [59_940_000, '59.9s'],
    [59_960_000, '1m00s'],
    [119_600_000, '2m00s'],
    [9_994_000, '9.99s'],
    [9_996_000, '10.0s'],
    [999_600, '1.00s'],
    [9_960, '10ms'],
    [999.6, '1.0ms'],
    [999.4, '999us'],
    [-87_754_000, '-1m28s'],
  ] as const)
    assert.equal(timeText(us), text);
  const UNITS: Readonly<Record<string, number>> = { s: 1e6, ms: 1e3, us: 1 };
  const read = (text: string): readonly [us: number, digit: number] => {
    const [, minutes = '0', value = '', unit = ''] = /^(?:(\d+)m)?([\d.]+)(s|ms|us)$/.exec(text) ?? [];
    const of = UNITS[unit];
    return [Number(minutes) * 60e6 + Number(value) * of, of / 10 ** (value.split('.')[1] ?? '').length];
  };
  let last = -1;
  for (let us = 1; us < 1e10; us *= 1.003) {
    const [shown, digit] = read(timeText(us));
    assert.ok(shown >= last, `${us}: ${timeText(us)} is less than the one before`);
    assert.ok(Math.abs(shown - us) <= digit / 2 + 1e-6, `${us}: ${timeText(us)}`);
    last = shown;
  }
});
