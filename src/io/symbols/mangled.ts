// Tells mangled names by their bytes, before the demangler is loaded.

const [UNDERSCORE, Z, R, COLON, H] = [95, 90, 82, 58, 104];
/** `::h` and 16 digits. */
const RUST_HASH_LENGTH = 19;

const LLVM_SUFFIX = Buffer.from('.llvm.');
const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;

/** Whether `.llvm.` and digits end a name: LLVM numbers functions that it moves between units, differently in each build. */
function endsWithLlvmNumber(bytes: Uint8Array, from: number, to: number): boolean {
  let end = to;
  while (end > from && isDigit(bytes[end - 1])) end--;
  const start = end - LLVM_SUFFIX.length;
  return end < to && start > from && LLVM_SUFFIX.equals(bytes.subarray(start, end));
}

/** Whether a name may be mangled: `_Z…` of C++, `_R…` of Rust, `…::h0123456789abcdef` of Rust half demangled, or numbered by LLVM. */
export function looksMangled(bytes: Uint8Array, from: number, to: number): boolean {
  if (endsWithLlvmNumber(bytes, from, to)) return true;
  const at = bytes[from] === UNDERSCORE && bytes[from + 1] === UNDERSCORE ? from + 1 : from;
  if (bytes[at] === UNDERSCORE && (bytes[at + 1] === Z || (at === from && bytes[at + 1] === R)) && to - at > 2) return true;
  const hash = to - RUST_HASH_LENGTH;
  return hash > from && bytes[hash] === COLON && bytes[hash + 1] === COLON && bytes[hash + 2] === H;
}
