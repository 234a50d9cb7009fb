// Names without template arguments: `std::vector<$>` stands for all vectors.

/** The name with each template's arguments replaced by `$`; unchanged with an operator (such as `<`) or unmatched brackets. */
export function templateSet(name: string): string {
  const bytes = new TextEncoder().encode(name);
  const out = new Uint8Array(2 * bytes.length);
  const length = templateSetBytes(bytes, 0, bytes.length, out);
  return length < 0 ? name : new TextDecoder('utf-8', { ignoreBOM: true }).decode(out.subarray(0, length));
}

const [OPEN, CLOSE, DOLLAR] = ['<', '>', '$'].map((c) => c.charCodeAt(0));
const OPERATOR_BYTES = new TextEncoder().encode('operator');

/** templateSet() for bytes[from..to), written to `out`, which must be twice as long. Returns the length, or -1 if the name is unchanged. */
export function templateSetBytes(bytes: Uint8Array, from: number, to: number, out: Uint8Array): number {
  let [length, depth, open] = [0, 0, false];
  for (let i = from; i < to; i++) {
    const c = bytes[i];
    if (c === OPEN) {
      if (depth++ === 0) {
        out[length++] = c;
        out[length++] = DOLLAR;
        open = true;
      }
    } else if (c === CLOSE) {
      if (depth === 0) return -1;
      if (--depth === 0) out[length++] = c;
    } else {
      if (c === OPERATOR_BYTES[0] && isOperatorAt(bytes, i, to)) return -1;
      if (depth === 0) out[length++] = c;
    }
  }
  return open && depth === 0 ? length : -1;
}

function isOperatorAt(bytes: Uint8Array, at: number, to: number): boolean {
  if (to - at < OPERATOR_BYTES.length) return false;
  for (let k = 1; k < OPERATOR_BYTES.length; k++) if (bytes[at + k] !== OPERATOR_BYTES[k]) return false;
  return true;
}
