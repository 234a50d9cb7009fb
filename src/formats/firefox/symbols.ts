// Names from the file that samply writes beside a profile (--unstable-presymbolicate). By library, with `rva` counted from its start:
//   {"string_table":["main"],"data":[{"debug_id":"…","code_id":"…","symbol_table":[{"rva":16,"symbol":0,
//     "frames":[{"function":0,"file":null,"line":3}]}],"known_addresses":[[18,0]]}]}
// A known address has the index of its symbol. Frames are innermost first.
import type { Samples } from '../../model/stacks/samples.ts';
import { isObject, type JsonObject, jsonExcerpt, lineOf, listOf, numberOf, objectOf, readJson, textOf } from '../shared/json.ts';

/** Whether a library of the profile and one of the file have the same id. Debug ids may have dashes and an age. */
function isSameLibrary(lib: JsonObject, symbols: JsonObject): boolean {
  const idOf = (value: unknown, length: number) => (textOf(value) ?? '').replaceAll('-', '').toLowerCase().slice(0, length);
  const [code, debug] = [idOf(lib['codeId'], 128), idOf(lib['breakpadId'], 32)];
  return (code !== '' && code === idOf(symbols['code_id'], 128)) || (debug !== '' && debug === idOf(symbols['debug_id'], 32));
}

/** Names the addresses of libraries, whose `places` are indexes of addresses of the samples. Returns how many got a name, or what the file has instead. */
export function nameBySymbols(
  bytes: Uint8Array,
  libraries: ReadonlyMap<JsonObject, { readonly places: ReadonlyMap<number, number> }>,
  samples: Samples,
): number | string {
  const { value: json, wrong } = readJson(bytes);
  if (!isObject(json)) return wrong ?? jsonExcerpt(json);
  const texts = listOf(json['string_table']);
  const text = (at: unknown) => textOf(texts[numberOf(at) ?? -1]);
  const data = listOf(json['data']).map(objectOf);
  let named = 0;
  for (const [lib, { places }] of libraries) {
    const own = data.find((symbols) => isSameLibrary(lib, symbols));
    const table = listOf(own?.['symbol_table']);
    const known = new Map(listOf(own?.['known_addresses']).map((pair) => [numberOf(listOf(pair)[0]), listOf(pair)[1]]));
    for (const place of places.values()) {
      const found = objectOf(table[numberOf(known.get(Number(samples.address(place)))) ?? -1]);
      const symbol = text(found['symbol']);
      if (symbol === undefined) continue;
      named++;
      const frames = listOf(found['frames']).map(objectOf);
      samples.names[place] = (frames.length > 0 ? frames : [{ function: found['symbol'] }]).map((frame: JsonObject) => ({
        name: text(frame['function']) ?? symbol,
        file: text(frame['file']) ?? null,
        line: lineOf(frame['line']),
      }));
    }
  }
  return named;
}
