// Milliseconds from bytes in memory to the finished profile, from there to the lines of the first frame, and until all of its answers
// are there. Run by run.mjs, one process per run, so that no run warms another.
import { readFileSync } from 'node:fs';
import { drawScreen } from '../src/app/draw.ts';
import { openSession } from '../src/app/start.ts';
import { update } from '../src/app/update.ts';
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
let [state] = openSession(profile, { width: 80, height: 24, timeBudgetMs: 10 });
drawScreen(state);
const frameMs = performance.now() - started - ms;
while (state.unfinished) [state] = update(state, { type: 'work' });
drawScreen(state);
const answersMs = performance.now() - started - ms;
process.stdout.write(
  JSON.stringify({
    ms,
    frameMs,
    answersMs,
    bytes: bytes.length,
    rows: 'lines' in profile ? profile.lines.line.length : 0,
    routines: profile.routines.name.length,
  }) + '\n',
);
