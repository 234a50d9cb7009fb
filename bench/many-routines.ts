// A profile of so many routines with long C++ names, in files of a hundred each, calling each other.
import { callgrind } from '../src/formats/callgrind/index.ts';
import type { Profile } from '../src/model/profile.ts';
import { Sink } from '../src/model/sink.ts';

export async function manyRoutines(routines: number): Promise<Profile> {
  const parts = ['events: Ir'];
  for (let i = 0; i < routines; i++) {
    const file = Math.floor(i / 100);
    parts.push(
      `fl=(${file + 1}) src/some/folder/file${file}.cpp\n` +
        `fn=(${i}) library::Class${i % 977}<int, std::vector<char> >::method_${i}(unsigned long, char const*)\n` +
        `${i % 5000} ${(i * 7919) % 1_000_003}`,
    );
    if (i > 0) parts.push(`cfn=(${(i * 31) % i})\ncalls=${(i * 13) % 7919} 0\n0 ${(i * 104_729) % 1_000_003}`);
  }
  const bytes = Buffer.from(`${parts.join('\n')}\n`);
  const sink = new Sink();
  sink.paths.push('generated');
  const source = {
    path: 'generated',
    size: bytes.length,
    chunks: async function* () {
      yield bytes;
    },
  };
  await callgrind.load(source, sink, new AbortController().signal);
  return sink.finish('callgrind');
}
