// Runs the built program for one command after another, in this process: it starts once, and its code stays compiled.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCompiled } from '../../dist/compiled.js';

const program = fileURLToPath(new URL('../../bin/proftui.js', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
process.env['NODE_ENV'] = 'production';
const { main } = runCompiled(fileURLToPath(new URL('../../dist/main.cjs', import.meta.url)), 'print');

/** Collects everything that is written to the stream from now on. */
function collect(stream) {
  const pieces = [];
  const original = stream.write;
  stream.write = (piece, encoding, done) => {
    pieces.push(Buffer.from(piece));
    const call = typeof encoding === 'function' ? encoding : done;
    if (call) process.nextTick(call);
    return true;
  };
  return () => {
    stream.write = original;
    return Buffer.concat(pieces).toString('utf8');
  };
}

const listenersOf = (emitter) => new Set(emitter.eventNames().flatMap((name) => emitter.listeners(name)));

/** Removes the listeners that a command has added, as the end of its process would. */
function removeListeners(emitter, before) {
  for (const name of emitter.eventNames())
    for (const listener of emitter.listeners(name)) if (!before.has(listener)) emitter.off(name, listener);
}

async function answer({ args, cwd, env }) {
  const emitters = [process, process.stdout, process.stderr].map((emitter) => [emitter, listenersOf(emitter)]);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env, { NODE_ENV: 'production' });
  process.chdir(cwd);
  process.argv = [process.execPath, program, ...args];
  const [out, err] = [process.stdout, process.stderr].map(collect);
  const code = await main(args, version);
  for (const [emitter, before] of emitters) removeListeners(emitter, before);
  return { code, out: out(), err: err() };
}

process.on('message', async (request) => process.send(await answer(request)));
// The tests have ended.
process.on('disconnect', () => process.exit());
