// `npm start`: the screen on the bundled real profile; with arguments, on those.
import { spawnSync } from 'node:child_process';

const root = new URL('..', import.meta.url).pathname;
const given = process.argv.slice(2);
const args =
  given.length > 0 ? given : [`${root}fixtures/callgrind/default.callgrind.out`, '--source-dir', `${root}fixtures/callgrind`];
const result = spawnSync(process.execPath, [`${root}bin/proftui.js`, ...args], {
  stdio: 'inherit',
  cwd: process.env.INIT_CWD ?? process.cwd(),
});
process.exitCode = result.status ?? 1;
