// Function names as pprof compares them: without arguments, and without the leading dot of PowerPC.

/** Removes the arguments of a name, but keeps `operator()` and `(anonymous namespace)`. */
export function withoutArguments(name: string): string {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  for (let at = plain.indexOf('('); at >= 0; at = plain.indexOf('(', at + 1)) {
    if (plain.startsWith('(anonymous namespace)', at)) continue;
    if (plain.startsWith('operator', at - 8) && plain[at + 1] === ')') continue;
    return plain.slice(0, at);
  }
  return plain;
}
