// A thread between a test, which waits for each answer, and the process that runs its commands.
import { fork } from 'node:child_process';
import { workerData } from 'node:worker_threads';

const { port, bell, hungMs } = workerData;
const server = new URL('warm-process.mjs', import.meta.url);
let child;
let errors = '';

function start() {
  errors = '';
  const made = fork(server, { execArgv: [], serialization: 'advanced', stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  made.stdout.resume();
  made.stderr.on('data', (text) => {
    errors += text;
  });
  return made;
}

port.on('message', (request) => {
  child ??= start();
  const hung = setTimeout(() => child.kill('SIGKILL'), hungMs);
  const reply = (answer) => {
    clearTimeout(hung);
    child.removeAllListeners('message').removeAllListeners('close');
    port.postMessage(answer);
    Atomics.store(bell, 0, 1);
    Atomics.notify(bell, 0);
  };
  child.once('message', reply);
  child.once('close', (code, signal) => {
    reply({ code: null, out: '', err: `the process of the commands ended (${signal ?? code}): ${errors}` });
    child = undefined;
  });
  child.send(request);
});
