// V8's CPU profiles in a trace of DevTools or Node: a `Profile` event begins one, and `ProfileChunk` events add nodes and samples.
// Source: Chromium's v8 tracing-cpu-profiler.cc. Times are microseconds; timeDeltas count from the sample before.
import { getOrMake } from '../../base/lists.ts';
import { isObject, type JsonObject, listOf, numberOf, objectOf } from '../shared/json.ts';
import { isRootFrame, v8Names } from '../shared/v8-frame.ts';

interface CpuProfile {
  /** The key of the profile, before the ids of its nodes. */
  readonly key: string;
  readonly thread: string;
  /** When the last sample was taken. */
  us: number;
}

/** Collects the profiles of a file in the form of `samples` and `stackFrames`. */
export class CpuProfileChunks {
  readonly samples: { readonly ts: number; readonly tid: string; readonly name: string; readonly sf: string }[] = [];
  readonly frames: Record<string, { readonly name: string; readonly parent?: string }> = Object.create(null);
  private readonly roots = new Set<string>();
  /** By track: when its profile ended. */
  readonly ends = new Map<string, number>();
  /** Chunks without a profile, and samples without a node or a time. */
  dropped = 0;
  private readonly profiles = new Map<string, CpuProfile>();

  constructor(private readonly word: (value: unknown) => string) {}

  /** Reads an event of phase P at a time. Other events of this phase carry no samples. */
  read(event: JsonObject, us: number): void {
    const key = `${this.word(event['pid'])} ${this.word(event['id'])}`;
    const data = objectOf(objectOf(event['args'])['data']);
    if (event['name'] === 'Profile')
      getOrMake(this.profiles, key, () => ({
        key,
        thread: `CPU profile of thread ${this.word(event['tid'])}`,
        us: numberOf(data['startTime']) ?? us,
      }));
    else if (event['name'] === 'ProfileChunk') this.readChunk(this.profiles.get(key), data);
  }

  private readChunk(profile: CpuProfile | undefined, data: JsonObject): void {
    if (!profile) {
      this.dropped++;
      return;
    }
    const chunk = objectOf(data['cpuProfile']);
    for (const node of listOf(chunk['nodes'])) if (isObject(node)) this.addNode(profile, node);
    const deltas = listOf(data['timeDeltas'] ?? chunk['timeDeltas']);
    for (const [k, id] of listOf(chunk['samples']).entries()) {
      const delta = numberOf(deltas[k]);
      if (delta !== undefined) profile.us += delta;
      const sf = `${profile.key} ${this.word(id)}`;
      const frame = this.frames[sf];
      if (delta === undefined || frame === undefined) this.dropped++;
      else this.samples.push({ ts: profile.us, tid: profile.thread, name: 'CPU profile', sf });
    }
    this.ends.set(profile.thread, numberOf(data['endTime']) ?? profile.us);
  }

  /** Adds a node. The root of the tree is no function. */
  private addNode({ key }: CpuProfile, { id, parent, callFrame }: JsonObject): void {
    const names = v8Names(objectOf(callFrame));
    const above = parent === undefined ? undefined : `${key} ${this.word(parent)}`;
    const isOutermost = above === undefined || this.roots.has(above);
    const own = `${key} ${this.word(id)}`;
    if (isRootFrame(names)) this.roots.add(own);
    else this.frames[own] = { name: names.name, ...(isOutermost ? {} : { parent: above }) };
  }
}
