// A build tree with CMake's instrumentation data, of snippets that a test writes.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Snippet = Readonly<Record<string, unknown>> & {
  readonly role: string;
  readonly timeStart: number;
  readonly duration: number;
};

export const START = 1_795_000_000_000;

/** A build tree with these snippets, and their index, with `more` in it. */
export function treeOf(snippets: readonly Snippet[], more: object = {}): { readonly tree: string; readonly index: string } {
  const tree = mkdtempSync(join(tmpdir(), 'proftui-44-'));
  const data = join(tree, '.cmake/instrumentation/v1/data');
  mkdirSync(join(data, 'index'), { recursive: true });
  const names = snippets.map((s, k) => {
    const name = `${s.role}-${String(k).padStart(20, 'a')}-2026-11-27T10-00-00-${String(k).padStart(4, '0')}.json`;
    writeFileSync(
      join(data, name),
      JSON.stringify({ version: { major: 1, minor: 1 }, workingDir: tree, ...s, timeStart: START + s.timeStart }),
    );
    return name;
  });
  const index = join(data, 'index/index-2026-11-27T10-00-00-0000.json');
  writeFileSync(index, JSON.stringify({ version: 1, hook: 'postCMakeBuild', snippets: names, ...more }));
  return { tree, index };
}

export const compile = (timeStart: number, duration: number, source: string, more: object = {}): Snippet => ({
  ...{
    role: 'compile',
    timeStart,
    duration,
    source,
    target: 'app',
    result: 0,
    outputs: [`${source}.o`],
    command: `cc -c ${source}`,
  },
  ...more,
});
