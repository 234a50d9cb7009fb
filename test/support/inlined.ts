// Call graphs with inlined functions whose answer is known.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { objectName } from '../../src/analysis/names/names.ts';
import { inlineProfile } from '../../src/analysis/profiles/inlined/inline.ts';
import { runToEnd } from '../../src/base/slices.ts';
import { loaders } from '../../src/formats/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { LineParser } from '../../src/io/symbols/line-tool.ts';
import { FrameRows } from '../../src/model/code-frames.ts';
import type { ProfileOf } from '../../src/model/profile.ts';
import type { NamedFrame } from '../../src/model/stacks/samples.ts';
import { FIXTURES } from './fixtures.ts';
import { profileOf } from './kinds.ts';
import { loadText } from './load.ts';

type GraphProfile = ProfileOf<'callgraph'>;

/** A profile of the shop, and the functions at its program's addresses as addr2line had them. */
export async function shop(version: 'v1' | 'v2'): Promise<GraphProfile> {
  const folder = join(FIXTURES, 'compare', version);
  const profile = profileOf(await loadProfile([join(folder, 'shop.callgrind.out.gz')]), 'callgraph');
  const frames = new FrameRows();
  const parser = new LineParser(frames);
  parser.parseChunk(gunzipSync(readFileSync(join(folder, 'shop.addr2line.gz'))).toString());
  parser.end();
  const object = Array.from(profile.objects.name.keys()).find((o) => objectName(profile, o)?.endsWith(`/${version}/shop`)) ?? -1;
  return { ...profile, inlines: new Map([[object, frames.done((name) => name)]]) };
}

export const inlined = (profile: GraphProfile): GraphProfile => runToEnd(inlineProfile(profile, profile.inlines ?? new Map()));

/** Adds an address with its frames, innermost first. */
export function addFrames(rows: FrameRows, address: number, frames: readonly NamedFrame[]): void {
  const frameBelow = (above: number, { name, file, line }: NamedFrame) =>
    rows.frameId(above, rows.textId(name), file === null ? -1 : rows.textId(file), line);
  rows.leafOf.set(address, frames.reduceRight(frameBelow, -1));
}

/** A routine on a stack, and the functions inlined at the place where it is, from the outermost. */
export interface Visit {
  readonly routine: string;
  readonly chain: readonly string[];
}

/** A stack of visits, and its cost. */
export interface Run {
  readonly visits: readonly Visit[];
  readonly cost: number;
}

/** What Callgrind records of these runs, with the functions at each address. A routine's code has an address for each chain. */
export async function recorded(runs: readonly Run[]): Promise<GraphProfile> {
  const addresses = new Map<string, number>();
  const frames = new FrameRows();
  const addressOf = ({ routine, chain }: Visit) => {
    const key = [routine, ...chain].join(' ');
    const known = addresses.get(key);
    if (known !== undefined) return known;
    const address = 0x1000 + addresses.size * 16;
    addresses.set(key, address);
    const line = addresses.size;
    const inner = [...chain]
      .reverse()
      .map((name) => ({ name, file: `${name.startsWith('f') ? 'inlined.h' : 'program.c'}`, line }));
    addFrames(frames, address, [...inner, { name: routine, file: 'program.c', line }]);
    return address;
  };
  const self = new Map<string, Map<number, number>>();
  const calls = new Map<string, Map<string, number>>();
  const add = <K>(to: Map<string, Map<K, number>>, routine: string, key: K, cost: number) => {
    const of = to.get(routine) ?? new Map<K, number>();
    to.set(routine, of.set(key, (of.get(key) ?? 0) + cost));
  };
  for (const { visits, cost } of runs) {
    visits.forEach((visit, i) => {
      const next = visits[i + 1];
      if (next) add(calls, visit.routine, `${addressOf(visit)} ${next.routine}`, cost);
      else add(self, visit.routine, addressOf(visit), cost);
    });
  }
  const routines = new Set(runs.flatMap(({ visits }) => visits.map(({ routine }) => routine)));
  const text = [...routines].map((routine) => {
    const lines = [...(self.get(routine) ?? [])].map(([address, cost]) => `0x${address.toString(16)} 1 ${cost}`);
    const made = [...(calls.get(routine) ?? [])].map(([key, cost]) => {
      const [address, callee] = key.split(' ');
      return `cfn=${callee}\ncalls=1 0x0 1\n0x${Number(address).toString(16)} 1 ${cost}`;
    });
    return `fn=${routine}\n${[...lines, ...made].join('\n')}\n`;
  });
  const head = 'positions: instr line\nevents: Ir\n\nob=program\nfl=program.c\n';
  const [callgrind] = loaders.filter(({ name }) => name === 'callgrind');
  const profile = profileOf(await loadText(callgrind, head + text.join('')), 'callgraph');
  return { ...profile, inlines: new Map([[0, frames.done((name) => name)]]) };
}
