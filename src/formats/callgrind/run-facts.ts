// The command and the total of a Callgrind or Cachegrind file by its first and last bytes, for the list of a folder's profiles.

import { formatCost, unitCells } from '../../base/units.ts';
import type { RunFacts } from '../loader.ts';
import { unitOfEvent } from './parts.ts';

/** Runs that xdebug appended have totals of their own, of which the last bytes show one. */
const APPENDED = /^==== NEW PROFILING FILE/m;

/** The total is of the first event, as `totals:` or `summary:` states it at the end of the file, else at its start. */
export function readRunFacts(head: Uint8Array, tail: Uint8Array): RunFacts {
  const [start, end] = [head, tail].map((bytes) => Buffer.from(bytes).toString('utf8'));
  const text = `${start}\n${end}`;
  const [, command = ''] = /^cmd: *(.*)$/m.exec(start) ?? []; // bounded: the start of a file
  const [, event] = /^events: *(\S+)/m.exec(start) ?? [];
  const sum = Array.from(text.matchAll(/^(?:totals|summary): *(\d+)(?!\S)/gm), ([, digits]) => digits).at(-1);
  if (sum === undefined || event === undefined || APPENDED.test(text)) return { command, total: '' };
  const unit = unitOfEvent(event, '') ?? 'count';
  return { command, total: `${formatCost(BigInt(sum), unit)}${unitCells(unit) > 0 ? '' : ` ${event}`}` };
}
