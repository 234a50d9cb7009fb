// Times as people read them are rounded, also where they become the next unit.
import assert from 'node:assert/strict';
import test from 'node:test';
import { timeAxisText, timeText } from '../../src/columns/times.ts';

test('a time is within half of its last digit of what it stands for, and as long as others near it', () => {
  for (const [us, text] of [
    [87_754_000, '1m28s'],
    [5_999_400_000, '99m59s'],
    [5_999_600_000, '1h40m'],
    [7_529_000_000, '2h05m'],
    [90_000_000_000, '25h00m'],
    [59_940_000, '59.9s'],
    [59_960_000, '1m00s'],
    [119_600_000, '2m00s'],
    [9_994_000, '9.99s'],
    [9_996_000, '10.0s'],
    [999_600, '1.00s'],
    [9_960, '10ms'],
    [999.6, '1.0ms'],
    [999.4, '999µs'],
    [-87_754_000, '-1m28s'],
  ] as const)
    assert.equal(timeText(us), text);
  const UNITS: Readonly<Record<string, number>> = { m: 60e6, s: 1e6, ms: 1e3, µs: 1 };
  const read = (text: string): readonly [us: number, digit: number] => {
    const [, hours = '0', minutes = '0', value = '', unit = 'm'] =
      /^(?:(\d+)h)?(?:(\d+)m)?(?:([\d.]+)(s|ms|µs))?$/.exec(text) ?? [];
    const of = UNITS[unit];
    return [Number(hours) * 3600e6 + Number(minutes) * 60e6 + Number(value) * of, of / 10 ** (value.split('.')[1] ?? '').length];
  };
  let last = -1;
  for (let us = 1; us < 1e11; us *= 1.003) {
    const [shown, digit] = read(timeText(us));
    assert.ok(shown >= last, `${us}: ${timeText(us)} is less than the one before`);
    assert.ok(Math.abs(shown - us) <= digit / 2 + 1e-6, `${us}: ${timeText(us)}`);
    last = shown;
  }
});

test('the marks of a long axis are those of a clock, and no two of them are the same', () => {
  const marks = (seconds: number, width: number, from = 0) =>
    timeAxisText({ from: from * 1e6, to: (from + seconds) * 1e6 }, 0, width)
      .split('╷')
      .slice(1)
      .map((text) => text.trim());
  assert.deepEqual(marks(4, 50), ['0s', '1s', '2s', '3s']);
  assert.deepEqual(marks(50, 60), ['0s', '10s', '20s', '30s', '40s']);
  assert.deepEqual(marks(200, 50), ['0m', '1m', '2m', '3m']);
  assert.deepEqual(marks(100, 50), ['0m00s', '0m20s', '0m40s', '1m00s', '1m20s']);
  assert.deepEqual(marks(58_068, 90), ['0h', '2h', '4h', '6h', '8h', '10h', '12h', '14h']);
  assert.deepEqual(marks(40, 50, 7205), ['2h00m10s', '2h00m20s', '2h00m30s']);
  assert.deepEqual(marks(30 * 86_400, 80), ['0h', '120h', '240h', '360h', '480h', '600h']);
  assert.deepEqual(marks(0.8, 80, 36_000), ['10h00m00.0s', '10h00m00.2s', '10h00m00.4s', '10h00m00.6s']);
  for (let seconds = 1; seconds < 4e6; seconds *= 1.37)
    for (const width of [40, 80, 233]) {
      const texts = marks(seconds, width, seconds / 3);
      assert.equal(new Set(texts).size, texts.length, texts.join(' '));
      assert.ok(texts.length >= 1, `${seconds} in ${width}`);
    }
});
