// Loading, from bytes in memory to the finished profile. Run by run.mjs, a process a run, so that no run warms another.
import { readFileSync } from 'node:fs';
import { loaders } from '../src/formats/index.ts';
import { Sink } from '../src/model/sink.ts';

const path = process.argv[2];
const bytes = readFileSync(path);
const loader = loaders.find((l) => l.detect(bytes.subarray(0, 4096), path) !== 'no')!;
const CHUNK = 4 << 20;
const sink = new Sink();
const started = performance.now();
await loader.load(
  {
    path,
    size: bytes.length,
    async *chunks() {
      for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
    },
  },
  sink,
  new AbortController().signal,
);
const profile = sink.finish(loader.name);
const ms = performance.now() - started;
process.stdout.write(
  JSON.stringify({
    ms,
    bytes: bytes.length,
    rows: 'lines' in profile ? profile.lines.line.length : 0,
    routines: profile.routines.name.length,
  }) + '\n',
);
