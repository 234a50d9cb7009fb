// Slots of a CPU profile: pointer-sized words in the byte order of the machine that wrote them.

export interface WordForm {
  readonly bytes: 4 | 8;
  readonly little: boolean;
}

/** The header's second slot when read in this form; undefined if the head is too short. */
function headerCount(view: DataView, form: WordForm): number | undefined {
  if (view.byteLength < 2 * form.bytes) return undefined;
  const { high, low } = readWord(view, form.bytes, form);
  return high * 2 ** 32 + low;
}

export function readWord(view: DataView, at: number, form: WordForm): { high: number; low: number } {
  if (form.bytes === 4) return { high: 0, low: view.getUint32(at, form.little) };
  const first = view.getUint32(at, form.little);
  const second = view.getUint32(at + 4, form.little);
  return form.little ? { high: second, low: first } : { high: first, low: second };
}

/**
 * Width and byte order of the slots, from the header's second slot: the number of header slots that follow is small and never
 * 0, so bytes 4 to 7 are 0 only if slots are 8 bytes wide, and it is small only in the right byte order.
 */
export function wordForm(head: Uint8Array): WordForm | undefined {
  if (head.length < 8) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const bytes = view.getUint32(4, true) === 0 ? 8 : 4;
  const little: WordForm = { bytes, little: true };
  const big: WordForm = { bytes, little: false };
  const a = headerCount(view, little);
  const b = headerCount(view, big);
  if (a === undefined || b === undefined) return bytes === 8 && head.length < 16 ? little : undefined;
  return a <= b ? little : big;
}
