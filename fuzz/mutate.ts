// The input of a number: a slice of a fixture, with a few mutations. The same seed, target and number give the same input.
import { gzipSync } from 'node:zlib';
import { hostileText } from './hostile.ts';
import { type Input, type InputFile, toBytes, toText } from './input.ts';
import { mutateBytes, mutateElf, mutateWords } from './mutate-binary.ts';
import { mutateJson } from './mutate-json.ts';
import { mutateMessages } from './mutate-messages.ts';
import { mutateText } from './mutate-text.ts';
import type { Random } from './random.ts';
import { type Seeds, SHAPES, sliceOf } from './seeds.ts';

const LARGEST = 1 << 20;
/** Mutations that know no format. */
const BLIND = 0.1;
const PACKED = 0.015;

export function makeInput(seeds: Seeds, random: Random): Input {
  let input = sliceOf(seeds, random);
  const blind = random.chance(BLIND);
  for (let n = random.small(6); n > 0; n--) input = mutate(input, seeds, random, blind);
  // A run of two files, now and then.
  if (input.opened === 1 && seeds.target !== 'elf' && random.chance(0.04)) {
    const second = { ...sliceOf(seeds, random).files[0], path: 'second' };
    input = { files: [input.files[0], second, ...input.files.slice(1)], opened: 2 };
  }
  const files = input.files.map((f) => (f.bytes.length > LARGEST ? { ...f, bytes: f.bytes.slice(0, LARGEST) } : f));
  if (seeds.target !== 'elf' && random.chance(PACKED)) files[0] = { ...files[0], bytes: packed(files[0].bytes, random) };
  return { ...input, files };
}

/** As gzip writes it, or cut off, or with wrong bytes, or twice. */
function packed(bytes: Uint8Array, random: Random): Uint8Array {
  const out = new Uint8Array(gzipSync(bytes, { level: 1 }));
  switch (random.below(4)) {
    case 0:
      return out.slice(0, random.below(out.length));
    case 1:
      return mutateBytes(out, random, () => out);
    case 2:
      return new Uint8Array(Buffer.concat([out, out.subarray(0, random.below(out.length + 1))]));
    default:
      return out;
  }
}

function mutate(input: Input, seeds: Seeds, random: Random, blind: boolean): Input {
  const files = [...input.files];
  if (files.length > 1 && random.chance(0.15)) mutateTree(files, random);
  if (files.length === 0) return { ...input, files: [{ path: 'empty', bytes: new Uint8Array(0) }] };
  const at = random.below(files.length);
  const { path, bytes } = files[at];
  const other = () => random.pick(random.pick(seeds.inputs).files).bytes.subarray(0, LARGEST / 16);
  const changed = blind
    ? mutateBytes(bytes, random, other)
    : mutateKnown(bytes, { ...seeds, shape: SHAPES[path] ?? seeds.shape }, random, other);
  files[at] = { ...files[at], bytes: changed };
  return { ...input, files };
}

function mutateKnown(bytes: Uint8Array, { target, shape }: Seeds, random: Random, other: () => Uint8Array): Uint8Array {
  if (target === 'elf') return mutateElf(bytes, random, other);
  if (shape === 'binary' && random.chance(0.7)) return mutateWords(bytes, random, other);
  if (shape === 'messages' && random.chance(0.9)) return mutateMessages(bytes, random, () => toBytes(hostileText(random)));
  const text = toText(bytes);
  const json = shape === 'json' && random.chance(0.6) ? mutateJson(text, random) : undefined;
  return toBytes(json ?? mutateText(text, random, () => toText(other())));
}

/** Files taken away, renamed, exchanged and doubled. */
function mutateTree(files: InputFile[], random: Random): void {
  const a = random.below(files.length);
  const b = random.below(files.length);
  const folder = files[a].path.slice(0, files[a].path.lastIndexOf('/') + 1);
  const name = files[a].path.slice(folder.length);
  switch (random.below(5)) {
    case 0:
      files.splice(a, 1);
      break;
    case 1:
      files[a] = { path: files[b].path, bytes: files[a].bytes };
      break;
    case 2:
      files.push({ path: `${folder}${name.replace(/[0-9a-f]/, (c) => (c === '0' ? '1' : '0'))}`, bytes: files[b].bytes });
      break;
    case 3:
      // A name that the disk could hold: neither a zero byte nor a slash.
      files[a] = {
        ...files[a],
        path: `${folder}${name.replace(/\.|-/, () => hostileText(random).replace(/[\0/]/g, '') || '_')}`,
      };
      break;
    default:
      files[a] = {
        ...files[a],
        path: `${random.pick(['', 'index/', 'content/', 'trace/', '.cmake/instrumentation/v1/data/'])}${name}`,
      };
  }
}
