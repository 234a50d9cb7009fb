// A profile of so many routines with long C++ names, in files of a hundred each, calling each other.
import { callgrind } from '../src/formats/callgrind/index.ts';
import type { Profile } from '../src/model/profile.ts';
import { Sink } from '../src/model/sink.ts';

/** `hot`: a few of them cost more than all others, and call what libraries do. */
export async function manyRoutines(routines: number, hot = false): Promise<Profile> {
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
  if (hot) {
    const names = ['malloc', 'memcpy', 'std::vector<int>::push_back(int const&)', 'strcmp', 'hash_of'];
    names.forEach((name, k) => {
      parts.push(`fl=(1)\nfn=(${routines + k}) ${name}\n${k + 5} ${Math.round(1e12 / (k + 2))}`);
    });
    const calls = names.map((_, k) => `cfn=(${routines + k})\ncalls=5000 0\n9 ${Math.round(1e12 / (k + 2))}`);
    parts.push(`fn=(${routines + names.length}) work\n5 1000000000000`, ...calls);
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
