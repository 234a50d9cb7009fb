// Lists the commands of a build that run now: the user's processes below a build tool that works in the folder (Linux only).

import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { attempt } from '../base/attempt.ts';
import { groupByKey } from '../base/lists.ts';
import { isPathBelow } from '../base/paths.ts';
import type { RunningCommand } from '../formats/loader.ts';

/** Programs that start the commands of a build. */
const BUILD_TOOLS = new Set(['ninja', 'ninja-build', 'samu', 'make', 'gmake', 'cmake', 'n2']);
/** Wrappers between a build tool and the command that does the work. */
const WRAPPERS = new Set([...BUILD_TOOLS, 'sh', 'bash', 'dash', 'ctest', 'env', 'nice', 'ccache', 'sccache', 'distcc', 'icecc']);
const TICKS_PER_SECOND = 100;
/** Maximum characters of a command line that are kept: a list shows no more. */
const MAX_COMMAND_LENGTH = 20_000;

/** The running commands below build tools in the folder; undefined if the system does not show processes. */
export function runningCommandsIn(folder: string): RunningCommand[] | undefined {
  if (process.platform !== 'linux') return undefined;
  return attempt(() => {
    const root = realpathSync(folder);
    const all = listOwnProcesses();
    const children = groupByKey(all, (p) => p.parent);
    const tools = all.filter((p) => BUILD_TOOLS.has(p.name) && worksInFolder(p.pid, root));
    const known = new Set(tools.map((p) => p.pid));
    const waiting = tools.filter((p) => !known.has(p.parent));
    const found: RunningCommand[] = [];
    for (let next = waiting.pop(); next; next = waiting.pop())
      for (const child of children.get(next.pid) ?? []) {
        if (WRAPPERS.has(child.name)) waiting.push(child);
        else {
          const command = commandLineOf(child.pid);
          if (command !== '') found.push({ command, startMs: child.startMs });
        }
      }
    return found.sort((a, b) => a.startMs - b.startMs);
  });
}

/** The processes of this user. Throws where there is no /proc. */
function listOwnProcesses(): { pid: number; parent: number; name: string; startMs: number }[] {
  const uid = process.getuid?.();
  const sinceStartS = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]);
  const bootMs = Date.now() - sinceStartS * 1000;
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      if (statSync(`/proc/${name}`).uid !== uid) return [];
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The process name is in parentheses, and may contain parentheses.
      const [open, close] = [stat.indexOf('('), stat.lastIndexOf(')')];
      const fields = stat.slice(close + 2).split(' ');
      const startMs = bootMs + (Number(fields[19]) / TICKS_PER_SECOND) * 1000;
      return [{ pid: Number(name), parent: Number(fields[1]), name: stat.slice(open + 1, close), startMs }];
    } catch {
      // The process has ended.
      return [];
    }
  });
}

function worksInFolder(pid: number, root: string): boolean {
  return attempt(() => {
    const at = readlinkSync(`/proc/${pid}/cwd`);
    return isPathBelow(root, at) || commandLineOf(pid).includes(root);
  }, false);
}

function commandLineOf(pid: number): string {
  const words = attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '').split('\0');
  return words.join(' ').trimEnd().slice(0, MAX_COMMAND_LENGTH);
}

/** The CPU time of a process in clock ticks; 0 if unknown. */
export function cpuTicksOf(pid: number | undefined): number {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), '');
  const [, user = 0, system = 0] = /\) \S(?: \S+){10} (\d+) (\d+)/.exec(stat) ?? []; // bounded: one short line
  return Number(user) + Number(system);
}
