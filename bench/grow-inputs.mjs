// Grows a real aprof report to any number of routines: `node bench/grow-inputs.mjs 1000000 OUT`. Every routine of the fixture, with its
// points, again and again under other names; costs vary, so that no two curves are the same.
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const [count, path] = [Number(process.argv[2]), process.argv[3]];
const report = new URL('../fixtures/aprof/containers/containers_29655_0_1.aprof.gz', import.meta.url);
const lines = gunzipSync(readFileSync(report)).toString('latin1').split('\n');
const head = lines.filter((l) => /^[a-z] /.test(l) && !/^[crupk] /.test(l));
const points = new Map();
for (const line of lines.filter((l) => l.startsWith('p '))) {
  const id = line.split(' ')[1];
  points.set(id, [...(points.get(id) ?? []), line]);
}
const routines = lines
  .filter((l) => l.startsWith('r '))
  .map((l) => /^r "(.*)" "(.*)" (\d+)$/.exec(l))
  .filter((m) => m);
const out = createWriteStream(path);
out.write(`${head.join('\n')}\n`);
for (let i = 0; i < count; i++) {
  const [, name, object, id] = routines[i % routines.length];
  const factor = 1 + ((i * 7919) % 1000) / 1e5;
  let text = `r "${name}#${Math.floor(i / routines.length)}" "${object}" ${i + 1}\n`;
  for (const p of points.get(id) ?? []) {
    const [, , size, ...values] = p.split(' ').map(Number);
    text += `p ${i + 1} ${size} ${values.map((v) => Math.round(v * factor)).join(' ')}\n`;
  }
  if (!out.write(text)) await once(out, 'drain');
}
out.end();
await once(out, 'close');
