// `npm start`: the screen on two bundled runs of a program that became slower; with arguments, on those.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const root = new URL('..', import.meta.url).pathname;
const given = process.argv.slice(2);
const runs = `${root}fixtures/compare/slower`;
const profile = 'slower.callgrind.out.gz';
const sample = [`${runs}/v2/${profile}`, '--base', `${runs}/v1/${profile}`, '--source-dir', `${runs}/v2`];
const args = given.length > 0 ? given : sample;
// In this process: another one between the shell and the program would have to pass on signals and exit codes.
process.argv = [process.execPath, `${root}bin/proftui.js`, ...args];
process.chdir(process.env.INIT_CWD ?? process.cwd());
if (!existsSync(`${root}dist/main.cjs`)) spawnSync(process.execPath, [`${root}scripts/build.mjs`], { stdio: 'inherit' });
await import('../bin/proftui.js');
