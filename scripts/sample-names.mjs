// Prints names and comments of src chosen at random, for a reader who judges whether each is understandable without its context:
//   node scripts/sample-names.mjs [SEED] [COUNT]
import { readdirSync, readFileSync } from 'node:fs';

const [seed = '1', count = '150'] = process.argv.slice(2);
let state = Number(seed) >>> 0;
/** Mulberry32: the same numbers for the same seed. */
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

const root = new URL('../src/', import.meta.url).pathname;
const names = [];
const comments = [];
for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!/\.tsx?$/.test(file)) continue;
  for (const [i, line] of readFileSync(root + file, 'utf8')
    .split('\n')
    .entries()) {
    const name = /^(?:export )?(?:async )?(?:function\*?|class|interface|type|const) (\w+)/.exec(line);
    if (name) names.push(`${file}:${i + 1}: ${name[1]}`);
    const comment = /^\s*(?:\/\/|\/\*\*) (.*)/.exec(line);
    if (comment) comments.push(`${file}:${i + 1}: ${comment[1].replace(/ \*\/$/, '')}`);
  }
}

for (const [title, list] of Object.entries({ names, comments })) {
  console.log(`# ${title}: ${count} of ${list.length}, seed ${seed}`);
  for (let k = 0; k < Number(count) && list.length > 0; k++) console.log(list.splice(Math.floor(random() * list.length), 1)[0]);
}
