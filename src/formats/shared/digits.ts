// Reads the digits of a whole number from its bytes, without decoding them.

/** The number in bytes[from..to); undefined for anything but 1 to `most` digits. */
export function wholeNumberIn(bytes: Uint8Array, from: number, to: number, most: number): number | undefined {
  if (to === from || to - from > most) return undefined;
  let out = 0;
  for (let i = from; i < to; i++) {
    const digit = bytes[i] - 48;
    if (digit < 0 || digit > 9) return undefined;
    out = 10 * out + digit;
  }
  return out;
}
