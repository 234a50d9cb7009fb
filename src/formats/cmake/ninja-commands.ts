// The commands of ninja's steps: a log has only their hashes, so a rule of build.ninja is expanded, and the command is taken if its hash is the
// logged one. Expansion: https://ninja-build.org/manual.html, "Evaluation and scoping".
import { absoluteFrom, type BuildEdge, expandText, parseBuildLine } from './ninja-file.ts';

/** Limit of the text from variables in a command, each of which counts as 8000 characters more: rules may name themselves. */
const MAX_EXPANSION = 1 << 23;
const VARIABLE_SIZE = 8000;

/** ninja quotes paths with other characters than these for the shell. */
const quoteForShell = (path: string): string => (/^[\w+./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** The command that the edge runs now, and the text that ninja hashes: it includes the content of the response file. */
function expandCommand(edge: BuildEdge): readonly [command: string, hashed: string] {
  const [outputs, [, ...inputs], , [explicitOutputs, explicitWords]] = parseBuildLine(edge.statement, edge.scope);
  const paths = (list: readonly string[], end: number) => list.slice(0, end).map((path) => quoteForShell(absoluteFrom('', path)));
  const sources = paths(inputs, explicitWords - 1);
  const own = new Map(edge.bindings)
    .set('in', sources.join(' '))
    .set('in_newline', sources.join('\n'))
    .set('out', paths(outputs, explicitOutputs).join(' '));
  const rule = edge.scope.ruleOf(edge.rule);
  let expanded = 0;
  const resolve = (name: string): string => {
    const raw = rule?.get(name);
    const value = own.get(name) ?? raw ?? edge.scope.valueOf(name);
    expanded += VARIABLE_SIZE + value.length;
    if (expanded > MAX_EXPANSION) return '';
    return raw !== undefined && !own.has(name) ? expandText(raw, resolve) : value;
  };
  const command = resolve('command');
  const content = resolve('rspfile_content');
  return [command, content === '' ? command : `${command};rspfile=${content}`];
}

/**
 * The command of an edge, if it is the one with this hash in a log of this version; else undefined. The hash is MurmurHash64A up to
 * version 6 (https://github.com/aappleby/smhasher), rapidhash from version 7 on (https://github.com/Nicoshev/rapidhash, version 1,
 * seeded as by default).
 */
export function loggedCommand(edge: BuildEdge, high: number, low: number, version: number): string | undefined {
  const [command, hashed] = expandCommand(edge);
  const hash = (version < 7 ? murmurHash : rapidHash)(Buffer.from(hashed));
  return command !== '' && hash === ((BigInt(high) << 32n) | BigInt(low)) ? command : undefined;
}

const MURMUR_FACTOR = 0xc6a4a7935bd1e995n;
const MURMUR_SEED = 0xdecafbaddecafbadn;

/** MurmurHash64A. V8 multiplies in registers where asUintN() takes the product at once, so the products are written out. */
function murmurHash(bytes: Uint8Array): bigint {
  const whole = bytes.length & ~7;
  const padded = new Uint8Array(whole + 8);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  let hash = MURMUR_SEED ^ BigInt.asUintN(64, BigInt(bytes.length) * MURMUR_FACTOR);
  for (let i = 0; i < whole; i += 8) {
    const word = BigInt.asUintN(64, view.getBigUint64(i, true) * MURMUR_FACTOR);
    hash = BigInt.asUintN(64, (hash ^ BigInt.asUintN(64, (word ^ (word >> 47n)) * MURMUR_FACTOR)) * MURMUR_FACTOR);
  }
  if (whole < bytes.length) hash = BigInt.asUintN(64, (hash ^ view.getBigUint64(whole, true)) * MURMUR_FACTOR);
  hash = BigInt.asUintN(64, (hash ^ (hash >> 47n)) * MURMUR_FACTOR);
  return hash ^ (hash >> 47n);
}

const RAPID_SECRETS = [0x2d358dccaa6c78a5n, 0x8bb84b93962eacc9n, 0x4b33a62ed433d4a3n] as const;
const RAPID_SEED = 0xbdd89aa982704029n;

function rapidHash(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [first, second, third] = RAPID_SECRETS;
  const length = BigInt(bytes.length);
  const wordAt = (at: number) => view.getBigUint64(at, true);
  const mix = (a: bigint, b: bigint) => BigInt.asUintN(64, a * b) ^ ((a * b) >> 64n);
  const mixAt = (at: number, secret: bigint, seed: bigint) => mix(wordAt(at) ^ secret, wordAt(at + 8) ^ seed);
  let seed = RAPID_SEED ^ mix(RAPID_SEED ^ first, second) ^ length;
  let [a, b] = [0n, 0n];
  if (bytes.length > 16) {
    let at = 0;
    const lanes = [seed, seed, seed];
    for (; bytes.length > 48 && bytes.length - at >= 48; at += 48)
      for (const k of lanes.keys()) lanes[k] = mixAt(at + 16 * k, RAPID_SECRETS[k], lanes[k]);
    if (at > 0) seed = lanes[0] ^ lanes[1] ^ lanes[2];
    const rest = bytes.length - at;
    if (rest > 16) seed = mixAt(at, third, seed ^ second);
    if (rest > 32) seed = mixAt(at + 16, third, seed);
    [a, b] = [wordAt(bytes.length - 16), wordAt(bytes.length - 8)];
  } else if (bytes.length >= 4) {
    const pairAt = (x: number, y: number) => (BigInt(view.getUint32(x, true)) << 32n) | BigInt(view.getUint32(y, true));
    const delta = bytes.length >= 8 ? 4 : 0;
    const last = bytes.length - 4;
    [a, b] = [pairAt(0, last), pairAt(delta, last - delta)];
  } else if (bytes.length > 0) {
    const byte = (at: number) => BigInt(bytes[at]);
    a = (byte(0) << 56n) | (byte(bytes.length >> 1) << 32n) | byte(bytes.length - 1);
  }
  a ^= second;
  b ^= seed;
  return mix(BigInt.asUintN(64, a * b) ^ first ^ length, ((a * b) >> 64n) ^ second);
}
