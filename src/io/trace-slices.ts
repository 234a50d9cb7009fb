// The slices in the -ftime-trace of one compile.
import { attempt } from '../base/attempt.ts';
import { isObject, objectOf, readJson, textOf, valueEnd } from '../formats/shared/json.ts';
import type { CompilerSlice } from '../model/steps/compiles.ts';
import { readRegular } from './disk/regular.ts';
import { gunzipWhole } from './sources/gunzip.ts';
import { isGzip } from './stat.ts';

const MAX_TRACE_BYTES = 1 << 30;
/** The slice that contains all others of a compile. */
const WHOLE_SLICE = 'ExecuteCompiler';

/** The slices inside a compile, in file order; none if its trace cannot be read. Sums of slices (`Total …`) are left out. */
export function readCompilerSlices(path: string): readonly CompilerSlice[] {
  const file = attempt(() => readRegular(path, MAX_TRACE_BYTES, 'none').bytes);
  const bytes = file && isGzip(file) ? attempt(() => gunzipWhole(file, MAX_TRACE_BYTES)) : file;
  if (!bytes) return [];
  const found: (CompilerSlice & { readonly tid: unknown })[] = [];
  const list = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('"traceEvents"');
  // Elements are read one by one: a whole trace would be a long string.
  for (let at = list < 0 ? 0 : bytes.indexOf(OPEN_LIST, list) + 1; at > 0 && at < bytes.length; ) {
    const to = bytes[at] === OPEN ? valueEnd(bytes, at, bytes.length) : at + 1;
    if (to < 0 || bytes[at] === CLOSE_LIST) break;
    const event = bytes[at] === OPEN ? objectOf(readJson(bytes, at, to).value) : {};
    const { name, ts: us, dur: durationUs, tid, args } = event;
    if (event['ph'] === 'X' && typeof name === 'string' && typeof us === 'number' && typeof durationUs === 'number')
      found.push({ name, us, durationUs, tid, detail: isObject(args) ? textOf(args['detail']) : undefined });
    at = to;
  }
  const whole = found.find(({ name }) => name === WHOLE_SLICE);
  return found
    .filter((slice) => slice !== whole && slice.tid === whole?.tid && !slice.name.startsWith('Total '))
    .map(({ tid: _, ...slice }) => ({ ...slice, us: slice.us - (whole?.us ?? 0) }));
}

const [OPEN_LIST, CLOSE_LIST, OPEN] = [91, 93, 123];
