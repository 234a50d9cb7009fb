// Reads slots of a CPU profile: pointer-sized words in the byte order of the machine that wrote the file.

export interface WordForm {
  readonly bytes: 4 | 8;
  readonly little: boolean;
}

/** Combines the halves of a word into a number, or into a bigint if a double cannot represent it exactly. */
export const combineHalves = (high: number, low: number): number | bigint =>
  high < 0x200000 ? high * 2 ** 32 + low : (BigInt(high) << 32n) | BigInt(low);

export function readWord(view: DataView, at: number, { bytes, little }: WordForm): number | bigint {
  const first = view.getUint32(at, little);
  if (bytes === 4) return first;
  const second = view.getUint32(at + 4, little);
  return little ? combineHalves(second, first) : combineHalves(first, second);
}

/**
 * Width and byte order of the slots, from the header's second slot: the number of header slots that follow is small and never
 * 0, so bytes 4 to 7 are 0 only if slots are 8 bytes wide, and it is small only in the right byte order.
 */
export function detectWordForm(head: Uint8Array): WordForm | undefined {
  if (head.length < 8) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const bytes = view.getUint32(4, true) === 0 ? 8 : 4;
  const little: WordForm = { bytes, little: true };
  const big: WordForm = { bytes, little: false };
  if (head.length < 2 * bytes) return little;
  return readWord(view, bytes, little) <= readWord(view, bytes, big) ? little : big;
}
