// A worker of the fuzzer that hangs or dies when it is told to.
import { writeFileSync } from 'node:fs';

let count = 0;
process.on('message', ({ trial }) => {
  writeFileSync(process.argv[2], `${++count} -1 load`);
  const { path } = trial.input.files[0];
  if (path === 'die') process.abort();
  while (path === 'hang');
  process.send({ type: 'judged', failures: [] });
});
