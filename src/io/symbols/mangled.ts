// Tells mangled names by their bytes, before the demangler is loaded.

const [UNDERSCORE, Z, R, COLON, H] = [95, 90, 82, 58, 104];
/** `::h` and 16 digits. */
const RUST_HASH_LENGTH = 19;

/** Whether a name may be mangled: `_Z…` of C++, `_R…` of Rust, `…::h0123456789abcdef` of Rust half demangled. */
export function looksMangled(bytes: Uint8Array, from: number, to: number): boolean {
  const at = bytes[from] === UNDERSCORE && bytes[from + 1] === UNDERSCORE ? from + 1 : from;
  if (bytes[at] === UNDERSCORE && (bytes[at + 1] === Z || (at === from && bytes[at + 1] === R)) && to - at > 2) return true;
  const hash = to - RUST_HASH_LENGTH;
  return hash > from && bytes[hash] === COLON && bytes[hash + 1] === COLON && bytes[hash + 2] === H;
}
