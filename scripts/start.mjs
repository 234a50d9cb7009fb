// `npm start`: the screen on the bundled real profile; with arguments, on those.
const root = new URL('..', import.meta.url).pathname;
const given = process.argv.slice(2);
const args =
  given.length > 0 ? given : [`${root}fixtures/callgrind/default.callgrind.out`, '--source-dir', `${root}fixtures/callgrind`];
// In this process: another one between the shell and the program would have to pass on signals and exit codes.
process.argv = [process.execPath, `${root}bin/proftui.js`, ...args];
process.chdir(process.env.INIT_CWD ?? process.cwd());
await import('../bin/proftui.js');
