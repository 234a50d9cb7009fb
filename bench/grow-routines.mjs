// node bench/grow-routines.mjs ROUTINES OUT: a Callgrind file of so many routines with long C++ names, each of ten cost lines and a call.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const [routines, path] = [Number(process.argv[2]), process.argv[3]];
const LINES = Number(process.argv[4] ?? 10);
const out = createWriteStream(path);
out.write('# callgrind format\nversion: 1\ncreator: bench\ncmd: ./generated\npositions: line\nevents: Ir\n');
for (let i = 0; i < routines; i++) {
  const file = Math.floor(i / 100);
  let text = `\nfl=(${file + 1})${i % 100 === 0 ? ` src/some/folder/file${file}.cpp` : ''}\n`;
  text += `fn=(${i}) library::Class${i % 977}<int, std::vector<char> >::method_${i}(unsigned long, char const*)\n`;
  text += `${i % 5000} ${(i * 7919) % 1_000_003}\n`;
  for (let k = 1; k < LINES; k++) text += `+${k} ${(i * 31 + k) % 977}\n`;
  if (i > 0) text += `cfn=(${(i * 31) % i})\ncalls=${((i * 13) % 7919) + 1} 0\n* ${(i * 104_729) % 1_000_003}\n`;
  if (!out.write(text)) await once(out, 'drain');
}
out.end();
await once(out, 'close');
